#include "tests/unit/testing.h"

#include <time.h>

#include "core/random.h"
#include "model/case.h"

/* Arrays that are spread over pieces, each made alone. Operations, types, data kinds, sizes and splits are
 * drawn from a seed, which is another one at each run: SEED=N does the same again. */
static uint64_t drawn;

static int draw_seed(void **state) {
    const char *seed = getenv("SEED");
    drawn = seed != NULL ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    print_message("SEED=%llu\n", (unsigned long long)drawn);
    return 0;
}
#define SET_UP    draw_seed
#define TEAR_DOWN NULL

enum { PIECES_MAX = 9 };

/* An array as a whole, and as pieces: piece p holds the elements from begins[p] up to begins[p + 1]. */
struct spread {
    struct red_data_spec spec;
    struct red_input whole, pieces[PIECES_MAX];
    uint64_t begins[PIECES_MAX + 1];
    unsigned pieces_n;
};

static struct red_input made(const struct red_data_spec *spec) {
    struct red_input input;
    struct red_error error;
    assert_ok(red_input_make_specified(spec, &input, &error), &error);
    return input;
}

/* Borders anywhere, many of them beside another one: pieces without an element and with one. */
static void draw_begins(struct spread *spread) {
    const uint64_t n = spread->spec.n;
    spread->pieces_n = 1 + (unsigned)(red_random(&drawn) % PIECES_MAX);
    spread->begins[0] = 0;
    spread->begins[spread->pieces_n] = n;
    for (unsigned p = 1; p < spread->pieces_n; p++) {
        const uint64_t h = red_random(&drawn), before = spread->begins[p - 1], left_n = n - before;
        spread->begins[p] = h % 4 == 0                 ? before
                            : h % 4 == 1 && left_n > 0 ? before + 1
                                                       : before + (h >> 8) % (left_n + 1);
    }
}

static struct spread made_spread(const struct red_data_spec *spec) {
    struct spread spread = {.spec = *spec, .whole = made(spec)};
    draw_begins(&spread);
    for (unsigned p = 0; p < spread.pieces_n; p++) {
        struct red_data_spec piece = *spec;
        piece.whole_n = spec->n;
        piece.first = spread.begins[p];
        piece.n = spread.begins[p + 1] - piece.first;
        assert_false(red_data_is_same(&piece, spec));
        spread.pieces[p] = made(&piece);
    }
    return spread;
}

static void clear(struct spread *spread) {
    red_input_clear(&spread->whole);
    for (unsigned p = 0; p < spread->pieces_n; p++)
        red_input_clear(&spread->pieces[p]);
}

/* Calls the test with each pattern of each reduction and type, at a size that is drawn. */
static void for_each_data(uint64_t n_max, void (*test)(const struct red_data_spec *spec)) {
    for (size_t o = 0; o < RED_REDUCTIONS_N; o++)
        for (size_t t = 0; t < red_dtypes_n; t++)
            for (int pattern = 0; pattern < RED_PATTERNS_N; pattern++) {
                const uint64_t h = red_random(&drawn), n = 1 + h % (h % 3 == 0 ? 40 : n_max);
                struct red_data_spec spec = {.op = &red_ops[o],
                                             .dtype = &red_dtypes[t],
                                             .data_kind = {.pattern = (enum red_pattern)pattern},
                                             .n = n,
                                             .segments_n = 1,
                                             .seed = red_random(&drawn)};
                if (!red_pattern_fits(spec.data_kind.pattern, spec.op, spec.dtype))
                    continue;
                if (pattern == RED_PATTERN_PART)
                    spec.data_kind.part = (unsigned)(h >> 32) % red_data_kind_parts_n(spec.op, spec.dtype, n);
                test(&spec);
            }
}

/* ---- data ---------------------------------------------------------------------------------------------- */

static void check_bytes(const struct red_data_spec *spec) {
    struct spread spread = made_spread(spec);
    const size_t bytes = spec->dtype->size_bytes;
    const unsigned char poison = red_op_elements_poison_byte(spec->op, spec->dtype);
    for (unsigned p = 0; p < spread.pieces_n; p++) {
        const struct red_input *piece = &spread.pieces[p];
        assert_int_equal(piece->checksum, red_input_compute_checksum(piece));
        assert_int_equal(piece->arrays_n, spec->op->arrays);
        for (unsigned a = 0; a < piece->arrays_n; a++) {
            const unsigned char *from = spread.whole.arrays[a], *found = piece->arrays[a];
            const size_t used = (size_t)piece->n * bytes;
            assert_memory_equal(found, from + spread.begins[p] * bytes, used);
            assert_true(used < piece->array_bytes);
            for (size_t i = used; i < piece->array_bytes; i++)
                assert_int_equal(found[i], poison);
        }
    }
    clear(&spread);
}

static void pieces_are_the_bytes_of_the_whole(void **state) {
    for_each_data(20000, check_bytes);
}

/* Beyond 2^20 elements the winner of close data stands elsewhere, and several threads make the data; where
 * there are 2^24 weights of floats are smaller, and 'part' has more parts. */
static void pieces_of_many_elements_are_those_of_the_whole(void **state) {
    static const char *const ops[] = {"sum", "dot", "max", "argmin"};
    for (size_t o = 0; o < 4; o++) {
        const struct red_op *op = red_op_find(ops[o]);
        const struct red_dtype *dtype = red_dtype_find(o % 2 ? "f32" : "u16");
        const uint64_t whole_n = (UINT64_C(1) << (24 + o % 2)) + red_random(&drawn) % 1000;
        const unsigned kinds_n = red_exact_data_kinds_n(op, dtype, whole_n);
        struct red_data_spec spec = {
            .op = op,
            .dtype = dtype,
            .data_kind = red_exact_data_kind(op, dtype, whole_n, (unsigned)(red_random(&drawn) % kinds_n)),
            .n = whole_n,
            .segments_n = 1,
            .seed = red_random(&drawn)};
        struct spread spread = made_spread(&spec);
        for (unsigned p = 0; p < spread.pieces_n; p++)
            for (unsigned a = 0; a < op->arrays; a++)
                assert_int_equal(memcmp(spread.pieces[p].arrays[a],
                                        (char *)spread.whole.arrays[a] + spread.begins[p] * dtype->size_bytes,
                                        (size_t)spread.pieces[p].n * dtype->size_bytes),
                                 0);
        clear(&spread);
    }
}
