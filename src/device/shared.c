#include "device/shared.h"

#include <stdatomic.h>

#include "model/clock.h"

static cl_device_svm_capabilities capabilities_of(const struct red_device *device) {
    cl_device_svm_capabilities capabilities = 0;
    (void)clGetDeviceInfo(device->cl_device, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities,
                          NULL);
    return capabilities;
}

bool red_shared_is_coarse(const struct red_device *device) {
    return !(capabilities_of(device) & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
}

void *red_shared_alloc(const struct red_device *device, enum red_shared_kind kind, size_t bytes) {
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
    if (kind == RED_SHARED_ATOMIC)
        flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    else if (!red_shared_is_coarse(device))
        flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
    return device->newer.svm_alloc(device->context, flags, bytes, 0);
}

cl_int red_shared_buffer(const struct red_device *device, void *memory, size_t bytes, cl_mem *buffer) {
    cl_int code;
    *buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory, &code);
    return code;
}

/* Leaves more of a core to whom it is shared with. */
static void spin_once(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Spinning pays while it takes less than waking a sleeper: a few microseconds. Beyond that it takes a core
 * from the kernel on a CPU device, or from others on a busy machine. */
static const double spin_max_s = 30e-6;
enum { SPINS_PER_LOOK = 64 };

static bool is_set(uint32_t *flag) {
    return atomic_load_explicit((_Atomic uint32_t *)flag, memory_order_acquire) != 0;
}

cl_int red_shared_await(cl_command_queue queue, uint32_t *flag) {
    cl_int code = clFlush(queue);
    const double start_s = red_clock_s();
    for (unsigned spins = 1; code == CL_SUCCESS && !is_set(flag); spins++) {
        spin_once();
        if (spins % SPINS_PER_LOOK != 0 || red_clock_s() - start_s < spin_max_s)
            continue;
        code = clFinish(queue);
        if (code == CL_SUCCESS && !is_set(flag))
            code = CL_INVALID_OPERATION;
    }
    atomic_store_explicit((_Atomic uint32_t *)flag, 0, memory_order_relaxed);
    return code;
}
