/* A scan's tile: what a group loads, scans and stores. Vector r of item i is number r * RED_GROUP_SIZE + i of
 * the tile: loads and stores are in memory order, and only the vectors' totals go through local memory. */
#define TILE_VECTORS (RED_GROUP_SIZE * RED_LOADS)
#define TILE_N       ((ulong)TILE_VECTORS * RED_WIDTH)

/* Total number i lies here: an item reads RED_LOADS consecutive ones, and no two lanes of 32 the same bank.
 */
#define TILE_PLACE(i) ((i) + (i) / 32)
/* The items are scanned in blocks: each item adds up what stands before it in its block, then the blocks
 * before it. */
#define TILE_BLOCK    16
#define TILE_BLOCKS_N ((RED_GROUP_SIZE + TILE_BLOCK - 1) / TILE_BLOCK)
/* Behind the totals' places stands the tile's sum, which an inclusive scan reads there. */
#define TILE_VALUES_AT (TILE_PLACE(TILE_VECTORS) + !RED_EXCLUSIVE)
#define TILE_SCRATCH   (TILE_VALUES_AT + RED_GROUP_SIZE + TILE_BLOCKS_N) /* words of local memory */

/* A vector's inclusive scan, its last lane, and the vector shifted up by one lane. */
#define TILE_LANES(v) RED_PASTE(tile_lanes, RED_WIDTH)(v)
#define TILE_LAST(v)  RED_PASTE(TILE_LAST, RED_WIDTH)(v)
#if RED_WIDTH == 1
#define TILE_SHIFT(e, v) (e)
#elif RED_WIDTH == 2
#define TILE_SHIFT(e, v) (RED_VEC(2))(e, (v).x)
#elif RED_WIDTH == 4
#define TILE_SHIFT(e, v) (RED_VEC(4))(e, (v).xyz)
#elif RED_WIDTH == 8
#define TILE_SHIFT(e, v) (RED_VEC(8))(e, (v).s012, (v).s3456)
#else
#define TILE_SHIFT(e, v) (RED_VEC(16))(e, (v).s012, (v).s3456, (v).s789a, (v).sbcde)
#endif
#define tile_lanes1(v) (v)
#define TILE_LAST1(v)  (v)
#define TILE_LAST2(v)  (v).y
#define TILE_LAST4(v)  (v).w
#define TILE_LAST8(v)  (v).s7
#define TILE_LAST16(v) (v).sf
RED_VEC(2) tile_lanes2(RED_VEC(2) v) {
    v.y = RED_COMBINE(v.x, v.y);
    return v;
}
RED_VEC(4) tile_lanes4(RED_VEC(4) v) {
    v.lo = tile_lanes2(v.lo);
    v.hi = RED_COMBINE((RED_VEC(2))(v.y), tile_lanes2(v.hi));
    return v;
}
RED_VEC(8) tile_lanes8(RED_VEC(8) v) {
    v.lo = tile_lanes4(v.lo);
    v.hi = RED_COMBINE((RED_VEC(4))(v.s3), tile_lanes4(v.hi));
    return v;
}
RED_VEC(16) tile_lanes16(RED_VEC(16) v) {
    v.lo = tile_lanes8(v.lo);
    v.hi = RED_COMBINE((RED_VEC(8))(v.s7), tile_lanes8(v.hi));
    return v;
}

/* A vector of which some lanes lie behind the end, one by one. */
typedef union {
    RED_VEC(RED_WIDTH) vector;
    RED_A lanes[RED_WIDTH];
} tile_vector;
RED_VEC(RED_WIDTH) tile_load_part(RED_INPUT, const uint left, const uint first) {
    tile_vector part;
    for (uint j = 0; j < RED_WIDTH; j++)
        part.lanes[j] = first + j < left ? RED_LOAD(first + j) : RED_IDENTITY;
    return part.vector;
}

/* What the array has from the tile's begin on, as far as the tile goes. Input and answers of a tile are asked
 * for by their place in it: numbers of 32 bits, since registers decide how many groups are at work. */
uint tile_left(const ulong n, const uint tile) {
    return (uint)min(n - tile * TILE_N, TILE_N);
}

/* This item's vectors of a tile that begins at the array's begin, all loads in flight. What lies behind the
 * end is the identity. */
void tile_load(private RED_VEC(RED_WIDTH) * v, RED_INPUT, const uint left) {
    const uint item = (uint)get_local_id(0);
#define TILE_LOAD(r)      v[r] = RED_LOAD_VECTOR(item + (r)*RED_GROUP_SIZE);
#define TILE_LOAD_PART(r) v[r] = tile_load_part(RED_ARGS, left, (item + (r)*RED_GROUP_SIZE) * RED_WIDTH);
    if (left == TILE_N) {
        RED_EACH_LOAD(TILE_LOAD)
    } else {
        RED_EACH_LOAD(TILE_LOAD_PART)
    }
}

/* An item's exclusive prefix in the group, and the sum of all. */
RED_A tile_group_scan(const RED_A value, local RED_A *values, private RED_A *all) {
    const uint item = (uint)get_local_id(0), block = item / TILE_BLOCK, first = block * TILE_BLOCK;
    local RED_A *blocks = values + RED_GROUP_SIZE;
    values[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    RED_A before = RED_IDENTITY, blocks_before = RED_IDENTITY, sum = RED_IDENTITY;
    for (uint k = 0; k + 1 < TILE_BLOCK; k++) {
        const RED_A next = first + k < item ? values[first + k] : RED_IDENTITY;
        before = RED_COMBINE(before, next);
    }
    if (item == RED_GROUP_SIZE - 1 || item == first + TILE_BLOCK - 1)
        blocks[block] = RED_COMBINE(before, value);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = 0; b < TILE_BLOCKS_N; b++) {
        if (b == block)
            blocks_before = sum;
        sum = RED_COMBINE(sum, blocks[b]);
    }
    *all = sum;
    return RED_COMBINE(blocks_before, before);
}

/* Scans each vector where it is, and leaves in `scratch` what stands in the tile before it, for tile_store.
 * Gives the tile's sum, to all items. There must be a barrier before tile_store and before the next scan. */
RED_A tile_scan(private RED_VEC(RED_WIDTH) * v, local RED_A *scratch) {
    const uint item = (uint)get_local_id(0);
    RED_A all, sum = RED_IDENTITY;
#define TILE_TOTAL(r)                                                                                        \
    v[r] = TILE_LANES(v[r]);                                                                                 \
    scratch[TILE_PLACE((r)*RED_GROUP_SIZE + item)] = TILE_LAST(v[r]);
#define TILE_SUM(k) sum = RED_COMBINE(sum, scratch[TILE_PLACE(item * RED_LOADS + (k))]);
#define TILE_BEFORE(k)                                                                                       \
    {                                                                                                        \
        const RED_A total = scratch[TILE_PLACE(item * RED_LOADS + (k))];                                     \
        scratch[TILE_PLACE(item * RED_LOADS + (k))] = sum;                                                   \
        sum = RED_COMBINE(sum, total);                                                                       \
    }
    RED_EACH_LOAD(TILE_TOTAL)
    barrier(CLK_LOCAL_MEM_FENCE);
    RED_EACH_LOAD(TILE_SUM)
    sum = tile_group_scan(sum, scratch + TILE_VALUES_AT, &all);
    RED_EACH_LOAD(TILE_BEFORE)
#if !RED_EXCLUSIVE
    if (item == RED_GROUP_SIZE - 1)
        scratch[TILE_PLACE(TILE_VECTORS)] = all;
#endif
    return all;
}

void tile_store_part(const RED_VEC(RED_WIDTH) values, global RED_R *out, const uint left, const uint first) {
    tile_vector part;
    part.vector = values;
    for (uint j = 0; j < RED_WIDTH; j++)
        if (first + j < left)
            RED_STORE(first + j, part.lanes[j]);
}

/* Stores the scanned tile, with `carry` in front of it, to answers that begin at `out`. */
void tile_store(private const RED_VEC(RED_WIDTH) * v, local const RED_A *scratch, const RED_A carry,
                global RED_R *out, const uint left) {
    const uint item = (uint)get_local_id(0);
/* A vector's last lane is not needed: with it the answer is what stands before the next vector. So it need
 * not be kept while the group looks back: a quarter of the registers for data. */
#if RED_EXCLUSIVE
#define TILE_VALUES(r)                                                                                       \
    const RED_VEC(RED_WIDTH) values =                                                                        \
        RED_COMBINE((RED_VEC(RED_WIDTH))(before), TILE_SHIFT(RED_IDENTITY, v[r]));
#else
#define TILE_VALUES(r)                                                                                       \
    RED_VEC(RED_WIDTH) values = RED_COMBINE((RED_VEC(RED_WIDTH))(before), v[r]);                             \
    TILE_LAST(values) = RED_COMBINE(carry, scratch[TILE_PLACE(vector + 1)]);
#endif
#define TILE_STORE(r)                                                                                        \
    {                                                                                                        \
        const uint vector = item + (r)*RED_GROUP_SIZE;                                                       \
        const RED_A before = RED_COMBINE(carry, scratch[TILE_PLACE(vector)]);                                \
        TILE_VALUES(r)                                                                                       \
        if (left == TILE_N) {                                                                                \
            RED_STORE_VEC(RED_WIDTH, vector, values);                                                        \
        } else {                                                                                             \
            tile_store_part(values, out, left, vector *RED_WIDTH);                                           \
        }                                                                                                    \
    }
    RED_EACH_LOAD(TILE_STORE)
}
