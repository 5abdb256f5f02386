#define _GNU_SOURCE /* strcasestr */
/* Builds programs and keeps them per device, names OpenCL errors, wraps the calls that many files make, and
 * shortens compiler logs. A kernel that does not build makes its cell `build-failed`, with the excerpt as
 * reason. */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cl/cl_private.h"
#include "core/file.h"
#include "core/random.h"

#define ROW(code)                                                                                            \
    { code, #code }
static const struct {
    cl_int code;
    const char *name;
} names[] = {
    ROW(CL_DEVICE_NOT_FOUND),
    ROW(CL_DEVICE_NOT_AVAILABLE),
    ROW(CL_COMPILER_NOT_AVAILABLE),
    ROW(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    ROW(CL_OUT_OF_RESOURCES),
    ROW(CL_OUT_OF_HOST_MEMORY),
    ROW(CL_PROFILING_INFO_NOT_AVAILABLE),
    ROW(CL_BUILD_PROGRAM_FAILURE),
    ROW(CL_MAP_FAILURE),
    ROW(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    ROW(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    ROW(CL_COMPILE_PROGRAM_FAILURE),
    ROW(CL_LINKER_NOT_AVAILABLE),
    ROW(CL_LINK_PROGRAM_FAILURE),
    ROW(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    ROW(CL_INVALID_VALUE),
    ROW(CL_INVALID_DEVICE_TYPE),
    ROW(CL_INVALID_PLATFORM),
    ROW(CL_INVALID_DEVICE),
    ROW(CL_INVALID_CONTEXT),
    ROW(CL_INVALID_QUEUE_PROPERTIES),
    ROW(CL_INVALID_COMMAND_QUEUE),
    ROW(CL_INVALID_HOST_PTR),
    ROW(CL_INVALID_MEM_OBJECT),
    ROW(CL_INVALID_BINARY),
    ROW(CL_INVALID_BUILD_OPTIONS),
    ROW(CL_INVALID_PROGRAM),
    ROW(CL_INVALID_PROGRAM_EXECUTABLE),
    ROW(CL_INVALID_KERNEL_NAME),
    ROW(CL_INVALID_KERNEL_DEFINITION),
    ROW(CL_INVALID_KERNEL),
    ROW(CL_INVALID_ARG_INDEX),
    ROW(CL_INVALID_ARG_VALUE),
    ROW(CL_INVALID_ARG_SIZE),
    ROW(CL_INVALID_KERNEL_ARGS),
    ROW(CL_INVALID_WORK_DIMENSION),
    ROW(CL_INVALID_WORK_GROUP_SIZE),
    ROW(CL_INVALID_WORK_ITEM_SIZE),
    ROW(CL_INVALID_GLOBAL_OFFSET),
    ROW(CL_INVALID_EVENT_WAIT_LIST),
    ROW(CL_INVALID_EVENT),
    ROW(CL_INVALID_OPERATION),
    ROW(CL_INVALID_BUFFER_SIZE),
    ROW(CL_INVALID_GLOBAL_WORK_SIZE),
    ROW(CL_INVALID_PROPERTY),
    ROW(CL_INVALID_COMPILER_OPTIONS),
    ROW(CL_INVALID_LINKER_OPTIONS),
    ROW(CL_INVALID_DEVICE_PARTITION_COUNT),
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"}, /* cl_khr_icd; of CL/cl_ext.h */
};

/* ---- OpenCL calls of all files of cl/ --------------------------------------------------------------------
 * What fails is the reason of a cell or, of probes, of a capability in `devices`. */

const char *red_cl_error_name(cl_int code) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == code)
            return names[i].name;
    return "an unlisted OpenCL error";
}

enum red_status red_cl_check(cl_int code, const char *call, struct red_error *error) {
    if (code == CL_SUCCESS)
        return RED_OK;
    if (code == RED_CL_NULL)
        return red_fail(error, RED_E_MEMORY, "%s returned no memory (NULL)", call);
    if (code == RED_CL_NO_FUNCTION)
        return red_fail(error, RED_E_UNSUPPORTED, "no %s", call);
    bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
                  code == CL_INVALID_BUFFER_SIZE;
    return red_fail(error, memory ? RED_E_MEMORY : RED_E_DEVICE, "%s failed with %s (%d)", call,
                    red_cl_error_name(code), code);
}

enum red_status red_cl_check_launch(cl_int code, size_t group_size, struct red_error *error) {
    bool refused = code == CL_OUT_OF_RESOURCES || code == CL_INVALID_WORK_ITEM_SIZE ||
                   code == CL_INVALID_WORK_GROUP_SIZE;
    if (refused)
        return red_fail(error, RED_E_UNSUPPORTED, "the driver does not launch group size %zu: %s (%d)",
                        group_size, red_cl_error_name(code), code);
    return red_cl_check(code, "clEnqueueNDRangeKernel", error);
}

cl_int red_cl_launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t group_size,
                     cl_event *event) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &group_size, 0, NULL, event);
}

cl_int red_cl_read(cl_command_queue queue, cl_mem buffer, size_t offset_bytes, void *to, size_t bytes) {
    return clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset_bytes, bytes, to, 0, NULL, NULL);
}

cl_int red_cl_read_mapped(cl_command_queue queue, cl_mem buffer, size_t offset_bytes, void *to,
                          size_t bytes) {
    cl_int code;
    void *mapped =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, offset_bytes, bytes, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return code;
    memcpy(to, mapped, bytes);
    return clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
}

cl_int red_cl_write(cl_command_queue queue, cl_mem buffer, size_t offset_bytes, const void *from,
                    size_t bytes) {
    /* A blocking write may end when `from` is copied, before the buffer has it (OpenCL 3.0 API,
     * section 5.2.2): Intel's runtime then writes into the host's memory, where that is the buffer's, when
     * nobody expects it. */
    return red_cl_wait(
        queue, clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset_bytes, bytes, from, 0, NULL, NULL));
}

cl_int red_cl_set_arguments(cl_kernel kernel, cl_uint first, const struct red_cl_argument *arguments,
                            cl_uint n) {
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < n && code == CL_SUCCESS; i++)
        code = clSetKernelArg(kernel, first + i, arguments[i].bytes, arguments[i].value);
    return code;
}

cl_int red_cl_launch_with(cl_command_queue queue, cl_kernel kernel, const struct red_cl_argument *arguments,
                          cl_uint n, size_t groups_n, size_t group_size, cl_event *event) {
    const cl_int code = red_cl_set_arguments(kernel, 0, arguments, n);
    return code == CL_SUCCESS ? red_cl_launch(queue, kernel, groups_n * group_size, group_size, event) : code;
}

cl_int red_cl_wait(cl_command_queue queue, cl_int code) {
    cl_int finished = clFinish(queue);
    return code != CL_SUCCESS ? code : finished;
}

void red_cl_release_buffers(const cl_mem *buffers, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
}

void red_cl_release_kernel(cl_kernel kernel) {
    if (kernel != NULL)
        clReleaseKernel(kernel);
}

/* A program that was built, or one that does not build: compiling it again would tell the same. */
struct red_program {
    struct red_program *next;
    enum red_c_standard standard;
    char *text;
    cl_program program;       /* NULL: does not build */
    struct red_error failure; /* why */
};

/* ---- what a compiler says ------------------------------------------------------------------------------ */

/* Some compilers write "1 error generated." to the standard error themselves, beside the log. It is put aside
 * while they work, and shown only where there is nothing else to show. */
struct silenced_stderr {
    int saved;   /* the standard error; -1 if it could not be put aside */
    FILE *aside; /* NULL: thrown away */
};

/* Puts the standard error aside. End with stderr_restore, and close `aside`. */
static struct silenced_stderr stderr_hush(void) {
    fflush(stderr);
    struct silenced_stderr hushed = {.saved = dup(STDERR_FILENO), .aside = tmpfile()};
    int to = hushed.aside ? fileno(hushed.aside) : open("/dev/null", O_WRONLY);
    if (hushed.saved >= 0 && to >= 0)
        dup2(to, STDERR_FILENO);
    if (hushed.aside == NULL && to >= 0)
        close(to);
    return hushed;
}

static void stderr_restore(struct silenced_stderr *hushed) {
    fflush(stderr);
    if (hushed->saved < 0)
        return;
    dup2(hushed->saved, STDERR_FILENO);
    close(hushed->saved);
}

/* Prints what was put aside, to the standard error as it was before. */
static void stderr_replay(struct silenced_stderr *hushed) {
    char line[512];
    if (hushed->aside == NULL)
        return;
    rewind(hushed->aside);
    while (fgets(line, sizeof line, hushed->aside) != NULL)
        fputs(line, stderr);
}

/* The build log, from the driver (release with free); NULL if there is none or it is blank. */
static char *ask_build_log(cl_program program, cl_device_id device) {
    size_t bytes = 0;
    char *log = NULL;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) == CL_SUCCESS)
        log = calloc(bytes + 1, 1);
    if (log != NULL &&
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL) == CL_SUCCESS &&
        log[strspn(log, " \t\r\n")] != '\0')
        return log;
    free(log);
    return NULL;
}

/* ---- binaries --------------------------------------------------------------------------------------------
 * In a folder from process to process, where a driver keeps none (red_device_compiles_anew). */

enum { BINARY_BYTES_MAX = 64 << 20, PATH_BYTES = 600 };

/* Writes into `path` the path of the program's binary. False where no binaries are kept. The name is a hash
 * of all that a binary depends on. */
static bool binary_path_format(const struct red_device *device, const char *text, const char *options,
                               char *path) {
    const struct red_device_info *info = &device->info;
    const char *const parts[] = {info->id, info->name, info->driver, options, text};
    uint64_t hash = RED_HASH;
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
        hash = red_hash_text(hash, parts[part]);
    snprintf(path, PATH_BYTES, "%s/%016llx", device->programs.binaries, (unsigned long long)hash);
    return device->programs.binaries[0] != '\0';
}

/* The program of this text and these options from its binary, ready to run; NULL where there is none, or the
 * driver does not take it. */
static cl_program binary_load(const struct red_device *device, const char *text, const char *options) {
    char path[PATH_BYTES], *binary = NULL;
    size_t bytes = 0;
    cl_int code = CL_INVALID_BINARY, taken = CL_INVALID_BINARY;
    cl_program program = NULL;
    if (binary_path_format(device, text, options, path))
        (void)red_file_read(path, "binary", BINARY_BYTES_MAX, &binary, &bytes, NULL);
    const unsigned char *from = (const unsigned char *)binary;
    if (bytes > 0 && binary != NULL)
        program =
            clCreateProgramWithBinary(device->context, 1, &device->cl_device, &bytes, &from, &taken, &code);
    free(binary);
    if (program == NULL)
        return NULL;
    if (code == CL_SUCCESS && taken == CL_SUCCESS &&
        clBuildProgram(program, 1, &device->cl_device, options, NULL, NULL) == CL_SUCCESS)
        return program;
    clReleaseProgram(program);
    return NULL;
}

/* Writes the file whole or not at all: another process may be reading it. What fails is told nobody. */
static void binary_write(const char *path, const unsigned char *binary, size_t bytes) {
    char partial[PATH_BYTES + 32];
    snprintf(partial, sizeof partial, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(partial, "wb");
    bool written = file != NULL && fwrite(binary, 1, bytes, file) == bytes;
    if (file != NULL && fclose(file) != 0)
        written = false;
    if (!written || rename(partial, path) != 0)
        remove(partial);
}

/* Keeps the binary of a program. What fails is as if nothing had been kept. */
static void binary_save(const struct red_device *device, const char *text, const char *options,
                        cl_program program) {
    char path[PATH_BYTES];
    size_t bytes = 0;
    if (!binary_path_format(device, text, options, path) ||
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS ||
        bytes == 0 || bytes >= BINARY_BYTES_MAX)
        return;
    unsigned char *binary = malloc(bytes);
    if (binary != NULL &&
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(unsigned char *), &binary, NULL) == CL_SUCCESS)
        binary_write(path, binary, bytes);
    free(binary);
}

/* ---- building ------------------------------------------------------------------------------------------ */

/* Fills the error of a program that does not build: the reason of the cell. RED_E_BUILD only if the program
 * text is the cause. */
static enum red_status fail_build(struct red_device *device, const char *log, const char *shown_name,
                                  enum red_c_standard standard, cl_int code, struct red_error *error) {
    const char *id = device->info.id, *option = red_c_standard_name(standard);
    char excerpt[3600] = "";
    if (log != NULL)
        red_log_excerpt(log, excerpt, sizeof excerpt);
    if (code == CL_INVALID_BUILD_OPTIONS || code == CL_INVALID_COMPILER_OPTIONS)
        return red_fail(error, RED_E_UNSUPPORTED, "%s does not know -cl-std=%s (%s)", id, option,
                        red_cl_error_name(code));
    if (code == CL_COMPILER_NOT_AVAILABLE || code == CL_LINKER_NOT_AVAILABLE)
        return red_fail(error, RED_E_UNSUPPORTED, "%s has no compiler (%s)", id, red_cl_error_name(code));
    if (code == CL_BUILD_PROGRAM_FAILURE || code == CL_COMPILE_PROGRAM_FAILURE ||
        code == CL_LINK_PROGRAM_FAILURE)
        return red_fail(error, RED_E_BUILD, "%.400s does not build on %s with -cl-std=%s: %s\n%s", shown_name,
                        id, option, red_cl_error_name(code), excerpt);
    return red_cl_check(code, "clBuildProgram", error);
}

/* Takes a program's binary, or builds the program and saves its binary; *error has the reason and the
 * compiler's log. */
static enum red_status program_load_or_build(struct red_device *device, const char *shown_name,
                                             const char *text, enum red_c_standard standard,
                                             cl_program *program, struct red_error *error) {
    char options[64];
    snprintf(options, sizeof options, "-cl-std=%s", red_c_standard_name(standard));
    cl_int code;
    *program = binary_load(device, text, options);
    if (*program != NULL)
        return RED_OK;
    cl_program made = clCreateProgramWithSource(device->context, 1, &text, NULL, &code);
    enum red_status status = red_cl_check(code, "clCreateProgramWithSource", error);
    if (status != RED_OK)
        return status;
    struct silenced_stderr hushed = stderr_hush();
    code = clBuildProgram(made, 1, &device->cl_device, options, NULL, NULL);
    stderr_restore(&hushed);
    if (code == CL_SUCCESS) {
        binary_save(device, text, options, made);
        *program = made;
    } else {
        char *log = ask_build_log(made, device->cl_device);
        if (log == NULL)
            stderr_replay(&hushed);
        status = fail_build(device, log, shown_name, standard, code, error);
        free(log);
        clReleaseProgram(made);
    }
    if (hushed.aside != NULL)
        fclose(hushed.aside);
    return status;
}

/* The program of this text from the device's chain; built and added to it at the first call. */
static enum red_status program_find_or_build(struct red_device *device, const char *shown_name,
                                             const char *text, enum red_c_standard standard,
                                             cl_program *program, struct red_error *error) {
    for (struct red_program *at = device->programs.first; at != NULL; at = at->next) {
        if (at->standard != standard || strcmp(at->text, text) != 0)
            continue;
        *program = at->program;
        return at->program ? RED_OK : red_fail(error, at->failure.status, "%s", at->failure.text);
    }
    struct red_program *made = calloc(1, sizeof *made);
    char *copy = malloc(strlen(text) + 1);
    if (made == NULL || copy == NULL) {
        free(made);
        free(copy);
        return red_fail(error, RED_E_MEMORY, "no memory for the program of %s", shown_name);
    }
    enum red_status status =
        program_load_or_build(device, shown_name, text, standard, &made->program, &made->failure);
    if (status != RED_OK)
        red_fail(error, status, "%s", made->failure.text);
    if (status != RED_OK && status != RED_E_BUILD && status != RED_E_UNSUPPORTED) {
        free(made); /* not kept: lack of memory or a device error may be over next time */
        free(copy);
        return status;
    }
    made->text = strcpy(copy, text);
    made->standard = standard;
    made->next = device->programs.first;
    device->programs.first = made;
    device->programs.builds_n++;
    *program = made->program;
    return status;
}

/* `text` is that of a strategy (cl/finish.c), a probe, the roof, the device checksum or a clock sample. */
enum red_status red_kernel_make(struct red_device *device, const char *shown_name, const char *text,
                                enum red_c_standard standard, const char *kernel_name, cl_kernel *kernel,
                                struct red_error *error) {
    cl_program program = NULL;
    enum red_status status = program_find_or_build(device, shown_name, text, standard, &program, error);
    if (status != RED_OK)
        return status;
    cl_int code;
    cl_kernel made = clCreateKernel(program, kernel_name, &code);
    if (code == CL_INVALID_KERNEL_NAME)
        return red_fail(error, RED_E_BUILD, "%s has no kernel named '%s'", shown_name, kernel_name);
    status = red_cl_check(code, "clCreateKernel", error);
    if (status == RED_OK)
        *kernel = made;
    return status;
}

/* At the question `forget`, and when the device is closed. */
void red_programs_clear(struct red_programs *programs) {
    while (programs->first != NULL) {
        struct red_program *first = programs->first;
        programs->first = first->next;
        if (first->program != NULL)
            clReleaseProgram(first->program);
        free(first->text);
        free(first);
    }
}

/* Puts blanks in place of the control characters that compilers print for terminals. Bytes from 0x80 on may
 * be UTF-8. */
static void blank_control_characters(char *text) {
    for (; *text != '\0'; text++)
        if ((iscntrl((unsigned char)*text) && *text != '\n' && *text != '\t') || *text == '\x7f')
            *text = ' ';
}

void red_log_excerpt(const char *log, char *text, size_t text_bytes) {
    size_t length = strlen(log);
    while (length > 0 && strchr(" \t\r\n", log[length - 1]) != NULL)
        length--;
    const char *error = strcasestr(log, "error"), *begin = log;
    while (error != NULL && error > log && error[-1] != '\n')
        error--;
    if (length >= text_bytes && error != NULL && error < log + length)
        begin = error;
    length -= (size_t)(begin - log);
    int used = snprintf(text, text_bytes, "%s%.*s", begin > log ? "...\n" : "", (int)length, begin);
    if ((size_t)used >= text_bytes && text_bytes > 3)
        memcpy(text + text_bytes - 4, "...", 4);
    blank_control_characters(text);
}
