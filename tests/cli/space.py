#!/usr/bin/env -S python3 -B
"""Disks that are full or become so, limits on the size of files, file systems without locks, signals: whatever fails, status
and reason are told, what was measured stays, and nothing stays that nobody needs.
    tests/cli/space.py CLREDUCE LIBSCARCE"""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from stored import load  # noqa: E402
from suite import Suite  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STORED = ROOT / "results" / "cpu-2-cores.json"
DUEL = ["duel", "--device", "pocl", "--strategy", "chunk", "--n", "2^10"]  # has a folder for both sides' binaries
BENCH = ["bench", "--device", "host", "--strategy", "openmp", "--n", "1..200:+1", "--time-per-cell", "0.1ms", "--output", "r.json"]


class Program(Suite):
    def __init__(self, clreduce, scarce, work):
        super().__init__()
        self.clreduce, self.scarce, self.work = clreduce, scarce, work
        self.tmp = work / "tmp"
        self.tmp.mkdir()
        self.environment = dict(os.environ, TMPDIR=str(self.tmp))

    def start(self, arguments, folder=None, limit=None, out=subprocess.PIPE, **environment):
        def limited():
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        return subprocess.Popen([self.clreduce, *map(str, arguments)], cwd=folder or self.work, text=True, stdout=out,
                                stderr=subprocess.PIPE, preexec_fn=limited, env={**self.environment, **environment})

    def finish(self, process, timeout_s=60):
        """The process with what it told on standard error."""
        process.told = process.communicate(timeout=timeout_s)[1]
        return process

    def run(self, arguments, **more):
        return self.finish(self.start(arguments, **more), 120)

    def ends(self, what, process, status, *texts):
        good = (process.returncode == status and all(text in process.told for text in texts) and
                "Success" not in process.told)
        self.judge(f"{what}: {process.returncode}, not {status} with {texts}", good, process.told)
        return good


class Disk:
    """A file system of so many bytes; None where one may not be mounted."""
    def __init__(self, folder, size):
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=False,
                                      capture_output=True).returncode == 0

    def __enter__(self):
        if not self.mounted:
            print("skip  a small disk: no right to mount one")
        return self.folder if self.mounted else None

    def __exit__(self, *_):
        if self.mounted:
            subprocess.run(["umount", self.folder], check=True)


def lines_of(journal):
    """Its lines but the header; each is whole."""
    lines = journal.read_text().split("\n")
    assert lines[-1] == "", "a line is cut"
    return [json.loads(line) for line in lines[:-1]][1:]


def goes_on(suite, what, folder, kept):
    """--resume makes a whole run of it, in which the samples that were kept are."""
    ended = suite.run([*BENCH, "--resume"], folder=folder)
    if not suite.ends(f"{what}, gone on with", ended, 0, "resuming: "):
        return
    cells = load(folder / "r.json")["cells"]
    passed = [cell for cell in cells if cell["state"] == "pass"]
    suite.judge(f"{what}: all cells", len(cells) == len(passed) == 200)
    samples = {(line["sample"], line["s"][0]) for line in kept if "sample" in line}
    found = {(i, s) for i, cell in enumerate(cells) for s in cell["time_to_answer"]["samples_s"]}
    lost = [(i, s) for i, s in samples if not any(i == j and abs(s - t) <= 1e-4 * s for j, t in found)]
    suite.judge(f"{what}: samples are lost", not lost, lost[:3])
    suite.judge(f"{what}: the journal is gone", not (folder / "r.json.journal").exists())


def check_journal(suite):
    """However far the disk lets it come."""
    suite.ends("a whole run", suite.run(BENCH, folder=suite.work), 0)
    result_bytes = (suite.work / "r.json").stat().st_size
    (suite.work / "r.json").unlink()
    for limit in 1000, 30000, result_bytes // 2, result_bytes - 5000, 90000:
        what = f"no file may have more than {limit} bytes"
        ended = suite.run(BENCH, limit=limit)
        suite.ends(what, ended, 4, "File too large", "--resume goes on from here")
        result = suite.work / "r.json"  # one of the cells that were measured may have room
        fits = limit > result_bytes // 2 and result.exists() and len(load(result)["cells"]) == 200
        suite.judge(f"{what}: no result", fits or not result.exists())
        goes_on(suite, what, suite.work, lines_of(suite.work / "r.json.journal"))
        result.unlink()
    for size in "16k", "128k":
        with Disk(suite.work / "small", size) as small:
            if small is None:
                break
            what = f"a disk of {size}"
            ended = suite.run(BENCH, folder=small)
            suite.ends(what, ended, 4, "No space left on device", "--resume goes on from here")
            suite.judge(f"{what}: more than the journal", os.listdir(small) == ["r.json.journal"], os.listdir(small))
            kept = lines_of(small / "r.json.journal")
            subprocess.run(["mount", "-o", "remount,size=4m", small], check=True)
            goes_on(suite, what, small, kept)
    before = set(os.listdir(suite.work))
    ended = suite.run(BENCH, limit=100)
    suite.ends("a journal without room", ended, 4, "r.json.journal: File too large; choose another --output")
    suite.judge("it is told before the work", "cells verified" not in ended.told and
                set(os.listdir(suite.work)) == before, ended.told)
    (suite.work / "r.json.journal").mkdir()
    ended = suite.run(BENCH)
    suite.ends("a journal that is a folder", ended, 4, "cannot write r.json.journal: Is a directory")
    suite.judge("it is told before anything else", "verifying" not in ended.told, ended.told)
    (suite.work / "r.json.journal").rmdir()
    ended = suite.run(BENCH, LD_PRELOAD=suite.scarce, SCARCE_LOCKS="1")
    suite.ends("no locks", ended, 0, "r.json.journal cannot be locked (No locks available)")
    (suite.work / "r.json").unlink()


def check_verify(suite):
    verify = ["verify", "--device", "pocl", "--strategy", "serial,chunk", "--type", "i32", "--op", "sum", "--n", "1..8:+1",
              "--output", "v.csv", "--format", "csv"]
    with Disk(suite.work / "small", "4k") as small:
        if small is None:
            return
        ended = suite.run(verify, folder=small)
        if ended.returncode == 77 or "no device" in ended.told:
            print("skip  verify on a full disk: there is no device pocl")
            return
        suite.ends("verify on a full disk", ended, 4, "v.csv.journal: No space left on device", "--resume goes on")
        kept = len(lines_of(small / "v.csv.journal"))
        subprocess.run(["mount", "-o", "remount,size=4m", small], check=True)
        ended = suite.run([*verify, "--resume"], folder=small)
        suite.ends("verify gone on with", ended, 0, f"resuming: {kept} checks are there")


def check_screen(suite):
    """What only prints is no success where it cannot."""
    verbs = ["devices", "strategies", "verify", "bench", "compare", "report", "recommend", "emit", "duel", "once", "manual"]
    for arguments in [["--help"], ["--version"], ["manual"], ["strategies"], ["report", STORED, "--format", "md"],
                      ["compare", STORED, STORED], ["recommend", STORED], ["recommend", STORED, "--format", "json"],
                      *([verb, "--help"] for verb in verbs)]:
        with open("/dev/full", "w") as full:
            ended = suite.run(arguments, out=full)
        suite.ends(f"{arguments} > /dev/full", ended, 4, "cannot write the standard output: No space left on device")
    for arguments in (["recommend", STORED, "--format", "json"], ["report", STORED], ["strategies", "--format", "csv"],
                      [*BENCH[:-2], "--format", "csv"]):
        suite.ends(f"{arguments} to /dev/full", suite.run([*arguments, "--output", "/dev/full"]), 4,
                   "cannot write /dev/full: No space left on device")


def check_emit(suite):
    """All files or none, however much room there is."""
    emit = ["emit", STORED, "--device", "intel", "--output", "made"]
    suite.ends("emit", suite.run(emit), 0)
    whole = {name: (suite.work / "made" / name).read_bytes() for name in os.listdir(suite.work / "made")}
    suite.judge("its files", len(whole) == 5, list(whole))
    for pages in range(1, 13):
        with Disk(suite.work / "small", f"{4 * pages}k") as small:
            if small is None:
                break
            ended = suite.run(emit, folder=small)
            made = {name: (small / "made" / name).read_bytes() for name in os.listdir(small / "made")
                    } if (small / "made").exists() else {}
            if ended.returncode == 0:
                suite.judge(f"emit into {pages} pages", made == whole, list(made))
            else:
                suite.ends(f"emit into {pages} pages", ended, 4, "No space left on device")
                suite.judge(f"emit into {pages} pages leaves", not os.listdir(small), os.listdir(small))


def check_scratch(suite):
    """Folders for a moment, where TMPDIR says."""
    emit = ["emit", STORED, "--device", "intel", "--output", "made"]
    before = os.listdir("/")
    suite.ends("an empty TMPDIR", suite.run(emit, TMPDIR=""), 0)
    suite.judge("an empty TMPDIR is not /", os.listdir("/") == before)
    suite.ends("a TMPDIR that is not there", suite.run(DUEL, TMPDIR="/nowhere/at/all"), 4, "TMPDIR", "/nowhere/at/all")
    suite.ends("emit needs none", suite.run(emit, TMPDIR="/nowhere/at/all"), 0)
    for arguments in emit, ["report", STORED, "--output", "page.html"], ["recommend", STORED, "--output", "page.html"]:
        suite.ends("files of at most 64 bytes", suite.run(arguments, limit=64), 4)
    suite.judge("they leave", not (suite.work / "page.html").exists() and not os.listdir(suite.tmp),
                os.listdir(suite.work))


def slow_driver(suite):
    """The only one there is, and it never comes to be loaded: a FIFO that nobody writes to."""
    folder = suite.work / "vendors"
    folder.mkdir()
    (folder / "never.icd").write_text(f"{suite.work}/never\n")
    return {"OCL_ICD_VENDORS": str(folder)}


def wait_for(condition):
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def check_signals(suite):
    """The first one ends what has nothing to keep, and no file stays."""
    slow = slow_driver(suite)
    os.mkfifo(suite.work / "never")
    before = sorted(os.listdir(suite.work))
    for number in signal.SIGINT, signal.SIGTERM:
        process = suite.start(["bench", "--device", "host", "--n", "10", "--time-per-cell", "0.1ms", "--output", "never"])
        channel = pathlib.Path(f"/proc/{process.pid}/wchan")  # not every kernel tells
        wait_for(lambda: process.poll() is not None or "wait_for_partner" in channel.read_text())
        process.send_signal(number)
        suite.ends(f"{number.name} while a FIFO has no reader", suite.finish(process, 20), 130, "interrupted")
    for number in signal.SIGINT, signal.SIGTERM:
        process = suite.start(DUEL, **slow)
        suite.judge("duel has a folder", wait_for(lambda: any(suite.tmp.glob("clreduce-*/.clreduce-lock"))))
        begin = time.monotonic()
        process.send_signal(number)
        suite.ends(f"duel and {number!r}", suite.finish(process), 130, "interrupted")
        suite.judge("at once", time.monotonic() - begin < 5)
        for verb in [["compare", STORED, STORED], ["recommend", STORED], ["report", STORED]]:
            process = suite.start([*verb, "--output", "never"])
            time.sleep(0.3)
            process.send_signal(number)
            suite.ends(f"{verb} and {number!r}", suite.finish(process), 130, "interrupted")
    suite.judge("they leave", not os.listdir(suite.tmp) and sorted(os.listdir(suite.work)) == before,
                os.listdir(suite.tmp))
    return slow


def check_sweep(suite, slow):
    """What kill -9 left is gone at the next start, and nothing else is."""
    def start():
        there = set(os.listdir(suite.tmp))
        process = suite.start(DUEL, **slow)
        wait_for(lambda: any(set(os.listdir(suite.tmp)) - there))
        folder, = set(os.listdir(suite.tmp)) - there
        wait_for(lambda: (suite.tmp / folder / ".clreduce-lock").exists())
        (suite.tmp / folder / "binary").write_text("")
        return process, suite.tmp / folder

    def age(folder):
        lock, = folder.glob(".*lock")
        os.utime(lock, (time.time() - 120, time.time() - 120))
    killed, left = start()
    killed.kill()
    killed.communicate()
    suite.run(["strategies"])
    suite.judge("a folder of just now stays", left.exists())
    alive, used = start()
    others = [suite.tmp / "clreduce-abcdef", suite.tmp / "clreduce-elsewhere", suite.tmp / "clreduce-ghijkl"]
    others[0].mkdir(mode=0o700)  # no lock file
    (others[0] / "precious").write_text("")
    others[1].mkdir()
    outside = suite.work / "outside"
    outside.mkdir()
    (outside / "precious").write_text("")
    (outside / ".clreduce-lock").write_text("")
    others[2].symlink_to(outside)
    for folder in left, used, outside:
        age(folder)
    suite.run(["strategies"])
    suite.judge("what was left is gone", not left.exists())
    suite.judge("what is used stays", (used / "binary").exists())
    suite.judge("what is not ours stays", all(other.exists() for other in others) and (outside / "precious").exists())
    alive.kill()
    alive.communicate()


def main():
    clreduce, scarce = (os.path.realpath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        suite = Program(clreduce, scarce, pathlib.Path(folder))
        check_journal(suite)
        check_verify(suite)
        check_screen(suite)
        check_emit(suite)
        check_scratch(suite)
        check_sweep(suite, check_signals(suite))
    return suite.end()


sys.exit(main())
