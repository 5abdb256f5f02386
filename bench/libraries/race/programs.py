"""The two kinds of programs that race: clreduce bench, and the adapters of public libraries.

Both are started afresh for every round, since a process has a bias of its own, and give for each row and n the median
over its batches of the mean time of a call in a batch, in seconds.
"""

import json
import random
import select
import statistics
import subprocess
import tempfile
import time

LAUNCH_N = 1
BATCHES_MAX = 18  # as clreduce bench plans them
ANSWER_S = 120  # for one command
TOLERANCE = 1e-3  # of the exact sum; lost elements show in the exact data


class Trouble(Exception):
    """A program that does not answer as it should; the text is the reason."""


class Refused(Trouble):
    """An error that an adapter reports; it lives on."""


class Wrong(Trouble):
    """A scan or a histogram whose adapter found a wrong element; it lives on."""


class Broken(Exception):
    """The process of a peer ended, or hangs, at a cell."""

    def __init__(self, cell, reason):
        super().__init__(reason)
        self.cell = cell


class Ours:
    """clreduce bench with some strategies; the host's rows come with them."""

    name = "clreduce"

    def __init__(self, clreduce, strategies, settings):
        self.clreduce, self.strategies, self.settings = clreduce, strategies, settings
        self.states = {}  # (row, n): (state, reason) of what is not timed
        self.trouble = None  # why it left the race
        self.kind = None  # of the device: cpu, or gpu-or-accelerator
        self.version = ""
        self.environment = {}  # settings of drivers, as far as they are set

    def measure(self, device, first):
        """At n = LAUNCH_N, too, whoever races: there a call is a launch and little else."""
        s = self.settings
        result = s.work / f"ours-{device['id']}.json"
        result.unlink(missing_ok=True)
        command = [self.clreduce, "bench", "--device", device["id"], "--strategy", self.strategies,
                   "--primitive", s.primitive.name, "--op", s.primitive.op, "--type", s.primitive.type, "--n", ",".join(map(str, sorted({LAUNCH_N, *s.sizes}))),
                   *s.primitive.options, "--seed", str(s.seed), "--time-per-cell", str(s.time_per_cell), "--output", result,
                   *([] if first else ["--data-sets", "1"])]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True)
        if not result.exists():
            raise Trouble((done.stderr.strip().splitlines() or [f"clreduce ended with {done.returncode}"])[-1])
        run = json.loads(result.read_text())
        self.version = f"{run['suite']['name']} {run['suite']['version']}"
        self.environment = run["host"]["environment"]
        self.kind = next(d["kind"] for d in run["devices"] if d["id"] == device["id"])
        times = {}
        for cell in run["cells"]:
            key = cell["strategy"], cell["n"]
            if cell["time_to_answer"]:
                times[key] = cell["time_to_answer"]["median_s"]
            elif cell["n"] in s.sizes or cell["state"] in ("wrong", "crashed"):
                self.states[key] = cell["state"], cell.get("reason", "no reason is told")
        return times


class Process:
    """A running adapter. It waits for its next command, blocked, while others run."""

    def __init__(self, command, device, settings):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [*command, settings.primitive.name, device["platform"], device["device"], str(device["index"]), settings.data],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, cwd=settings.work,
            env=settings.peer_environment)
        self.pending = b""
        try:
            self.version = self.answer()
        except Trouble as trouble:
            self.stop()
            raise Trouble(f"does not start on {device['id']}: {trouble}") from None

    def answer(self):
        deadline = time.monotonic() + ANSWER_S
        while b"\n" not in self.pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise Trouble(f"gave no answer in {ANSWER_S} s")
            part = self.process.stdout.read1(4096)
            if not part:
                raise Trouble(self.last_words())
            self.pending += part
        line, self.pending = self.pending.split(b"\n", 1)
        verdict, _, text = line.decode(errors="replace").partition(" ")
        if verdict != "ok":
            raise Wrong(text) if verdict == "wrong" else Refused(text)
        return text

    def ask(self, *words):
        try:
            self.process.stdin.write((" ".join(map(str, words)) + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Trouble(self.last_words()) from None
        seconds, value = self.answer().split()
        return float(seconds), float(value)

    def last_words(self):
        status = self.process.wait()
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip().splitlines()
        return f"ended with status {status}" + (f": {said[-1]}" if said else "")

    def stop(self):
        try:
            self.process.stdin.close()
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.errors.close()


def checked_sum(n):
    """The exact sum of peer::checked_value of peer.hpp."""
    step = max(1, n >> 23)
    return (n - 1) // step + 1 + ((n - 1) % step != 0)


class Peer:
    """One library on one device, over all rounds."""

    def __init__(self, adapter, settings):
        self.name, self.adapter, self.settings = adapter.name, adapter, settings
        self.functions = adapter.functions[settings.primitive.functions]
        self.states = {}  # (row, n): (state, reason) of what is not timed
        self.trouble = None  # why it left the race
        self.version = ""
        self.order = random.Random(f"{settings.seed} {adapter.name}")

    def rows(self):
        return [f"{self.name}.{function}" for function in self.functions]

    def measure(self, device, first):
        for _ in range(4):
            process = Process(self.adapter.command, device, self.settings)
            try:
                self.version = process.version
                return self.measure_with(process, first)
            except Broken as broken:
                self.states[broken.cell] = "crashed", str(broken)
            finally:
                process.stop()
        raise Trouble("crashed again and again")

    def measure_with(self, process, first):
        samples, plans = {}, []
        for n in self.settings.sizes:
            for function in self.functions:
                cell = f"{self.name}.{function}", n
                if cell in self.states:
                    continue
                if first and not self.judged(cell, self.ask(process, cell, "check", function, n), n if self.settings.primitive.counts else checked_sum(n), 0):
                    continue
                answer = self.ask(process, cell, "open", function, n)
                if not self.judged(cell, answer, self.settings.sums[n], TOLERANCE):
                    continue
                plans += self.plan(cell, function, answer[0])
                samples[cell] = []
        self.order.shuffle(plans)
        for cell, function, calls in plans:
            if cell in self.states:
                continue
            answer = self.ask(process, cell, "batch", function, cell[1], calls)
            if self.judged(cell, answer, self.settings.sums[cell[1]], TOLERANCE):
                samples[cell].append(answer[0])
        return {cell: statistics.median(taken) for cell, taken in samples.items() if taken and cell not in self.states}

    def plan(self, cell, function, call_s):
        """As clreduce bench does: batches of a share of the budget, at least one call, however long it takes."""
        budget_s = self.settings.time_per_cell
        call_s = max(call_s, 1e-9)
        calls = max(1, int(budget_s / BATCHES_MAX / call_s))
        batches = min(BATCHES_MAX, max(1, int(budget_s / (call_s * calls))))
        return [(cell, function, calls)] * batches

    def ask(self, process, cell, *words):
        try:
            return process.ask(*words)
        except Wrong as wrong:
            self.states[cell] = "wrong", str(wrong)
            return None
        except Refused as refusal:
            self.states[cell] = "failed", str(refusal)
            return None
        except Trouble as trouble:
            raise Broken(cell, str(trouble)) from None

    def judged(self, cell, answer, expected, tolerance):
        if answer is None:
            return False
        if abs(answer[1] - expected) <= tolerance * expected:
            return True
        self.states[cell] = "wrong", f"got {answer[1]:.9g} instead of {expected:.9g}"
        return False
