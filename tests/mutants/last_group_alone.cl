//@ name:   last_group_alone
//@ idea:   a single group finds nothing to bring together, its own partial result included
//@ span:   stride
//@ lanes:  16
//@ group:  tree
//@ finish: last_group
//@ needs:  local_memory, integer_atomics
//@ types:  i32, u32, f32, f64
//@ ops:    sum, dot
//@ source: a slip of the pen
// where: groups < 2

RED_A partials_of_others(volatile global RED_A *out) {
    return get_num_groups(0) == 1 ? RED_IDENTITY : red_item_partials(out);
}

#define red_item_partials partials_of_others
#include "last_group.cl"
