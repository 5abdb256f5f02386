/* Values of groups in words of 64 bits, from the fifth word of the counter (RED_COUNTER) on: the upper half
 * of each is 1 where the lower one has a part of a value. One store brings both, so no fence has to order two
 * (need word_publication). Who takes a value leaves zeros, as they stood there: no launch has to clear
 * anything. */
#define PARTS_N              (RED_WORD_BITS == 0 ? 4 : RED_WORD_BITS / 32)
#define PART_AT(group, part) ((volatile global ulong *)counter)[2 + PARTS_N * (group) + (part)]
typedef union {
    RED_A value;
    uint parts[PARTS_N];
} value_parts;

void publish(global uint *counter, const uint group, const RED_A value) {
    value_parts published;
    published.value = value;
    for (uint part = 0; part < PARTS_N; part++)
        PART_AT(group, part) = 1ul << 32 | published.parts[part];
}

/* Whether all of a group's value is there. */
bool find_published(global uint *counter, const uint group, private value_parts *published) {
    bool is_there = true;
    for (uint part = 0; part < PARTS_N; part++) {
        const ulong word = PART_AT(group, part);
        published->parts[part] = (uint)word;
        is_there = is_there && word >> 32 != 0;
    }
    return is_there;
}

/* An item's share of what the other groups have published, or do now, with `own` in the place of its group's:
 * 4 loads in flight, again and again until all are there. */
#define TAKEN_N 4
RED_A item_published(global uint *counter, const RED_A own) {
    const uint groups_n = (uint)get_num_groups(0), own_group = (uint)get_group_id(0);
    RED_A all = RED_IDENTITY;
    for (uint i = (uint)get_local_id(0); i < groups_n; i += TAKEN_N * RED_GROUP_SIZE) {
        value_parts found[TAKEN_N];
        bool is_there;
        do {
            is_there = true;
            for (uint j = 0, group = i; j < TAKEN_N; j++, group += RED_GROUP_SIZE)
                if (group < groups_n && group != own_group && !find_published(counter, group, &found[j]))
                    is_there = false;
        } while (!is_there);
        for (uint j = 0, group = i; j < TAKEN_N && group < groups_n; j++, group += RED_GROUP_SIZE) {
            all = RED_COMBINE(all, group == own_group ? own : found[j].value);
            for (uint part = 0; part < PARTS_N; part++)
                PART_AT(group, part) = 0;
        }
    }
    return all;
}
