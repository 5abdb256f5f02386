/* Runs the tests of progress that may never end, by workers of the program:
 *     progress_tests CLREDUCE [forced]    devices that drive a display are left out unless forced */
#include <stdio.h>
#include <string.h>

#include "litmus/progress.h"

int main(int count, char **arguments) {
    if (count < 2) {
        fputs("usage: progress_tests CLREDUCE [forced]\n", stderr);
        return 4;
    }
    const char *const worker[] = {arguments[1], "worker", NULL};
    const struct red_client_program program = {.arguments = worker};
    static struct red_device_info infos[RED_CLIENTS_MAX];
    struct red_client *clients[RED_CLIENTS_MAX] = {NULL};
    struct red_error error = {.text = ""};
    struct red_process *process = NULL;
    size_t devices_n = 0;
    char without[RED_NO_DEVICE_LINES_BYTES];
    enum red_status status = red_process_create(&program, &process, &error);
    if (status == RED_OK)
        status = red_client_list_devices(&program, process, infos, &devices_n, without, &error);
    red_process_destroy(process);
    for (size_t d = 0; d < devices_n && status == RED_OK; d++)
        status = red_client_create(&program, &infos[d], NULL, &clients[d], &error);
    if (status == RED_OK)
        status = red_litmus_progress_run(clients, devices_n, count > 2, stdout, &error);
    for (size_t d = 0; d < devices_n; d++)
        red_client_destroy(clients[d]);
    if (status != RED_OK)
        fprintf(stderr, "progress_tests: %s\n", error.text);
    return status == RED_OK ? 0 : 1;
}
