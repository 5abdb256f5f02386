#!/usr/bin/python3 -B
"""A duel of a program with itself in which something breaks: no fault may be called SLOWER, each is told by its code.
    tests/device/duel_faults.py CLREDUCE LAYER CLOCK [SEED | all | FAULT...]
LAYER is the library made of tests/broken/layer, CLOCK that of tests/broken/clock.c; both list their faults. A crash, a wrong result and a quarter of
the others, which the seed draws, are tried, unless `all` or their names are given. The margin is 50 %, so that no noise of a busy
machine is a verdict: whatever is found is the fault's. Where a fault shows in times alone, and those of the machine vary too much, that is
told."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from driver import POCL, need_pocl, workers_of  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)

CALIBRATE = pathlib.Path(__file__).resolve().parent.parent / "tools/calibrate"
# Code: exit status where the head is in trouble, and where the base is. All cells are required.
STATUSES = {"within": (0, 0), "wrong": (2, 3), "failed": (5, 3), "crashed": (5, 3), "timed-out": (5, 3)} | dict.fromkeys(
    ("budget", "launches-spent", "not-confirmed", "controls-moved", "clock", "suspended", "unsteady", "drift", "few-launches", "missing"), (3, 3))
HARMLESS = "within"
# What a disturbance may do that comes and goes: nothing, or cost the answer.
HARMLESS_OR_NOT = "within|budget|not-confirmed|drift|unsteady|clock"
# The driver's, made by LAYER. Process 1 verifies, process 2 is the first launch. A call takes longer than a batch, so that it is one: a launch is
# 72 calls, and a dozen before and between.
DRIVER = [
    # name, side, fault, of processes, codes, what is told
    ("crash", "head", "crash_launch@60", "FROM=3", "crashed", "head crashed: the driver crashed .SIGSEGV. while measuring"),
    ("crash_base", "base", "crash_launch@60", "FROM=3", "crashed", "base crashed: .*while measuring"),
    ("closed", "head", "context_fails", "FROM=4", "failed", "head failed: clCreateContext failed"),
    ("closed_base", "base", "context_fails", "FROM=4", "failed", "base failed: clCreateContext failed"),
    ("lost", "head", "device_lost@60", "FROM=2", "failed", "head failed: .*CL_DEVICE_NOT_AVAILABLE"),
    # In the warm-up behind the checks: there is no time of a call, and no geometry.
    ("warm_up", "head", "launch_fails@30", "FROM=1", "missing", "head unsupported: the driver does not launch group size 1"),
    ("hang", "head", "hang_launch@60", "FROM=2", "timed-out", "head timed-out: no answer in .* while measuring"),
    ("wrong", "head", "wrong_group@60", "FROM=2", "wrong", "head wrong: (call [0-9]+: )?expected .*, got"),
    ("wrong_base", "base", "wrong_group@60", "FROM=2", "wrong", "base wrong: (call [0-9]+: )?expected .*, got"),
    ("lost_launch", "head", "launch_lost@20", "FROM=2", "wrong", "head wrong: (call [0-9]+: )?expected .*, got"),
    ("slow_later", "head", "slow_launch@52", "FROM=2", "unsteady", "the ratio changes within launches"),
    ("slow_first", "head", "slow_launch", "UNTIL=7", "drift", "the ratio changes from one launch on"),
    # PoCL has binaries of its own. Were one kept by the side that finds its cache cold, only that side would run from it, and faster.
    ("cold_cache", "head", "crash_binary", "FROM=1", "within", "1 SAME"),
    # With fewer than three launches before it nobody can tell a fault that stays from a slower head.
    ("slow_last", "head", "slow_launch", "FROM=6", "drift", "the ratio changes from one launch on"),
]
# The clock's, made by CLOCK, of a side's processes or of the program's own.
CLOCK = [
    ("back", "head", "back@1", "clock", "the sides' clock readings do not fit"),
    ("jump_base", "base", "jump@1", "clock", "the sides' clock readings do not fit"),
    ("fast", "head", "fast@1", "clock", "the sides' clock readings do not fit"),
    ("slow_base", "base", "slow@1", "clock", "the sides' clock readings do not fit"),
    ("coarse", "head", "coarse@1", "clock", "the sides' clock readings do not fit"),
    ("glitch", "head", "glitch@100", HARMLESS, "1 SAME"),
    ("stands", "head", "stands@1", "timed-out", "no answer in"),
    ("own_back", "own", "back@500", "clock", "the sides' clock readings do not fit"),
    ("own_stands", "own", "stands@1", "clock", "the sides' clock readings do not fit"),
    ("own_turns", "own", "turns@1", "clock", "the sides' clock readings do not fit"),
    ("own_glitch", "own", "glitch@500", HARMLESS, "1 SAME"),
    ("sleep", "own", "sleep@500", HARMLESS, "1 SAME"),
    ("sleeps", "own", "sleeps@1", "suspended", "suspended again and again"),
]
ALWAYS = ("crash", "wrong")
# What a machine may answer whose own times vary too much; and of which faults it may, since they show in times.
NO_ANSWER = re.compile("code (controls-moved|budget|launches-spent), ")
OF_TIMES = {"within", "drift", "unsteady"}


def stop(pid):
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.2)
    os.kill(pid, signal.SIGCONT)


def kill(pid):
    os.kill(pid, signal.SIGKILL)


# What somebody does to the head's processes, again and again while it lasts.
OUTSIDE = [
    ("stopped", stop, 0.3, HARMLESS_OR_NOT, ""),
    ("killed", kill, 0.7, HARMLESS_OR_NOT + "|crashed", "killed"),
]
# While trials of a program with itself are calibrated.
CALIBRATING = [("crash_list", "told", ""), ("crash_build", "told", "")]


class Bench:
    """One duel at a time, in a folder of its own."""

    def __init__(self, program, layer, clock, folder):
        self.program, self.layer, self.clock, self.folder = program, layer, clock, pathlib.Path(folder)
        (self.folder / "pocl.icd").symlink_to(POCL)

    def duel(self, options, environment=None, meanwhile=None, budget_s=100):
        """Exit status, what was written, and the file of the duel."""
        (self.folder / "clreduce.ini").write_text(f"[*]\nmargin = 50 %\nbudget = {budget_s} s\n")
        output = self.folder / "duel.json"
        output.unlink(missing_ok=True)
        (self.folder / "count").unlink(missing_ok=True)
        command = [self.program, "duel", "--strategy", "serial", "--n", "2^20", "--data-sets", "1", "--profile", "fast", "--require",
                   "--policy", str(self.folder / "clreduce.ini"), "--output", str(output)] + options
        with subprocess.Popen(command, env=os.environ | {"OCL_ICD_VENDORS": str(self.folder)} | (environment or {}), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
            thread = threading.Thread(target=meanwhile or (lambda _: None), args=(running,))
            thread.start()
            try:
                text = running.communicate(timeout=100)[0].decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                running.kill()
                text = "the program hangs"
            thread.join()
        return running.returncode, text, json.loads(output.read_text()) if output.exists() else None

    def flaw(self, side, codes, told, status, text, duel):
        """What is not as it must be; empty if all is."""
        if duel is None:
            return f"no file of the duel, exit status {status}"
        finding = duel["cells"][0]["finding"]
        if finding["verdict"] == "SLOWER":
            return "a false SLOWER"
        for part in (duel["cells"][0][name] for name in ("base", "head")):
            if not (part["geometry"]["groups"] == 0 if part["call_s"] is None else 1e-6 < part["call_s"] < 100):
                return f"a time or a geometry that nobody measured: {part}"
        if status != STATUSES[finding["code"]][side == "base"]:
            return f"exit status {status} with code {finding['code']}"
        if finding["code"] not in codes.split("|"):
            return f"code {finding['code']}, not {codes}"
        if not re.search(told, re.sub(r"\s+", " ", text)):
            return f"nobody tells '{told}'"
        again = subprocess.run([self.program, "duel", "--replay", str(self.folder / "duel.json"), "--output", str(self.folder / "again.json")],
                               capture_output=True, check=False)
        if again.returncode != status or (self.folder / "again.json").read_bytes() != (self.folder / "duel.json").read_bytes():
            return f"a replay has exit status {again.returncode}, or another file"
        return ""

    def driver(self, row):
        name, side, fault, processes, codes, told = row
        settings = [f"OPENCL_LAYERS={self.layer}", f"CLREDUCE_FAULT={fault}", f"CLREDUCE_FAULT_{processes}", f"CLREDUCE_FAULT_FILE={self.folder}/count"]
        if name == "cold_cache":
            settings.append(f"POCL_CACHE_DIR={self.folder}/cold")
            shutil.rmtree(self.folder / "cold", ignore_errors=True)  # it may be asked again
            (self.folder / "cold").mkdir()
        options = ["--patience", "5"] if codes == "timed-out" else []
        seen = self.duel(options + [x for setting in settings for x in (f"--{side}-env", setting)])
        return self.flaw(side, codes, told, *seen), seen[1]

    def clocks(self, row):
        _, side, fault, codes, told = row
        settings = {"LD_PRELOAD": self.clock, "CLREDUCE_CLOCK": fault}
        options = ["--n", "2^17"] + (["--patience", "1"] if codes == "timed-out" else [])
        budget_s = 0.5 if fault.endswith("@1") else 100  # what is wrong from the beginning needs few launches
        if side == "own":
            seen = self.duel(options + ["--base-env", "LD_PRELOAD=", "--head-env", "LD_PRELOAD="], settings, budget_s=budget_s)
        else:
            seen = self.duel(options + [x for name, value in settings.items() for x in (f"--{side}-env", f"{name}={value}")], budget_s=budget_s)
        return self.flaw(side, codes, told, *seen), seen[1]

    def outside(self, row):
        _, act, pause_s, codes, told = row

        def meanwhile(running):
            for _ in range(6):
                time.sleep(pause_s)
                for pid in workers_of(running.pid, b"CLREDUCE_SIDE=head"):
                    try:
                        act(pid)
                    except ProcessLookupError:
                        pass

        seen = self.duel(["--head-env", "CLREDUCE_SIDE=head"], meanwhile=meanwhile)
        return self.flaw("head", codes, told, *seen), seen[1]

    def calibration(self, row):
        """Trials of a driver that crashes measure nothing, and are none without a false alarm."""
        told = subprocess.run([CALIBRATE, "aa-fast", "--device", "pocl", "--clreduce", self.program], capture_output=True, check=False, timeout=100,
                              env=os.environ | {"OCL_ICD_VENDORS": str(self.folder), "OPENCL_LAYERS": self.layer, "CLREDUCE_FAULT": row[0]})
        text = told.stderr.decode("utf-8", "replace")
        good = told.returncode == 5 and re.search("^calibrate: .*the driver crashed .SIGSEGV", text, re.MULTILINE)
        return "" if good else f"calibrating: exit status {told.returncode}", text


def main():
    program, layer, clock, *chosen = sys.argv[1:]
    need_pocl()
    bad = tried = untold = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, layer, clock, folder)
        rows = [(row, try_one) for rows, try_one in ((DRIVER, bench.driver), (CLOCK, bench.clocks), (OUTSIDE, bench.outside),
                                                     (CALIBRATING, bench.calibration)) for row in rows]
        names = chosen if chosen and not re.fullmatch("all|[0-9]+", chosen[0]) else [*ALWAYS, *drawn(
            "".join(chosen), len(rows) // 4, [row[0] for row, _ in rows if row[0] not in ALWAYS])]
        for row, try_one in ((row, try_one) for row, try_one in rows if row[0] in names):
            begin_s = time.monotonic()
            found, text = try_one(row)
            for _ in range(2):  # the machine itself is so busy that nothing can be said
                if NO_ANSWER.match(found):
                    found, text = try_one(row)
            if NO_ANSWER.match(found) and OF_TIMES & set(row[-2].split("|")):
                print(f"not checked: {row[0]}: the times of this machine vary too much: {found}", flush=True)
                untold += 1
                continue
            tried, bad = tried + 1, bad + bool(found)
            print(f"{'FAIL' if found else 'ok':5} {row[0]:12} {found or row[-2]} ({time.monotonic() - begin_s:.1f} s)", flush=True)
            if found:
                print("      " + text[:2000].replace("\n", "\n      "))
    print(f"duel_faults: {tried - bad} of {tried} told, and none of them SLOWER; {untold} not checked")
    sys.exit(bad > 0)


main()
