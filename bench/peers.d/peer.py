"""What adapters written in Python share; the words on the pipe are those of peer.hpp.

An adapter calls serve(functions, open_device): open_device(platform, device, index) gives (version, make), and
make(function, x) a call that sums the values of the numpy array x, resident on the device, and returns the host's
variable. x outlives the call.
"""

import os
import sys
import time

import numpy


def checked_values(n):
    """peer::checked_value of peer.hpp for all n elements."""
    x = numpy.zeros(n, numpy.float32)
    x[:: max(1, n >> 23)] = 1
    x[-1] = 1
    return x


class Server:
    def __init__(self, make, path):
        self.make, self.path, self.data, self.opened = make, path, {}, {}

    def answer(self, verb, function, n, calls="0"):
        n, calls = int(n), int(calls)
        if verb == "open":
            return self.open(function, n)
        if verb == "batch":
            return self.batch(self.opened[function, n], calls)
        if verb == "check":
            return 0, self.make(function, checked_values(n))()
        raise ValueError("not understood: " + verb)

    def open(self, function, n):
        if n not in self.data:
            self.data[n] = numpy.fromfile(self.path, numpy.float32, n)
        reduce = self.opened[function, n] = self.make(function, self.data[n])
        value = reduce()
        shortest, start, now = 1e9, time.perf_counter(), 0
        for i in range(1000):
            before = time.perf_counter()
            if i > 0 and before - start >= 0.01:
                break
            value = reduce()
            shortest = min(shortest, time.perf_counter() - before)
        return shortest, value

    @staticmethod
    def batch(reduce, calls):
        """As in clreduce bench (bench/shim.h), the first calls pay for what ran before, and are not timed."""
        value = 0
        for _ in range(3 if calls > 1 else 1):
            value = reduce()
        start = time.perf_counter()
        for _ in range(calls):
            value = reduce()
        return (time.perf_counter() - start) / calls, value


def serve(open_device):
    # What libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def guarded(action):
        try:
            answers.write("ok " + action() + "\n")
        except Exception as error:  # whatever a library raises is an answer
            answers.write("error " + " ".join(f"{type(error).__name__}: {error}".split()) + "\n")

    platform, device, index, path = sys.argv[1:]
    servers = []

    def start():
        version, make = open_device(platform, device, int(index))
        servers.append(Server(make, path))
        return version

    guarded(start)
    for line in sys.stdin:
        guarded(lambda: "{:.9g} {:.9g}".format(*servers[0].answer(*line.split())))
    answers.flush()
    os._exit(0)
