/* Chooses the check of a file of verify that `reproduce FILE` is about; cli/cmd_reproduce.c has read the
 * file. */
#include "core/select.h"
#include "reproduce/reproduce.h"

/* Whether the list of the user is empty, or has the size. */
static bool has_size(const struct red_sizes *sizes, uint64_t size) {
    bool found = sizes->n == 0;
    for (size_t i = 0; i < sizes->n; i++)
        found = found || sizes->values[i] == size;
    return found;
}

/* Whether --strategy, --op, --type, --n, --wg and --groups let the check pass. */
static bool is_selected(const struct red_verify_check *check, const struct red_selection *selection) {
    return red_at_is_chosen(&check->at, selection->strategy, selection->op, selection->type) &&
           has_size(&selection->n, check->at.n) && has_size(&selection->wg, check->at.asked.group_size) &&
           has_size(&selection->groups, check->at.asked.groups_n);
}

const struct red_verify_check *red_reproduce_choose_check(const struct red_verify_file *file,
                                                          const struct red_selection *selection,
                                                          const char **device) {
    const struct red_verify_check *chosen = NULL;
    for (size_t d = 0; d < file->result.run.devices_n; d++) {
        const char *id = file->result.run.devices[d].info.id;
        if (selection->device != NULL && !red_select_matches(selection->device, id))
            continue;
        for (size_t i = 0; i < file->devices[d].checks_n; i++) {
            const struct red_verify_check *check = &file->devices[d].checks[i];
            if (!red_state_is_worse(check->state, chosen != NULL ? chosen->state : RED_STATE_PASS) ||
                !is_selected(check, selection))
                continue;
            chosen = check;
            *device = id;
        }
    }
    return chosen;
}
