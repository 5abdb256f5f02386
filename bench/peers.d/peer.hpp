// What every adapter to a public library shares: the device, the data, the clock, and the words on the pipe.
//
// An adapter is one file: a manifest in comments (bench/race/adapters.py lists its keys), two definitions,
// and this header. It sums the first n values of the file that bench/peers wrote, resident on the device
// before the clock starts, and it is silent, blocked on its standard input, while others run.
//
//     ADAPTER PLATFORM DEVICE INDEX FILE     the INDEX-th device of that name on the platform of that name
//
// Afterwards it writes `ok TEXT`, TEXT being the library's version, and answers each line with one line, or
// with `error TEXT`:
//
//     open FUNCTION N           `ok SECONDS VALUE`   puts the data there, warms up; the shortest call
//     batch FUNCTION N CALLS    `ok SECONDS VALUE`   time to answer, mean of so many calls; the last result
//     check FUNCTION N          `ok 0 VALUE`         the result for data whose sum is exact
//     (peer::checked_value)
#ifndef CLREDUCE_PEER_HPP
#define CLREDUCE_PEER_HPP

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS // clCreateCommandQueue, which every driver has
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace peer {

struct device {
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; // in order, without profiling
};

// Starts one reduction and returns when its result is in the host's variable.
using call = std::function<double()>;

// The two definitions of an adapter: the library's version, and a call of one of its functions (those of the
// manifest) that sums the n values of x. x outlives the call.
std::string version();
call make(const device &on, const std::string &function, cl_mem x, size_t n);

inline void check(cl_int code, const char *what) {
    if (code != CL_SUCCESS)
        throw std::runtime_error(std::string(what) + " failed with " + std::to_string(code));
}

inline std::string text_of(const std::function<cl_int(size_t, void *, size_t *)> &query) {
    size_t bytes = 0;
    check(query(0, nullptr, &bytes), "a query of the device");
    std::vector<char> text(bytes + 1, '\0');
    check(query(bytes, text.data(), nullptr), "a query of the device");
    return text.data();
}

inline std::vector<cl_device_id> devices_of(cl_platform_id platform) {
    cl_uint n = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &n) != CL_SUCCESS)
        return {};
    std::vector<cl_device_id> devices(n);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, n, devices.data(), nullptr), "clGetDeviceIDs");
    return devices;
}

inline device open_device(const std::string &platform_name, const std::string &device_name, unsigned index) {
    cl_uint n = 0;
    check(clGetPlatformIDs(0, nullptr, &n), "clGetPlatformIDs");
    std::vector<cl_platform_id> platforms(n);
    check(clGetPlatformIDs(n, platforms.data(), nullptr), "clGetPlatformIDs");
    for (cl_platform_id platform : platforms)
        for (cl_device_id id : devices_of(platform)) {
            auto name = [&](size_t bytes, void *to, size_t *needed) {
                return clGetDeviceInfo(id, CL_DEVICE_NAME, bytes, to, needed);
            };
            auto owner = [&](size_t bytes, void *to, size_t *needed) {
                return clGetPlatformInfo(platform, CL_PLATFORM_NAME, bytes, to, needed);
            };
            if (text_of(name) != device_name || text_of(owner) != platform_name || index-- > 0)
                continue;
            cl_int code;
            const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                        reinterpret_cast<cl_context_properties>(platform), 0};
            cl_context context = clCreateContext(properties, 1, &id, nullptr, nullptr, &code);
            check(code, "clCreateContext");
            cl_command_queue queue = clCreateCommandQueue(context, id, 0, &code);
            check(code, "clCreateCommandQueue");
            return {platform, id, context, queue};
        }
    throw std::runtime_error("there is no device '" + device_name + "' on a platform '" + platform_name +
                             "'");
}

// An array of the host's, in large pages where the system gives them, as the suite's own data is.
class array {
  public:
    explicit array(size_t n) : bytes(n * sizeof(float)) {
        const size_t page = size_t(1) << 21;
        memory = aligned_alloc(bytes < 2 * page ? 4096 : page, (bytes + page - 1) / page * page);
        if (memory == nullptr)
            throw std::runtime_error("no memory for the data");
        if (bytes >= 2 * page)
            (void)madvise(memory, bytes, MADV_HUGEPAGE);
    }
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    ~array() {
        free(memory);
    }
    float *data() {
        return static_cast<float *>(memory);
    }

    const size_t bytes;

  private:
    void *memory;
};

// n values on the device. On a CPU the device reads the host's own pages, as it does for the suite's
// strategies: no library depends on where its driver would have put a copy.
struct resident {
    array host;
    cl_mem x;

    // `fill` writes the values to the host's array first.
    template <class Fill> resident(const device &on, size_t n, Fill fill) : host(n) {
        fill(host.data());
        cl_device_type type = 0;
        check(clGetDeviceInfo(on.id, CL_DEVICE_TYPE, sizeof type, &type, nullptr), "clGetDeviceInfo");
        const cl_mem_flags how = type & CL_DEVICE_TYPE_CPU ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
        cl_int code;
        x = clCreateBuffer(on.context, CL_MEM_READ_WRITE | how, host.bytes, host.data(), &code);
        check(code, "clCreateBuffer");
    }
    ~resident() {
        clReleaseMemObject(x);
    }
};

// Zeros and ones, 2^23 ones and one at most, so that each partial sum is exact in any order; the last element
// is a one. Elements that are lost or taken twice show.
inline float checked_value(size_t i, size_t n) {
    const size_t step = n >> 23 ? n >> 23 : 1;
    return i % step == 0 || i + 1 == n ? 1.0f : 0.0f;
}

class server {
  public:
    server(const device &where, std::string file) : on(where), path(std::move(file)) {}

    // The answer to one line.
    std::string answer(const std::string &line) {
        std::istringstream words(line);
        std::string verb, function;
        size_t n = 0, calls = 0;
        words >> verb >> function >> n >> calls;
        if (verb == "open" && n > 0)
            return open(function, n);
        if (verb == "batch" && calls > 0 && opened.count({function, n}))
            return batch(opened[{function, n}], calls);
        if (verb == "check" && n > 0)
            return checked(function, n);
        throw std::runtime_error("not understood: " + line);
    }

  private:
    using clock = std::chrono::steady_clock;

    static std::string reply(double seconds, double value) {
        char text[80];
        snprintf(text, sizeof text, "ok %.9g %.9g", seconds, value);
        return text;
    }

    // As in clreduce bench (bench/shim.h), the first calls pay for what ran before, and are not timed.
    static std::string batch(const call &reduce, size_t calls) {
        double value = 0;
        for (size_t i = 0; i < (calls > 1 ? 3 : 1); i++)
            value = reduce();
        const auto start = clock::now();
        for (size_t i = 0; i < calls; i++)
            value = reduce();
        const std::chrono::duration<double> spent = clock::now() - start;
        return reply(spent.count() / double(calls), value);
    }

    // The first call compiles; sleeping workers wake up in the others.
    std::string open(const std::string &function, size_t n) {
        std::unique_ptr<resident> &data = residents[n];
        if (data == nullptr)
            data.reset(new resident(on, n, [&](float *x) { read(x, n); }));
        call &reduce = opened[{function, n}] = make(on, function, data->x, n);
        double value = reduce(), shortest = 1e9;
        const auto start = clock::now();
        std::chrono::duration<double> spent(0);
        for (int i = 0; i == 0 || (i < 1000 && spent.count() < 0.01); i++) {
            const auto before = clock::now();
            value = reduce();
            spent = clock::now() - start;
            shortest = std::min(shortest, std::chrono::duration<double>(clock::now() - before).count());
        }
        return reply(shortest, value);
    }

    std::string checked(const std::string &function, size_t n) {
        resident data(on, n, [n](float *x) {
            for (size_t i = 0; i < n; i++)
                x[i] = checked_value(i, n);
        });
        return reply(0, make(on, function, data.x, n)());
    }

    void read(float *x, size_t n) {
        std::ifstream file(path, std::ios::binary);
        if (!file.read(reinterpret_cast<char *>(x), std::streamsize(n * sizeof *x)))
            throw std::runtime_error("the data file " + path + " is too short");
    }

    const device on;
    const std::string path;
    std::map<size_t, std::unique_ptr<resident>> residents;
    std::map<std::pair<std::string, size_t>, call> opened;
};

inline std::string on_one_line(std::string text) {
    for (char &c : text)
        c = c == '\n' || c == '\r' ? ' ' : c;
    return text;
}

} // namespace peer

int main(int argc, char **argv) {
    // What libraries print must not come between the answers.
    FILE *answers = fdopen(dup(STDOUT_FILENO), "w");
    if (answers == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || argc != 5) {
        fprintf(stderr, "usage: %s PLATFORM DEVICE INDEX FILE\n", argv[0]);
        return 4;
    }
    try {
        peer::server server(peer::open_device(argv[1], argv[2], unsigned(atoi(argv[3]))), argv[4]);
        fprintf(answers, "ok %s\n", peer::version().c_str());
        fflush(answers);
        for (std::string line; std::getline(std::cin, line);) {
            std::string text;
            try {
                text = server.answer(line);
            } catch (const std::exception &error) {
                text = "error " + peer::on_one_line(error.what());
            }
            fprintf(answers, "%s\n", text.c_str());
            fflush(answers);
        }
    } catch (const std::exception &error) {
        fprintf(answers, "error %s\n", peer::on_one_line(error.what()).c_str());
        fclose(answers);
    }
    // Destructors of libraries against drivers already gone are nobody's concern here.
    _exit(0);
}

#endif
