#include "cl/binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cl/private.h"
#include "core/hash.h"

enum { BINARY_BYTES_MAX = 64 << 20, PATH_BYTES = 600 };

/* False where no binaries are kept. A hash of all that a binary depends on. */
static bool path_print(const struct red_device *device, const char *text, const char *options, char *path) {
    const struct red_device_info *info = &device->info;
    const char *const parts[] = {info->id, info->name, info->driver, options, text};
    uint64_t hash = RED_HASH;
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
        hash = red_hash_text(hash, parts[part]);
    snprintf(path, PATH_BYTES, "%s/%016llx", device->programs.binaries, (unsigned long long)hash);
    return device->programs.binaries[0] != '\0';
}

static unsigned char *file_read(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    unsigned char *read = file ? malloc(BINARY_BYTES_MAX) : NULL;
    *bytes = read ? fread(read, 1, BINARY_BYTES_MAX, file) : 0;
    if (file != NULL)
        fclose(file);
    return read;
}

cl_program red_binary_load(struct red_device *device, const char *text, const char *options) {
    char path[PATH_BYTES];
    size_t bytes;
    cl_int code = CL_INVALID_BINARY, taken = CL_INVALID_BINARY;
    cl_program program = NULL;
    unsigned char *binary = path_print(device, text, options, path) ? file_read(path, &bytes) : NULL;
    const unsigned char *from = binary;
    if (binary != NULL && bytes > 0 && bytes < BINARY_BYTES_MAX)
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

/* Whole, or not there: another process may be looking for it. */
static void file_write(const char *path, const unsigned char *binary, size_t bytes) {
    char partial[PATH_BYTES + 32];
    snprintf(partial, sizeof partial, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(partial, "wb");
    bool written = file != NULL && fwrite(binary, 1, bytes, file) == bytes;
    if (file != NULL && fclose(file) != 0)
        written = false;
    if (!written || rename(partial, path) != 0)
        remove(partial);
}

void red_binary_save(struct red_device *device, const char *text, const char *options, cl_program program) {
    char path[PATH_BYTES];
    size_t bytes = 0;
    if (!path_print(device, text, options, path) ||
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) != CL_SUCCESS ||
        bytes == 0 || bytes >= BINARY_BYTES_MAX)
        return;
    unsigned char *binary = malloc(bytes);
    if (binary != NULL &&
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(unsigned char *), &binary, NULL) == CL_SUCCESS)
        file_write(path, binary, bytes);
    free(binary);
}
