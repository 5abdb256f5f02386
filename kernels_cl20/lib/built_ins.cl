/* What OpenCL 2.x has for a group, where it has it. */
#ifdef cl_khr_work_group_uniform_arithmetic
#pragma OPENCL EXTENSION cl_khr_work_group_uniform_arithmetic : enable
#endif
/* The operation's work-group built-in (OpenCL C 3.0, 6.15.16); every item of the group must call it. */
#if defined(RED_NAMED_) && __OPENCL_C_VERSION__ >= 200
#define RED_WG_REDUCE(value) RED_NAMED_(work_group_reduce_, )(value)
#endif

/* The pipe of a kernel that needs pipes, its last parameter: `RED_PIPE partials`. */
#if RED_PASS == 0
#define RED_PIPE write_only pipe RED_A
#else
#define RED_PIPE read_only pipe RED_A
#endif
