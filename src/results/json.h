/* Values of JSON that jansson would refuse: they are repaired, or null. What there was no memory for is NULL,
 * which jansson's functions hand on. */
#ifndef CLREDUCE_RESULTS_JSON_H
#define CLREDUCE_RESULTS_JSON_H

#include <jansson.h>
#include <stdint.h>

/* Text that is no UTF-8, such as a path or a reason that was cut, is repaired; an empty one is null. */
json_t *red_json_text(const char *value);

/* A number; null where it is not finite. `positive`: null, too, where it is not above 0. */
json_t *red_json_real(double value);
json_t *red_json_positive(double value);

json_t *red_json_integer(uint64_t value);

/* The same; null for 0, which is what nobody chose. */
json_t *red_json_chosen(uint64_t value);

#endif
