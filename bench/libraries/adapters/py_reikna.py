#@ name:    reikna
#@ library: Reikna
#@ scans:   scan
#@ pip:     reikna pyopencl mako numpy
from importlib.metadata import version

import numpy
from reikna.algorithms import Scan, predicate_sum
from reikna.cluda import ocl_api
from reikna.core import Type

import peer


def open_device(*name):
    _, queue, resident = peer.open_opencl(*name)
    thread = ocl_api().Thread(queue)

    def make(_, x):
        array, results = resident(x), resident(numpy.empty_like(x))
        kernel = Scan(Type(x.dtype, x.shape), predicate_sum(x.dtype)).compile(thread)

        def scan():
            kernel(results, array)
            queue.finish()
            return results

        return scan

    return "Reikna " + version("reikna"), make


peer.serve(open_device)
