#!/usr/bin/env -S python3 -B
"""Prints the README's table "Which should I use": for each driver the strategy that `clreduce recommend` names at four sizes, and
how many times as fast as the tree and as the OpenMP loop it is there; once of those that rely only on what the version's text
promises and the device advertises, once of all that were right. The last row says what they are. clreduce is taken from PATH.
"""
import json
import subprocess

from run_file import HERE, rank_of_promise, read, time_of, times_as_fast

SIZES = (10, 16, 20, 26)
DEVICES = (  # how the table names it, id of the device, files of its runs
    ("CPU, Intel's runtime (2 cores, AMD EPYC)", "intel", ["epyc-2-cores.json"]),
    ("CPU, PoCL 3.1 (the same cores)", "pocl", ["epyc-2-cores.json"]),
    ("CPU, PoCL 6.0 (the same cores)", "pocl", ["which/pocl-6.0.json"]),
    ("CPU, PoCL 7.1 (the same cores)", "pocl", ["which/pocl-7.1.json"]),
    ("CPU, rusticl 26.2 (the same cores)", "rusticl", ["which/rusticl.json"]),
    ("GPU, NVIDIA H200", "nvidia", [f"h200/all-{run}.json" for run in (1, 2, 3)]),
    ("GPU, H200, PoCL 6.0 for CUDA", "pocl", ["which/pocl-6.0-cuda.json"]),
)
NAMES = {
    "chunk": "a contiguous piece per work-item",
    "cmpxchg_group": "sum per group, then compare-and-swap",
    "svm_chunk": "chunk, results in shared virtual memory",
    "grid_stride_vec": "persistent groups, vectors, a tree",
    "svm_result": "grid_stride_vec, results in shared virtual memory",
    "first_add": "two elements per item, tree",
    "tree_two": "grid stride, a second kernel",
    "polled_stride": "grid stride, host polls memory",
    "polled_ticket": "grid stride, values in words, host polls memory",
}


def clreduce(*arguments):
    return json.loads(subprocess.run(["clreduce", *arguments, "--format", "json"], cwd=HERE, check=True, capture_output=True, text=True).stdout)


def recommended(device, files, options):
    """The strategy for each n."""
    bands = clreduce("recommend", "--device", device, *options, *files)["advice"][0]["bands"]
    return lambda n: next(band["strategy"] for band in reversed(bands) if band["n_from"] <= n)


def time_in(run, device, strategy, n):
    return time_of(next((cell for cell in run["cells"] if (cell["device"], cell["strategy"], cell["n"]) == (device, strategy, n)), None))


def field(runs, device, strategy, n):
    """The strategy, and how many times as fast as the tree / as OpenMP it is."""
    times, trees, loops = ([time_in(run, *row, n) for run in runs] for row in ((device, strategy), (device, "tree"), ("host", "openmp")))
    return f"`{strategy}` {times_as_fast(*zip(times, trees))} / {times_as_fast(*zip(times, loops))}"


def rows():
    """For each device its two answers, or one where both are the same: words, the strategies at SIZES, and what the table says of each."""
    strategies = [strategy for strategy in clreduce("strategies") if strategy["for"] != "host"]
    for label, device, files in DEVICES:
        runs = [read(file) for file in files]
        capabilities = next(info for info in runs[0]["devices"] if info["id"] == device)["capabilities"]
        promised = ",".join(strategy["strategy"] for strategy in strategies if rank_of_promise(strategy["needs"].split(", "), strategy["finish"], capabilities) == 0)
        answers = [[strategy_at(2**size) for size in SIZES]
                   for strategy_at in (recommended(device, files, ["--strategy", promised]), recommended(device, files, []))]
        both = [("promised, and the best that works", answers[0])]
        for words, names in both if answers[0] == answers[1] else (("promised", answers[0]), ("works there", answers[1])):
            yield f"{label}: {words}", names, [field(runs, device, name, 2**size) for name, size in zip(names, SIZES)]


def main():
    print("| device | " + " | ".join(f"n = 2^{size}" for size in SIZES) + " |")
    print("|---" * (1 + len(SIZES)) + "|")
    found = list(rows())
    for words, _, fields in found:
        print(f"| {words} | " + " | ".join(fields) + " |")
    told = [f"`{name}`: {NAMES[name]}" for name in dict.fromkeys(name for _, names, _ in found for name in names)]
    print("| *names* | " + " | ".join("; ".join(told[i::len(SIZES)]) for i in range(len(SIZES))) + " |")


main()
