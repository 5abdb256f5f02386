//@ name:   carried_words
//@ idea:   items carry their sum to the accumulator by exchange, one at a time
//@ span:   stride
//@ lanes:  16
//@ group:  none
//@ finish: atomic
//@ needs:  exchange
//@ types:  all
//@ ops:    all
//@ source: a user

RED_KERNEL reduce(RED_INPUT, const ulong n, global RED_A *restrict out, global uint *restrict counter) {
    volatile global RED_WORD *word = (volatile global RED_WORD *)out;
    const RED_WORD nothing = RED_AS_WORD(RED_IDENTITY);
    RED_WORD carried = RED_AS_WORD(red_item_stride(RED_ARGS, n));
    while (carried != nothing) {
        const RED_A sum = RED_COMBINE(RED_FROM_WORD(RED_XCHG(word, nothing)), RED_FROM_WORD(carried));
        carried = RED_XCHG(word, RED_AS_WORD(sum)); /* whatever came in between */
    }
}
