#include "verify/promises.h"

#include <string.h>

#include "verify/special.h"

/* Kinds of special values that share a reason. */
struct lacking {
    const char *kind, *reason;
    bool ops[RED_CHOICE_MAX], strategies[RED_CHOICE_MAX];
};
enum { LACKING_MAX = 16 };

/* A place for the kind and the reason; NULL where there is no room. */
static struct lacking *place_of(struct lacking *all, size_t *all_n, const char *kind, const char *reason) {
    for (size_t i = 0; i < *all_n; i++)
        if (strcmp(all[i].kind, kind) == 0 && strcmp(all[i].reason, reason) == 0)
            return &all[i];
    if (*all_n == LACKING_MAX)
        return NULL;
    all[*all_n] = (struct lacking){.kind = kind, .reason = reason};
    return &all[(*all_n)++];
}

static void find_of(const struct red_session *session, size_t d, size_t s, size_t op, size_t type,
                    struct lacking *all, size_t *all_n) {
    const struct red_device_info *info = red_remote_info(session->devices[d]);
    if (!session->types[type]->is_float ||
        red_strategy_admits(session->strategies[s], session->types[type], session->ops[op], NULL) != RED_OK)
        return;
    for (int pattern = 0; pattern < RED_PATTERNS_N; pattern++) {
        const char *reason = red_special_unpromised(session->strategies[s], session->ops[op],
                                                    session->types[type], (enum red_pattern)pattern, info,
                                                    red_remote_capabilities(session->devices[d]));
        struct lacking *to =
            reason ? place_of(all, all_n, red_special_name((enum red_pattern)pattern), reason) : NULL;
        if (to == NULL)
            continue;
        to->ops[op] = true;
        to->strategies[s] = true;
    }
}

static void find(const struct red_session *session, size_t d, size_t s, struct lacking *all, size_t *all_n) {
    for (size_t op = 0; op < session->ops_n; op++)
        for (size_t type = 0; type < session->types_n; type++)
            find_of(session, d, s, op, type, all, all_n);
}

void red_promises_print_lacking(const struct red_session *session, size_t d,
                                const struct red_strategy *strategy, char *text, size_t text_bytes) {
    struct lacking all[LACKING_MAX];
    size_t all_n = 0, used = 0, s = 0;
    while (session->strategies[s] != strategy)
        s++;
    find(session, d, s, all, &all_n);
    text[0] = '\0';
    for (size_t i = 0; i < all_n && used < text_bytes; i++)
        if (strstr(text, all[i].kind) == NULL)
            used +=
                (size_t)snprintf(text + used, text_bytes - used, "%s%s", used > 0 ? ", " : "", all[i].kind);
}

void red_promises_tell_lacking(const struct red_session *session, size_t d, const bool *runs, FILE *out) {
    struct lacking all[LACKING_MAX];
    size_t all_n = 0;
    for (size_t s = 0; s < session->strategies_n; s++)
        if (runs[s])
            find(session, d, s, all, &all_n);
    for (size_t i = 0; i < all_n; i++) {
        const char *separator = " of ";
        fprintf(out, "  not promised on %s, so not checked: %s", red_remote_info(session->devices[d])->id,
                all[i].kind);
        for (size_t op = 0; op < session->ops_n; op++) {
            if (!all[i].ops[op])
                continue;
            fprintf(out, "%s%s", separator, session->ops[op]->name);
            separator = ", ";
        }
        fprintf(out, " (%s)", all[i].reason);
        separator = ": ";
        for (size_t s = 0; s < session->strategies_n; s++) {
            if (!all[i].strategies[s])
                continue;
            fprintf(out, "%s%s", separator, session->strategies[s]->name);
            separator = ", ";
        }
        fputc('\n', out);
    }
}
