#!/usr/bin/python3
"""Makes duels that no machine would show, out of a real one: cells of every code by name, and many at random.
    tests/cli/make_duels.py DUEL.json FOLDER     writes FOLDER/CODE.json of one cell each, and FOLDER/random-N.json
Findings in them are those of DUEL.json: --replay makes new ones."""
import copy
import json
import math
import random
import sys

BATCH_NS = 10_000_000


def a_round(batches_n, log_ratio, drop=None):
    head = round(BATCH_NS * math.exp(log_ratio))
    made = {"first": "base", "base_ns": [9 * BATCH_NS] + [BATCH_NS] * (batches_n - 1), "head_ns": [head // 9] + [head] * (batches_n - 1),
            "spin_ns": [1000, 1010, 1000], "sweep_ns": [3000, 4000, 5000]}
    if batches_n == 1:
        made["base_ns"], made["head_ns"] = [BATCH_NS], [head]
    if drop == "controls-moved":
        made["spin_ns"] = [1000, 1600, 1000]
    elif drop:
        made["drop"] = drop
    return made


class Maker:
    """Cells of one duel, whose plan is the template's but for what is given."""

    def __init__(self, template, **plan):
        self.duel = copy.deepcopy(template)
        self.duel["plan"].update(launches=5, launches_max=5, looks=2, launches_per_look=6, batches=3, nominate=0.01, nominate_level=0.1, trim=0, alpha=0.01)
        self.duel["plan"]["control_shift"] = {"spin": 0.05, "sweep": 1.0, "chain": 0.05}
        self.duel["plan"].update(plan)
        self.blank = self.duel["cells"][0] | {"launches": [], "margin": 0.02, "required": False}
        self.duel["cells"] = []

    def cell(self, base="pass", head="pass"):
        made = copy.deepcopy(self.blank)
        made["name"] = f"pocl/chunk/sum/f32/n:{len(self.duel['cells'])}"
        made["base"]["state"], made["head"]["state"] = base, head
        self.duel["cells"].append(made)
        return made

    def launches(self, cell, stage, logs, shift=0.0, good=6, drops=(), scatter=lambda: 0.0):
        n = self.duel["plan"]["batches"]
        for log in logs:
            rounds = [a_round(n, log + scatter() + (shift if i >= good // 2 else 0)) for i in range(good)]
            rounds += [a_round(n, 3, drop) for drop in drops]
            cell["launches"].append({"stage": stage, "launch": len(cell["launches"]), "first": "head", "rounds": rounds or [a_round(n, 0, "clock")]})


def around(mean, n, spread=0.002):
    return [mean + spread * (i % 3 - 1) for i in range(n)]


def of_code(template, code):
    """A duel of one cell that is to be found so; None where that takes more than samples."""
    maker = Maker(template)
    cell = maker.cell()
    if code in ("confirmed-slower", "confirmed-faster", "drift", "not-confirmed", "nearly"):
        sign = -1 if code == "confirmed-faster" else 1
        maker.launches(cell, 1, around(sign * 0.2, 5))
        maker.launches(cell, 2, around(sign * 0.2, 6) if "confirmed-" in code else around(0.05, 6) if code == "drift" else around(0.1, 12, 0.125 if code == "nearly" else 0.3))
    elif code == "unsteady":
        maker.launches(cell, 1, around(-0.05, 5), shift=0.1)
    elif code in ("controls-moved", "clock", "suspended"):
        maker.launches(cell, 1, around(0, 5), drops=[code] * 7)
    elif code == "few-launches":
        maker.launches(cell, 1, around(0, 2))
        maker.launches(cell, 1, around(0, 3), good=4)
    elif code in ("budget", "nominated", "interrupted"):
        maker.launches(cell, 1, around(0.2, 5) if code == "nominated" else around(0, 3))
        cell["budget_s"], cell["spent_s"] = (10, 20.9) if code == "nominated" else (10, 5.25)
        maker.duel["interrupted"] = code == "interrupted"
    elif code == "launches-spent":
        maker.launches(cell, 1, around(0, 5, 0.3))
    elif code == "within":
        maker.launches(cell, 1, around(0, 5))
    elif code in ("missing", "new", "not-run"):
        cell["head"]["state"] = "pass" if code == "new" else "unsupported"
        cell["base"]["state"] = "pass" if code == "missing" else "unsupported"
    else:
        cell["head"]["state"] = code
    return maker.duel


CODES = ("confirmed-slower", "confirmed-faster", "within", "not-confirmed", "launches-spent", "budget", "interrupted", "few-launches", "controls-moved", "clock",
         "suspended", "unsteady", "drift", "wrong", "build-failed", "failed", "crashed", "timed-out", "missing", "new", "not-run")


def at_random(template, seed):
    """Cells whose rules are all near their limits."""
    draw = random.Random(seed)
    maker = Maker(template, launches=draw.choice((3, 5, 8)), launches_max=draw.choice((3, 8, 12)), looks=draw.randint(1, 4),
                  launches_per_look=draw.choice((3, 4, 6)), batches=draw.randint(1, 4), alpha=draw.choice((0.01, 0.1)), trim=draw.choice((0, 0.1, 0.2, 0.25)))
    maker.duel["interrupted"] = draw.random() < 0.2
    plan = maker.duel["plan"]
    for _ in range(40):
        states = [draw.choices(("pass", draw.choice(("wrong", "failed", "crashed", "unsupported", "over-budget"))), (50, 1))[0] for _ in range(2)]
        cell = maker.cell(*states)
        cell["margin"] = draw.choice((0.02, 0.05))
        truth, sd, shift = draw.choice((0, 0.02, 0.05, 0.1, -0.1)), draw.choice((0.002, 0.01, 0.02)), draw.choices((0, 0.04), (10, 1))[0]
        drift = draw.choices((0, 0.05), (10, 1))[0]
        for stage, most in ((1, plan["launches_max"]), (2, plan["looks"] * plan["launches_per_look"])):
            n = draw.choices((0, most // 2, plan["launches"], most), (1, 2, 3, 12))[0]
            for i in range(n):
                drops = draw.choices(((), ["clock"] * 3, ["controls-moved"] * 7, ["suspended"] * 9), (30, 2, 2, 1))[0]
                mean = truth + draw.gauss(0, sd) + (drift if i >= n // 2 else 0)
                maker.launches(cell, stage, [mean], shift, draw.choice((0, 4, 5, 6, 7, 8, 9)) if draw.random() < 0.2 else 7, drops, lambda: draw.gauss(0, 0.003))
    return maker.duel


def main():
    template = json.load(open(sys.argv[1], encoding="utf-8"))
    made = {code: of_code(template, code) for code in (*CODES, "nearly", "nominated")} | {f"random-{seed}": at_random(template, seed) for seed in range(12)}
    for name, duel in made.items():
        with open(f"{sys.argv[2]}/{name}.json", "w", encoding="utf-8") as file:
            json.dump(duel, file)


main()
