#@ name:      pyopencl
#@ library:   PyOpenCL
#@ functions: array_sum reduction
#@ scans:     inclusive_scan
#@ pip:       pyopencl mako numpy
import numpy
import pyopencl
import pyopencl.array
import pyopencl.reduction
import pyopencl.scan

import peer


def open_device(*name):
    context, queue, resident = peer.open_opencl(*name)
    kernel = pyopencl.reduction.ReductionKernel(context, numpy.float32, neutral="0", reduce_expr="a+b",
                                                map_expr="x[i]", arguments="__global const float *x")
    scan = pyopencl.scan.InclusiveScanKernel(context, numpy.float32, "a+b", neutral="0")

    def make(function, x):
        array = resident(x)

        def array_sum():
            return float(pyopencl.array.sum(array, queue=queue).get())

        def reduction():
            return float(kernel(array, queue=queue).get())

        if function != "inclusive_scan":
            return {"array_sum": array_sum, "reduction": reduction}[function]
        results = resident(numpy.empty_like(x))

        def inclusive_scan():
            scan(array, results, queue=queue)
            queue.finish()
            return results

        return inclusive_scan

    return "PyOpenCL " + pyopencl.VERSION_TEXT, make


peer.serve(open_device)
