"""A test of ReFrame 4 that runs clreduce bench: right on this system, and as fast as it was? docs/schedulers.md tells more.
    bench/run                                                 # once: builds build/clreduce
    reframe -c bench/schedulers/reframe.py -r                            # the sum of f32 by chunk, on each device
    reframe -c bench/schedulers/reframe.py -r -S 'clreduce.device=nvidia*' -P clreduce.n=2^20,2^24,2^28 -P clreduce.strategy=chunk,tree
    reframe -c bench/schedulers/reframe.py -r -P clreduce.ranks=1,2,4    # one array over so many ranks of MPI
-S sets a variable of the class below, -P makes a test for each value."""
import json
import os
import shlex
import statistics

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build", "clreduce")
OUTPUT, STATUS = "clreduce.json", "clreduce.status"
SIZE = ("op", "type", "n", "ranks", "weak")


def total_of(row):
    """The median of a row's times; a file keeps one, and by how many ten-thousandths of it each is off (results/formats.md)."""
    total = row["samples_s"]["total"] if row["samples_s"] else [0]
    return statistics.median([total["about"] * (1 + off / 1e4) for off in total["off"]] if isinstance(total, dict) else total)


def figures_of(result):
    """Of each cell of a device, or each row of ranks: name, state, time to answer in s, and share of the roof; None is what it has not.
    The name is as --export has it, but for colons, which references of ReFrame cannot have."""
    if "rows" in result:
        devices = "+".join(sorted({rank["device"] for rank in result["ranks"]}))
        times = {(row["kind"], *(row[key] for key in SIZE)): total_of(row) for row in result["rows"]}
        for row in result["rows"]:
            if row["kind"] == "strategy":
                time, roof = total_of(row), times.get(("roof", *(row[key] for key in SIZE)))
                name = [devices, row["strategy"], row["op"], row["type"], f"n={row['n']}", f"ranks={row['ranks']}", row["collective"]]
                yield "/".join(name), row["state"], time or None, roof / time if time and roof else None
        return
    roofs = {device["id"]: device["roof_bytes_per_s"] for device in result["devices"]}
    for cell in result["cells"]:
        cell = {"segments": 1, **result.get("usual", {}), **cell}
        if cell["device"] != "host":
            time, roof = cell["time_to_answer"] and cell["time_to_answer"]["median_s"], roofs[cell["device"]]
            asked = [f"{key}={value}" for key, value in cell["asked"].items() if value]
            name = [cell["device"], cell["strategy"], cell["op"], cell["type"], *asked, f"n={cell['n']}"]
            size = int(cell["type"][1:]) // 8 * (2 if cell["op"] == "dot" else 1)
            yield "/".join(name), cell["state"], time, size * cell["n"] * cell["segments"] / time / roof if time and roof else None


def told_of(figures):
    """The figures of merit, (value, unit) by name: how many cells are wrong, of each its time, and its share of the roof."""
    figures = list(figures)
    told = {"wrong": (sum(state == "wrong" for _, state, _, _ in figures), "cells")}
    for name, _, time, share in figures:
        if time is not None:
            told[f"{name} time"] = (float(f"{1e6 * time:.5g}"), "us")
        if share is not None:
            told[f"{name} roof"] = (float(f"{100 * share:.4g}"), "%")
    return told


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
    n = variable(str, value="2^26")
    ranks = variable(int, value=0)  # one array over so many; 0: without MPI
    collective = variable(str, value="mpi_reduce")
    options = variable(str, value="")  # more options of `clreduce bench`, as for a shell

    @run_before("setup")
    def ask_for_ranks(self):
        self.num_tasks = max(self.ranks, 1)

    @run_before("run")
    def prepare(self):
        asked = ["--strategy", self.strategy, "--op", self.op, "--type", self.type, "--n", self.n, "--output", OUTPUT]
        if self.device:
            asked += ["--device", self.device]
        if self.ranks:
            asked += ["--ranks", "--rank-counts", str(self.ranks), "--scaling", "strong", "--collective", self.collective]
        self.executable = shlex.quote(self.program)
        self.executable_opts = ["bench", shlex.join(asked), self.options]
        self.keep_files = [OUTPUT]
        # Some schedulers of ReFrame do not tell it.
        self.postrun_cmds += ["status=$?", f"echo $status >{STATUS}", "exit $status"]
        if self.current_partition.scheduler.registered_name == "local":
            # ReFrame runs several tests at a time there; they take turns, as times need it.
            lock = os.path.join(os.path.dirname(self.stagedir), "clreduce.lock")
            self.prerun_cmds += [f"exec 9>{shlex.quote(lock)}", "flock 9"]
            if self.ranks:
                self.job.launcher = getlauncher("mpirun")()

    def text_of(self, name):
        with open(os.path.join(self.stagedir, name), encoding="utf-8", errors="replace") as file:
            return file.read()

    @run_before("sanity")
    def read(self):
        """What was measured, and what is known of this system."""
        self.figures, self.status = [], "unknown: the job ended before it"
        if os.path.exists(os.path.join(self.stagedir, OUTPUT)):
            self.figures = list(figures_of(json.loads(self.text_of(OUTPUT))))
        if os.path.exists(os.path.join(self.stagedir, STATUS)):
            self.status = self.text_of(STATUS).strip()
        with open(self.references, encoding="utf-8") as file:
            references = json.load(file)
        partition = self.current_partition.fullname
        self.known = {"wrong": [0, 0, 0, "cells"]}
        for scope in ("*", self.current_system.name, partition):
            self.known |= references.get(scope, {})
        self.reference = {partition: {name: tuple(known) for name, known in self.known.items()}}

    @sanity_function
    def is_right(self):
        """Nothing failed, and what has a reference was timed."""
        said = [line for line in self.text_of(self.stderr.evaluate()).splitlines() if line.startswith("clreduce: ")] or ["see the job's output"]
        told = told_of(self.figures)
        untold = [f"{name} {what}: {state}" for name, state, _, _ in self.figures for what in ("time", "roof")
                  if f"{name} {what}" in self.known and f"{name} {what}" not in told]
        return sn.all([sn.assert_eq(self.status, "0", f"clreduce ended with status {self.status}: {said[0]}"),
                       sn.assert_true(self.figures, "clreduce has measured nothing on a device"),
                       sn.assert_false(untold, f"a reference, but no figure: {', '.join(untold)}")])

    @run_before("performance")
    def tell(self):
        told = told_of(self.figures)
        self.perf_variables = {name: sn.make_performance_function(sn.defer(value), unit) for name, (value, unit) in told.items()}
