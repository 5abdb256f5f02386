/* A kernel that only reads, to measure the roof under which every strategy works. It XORs all
 * words, so that no load can be left out, and stores in the one case that no compiler can rule out, or if it
 * is to `tell`: out of that the host sees that everything was read. With ROOF_PIECES every work-item reads a
 * contiguous piece, otherwise all stride through the array together. */
kernel void roof(global const uint16 *restrict x, const ulong vectors_n, const uint magic, const uint tell,
                 volatile global uint *restrict out) {
    const ulong items_n = get_global_size(0), item = get_global_id(0);
    uint16 a = 0, b = 0, c = 0, d = 0;
#ifdef ROOF_PIECES
    const ulong piece_n = (vectors_n + items_n - 1) / items_n, step = 1;
    ulong i = min(vectors_n, item * piece_n);
    const ulong end = min(vectors_n, i + piece_n);
#else
    const ulong step = items_n, end = vectors_n;
    ulong i = item;
#endif
    for (; i + 3 * step < end; i += 4 * step) {
        a ^= x[i];
        b ^= x[i + step];
        c ^= x[i + 2 * step];
        d ^= x[i + 3 * step];
    }
    for (; i < end; i += step)
        a ^= x[i];
    const uint16 v = a ^ b ^ c ^ d;
    const uint8 w = v.lo ^ v.hi;
    const uint4 h = w.lo ^ w.hi;
    const uint seen = h.x ^ h.y ^ h.z ^ h.w;
    if (tell || seen == magic)
        atomic_xor(out, seen);
}
