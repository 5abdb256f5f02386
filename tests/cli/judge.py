#!/usr/bin/python3 -B
"""Judges duels a second time, by other hands: from what src/gate/duel.h and duel.h say, with scipy's statistics.
    tests/cli/judge.py DUEL.json...      exit status 1 where a finding in a file is not what its samples say"""
import collections
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin, library  # noqa: E402

begin(__doc__)
numpy = library("numpy")
stats = library("scipy.stats")

ROUNDS, LAUNCHES, SURE = 5, 3, 0.001
TROUBLES = {"wrong": "wrong", "crashed": "crashed", "timed-out": "timed-out", "build-failed": "build-failed", "failed": "failed", "known-bug": "not-run"}
VERDICTS = {"confirmed-slower": "SLOWER", "confirmed-faster": "FASTER", "within": "SAME", "wrong": "WRONG", "build-failed": "BROKEN",
            "failed": "FAILED", "crashed": "FAILED", "timed-out": "FAILED"}
UNDECIDED = ("not-confirmed", "launches-spent", "budget", "interrupted", "new", "not-run")


def drop_of(plan, one):
    """Why a round does not count; None if it does."""
    for name, shift in plan["control_shift"].items():
        taken = [time for time in one.get(f"{name}_ns", []) if time > 0]
        if "drop" not in one and taken and max(taken) > (1 + shift) * min(taken):
            return "controls-moved"
    return one.get("drop")


def shortest(batches):
    return max(1, min(batches[1:] or batches))


def launches_of(plan, cell, stage):
    """Logarithms of ratios and what changes within them, of the launches that count; and how many there are in all."""
    made = [series for series in cell["launches"] if series["stage"] == stage]
    logs, shifts = [], []
    for series in made:
        good = [math.log(shortest(r["head_ns"]) / shortest(r["base_ns"])) for r in series["rounds"] if not drop_of(plan, r)]
        if len(good) >= ROUNDS:
            half = len(good) // 2
            logs.append(numpy.median(good))
            shifts.append(numpy.median(good[half:]) - numpy.median(good[:half]))
    return numpy.array(logs), numpy.array(shifts), len(made)


class Mean:
    """The trimmed mean of values, its standard error and degrees (Yuen 1974)."""

    def __init__(self, plan, values):
        out = int(plan["trim"] * len(values))
        kept = numpy.sort(values)[out:len(values) - out]
        self.n, self.mean, self.error = len(kept), kept.mean() if len(kept) else 0.0, math.inf
        if self.n > 1:
            squares = ((values.clip(kept[0], kept[-1]) - values.clip(kept[0], kept[-1]).mean()) ** 2).sum()
            self.error = math.sqrt(squares / self.n / (self.n - 1))

    def half_width(self, chance):
        return stats.t.isf(chance, self.n - 1) * self.error if self.n > 1 else math.inf

    def p_beyond(self, limit):
        if self.n < 2:
            return 1.0
        return stats.t.sf((self.mean - limit) / self.error, self.n - 1) if self.error > 0 else float(self.mean <= limit)


def changes(before, after, margin, level=SURE):
    distance, error = abs(before.mean - after.mean), math.hypot(before.error, after.error)
    if min(before.n, after.n) < LAUNCHES or distance <= margin:
        return False
    return error == 0 or 2 * stats.t.sf(distance / error, min(before.n, after.n) - 1) < level


class Cell:
    """What is known of one cell: its samples, and what the looks make of them."""

    def __init__(self, plan, cell):
        self.plan, self.margin = plan, math.log(1 + cell["margin"])
        self.same_within = math.log(1 + 2 * cell["margin"])
        self.first, self.shifts_1, self.made_1 = launches_of(plan, cell, 1)
        self.second, self.shifts_2, self.made_2 = launches_of(plan, cell, 2)
        self.drops = collections.Counter(drop_of(plan, one) for series in cell["launches"] for one in series["rounds"])
        self.trouble = self.find_trouble(cell["base"]["state"], cell["head"]["state"])
        self.direction, self.ended, self.look, self.p, self.level = 0, None, 0, 1.0, 0.0
        if self.trouble is None and len(self.first) >= LAUNCHES and self.made_1 >= plan["launches"]:
            first = Mean(plan, self.first)
            away = abs(first.mean) - first.half_width(plan["nominate_level"])
            self.direction = int(numpy.sign(first.mean)) if away > math.log(1 + plan["nominate"]) else 0

    @staticmethod
    def find_trouble(base, head):
        for state, code in TROUBLES.items():
            if state in (base, head):
                return code
        if base == head == "pass":
            return None
        return "missing" if base == "pass" else "new" if head == "pass" else "not-run"

    def seen(self, look):
        n = look * self.plan["launches_per_look"]
        return self.second[:n] if len(self.second) >= n else None

    def is_within(self, values):
        found = Mean(self.plan, values)
        return len(values) >= LAUNCHES and abs(found.mean) + found.half_width(0.025) < self.same_within

    def code(self, interrupted):
        if self.trouble is not None:
            return self.trouble
        if 2 * self.drops[None] < sum(self.drops.values()):
            return max(("controls-moved", "clock", "suspended"), key=lambda why: self.drops[why])
        all_planned = self.made_1 >= self.plan["launches"]
        within = self.is_within(self.first)
        if self.direction == 0:
            wants = not all_planned or (not within and self.made_1 < self.plan["launches_max"])
        else:
            wants = self.ended is None and self.made_2 < self.plan["looks"] * self.plan["launches_per_look"]
        if not wants and (change := self.change()):
            return change
        if self.ended == "confirmed":
            return "confirmed-slower" if self.direction > 0 else "confirmed-faster"
        if self.ended == "same" or (self.direction == 0 and all_planned and within):
            return "within"
        if wants:
            return "interrupted" if interrupted else "budget"
        if len(self.first) < LAUNCHES:
            return "few-launches"
        return "not-confirmed" if self.direction else "launches-spent"

    def deciding(self):
        return (self.second, self.shifts_2, 2) if self.direction and len(self.second) else (self.first, self.shifts_1, 1)

    def change(self):
        logs, shifts, _ = self.deciding()
        if changes(Mean(self.plan, shifts), Mean(self.plan, numpy.zeros(len(shifts))), self.margin):
            return "unsteady"
        return "drift" if self.has_step(logs) or self.has_step(numpy.concatenate((self.first, self.second))) else None

    def has_step(self, logs):
        points = range(LAUNCHES, len(logs) - LAUNCHES + 1)
        return any(changes(Mean(self.plan, logs[:n]), Mean(self.plan, logs[n:]), self.margin, SURE / len(points)) for n in points)

    def finding(self, interrupted):
        code = self.code(interrupted)
        found = {"code": code, "verdict": VERDICTS.get(code, "UNDECIDED" if code in UNDECIDED else "UNTRUSTED"),
                 "nominated": self.direction != 0, "rounds": sum(self.drops.values()), "dropped": {k: n for k, n in self.drops.items() if k},
                 "p": self.p if self.level else None, "level": self.level or None}
        if self.trouble is None:
            logs, _, found["stage"] = self.deciding()
            logs = self.seen(self.look) if self.look else logs
            found["launches"] = len(logs)
            if len(logs) > 1:
                mean = Mean(self.plan, logs)
                found |= {name: math.exp(mean.mean + x * mean.half_width(0.025)) for name, x in (("ratio", 0), ("low", -1), ("high", 1))}
        return found


def look_at(plan, cells, direction):
    """Holm's procedure at every look; what has fallen stays so."""
    family = [cell for cell in cells if cell.direction == direction]
    left = len(family)
    for look in range(1, plan["looks"] + 1):
        opened = [cell for cell in family if cell.ended is None]
        for cell in opened:
            if cell.seen(look) is not None:
                cell.p = Mean(plan, direction * cell.seen(look)).p_beyond(cell.margin)
        for cell in sorted((c for c in opened if c.seen(look) is not None), key=lambda c: c.p):
            level = plan["alpha"] / plan["looks"] / left
            if cell.p > level:
                break
            cell.ended, cell.look, cell.level, left = "confirmed", look, level, left - 1
        for cell in opened:
            if cell.ended is None:
                cell.level = plan["alpha"] / plan["looks"] / left
                if cell.seen(look) is not None and cell.is_within(cell.seen(look)):
                    cell.ended, cell.look = "same", look


def judge(duel):
    cells = [Cell(duel["plan"], cell) for cell in duel["cells"]]
    for direction in (1, -1):
        look_at(duel["plan"], cells, direction)
    return [cell.finding(duel["interrupted"]) for cell in cells]


def differs(told, found):
    """The first member that is not the same, but for rounding."""
    for key, value in found.items():
        other = told[key]
        is_number = isinstance(value, float) and isinstance(other, (int, float))
        if not (math.isclose(value, other, rel_tol=1e-6, abs_tol=1e-12) if is_number else value == other):
            return f"{key} is {other}, not {value}"
    return ""


def main():
    bad = codes = 0
    for path in sys.argv[1:]:
        duel = json.load(open(path, encoding="utf-8"))
        for cell, found in zip(duel["cells"], judge(duel), strict=True):
            flaw = differs(cell["finding"], found)
            bad, codes = bad + bool(flaw), codes + 1
            if flaw:
                print(f"{path}: {cell['name']}: {flaw}")
    print(f"judge.py: {codes - bad} of {codes} findings are the same")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
