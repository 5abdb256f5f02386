#define _GNU_SOURCE /* RTLD_NOLOAD, scandir */
#include "worker/icd.h"

#include <dlfcn.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"

const char *red_icd_path(void) {
    const char *given = getenv("OCL_ICD_VENDORS");
    return given ? given : "/etc/OpenCL/vendors";
}

static void left_out(const char *path, const char *why, char *text, size_t text_bytes) {
    char target[RED_PATH_BYTES]; /* what a link leads to: a folder of isolated drivers holds links */
    const char *named = realpath(path, target) != NULL ? target : path;
    size_t used = strlen(text), size = strlen(named) + strlen(why) + sizeof "left out: : \n";
    if (used + size <= text_bytes)
        snprintf(text + used, text_bytes - used, "left out: %s: %s\n", named, why);
}

/* The library that the file names, in its first line. */
static const char *library_read(const char *path, char *library, size_t library_bytes) {
    FILE *file = fopen(path, "r");
    library[0] = '\0';
    if (file == NULL)
        return strerror(errno);
    if (fgets(library, (int)library_bytes, file) != NULL)
        library[strcspn(library, "\r\n")] = '\0';
    fclose(file);
    return library[0] ? NULL : "it names no library; expected the path of one in its first line";
}

/* Why the loader got nothing from the library; NULL where it is loaded. What is loaded here stays, as drivers
 * may not stand being unloaded. */
static const char *load(const char *library) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    bool was_loaded = handle != NULL;
    if (!was_loaded)
        handle = dlopen(library, RTLD_LAZY);
    if (handle == NULL)
        return dlerror();
    if (dlsym(handle, "clGetExtensionFunctionAddress") == NULL)
        return "it is no OpenCL driver: it lacks clGetExtensionFunctionAddress";
    return was_loaded ? NULL : "it has no OpenCL platform";
}

static void judge(const char *path, char *text, size_t text_bytes) {
    char library[RED_PATH_BYTES];
    const char *why = library_read(path, library, sizeof library);
    if (why == NULL)
        why = load(library);
    if (why != NULL)
        left_out(path, why, text, text_bytes);
}

static int is_icd(const struct dirent *entry) {
    return fnmatch("*.icd", entry->d_name, 0) == 0;
}

int red_icd_scan(const char *folder, struct dirent ***entries) {
    return scandir(folder, entries, is_icd, alphasort);
}

void red_icd_print_left_out(char *text, size_t text_bytes) {
    const char *from = red_icd_path();
    struct dirent **entries = NULL;
    text[0] = '\0';
    int n = red_icd_scan(from, &entries);
    if (n < 0 && errno == ENOTDIR && fnmatch("*.icd", from, 0) == 0)
        judge(from, text, text_bytes);
    else if (n < 0 && errno != ENOTDIR)
        left_out(from, strerror(errno), text, text_bytes);
    for (int i = 0; i < n; i++) {
        char path[RED_PATH_BYTES];
        snprintf(path, sizeof path, "%.3800s/%.255s", from, entries[i]->d_name);
        judge(path, text, text_bytes);
        free(entries[i]);
    }
    free(entries);
}
