/* Kernels that show which work-groups wait for which with success; cl/progress.c builds them and makes
 * capabilities of what they leave. One item of each group takes part. Every wait ends after `limit` polls, so
 * no launch hangs. A poll is an atomic operation, since a load may be kept in a cache; whether a volatile one
 * is kept there is a question of its own. */
#define POLL(word) atomic_or((word), 0)

/* The words of `state`; zero before each launch. */
enum { GAVE_UP, DRAWN, SERVED, CLOSED, COUNTED, REPLIES };

/* Waits until the word is the value; false after too many polls, and once one group has given up after few of
 * them: groups that wait in turn for nothing would add up to a hang. */
bool await_by(volatile global uint *state, volatile global uint *word, const uint value, const uint limit,
              const bool by_volatile) {
    for (uint polls = 0; polls < limit; polls++) {
        const uint found = by_volatile ? *word : POLL(word);
        if (found == value)
            return true;
        /* A volatile load may take less time than the polls that `limit` counts: an atomic stands beside each. */
        if ((by_volatile || polls % 64 == 0) && POLL(state + GAVE_UP) && polls > limit / 64)
            return false;
    }
    atomic_xchg(state + GAVE_UP, 1);
    return false;
}
bool await(volatile global uint *state, volatile global uint *word, const uint value, const uint limit) {
    return await_by(state, word, value, limit, false);
}

/* How long polls take: nobody ever sets the word. */
kernel void progress_polls(volatile global uint *state, const uint limit) {
    if (get_local_id(0) == 0)
        await(state, state + REPLIES, 1, limit);
}

/* A ticket lock: first come, first served. */
bool lock(volatile global uint *state, const uint limit) {
    return await(state, state + SERVED, atomic_inc(state + DRAWN), limit);
}

/* Counts groups in flight together (Sorensen et al., OOPSLA 2016): a group that comes while the poll is open
 * counts itself, and ends after the poll has been closed. It closes it once nobody has come for long: for
 * `limit` polls where fewer than `expected` have come, otherwise for `brief` ones. */
kernel void progress_count(volatile global uint *state, const uint limit, const uint expected,
                           const uint brief) {
    if (get_local_id(0) > 0 || POLL(state + CLOSED) || !lock(state, limit))
        return;
    const bool is_open = !POLL(state + CLOSED);
    if (is_open)
        atomic_inc(state + COUNTED);
    atomic_inc(state + SERVED);
    if (!is_open)
        return;
    uint counted = 0, polls = 0;
    while (!POLL(state + CLOSED) && polls < (counted < expected ? limit : brief)) {
        const uint now = POLL(state + COUNTED);
        polls = now == counted ? polls + 2 : 0;
        counted = now;
    }
    if (lock(state, limit))
        atomic_xchg(state + CLOSED, 1);
    atomic_inc(state + SERVED);
}

/* Pairs of groups, one of which waits for a word of the other. Of 2 n groups those of n numbers below and of
 * n above are partners: i and i + n. Numbers are ids or tickets. The reply of pair i, word REPLIES + i, is 1
 * once the other one has come, then 2 if the waiting one has seen that. */
kernel void progress_pairs(volatile global uint *state, const uint limit, const uint by_ticket,
                           const uint lower_waits, const uint by_volatile) {
    if (get_local_id(0) > 0)
        return;
    const uint n = (uint)get_num_groups(0) / 2;
    const uint number = by_ticket ? atomic_inc(state + DRAWN) : (uint)get_group_id(0);
    volatile global uint *reply = state + REPLIES + number % n;
    if ((number < n) == (lower_waits != 0)) {
        if (await_by(state, reply, 1, limit, by_volatile))
            atomic_xchg(reply, 2);
    } else if (by_volatile) {
        *reply = 1;
    } else {
        atomic_xchg(reply, 1);
    }
}

/* A barrier over all groups: the reply of each, word REPLIES + id, is 2 if it came to its end. */
kernel void progress_barrier(volatile global uint *state, const uint limit) {
    if (get_local_id(0) > 0)
        return;
    const uint n = (uint)get_num_groups(0);
    if (atomic_inc(state + COUNTED) + 1 == n)
        atomic_xchg(state + CLOSED, 1);
    if (await(state, state + CLOSED, 1, limit))
        atomic_xchg(state + REPLIES + get_group_id(0), 2);
}
