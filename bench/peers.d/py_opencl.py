#@ name:      pyopencl
#@ library:   PyOpenCL
#@ functions: array_sum reduction
#@ pip:       pyopencl mako numpy
import numpy
import pyopencl
import pyopencl.array
import pyopencl.reduction

import peer


def open_device(platform_name, device_name, index):
    devices = [d for p in pyopencl.get_platforms() if p.name == platform_name for d in p.get_devices()
               if d.name == device_name]
    device = devices[index]
    context = pyopencl.Context([device])
    queue = pyopencl.CommandQueue(context)
    on_host = device.type & pyopencl.device_type.CPU
    flags = pyopencl.mem_flags
    how = flags.READ_WRITE | (flags.USE_HOST_PTR if on_host else flags.COPY_HOST_PTR)
    kernel = pyopencl.reduction.ReductionKernel(context, numpy.float32, neutral="0", reduce_expr="a+b",
                                                map_expr="x[i]", arguments="__global const float *x")

    def make(function, x):
        buffer = pyopencl.Buffer(context, how, hostbuf=x)
        array = pyopencl.array.Array(queue, x.shape, x.dtype, data=buffer)
        keep = x  # the device reads its pages

        def array_sum():
            return float(pyopencl.array.sum(array, queue=queue).get()) if keep is not None else 0

        def reduction():
            return float(kernel(array, queue=queue).get())

        return {"array_sum": array_sum, "reduction": reduction}[function]

    return "PyOpenCL " + pyopencl.VERSION_TEXT, make


peer.serve(open_device)
