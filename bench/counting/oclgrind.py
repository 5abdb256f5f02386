"""Runs the program under Oclgrind, a process per strategy and part of the grid."""

import concurrent.futures
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from counting.baseline import version_text
from counting.cells import BAD_USAGE, FAILED, NOTHING_RAN, Cells, Failure

PATIENCE_S = 120  # for one process; the slowest takes 3 s

# Where generated code differs: each kind of operation; integers that have atomics; places that fit into a word with their
# value and that do not; elements narrower than their accumulator. Two groups at least, two turns of each loop, and a tail;
# in the last part less than a turn, and groups that are no power of two. All that would follow from the device is given.
MANY = {"n": "2503", "segments": "41x97", "wg": "8", "groups": "2"}
FEW = {"n": "301", "segments": "5x33", "wg": "100", "groups": "2"}
GRIDS = {
    "reduce": (
        {"type": "f32", "op": "sum,dot,max,argmin", **MANY},
        {"type": "i32,i64", "op": "sum,argmin", **MANY},
        {"type": "i8,f16,f32", "op": "sum", **FEW},
    ),
    "scan": (
        {"type": "f32", "op": "inclusive_sum,exclusive_max", **MANY},
        {"type": "i64", "op": "inclusive_sum", **MANY},
        {"type": "i8", "op": "inclusive_sum", **FEW},
    ),
    "histogram": (
        {"type": "u8,u32,f32", "op": "count", "bins": "256", **MANY},
        {"type": "u16", "op": "count64", "bins": "7", **FEW},
    ),
}
COUNT = ("--inst-counts", "--num-threads", "1")

# What stands behind "OCLGRIND FATAL ERROR (...)": clreduce only learns that there is no kernel.
FATAL = re.compile(r"^OCLGRIND FATAL ERROR.*\n(.+)", re.MULTILINE)
# Oclgrind's compiler leaves in the kernel what it has noted of `restrict`, and Oclgrind does not know the name of that.
OF_RESTRICT = "llvm.experimental.noalias.scope.decl"

# Three groups of two items, each of which calls what the others do not (bench/counting/inst_counts.c).
CHECK_KERNEL = """kernel void check(global int *x) {
    switch (get_group_id(0)) {
    case 0: atomic_inc(x); break;
    case 1: atomic_dec(x); break;
    default: atomic_add(x, 3);
    }
}
"""
CHECK_LAUNCH = "check.cl\ncheck\n6 1 1\n2 1 1\n<size=4 fill=0>\n"


class Oclgrind:
    def __init__(self, program, jobs):
        self.program, self.jobs = program, jobs
        mended = Path(program).resolve().parent / "libinst_counts.so"
        if not mended.exists():
            raise Failure(BAD_USAGE, f"{mended} is not there; it is built with the program")
        self.folder = tempfile.TemporaryDirectory()
        preloaded = Path(self.folder.name, mended.name)  # a list that blanks and colons separate
        preloaded.symlink_to(mended)
        # Nobody's settings of Oclgrind, nor of how numbers are written.
        kept = {key: value for key, value in os.environ.items() if not key.startswith("OCLGRIND_")}
        self.environment = {**kept, "LC_ALL": "C", "LD_PRELOAD": f"{preloaded} {kept.get('LD_PRELOAD', '')}".strip()}
        self.version = self.find_version()

    def ask(self, *command):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              cwd=self.folder.name, env=self.environment, timeout=PATIENCE_S,
                              check=False).stdout.decode(errors="replace")

    def find_version(self):
        """Its own and its compiler's, on which all counts depend; and it must count what is known."""
        Path(self.folder.name, "check.cl").write_text(CHECK_KERNEL, encoding="utf-8")
        Path(self.folder.name, "check.sim").write_text(CHECK_LAUNCH, encoding="utf-8")
        told = self.ask("oclgrind-kernel", *COUNT, "--build-options", "-v", "check.sim")
        own = re.search(r"Oclgrind (\S+)", self.ask("oclgrind", "--version"))
        compiler = re.search(r"clang.* version (\S+) based upon LLVM (\S+)", told)
        version = {"oclgrind": own[1] if own else "unknown", "clang": compiler[1] if compiler else "unknown",
                   "llvm": compiler[2] if compiler else "unknown"}
        found = sorted(re.findall(r"^ *2 - call _Z\d+atomic_(inc|dec|add)", told, re.MULTILINE))
        if found != ["add", "dec", "inc"]:
            raise Failure(NOTHING_RAN, f"{version_text(version)} does not count what is known: of three atomics "
                                       f"{', '.join(found) or 'none'}")
        return version

    def command(self, row, file, part):
        """With what the strategy takes of the part's geometry, as src/model/geometry.h says."""
        command = ["oclgrind", *COUNT, "--max-errors", "10", "--compute-units", "4", self.program, "once", "--device",
                   "oclgrind", "--primitive", row["primitive"], "--strategy", row["strategy"]]
        for option in "type", "op":
            if option in part:
                command += [f"--{option}", part[option]]
        if row["span"] in ("segment", "column"):
            command += ["--shape", f"segments:{part['segments']}"]
        else:
            command += ["--n", part["n"]]
        if row["span"] != "one":
            command += ["--wg", part["wg"]]
        if row["span"] in ("stride", "chunk") and row["finish"] != "persistent":
            command += ["--groups", part["groups"]]
        if "bins" in part:
            command += ["--bins", part["bins"]]
        return command + (["--kernel", file] if file else [])

    def count_part(self, row, file, part):
        cells = Cells()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            try:
                status = subprocess.run(self.command(row, file, part), stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                        env=self.environment, timeout=PATIENCE_S, check=False).returncode
                ending = f"crashed: {'signal' if status < 0 else 'exit status'} {abs(status)}"
            except subprocess.TimeoutExpired:
                status, ending = FAILED, f"timed-out: no end within {PATIENCE_S} s"
            out.seek(0)
            for line in out:
                cells.line(line.decode(errors="replace").rstrip("\n"))
            err.seek(0)
            told = err.read().decode(errors="replace").strip()
        words = told.splitlines()
        cells.give_up(FAILED, ending)
        cells.explain(explanation(told))
        if cells.is_empty():
            raise Failure(BAD_USAGE if status == BAD_USAGE else FAILED,
                          f"{row['strategy']}: {(words[-1] if words else ending).removeprefix('clreduce: ')}")
        return cells

    def count(self, rows, files):
        """All cells of these strategies (rows of `clreduce strategies`; files: of the user's own, by name)."""
        total = Cells()
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            jobs = [pool.submit(self.count_part, row, files.get(row["strategy"]), part) for row in rows for part in GRIDS[row["primitive"]]]
            for job in jobs:
                total.add(job.result())
        for row in rows:  # a user's kernel that has no type and operation of the grid: with its own first ones
            if row["strategy"] in files and not total.has(row["strategy"]):
                total.add(self.count_part(row, files[row["strategy"]], MANY))
        return total


def explanation(told):
    """Oclgrind's own words on what it cannot run, with the way out of the limit that is known; nothing where it has said none."""
    fatal = "; ".join(dict.fromkeys(line.strip() for line in FATAL.findall(told)))
    way = (", which its compiler leaves behind where a loop calls a helper with two `restrict` arrays: leave `restrict` out of the helper's "
           "parameters") if OF_RESTRICT in fatal else ""
    return f"Oclgrind: {fatal}{way}" if fatal else ""


def check_installed():
    if not (shutil.which("oclgrind") and shutil.which("oclgrind-kernel")):
        raise Failure(NOTHING_RAN, "Oclgrind is not installed (on Debian and Ubuntu: apt-get install oclgrind)")
