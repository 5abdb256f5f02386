/* The table of experiments. run/parts.c makes the cells of a run from its rows, console/experiment_table.c
 * the tables, which `bench --experiments` prints and report/experiments.c puts on the page. */
#include "model/experiments.h"

#include <string.h>

#include "core/select.h"

/* No two rows have a cell in common: a file tells by its letter which experiment a cell is of. */
const struct red_experiment red_experiments[] = {
    {.letter = "a",
     .question = "Dot product by the bit-mask tree: products in local memory, or stored to a global array",
     .strategies = "interleaved,interleaved_stored",
     .ops = "dot",
     .n = "2^20",
     .wg = "8..1024"},
    {.letter = "b",
     .question = "Local memory declared in the kernel, or passed as an argument",
     .strategies = "tree,tree_argument",
     .n = "2^20",
     .wg = "16,64,256"},
    {.letter = "c",
     .question = "160 values for each pixel, averaged: computed where they are added, or stored first",
     .strategies = "openmp,segment_item,segment_halves,segment_group,segment_wg_reduce,segment_item_stored,"
                   "segment_group_stored",
     .ops = "mean",
     .shape = "computed:65536x160",
     .shape_whole = "computed:1048576x160"},
    {.letter = "d",
     .question = "The tree enqueued again over its partial results: waiting for the first launch, or not",
     .strategies = "tree_passes,tree_passes_waiting",
     .n = "2^12,2^16,2^20",
     .figures = "launch_times_s,launch_gaps_s"},
    {.letter = "e",
     .question = "n against group size: the tree with the host's sum, and the sequential program",
     .strategies = "sequential,tree",
     .n = "1000..10000000:x10",
     .n_whole = "1000..100000000:x10",
     .wg = "8,32,128,512",
     .has_speed_up = true},
    {.letter = "f",
     .question = "The smallest and the largest element, and where they are",
     .strategies = "openmp,tree,cmpxchg_group,wg_reduce",
     .ops = "min,max,argmin,argmax",
     .n = "2^20"},
    {.letter = "g",
     .question = "Iterated: 100 reductions of an array that a kernel changes before each",
     .strategies = "openmp,tree,tree_passes,last_group,grid_stride_vec,wg_reduce_stride",
     .n = "2^14,2^18",
     .shape = "changed:100"},
    {.letter = "h",
     .question = "Three implementations: a tree with the host's sum, compare-and-swap, OpenCL 2.0's built-in",
     .strategies = "openmp,tree,cmpxchg_item,cmpxchg_group,wg_reduce,grid_stride_vec,wg_reduce_stride",
     .n = "2^10,2^14,2^20,2^26"},
};
const size_t red_experiments_n = sizeof red_experiments / sizeof red_experiments[0];

/* For --experiments, and for cells of a file. */
const struct red_experiment *red_experiment_find(const char *letter) {
    for (size_t i = 0; i < red_experiments_n; i++)
        if (strcmp(red_experiments[i].letter, letter) == 0)
            return &red_experiments[i];
    return NULL;
}

/* The value of --experiments of bench. */
enum red_status red_experiment_choice_read(const char *text, struct red_experiment_choice *choice,
                                           struct red_error *error) {
    const unsigned all = (1u << red_experiments_n) - 1;
    char word[RED_SELECT_PATTERN_BYTES];
    *choice = (struct red_experiment_choice){.letters = 0};
    for (const char *rest = text; rest != NULL && red_select_next(&rest, word);) {
        const struct red_experiment *found = red_experiment_find(word);
        if (found != NULL)
            choice->letters |= 1u << (found - red_experiments);
        else if (strcmp(word, "whole") == 0)
            choice->whole = true;
        else
            return red_fail(error, RED_E_INPUT,
                            "--experiments: '%s' is no experiment; expected letters from a to h, or whole, "
                            "such as --experiments=c,e,whole",
                            word);
    }
    choice->letters = choice->letters != 0 ? choice->letters : all;
    return RED_OK;
}
