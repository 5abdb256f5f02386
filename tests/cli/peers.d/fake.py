#@ name:      fake
#@ library:   A library for tests
#@ functions: right loses_last wanders refuses dies
"""Speaks the words of bench/libraries/adapters/peer.hpp, sums on the host, and makes the mistakes that bench/libraries/peers must name."""

import array
import os
import sys
import time

path = sys.argv[5]
print("ok fake 1.0", flush=True)
for line in sys.stdin:
    verb, function, n, *calls = line.split()
    n = int(n)
    if verb == "check":
        step = max(1, n >> 23)
        values = [1.0 if i % step == 0 or i + 1 == n else 0.0 for i in range(n)]
    else:
        with open(path, "rb") as file:
            values = array.array("f", file.read(4 * n))
    start = time.perf_counter()
    total = sum(values[:-1] if function == "loses_last" else values)
    spent = time.perf_counter() - start
    if function == "wanders" and verb == "batch":
        total *= 1.01
    if function == "refuses":
        print("error this sum is refused", flush=True)
        continue
    if function == "dies" and n > 1024:
        os._exit(9)
    print(f"ok {spent:.9g} {total:.9g}", flush=True)
