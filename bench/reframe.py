"""A test of ReFrame 4 that runs clreduce bench: right on this system, and as fast as it was? docs/schedulers.md tells more.
    bench/run                                                 # once: builds build/clreduce
    reframe -c bench/reframe.py -r                            # the sum of f32 by chunk, on each device
    reframe -c bench/reframe.py -r -S clreduce.device=gpu -P clreduce.n=2^20,2^24,2^28 -P clreduce.strategy=chunk,tree
    reframe -c bench/reframe.py -r -P clreduce.ranks=1,2,4    # one array over so many ranks of MPI
-S sets a variable of the class below, -P makes a test for each value."""
import json
import os
import shlex

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(os.path.dirname(HERE), "build", "clreduce")
OUTPUT = "clreduce.json"
REDUCTIONS = ("sum", "dot", "sumsq", "mean", "min", "max", "argmin", "argmax")


def name_of(cell):
    """As --export names a cell, but for colons, which references of ReFrame cannot have."""
    asked = [f"{key}={value}" for key, value in cell["asked"].items() if value]
    return "/".join([cell["device"], cell["strategy"], cell["op"], cell["type"], *asked, f"n={cell['n']}"])


def cells_of(result):
    """Of each cell of devices: its name, state, time to answer in us, and share of the roof in per cent; None is what it has not."""
    roofs = {device["id"]: device["roof_bytes_per_s"] for device in result["devices"]}
    for cell in result["cells"]:
        if cell["device"] == "host":
            continue
        time = cell["time_to_answer"] and cell["time_to_answer"]["median_s"]
        roof, share = roofs[cell["device"]], None
        if time and roof and cell["op"] in REDUCTIONS:
            arrays = 2 if cell["op"] == "dot" else 1
            size = int(cell["type"][1:]) // 8
            share = 100 * arrays * size * cell["n"] * cell["segments"] / time / roof
        yield name_of(cell), cell["state"], time and 1e6 * time, share


@rfm.simple_test
class clreduce(rfm.RunOnlyRegressionTest):
    descr = "reductions by OpenCL: right, and as fast as they were"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]

    program = variable(str, value=BUILT if os.path.exists(BUILT) else "clreduce")
    references = variable(str, value=os.path.join(HERE, "reframe_references.json"))
    device = variable(str, value="")  # as for --device; empty: each one
    strategy = variable(str, value="chunk")
    op = variable(str, value="sum")
    type = variable(str, value="f32")
    n = variable(str, value="2^24")
    ranks = variable(int, value=0)  # 0: without MPI
    options = variable(str, value="")  # more of `clreduce bench`

    @run_after("init")
    def ask_for_ranks(self):
        self.num_tasks = max(self.ranks, 1)

    @run_before("run")
    def prepare(self):
        asked = ["--strategy", self.strategy, "--op", self.op, "--type", self.type, "--n", self.n, "--output", OUTPUT]
        if self.device:
            asked += ["--device", self.device]
        if self.ranks:
            asked.append("--ranks")
        self.executable = shlex.quote(self.program)
        self.executable_opts = ["bench", shlex.join(asked), self.options]
        self.keep_files = [OUTPUT]
        if self.current_partition.scheduler.registered_name == "local":
            # ReFrame starts tests at the same time there; they measure one after the other.
            self.prerun_cmds += [f"exec 9>{shlex.quote(os.path.join(os.path.dirname(self.stagedir), 'clreduce.lock'))}", "flock 9"]
            if self.ranks:
                self.job.launcher = getlauncher("mpirun")()

    @run_before("sanity")
    def read(self):
        """What was measured; nothing where clreduce has left no file."""
        path = os.path.join(self.stagedir, OUTPUT)
        self.cells = []
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.cells = list(cells_of(json.load(file)))
        with open(self.references, encoding="utf-8") as file:
            known = json.load(file)
        partition = self.current_partition.fullname
        self.known = known.get(self.current_system.name, {}) | known.get(partition, {})
        self.reference = {partition: {"wrong": (0, 0, 0, "cells")} | {name: tuple(values) for name, values in self.known.items()}}

    @sanity_function
    def is_right(self):
        """Nothing failed, and what has a reference has a time."""
        with open(os.path.join(self.stagedir, self.job.stderr), encoding="utf-8", errors="replace") as file:
            said = file.read().splitlines() or ["without a message"]
        untimed = [f"{name}: {state}" for name, state, time, _ in self.cells if time is None and f"{name} time" in self.known]
        return sn.all([sn.assert_eq(self.job.exitcode, 0, f"clreduce ended with status {self.job.exitcode}: {said[-1]}"),
                       sn.assert_true(self.cells, "clreduce has measured nothing"),
                       sn.assert_false(untimed, f"no time of what has a reference: {', '.join(untimed)}")])

    @run_before("performance")
    def tell(self):
        """The figures of merit."""
        figures = {"wrong": (sum(state == "wrong" for _, state, _, _ in self.cells), "cells")}
        for name, _, time, share in self.cells:
            figures |= {f"{name} {what}": (value, unit) for what, value, unit in (("time", time, "us"), ("roof", share, "%")) if value is not None}
        self.perf_variables = {name: sn.make_performance_function(sn.defer(value), unit) for name, (value, unit) in figures.items()}
