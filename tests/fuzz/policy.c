/* Policies of strangers: read or refused with file and line, and what is read holds together. */
#include "fuzz.h"

#include "gate/gate_private.h"

static const char *const cells[] = {"pocl.0/tree/sum/f32/n:4096", "intel/cmpxchg_item/argmax/u8/n:1"};

static void rules_check(const struct red_policy_rules *rules) {
    assert(rules->margin >= 0.001 && rules->margin <= 1 && rules->budget_s >= 1e-4 &&
           rules->budget_s <= 3600);
    assert((rules->quarantine != NULL) == (rules->line > 0));
    assert(rules->quarantine == NULL ||
           (rules->quarantine[0] != '\0' && strcmp(rules->until, "2026-11-22") >= 0 &&
            strcmp(rules->until, "2027-11-23") <= 0));
}

/* Each line is about the file, and there is one for each. */
static void text_check(const char *text) {
    for (; *text != '\0'; text = strchr(text, '\n') + 1)
        assert(strncmp(text, "x.ini:", 6) == 0 && strchr(text, '\n') != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct red_policy *policy;
    struct red_error error = {.text = ""};
    enum red_status status = red_policy_read("x.ini", (const char *)data, n, "2026-11-22", &policy, &error);
    assert(status == RED_OK ||
           (status == RED_E_INPUT && policy == NULL && strncmp(error.text, "x.ini:", 6) == 0 &&
            strpbrk(error.text, "\n\033") == NULL));
    if (status == RED_OK) {
        char *text = NULL;
        size_t text_n = 0;
        FILE *out = open_memstream(&text, &text_n);
        for (size_t i = 0; i < 2; i++) {
            struct red_policy_rules rules;
            red_policy_find(policy, cells[i], &rules);
            rules_check(&rules);
        }
        assert(out != NULL && red_policy_print(policy, cells, 2, out, NULL) == RED_OK && fclose(out) == 0);
        text_check(text);
        free(text);
    }
    red_policy_destroy(policy);
    return 0;
}
