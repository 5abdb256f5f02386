"""Runs clreduce, and reads what it has found."""

import contextlib
import csv
import os
import re
import secrets
import signal
import subprocess
import sys
from pathlib import Path

from repository import Failure

ROOT = Path(__file__).resolve().parent.parent.parent
CLREDUCE = str(ROOT / "build" / "clreduce")
INTERRUPTED = 130
# Options of verify and duel alike, and those of verify; all others are duel's alone.
FOR_BOTH = ("--device", "--type", "--op", "--wg", "--groups", "--lanes", "--bins", "--seed", "--patience")
FOR_VERIFY = (*FOR_BOTH, "--time-per-cell")


def say(text):
    """Where it cannot be said, on a full disk, the exit status still is: Python's own would be 1, which has a meaning."""
    with contextlib.suppress(OSError):
        print(f"clreduce: {text}", file=sys.stderr, flush=True)


def is_job_of_github():
    return os.environ.get("GITHUB_ACTIONS") == "true"


def stop_commands():
    """From here to the word that this gives, which nobody can guess, what is printed is text to GitHub's runner, whatever a compiler or a file
    name says in it. The runner reads standard output and standard error by themselves, in no order: so that both have one."""
    word = secrets.token_hex(16)
    sys.stdout.flush()
    sys.stderr.flush()
    os.dup2(1, 2)
    print(f"::stop-commands::{word}", flush=True)
    return word


def options_of(options, names):
    """Those of the options that have one of the names, with their values."""
    return parted(options, names)[0]


def parted(options, names):
    """The options that have one of the names, with their values, and all others."""
    found, others, index = [], [], 0
    while index < len(options):
        name, equals, _ = options[index].partition("=")
        words = options[index:index + (1 if equals or name not in names else 2)]
        (found if name in names else others).extend(words)
        index += len(words)
    return found, others


class Runner:
    """Runs one command at a time, which a signal ends; then this program goes on, and says what there is."""

    def __init__(self):
        self.child, self.interrupted = None, False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.interrupt)

    def interrupt(self, *_):
        self.interrupted = True
        if self.child:
            self.child.terminate()

    def run(self, command, log, **options):
        """The exit status, and the lines that it wrote to standard error, which are shown and kept in the file `log`."""
        if self.interrupted:
            return INTERRUPTED, []
        lines = []
        with subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              errors="replace", **options) as self.child, open(log, "a", encoding="utf-8") as kept:
            if self.interrupted:  # while it was started
                self.child.terminate()
            for line in self.child.stderr:
                lines.append(line.rstrip("\n"))
                kept.write(line)
                print(line, end="", file=sys.stderr, flush=True)
        status, self.child = self.child.returncode, None
        return (INTERRUPTED if self.interrupted else status if status >= 0 else 128 - status), lines


def manifest_fault(kernel):
    """Why the file is no kernel under the contract; None if it is one."""
    done = subprocess.run([CLREDUCE, "strategies", "--kernel", kernel, "--format", "csv"], capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, check=False)
    return None if done.returncode == 0 else done.stderr.strip().removeprefix("clreduce: ")


def primitives_of(kernel):
    """What the strategies of a kernel file compute, the file's own first: "reduce" where its manifest, the comments at its head, names no other
    primitive. clreduce itself judges the manifest (manifest_fault)."""
    primitives = ["reduce"]
    for line in Path(kernel).read_text(encoding="utf-8", errors="replace").split("\n"):
        found = re.match(r"//@[ \t]*(primitive|variant):[ \t]*(\S+)", line)
        if found and found[1] == "variant":
            primitives.append(primitives[0])
        elif found:
            primitives[-1] = found[2]
        if line and not line.startswith("//"):
            break
    return primitives


def primitive_of(kernel):
    return primitives_of(kernel)[0]


def check_primitive(given, kernel):
    """Refuses --primitive where the kernel's manifest says another one, and a file with variants of another one, which would not be verified."""
    if not Path(kernel).exists():
        return
    own = primitive_of(kernel)
    if given and given != own:
        raise Failure(f"{kernel} is for primitive {own}, as its manifest says: leave out --primitive {given}")
    other = next((primitive for primitive in primitives_of(kernel) if primitive != own), None)
    if other:
        raise Failure(f"{kernel} is for primitive {own}, and a variant in it for {other}: put each primitive into a file of its own")


STARTS = ("wrong: ", "build-failed: ", "failed: ", "crashed: ", "timed-out: ")
AGAIN = "  again: "
PATTERN = "pattern: "  # what wrong checks have in common


class Checks:
    """What `clreduce verify` has found of a kernel file."""

    def __init__(self, runner, kernel, options, folder):
        with open(folder / "verify.csv", "w+", encoding="utf-8") as table:
            self.status, lines = runner.run([CLREDUCE, "verify", "--primitive", primitive_of(kernel), "--kernel", kernel, "--format", "csv",
                                             *options], folder / "verify.log", stdout=table)
            table.seek(0)
            self.rows = [row for row in csv.DictReader(table) if row.get("device")]
        self.right_n = self.number("right")
        self.last = lines[-1].removeprefix("clreduce: ") if lines else ""
        self.evidence, self.again = self.first_of(lines)
        self.patterns = list(dict.fromkeys(line.removeprefix(PATTERN) for line in lines if line.startswith(PATTERN)))

    def number(self, *states):
        return sum(int(row.get(state) or 0) for row in self.rows for state in states)

    @property
    def devices(self):
        return ", ".join(dict.fromkeys(row["device"] for row in self.rows))

    @staticmethod
    def first_of(lines):
        """The first thing that is not right, with the lines that belong to it, and the command that does it again."""
        found, again = [], ""
        for line in lines:
            if line.startswith(AGAIN):
                return found, line.removeprefix(AGAIN)
            if found and line.startswith((*STARTS, PATTERN, "covered on ", "verify: ", "clreduce: ")):
                break
            if found or line.startswith(STARTS):
                found.append(line)
        return found, again
