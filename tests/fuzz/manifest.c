/* Kernel files of strangers: a manifest is read or refused, whatever it holds. What is read holds together.
 */
#include "fuzz.h"

#include "model/strategy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    char *text = text_of(data, n);
    struct red_family family;
    struct red_error error = {.text = ""};
    enum red_status status = red_manifest_read("a folder/it's \"x\".cl", text, &family, &error);
    assert(status == RED_OK ||
           (status == RED_E_INPUT && error.text[0] != '\0' && strchr(error.text, '\n') == NULL));
    for (size_t i = 0; i < family.n && status == RED_OK; i++) {
        const struct red_strategy *strategy = &family.rows[i];
        char needs[512];
        assert(strategy->name[0] != '\0' && strpbrk(strategy->name, " /\\\"'\n\033") == NULL);
        red_needs_format(strategy->needs, needs, sizeof needs);
        (void)red_strategies_check(strategy, 1, &error);
    }
    free(text);
    return 0;
}
