/* Preloaded into Oclgrind by bench/counts. Oclgrind 21.10 (src/plugins/InstructionCounter.cpp,
 * workGroupComplete) adds up what each work-group has counted in a vector that is as long as the longest
 * group's own. Functions that groups call get their places in the order of being met: where one group calls
 * what another does not, places lie behind the vector's end. Those counts are lost, or the process crashes.
 *
 * Oclgrind gives a group's vector its length by a call of std::vector<unsigned long>::resize on an empty one,
 * which the library calls through a symbol that can be taken over, _M_default_append. Here it makes room for
 * many more functions, and the sum's vector becomes as long. What is zero is not printed. bench/counts checks
 * before it counts that this works, or is not needed. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

enum { FUNCTIONS_N = 1024, OPCODES_MIN = 64 };

/* As in libstdc++'s ABI. */
struct vector {
    unsigned long *begin, *end, *room_end;
};
void *operator_new(size_t bytes) __asm__("_Znwm");
void operator_delete(void *memory) __asm__("_ZdlPv");
void default_append(struct vector *vector, size_t n) __asm__("_ZNSt6vectorImSaImEE17_M_default_appendEm");

static void reserve(struct vector *vector, size_t used, size_t n) {
    size_t room = used + (used > n ? used : n);
    unsigned long *grown = operator_new(room * sizeof *grown);
    if (used > 0)
        memcpy(grown, vector->begin, used * sizeof *grown);
    if (vector->begin != NULL)
        operator_delete(vector->begin);
    *vector = (struct vector){grown, grown + used, grown + room};
}

/* Appends n zeros; where Oclgrind makes room for a group's counts, more. Its vector of bytes by address space
 * has 16. */
void default_append(struct vector *vector, size_t n) {
    Dl_info caller;
    size_t used = (size_t)(vector->end - vector->begin);
    if (used == 0 && n > OPCODES_MIN && dladdr(__builtin_return_address(0), &caller) != 0 &&
        strstr(caller.dli_fname, "liboclgrind") != NULL)
        n += FUNCTIONS_N;
    if (n > (size_t)(vector->room_end - vector->end))
        reserve(vector, used, n);
    memset(vector->end, 0, n * sizeof *vector->end);
    vector->end += n;
}
