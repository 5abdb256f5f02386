#define _GNU_SOURCE /* RTLD_DEFAULT */
/* Lists and opens OpenCL devices, looks up entry points newer than OpenCL 1.2, and asks what a driver
 * advertises. Runs in workers (worker/server.c, questions `list`, `open`, `know`, `forget`) and in `once`
 * (cli/cmd_once.c); `devices` prints what is found, and an error is a message or the reason of a cell. */
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/cl_private.h"
#include "cl/probe.h"
#include "core/text.h"
#include "model/device_info.h"

enum { DEVICES_MAX = 64 };

struct red_device_list {
    size_t n;
    struct red_device_info infos[DEVICES_MAX];
    cl_device_id cl_devices[DEVICES_MAX];
    char without_device[RED_NO_DEVICE_LINES_BYTES]; /* red_device_list_no_device_lines */
};

/* ---- asking ----------------------------------------------------------------------------------------------
 * Each device of each platform, for red_device_list_create: columns of `devices`, "devices" in the JSON. */

/* Drops what is not printable ASCII, and blanks at both ends: drivers pad names, and may give anything. */
static void trim_to_printable(char *text) {
    size_t kept = 0;
    for (size_t i = 0; text[i] != '\0'; i++)
        if (isprint((unsigned char)text[i]) && (kept > 0 || text[i] != ' '))
            text[kept++] = text[i];
    while (kept > 0 && text[kept - 1] == ' ')
        kept--;
    text[kept] = '\0';
}

/* Writes what the driver answers to a query of text, of the device or, where that is NULL, of the platform;
 * empty where it has no answer. */
static void ask_text(cl_platform_id platform, cl_device_id device, cl_uint what, char *text,
                     size_t text_bytes) {
    char whole[4096] = "";
    const cl_int code = device != NULL ? clGetDeviceInfo(device, what, sizeof whole - 1, whole, NULL)
                                       : clGetPlatformInfo(platform, what, sizeof whole - 1, whole, NULL);
    snprintf(text, text_bytes, "%s", code == CL_SUCCESS ? whole : "");
    trim_to_printable(text);
}

#define DEVICE_VALUE(device, what, type, fallback)                                                           \
    (*(type *)ask_device_or_fallback(device, what, &(type){fallback}, sizeof(type)))

/* Overwrites *value, the fallback, with the driver's answer if there is one; gives it back. */
static void *ask_device_or_fallback(cl_device_id device, cl_device_info what, void *value,
                                    size_t value_bytes) {
    char fallback[16];
    memcpy(fallback, value, value_bytes);
    if (clGetDeviceInfo(device, what, value_bytes, value, NULL) != CL_SUCCESS)
        memcpy(value, fallback, value_bytes);
    return value;
}

/* Appends "1.2" to "1.0 1.1" unless it is there: drivers list some twice. */
static void version_add_if_new(unsigned major, unsigned minor, char *text, size_t text_bytes) {
    char version[16];
    snprintf(version, sizeof version, "%u.%u", major, minor);
    if (strstr(text, version) == NULL)
        red_text_add(text, text_bytes, "%s%s", text[0] ? " " : "", version);
}

/* For qsort, of cl_name_version: the older first. */
static int version_compare(const void *left, const void *right) {
    cl_version a = ((const cl_name_version *)left)->version, b = ((const cl_name_version *)right)->version;
    return (a > b) - (a < b);
}

/* Asks for the OpenCL C versions, "1.2 3.0": from the 3.0 query where it is known, otherwise from "OpenCL
 * C 1.2 ..." up to 1.0; empty if the driver says nothing. */
static void c_versions_format(cl_device_id device, char *text, size_t text_bytes) {
    const cl_device_info query = CL_DEVICE_OPENCL_C_ALL_VERSIONS;
    size_t bytes = 0;
    text[0] = '\0';
    cl_name_version *versions = NULL;
    if (clGetDeviceInfo(device, query, 0, NULL, &bytes) == CL_SUCCESS && bytes > 0)
        versions = calloc(1, bytes);
    if (versions != NULL && clGetDeviceInfo(device, query, bytes, versions, NULL) != CL_SUCCESS)
        bytes = 0;
    if (versions != NULL)
        qsort(versions, bytes / sizeof versions[0], sizeof versions[0], version_compare);
    for (size_t i = 0; versions != NULL && i < bytes / sizeof versions[0]; i++)
        version_add_if_new(CL_VERSION_MAJOR(versions[i].version), CL_VERSION_MINOR(versions[i].version), text,
                           text_bytes);
    free(versions);
    if (text[0] != '\0')
        return;
    char single[128];
    ask_text(NULL, device, CL_DEVICE_OPENCL_C_VERSION, single, sizeof single);
    static const unsigned known[][2] = {{1, 0}, {1, 1}, {1, 2}, {2, 0}};
    unsigned major = 0, minor = 0;
    if (sscanf(single, "OpenCL C %3u.%3u", &major, &minor) != 2)
        return;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (10 * known[i][0] + known[i][1] <= 10 * major + minor)
            version_add_if_new(known[i][0], known[i][1], text, text_bytes);
}

/* Asks the driver for all that `devices` prints of a device, and makes its id. */
static void ask_device_info(cl_platform_id platform, cl_device_id device, struct red_device_info *info) {
    *info = (struct red_device_info){0};
    ask_text(platform, NULL, CL_PLATFORM_NAME, info->platform, sizeof info->platform);
    ask_text(platform, NULL, CL_PLATFORM_VERSION, info->platform_version, sizeof info->platform_version);
    ask_text(NULL, device, CL_DEVICE_NAME, info->name, sizeof info->name);
    ask_text(NULL, device, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor);
    ask_text(NULL, device, CL_DEVICE_VERSION, info->version, sizeof info->version);
    ask_text(NULL, device, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    c_versions_format(device, info->c_versions, sizeof info->c_versions);
    info->api_version = red_api_version(info->platform_version, info->version);
    info->shape.compute_units = DEVICE_VALUE(device, CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, 1);
    info->shape.is_cpu = DEVICE_VALUE(device, CL_DEVICE_TYPE, cl_device_type, 0) & CL_DEVICE_TYPE_CPU;
    info->shape.group_size_max = DEVICE_VALUE(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, 1);
    size_t dimensions[16] = {0};
    if (clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof dimensions, dimensions, NULL) ==
            CL_SUCCESS &&
        dimensions[0] > 0 && dimensions[0] < info->shape.group_size_max)
        info->shape.group_size_max = dimensions[0];
    /* Some drivers answer 0; a launch of nothing would follow from it. */
    if (info->shape.compute_units == 0)
        info->shape.compute_units = 1;
    if (info->shape.group_size_max == 0)
        info->shape.group_size_max = 1;
    info->local_memory_bytes = DEVICE_VALUE(device, CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 0);
    info->global_memory_bytes = DEVICE_VALUE(device, CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, 0);
    info->allocation_bytes_max = DEVICE_VALUE(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, 0);
    info->denormals_f32 =
        DEVICE_VALUE(device, CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config, 0) & CL_FP_DENORM;
    info->denormals_f64 =
        DEVICE_VALUE(device, CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, 0) & CL_FP_DENORM;
    info->event_clock_ns = DEVICE_VALUE(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t, 0);
    red_device_id_set(info);
}

/* ---- the list ------------------------------------------------------------------------------------------ */

/* What a driver may want before it offers a device, by the beginning of its platform's name; `variable` is
 * what it says that is to be set, NULL: nothing. */
static const struct {
    const char *platform, *variable, *wants;
} wants[] = {
    {"Portable Computing Language", NULL,
     "it keeps what it compiles in $POCL_CACHE_DIR, $XDG_CACHE_HOME/pocl or $HOME/.cache/pocl, and offers "
     "nothing where it cannot write there"},
    {"rusticl", "RUSTICL_ENABLE",
     "the variable RUSTICL_ENABLE names the drivers that it is to use: RUSTICL_ENABLE=llvmpipe"},
};

/* Writes what the platform may want; "" if that is not known. A variable that is set already is told with its
 * value: to advise setting it would be no help. */
static void wants_format(const char *platform, char *text, size_t text_bytes) {
    text[0] = '\0';
    for (size_t i = 0; i < sizeof wants / sizeof wants[0]; i++) {
        const char *value = wants[i].variable != NULL ? getenv(wants[i].variable) : NULL;
        if (strncmp(platform, wants[i].platform, strlen(wants[i].platform)) != 0)
            continue;
        if (value != NULL && value[0] != '\0')
            snprintf(text, text_bytes, "; %s is set, to '%.80s', and no driver that it names offers a device",
                     wants[i].variable, value);
        else
            snprintf(text, text_bytes, "; %s", wants[i].wants);
    }
}

/* Adds to the list's text a line "no device: ..." of a platform that offers none; `code` is what its
 * clGetDeviceIDs returned. */
static void add_no_device_line(struct red_device_list *list, cl_platform_id platform, cl_int code) {
    char name[128], said[128] = "it says that it has none", hint[256];
    ask_text(platform, NULL, CL_PLATFORM_NAME, name, sizeof name);
    wants_format(name, hint, sizeof hint);
    if (code != CL_SUCCESS)
        snprintf(said, sizeof said, "clGetDeviceIDs says %s (%d)", red_cl_error_name(code), code);
    red_text_add(list->without_device, sizeof list->without_device, "no device: %s: %s%s\n", name, said,
                 hint);
}

/* From worker/server.c on to the program's standard error; `once` prints it itself. */
const char *red_device_list_no_device_lines(const struct red_device_list *list) {
    return list->without_device;
}

/* Asks each driver that the loader knows. */
enum red_status red_device_list_create(struct red_device_list **list, struct red_error *error) {
    struct red_device_list *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for the list of devices");
    cl_platform_id platforms[DEVICES_MAX];
    cl_uint platforms_n = 0;
    if (clGetPlatformIDs(DEVICES_MAX, platforms, &platforms_n) != CL_SUCCESS)
        platforms_n = 0;
    if (platforms_n > DEVICES_MAX)
        platforms_n = DEVICES_MAX;
    for (cl_uint p = 0; p < platforms_n; p++) {
        cl_device_id devices[DEVICES_MAX];
        cl_uint devices_n = 0;
        cl_int code = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices, &devices_n);
        if (code != CL_SUCCESS || devices_n == 0) {
            add_no_device_line(made, platforms[p], code);
            continue;
        }
        for (cl_uint d = 0; d < devices_n && d < DEVICES_MAX && made->n < DEVICES_MAX; d++) {
            made->cl_devices[made->n] = devices[d];
            ask_device_info(platforms[p], devices[d], &made->infos[made->n++]);
        }
    }
    red_device_ids_make_unique(made->infos, made->n);
    *list = made;
    return RED_OK;
}

void red_device_list_destroy(struct red_device_list *list) {
    free(list);
}

size_t red_device_list_n(const struct red_device_list *list) {
    return list->n;
}

const struct red_device_info *red_device_list_info(const struct red_device_list *list, size_t i) {
    return &list->infos[i];
}

/* Both for `once` and ranks, `patterns` of --device; workers' devices are chosen where none is open. */
size_t red_device_list_select(const struct red_device_list *list, const char *patterns, size_t *chosen,
                              size_t chosen_max) {
    return red_device_info_select(list->infos, list->n, patterns, chosen, chosen_max);
}

enum red_status red_device_list_check_patterns(const struct red_device_list *list, const char *patterns,
                                               struct red_error *error) {
    return red_device_info_check_patterns(list->infos, list->n, patterns, false, error);
}

/* Sets the function pointer at `pointer`. ISO C has no way from an object's address to a function's, POSIX
 * has. */
static void set_function_pointer(void *pointer, const void *address) {
    memcpy(pointer, &address, sizeof address);
}

/* Sets the pointer to the loader's function of this name; NULL where the device is below this version
 * (20: 2.0). */
static void set_core_function(const struct red_device *device, unsigned version, const char *name,
                              void *pointer) {
    set_function_pointer(pointer, device->info.api_version >= version ? dlsym(RTLD_DEFAULT, name) : NULL);
}

/* The same of an extension's function; NULL where the driver has none. */
static void set_extension_function(cl_platform_id platform, const char *name, void *pointer) {
    set_function_pointer(pointer, platform ? clGetExtensionFunctionAddressForPlatform(platform, name) : NULL);
}

/* Sets the functions that there are for the device, the others to NULL: what needs one is `unsupported` then,
 * or its capability is missing in `devices`. A core function counts only from the
 * device's own API version on: a loader hands out entry points that an old driver's table does not have. */
static void set_newer_functions(const struct red_device *device, struct red_newer_functions *newer) {
    cl_platform_id platform = NULL;
    set_core_function(device, 20, "clSVMAlloc", &newer->svm_alloc);
    set_core_function(device, 20, "clSVMFree", &newer->svm_free);
    set_core_function(device, 20, "clSetKernelArgSVMPointer", &newer->set_kernel_arg_svm);
    set_core_function(device, 20, "clSetKernelExecInfo", &newer->set_kernel_exec_info);
    set_core_function(device, 20, "clEnqueueSVMMap", &newer->enqueue_svm_map);
    set_core_function(device, 20, "clEnqueueSVMUnmap", &newer->enqueue_svm_unmap);
    set_core_function(device, 20, "clCreatePipe", &newer->create_pipe);
    set_core_function(device, 20, "clCreateCommandQueueWithProperties", &newer->create_queue);
    if (clGetDeviceInfo(device->cl_device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) !=
        CL_SUCCESS)
        platform = NULL;
    set_extension_function(platform, "clCreateBufferNV", &newer->create_buffer_nv);
    set_extension_function(platform, "clCreateCommandBufferKHR", &newer->create_command_buffer);
    set_extension_function(platform, "clFinalizeCommandBufferKHR", &newer->finalize_command_buffer);
    set_extension_function(platform, "clReleaseCommandBufferKHR", &newer->release_command_buffer);
    set_extension_function(platform, "clEnqueueCommandBufferKHR", &newer->enqueue_command_buffer);
    set_extension_function(platform, "clCommandNDRangeKernelKHR", &newer->command_ndrange);
}

/* ---- an open device --------------------------------------------------------------------------------------
 * Held by a worker for all its questions (worker/server.c), and by `once` for all its cells. */

/* The red_capability_ask of an open device: probes in this process (`once`, and workers). */
static void probe_here(void *context, enum red_need_index need, enum red_c_standard standard,
                       struct red_capability *capability) {
    red_probe_run(context, need, standard, NULL, capability);
}

enum red_status red_device_open(const struct red_device_list *list, size_t i, struct red_device **device,
                                struct red_error *error) {
    cl_int code;
    struct red_device *made = calloc(1, sizeof *made);
    if (made == NULL)
        return red_fail(error, RED_E_MEMORY, "no memory for device %s", list->infos[i].id);
    made->info = list->infos[i];
    made->cl_device = list->cl_devices[i];
    made->capabilities.ask = probe_here;
    made->capabilities.context = made;
    set_newer_functions(made, &made->newer);
    made->context = clCreateContext(NULL, 1, &made->cl_device, NULL, NULL, &code);
    enum red_status status = red_cl_check(code, "clCreateContext", error);
    if (status == RED_OK) {
        made->queue = clCreateCommandQueue(made->context, made->cl_device, 0, &code);
        status = red_cl_check(code, "clCreateCommandQueue", error);
    }
    if (status == RED_OK) {
        made->profiling =
            clCreateCommandQueue(made->context, made->cl_device, CL_QUEUE_PROFILING_ENABLE, &code);
        if (code != CL_SUCCESS) /* its events have no times then, which the event_clock tells */
            made->profiling = clCreateCommandQueue(made->context, made->cl_device, 0, &code);
        status = red_cl_check(code, "a second clCreateCommandQueue", error);
    }
    if (status != RED_OK)
        red_device_close(made);
    else
        *device = made;
    return status;
}

void red_device_close(struct red_device *device) {
    if (device == NULL)
        return;
    red_checksum_clear(&device->checksum);
    red_programs_clear(&device->programs);
    red_chain_release(&device->blocking);
    const cl_command_queue queues[] = {device->on_device, device->profiling, device->queue};
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++)
        if (queues[i] != NULL)
            clReleaseCommandQueue(queues[i]);
    if (device->context != NULL)
        clReleaseContext(device->context);
    free(device);
}

/* The worker's answer to the question `forget`: "... after 12 programs" of verify --soak. */
uint64_t red_device_builds_n(const struct red_device *device) {
    return device->programs.builds_n;
}

/* For the question `forget`, which verify asks between chapters, and where memory gets short. */
void red_device_release_programs(struct red_device *device) {
    red_programs_clear(&device->programs);
}

/* For `once`, which checks --wg by it; the program has it from the answer to `list`. */
const struct red_device_info *red_device_info(const struct red_device *device) {
    return &device->info;
}

/* For the question `know`: what other workers' probes found, so that no plan probes it again here. */
struct red_capabilities *red_device_capabilities(struct red_device *device) {
    return &device->capabilities;
}

/* `folder` comes with the question `open`. */
void red_device_set_binary_folder(struct red_device *device, const char *folder) {
    if (strlen(folder) < sizeof device->programs.binaries)
        strcpy(device->programs.binaries, folder);
}

/* For finish device_enqueue and for its probe; the message is a cell's reason, or the capability's. */
enum red_status red_on_device_queue_make(struct red_device *device, struct red_error *error) {
    static const cl_bitfield properties[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
    cl_int code;
    if (device->on_device != NULL)
        return RED_OK;
    if (device->newer.create_queue == NULL)
        return red_fail(error, RED_E_UNSUPPORTED, "no clCreateCommandQueueWithProperties");
    device->on_device = device->newer.create_queue(device->context, device->cl_device, properties, &code);
    return code == CL_SUCCESS
               ? RED_OK
               : red_fail(error, RED_E_UNSUPPORTED, "no on-device queue: %s", red_cl_error_name(code));
}

/* ---- what a driver advertises ----------------------------------------------------------------------------
 * The driver's queries (OpenCL 3.0 API, section 4.2), asked as its version allows: the first answer of a
 * capability in `devices`. `device` is the open one: asked at the question `open`, and by each probe. A query
 * that fails means unknown, not no. */

static enum red_answer answer_of(bool yes) {
    return yes ? RED_YES : RED_NO;
}

/* The major version in "OpenCL 3.0 ...". */
static int major_version(const struct red_device *device) {
    int major = 1;
    sscanf(device->info.version, "OpenCL %d", &major);
    return major;
}

/* Whether CL_DEVICE_EXTENSIONS has the name as a whole word. */
static enum red_answer extension_is_listed(const struct red_device *device, const char *name) {
    char extensions[16384] = "";
    size_t length = strlen(name);
    if (clGetDeviceInfo(device->cl_device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL) !=
        CL_SUCCESS)
        return RED_UNKNOWN;
    for (const char *at = extensions; (at = strstr(at, name)) != NULL; at += length)
        if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return RED_YES;
    return RED_NO;
}

/* A query whose value is a bit field, and the bits of which any means yes; is_wide: of 64 bits. */
struct bits_query {
    cl_device_info what;
    bool is_wide;
    cl_ulong bits;
};

/* Whether the driver's answer to the query has any of its bits. */
static enum red_answer any_bit_is_set(const struct red_device *device, const struct bits_query *query) {
    cl_ulong long_value = 0;
    cl_uint value = 0;
    const bool is_wide = query->is_wide;
    cl_int code = clGetDeviceInfo(device->cl_device, query->what, is_wide ? sizeof long_value : sizeof value,
                                  is_wide ? (void *)&long_value : (void *)&value, NULL);
    return code == CL_SUCCESS ? answer_of((is_wide ? long_value : value) & query->bits) : RED_UNKNOWN;
}

/* Whether sub-groups are advertised. Core in 2.1 and 2.2; in 2.0 by extension; from 3.0 on by the number of
 * them. */
static enum red_answer sub_groups_are_advertised(const struct red_device *device) {
    const struct bits_query number = {CL_DEVICE_MAX_NUM_SUB_GROUPS, false, ~0ull};
    if (device->info.api_version >= 30)
        return any_bit_is_set(device, &number);
    if (device->info.api_version > 20)
        return RED_YES;
    return answer_of(extension_is_listed(device, "cl_khr_subgroups") == RED_YES ||
                     extension_is_listed(device, "cl_intel_subgroups") == RED_YES);
}

/* The same bit (OpenCL 3.0 API, section 4.2) in a query that 2.x and 3.0 name differently. */
static enum red_answer device_enqueue_is_advertised(const struct red_device *device) {
    const struct bits_query in_2 = {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, true, ~0ull};
    const struct bits_query from_3 = {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, true, CL_DEVICE_QUEUE_SUPPORTED};
    const int major = major_version(device);
    return major < 2 ? RED_NO : any_bit_is_set(device, major < 3 ? &in_2 : &from_3);
}

/* How a driver advertises a need. */
enum advertised_by {
    BY_NOTHING, /* no query tells */
    BY_NOBODY,  /* OpenCL says that no program may count on it */
    BY_EVERY,   /* every device has it */
    BY_EXTENSION,
    BY_BITS,           /* of the query */
    BY_BITS_FROM_2,    /* the same; 1.x has neither */
    BY_VERSION_2,      /* absent in 1.x, mandatory in 2.x, and by the bits from 3.0 on */
    BY_SUB_GROUPS,     /* sub_groups_are_advertised */
    BY_DEVICE_ENQUEUE, /* device_enqueue_is_advertised */
};

#define EXTENSION(name)     .by = BY_EXTENSION, .extension = name
#define OPTIONAL_IN_3(name) .by = BY_VERSION_2, .query = {name, false, 1}
#define ATOMIC(bit)         .by = BY_VERSION_2, .query = {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, true, bit}
#define SVM(bits)           .by = BY_BITS_FROM_2, .query = {CL_DEVICE_SVM_CAPABILITIES, true, bits}
#define COLLECTIVES                                                                                          \
    { OPTIONAL_IN_3(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) }

static const struct {
    enum advertised_by by;
    struct bits_query query;
    const char *extension;
    bool in_device_scope; /* only where C11 atomics of the scope `device` are advertised, too */
} advertisements[RED_NEEDS_N] = {
    [RED_NEED_INDEX_LOCAL_MEMORY] = {.by = BY_BITS, .query = {CL_DEVICE_LOCAL_MEM_SIZE, true, ~0ull}},
    [RED_NEED_INDEX_LOCAL_ARGUMENT] = {.by = BY_BITS, .query = {CL_DEVICE_LOCAL_MEM_SIZE, true, ~0ull}},
    [RED_NEED_INDEX_ASYNC_COPY] = {.by = BY_EVERY},
    [RED_NEED_INDEX_HALF_LOADS] = {.by = BY_EVERY},
    [RED_NEED_INDEX_FP64] = {.by = BY_BITS, .query = {CL_DEVICE_DOUBLE_FP_CONFIG, true, ~0ull}},
    [RED_NEED_INDEX_CAS32] = {.by = BY_EVERY},
    [RED_NEED_INDEX_CAS64] = {EXTENSION("cl_khr_int64_base_atomics")},
    [RED_NEED_INDEX_XCHG32] = {.by = BY_EVERY},
    [RED_NEED_INDEX_XCHG64] = {EXTENSION("cl_khr_int64_base_atomics")},
    [RED_NEED_INDEX_ATOMIC32] = {.by = BY_EVERY},
    [RED_NEED_INDEX_ATOMIC64] = {EXTENSION("cl_khr_int64_extended_atomics")},
    RED_NEED_FORMS(COLLECTIVES, COLLECTIVES),
    RED_NEED_FORMS(UNIFORM, {EXTENSION("cl_khr_work_group_uniform_arithmetic")}),
    RED_NEED_FORMS(SCANS, COLLECTIVES),
    RED_NEED_FORMS(EXCLUSIVE_SCANS, COLLECTIVES),
    RED_NEED_FORMS(SUB_GROUPS, {.by = BY_SUB_GROUPS}),
    RED_NEED_FORMS(SUB_GROUP_SCANS, {.by = BY_SUB_GROUPS}),
    RED_NEED_FORMS(SUB_GROUP_EXCLUSIVE_SCANS, {.by = BY_SUB_GROUPS}),
    RED_NEED_FORMS(SHUFFLE, {EXTENSION("cl_khr_subgroup_shuffle")}),
    [RED_NEED_INDEX_BALLOTS] = {EXTENSION("cl_khr_subgroup_ballot")},
    [RED_NEED_INDEX_C11_DEVICE32] = {ATOMIC(CL_DEVICE_ATOMIC_SCOPE_DEVICE)},
    [RED_NEED_INDEX_C11_DEVICE64] = {EXTENSION("cl_khr_int64_extended_atomics"), .in_device_scope = true},
    [RED_NEED_INDEX_C11_ACQ_REL] = {ATOMIC(CL_DEVICE_ATOMIC_ORDER_ACQ_REL), .in_device_scope = true},
    [RED_NEED_INDEX_C11_SEQ_CST] = {ATOMIC(CL_DEVICE_ATOMIC_ORDER_SEQ_CST), .in_device_scope = true},
    [RED_NEED_INDEX_FLOAT_ATOMICS32] = {EXTENSION("cl_ext_float_atomics")},
    [RED_NEED_INDEX_FLOAT_ATOMICS64] = {EXTENSION("cl_ext_float_atomics")},
    [RED_NEED_INDEX_SVM] = {SVM(~0ull)},
    [RED_NEED_INDEX_HOST_VISIBLE] = {.by = BY_NOTHING},
    [RED_NEED_INDEX_SVM_POLLED] = {SVM(CL_DEVICE_SVM_ATOMICS)},
    [RED_NEED_INDEX_SVM_SYSTEM] = {SVM(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)},
    [RED_NEED_INDEX_DEVICE_ENQUEUE] = {.by = BY_DEVICE_ENQUEUE},
    [RED_NEED_INDEX_PROGRAM_SCOPE] = {.by = BY_BITS_FROM_2,
                                      .query = {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, true, ~0ull}},
    [RED_NEED_INDEX_GENERIC_SPACE] = {OPTIONAL_IN_3(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT)},
    [RED_NEED_INDEX_NON_UNIFORM] = {OPTIONAL_IN_3(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT)},
    [RED_NEED_INDEX_PIPES] = {OPTIONAL_IN_3(CL_DEVICE_PIPE_SUPPORT)},
    [RED_NEED_INDEX_COMMAND_BUFFER] = {EXTENSION("cl_khr_command_buffer")},
    [RED_NEED_INDEX_INTEGER_DOT] = {EXTENSION("cl_khr_integer_dot_product")},
    [RED_NEED_INDEX_LOWER_PROGRESS] = {.by = BY_NOBODY},
    [RED_NEED_INDEX_HIGHER_PROGRESS] = {.by = BY_NOBODY},
    [RED_NEED_INDEX_RESIDENT_PROGRESS] = {.by = BY_NOBODY},
    [RED_NEED_INDEX_VOLATILE_GROUPS] = {.by = BY_NOBODY},
    [RED_NEED_INDEX_WORD_PUBLICATION] = {.by = BY_NOBODY},
    [RED_NEED_INDEX_DEVICE_MEM_FENCE] = {.by = BY_NOBODY},
    [RED_NEED_INDEX_WRITE_READ_FENCE] = {.by = BY_NOBODY},
    [RED_NEED_INDEX_C11_DEVICE_ORDER] = {ATOMIC(CL_DEVICE_ATOMIC_ORDER_ACQ_REL), .in_device_scope = true},
    [RED_NEED_INDEX_FP16] = {EXTENSION("cl_khr_fp16")},
    [RED_NEED_INDEX_C11_WORK_GROUP] = {ATOMIC(CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP)},
    [RED_NEED_INDEX_C11_ALL_DEVICES] = {ATOMIC(CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)},
    [RED_NEED_INDEX_SVM_FINE] = {SVM(CL_DEVICE_SVM_FINE_GRAIN_BUFFER)},
};

enum red_answer red_device_advertises(struct red_device *device, enum red_need_index need) {
    const struct bits_query *query = &advertisements[need].query;
    const int major = major_version(device);
    const enum red_answer scope = advertisements[need].in_device_scope
                                      ? red_device_advertises(device, RED_NEED_INDEX_C11_DEVICE32)
                                      : RED_YES;
    if (scope != RED_YES)
        return scope;
    switch (advertisements[need].by) {
    case BY_NOTHING:
        return RED_UNKNOWN;
    case BY_NOBODY:
        return RED_NO;
    case BY_EVERY:
        return RED_YES;
    case BY_EXTENSION:
        return extension_is_listed(device, advertisements[need].extension);
    case BY_BITS:
        return any_bit_is_set(device, query);
    case BY_BITS_FROM_2:
        return major < 2 ? RED_NO : any_bit_is_set(device, query);
    case BY_VERSION_2:
        return major < 3 ? answer_of(major == 2) : any_bit_is_set(device, query);
    case BY_SUB_GROUPS:
        return sub_groups_are_advertised(device);
    case BY_DEVICE_ENQUEUE:
        return device_enqueue_is_advertised(device);
    }
    return RED_UNKNOWN;
}
