/* Pseudorandom numbers of --seed: order of cells in a round, covering array, changed elements. */
#include "core/random.h"

#include <string.h>

enum { ITEM_BYTES_MAX = 16 };

/* The state begins with --seed, but for probes (cl/group_probe.c); the user sees what is chosen by it. */
uint64_t red_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Cells, in the order in which a round (run/measure.c) or a block of a duel (gate/loop.c) measures them. */
void red_random_shuffle(void *items, size_t n, size_t item_bytes, uint64_t *state) {
    char *bytes = items, other[ITEM_BYTES_MAX];
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)(red_random(state) % i);
        memcpy(other, bytes + j * item_bytes, item_bytes);
        memcpy(bytes + j * item_bytes, bytes + (i - 1) * item_bytes, item_bytes);
        memcpy(bytes + (i - 1) * item_bytes, other, item_bytes);
    }
}
