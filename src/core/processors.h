/* The time that processors worked, for whom ever, and that this process and its children used of it: others
 * took the rest. Read from /proc/stat and /proc/PID/stat (Linux, proc_stat(5) and proc_pid_stat(5), in ticks
 * of sysconf(_SC_CLK_TCK)) and by getrusage(2). */
#ifndef CLREDUCE_CORE_PROCESSORS_H
#define CLREDUCE_CORE_PROCESSORS_H

/* In seconds since the machine was started, summed over all processors that this process may use. The system
 * counts in steps of a tick, 0.01 s. */
struct red_processor_times {
    double all_s;  /* idle or not; 0: the system does not tell, as where there is no /proc/stat */
    double busy_s; /* of these worked for anybody, or taken by the hypervisor for other machines */
    double own_s;  /* of this process and its children, ended or not, and theirs */
};

/* Reads them now. Never fails: what cannot be read counts as 0. It looks at each process of the machine once.
 */
void red_processor_times_find(struct red_processor_times *times);

/* Seconds that others took of the processors between the two, from 0 to all of them. */
double red_processor_times_others_s(const struct red_processor_times *begin,
                                    const struct red_processor_times *end);

#endif
