/* Kernel files of strangers: a manifest is read or refused, whatever it holds. What is read holds together.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/strategy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    char *text = malloc(n + 1);
    struct red_family family;
    struct red_error error = {.text = ""};
    memcpy(text, data, n);
    text[n] = '\0';
    enum red_status status = red_manifest_read("a folder/it's \"x\".cl", text, &family, &error);
    if (status != RED_OK &&
        (status != RED_E_INPUT || error.text[0] == '\0' || strchr(error.text, '\n') != NULL))
        abort();
    for (size_t i = 0; i < family.n && status == RED_OK; i++) {
        const struct red_strategy *strategy = &family.rows[i];
        char needs[512];
        if (strategy->name[0] == '\0' || strpbrk(strategy->name, " /\\\"'\n\033") != NULL)
            abort();
        red_needs_format(strategy->needs, needs, sizeof needs);
        (void)red_strategies_check(strategy, 1, &error);
    }
    free(text);
    return 0;
}
