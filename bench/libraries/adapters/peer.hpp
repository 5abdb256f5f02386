// What every adapter to a public library shares: the device, the data, the clock, and the words on the pipe.
//
// An adapter is one file: a manifest in comments (bench/libraries/race/adapters.py lists its keys), two definitions,
// and this header. It sums, scans or counts the first n values of the file that bench/libraries/peers wrote, resident
// on the device before the clock starts, and it is silent, blocked on its standard input, while others run.
//
//     ADAPTER PRIMITIVE PLATFORM DEVICE INDEX FILE
//
// PRIMITIVE is reduce, scan or histogram; then comes the INDEX-th device of that name on the platform of that
// name. Afterwards it writes `ok TEXT`, TEXT being the library's version, and answers each line with one
// line, or with `error TEXT`, or with `wrong TEXT` where a scan or a histogram left a wrong element:
//
//     open FUNCTION N           `ok SECONDS VALUE`   puts the data there, warms up; the shortest call
//     batch FUNCTION N CALLS    `ok SECONDS VALUE`   time to answer, mean of so many calls; the last result
//     check FUNCTION N          `ok 0 VALUE`         the result for data whose sums are exact
//     (peer::checked_value)
//
// VALUE is the sum: a reduction's result, the last element of a scan, all counts of a histogram. Elements and
// counts are compared here.
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
#include <cmath>
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

// Starts one reduction and returns when its result, the value of the call, is in the host's variable; or
// starts one scan or histogram and returns 0 when the queue has finished.
using call = std::function<double()>;

// The two definitions of an adapter: the library's version, and a call of one of its functions (those of the
// manifest) that sums the n floats of x, or writes their inclusive sums to out; of a histogram x has n bytes,
// and out gets 256 counts, as floats. x and out outlive the call.
std::string version();
call make(const device &on, const std::string &function, cl_mem x, size_t n, cl_mem out);

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
    explicit array(size_t bytes_) : bytes(bytes_) {
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
    void *data() {
        return memory;
    }

    const size_t bytes;

  private:
    void *memory;
};

// So many bytes on the device. On a CPU the device reads the host's own pages, as it does for the suite's
// strategies: no library depends on where its driver would have put a copy.
struct resident {
    array host;
    cl_mem x;

    // `fill` writes the values to the host's array first.
    template <class Fill> resident(const device &on, size_t bytes, Fill fill) : host(bytes) {
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

enum class primitive { reduce, scan, histogram };

inline primitive primitive_of(const std::string &name) {
    return name == "scan" ? primitive::scan : name == "histogram" ? primitive::histogram : primitive::reduce;
}

inline size_t element_bytes(primitive what) {
    return what == primitive::histogram ? 1 : sizeof(float);
}

const size_t bins = 256;

// A scan left an element that is not the sum of those up to it, or a histogram another count.
struct wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// n values, and room for what a scan or a histogram leaves.
class arrays {
  public:
    template <class Fill>
    arrays(const device &on, primitive what_, size_t n_, Fill fill)
        : what(what_), n(n_), queue(on.queue), x(on, n_ * element_bytes(what_), fill) {
        if (what != primitive::reduce)
            out.reset(new resident(on, what == primitive::scan ? n * sizeof(float) : bins * sizeof(float),
                                   [](void *) {}));
    }
    call start(const device &on, const std::string &function) const {
        return make(on, function, x.x, n, out ? out->x : nullptr);
    }
    // Whatever is in the room, no call has left it.
    void poison() {
        if (out)
            with_results(CL_MAP_WRITE, [this](void *results) { memset(results, 0xff, out->host.bytes); });
    }
    // The sum, given what the last call returned. Each result of a scan may be wrong by the tolerance, a part
    // of what it should be; the sums of up to 2^29 values are exact in a double.
    double judge(double returned, double tolerance) {
        if (out)
            with_results(CL_MAP_READ, [&](void *results) {
                returned = what == primitive::scan ? judge_sums(static_cast<float *>(results), tolerance)
                                                   : judge_counts(static_cast<float *>(results));
            });
        return returned;
    }

  private:
    double judge_sums(const float *results, double tolerance) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += static_cast<float *>(x.host.data())[i];
            if (!(std::abs(results[i] - sum) <= tolerance * sum))
                throw wrong(told(i, results[i], sum));
        }
        return results[n - 1];
    }
    double judge_counts(const float *results) {
        const auto bytes = static_cast<const unsigned char *>(x.host.data());
        std::vector<size_t> counts(bins, 0);
        for (size_t i = 0; i < n; i++)
            counts[bytes[i]]++;
        for (size_t bin = 0; bin < bins; bin++)
            if (!(results[bin] == float(counts[bin])))
                throw wrong(told(bin, results[bin], double(counts[bin])));
        return double(n);
    }
    static std::string told(size_t i, double result, double sum) {
        char text[120];
        snprintf(text, sizeof text, "element %zu is %.9g instead of %.9g", i, result, sum);
        return text;
    }
    void with_results(cl_map_flags how, const std::function<void(void *)> &use) {
        cl_int code;
        void *results =
            clEnqueueMapBuffer(queue, out->x, CL_TRUE, how, 0, out->host.bytes, 0, nullptr, nullptr, &code);
        check(code, "clEnqueueMapBuffer");
        const auto unmap = [this](void *pointer) {
            clEnqueueUnmapMemObject(queue, out->x, pointer, 0, nullptr, nullptr);
            clFinish(queue);
        };
        const std::unique_ptr<void, decltype(unmap)> mapped(results, unmap);
        use(results);
    }

    const primitive what;
    const size_t n;
    const cl_command_queue queue;
    resident x;
    std::unique_ptr<resident> out;
};

const double timed_tolerance = 1e-3; // bench/libraries/race/programs.py has it for sums

class server {
  public:
    server(const device &where, const std::string &name, std::string file)
        : on(where), what(primitive_of(name)), path(std::move(file)) {}

    // The answer to one line.
    std::string answer(const std::string &line) {
        std::istringstream words(line);
        std::string verb, function;
        size_t n = 0, calls = 0;
        words >> verb >> function >> n >> calls;
        if (verb == "open" && n > 0)
            return open(function, n);
        if (verb == "batch" && calls > 0 && opened.count({function, n}))
            return batch(*data[n], opened[{function, n}], calls);
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
    static std::string batch(arrays &given, const call &work, size_t calls) {
        double value = 0;
        given.poison();
        for (size_t i = 0; i < (calls > 1 ? 3 : 1); i++)
            value = work();
        const auto start = clock::now();
        for (size_t i = 0; i < calls; i++)
            value = work();
        const std::chrono::duration<double> spent = clock::now() - start;
        return reply(spent.count() / double(calls), given.judge(value, timed_tolerance));
    }

    // The first call compiles; sleeping workers wake up in the others.
    std::string open(const std::string &function, size_t n) {
        std::unique_ptr<arrays> &given = data[n];
        if (given == nullptr)
            given.reset(new arrays(on, what, n, [&](void *x) { read(x, n); }));
        call &work = opened[{function, n}] = given->start(on, function);
        given->poison();
        double value = work(), shortest = 1e9;
        const auto start = clock::now();
        std::chrono::duration<double> spent(0);
        for (int i = 0; i == 0 || (i < 1000 && spent.count() < 0.01); i++) {
            const auto before = clock::now();
            value = work();
            spent = clock::now() - start;
            shortest = std::min(shortest, std::chrono::duration<double>(clock::now() - before).count());
        }
        return reply(shortest, given->judge(value, timed_tolerance));
    }

    std::string checked(const std::string &function, size_t n) {
        arrays given(on, what, n, [this, n](void *x) {
            for (size_t i = 0; i < n; i++)
                if (what == primitive::histogram)
                    static_cast<unsigned char *>(x)[i] = static_cast<unsigned char>(i * 7 + i / 256);
                else
                    static_cast<float *>(x)[i] = checked_value(i, n);
        });
        given.poison();
        const double value = given.start(on, function)();
        return reply(0, given.judge(value, 0));
    }

    void read(void *x, size_t n) {
        std::ifstream file(path, std::ios::binary);
        if (!file.read(static_cast<char *>(x), std::streamsize(n * element_bytes(what))))
            throw std::runtime_error("the data file " + path + " is too short");
    }

    const device on;
    const primitive what;
    const std::string path;
    std::map<size_t, std::unique_ptr<arrays>> data;
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
    if (answers == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || argc != 6) {
        fprintf(stderr, "usage: %s PRIMITIVE PLATFORM DEVICE INDEX FILE\n", argv[0]);
        return 4;
    }
    try {
        peer::server server(peer::open_device(argv[2], argv[3], unsigned(atoi(argv[4]))), argv[1], argv[5]);
        fprintf(answers, "ok %s\n", peer::version().c_str());
        fflush(answers);
        for (std::string line; std::getline(std::cin, line);) {
            std::string text;
            try {
                text = server.answer(line);
            } catch (const peer::wrong &error) {
                text = std::string("wrong ") + error.what();
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
