#include "record/json.h"

#include <stdlib.h>

#include "record/host.h"
#include "record/utf8.h"

json_t *red_json_text(const char *value) {
    char *repaired = value[0] != '\0' ? red_utf8_repaired(value) : NULL;
    json_t *made = repaired ? json_string(repaired) : NULL;
    free(repaired);
    return made ? made : json_null();
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

/* Settings from outside that change how drivers and OpenMP work, as far as they are set. */
static json_t *environment_json(void) {
    static const char *const names[] = {
        "POCL_AFFINITY",
        "POCL_MAX_PTHREAD_COUNT",
        "POCL_DEVICES",
        "POCL_MEMORY_LIMIT",
        "CL_CONFIG_CPU_TARGET_ARCH",
        "CL_CONFIG_CPU_TBB_NUM_WORKERS",
        "CL_CONFIG_USE_TRAPPING",
        "DPCPP_CPU_NUM_CUS",
        "DPCPP_CPU_PLACES",
        "DPCPP_CPU_CU_AFFINITY",
        "DPCPP_CPU_SCHEDULE",
        "SYCL_CPU_PLACES",
        "SYCL_CPU_CU_AFFINITY",
        "SYCL_CPU_SCHEDULE",
        "OMP_NUM_THREADS",
        "OMP_PROC_BIND",
        "OMP_PLACES",
        "OMP_WAIT_POLICY",
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]) != NULL)
            json_object_set_new(object, names[i], red_json_text(getenv(names[i])));
    return object;
}

json_t *red_json_host(const struct red_host *host) {
    return json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:b, s:o, s:o}", "name", red_json_text(host->name),
                     "processor", red_json_text(host->processor), "system", red_json_text(host->system),
                     "cores", (int)host->cores_n, "memory_gib", red_json_real(host->memory_gib), "load_1min",
                     red_json_real(host->load), "kept_awake", host->kept_awake, "compiler",
                     red_json_text(host->compiler), "environment", environment_json());
}
