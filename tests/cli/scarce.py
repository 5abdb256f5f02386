#!/usr/bin/env python3
"""Lets each allocation fail in turn: in every verb and format that ends with status 4 and a line that says so, or what comes
out is the same as ever. Never a crash, an abort, or half an answer.
    tests/cli/scarce.py CLREDUCE LIBSCARCE [EVERY [WORD]]   EVERY-th allocation of each command (of those with the WORD); 0, the
                                                     default: some 12 of each"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from stored import whole  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STORED = ROOT / "results" / "cpu-2-cores.json"
SOME = 12
COMMANDS = [["strategies"], ["strategies", "--format", "json"], ["strategies", "--format", "csv"],
            ["strategies", "--source", "tree"],
            ["compare", "a.json", "b.json"], ["compare", "a.json", "b.json", "--format", "json"],
            ["compare", "a.json", "b.json", "--format", "csv"], ["compare", "--drivers", "a.json", "b.json"],
            ["compare", "--drivers", "a.json", "b.json", "--format", "json"],
            ["compare", "--drivers", "a.json", "b.json", "--format", "csv"],
            ["report", "a.json"], ["report", "a.json", "--format", "md"],
            ["report", "a.json", "--format", "svg"], ["report", "a.json", "b.json", "--output", "out"],
            ["report", "ranks.json"], ["report", "ranks.json", "--format", "md"],
            ["recommend", "a.json"], ["recommend", "a.json", "--format", "json"], ["recommend", "a.json", "--format", "h"],
            ["emit", "a.json", "--device", "intel", "--output", "out"],
            ["emit", "a.json", "--device", "intel", "--strategy", "wg_reduce*", "--output", "out"],
            ["duel", "--replay", "duel.json"], ["duel", "--replay", "duel.json", "--format", "csv"],
            *(["duel", "--replay", "duel.json", "--export", f"{kind}=out"] for kind in
              ["junit", "github-action-benchmark", "markdown", "annotations"]),  # Google's ends itself
            ["bench", "--device", "host", "--n", "100", "--time-per-cell", "0.1ms", "--output", "out"],
            ["bench", "--device", "host", "--n", "100", "--time-per-cell", "0.1ms", "--output", "out", "--report", "page"],
            ["bench", "--device", "host", "--n", "100", "--time-per-cell", "0.1ms", "--format", "csv"],
            ["verify", "--expect", str(ROOT / "tests" / "expect"), "--device", "host"],
            ["verify", "--show-data", "weights", "--op", "sum", "--type", "f32", "--n", "100"],
            ["manual"], ["manual", "--format", "bash"], ["--version"]]  # --help is glibc's, which asserts
MEASURES = ("bench",)  # no two outputs are the same


def make_files(work):
    """Small ones of what a machine has measured."""
    with open(STORED, encoding="utf-8") as file:
        run = whole(json.load(file))
    keep = ["host", "intel"]
    run["devices"] = [device for device in run["devices"] if device["id"] in keep]
    run["cells"] = [cell for cell in run["cells"] if cell["device"] in keep and cell["n"] in (2 ** 16, 2 ** 20) and
                    cell["strategy"] in ("openmp", "tree", "wg_reduce", "chunk")]
    run["accuracy"] = run.get("accuracy", [])[:4]
    for name, end in ("a.json", ""), ("b.json", "\n"):  # a report takes no file twice
        (work / name).write_text(json.dumps(run) + end)
    subprocess.run([ROOT / "tests/cli/make_ranks.py", "1", "one", work / "ranks.json"], check=True)


def members(files):
    """What a result file holds, without its values: of what is measured anew these differ."""
    def of(value):
        if isinstance(value, dict):
            return {key: of(member) for key, member in value.items()}
        return [of(element) for element in value if isinstance(element, dict)] if isinstance(value, list) else None
    return [(name, of(json.loads(text))) for name, text in files]


class Suite:
    def __init__(self, clreduce, scarce, work):
        self.clreduce, self.scarce, self.work, self.checks, self.failures = clreduce, scarce, work, 0, 0
        self.tmp = work / "tmp"
        self.tmp.mkdir()
        make_files(work)
        self.environment = dict(os.environ, TMPDIR=str(self.tmp), LD_PRELOAD=scarce,
                                OMP_NUM_THREADS="1")

    def run(self, arguments, **more):
        """The process, and what came out of it."""
        subprocess.run(["rm", "-rf", "out", "out.journal", "page"], cwd=self.work, check=True)
        ended = subprocess.run([self.clreduce, *arguments], cwd=self.work, env=self.environment | more, capture_output=True,
                               timeout=60, check=False)
        out = self.work / "out"
        files = [out] if out.is_file() else sorted(out.iterdir()) if out.is_dir() else []
        return ended, (ended.stdout, [(path.name, path.read_bytes()) for path in files])

    def fail(self, what, ended):
        self.failures += 1
        if self.failures <= 30:
            print(f"FAIL  {what}: {ended.returncode}: {ended.stderr.decode(errors='replace').strip()[-200:]}")

    def try_all(self, arguments, every):
        count = self.work / "count"
        ended, whole = self.run(arguments, SCARCE_COUNT=str(count))
        good = ended.returncode
        if good not in (0, 3, 77):
            self.fail(f"{arguments}, with all memory", ended)
            return
        n = int(count.read_text())
        ks = range(1, n + 1, every) if every else sorted(random.sample(range(1, n + 1), min(n, SOME)))
        for k in ks:
            ended, made = self.run(arguments, SCARCE_MEMORY=str(k))
            self.checks += 1
            # Only the parent lacks memory, so no driver is to blame.
            told = b"clreduce: " in ended.stderr and ended.returncode == 4 and b"broken its process" not in ended.stderr or \
                b"libgomp: Out of memory" in ended.stderr  # which ends the program itself
            same = ended.returncode == good and (made == whole or arguments[0] in MEASURES and members(made[1]) == members(whole[1]))
            if not told and not same:
                self.fail(f"{' '.join(arguments)}, allocation {k} of {n}", ended)
            if told and made[1] and arguments[0] != "bench":
                self.fail(f"{' '.join(arguments)}, allocation {k} of {n}: leaves {made[1]}", ended)
        if arguments[0] in ("report", "emit"):  # and all that follow: nothing else is to blame
            for k in random.sample(range(1, n + 1), min(n, SOME)):
                ended, _ = self.run(arguments, SCARCE_MEMORY=f"{k}+")
                self.checks += 1
                memory = b"memory" in ended.stderr
                if ended.returncode == 4 and not memory or ended.returncode not in (good, 4):
                    self.fail(f"{' '.join(arguments)}, all from allocation {k} of {n}", ended)
        left = os.listdir(self.tmp)
        if left:
            self.failures += 1
            print(f"FAIL  {arguments} leaves {left}")


def main():
    random.seed(int(os.environ.get("SEED", "1")))
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(*(os.path.realpath(path) for path in sys.argv[1:3]), pathlib.Path(folder))
        if len(sys.argv) <= 3:
            print("skip  duel --replay: nightly makes a duel first")
        else:
            subprocess.run([suite.clreduce, "duel", "--device", "pocl", "--strategy", "serial", "--n", "100", "--profile",
                            "fast", "--output", "duel.json"], cwd=suite.work, capture_output=True, check=False)
        for arguments in COMMANDS:
            if arguments[0] == "duel" and not (suite.work / "duel.json").exists():
                continue
            if len(sys.argv) > 4 and sys.argv[4] not in arguments:
                continue
            suite.try_all(arguments, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    print(f"{suite.checks} failed allocations, {suite.failures} failures")
    return 1 if suite.failures else 0


sys.exit(main())
