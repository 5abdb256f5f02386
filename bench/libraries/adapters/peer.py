"""What adapters written in Python share; the words on the pipe are those of peer.hpp.

An adapter calls serve(open_device): open_device(platform, device, index) gives (version, make), and make(function, x) a call.
A reduction's call sums the values of the numpy array x, resident on the device, and returns the host's variable; a scan's
leaves the inclusive sums in an array of the device, waits for its end, and returns the array: one that has get() and fill().
x outlives the call.
"""

import os
import sys
import time

import numpy

TIMED_TOLERANCE = 1e-3  # as in peer.hpp


class Wrong(Exception):
    """A scan left an element that is not the sum of those up to it."""


def checked_values(n):
    """peer::checked_value of peer.hpp for all n elements."""
    x = numpy.zeros(n, numpy.float32)
    x[:: max(1, n >> 23)] = 1
    x[-1] = 1
    return x


class Server:
    def __init__(self, make, scans, path):
        self.make, self.scans, self.path, self.data, self.opened = make, scans, path, {}, {}

    def answer(self, verb, function, n, calls="0"):
        n, calls = int(n), int(calls)
        if verb == "open":
            return self.open(function, n)
        if verb == "batch":
            return self.batch(self.opened[function, n], self.data[n], calls)
        if verb == "check":
            x = checked_values(n)
            work = self.make(function, x)
            self.poison(work)
            return 0, self.judge(x, work(), 0)
        raise ValueError("not understood: " + verb)

    def open(self, function, n):
        if n not in self.data:
            self.data[n] = numpy.fromfile(self.path, numpy.float32, n)
        work = self.opened[function, n] = self.make(function, self.data[n])
        self.poison(work)
        value = work()
        shortest, start, now = 1e9, time.perf_counter(), 0
        for i in range(1000):
            before = time.perf_counter()
            if i > 0 and before - start >= 0.01:
                break
            value = work()
            shortest = min(shortest, time.perf_counter() - before)
        return shortest, self.judge(self.data[n], value, TIMED_TOLERANCE)

    def batch(self, work, x, calls):
        """As in clreduce bench (bench/shim.h), the first calls pay for what ran before, and are not timed."""
        self.poison(work)
        for _ in range(3 if calls > 1 else 1):
            value = work()
        start = time.perf_counter()
        for _ in range(calls):
            value = work()
        spent = time.perf_counter() - start
        return spent / calls, self.judge(x, value, TIMED_TOLERANCE)

    def poison(self, work):
        """Whatever is in the array of results, no call has left it."""
        if self.scans:
            work().fill(numpy.nan)

    def judge(self, x, value, tolerance):
        """The sum, given what the last call returned. Sums of up to 2^29 values are exact in a double."""
        if not self.scans:
            return value
        results, sums = value.get(), numpy.cumsum(x, dtype=numpy.float64)
        wrong = ~(abs(results - sums) <= tolerance * sums)
        if wrong.any():
            i = wrong.argmax()
            raise Wrong(f"element {i} is {results[i]:.9g} instead of {sums[i]:.9g}")
        return results[-1]


def open_opencl(platform_name, device_name, index):
    """A context and a queue of PyOpenCL's, and a function that puts a numpy array on the device: on a CPU, which uses its pages,
    it stays where it is."""
    import pyopencl
    import pyopencl.array

    device = [d for p in pyopencl.get_platforms() if p.name == platform_name for d in p.get_devices()
              if d.name == device_name][index]
    context = pyopencl.Context([device])
    queue = pyopencl.CommandQueue(context)  # it does not keep the context on every driver
    flags = pyopencl.mem_flags
    how = flags.READ_WRITE | (flags.USE_HOST_PTR if device.type & pyopencl.device_type.CPU else flags.COPY_HOST_PTR)

    def resident(x):
        buffer = pyopencl.Buffer(context, how, hostbuf=x)
        array = pyopencl.array.Array(queue, x.shape, x.dtype, data=buffer)
        array.pages = x  # they live as long
        return array

    return context, queue, resident


def serve(open_device):
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def guarded(action):
        try:
            answers.write("ok " + action() + "\n")
        except Wrong as wrong:
            answers.write(f"wrong {wrong}\n")
        except Exception as error:  # whatever a library raises is an answer
            answers.write("error " + " ".join(f"{type(error).__name__}: {error}".split()) + "\n")

    primitive, platform, device, index, path = sys.argv[1:]
    servers = []

    def start():
        version, make = open_device(platform, device, int(index))
        servers.append(Server(make, primitive == "scan", path))
        return version

    guarded(start)
    for line in sys.stdin:
        guarded(lambda: "{:.9g} {:.9g}".format(*servers[0].answer(*line.split())))
    answers.flush()
    os._exit(0)
