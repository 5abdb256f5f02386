/* One test of progress between groups, without a limit: what never ends must be killed. The steps of the
 * roles are data (model/progress.h), so that all tests are one kernel. Instances of the test lie over all
 * groups: those of the lowest numbers have role 0, of the next role 1. Numbers are ids, or tickets in the
 * order in which groups start. state: tickets drawn, groups that have ended, a word for each instance. */
enum { TICKETS, ENDED, WORDS };
enum operation { END, STORE, LOAD, EXCHANGE };
enum { STEPS_MAX = 4 };

kernel void progress_test(volatile global uint *state, global const uint *steps, const uint roles_n,
                          const uint by_ticket) {
    const uint n = (uint)get_num_groups(0) / roles_n;
    const uint number = by_ticket ? atomic_inc(state + TICKETS) : (uint)get_group_id(0);
    global const uint *role = steps + STEPS_MAX * (number / n);
    volatile global uint *word = state + WORDS + number % n;
    for (uint at = 0; at < STEPS_MAX && role[at] >> 24 != END;) {
        const uint value = role[at] >> 16 & 0xff, compared = role[at] >> 8 & 0xff, next = role[at] & 0xff;
        const uint found = role[at] >> 24 == LOAD ? atomic_or(word, 0) : atomic_xchg(word, value);
        at = found == compared ? next : at + 1;
    }
    atomic_inc(state + ENDED);
}
