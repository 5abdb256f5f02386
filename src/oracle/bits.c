/* Right answers of operations on bits (and, or, xor): 64 bits, with signs extended. Each bit is an answer of
 * its own. */
#include "core/numbers.h"
#include "oracle/combiners.h"

static uint64_t combine(const struct red_op *op, uint64_t a, uint64_t b) {
    return op->does == RED_ANDS ? a & b : op->does == RED_ORS ? a | b : a ^ b;
}

static uint64_t identity(const struct red_op *op) {
    return op->identity == RED_IDENTITY_ONES ? ~UINT64_C(0) : 0;
}

/* Whether each bit of each element changes the answer; otherwise the first one that does hides the others. */
static bool counts_every_bit(const struct red_op *op) {
    return op->does != RED_ANDS && op->does != RED_ORS;
}

static void find(const struct red_input *input, struct red_truth *truth) {
    uint64_t all = identity(input->op);
#pragma omp parallel if (input->n >= RED_SEVERAL_THREADS_N)
    {
        uint64_t mine = identity(input->op), x[RED_TERMS_N];
#pragma omp for schedule(static)
        for (uint64_t first = 0; first < input->n; first += RED_TERMS_N) {
            const size_t n = (size_t)red_lesser(input->n - first, RED_TERMS_N);
            input->dtype->get_integers(input->arrays[0], first, n, x);
            for (size_t i = 0; i < n; i++)
                mine = combine(input->op, mine, x[i]);
        }
#pragma omp critical
        all = combine(input->op, all, mine);
    }
    truth->integer = all;
}

static void merge(struct red_truth *truth, const struct red_truth *other, uint64_t other_first) {
    (void)other_first;
    truth->integer = combine(truth->op, truth->integer, other->integer);
}

/* The bits of the type that no element has changed yet from the identity: only such a one changes the answer,
 * whoever changes it. */
static uint64_t free_bits(const struct red_dtype *dtype, const struct red_truth *truth) {
    return (truth->integer ^ ~identity(truth->op)) & UINT64_MAX >> (64 - dtype->bits);
}

/* The integer with one of the free bits changed; where every bit counts with any bits changed. Without free
 * bits the identity, which changes the answer where some bits were the element's alone. */
static uint64_t with_other_bit(const struct red_dtype *dtype, const struct red_truth *truth, uint64_t integer,
                               uint64_t random) {
    uint64_t left = free_bits(dtype, truth);
    if (counts_every_bit(truth->op))
        return integer ^ (random | 1);
    if (left == 0)
        return identity(truth->op);
    for (unsigned skip = (unsigned)(random % dtype->bits); skip > 0 && (left & (left - 1)) != 0; skip--)
        left &= left - 1;
    return integer ^ (left & -left);
}

static void draw(const struct red_input *input, const struct red_truth *truth, double chain, uint64_t at,
                 uint64_t random, struct red_value *after) {
    const struct red_dtype *dtype = input->dtype;
    (void)chain;
    dtype->put_integer(after, 0,
                       with_other_bit(dtype, truth, dtype->get_integer(input->arrays[0], at), random));
}

/* What others have of the bits that the element gives back nobody knows here. */
static bool replace(const struct red_input *input, uint64_t index, struct red_change *change) {
    const uint64_t before = input->dtype->get_integer(&change->before, 0),
                   after = input->dtype->get_integer(&change->after, 0);
    struct red_truth *truth = &change->truth;
    (void)index;
    if (counts_every_bit(truth->op))
        truth->integer ^= before ^ after;
    else if (combine(truth->op, before, after) == after)
        truth->integer = combine(truth->op, truth->integer, after);
    else
        return false;
    return true;
}

static uint64_t other_integer(const struct red_dtype *dtype, const struct red_truth *truth,
                              uint64_t integer) {
    return with_other_bit(dtype, truth, integer, 0);
}

const struct red_combiner_oracle red_combiner_bits = {
    .find = find, .merge = merge, .draw = draw, .replace = replace, .other_integer = other_integer};
