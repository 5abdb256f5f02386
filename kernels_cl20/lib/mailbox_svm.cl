/* The mailbox in fine-grained shared virtual memory, where all that mailbox.cl takes for
 * granted is promised. To be included before it. */
#define SCOPE      memory_scope_all_svm_devices
#define WORD(word) ((volatile global atomic_uint *)red_answer + (word))
#define LOOK(word) atomic_load_explicit(WORD(word), memory_order_acquire, SCOPE)
#define HAND_OVER(value, asked)                                                                              \
    (*(global RED_A *)red_answer = (value),                                                                  \
     atomic_store_explicit(WORD(ANSWERED), (asked), memory_order_release, SCOPE))
#define LEAVE() atomic_store_explicit(WORD(LEFT), LOOK(LAUNCH), memory_order_release, SCOPE)

/* The question holds addresses: every call may be about another array, or the same one changed. */
#define ARRAY(i) ((global const RED_T *)((volatile global const ulong *)red_answer)[4 + (i)])
