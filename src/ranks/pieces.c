/* Cuts an array into pieces (ranks/pieces.h). All ranks cut alike: the weights are whole numbers before they
 * are added, so that no rounding decides where a piece ends. */
#include "ranks/pieces.h"

#include <math.h>
#include <string.h>

static bool is_same_kind(const struct red_rank *a, const struct red_rank *b) {
    return strcmp(a->device_name, b->device_name) == 0 && strcmp(a->driver, b->driver) == 0 &&
           a->cores_n == b->cores_n;
}

void red_weights_of_roofs(const struct red_rank *ranks, size_t ranks_n, double *weights) {
    static const double SAME = 0.9; /* of the fastest */
    for (size_t i = 0; i < ranks_n; i++) {
        double fastest = ranks[i].roof_bytes_per_s;
        for (size_t k = 0; k < ranks_n; k++)
            if (is_same_kind(&ranks[i], &ranks[k]))
                fastest = fmax(fastest, ranks[k].roof_bytes_per_s);
        weights[i] = ranks[i].roof_bytes_per_s >= SAME * fastest ? fastest : ranks[i].roof_bytes_per_s;
    }
}

__extension__ typedef unsigned __int128 wide; /* n times a sum of weights exceeds 64 bits */

enum { WEIGHT_BITS = 20 };

static uint64_t whole_weight(double weight, double greatest) {
    return greatest > 0 ? (uint64_t)llround(ldexp(weight / greatest, WEIGHT_BITS)) : 1;
}

void red_pieces_cut(uint64_t n, const double *weights, size_t pieces_n, uint64_t *firsts) {
    double greatest = 0;
    uint64_t total = 0, before = 0;
    for (size_t i = 0; i < pieces_n; i++)
        greatest = fmax(greatest, weights[i]);
    for (size_t i = 0; i < pieces_n; i++)
        total += whole_weight(weights[i], greatest);
    for (size_t i = 0; i < pieces_n; i++) {
        firsts[i] = (uint64_t)((wide)n * before / total);
        before += whole_weight(weights[i], greatest);
    }
    firsts[pieces_n] = n;
}
