#!/usr/bin/env -S python3 -B
"""No driver in the process that decides: one that crashes, exits or hangs ends no verb without a word, and makes none succeed
with nothing or deaf to SIGTERM; and that process never loads it.
    tests/device/parent.py CLREDUCE BREAKER [SEED|all]    a quarter of the verbs and ways to break, which the seed draws, or all
BREAKER is the library made of tests/broken/breaker.c: PoCL that breaks in clGetPlatformIDs, clGetDeviceIDs or clBuildProgram."""
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from driver import POCL, need_pocl  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)

PLACES = ("clGetPlatformIDs", "clGetDeviceIDs", "clBuildProgram")
PATIENCE_S = 2
LIMIT_S = 60
SMALL = ["--device", "pocl", "--strategy", "serial", "--n", "2^10"]
# Verbs that need a device: their arguments, and whether they build programs. `once` is a driver's own process, and says so.
ASK = {
    "devices": (["devices", "--device", "pocl"], True),
    "verify": (["verify", *SMALL, "--type", "i32", "--op", "sum"], True),
    "verify --special": (["verify", "--special", *SMALL, "--type", "f32", "--op", "sum"], True),
    "verify --accuracy": (["verify", "--accuracy", *SMALL], True),
    "bench": (["bench", *SMALL, "--time-per-cell", "5ms", "--data-sets", "1"], True),
    "emit": (["emit", "--strategy", "serial", "--device", "pocl", "--output", "FOLDER/emitted"], False),
    "duel": (["duel", *SMALL, "--profile", "fast"], True),
}
# Those that do not: no driver has a say in them.
ASK_NONE = {
    "strategies": ["strategies"],
    "strategies --source": ["strategies", "--source", "tree"],
    "compare": ["compare", "FOLDER/run.json", "FOLDER/run.json"],
    "compare --drivers": ["compare", "--drivers", "FOLDER/run.json", "FOLDER/run.json"],
    "report": ["report", "FOLDER/run.json", "--format", "md"],
    "recommend": ["recommend", "FOLDER/run.json"],
    "emit FILE": ["emit", "FOLDER/run.json", "--output", "FOLDER/emitted"],
    "manual": ["manual"],
    "bench of the host": ["bench", "--device", "host", "--n", "2^10", "--time-per-cell", "5ms"],
    "--help": ["--help"],
    "--version": ["--version"],
}
# How long a build that hangs may take beyond --patience is not judged here; that they listen is.
NOT_JUDGED = {("verify", "hang"), ("duel", "hang")}
# Tables of what each data set came to: they say so in their cells.
TELL_IN_TABLE = ("verify --special", "verify --accuracy")
ENDED = {"crash": "the driver crashed (SIGSEGV)", "exit": "the driver ended the program (exit status 0)",
         "hang": f"no answer in {PATIENCE_S} s"}


class Flaw(Exception):
    pass


def start(clreduce, breaker, folder, arguments, how):
    """The program beside the broken driver, in a folder of its own; its log has every process that reached the driver."""
    vendors = folder / "vendors"
    vendors.mkdir(exist_ok=True)
    (vendors / "broken.icd").write_text(f"{breaker}\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENCL_LAYERS")}
    environment |= {"OCL_ICD_VENDORS": str(vendors), "BREAKER_DRIVER": POCL.read_text().strip(), "BREAKER_HOW": how,
                    "BREAKER_LOG": str(folder / "log"), "TMPDIR": str(folder)}
    return subprocess.Popen([clreduce, *(word.replace("FOLDER", str(folder)) for word in arguments)], env=environment, cwd=folder,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")


def end(program, limit_s=LIMIT_S):
    try:
        out, err = program.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        program.kill()
        program.communicate()
        raise Flaw(f"no end within {limit_s} s")
    return program.returncode, out, err


def reached(folder):
    log = folder / "log"
    return [line.split() for line in log.read_text().splitlines()] if log.exists() else []


def never_here(program, folder):
    if any(int(pid) == program.pid for pid, _ in reached(folder)):
        raise Flaw("the process that decides has loaded the driver")


def breaks(clreduce, breaker, verb, how, folder):
    """A driver that fails ends a verb with 5 and says so."""
    arguments, builds = ASK[verb]
    way, place = how.split("@")
    patient = ["--patience", str(PATIENCE_S)]
    program = start(clreduce, breaker, folder, [*arguments, *patient], how)
    status, out, err = end(program)
    never_here(program, folder)
    if place == "clBuildProgram" and not builds:
        if status != 0:
            raise Flaw(f"exit status {status} though nothing is built: {err[-300:]}")
        return
    if place not in [where for _, where in reached(folder)]:
        raise Flaw(f"{place} was never reached, status {status}: {err[-300:]}")
    in_table = verb in TELL_IN_TABLE and place == "clBuildProgram"
    # `devices` is about what fails: it has told.
    allowed = (0, 5) if verb == "devices" and place == "clBuildProgram" else (5, 77) if in_table else (5,)
    if status not in allowed:
        raise Flaw(f"exit status {status} instead of {allowed[-1]}: {out[-200:]}{err[-300:]}")
    told = " ".join((out + err).split())
    if ENDED[way] not in told and not (in_table and ("timed-out" if way == "hang" else "crashed") in told):
        raise Flaw(f"'{ENDED[way]}' is not told: {told[-400:]}")


def is_waiting(program, folder, place):
    """Until a process of it hangs in the driver."""
    for _ in range(LIMIT_S * 20):
        if place in [where for _, where in reached(folder)]:
            return
        if program.poll() is not None:
            raise Flaw(f"ended early with {program.returncode}")
        time.sleep(0.05)
    raise Flaw(f"{place} was never reached")


def listens(clreduce, breaker, verb, how, folder):
    """A hanging driver makes no verb deaf: SIGTERM ends it at once, and what it started."""
    place = how.split("@")[1]
    program = start(clreduce, breaker, folder, ASK[verb][0], how)
    try:
        is_waiting(program, folder, place)
        maps = pathlib.Path(f"/proc/{program.pid}/maps").read_text()
        begun = time.monotonic()
        program.send_signal(signal.SIGTERM)
        status, _, err = end(program, 20)
    finally:
        program.kill()
    took_s = time.monotonic() - begun
    if status != 130:
        raise Flaw(f"exit status {status} after SIGTERM: {err[-300:]}")
    if took_s > 10:
        raise Flaw(f"SIGTERM took {took_s:.1f} s")
    if "breaker" in maps or "pocl" in maps:
        raise Flaw("the process that decides has the driver's library mapped")
    never_here(program, folder)
    left = [pid for pid, _ in set(map(tuple, reached(folder))) if pathlib.Path(f"/proc/{pid}/maps").exists() and
            "breaker" in pathlib.Path(f"/proc/{pid}/maps").read_text()]
    if left:
        raise Flaw(f"processes are left: {left}")


def needs_none(clreduce, breaker, verb, how, folder):
    program = start(clreduce, breaker, folder, ASK_NONE[verb], how)
    status, out, err = end(program)
    if status != 0:
        raise Flaw(f"exit status {status}: {err[-300:]}")
    if reached(folder):
        raise Flaw(f"a driver was asked: {reached(folder)}")


def once(clreduce, breaker, verb, how, folder):
    """`once` works in its own process: it says so first, a driver's end is its own, and SIGTERM ends it."""
    way, place = how.split("@")
    program = start(clreduce, breaker, folder, ["once", *SMALL], how)
    if way == "hang":
        is_waiting(program, folder, place)
        program.send_signal(signal.SIGTERM)
    status, out, err = end(program, 20)
    wanted = {"crash": -signal.SIGSEGV, "exit": 0, "hang": -signal.SIGTERM}[way]
    if status != wanted:
        raise Flaw(f"exit status {status} instead of {wanted}: {err[-300:]}")
    if "the driver is called in this process" not in err:
        raise Flaw(f"it does not say that it is the driver's own process: {err[-300:]}")
    if "once: pass" in out:
        raise Flaw("it passes all the same")


def stored(clreduce, folder):
    """A result file of the good driver, to compare, report and recommend, as if nothing else had run on this machine."""
    environment = os.environ | {"OCL_ICD_VENDORS": str(POCL)}
    subprocess.run([clreduce, "bench", "--device", "pocl", "--strategy", "serial,chunk", "--n", "2^10,2^12", "--time-per-cell", "5ms",
                    "--data-sets", "1", "--output", str(folder / "run.json")], env=environment, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    data = pathlib.Path(__file__).resolve().parent.parent / "tools" / "data.py"
    return subprocess.run([sys.executable, data, "edited", folder / "run.json", "calm()"], check=True, capture_output=True, text=True).stdout


def main():
    clreduce, breaker = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    need_pocl()
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        run = stored(clreduce, work)
        json.loads(run)
        hows = [f"{way}@{at}" for way in ENDED for at in PLACES]
        jobs = [(breaks, verb, how) for verb in ASK for how in hows
                if not (how.endswith("clBuildProgram") and (verb, how.split("@")[0]) in NOT_JUDGED)]
        jobs += [(listens, verb, f"hang@{PLACES[1]}") for verb in ASK]
        jobs += [(listens, verb, f"hang@{PLACES[2]}") for verb in ASK if ASK[verb][1]]
        jobs += [(needs_none, verb, f"crash@{PLACES[0]}") for verb in ASK_NONE]
        jobs += [(once, "once", how) for how in hows]
        jobs = drawn("".join(sys.argv[3:]), len(jobs) // 4, jobs)

        def attempt(numbered):
            number, (test, verb, how) = numbered
            folder = work / str(number)
            folder.mkdir()
            (folder / "run.json").write_text(run)
            begun = time.monotonic()
            try:
                test(clreduce, breaker, verb, how, folder)
                return None, f"ok    {test.__name__}: {verb}, {how} ({time.monotonic() - begun:.1f} s)"
            except Flaw as flaw:
                return flaw, f"FAIL  {test.__name__}: {verb}, {how}: {flaw}"

        failed = 0
        # Most of them wait.
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            for flaw, line in pool.map(attempt, enumerate(jobs)):
                print(line, flush=True)
                failed += flaw is not None
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
