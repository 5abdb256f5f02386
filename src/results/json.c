#include "results/json.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/text.h"

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
