/* The kernel contract. These files stand before every kernel; in front of them stand the macros that choose
 * type, operation and work-group size. Each has a default (elements.cl): sums of floats.
 *
 * Chosen by the host:
 *   RED_T            element type                        RED_A             accumulator type
 *   RED_T_KIND       0 unsigned, 1 signed, 2 float       RED_T_BITS        width of RED_T
 *   RED_WORD         unsigned type as wide as RED_A      RED_WORD_BITS     32, 64, or 0: red_pair
 *   RED_IS_FLOAT     1: RED_A is float or double         RED_ARRAYS        1, or 2 (dot)
 *   RED_IDENTITY_    the operation's identity            RED_GROUP_SIZE    work-items per work-group
 *   RED_MAP_(x, y)   value of one index                  RED_COMBINE_(a, b)
 *   RED_HAS_ATOMIC   1: RED_A is an integer, and OpenCL has the operation as an atomic
 *   RED_PASS         0 over elements, 1 over partial results of an earlier launch
 *   RED_WIDTH        elements per vector, 1, 2, 4, 8 or 16; RED_LOADS  vectors in flight, 1, 2, 4 or 8:
 *                    where the manifest's lanes are WIDTHxLOADS; 4 and 4 for others
 *   RED_PLACE        0; 1 where the index of the least element is looked for, 2 of the greatest
 *   RED_EXTREME      0; 1 where the least element is looked for, 2 the greatest
 *   RED_SCAN         1 where each element has an answer, which may stand in the element's place; else 0
 *   RED_EXCLUSIVE    1 where the answers of a scan are without the element itself, else 0
 *   RED_R            type of the answers of a scan; RED_R_KIND, RED_R_BITS as of RED_T
 *   RED_NAMED_(a, b) a built-in's name: a, then the operation's suffix, then b; undefined where there is none.
 *                    Pasted by the host's text, since a driver may have made a macro of min
 *   RED_UNALIGNED    defined where bases need not be aligned to vectors: each segment has its own
 *   RED_COMPUTED     1 where the kernel computes the elements, which no array holds; else 0
 *   RED_POISON       defined while a kernel with RED_LOCAL is checked: fills its local memory
 */

/* types, parameters, identity, combination */
#include "lib/elements.cl"

/* elements that a kernel computes */
#include "lib/computed.cl"

/* RED_LOAD, RED_VEC */
#include "lib/loads.cl"

/* RED_STORE, RED_STORE_VEC, RED_RESULT: the answers of a scan */
#include "lib/results.cl"

/* the same for argmin and argmax */
#include "lib/places.cl"

/* RED_LOAD_VEC, RED_LOAD_VECTOR, RED_FOLD, RED_EACH_LOAD */
#include "lib/lanes.cl"

/* RED_LOCAL, RED_LOCAL_ARGUMENT */
#include "lib/local.cl"

/* red_item_stride, red_item_partials, red_group_tree */
#include "lib/common.cl"

/* red_item_extreme: long shares of argmin and argmax */
#include "lib/extremes.cl"

/* red_item_range, red_item_piece, red_item_chunk, red_item_turns */
#include "lib/pieces.cl"

/* RED_WORD, RED_CMPXCHG, RED_ATOMIC */
#include "lib/words.cl"

/* RED_ANSWER, RED_TELL */
#include "lib/answer.cl"

/* RED_WG_REDUCE, RED_PIPE */
#include "lib/built_ins.cl"

/* RED_BIN, RED_COUNT_WORDS: of histograms */
#ifdef RED_BINS
#include "lib/bins.cl"
#endif
