/* Expands RED_OPS and RED_DTYPES to OpenMP loops: the OpenMP row of bench and verify, and the host's roof,
 * which also checks the roof's kernel. It is not the truth: that is oracle/truth.c. */
#include "host/reference.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "host/answers_private.h"
#include "model/computed.h"

/* Segments that are shorter than STEP_N, of places than LONG_PLACES_N, are faster in one plain loop. */
enum { PARALLEL_N_MIN = 1 << 15, LONG_PLACES_N = 1 << 10 };

/* The elements of a thread's piece, but for the last one: whole turns, so that all begin aligned alike. */
static uint64_t piece_n(uint64_t n, unsigned threads_n) {
    return (red_ceil_div(n, threads_n) + STEP_N - 1) / STEP_N * STEP_N;
}

/* The piece of n elements that the calling thread of a team takes: as of OpenMP's static schedule. */
struct piece {
    uint64_t begin, end;
};
static struct piece piece_of_thread(uint64_t n) {
    const uint64_t elements_n = piece_n(n, (unsigned)omp_get_num_threads());
    const uint64_t begin = red_lesser(n, elements_n * (unsigned)omp_get_thread_num());
    return (struct piece){begin, red_lesser(n, begin + elements_n)};
}

/* ---- every operation of every type --------------------------------------------------------------------- */

RED_DTYPES(RED_LOOPS_OPS)

/* In a plain loop a place is made of the element's word, everything else of the element in the accumulator's
 * type. */
#define RED_STORED_SUM(c_type, bits)        c_type
#define RED_STORED_MEAN(c_type, bits)       c_type
#define RED_STORED_ORDER(c_type, bits)      c_type
#define RED_STORED_PLACE(c_type, bits)      word_##bits
#define RED_TERM_SUM(c_type, accumulator)   accumulator
#define RED_TERM_MEAN(c_type, accumulator)  accumulator
#define RED_TERM_ORDER(c_type, accumulator) accumulator
#define RED_TERM_PLACE(c_type, accumulator) c_type
#define RED_FIRST_LOW(x, i)                 place_of((x), (i), false)
#define RED_FIRST_HIGH(x, i)                place_of((x), (i), true)

#define RED_REFERENCE(op, role, term, does, identity, map, combine, openmp, name, c_type, kind, bits, read,  \
                      place, accumulator, result)                                                            \
    static void RED_NAME(partial_##op, name)(const void *const arrays[2], uint64_t n,                        \
                                             struct red_partial *partial) {                                  \
        accumulator_##accumulator total = RED_START(identity, accumulator);                                  \
        RED_PRAGMA(omp parallel reduction(openmp : total) if (n >= PARALLEL_N_MIN))                          \
        {                                                                                                    \
            const struct piece piece = piece_of_thread(n);                                                   \
            const accumulator_##accumulator a = total,                                                       \
                                            b = RED_NAME(range_##op, name)(arrays, piece.begin, piece.end);  \
            total = combine;                                                                                 \
        }                                                                                                    \
        partial->accumulator = total;                                                                        \
    }                                                                                                        \
    static void RED_NAME(long_segments_##op, name)(const void *const arrays[2], uint64_t n,                  \
                                                   struct answers_memory to) {                               \
        RED_PRAGMA(omp parallel for schedule(static) if (to.n * n >= PARALLEL_N_MIN))                        \
        for (uint64_t s = 0; s < to.n; s++) {                                                                \
            const void *const segment[2] = {(const c_type *)arrays[0] + s * n,                               \
                                            arrays[1] ? (const c_type *)arrays[1] + s * n : NULL};           \
            const accumulator_##accumulator total = RED_NAME(range_##op, name)(segment, 0, n);               \
            RED_PUT_ANSWER(role, to, s, total, n, does, kind, bits, place, result)                           \
        }                                                                                                    \
    }                                                                                                        \
    static void RED_NAME(short_segments_##op, name)(const void *const arrays[2], uint64_t n,                 \
                                                    struct answers_memory to) {                              \
        typedef RED_STORED_##role(c_type, bits) stored;                                                      \
        typedef RED_TERM_##role(stored, accumulator_##accumulator) term_type;                                \
        static accumulator_##place (*const place_of)(word_##bits, uint64_t, bool) = place_of_##name;         \
        RED_PRAGMA(omp parallel for schedule(static) if (to.n * n >= PARALLEL_N_MIN))                        \
        for (uint64_t s = 0; s < to.n; s++) {                                                                \
            const stored *xs = (const stored *)arrays[0] + s * n;                                            \
            const stored *ys = arrays[1] ? (const stored *)arrays[1] + s * n : xs;                           \
            accumulator_##accumulator total = RED_START(identity, accumulator);                              \
            RED_PRAGMA(omp simd reduction(openmp : total))                                                   \
            for (uint64_t i = 0; i < n; i++) {                                                               \
                const term_type x = (term_type)RED_ELEMENT(xs, i), y = (term_type)RED_ELEMENT(ys, i);        \
                (void)y, (void)place_of;                                                                     \
                const accumulator_##accumulator a = total, b = map;                                          \
                total = combine;                                                                             \
            }                                                                                                \
            RED_PUT_ANSWER(role, to, s, total, n, does, kind, bits, place, result)                           \
        }                                                                                                    \
    }

#define RED_REFERENCE_OPS(...) RED_OPS(RED_OP_FRAME, RED_REFERENCE, __VA_ARGS__)
RED_DTYPES(RED_REFERENCE_OPS)

struct reference_functions {
    void (*partial)(const void *const arrays[2], uint64_t n, struct red_partial *partial);
    void (*short_segments)(const void *const arrays[2], uint64_t n, struct answers_memory to);
    void (*long_segments)(const void *const arrays[2], uint64_t n, struct answers_memory to);
};

/* Same order as red_dtypes and the reductions of red_ops: both come from the same rows. */
#define RED_REFERENCE_ENTRY(op, role, term, does, identity, empty, map, combine, openmp, suffix, atomic,     \
                            mpi, types, name)                                                                \
    {RED_NAME(partial_##op, name), RED_NAME(short_segments_##op, name), RED_NAME(long_segments_##op, name)},
#define RED_REFERENCE_ROW(name, ...) {RED_OPS(RED_REFERENCE_ENTRY, name)},
static const struct reference_functions references[][RED_REDUCTIONS_N] = {RED_DTYPES(RED_REFERENCE_ROW)};

/* For the public functions below. */
static const struct reference_functions *functions_of(const struct red_op *op,
                                                      const struct red_dtype *dtype) {
    return &references[dtype - red_dtypes][op->reduction - red_ops];
}

/* A call of the OpenMP row: what it takes is the row's time. */
void red_reference_partial(const struct red_op *op, const struct red_dtype *dtype,
                           const void *const arrays[2], uint64_t n, struct red_partial *partial) {
    functions_of(op, dtype)->partial(arrays, n, partial);
}

/* ---- scans -----------------------------------------------------------------------------------------------
 * T threads take T + 1 pieces. The first thread scans piece 0 at once, while the others reduce theirs; then
 * each scans the piece behind its own, from the carry that the aggregates before make. Piece 0 is a third of
 * the others, since a scan of a piece takes three times as long as a reduction of it.
 *
 * In a piece the loop is OpenMP's inscan, which the compiler makes prefixes of a vector of: 2^22 floats took
 * 0.14 ns an element where the plain loop, whose additions wait for each other, took 0.46 (gcc 12, AVX-512);
 * i32 0.19 against 0.24, min of i32 0.15 against 0.46; of 64 bits, and where floats are compared, both are
 * the same. */

enum { SCAN_THREADS_MAX = 256, SCAN_SHARES = 3 };

/* Piece `which` of the team's threads_n + 1. */
static struct piece piece_of_scan(uint64_t n, unsigned threads_n, unsigned which) {
    const uint64_t share_n = piece_n(n, SCAN_SHARES * threads_n + 1);
    const uint64_t begin = which == 0 ? 0 : share_n + (which - 1) * SCAN_SHARES * share_n;
    const uint64_t end = share_n + which * SCAN_SHARES * share_n;
    return (struct piece){red_lesser(n, begin), which == threads_n ? n : red_lesser(n, end)};
}

#define RED_TAKE_ELEMENT(accumulator, combine)                                                               \
    {                                                                                                        \
        const accumulator_##accumulator a = total, b = (accumulator_##accumulator)RED_ELEMENT(xs, i);        \
        total = combine;                                                                                     \
    }
#define RED_SCAN_LOOP_0(accumulator, combine, result)                                                        \
    RED_TAKE_ELEMENT(accumulator, combine)                                                                   \
    RED_PRAGMA(omp scan inclusive(total))                                                                    \
    ys[i] = (result)total;
#define RED_SCAN_LOOP_1(accumulator, combine, result)                                                        \
    ys[i] = (result)total;                                                                                   \
    RED_PRAGMA(omp scan exclusive(total))                                                                    \
    RED_TAKE_ELEMENT(accumulator, combine)

#define RED_REFERENCE_SCAN(op, identity, combine, openmp, reduced, exclusive, name, c_type, kind, bits,      \
                           accumulator, result)                                                              \
    RED_CLONES static accumulator_##accumulator RED_NAME(scan_range_##op, name)(                             \
        const c_type *xs, value_##result *ys, struct piece piece, accumulator_##accumulator total) {         \
        RED_PRAGMA(omp simd reduction(inscan, openmp : total))                                               \
        for (uint64_t i = piece.begin; i < piece.end; i++) {                                                 \
            RED_SCAN_LOOP_##exclusive(accumulator, combine, value_##result)                                  \
        }                                                                                                    \
        return total;                                                                                        \
    }                                                                                                        \
    static void RED_NAME(scan_##op, name)(const void *array, uint64_t n, void *results) {                    \
        const void *const arrays[2] = {array, array};                                                        \
        accumulator_##accumulator aggregates[SCAN_THREADS_MAX];                                              \
        const unsigned most_n = (unsigned)red_lesser(red_reference_threads_n(), SCAN_THREADS_MAX);           \
        RED_PRAGMA(omp parallel num_threads(n < PARALLEL_N_MIN ? 1 : most_n))                                \
        {                                                                                                    \
            const unsigned threads_n = (unsigned)omp_get_num_threads(),                                      \
                           mine = (unsigned)omp_get_thread_num();                                            \
            const struct piece piece = piece_of_scan(n, threads_n, mine);                                    \
            accumulator_##accumulator total = RED_START_IN_BITS(identity, kind, bits, accumulator);          \
            aggregates[mine] = mine == 0 ? RED_NAME(scan_range_##op, name)(array, results, piece, total)     \
                                         : RED_NAME(range_##reduced, name)(arrays, piece.begin, piece.end);  \
            RED_PRAGMA(omp barrier)                                                                          \
            for (unsigned t = 0; t <= mine; t++) {                                                           \
                const accumulator_##accumulator a = total, b = aggregates[t];                                \
                total = combine;                                                                             \
            }                                                                                                \
            (void)RED_NAME(scan_range_##op, name)(array, results, piece_of_scan(n, threads_n, mine + 1),     \
                                                  total);                                                    \
        }                                                                                                    \
    }
#define RED_REFERENCE_SCANS(...) RED_SCANS(RED_SCAN_FRAME, RED_REFERENCE_SCAN, __VA_ARGS__)
RED_DTYPES(RED_REFERENCE_SCANS)
static scan_function *const scans[][RED_SCANS_N] = {RED_DTYPES(RED_SCAN_ENTRIES)};

/* A call of the OpenMP row of a scan. */
void red_reference_scan(const struct red_op *op, const struct red_dtype *dtype, unsigned bins_n,
                        const void *array, uint64_t n, void *results) {
    (void)bins_n;
    scans[dtype - red_dtypes][op - red_ops - RED_REDUCTIONS_N](array, n, results);
}

/* ---- histograms ----------------------------------------------------------------------------------------
 * Each thread counts its piece in tables of its own, the first thread also in the answer's; then all add up
 * the tables, each for a part of the bins.
 *
 * A thread finds the bins of a few elements as vectors, and then counts these: 2^20 uniform elements in 256
 * bins took a thread 0.26 ns each as f32, 0.23 as u32 and 0.21 as u16, where the plain loop took 1.13, 0.49
 * and 0.71. By turns in two tables, as long as they are small, since an increment waits for the one before it
 * of the same bin: 0.28 for 0.6 where all u8 are of one bin, 0.24 for 0.33 of Zipf's, and no difference where
 * bins are alike (gcc 12, AMD EPYC with AVX-512). */

enum { COUNT_BLOCK_N = 256, LINE_BYTES = 64, SMALL_TABLE_BYTES = 1 << 14 };

#define RED_COUNT_RANGE(name, c_type, kind, bits, counter_bits)                                              \
    RED_CLONES static void count_##name##_##counter_bits(struct red_bins bins, const void *array,            \
                                                         struct piece piece, void *const counts[2]) {        \
        const c_type *xs = array;                                                                            \
        uint##counter_bits##_t *evens = counts[0], *odds = counts[1];                                        \
        for (uint64_t i = piece.begin, n; i < piece.end; i += n) {                                           \
            uint32_t found[COUNT_BLOCK_N];                                                                   \
            n = red_lesser(piece.end - i, COUNT_BLOCK_N);                                                    \
            RED_PRAGMA(omp simd)                                                                             \
            for (uint64_t j = 0; j < n; j++)                                                                 \
                found[j] = RED_BIN_OF_##kind(bits, xs[i + j]);                                               \
            for (uint64_t j = 0; j + 1 < n; j += 2) {                                                        \
                evens[found[j]]++;                                                                           \
                odds[found[j + 1]]++;                                                                        \
            }                                                                                                \
            if (n % 2 == 1)                                                                                  \
                evens[found[n - 1]]++;                                                                       \
        }                                                                                                    \
    }
RED_DTYPES(RED_COUNT_RANGES)

typedef void count_function(struct red_bins bins, const void *array, struct piece piece,
                            void *const counts[2]);
static count_function *const count_functions[][2] = {RED_DTYPES(RED_COUNT_ENTRY)};

/* Adds tables_n tables, so many counters apart, to the counts; each thread of the team does so. */
#define RED_ADD_TABLES(bits)                                                                                 \
    static void add_tables_##bits(void *counts, uint64_t counts_n, const void *tables, uint64_t apart_n,     \
                                  unsigned tables_n) {                                                       \
        uint##bits##_t *to = counts;                                                                         \
        const uint##bits##_t *from = tables;                                                                 \
        RED_PRAGMA(omp for schedule(static) nowait)                                                          \
        for (uint64_t bin = 0; bin < counts_n; bin++)                                                        \
            for (unsigned t = 0; t < tables_n; t++)                                                          \
                to[bin] += from[t * apart_n + bin];                                                          \
    }
RED_ADD_TABLES(32)
RED_ADD_TABLES(64)

/* A call of the OpenMP row of a histogram. Of few elements, or without memory for tables, one thread counts.
 */
void red_reference_histogram(const struct red_op *op, const struct red_dtype *dtype, unsigned bins_n,
                             const void *array, uint64_t n, void *counts) {
    const struct red_bins bins = red_bins_make(dtype, bins_n);
    const size_t counts_n = (size_t)bins_n + 1, counter_bytes = red_op_result_dtype(op, dtype)->size_bytes,
                 apart_bytes = (counts_n * counter_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    count_function *const count = count_functions[dtype - red_dtypes][op->role == RED_ROLE_COUNT64];
    const bool is_short = n < PARALLEL_N_MIN || n < counts_n;
    const unsigned threads_n = is_short ? 1 : red_reference_threads_n(),
                   each_n = !is_short && apart_bytes <= SMALL_TABLE_BYTES ? 2 : 1,
                   tables_n = threads_n * each_n - 1;
    char *tables = tables_n > 0 ? aligned_alloc(LINE_BYTES, tables_n * apart_bytes) : NULL;
    memset(counts, 0, counts_n * counter_bytes);
#pragma omp parallel num_threads(tables != NULL ? threads_n : 1)
    {
        const unsigned first = (unsigned)omp_get_thread_num() * each_n, last = first + each_n - 1;
        void *const mine[2] = {first == 0 ? counts : tables + (first - 1) * apart_bytes,
                               last == 0 || tables == NULL ? counts : tables + (last - 1) * apart_bytes};
        for (unsigned table = first; table <= last && tables != NULL; table++)
            if (table > 0)
                memset(tables + (table - 1) * apart_bytes, 0, counts_n * counter_bytes);
        count(bins, array, piece_of_thread(n), mine);
#pragma omp barrier
        if (tables != NULL)
            (counter_bytes == sizeof(uint32_t) ? add_tables_32 : add_tables_64)(
                counts, counts_n, tables, apart_bytes / counter_bytes,
                (unsigned)omp_get_num_threads() * each_n - 1);
    }
    free(tables);
}

/* ---- segments ---- */

/* A call of the OpenMP row of --shape segments. */
void red_reference_reduce_segments(const struct red_op *op, const struct red_dtype *dtype,
                                   const void *const arrays[2], uint64_t segment_elements_n,
                                   struct red_answers *answers) {
    const struct reference_functions *functions = functions_of(op, dtype);
    const uint64_t long_n = op->role == RED_ROLE_PLACE && dtype->bits < 64 ? LONG_PLACES_N : STEP_N;
    (segment_elements_n < long_n ? functions->short_segments : functions->long_segments)(
        arrays, segment_elements_n, point_to_memory(op, answers));
}

/* Elements of short segments that a thread computes before it reduces them: they stay in its first cache, and
 * a loop over their segments is begun once for all. */
enum { COMPUTED_TURN_N = 1 << 12 };

/* A call of the host's rows of --shape computed, which has no places: its answers are values alone. */
enum red_status red_reference_reduce_computed(const struct red_input *input, bool is_alone,
                                              struct red_answers *answers, struct red_error *error) {
    const struct red_op *op = input->op;
    const struct red_dtype *dtype = input->dtype;
    const uint64_t n = input->n / input->segments_n;
    const size_t bytes = answers->result->size_bytes;
    const struct answers_memory all = point_to_memory(op, answers);
    const uint64_t turn_n = n < COMPUTED_TURN_N ? COMPUTED_TURN_N / red_greater(n, 1) : 1;
    bool has_room = true;
#pragma omp parallel reduction(&& : has_room) if (!is_alone && input->n >= PARALLEL_N_MIN)
    {
        void *const room[2] = {malloc(turn_n * n * dtype->size_bytes),
                               malloc(turn_n * n * dtype->size_bytes)};
        has_room = room[0] != NULL && room[1] != NULL;
#pragma omp for schedule(static)
        for (uint64_t s = 0; s < all.n; s += turn_n) {
            struct red_answers some = {.result = answers->result,
                                       .n = red_lesser(all.n - s, turn_n),
                                       .room = (char *)all.values + s * bytes};
            if (!has_room)
                continue;
            for (unsigned array = 0; array < input->arrays_n; array++)
                red_elements_compute(dtype, &input->form, array, s * n, some.n * n, room[array]);
            (is_alone ? red_sequential_reduce_segments
                      : red_reference_reduce_segments)(op, dtype, (const void *const *)room, n, &some);
        }
        free(room[0]);
        free(room[1]);
    }
    return has_room ? RED_OK : red_fail(error, RED_E_MEMORY, "no memory for a segment of each thread");
}

/* A thread's share of red_reference_read_all. */
RED_CLONES static uint64_t words_of_range(const uint64_t *words, uint64_t begin, uint64_t end) {
    uint64_t seen = 0;
#pragma omp simd reduction(^ : seen)
    for (uint64_t i = begin; i < end; i++)
        seen ^= words[i];
    return seen;
}

/* Timed, "read roof: ... on the host"; untimed, what a roof's kernel must have read (cl/roof.c). */
uint64_t red_reference_read_all(const uint64_t *words, uint64_t words_n) {
    uint64_t seen = 0;
#pragma omp parallel reduction(^ : seen) if (words_n >= PARALLEL_N_MIN)
    {
        const struct piece piece = piece_of_thread(words_n);
        seen ^= words_of_range(words, piece.begin, piece.end);
    }
    return seen;
}

/* Timed, the roof of scans on the host. */
void red_reference_copy_all(const void *from, uint64_t bytes, void *to) {
#pragma omp parallel if (bytes / sizeof(uint64_t) >= PARALLEL_N_MIN)
    {
        const struct piece piece = piece_of_thread(bytes);
        memcpy((char *)to + piece.begin, (const char *)from + piece.begin, piece.end - piece.begin);
    }
}

/* Units of the host in `devices`; "compute_units" of the host in the JSON (run/bench.c). */
unsigned red_reference_threads_n(void) {
    return (unsigned)omp_get_max_threads();
}

/* Behind each use of OpenMP in a worker, whose threads would spoil the times of CPU devices. */
void red_reference_stop_spinning(void) {
    omp_pause_resource_all(omp_pause_soft);
}

/* For the bounds of the host's rows (worker/prepared.c), and their "geometry" in the JSON (run/bench.c). */
struct red_geometry red_host_geometry(const struct red_strategy *row, uint64_t n, uint64_t segments_n) {
    const bool is_alone = (row != NULL && row->span == RED_STRATEGY_ONE) || n * segments_n < PARALLEL_N_MIN;
    size_t threads_n = is_alone ? 1 : red_reference_threads_n();
    return (struct red_geometry){.group_size = threads_n,
                                 .groups_n = 1,
                                 .item_n =
                                     segments_n > 1 || threads_n == 1 ? n : piece_n(n, (unsigned)threads_n)};
}
