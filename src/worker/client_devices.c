#include <string.h>

#include "core/words.h"
#include "worker/client_private.h"
#include "worker/protocol.h"

enum red_status red_client_list(const struct red_client_program *program, struct red_process *process,
                                struct red_device_info infos[RED_CLIENTS_MAX], size_t *infos_n,
                                char empty[RED_EMPTY_BYTES], struct red_error *error) {
    json_t *answer = NULL;
    enum red_status status = RED_OK;
    for (int tries = 0; tries < 3; tries++) {
        status = red_client_ask_process(process, json_pack("{s:s}", "do", "list"),
                                        red_client_program_patience_s(program),
                                        "being asked what devices there are", &answer, error);
        if (status != RED_E_CRASHED || !red_process_was_killed(process))
            break;
    }
    const json_t *devices = json_object_get(answer, "devices");
    json_int_t protocol = json_integer_value(json_object_get(answer, "protocol"));
    if (status == RED_OK && protocol != RED_PROTOCOL_VERSION)
        status = red_fail(
            error, RED_E_INPUT,
            "%s is of a version that this program cannot work with (protocol %lld, not %d): build both from "
            "versions closer to each other",
            program->arguments[0], (long long)protocol, RED_PROTOCOL_VERSION);
    *infos_n = 0;
    for (size_t i = 0; i < json_array_size(devices) && *infos_n < RED_CLIENTS_MAX; i++)
        *infos_n += red_protocol_read_info(json_array_get(devices, i), &infos[*infos_n]);
    const char *lines = json_string_value(json_object_get(answer, "empty"));
    if (empty != NULL)
        snprintf(empty, RED_EMPTY_BYTES, "%s", lines ? lines : "");
    json_decref(answer);
    return status;
}

enum red_status red_client_strategies(const struct red_client_program *program, struct red_process *process,
                                      json_t **names, struct red_error *error) {
    json_t *answer = NULL;
    enum red_status status = red_client_ask_process(process, json_pack("{s:s}", "do", "catalogue"),
                                                    red_client_program_patience_s(program),
                                                    "being asked what it knows", &answer, error);
    *names = json_incref(json_object_get(answer, "strategies"));
    json_decref(answer);
    return status;
}

void red_client_print_left_out(const struct red_client_program *program, FILE *out) {
    struct red_process *process = NULL;
    json_t *answer = NULL;
    if (red_process_create(program->arguments, program->environment, program->patience_s, &process, NULL) !=
        RED_OK)
        return;
    (void)red_client_ask_process(process, json_pack("{s:s}", "do", "left_out"),
                                 red_client_program_patience_s(program), "loading what the loader has not",
                                 &answer, NULL);
    const char *lines = json_string_value(json_object_get(answer, "left_out"));
    red_plain_print(out, lines ? lines : "", lines ? strlen(lines) : 0);
    json_decref(answer);
    red_process_destroy(process);
}
