#!/usr/bin/env python3
"""Prints the README's table "Which should I use": for each driver and machine below the strategy that `clreduce recommend` names at
four sizes, and how many times as fast as the tree and as the OpenMP loop it is there. tests/tree/blocks.py compares the README with it.

    results/which.py            clreduce is taken from PATH
"""
import json
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
SIZES = (10, 16, 20, 26)
THREE_RUNS = [f"h200/all-{run}.json" for run in (1, 2, 3)]
ROWS = (
    ("CPU, Intel's runtime (2 cores, Intel Xeon)", "intel", ["cpu-2-cores.json"], []),
    ("the same on an AMD EPYC", "intel", ["epyc-2-cores.json"], []),
    ("CPU, PoCL 3.1 (2 cores, Intel Xeon)", "pocl", ["cpu-2-cores.json"], []),
    ("the same on an AMD EPYC", "pocl", ["epyc-2-cores.json"], []),
    ("GPU, NVIDIA H200", "nvidia", THREE_RUNS, []),
    ("the same, only what OpenCL 1.2 promises", "nvidia", THREE_RUNS, ["--portable"]),
)


def recommended(device, files, options):
    """The strategy for each n."""
    done = subprocess.run(["clreduce", "recommend", "--format", "json", "--device", device, *options, *files], cwd=HERE, check=True,
                          capture_output=True, text=True)
    bands = json.loads(done.stdout)["advice"][0]["bands"]
    return lambda n: next(band["strategy"] for band in reversed(bands) if band["n_from"] <= n)


def time_of(run, device, strategy, n):
    for cell in run["cells"]:
        if (cell["device"], cell["strategy"], cell["n"]) == (device, strategy, n):
            return cell["time_to_answer"]
    return None


def times_as_fast(runs, device, strategy, other_device, other, n):
    """Median over the runs of the ratio of medians; ~ where an interval of it holds 1, so that it is a tie."""
    ratios, tie = [], False
    for run in runs:
        ours, theirs = time_of(run, device, strategy, n), time_of(run, other_device, other, n)
        if not ours or not theirs:
            return "-"
        ratios.append(theirs["median_s"] / ours["median_s"])
        tie = tie or theirs["low_s"] / ours["high_s"] <= 1 <= theirs["high_s"] / ours["low_s"]
    ratio = statistics.median(ratios)
    return f"{ratio:.{2 if ratio < 0.995 else 1 if ratio < 9.95 else 0}f}{'~' if tie else 'x'}"


def main():
    print("| device | " + " | ".join(f"n = 2^{size}" for size in SIZES) + " |")
    print("|---" * (1 + len(SIZES)) + "|")
    for label, device, files, options in ROWS:
        strategy_at = recommended(device, files, options)
        runs = [json.loads((HERE / file).read_text()) for file in files]
        cells = []
        for n in (2**size for size in SIZES):
            strategy = strategy_at(n)
            against = (times_as_fast(runs, device, strategy, device, "tree", n), times_as_fast(runs, device, strategy, "host", "openmp", n))
            cells.append(f"`{strategy}` {against[0]} / {against[1]}")
        print(f"| {label} | " + " | ".join(cells) + " |")


main()
