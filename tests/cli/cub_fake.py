"""Plays the two programs that bench/cuda/cub starts, with known times: cub_fake.py cub|clreduce ARGUMENT...
With --primitive scan or histogram of the same times; of histograms the data change CUB's and the types ours. FAKE=wrong: CUB's sum of 2^14 is wrong; FAKE=slow: every call takes a second; FAKE=broken: clreduce writes nothing."""
import json
import os
import sys
import time

US = 1e-6
PRIMITIVE = next((name for name in ("scan", "histogram") if name in sys.argv), "reduce")
OP = {"reduce": "sum", "scan": "inclusive_sum", "histogram": "count"}[PRIMITIVE]
SIZES = [1 << 20, 1 << 24, 1 << 28] if PRIMITIVE == "histogram" else [1 << 10, 1 << 14, 1 << 28]
# Data of histograms, and how many times as long CUB takes for them.
DATA = {"uniform": 1.6, "one bin": 1.5, "half in one": 2, "sorted": 1} if PRIMITIVE == "histogram" else {None: 1}
# Microseconds by n, of round 1; round 3 takes twice as long and round 2 between them, so that medians show.
CUB = {"isolated": (4, 8, 250), "graph": (2, 6, 240), "stream": (5, 9, 260), "event": (6, 10, 270),
       "answer_memcpy": (20, 18, 300), "answer_mapped": (10, 14, 280)}
if PRIMITIVE != "reduce":
    CUB["answer"] = CUB.pop("answer_memcpy")
    del CUB["answer_mapped"]
READ = 245
# strategy: device time, time to answer, calls back to back
OURS = {"last_group": ((4, 10, 250), (19, 15, 310), (5, 8, 261)), "grid_stride_vec": ((3, 9, 252), (25, 16, 299), (2, 7, 250)),
        "chunk": (None, None, None)}
if PRIMITIVE != "reduce":
    OURS = dict(zip(("look_back", "wg_scan_reduced", "scan_chunk") if PRIMITIVE == "scan" else
                    ("local_copies_last", "c11_copies_last", "histogram_chunk"), OURS.values()))
HOST = list(OURS)[1]  # leaves the last fold to the host


def option(name):
    return sys.argv[sys.argv.index(name) + 1]


def figure(name, seconds):
    return {"name": name, "median_s": seconds, "min_s": seconds, "calls_per_sample": 1, "samples_s": [seconds]}


def cub(kind, factor):
    cells = [{"op": OP, "type": kind, **({"data": data} if data else {}), "n": n,
              "right": os.environ.get("FAKE") != "wrong" or n not in (1 << 14, 1 << 24) or data == "sorted", "expected": 1.5, "error": 0,
              "bound": 0, "figures": [figure(name, values[i] * US * factor * more) for name, values in CUB.items()] +
              ([figure("stream_by_value", CUB["stream"][i] * US * factor)] if kind == "u32" else [])}
             for i, n in enumerate(SIZES) for data, more in DATA.items()]
    roof = [{"way": "kernel", "bytes": (1 if kind == "u8" else 4) << 28, "loads": 8, "block": 256, "blocks_per_unit": 8 + count,
             "figure": figure("isolated", (READ + count) * US * factor)} for count in (0, 16)]
    return {"schema": "clreduce-cub 1", "started": "2026-01-01T00:00:00Z", "command": "fake", "seed": 1,
            "time_per_figure_s": 0.01, "device": {"name": "GPU", "compute_capability": "9.0", "compute_units": 132,
                                                  "memory_bytes": 1, "l2_bytes": 1},
            "driver_version": 13000, "runtime_version": 13000, "cub_version": 300001, "compiler": "nvcc 13.0.88",
            "binary_version": 90, "host_spins": True, "floors": [figure("isolated_nothing", 1.5 * US)], "cells": cells,
            "reads": [] if PRIMITIVE == "scan" else roof, "copies": roof if PRIMITIVE == "scan" else []}


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
                        {"id": "nvidia", "name": "GPU", "driver": "580", "event_clock_ns": 1000, "event_floor_s": 2 * US, "roof_bytes_per_s": 4.5e12}]}


def main():
    if sys.argv[2] == "strategies":
        print(json.dumps([{"strategy": name, "finish": "host" if name == HOST else name} for name in OURS]))
        return 0
    if os.environ.get("FAKE") == "slow":
        time.sleep(1)
    if os.environ.get("FAKE") == "broken" and sys.argv[1] == "clreduce":
        print("no memory for everything", file=sys.stderr)
        return 4
    turn = int(option("--seed"))
    assert sys.argv[1] == "cub" or PRIMITIVE != "scan" or option("--strategy").startswith("look_back,wg_scan_reduced,wg_scan,"), sys.argv
    assert sys.argv[1] == "cub" or PRIMITIVE != "histogram" or option("--data").split(",") == list(DATA), sys.argv
    # All data sets, of scans and histograms two, in round 1; then one.
    data_sets = option("--data-sets") if "--data-sets" in sys.argv else None
    of_round_1 = None if PRIMITIVE == "reduce" else "2"
    assert data_sets == (None if sys.argv[1] == "cub" else of_round_1 if turn == 1 else "1"), sys.argv
    with open(option("--output"), "w", encoding="utf-8") as to:
        json.dump((cub if sys.argv[1] == "cub" else clreduce)(option("--type"), 0.5 + 0.5 * turn), to)
    return 2 if os.environ.get("FAKE") == "wrong" and sys.argv[1] == "cub" else 0


sys.exit(main())
