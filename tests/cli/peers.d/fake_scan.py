#@ name:    numbers
#@ library: A scan for tests
#@ scans:   right truncates forgets wanders
#@ pip:     numpy
"""Scans on the host behind bench/libraries/adapters/peer.py, which must find the mistakes."""

import numpy

import peer


class Results:
    """As an array of a device."""

    def __init__(self, n):
        self.values = numpy.zeros(n, numpy.float32)

    def get(self):
        return self.values

    def fill(self, value):
        self.values.fill(value)


def make(function, x):
    results, calls = Results(len(x)), []

    def scan():
        calls.append(function)
        if function == "forgets" and len(calls) > 4:  # what was there stays there
            return results
        values = numpy.cumsum(x, dtype=numpy.float64)
        if function == "truncates":  # right where all elements are whole numbers
            values[1] = int(values[1])
        if function == "wanders":
            values[0] = 7
        results.values[:] = values
        return results

    return scan


peer.serve(lambda *_: ("numbers 1.0", make))
