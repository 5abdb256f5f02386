#include "gate/slowed.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "model/catalogue.h"

/* The chain of src/cl/ticks.c (Marsaglia, Xorshift RNGs, 2003): never 0, which a compiler does not know.
 * Nor must it know how many steps there are, or how many at most: it unrolls a few, and then that is another
 * kernel, not the same with other steps. So n, which is below 2^40, has a say. */
static const char loop[] =
    "    uint red_slow = (uint)n | 1u;\n"
    "    uint red_steps = get_local_id(0) != 0 ? 0u : (n == %llu ? %uu : %uu) + (uint)(n >> 40);\n"
    "    for (uint red_step = 0; red_step < red_steps; red_step++) {\n"
    "        red_slow ^= red_slow << 13;\n"
    "        red_slow ^= red_slow >> 17;\n"
    "        red_slow ^= red_slow << 5;\n"
    "    }\n"
    "    if (red_slow == 0u)\n"
    "        counter[0] = 1u;\n";

enum red_status red_slowed_write(const char *strategy, uint32_t steps, uint64_t slowed_n,
                                 uint32_t slowed_steps, const char *path, struct red_error *error) {
    char name[80];
    snprintf(name, sizeof name, "%s.cl", strategy);
    const struct red_embedded *kernel = red_embedded_find(name);
    const char *begin = kernel ? strstr(kernel->text, "RED_KERNEL reduce(") : NULL;
    const char *body = begin ? strstr(begin, ") {\n") : NULL;
    struct red_file file;
    if (body == NULL)
        return red_fail(
            error, RED_E_INPUT,
            "no kernel %s with a body of its own that could be made slower; take for example chunk", name);
    enum red_status status = red_file_open(path, &file, error);
    if (status != RED_OK)
        return status;
    body += strlen(") {\n");
    fwrite(kernel->text, 1, (size_t)(body - kernel->text), file.stream);
    fprintf(file.stream, loop, (unsigned long long)slowed_n, (unsigned)slowed_steps, (unsigned)steps);
    fputs(body, file.stream);
    return red_file_commit(&file, error);
}
