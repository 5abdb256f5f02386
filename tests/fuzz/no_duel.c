/* Stands for what runs a duel, so that src/gate/duel.c links; no target runs one. */
#include <stdlib.h>

#define NOT_RUN(name)                                                                                        \
    void name(void);                                                                                         \
    void name(void) {                                                                                        \
        abort();                                                                                             \
    }

NOT_RUN(red_session_resolve_names)
NOT_RUN(red_session_close)
NOT_RUN(red_session_check_group_sizes)
NOT_RUN(red_duel_side_open)
NOT_RUN(red_duel_sides_make_matched_clients)
NOT_RUN(red_client_info)
NOT_RUN(red_loop_make_workloads)
NOT_RUN(red_loop_set_up)
NOT_RUN(red_loop_run)
NOT_RUN(red_loop_close)
