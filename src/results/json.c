#include "results/json.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/text.h"
#include "model/geometry.h"
#include "results/host.h"

json_t *red_json_text(const char *value) {
    if (value[0] == '\0')
        return json_null();
    char *repaired = red_utf8_repaired(value);
    json_t *made = repaired ? json_string(repaired) : NULL;
    if (repaired == NULL)
        red_memory_lacks();
    free(repaired);
    return made;
}

json_t *red_json_real(double value) {
    json_t *made = json_real(value);
    return made ? made : json_null();
}

json_t *red_json_positive(double value) {
    return value > 0 ? red_json_real(value) : json_null();
}

json_t *red_json_integer(uint64_t value) {
    return json_integer((json_int_t)value);
}

json_t *red_json_chosen(uint64_t value) {
    return value > 0 ? red_json_integer(value) : json_null();
}

json_t *red_json_tuning(const struct red_tuning *asked) {
    return json_pack("{s:o, s:o, s:o, s:o}", "group_size", red_json_chosen(asked->group_size), "groups",
                     red_json_chosen(asked->groups_n), "width", red_json_chosen(asked->width), "loads",
                     red_json_chosen(asked->loads));
}

static json_t *environment_json(const struct red_host *host) {
    json_t *object = json_object();
    for (size_t i = 0; i < host->environment_n; i++)
        json_object_set_new(object, host->environment[i].name, red_json_text(host->environment[i].value));
    return object;
}

json_t *red_json_host(const struct red_host *host) {
    return json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:b, s:o, s:o}", "name", red_json_text(host->name),
                     "processor", red_json_text(host->processor), "system", red_json_text(host->system),
                     "cores", (int)host->cores_n, "memory_gib", red_json_real(host->memory_gib), "load_1min",
                     red_json_real(host->load), "kept_awake", host->kept_awake, "compiler",
                     red_json_text(host->compiler), "environment", environment_json(host));
}
