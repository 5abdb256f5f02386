/* The one hash: FNV-1a, 64 bits (Fowler, Noll, Vo). It tells whether two things are the same, not whether
 * somebody cheats. */
#ifndef CLREDUCE_CORE_HASH_H
#define CLREDUCE_CORE_HASH_H

#include <stdint.h>

/* What a hash begins with. */
#define RED_HASH UINT64_C(0xcbf29ce484222325)

/* Goes on with one more byte, or word. */
static inline uint64_t red_hash_add(uint64_t hash, uint64_t word) {
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

/* Goes on with a text, without its end. */
static inline uint64_t red_hash_text(uint64_t hash, const char *text) {
    for (; *text != '\0'; text++)
        hash = red_hash_add(hash, (unsigned char)*text);
    return hash;
}

#endif
