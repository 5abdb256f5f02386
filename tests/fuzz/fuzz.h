/* What the targets share. Each is built alone (tests/fuzz/fuzz.sh), with assert. */
#ifndef CLREDUCE_TESTS_FUZZ_H
#define CLREDUCE_TESTS_FUZZ_H

#define _GNU_SOURCE /* memfd_create, open_memstream */
#undef NDEBUG
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a terminal takes for a command: C0 and C1 controls, DEL. */
static inline void must_be_plain(const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++)
        assert(*at >= ' ' && *at != 0x7f && !(*at == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f));
}

/* The input as a text. Release with free. */
static inline char *text_of(const uint8_t *data, size_t n) {
    char *text = malloc(n + 1);
    assert(text != NULL);
    memcpy(text, data, n);
    text[n] = '\0';
    return text;
}

#endif
