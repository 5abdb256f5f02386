#define _DEFAULT_SOURCE /* usleep */
/* clreduce: the table of verbs, of which each is a file cmd_*.c; the hidden verb `worker`; signals, and the
 * exit status. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/each_rank.h"
#include "cli/options.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/memory.h"
#include "core/text.h"
#include "ranks/ranks.h"
#include "worker/client.h"
#include "worker/server.h"

/* ---- worker ----------------------------------------------------------------------------------------------
 * The verb `worker`, for the program itself: answers what another clreduce asks of a driver. */

/* Answers worker/client.c, with the user's --kernel files; the sessions of verbs and duel start it. */
static enum red_status run_worker(const struct red_options *options, struct red_error *error) {
    return red_worker_serve(options->selection.kernels, options->selection.kernels_n, error);
}

static const struct red_verb red_verb_worker = {
    .name = "worker",
    .options = RED_BIT(KERNEL),
    .documentation = "Works with one device's driver, apart; clreduce starts this itself.",
    .run = run_worker,
};

extern const struct red_verb red_verb_devices, red_verb_strategies, red_verb_verify, red_verb_bench,
    red_verb_compare, red_verb_report, red_verb_recommend, red_verb_emit, red_verb_duel, red_verb_once,
    red_verb_manual, red_verb_reproduce, red_verb_litmus;

const struct red_verb *const red_verbs[] = {
    &red_verb_devices, &red_verb_strategies, &red_verb_verify, &red_verb_bench,     &red_verb_compare,
    &red_verb_report,  &red_verb_recommend,  &red_verb_emit,   &red_verb_reproduce, &red_verb_duel,
    &red_verb_litmus,  &red_verb_once,       &red_verb_manual, &red_verb_worker,
};
const size_t red_verbs_n = sizeof red_verbs / sizeof red_verbs[0];

static void print_help(FILE *out) {
    fputs("Usage: clreduce VERB [OPTION...]\n"
          "Parallel reductions, scans and histograms in OpenCL 1.x and 2.x side by side: right first, then "
          "fast.\n\n",
          out);
    for (size_t i = 0; i < red_verbs_n; i++)
        if (red_verbs[i]->summary != NULL)
            fprintf(out, "  %-11s %s\n", red_verbs[i]->name, red_verbs[i]->summary);
    fputs("\nclreduce VERB --help tells the options of a verb.\nExample: clreduce bench --device pocl\n",
          out);
}

/* Whether the standard output is a pipe that nobody reads any more. */
static bool is_stdout_reader_gone(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/* Keeps the numbers of standard streams that are closed from files and sockets, into which others would
 * write. What is opened in their place fails as they do. */
static void fill_closed_streams(void) {
    static const int ways[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void)!open("/dev/null", ways[stream]);
}

/* Runs at exit: an output that could not be written is an error, also that of --help and --version. */
static void flush_at_exit(void) {
    int reason = red_stream_flush_errno(stdout);
    if (reason == 0 || is_stdout_reader_gone())
        return;
    fprintf(stderr, "clreduce: cannot write the standard output: %s\n",
            reason > 0 ? strerror(reason) : "is the disk full?");
    _exit(red_exit_status_of(RED_E_INPUT));
}

static enum red_status fail_unknown_verb(const char *name, struct red_error *error) {
    char names[256] = "";
    for (size_t i = 0; i < red_verbs_n; i++)
        if (red_verbs[i]->summary != NULL)
            red_text_add(names, sizeof names, "%s%s", names[0] ? ", " : "", red_verbs[i]->name);
    return red_fail(error, RED_E_INPUT, "unknown verb '%.64s'; expected one of %s", name, names);
}

/* Reads the options of the verb argv[1], judges their files, runs the verb, flushes the standard output. */
static enum red_status run_verb(int argc, char **argv, struct red_error *error) {
    for (size_t i = 0; i < red_verbs_n; i++) {
        if (strcmp(argv[1], red_verbs[i]->name) != 0)
            continue;
        struct red_options options;
        enum red_status status = red_options_parse(red_verbs[i], argc - 1, argv + 1, &options, error);
        options.selection.program = argv[0];
        if (status == RED_OK)
            status = red_options_check_distinct_files(&options, error);
        /* What measures, or asks a driver through a worker, ends that first. */
        bool asks = red_verbs[i]->files != NULL && options.files_n == 0;
        red_interrupt_set_at_once(red_verbs[i]->ends_at_once && !asks);
        if (status == RED_OK)
            status = options.ranks.each ? red_verb_run_on_each_rank(&options, error)
                                        : red_verbs[i]->run(&options, error);
        /* No driver is to blame for what there was no memory to ask it, or to hear. */
        if ((status == RED_OK || red_exit_status_of(status) == red_exit_status_of(RED_E_DEVICE)) &&
            red_memory_check(error) != RED_OK)
            status = RED_E_MEMORY;
        /* What could not be written for that reason is no bad input. */
        if (status == RED_E_INPUT && ferror(stdout) && is_stdout_reader_gone())
            status = RED_OK;
        int reason = red_stream_flush_errno(stdout);
        if (reason != 0 && status == RED_OK)
            status = is_stdout_reader_gone()
                         ? red_fail(error, RED_E_PIPE, "nobody reads the standard output any more")
                         : red_fail(error, RED_E_INPUT, "cannot write the standard output: %s",
                                    reason > 0 ? strerror(reason) : "is the disk full?");
        if (ferror(stdout)) { /* that is told */
            __fpurge(stdout);
            clearerr(stdout);
        }
        red_options_clear(&options);
        return status;
    }
    return fail_unknown_verb(argv[1], error);
}

int main(int argc, char **argv) {
    fill_closed_streams();
    signal(SIGPIPE, SIG_IGN); /* a child that ends, or a reader, is an error like others, */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not grow further */
    signal(SIGCHLD, SIG_DFL); /* how a child ended is not told where this was started with it ignored */
    atexit(flush_at_exit);
    red_memory_handle_failures();
    if (argc < 2 || strcmp(argv[1], "worker") != 0) {
        red_interrupt_handle_signals();
        red_scratch_sweep();
    }
    red_drivers_use_beside_program();
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("clreduce " CLREDUCE_VERSION);
        return 0;
    }
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(argc < 2 ? stderr : stdout);
        return argc < 2 ? red_exit_status_of(RED_E_INPUT) : 0;
    }
    struct red_error error = {.text = ""};
    enum red_status status = run_verb(argc, argv, &error);
    status = red_interrupt_settle(status, !error.told, &error);
    if (status == RED_E_PIPE && red_interrupted())
        status = red_fail(&error, RED_E_INTERRUPTED, "interrupted");
    if (status != RED_OK && !error.told && red_ranks_is_not_first()) {
        usleep(2500000); /* where it is rank 0's error, too, that one tells it, and mpirun ends this one */
        error.told = red_interrupted();
    }
    if (status != RED_OK && status != RED_E_PIPE && !error.told) /* "| head" has what it wanted */
        fprintf(stderr, "clreduce: %s\n",
                error.text[0] != '\0' ? error.text
                                      : "it ended early, and nothing said why: a fault of clreduce");
    return red_exit_status_of(status);
}
