#!/usr/bin/env -S python3 -B
"""--each: every rank of mpirun has the verb run for its own device, one at a time on a host, and rank 0 writes one file; a rank that
fails costs its own line alone.
    tests/device/fleet_each.py CLREDUCE LAYER [SEED | all | PART...]   two parts, which the seed draws, all, or these
LAYER is the library made of tests/broken/layer, which makes a good driver bad."""
import datetime
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from driver import POCL, need_pocl  # noqa: E402
from suite import Suite  # noqa: E402

SUITE = Suite()
PROGRAM, LAYER = sys.argv[1:3]
BENCH = ["bench", "--each", "--strategy", "serial", "--n", "2^10", "--data-sets", "1", "--time-per-cell", "0.01"]
STAMP = "%Y-%m-%dT%H:%M:%SZ"


class Fleet:
    """mpirun in a folder of its own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "bad").mkdir()
        (self.folder / "bad" / "pocl.icd").symlink_to(POCL)

    def command(self, *contexts):
        """Of mpirun; a context is how many ranks, what is set for them, and their words."""
        line = ["mpirun", "--oversubscribe", "--bind-to", "none"]
        for i, (n, settings, words) in enumerate(contexts):
            line += [":"] * (i > 0) + ["-n", str(n), "env", *settings, PROGRAM, *words]
        return line

    def start(self, *contexts):
        return subprocess.Popen(self.command(*contexts), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})

    def run(self, *contexts):
        """The process that has ended, with what it printed."""
        process = self.start(*contexts)
        process.out, process.told = process.communicate(timeout=200)
        return process

    def fault(self, name):
        """What makes PoCL bad, the only driver then."""
        return [f"OPENCL_LAYERS={LAYER}", f"CLREDUCE_FAULT={name}", f"OCL_ICD_VENDORS={self.folder / 'bad'}"]

    def runs(self, name="f.json"):
        """What the fleet file holds; nothing where there is none."""
        path = self.folder / name
        return json.loads(path.read_text())["fleet"] if path.exists() else []

    def left(self):
        """Files of ranks that lie beside the fleet file."""
        return sorted(path.name for path in self.folder.glob("*.json.*"))


def device(run):
    return run["devices"][-1]["id"]


def began(run):
    return datetime.datetime.strptime(run["started"], STAMP).timestamp()


def rows(process):
    """The lines of the table, by rank."""
    return {int(line.split()[0]): line for line in process.out.splitlines() if line[:4].strip().isdigit()}


def one_message(process, rank, told):
    """One line of the program on stderr, which names the rank and its host and says this."""
    lines = [line for line in process.told.splitlines() if line.startswith("clreduce: ")]
    return len(lines) == 1 and lines[0].startswith(f"clreduce: rank {rank} on {os.uname().nodename}: ") and told in lines[0]


def evidence(process):
    return f"exit status {process.returncode}\n{process.out}\n{process.told}"


def turns(fleet):
    """One file of R ranks, which take turns; a rank's device is by its number on the host."""
    ranks_n = random.choice([1, 2, 3, 5])
    output = random.choice([["--output", "f.json"], ["--output=f.json"], ["-of.json"], ["--out", "f.json"]])  # which each rank gets for itself
    process = fleet.run((ranks_n, [], [random.choice(["--each", "--eac"]) if word == "--each" else word for word in BENCH] + output))
    runs = fleet.runs()
    SUITE.judge(f"{ranks_n} ranks, one file, one line each",
                process.returncode == 0 and len(runs) == ranks_n == len(rows(process)) and "clreduce:" not in process.told,
                evidence(process))
    SUITE.judge("each rank's device follows from its number", [device(run) for run in runs] == (["pocl", "intel"] * 3)[:ranks_n],
                [device(run) for run in runs])
    SUITE.judge("turns do not overlap", all(began(b) + 1 > began(a) + a["wall_s"] for a, b in zip(runs, runs[1:])),
                [(run["started"], run["wall_s"]) for run in runs])
    SUITE.judge("no rank's own file is left", fleet.left() == [], fleet.left())


def own_devices(fleet):
    """--device of each rank; the command in a file makes the same run again."""
    names = random.sample(["pocl", "intel"], 2)
    process = fleet.run(*[(1, [], [*BENCH, "--seed", "7", "--device", name, "-o", "f.json"]) for name in names])
    runs = fleet.runs()
    SUITE.judge("each rank takes the device that it names", process.returncode == 0 and [device(run) for run in runs] == names,
                evidence(process))
    words = " ".join(BENCH).replace(" --each", "").replace("2^10", "'2^10'")
    SUITE.judge("a run's command is the verb's own",
                all(run["command"].startswith(f"clreduce {words} --seed 7 --device {device(run)} ") for run in runs),
                [run["command"] for run in runs])


def fails(fleet):
    """A rank whose driver is wrong, crashes or is not there keeps no other from measuring."""
    fault, status, word, told = random.choice([
        ("wrong_group", 2, "wrong", "wrong results"), ("crash_launch@3", 5, "failed", "crashed"), ("crash_load", 5, "no device", "crashed"),
        ("no_devices", 5, "no device", "no OpenCL device"), (None, 5, "no device", "unknown device 'cuda'")])
    bad = random.randrange(3)
    contexts = [(1, [], [*BENCH, "--output", "f.json"])] * 3
    contexts[bad] = (1, fleet.fault(fault), contexts[bad][2]) if fault else (1, [], [*BENCH, "--output", "f.json", "--device", "cuda"])
    process = fleet.run(*contexts)
    runs, shown = fleet.runs(), rows(process)
    SUITE.judge(f"{fault} on rank {bad}: exit status {status}, one message", process.returncode == status and one_message(process, bad, told),
                evidence(process))
    SUITE.judge(f"{fault} on rank {bad}: the others are right, and the table tells all",
                {rank: word if rank == bad else "right" for rank in range(3)} ==
                {rank: next((w for w in ("no device", "wrong", "failed", "right") if f" {w} " in line), line) for rank, line in shown.items()},
                process.out)
    SUITE.judge(f"{fault} on rank {bad}: the file has what was measured", len(runs) == (2 if word == "no device" else 3),
                [run["command"] for run in runs])
    if word == "no device":
        again = fleet.run(*[(1, [], [*BENCH, "--output", "f.json", "--resume"])] * 3)
        after = fleet.runs()
        SUITE.judge("--resume measures the missing rank alone", again.returncode == 0 and len(after) == 3 and fleet.left() == [] and
                    [run for i, run in enumerate(after) if i != bad] == runs and "2 of 3 ranks had ended before" in again.out, evidence(again))


def killed(fleet):
    """A rank is killed: no process stays, and --resume goes on with what is missing."""
    words = [*BENCH, "--device", "pocl", "--output", "f.json", "--n", "2^10,2^12", "--time-per-cell", "0.15"]
    mark = f"CLREDUCE_TEST={os.getpid()}-{random.randrange(10**9)}"
    process = fleet.start((2, [mark], words))
    victim = None
    while victim is None and process.poll() is None:
        time.sleep(0.02)
        if (fleet.folder / "f.json.{}.1.journal".format(os.uname().nodename)).exists():
            # A rank is two processes: itself, of which the other tells, and that one, of which mpirun does.
            victim = random.choice([pid for pid in marked(mark) if b"--each" in command_of(pid)] or [None])
    first = json.loads((fleet.folder / f"f.json.{os.uname().nodename}.0").read_text()) if victim else None
    if victim:
        os.kill(victim, signal.SIGKILL)
    process.out, process.told = process.communicate(timeout=60)
    SUITE.judge("a killed rank ends all, and is told", victim is not None and process.returncode != 0 and
                any(word in process.told for word in ("signal 9", "SIGKILL")), evidence(process))
    end = time.monotonic() + 10
    while marked(mark) and time.monotonic() < end:
        time.sleep(0.05)
    SUITE.judge("no process is left", marked(mark) == [], [command_of(pid) for pid in marked(mark)])
    again = fleet.run((2, [], [*words, "--resume"]))
    runs = fleet.runs()
    # The other's run may have ended before it was told to.
    SUITE.judge("--resume keeps the rank that had ended, and measures the other",
                again.returncode == 0 and len(runs) == 2 and runs[0] == first and " of 2 ranks had ended before" in again.out and fleet.left() == [],
                evidence(again))
    other = fleet.run((1, [], [*words, "--resume"]))
    SUITE.judge("without anything to go on with --resume begins anew", other.returncode == 0 and len(fleet.runs()) == 1, evidence(other))


def marked(mark):
    """The processes whose environment has the mark."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes().split(b"\0") and (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def command_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def another_command(fleet):
    """A rank's file of another command is not taken for this one's."""
    words = [*BENCH, "--output", "f.json"]
    fleet.run((1, [], [*words, "--device", "pocl"]), (1, [], [*words, "--device", "cuda"]))
    kept = fleet.left()
    process = fleet.run((2, [], [*words, "--n", "2^11", "--device", "pocl", "--resume"]))
    SUITE.judge("a rank's file of another command is refused", kept != [] and process.returncode == 4 and one_message(process, 0, "of another command") and
                fleet.left()[0] == kept[0], evidence(process))


def checks(fleet):
    """verify --each and devices --each."""
    words = ["verify", "--each", "--strategy", "serial", "--type", "u32", "--op", "sum", "--n", "100", "--output", "v.json"]
    bad = random.randrange(2)
    process = fleet.run(*[(1, fleet.fault("wrong_group") if rank == bad else [], [*words, "--device", "pocl"]) for rank in range(2)])
    runs = fleet.runs("v.json")
    wrong = [sum(strategy["wrong"] for strategy in run["devices"][0]["strategies"]) > 0 for run in runs]
    SUITE.judge("verify on two ranks, of which one is wrong", process.returncode == 2 and wrong == [rank == bad for rank in range(2)] and
                one_message(process, bad, ""), f"{wrong} {evidence(process)}")
    fleet.run((2, [], [*BENCH, "--device", "pocl", "--output", "b.json"]))
    advice = subprocess.run([PROGRAM, "recommend", "b.json", "v.json"], cwd=fleet.folder, capture_output=True, text=True, check=False)
    SUITE.judge("what was wrong on one rank bans", advice.stdout.startswith("DO NOT USE on pocl: serial gave WRONG results") and
                "bans nothing" not in advice.stderr, f"{advice.stdout} {advice.stderr}")
    process = fleet.run((2, [], ["devices", "--each", "--device", "host", "--output", "d.json"]))
    SUITE.judge("devices of two ranks", process.returncode == 0 and [run[0]["id"] for run in fleet.runs("d.json")] == ["host"] * 2, evidence(process))


def refused(fleet):
    """What one file of all ranks cannot be."""
    cases = (([*BENCH, "--format", "csv"], "one file of all ranks"),
             ([*BENCH, "--export", "junit=x.xml"], "--export has no effect with --each"),
             ([*BENCH, "--resume"], "--resume needs --output FILE"),
             ([*BENCH, "--strategy", "serail"], "unknown strategy 'serail'"),
             ([*BENCH, "--report", "x.html", "-o", "f.json"], "--report shows at most 32 devices side by side, and there are 33 ranks"),
             (["verify", "--each", "--special"], "--special has no effect with --each"))
    for words, told in random.sample(cases, 2):
        process = fleet.run((33 if "--report" in words else 1, [], words))
        SUITE.judge(f"refused: {' '.join(words)}", process.returncode == 4 and process.told.count("clreduce: ") == 1 and told in process.told and
                    process.out == "", evidence(process))


PARTS = [turns, own_devices, fails, killed, another_command, checks, refused]


def main():
    if shutil.which("mpirun") is None or not (pathlib.Path(PROGRAM).parent / "clreduce_mpi.so").exists():
        print("skipped: no mpirun, or a clreduce that was built without MPI")
        return 77
    need_pocl()
    share = sys.argv[3] if len(sys.argv) > 3 else ""
    named = [part for part in PARTS if part.__name__ in sys.argv[3:]]
    for part in named or drawn(share, 2, PARTS * 3 if share == "all" else PARTS):
        with tempfile.TemporaryDirectory() as folder:
            part(Fleet(folder))
    return SUITE.end()


sys.exit(main())
