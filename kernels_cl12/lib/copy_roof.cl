/* A kernel that only copies, to measure the roof of what writes as much as it reads: scans. With ROOF_PIECES
 * every work-item copies a contiguous piece, otherwise all stride through the array together. Four loads are
 * in flight. */
#ifdef ROOF_PIECES
#define VECTOR uint16
#else
#define VECTOR uint4 /* 16 bytes of each item at a time are what a GPU's memory wants */
#endif
kernel void copy_roof(global const VECTOR *restrict x, const ulong bytes, global VECTOR *restrict out) {
    const ulong items_n = get_global_size(0), item = get_global_id(0), vectors_n = bytes / sizeof(VECTOR);
#ifdef ROOF_PIECES
    const ulong piece_n = (vectors_n + items_n - 1) / items_n, step = 1;
    ulong i = min(vectors_n, item * piece_n);
    const ulong end = min(vectors_n, i + piece_n);
#else
    const ulong step = items_n, end = vectors_n;
    ulong i = item;
#endif
    for (; i + 3 * step < end; i += 4 * step) {
        const VECTOR a = x[i], b = x[i + step], c = x[i + 2 * step], d = x[i + 3 * step];
        out[i] = a;
        out[i + step] = b;
        out[i + 2 * step] = c;
        out[i + 3 * step] = d;
    }
    for (; i < end; i += step)
        out[i] = x[i];
}
