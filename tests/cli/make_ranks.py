#!/usr/bin/env python3
"""Makes a file of bench --ranks that no machine has measured: times follow a model, so that what is shown of them can be computed.

    tests/cli/make_ranks.py SEED KIND FILE

KIND: `plain`: sums of f32 on 1, 2, 4, 8 ranks of two hosts, strong and weak scaling; with R ranks a strategy takes n x 4 bytes by
R x 10 GB/s x 0.96, divided by 1 + 0.02 (R - 1) of what is lost; one row is wrong. Answers of `exact` have the same bits for all R. `hostile`: the same with names that mean something
to browsers, Markdown and terminals. `one`: one rank alone. `many`: 40 strategies, 5 collectives and 12 numbers of ranks. `peer`: another program's file for
the same devices and arrays as `plain`, in two ways; `peer_slow` 1.2 and `peer_fast` 0.5 times its times, `peer_hostile` with such names."""
import json
import random
import sys

HOSTILE = ["<script>alert(1)</script>", "`touch PWNED`", "a'b\"c\\d", "x|y*_z_&amp;", "\u202eevil \u2603", "%s%n", "</style><svg onload=1>"]
ROOF = 1e10
PEERS = {"peer": 1, "peer_slow": 1.2, "peer_fast": 0.5, "peer_hostile": 1}


def samples(parts, rng):
    """Seven batches around the parts' times; the middle one is they."""
    factors = sorted(rng.uniform(0.97, 1.03) for _ in range(6))
    factors = factors[:3] + [1.0] + factors[3:] if factors[2] <= 1 <= factors[3] else [0.98, 0.99, 0.995, 1.0, 1.005, 1.01, 1.02]
    rng.shuffle(factors)
    return {name: None if value is None else [value * factor for factor in factors] for name, value in parts.items()}


def row(kind, n, ranks, weak, total, rng, strategy=None, collective=None, op="sum", type_="f32", over=2e-6):
    parts = {"total": total, "device": None, "imbalance": None, "collective": None}
    if kind in ("strategy", "host"):
        parts.update(device=(total - over) * 0.98, imbalance=(total - over) * 0.02, collective=over)
    return {"kind": kind, "strategy": strategy, "collective": collective, "op": op, "type": type_, "n": n, "ranks": ranks, "weak": weak,
            "state": "pass", "reason": None, "data_sets": 4, "calls_per_sample": 10, "samples_s": samples(parts, rng)}


def read_s(n, ranks):
    return 4 * n / (ROOF * ranks)


def scaling(n, ranks_of, weak, strategies, collectives, rng):
    rows = []
    for ranks in ranks_of:
        whole = n * ranks if weak else n
        rows.append(row("roof", whole, ranks, weak, read_s(whole, ranks), rng))
        for s, strategy in enumerate(strategies):
            for c, collective in enumerate(collectives):
                over = (1 + c) * 1e-6
                total = read_s(whole, ranks) / 0.96 * (1 + 0.02 * (ranks - 1)) * (1 + 0.1 * s) + over
                rows.append(row("strategy", whole, ranks, weak, total, rng, strategy, collective, over=over))
                last = whole if collective == "exact" else whole + ranks
                rows[-1]["answers"] = [f"{answer:x}" for answer in (0, whole, 2 ** 64 - 1, last)]
        rows.append(row("host", whole, ranks, weak, 1.5 * read_s(whole, ranks), rng, "openmp", collectives[0]))
    return rows


def peer_rows(kind, ranks_of, rng):
    program, *ways = random.Random(kind).sample(HOSTILE, 3) if kind == "peer_hostile" else ("cub", "nccl", "nccl_graph")
    rows = []
    for n, weak in ((2 ** 20, False), (2 ** 26, False), (2 ** 24, True)):
        for ranks in ranks_of:
            whole = n * ranks if weak else n
            for over, way in zip((8e-6, 4e-6), ways):
                total = PEERS[kind] * (read_s(whole, ranks) / 0.9 * (1 + 0.03 * (ranks - 1)) + over)
                rows.append(row("peer", whole, ranks, weak, total, rng, program, way) | {"data_sets": 1})
    return rows + [row("alone", 0, ranks, False, 7e-6, rng, None, ways[0]) for ranks in ranks_of]


def cell_of(made):
    """As a result file has it; OpenMP's loop is the host's."""
    kind, samples_s = made["kind"], made["samples_s"]
    own = kind in ("strategy", "host", "peer")
    cell = {"device": "host" if kind == "host" else None, "strategy": made["strategy"] if own else None, "op": made["op"], "type": made["type"],
            "shape": "array" if own else None, "n": made["n"], "kind": None if kind in ("strategy", "host") else kind, "ranks": made["ranks"],
            "collective": made["collective"], "scaling": "weak" if made["weak"] else None,
            "state": made["state"], "reason": made["reason"], "answers": made.get("answers")}
    time = None
    if samples_s:
        total = samples_s["total"]
        parts = {part: of for part, of in samples_s.items() if part != "total" and of}
        time = {"median_s": sorted(total)[len(total) // 2], "low_s": min(total), "high_s": max(total),
                "calls_per_sample": made["calls_per_sample"], "samples_s": total} | ({"parts_s": parts} if parts else {})
    accuracy = {"data_sets": made["data_sets"], "error": None, "bound": None, "sum_of_absolutes": None, "two_runs_same_bits": False}
    return {key: value for key, value in cell.items() if value is not None} | {"asked": {}, "time_to_answer": time} | (
        {"accuracy": accuracy} if own else {})


def main():
    seed, kind, path = sys.argv[1:]
    rng = random.Random(seed)
    ranks_of = {"one": [1], "many": [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]}.get(kind, [1, 2, 4, 8])
    names = HOSTILE if kind == "hostile" else [f"strategy_{i}" for i in range(40)] if kind == "many" else ["chunk", "tree"]
    collectives = HOSTILE[:2] if kind == "hostile" else ["mpi_reduce", "exact"] + ["c1", "c2", "c3"] * (kind == "many")
    text = rng.choice(HOSTILE) if kind == "hostile" else "box"
    rows = []
    for e in ([26] if kind == "one" else [20, 26]):
        rows += scaling(2 ** e, ranks_of, False, names, collectives, rng)
    rows += scaling(2 ** 24, ranks_of, True, names, collectives, rng)
    for ranks in ranks_of:
        rows += [row("alone", 0, ranks, False, 2e-6 + 1e-6 * c, rng, None, name) for c, name in enumerate(collectives)]
        rows.append(row("bare", 0, ranks, False, 1.5e-6, rng))
    bad = next(r for r in reversed(rows) if r["kind"] == "strategy")
    if kind in PEERS:
        rows = peer_rows(kind, ranks_of, rng)
    elif kind != "one":
        bad.update(state="wrong", reason=HOSTILE[0] if kind == "hostile" else "expected 3, got 4", samples_s=None, calls_per_sample=0)
    most = ranks_of[-1]
    ranks = [{"host": f"{text}{2 * r // most}", "node": 2 * r // most, "device": text if kind == "hostile" else "pocl",
              "device_name": "a device", "driver": "3.1", "cores": 1, "roof_bytes_per_s": ROOF} for r in range(most)]
    host = {"name": text, "processor": text, "system": "Linux", "cores": 2, "memory_gib": 8.0, "load_1min": 0.1, "kept_awake": False,
            "compiler": "gcc", "environment": {"OMP_NUM_THREADS": "1"}}
    of_peer = {"command": f"build/nccl --output {path}"} if kind in PEERS else {}
    for rank in ranks if of_peer else ():
        rank.update(device=f"cuda:{ranks.index(rank)}", driver=HOSTILE[0] if kind == "peer_hostile" else "CUDA 13.0, NCCL 2.28.9", roof_bytes_per_s=None)
    device = {"id": ranks[0]["device"], "kind": "gpu-or-accelerator", "name": "a device", "compute_units": 2, "roof_bytes_per_s": None,
              "roof_bytes": None, "platform": None, "platform_version": None, "vendor": None, "version": None, "c_versions": None,
              "driver": ranks[0]["driver"], "group_size_max": 0, "local_memory_bytes": 0, "global_memory_bytes": 0, "allocation_bytes_max": 0,
              "event_clock_ns": 0, "event_times": None, "event_floor_s": None, "capabilities": {}}
    of_host = {"id": "host", "kind": "host", "name": "OpenMP, 1 threads", "compute_units": 1, "roof_bytes_per_s": None, "roof_bytes": None}
    cells = [{"device": device["id"]} | cell_of(r) for r in rows]
    over = {"mpi": None if of_peer else "Open MPI v4.1.4, MPI 3.1", "split": "equal", "ranks": ranks}
    json.dump({"schema": 2, "suite": {"name": "cub" if of_peer else "clreduce", "version": "0.1.0"}, "command": f"mpirun -n {most} clreduce bench",
               "started": "2026-11-26T15:00:00Z", "seed": int(seed), "time_per_cell_s": 0.5, "clock_step_s": None, "wall_s": 60.5, "host": host,
               "over_ranks": over, "devices": [of_host, device], "cells": [cell for cell in cells if "strategy" in cell], "usual": {},
               "beside": [cell for cell in cells if "strategy" not in cell], "accuracy": []} | of_peer, open(path, "w"), indent=1)


if __name__ == "__main__":
    main()
