/* The launch of --shape changed, which stores other elements in the plan's array before each reduction
 * (worker/prepared.c). It is in the reduction's time; what fails is the reason of the cell. */
#include <stdlib.h>

#include "cl/finish.h"
#include "model/computed.h"

/* Builds the launch's kernel, whose text is no strategy's. */
static enum red_status make_kernel(struct red_plan *plan, struct red_error *error) {
    const struct red_embedded *embedded = red_embedded_find("lib/change_elements.cl");
    const struct red_strategy text_alone = {.path = embedded->path, .text = embedded->text};
    const size_t wanted = 256, most = plan->device->info.shape.group_size_max;
    plan->change.group_size = wanted < most ? wanted : most;
    const struct red_build_spec build = {.strategy = &text_alone,
                                         .dtype = plan->dtype,
                                         .op = red_op_find("sum"), /* whose accumulator holds any element */
                                         .group_size = plan->change.group_size,
                                         .is_computed = true};
    char *text = NULL;
    enum red_status status = red_source_text(&build, &text, error);
    if (status == RED_OK)
        status = red_kernel_make(plan->device, embedded->path, text, RED_CL12, "change", &plan->change.kernel,
                                 error);
    free(text);
    return status;
}

/* The data set's own arrays are for reading. Each run stores every element before it reads one, so all plans
 * over a data set share one array; the last that holds it releases it. */
enum red_status red_plan_make_changeable(struct red_plan *plan, struct red_resident *resident,
                                         struct red_error *error) {
    struct red_resident seen = *resident;
    cl_int code = CL_SUCCESS;
    if (red_strategy_finish_has(plan->strategy, RED_FINISH_WAITS))
        return red_fail(error, RED_E_UNSUPPORTED,
                        "the launch that waits for calls would have to end before another one may change the "
                        "array");
    for (unsigned array = 0; array < plan->op->arrays && code == CL_SUCCESS; array++) {
        cl_mem *changed = &resident->changed[array];
        if (*changed == NULL)
            *changed = clCreateBuffer(plan->device->context, CL_MEM_READ_WRITE, resident->input->array_bytes,
                                      NULL, &code);
        if (code == CL_SUCCESS)
            code = clRetainMemObject(*changed);
        if (code == CL_SUCCESS)
            seen.buffers[array] = plan->change.arrays[array] = *changed;
    }
    enum red_status status = red_cl_check(code, "clCreateBuffer for the array that changes", error);
    if (status == RED_OK)
        status = make_kernel(plan, error);
    return status == RED_OK ? red_plan_set_resident(plan, &seen, error) : status;
}

enum red_status red_plan_change_elements(struct red_plan *plan, const struct red_element_form *form,
                                         struct red_error *error) {
    const size_t group_size = plan->change.group_size;
    const cl_ulong n = plan->n, first = 0;
    cl_int code = CL_SUCCESS;
    for (unsigned array = 0; array < plan->op->arrays && plan->n > 0 && code == CL_SUCCESS; array++) {
        const cl_ulong seeds = form->seeds[array];
        const struct red_cl_argument arguments[] = {{sizeof seeds, &seeds},
                                                    {sizeof first, &first},
                                                    {sizeof form->shift, &form->shift},
                                                    {sizeof form->offset, &form->offset},
                                                    {sizeof form->scale, &form->scale},
                                                    {sizeof n, &n},
                                                    {sizeof(cl_mem), &plan->change.arrays[array]}};
        code = red_cl_launch_with(plan->device->queue, plan->change.kernel, arguments, 7,
                                  red_ceil_div(n, group_size), group_size, NULL);
    }
    return red_cl_check(code, "changing the array", error);
}
