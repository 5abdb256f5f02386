"""What is raced: one row per primitive, with what it asks of clreduce, of the adapters and of the winners."""

import math
import statistics
from typing import Callable, NamedTuple

from race.programs import LAUNCH_N

OPENMP = "openmp"


class Demand(NamedTuple):
    """At most `limit` for each of values(device): {n: value}; n is 0 for one value over all sizes. A size at which one
    side has no time has no value."""

    what: str
    values: Callable
    limit: float
    unit: str = ""
    devices: tuple = ()  # their kind, and how their id begins

    def is_of(self, device):
        return all(device.kind == word or device.info["id"].startswith(word) for word in self.devices)


class Primitive(NamedTuple):
    name: str  # as --primitive takes it
    functions: str  # the key of an adapter's manifest that names them
    op: str  # of clreduce
    type: str
    options: tuple  # further ones of clreduce bench
    counts: bool  # what a peer gives as sum is n
    what: str
    strategies: str  # ours, by default: whatever may be the fastest somewhere; a name that the catalogue lacks is passed over
    host: str  # the column of the host's best row
    hosts: tuple  # the rows of the host that ours are set against
    demands: tuple


def against_peer(device):
    found = {n: device.ratio(device.best(device.launching, n), device.best(device.peers, n), n) for n in device.sizes}
    return {n: ratio[0] for n, ratio in found.items() if ratio}


def against_host(device):
    found = {n: device.ratio(device.best(device.ours, n), device.best(device.primitive.hosts, n), n) for n in device.sizes}
    return {n: ratio[0] for n, ratio in found.items() if ratio}


def mean(values):
    """{0: the geometric mean}."""
    return {0: math.exp(statistics.fmean(map(math.log, values.values())))} if values else {}


def against_host_from(least, most=math.inf):
    return lambda device: {n: value for n, value in against_host(device).items() if least <= n <= most}


def against_openmp_and_launch(device):
    launch = device.launch()
    best = {n: device.best(device.launching, n) for n in against_host(device) if launch and n >= 1 << 18}
    return {n: device.time(row, n) / (device.time(OPENMP, n) + launch) for n, row in best.items() if row}


def us_on_top_of_openmp(device):
    return {n: 1e6 * (device.time(device.best(device.ours, n), n) - device.time(OPENMP, n))
            for n in against_host(device) if n < 1 << 14}


PRIMITIVES = {row.name: row for row in (
    Primitive("reduce", "functions", "sum", "f32", (), False, "sum of f32",
              "persistent*,chunk*,serial*,*svm*,*poll*,wg_reduce,wg_reduce_stride,grid_stride_vec,last_group",
              OPENMP, (OPENMP,), (
                  Demand("the best peer, at every n", against_peer, 1.0),
                  Demand("the best peer, geometric mean", lambda device: mean(against_peer(device)), 0.8),
                  Demand("OpenMP, n >= 2^20", against_host_from(1 << 20), 1.05, devices=("cpu",)),
                  Demand("OpenMP, n = 2^18", against_host_from(1 << 18, 1 << 18), 1.3, devices=("cpu",)),
                  Demand("OpenMP, n < 2^14, time on top", us_on_top_of_openmp, 6.0, " us", ("cpu", "intel")),
                  Demand("OpenMP and a launch, n >= 2^18", against_openmp_and_launch, 1.05, devices=("cpu",)))),
    Primitive("scan", "scans", "inclusive_sum", "f32", (), False, "inclusive sums of f32",
              "scan_serial,*chunk*,chained*,look_back*,fallback*,wg_scan*,sub_group_scan*,hillis_steele_reduced,blelloch_reduced",
              "host", (OPENMP, "sequential"), (
                  Demand("the best peer, at every n", against_peer, 1.0),
                  Demand("the best peer, geometric mean", lambda device: mean(against_peer(device)), 0.5),
                  Demand("the best host row, n >= 2^20", against_host_from(1 << 20), 1.05, devices=("cpu",)))),
    Primitive("histogram", "histograms", "count", "u8", ("--bins", "256", "--data", "uniform"), True,
              "counts of u8 in 256 bins",
              "histogram_chunk*,histogram_serial,local_copies*,local_counts,item_copies,c11_local_counts,wg_reduce_counts",
              "host", (OPENMP, "sequential"), (
                  Demand("the best peer, at every n", against_peer, 1.0),
                  Demand("the best peer, geometric mean", lambda device: mean(against_peer(device)), 0.5),
                  Demand("the best host row, n >= 2^20", against_host_from(1 << 20), 1.05, devices=("cpu",)))),
)}
