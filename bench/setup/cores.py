#!/usr/bin/env python3
"""The cores that this process may use, of which each can have several processors (hardware threads): Open MPI's PE are cores.

  python3 bench/setup/cores.py      prints how many
"""
import os
import pathlib

SYSTEM = pathlib.Path("/sys/devices/system/cpu")


def count(processors=None, system=SYSTEM):
    """Processors of one core name the same siblings (Linux's Documentation/admin-guide/cputopology.rst). Where they do not say, each
    is a core. The default are those of this process."""
    processors = processors or os.sched_getaffinity(0)
    try:
        return len({(system / f"cpu{i}/topology/thread_siblings_list").read_text(encoding="ascii") for i in processors})
    except OSError:
        return len(processors)


if __name__ == "__main__":
    print(count())
