//@ name:      opencv
//@ library:   OpenCV
//@ functions: sum
//@ histograms: calcHist
//@ apt:       libopencv-core-dev libopencv-imgproc-dev
//@ include:   /usr/include/opencv4
//@ link:      -lopencv_imgproc -lopencv_core
#include "peer.hpp"

#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>

std::string peer::version() {
    return "OpenCV " CV_VERSION;
}

// Rows of at most 1024 values, as an image has them.
peer::call peer::make(const device &on, const std::string &function, cl_mem x, size_t n, cl_mem out) {
    static bool ready = false;
    if (!ready) {
        auto name = [&](size_t bytes, void *to, size_t *needed) {
            return clGetPlatformInfo(on.platform, CL_PLATFORM_NAME, bytes, to, needed);
        };
        cv::ocl::attachContext(text_of(name), on.platform, on.context, on.id);
        cv::ocl::setUseOpenCL(true);
        if (!cv::ocl::useOpenCL())
            throw std::runtime_error("this OpenCV does not use OpenCL here");
    }
    ready = true;
    int columns = 1024;
    while (n % size_t(columns) != 0)
        columns--;
    cv::UMat matrix, counts;
    if (function == "calcHist") {
        cv::ocl::convertFromBuffer(x, size_t(columns), int(n / size_t(columns)), columns, CV_8UC1, matrix);
        cv::ocl::convertFromBuffer(out, sizeof(float), int(peer::bins), 1, CV_32FC1, counts);
        const std::vector<cv::UMat> images(1, matrix);
        return [=]() mutable {
            cv::calcHist(images, {0}, cv::noArray(), counts, {int(peer::bins)}, {0, float(peer::bins)});
            cv::ocl::finish();
            return 0.0;
        };
    }
    cv::ocl::convertFromBuffer(x, size_t(columns) * sizeof(float), int(n / size_t(columns)), columns,
                               CV_32FC1, matrix);
    return [=] { return cv::sum(matrix)[0]; };
}
