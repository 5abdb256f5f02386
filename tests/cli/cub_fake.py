"""Plays the two programs that bench/cuda/cub starts, with known times: cub_fake.py cub|clreduce|floors ARGUMENT...
With --primitive scan or histogram of the same times; of histograms the data change CUB's and the types ours. FAKE=wrong: CUB's sum of 2^16 is wrong; FAKE=slow: every call takes a second; FAKE=broken: clreduce writes nothing."""
import json
import os
import sys
import time

US = 1e-6
PRIMITIVE = next((name for name in ("scan", "histogram") if name in sys.argv), "reduce")
OP = {"reduce": "sum", "scan": "inclusive_sum", "histogram": "count"}[PRIMITIVE]
SIZES = [1 << 20, 1 << 24, 1 << 28] if PRIMITIVE == "histogram" else [1 << 10, 1 << 16, 1 << 28]
# Data of histograms, and how many times as long CUB takes for them.
DATA = {"uniform": 1.6, "one bin": 1.5, "half in one": 2, "sorted": 1} if PRIMITIVE == "histogram" else {None: 1}
# Microseconds by n, of round 1; round 3 takes twice as long and round 2 between them, so that medians show.
CUB = {"isolated": (4, 8, 250), "graph": (2, 6, 240), "stream": (5, 9, 260),
       "cub": (20, 18, 300), "cub_mapped": (10, 14, 280)}
if PRIMITIVE != "reduce":
    del CUB["cub_mapped"]
READ = 245
# strategy: device time, time to answer, calls back to back
OURS = {"last_group": ((4, 10, 250), (19, 15, 310), (5, 8, 261)), "grid_stride_vec": ((3, 9, 252), (25, 16, 299), (2, 7, 250)),
        "chunk": (None, None, None), "last_group_c11": ((5, 12, 253), (22, 17, 310), (6, 10, 270))}
NEEDS = {"last_group": "local_memory, write_read_fence", "grid_stride_vec": "local_memory", "chunk": "nothing",
         "last_group_c11": "local_memory, c11_acq_rel"}
ADVERTISED = {"local_memory": "yes", "write_read_fence": "no", "c11_acq_rel": "no"}
if PRIMITIVE != "reduce":
    OURS = dict(zip(("look_back", "wg_scan_reduced", "scan_chunk") if PRIMITIVE == "scan" else
                    ("local_copies_last", "c11_copies_last", "histogram_chunk"), OURS.values()))
HOST = list(OURS)[1]  # leaves the last fold to the host


def option(name):
    return sys.argv[sys.argv.index(name) + 1]


def time_of(seconds):
    return {"calls_per_sample": 1, "samples_s": [seconds] * 6}


def cub(kind, factor):
    """A result file: a cell for each way in which an answer comes."""
    def cells():
        for i, n in enumerate(SIZES):
            for data, more in DATA.items():
                of = {name: values[i] * US * factor * more for name, values in CUB.items()}
                right = os.environ.get("FAKE") != "wrong" or n not in (1 << 16, 1 << 24) or data == "sorted"
                for strategy in ("cub", "cub_mapped")[:1 + ("cub_mapped" in of)]:
                    yield {"device": "cuda", "strategy": strategy, "op": OP, "type": kind, "shape": "array", "kind": "peer", "asked": {},
                           "geometry": {"group_size": 0, "groups": 0, "elements_per_item": 0}, **({"bins": 256} if OP == "count" else {}),
                           **({"data": data} if data not in (None, "uniform") else {}), "n": n,
                           **({"state": "pass", "accuracy": {"data_sets": 1, "error": 0, "bound": 0}} if right else
                              {"state": "wrong", "reason": "expected 1.5 +- 0, got 2"}),
                           "time_to_answer": time_of(of[strategy]) if right else None,
                           **({"device_time_s": of["isolated"], "back_to_back_s": of["stream"]} if right and strategy == "cub" else {})}

    device = {"id": "cuda", "kind": "gpu-or-accelerator", "name": "GPU", "compute_units": 132, "roof_bytes_per_s": None, "roof_bytes": None,
              "platform": "NVIDIA CUDA", "platform_version": "CUDA 13.0", "vendor": "NVIDIA Corporation", "version": "compute capability 9.0",
              "c_versions": None, "driver": "CUDA 13.0", "group_size_max": 1024, "local_memory_bytes": 1, "global_memory_bytes": 1,
              "allocation_bytes_max": 1, "event_times": None, "event_floor_s": None, "capabilities": {}}
    return {"schema": 2, "suite": {"name": "CUB", "version": "3.0.1"}, "started": "2026-01-01T00:00:00Z", "command": "fake",
            **({"primitive": PRIMITIVE} if PRIMITIVE != "reduce" else {}), "seed": 1, "time_per_cell_s": 0.01, "clock_step_s": None, "wall_s": 1.0,
            "host": {"name": "vm", "processor": "one", "system": "Linux", "cores": 2, "memory_gib": 1, "load_1min": 0, "compiler": "nvcc 13.0.88 for sm_90",
                     "environment": {}}, "devices": [device], "cells": list(cells())}


def figures(kind, factor):
    """The CSV beside it: other clocks, a floor, and two forms of the roof."""
    yield "figure,type,data,n,bytes,form,median_s"
    yield f"isolated_nothing,,,,,,{1.5 * US}"
    for i, n in enumerate(SIZES):
        for data, more in DATA.items():
            yield f"graph,{kind},{data or ''},{n},,,{CUB['graph'][i] * US * factor * more}"
            if kind == "u32":
                yield f"stream_by_value,{kind},{data},{n},,,{CUB['stream'][i] * US * factor}"
    for count in (0, 16):
        yield (f"{'copy' if PRIMITIVE == 'scan' else 'read'},,,,{(1 if kind == 'u8' else 4) << 28},8 loads; 256 threads; {8 + count} blocks per unit,"
               f"{(READ + count) * US * factor}")


def cell(kind, strategy, times, i, factor, data=None):
    device, answer, row = times
    factor *= 1.1 if kind == "u8" else 1
    return {**({"data": data} if data not in (None, "uniform") else {}), "device": "nvidia", "strategy": strategy, "op": OP, "type": kind, "n": SIZES[i],
            **({"state": "pass"} if answer else {"state": "pending"} if i == 2 else {"state": "over-budget", "reason": "would take about 2 s"}),
            "geometry": {"group_size": 256}, "time_to_answer": {"median_s": answer[i] * US * factor} if answer else None,
            "device_time_s": device[i] * US * factor if device else None, "device_time_note": None,
            "back_to_back_s": row[i] * US * factor if row else None}


def clreduce(kind, factor):
    cells = [cell(kind, strategy, times, i, factor, data) for strategy, times in OURS.items() for i in range(len(SIZES)) for data in DATA]
    cells += [dict(cell(kind, "openmp", ((1, 1, 1), (1, 1, 1), None), 0, 1), device="host")]
    return {"suite": {"version": "0.1.0"}, "cells": cells,
            "devices": [{"id": "host", "roof_bytes_per_s": 1e9},
                        {"id": "nvidia", "name": "GPU", "driver": "580", "event_clock_ns": 1000, "event_floor_s": 2 * US, "roof_bytes_per_s": 4.5e12,
                         "capabilities": {need: {"advertised": word} for need, word in ADVERTISED.items()}}]}


def main():
    if sys.argv[2] == "strategies":
        print(json.dumps([{"strategy": name, "finish": "host" if name == HOST else name.removesuffix("_c11"), "needs": NEEDS.get(name, "nothing")}
                          for name in OURS]))
        return 0
    if sys.argv[1] == "floors":
        print(f"GPU, driver 580; medians in us\nfloor groups items n event {sys.argv[2]} answer")
        for row in ("empty 1 256 0 1.5 8.5 31", "empty 132 256 0 2 8 11", "one trip 1 256 1024 3 8 31", "one trip 132 256 65536 12.5 8 9",
                    "one trip 528 256 65536 12 8 9", "one value 132 256 65536 13.5 - -", "one value 528 256 65536 12.5 - -", "read and join 132 512 1048576 - 100 -", "read and join 132 512 268435456 - 380 -",
                    "count and join 132 512 268435456 - 450 -"):
            print(row)
        return 0
    if os.environ.get("FAKE") == "slow":
        time.sleep(1)
    if os.environ.get("FAKE") == "broken" and sys.argv[1] == "clreduce":
        print("no memory for everything", file=sys.stderr)
        return 4
    turn = int(option("--seed"))
    assert sys.argv[1] == "cub" or PRIMITIVE != "scan" or option("--strategy").startswith("look_back,wg_scan_reduced,wg_scan,"), sys.argv
    assert sys.argv[1] == "cub" or PRIMITIVE != "histogram" or option("--data").split(",") == list(DATA), sys.argv
    assert sys.argv[1] == "cub" or option("--data-sets") == "1", sys.argv
    if sys.argv[1] == "cub":
        with open(option("--figures"), "w", encoding="utf-8") as to:
            to.write("".join(f"{line}\n" for line in figures(option("--type"), 0.5 + 0.5 * turn)))
    with open(option("--output"), "w", encoding="utf-8") as to:
        json.dump((cub if sys.argv[1] == "cub" else clreduce)(option("--type"), 0.5 + 0.5 * turn), to)
    return 2 if os.environ.get("FAKE") == "wrong" and sys.argv[1] == "cub" else 0


sys.exit(main())
