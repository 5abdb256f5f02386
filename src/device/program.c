#define _POSIX_C_SOURCE 200809L /* dup, open */
#include "device/private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct red_program {
    struct red_program *next;
    enum red_c_standard standard;
    char *text;
    cl_program program;
};

/* Compilers report the log's first error somewhere in its middle; the whole log is handed on. */
static enum red_status build_failed(struct red_device *device, cl_program program, const char *name,
                                    enum red_c_standard standard, cl_int code, struct red_error *error) {
    char log[3800] = "";
    size_t log_bytes = 0;
    char *whole = NULL;
    if (clGetProgramBuildInfo(program, device->cl_device, CL_PROGRAM_BUILD_LOG, 0, NULL, &log_bytes) ==
        CL_SUCCESS)
        whole = calloc(log_bytes + 1, 1);
    if (whole != NULL && clGetProgramBuildInfo(program, device->cl_device, CL_PROGRAM_BUILD_LOG, log_bytes,
                                               whole, NULL) == CL_SUCCESS)
        snprintf(log, sizeof log, "%s", whole);
    free(whole);
    for (size_t length = strlen(log); length > 0 && strchr(" \r\n", log[length - 1]); length--)
        log[length - 1] = '\0';
    return red_fail(error, RED_E_BUILD, "%s does not build on %s with -cl-std=%s: %s\n%s", name,
                    device->info.id, red_c_standard_name(standard), red_cl_error_name(code), log);
}

/* Some compilers write "1 error generated." to the standard error themselves. The log says it all, and a
 * probe that fails is no error: nothing of it belongs on the screen. */
static int stderr_hush(void) {
    fflush(stderr);
    int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
    if (saved >= 0 && null >= 0)
        dup2(null, STDERR_FILENO);
    if (null >= 0)
        close(null);
    return saved;
}

static void stderr_restore(int saved) {
    fflush(stderr);
    if (saved < 0)
        return;
    dup2(saved, STDERR_FILENO);
    close(saved);
}

static enum red_status program_build(struct red_device *device, const char *name, const char *text,
                                     enum red_c_standard standard, cl_program *program,
                                     struct red_error *error) {
    char options[64];
    snprintf(options, sizeof options, "-cl-std=%s", red_c_standard_name(standard));
    cl_int code;
    cl_program made = clCreateProgramWithSource(device->context, 1, &text, NULL, &code);
    enum red_status status = red_cl_check(code, "clCreateProgramWithSource", error);
    if (status != RED_OK)
        return status;
    int saved = stderr_hush();
    code = clBuildProgram(made, 1, &device->cl_device, options, NULL, NULL);
    stderr_restore(saved);
    if (code != CL_SUCCESS) {
        status = build_failed(device, made, name, standard, code, error);
        clReleaseProgram(made);
        return status;
    }
    *program = made;
    return RED_OK;
}

static enum red_status program_find(struct red_device *device, const char *name, const char *text,
                                    enum red_c_standard standard, cl_program *program,
                                    struct red_error *error) {
    for (struct red_program *at = device->programs.first; at != NULL; at = at->next) {
        if (at->standard == standard && strcmp(at->text, text) == 0) {
            *program = at->program;
            return RED_OK;
        }
    }
    struct red_program *made = calloc(1, sizeof *made);
    char *copy = malloc(strlen(text) + 1);
    if (made == NULL || copy == NULL) {
        free(made);
        free(copy);
        return red_fail(error, RED_E_MEMORY, "no memory for the program of %s", name);
    }
    enum red_status status = program_build(device, name, text, standard, &made->program, error);
    if (status != RED_OK) {
        free(made);
        free(copy);
        return status;
    }
    made->text = strcpy(copy, text);
    made->standard = standard;
    made->next = device->programs.first;
    device->programs.first = made;
    *program = made->program;
    return RED_OK;
}

enum red_status red_program_kernel(struct red_device *device, const char *name, const char *text,
                                   enum red_c_standard standard, const char *kernel_name, cl_kernel *kernel,
                                   struct red_error *error) {
    cl_program program = NULL;
    enum red_status status = program_find(device, name, text, standard, &program, error);
    if (status != RED_OK)
        return status;
    cl_int code;
    cl_kernel made = clCreateKernel(program, kernel_name, &code);
    if (code == CL_INVALID_KERNEL_NAME)
        return red_fail(error, RED_E_BUILD, "%s has no kernel named '%s'", name, kernel_name);
    status = red_cl_check(code, "clCreateKernel", error);
    if (status == RED_OK)
        *kernel = made;
    return status;
}

void red_programs_clear(struct red_programs *programs) {
    while (programs->first != NULL) {
        struct red_program *first = programs->first;
        programs->first = first->next;
        clReleaseProgram(first->program);
        free(first->text);
        free(first);
    }
}
