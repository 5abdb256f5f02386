#include "model/op.h"

#include <string.h>

#define RED_OP_ROW(name_, arrays_, identity_, map_, combine_, openmp, built_in_, ...)                        \
    {.name = #name_,                                                                                         \
     .arrays = arrays_,                                                                                      \
     .identity = #identity_,                                                                                 \
     .map = #map_,                                                                                           \
     .combine = #combine_,                                                                                   \
     .built_in = built_in_},

const struct red_op red_ops[] = {RED_OPS(RED_OP_ROW, )};
const size_t red_ops_n = sizeof red_ops / sizeof red_ops[0];

const struct red_op *red_op_find(const char *name) {
    for (size_t i = 0; i < red_ops_n; i++)
        if (strcmp(red_ops[i].name, name) == 0)
            return &red_ops[i];
    return NULL;
}
