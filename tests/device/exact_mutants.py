#!/usr/bin/env -S python3 -B
"""Faults in what an exact sum adds as doubles (kernels_cl12/lib/doubles.cl): `exact_bits edges` must reject each, whatever the seed. No
rounded answer need show them, so that kernels in tests/mutants, which `verify` rejects, do not have them. The texts lie in the program as
they are, so a copy of it is patched.
    tests/device/exact_mutants.py EXACT_BITS [SEED]         three of them, which the seed draws
    tests/device/exact_mutants.py EXACT_BITS all [SEEDS]    all of them, with so many seeds"""
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from patched import patched_copy  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)

# name, what stands there, what takes its place: of the same length, or shorter.
MUTANTS = [
    ("sums of f32 are let go at twice as many terms", "(1 << (30 - RED_WINDOW))", "(1 << (31 - RED_WINDOW))"),
    ("sums of f16 are let go at twice as many terms", "(1 << 13)", "(1 << 14)"),
    ("the window takes one position more", "RED_BEGIN(RED_WINDOW)", "RED_BEGIN(21)"),
    ("nothing is below a window", "&& least >= RED_BEGIN(other) - 1 ?", "?"),
    ("nothing is below the window that there is", "&& least >= RED_BEGIN(lowest) - 1)", ")"),
    ("the greatest element below a window is taken", "x[j] + x[j] - 1);", "x[j] + x[j] + 1);"),
    ("sums stay when the window moves", "if (lowest != held->lowest || ", "if ("),
    ("sums that are let go stay, too", "held->sum = 0;", ""),
    ("sums are let go by the next window's unit", "held->sum, RED_UNIT(held->lowest)", "held->sum, RED_UNIT(lowest)"),
    ("what is left at the end is lost", "red_doubles_add_to(digits, held.sum, RED_UNIT(held.lowest));", ""),
]


def main():
    program, share, seeds_n = (sys.argv[1:] + ["", "1"][len(sys.argv) - 2:])[:3]
    mutants = drawn(share, 3, MUTANTS)
    seeds = random.sample(range(1, 10**6), int(seeds_n))
    print(f"seeds {seeds}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, old, new in mutants:
            mutant = patched_copy(program, folder, old, new, once=True)
            for seed in seeds:
                ended = subprocess.run([mutant, "edges", str(seed)], capture_output=True, text=True, check=False)
                if ended.returncode == 77:
                    print("skipped: no device")
                    sys.exit(77)
                fault = next((line for line in ended.stdout.splitlines() if "of another sum" in line or ", not " in line), None)
                if ended.returncode != 1 or fault is None:
                    failed += 1
                    print(f"FAIL      {name}, seed {seed}: exit status {ended.returncode}: {ended.stdout}")
                elif seed == seeds[0]:
                    print(f"rejected  {name}: {fault}")
    print(f"{len(mutants)} mutants, {failed} failed")
    sys.exit(failed > 0)


main()
