/* Disturbs memory beside the launches of another queue (verify --stress): each item stores to a word of the
 * scratch buffer that it draws anew each time, and loads from another one, so that lines of all caches come
 * and go. What is stored is never 0. Items may meet in a word: nobody looks at its value, but at whether it
 * is 0. `shift`: as many high bits of a number as choose a word are left behind it. */
kernel void disturb(volatile global uint *scratch, const uint shift, const uint steps, const uint seed) {
    uint drawn = (uint)get_global_id(0) * 2654435761u + seed, seen = 0;
    for (uint i = 0; i < steps; i++) {
        drawn = drawn * 1664525u +
                1013904223u; /* Knuth, TAOCP 2, section 3.3.4: the high bits are the good ones */
        scratch[drawn >> shift] = drawn | 1;
        seen += scratch[(drawn ^ 0x9e3779b9u) >> shift];
    }
    if (seen == seed) /* so that the loads count */
        scratch[0] = seen | 1;
}
