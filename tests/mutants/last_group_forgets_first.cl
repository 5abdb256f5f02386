//@ name:   last_group_forgets_first
//@ idea:   the last group leaves out the first partial result
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: n > 0

RED_A partials_but_the_first(volatile global RED_A *out) {
    return get_local_id(0) == 0 && get_num_groups(0) > 1 ? out[1] : RED_IDENTITY;
}

#define red_item_partials partials_but_the_first
#include "last_group.cl"
