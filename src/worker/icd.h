/* ICD discovery: the list of drivers that the loader will load. The loader says nothing of a driver that it
 * cannot load; this module does. */
#ifndef CLREDUCE_WORKER_ICD_H
#define CLREDUCE_WORKER_ICD_H

#include <dirent.h>
#include <stddef.h>

enum { RED_LEFT_OUT_BYTES = 2048 };

/* $OCL_ICD_VENDORS, or /etc/OpenCL/vendors: a folder of .icd files, or one such file. */
const char *red_icd_path(void);

/* The folder's .icd files by name, as scandir gives them: release each entry and the list with free. How
 * many; -1 with errno. */
int red_icd_scan(const char *folder, struct dirent ***entries);

/* Writes a line for each .icd file from which the loader got nothing, with the reason: "left out:
 * /etc/OpenCL/vendors/mine.icd: libmine.so: cannot open shared object file". Text that does not fit is left
 * out. Loads what the loader has not, so only a process that works with drivers may call it, after the
 * loader. */
void red_icd_print_left_out(char *text, size_t text_bytes);

#endif
