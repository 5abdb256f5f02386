/* The blanks of NAME.c that depend on how the strategy finishes: what the host prepares, launches and reads.
 * emit.c asks for them; the user sees only what this finish needs. */
#include "emit/private.h"

/* Sets the blanks of what the host does with what kernels leave: reads it, or has it already; one value or
 * many. `finish` is the strategy's. */
static void set_read_blanks(struct red_blanks *blanks, enum red_finish_kind finish) {
    const bool passes = finish == RED_STRATEGY_PASSES, many = finish == RED_STRATEGY_HOST;
    red_blanks_set_flag(blanks, "MANY", many || finish == RED_STRATEGY_SVM);
    red_blanks_set_flag(blanks, "READ_MANY", many);
    red_blanks_set_flag(blanks, "READS", finish != RED_STRATEGY_SVM && finish != RED_STRATEGY_POLLED);
    red_blanks_set(blanks, "READ_BYTES", "%s",
                   many ? "(size_t)reduction->partials_n * sizeof *reduction->partials"
                        : "sizeof reduction->partial");
    red_blanks_set(blanks, "READ_TO", "%s", many ? "reduction->partials" : "&reduction->partial");
    red_blanks_set(blanks, "FROM", "%s",
                   passes                               ? "from"
                   : finish == RED_STRATEGY_TWO_KERNELS ? "reduction->out[1]"
                                                        : "reduction->out");
    red_blanks_set(blanks, "FROM_PARAMETER", "%s", passes ? ", cl_mem from" : "");
    red_blanks_set(blanks, "FROM_ARGUMENT", "%s", passes ? ", last" : "");
    red_blanks_set(blanks, "LAST_PARAMETER", "%s", passes ? ", cl_mem *last" : "");
    red_blanks_set(blanks, "LAST_ARGUMENT", "%s", passes ? ", &last" : "");
}

/* Sets the blanks of what stands before a launch: the first step, and which others follow. */
static void set_step_blanks(struct red_blanks *blanks, enum red_finish_kind finish, bool has_room,
                            bool has_counter) {
    const bool atomic = finish == RED_STRATEGY_ATOMIC, svm = finish == RED_STRATEGY_SVM;
    const char *first = has_room      ? "reserve(reduction, groups)"
                        : has_counter ? "reduction->is_cleared ? CL_SUCCESS : clear_counter(reduction, order)"
                        : atomic      ? "write_identity(reduction, order)"
                        : svm         ? "await_unmapping(reduction, order)"
                                      : "";
    red_blanks_set(blanks, "FIRST_STEP", "%s", first);
    red_blanks_set_flag(blanks, "PREPARES", first[0] != '\0');
    red_blanks_set_flag(blanks, "COUNTER_NEXT", has_counter && has_room);
    red_blanks_set_flag(blanks, "IDENTITY_NEXT", atomic && has_counter);
    red_blanks_set_flag(blanks, "UNMAPPING_NEXT", svm && (has_room || has_counter));
}

/* Called by emit.c when the text of the kernel is there. */
void red_blanks_set_finish(struct red_blanks *blanks, const struct red_emission *emission,
                           const char *second_name, bool has_counter) {
    const struct red_strategy *strategy = emission->strategy;
    enum red_finish_kind finish = strategy->finish;
    const bool has_room = strategy->span == RED_STRATEGY_EACH && finish != RED_STRATEGY_ATOMIC;
    red_blanks_set_flag(blanks, "SVM", finish == RED_STRATEGY_SVM);
    red_blanks_set_flag(blanks, "PASSES", finish == RED_STRATEGY_PASSES);
    red_blanks_set_flag(blanks, "ATOMIC", finish == RED_STRATEGY_ATOMIC);
    red_blanks_set_flag(blanks, "POLLED", finish == RED_STRATEGY_POLLED);
    red_blanks_set_flag(blanks, "COUNTER", has_counter);
    red_blanks_set_flag(blanks, "ROOM", has_room);
    red_blanks_set(blanks, "ROOM_WORDS", "%s", has_room ? "`room` work-groups" : "the work-groups");
    set_step_blanks(blanks, finish, has_room, has_counter);
    red_blanks_set(blanks, "SECOND", "%s", second_name);
    red_blanks_set(blanks, "COUNTER_PARAMETER", has_counter ? "struct %s *reduction, " : "", emission->name);
    red_blanks_set(blanks, "COUNTER_ARGUMENT", "%s", has_counter ? "reduction, " : "");
    red_blanks_set_flag(blanks, "NEW", strategy->standard == RED_STANDARD_CL20);
    set_read_blanks(blanks, finish);
}
