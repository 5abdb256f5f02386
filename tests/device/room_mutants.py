#!/usr/bin/env -S python3 -B
"""Mistakes in what the host computes (src/host), which the oracle must judge wrong, and in what the oracle says (src/oracle, and the exact sums
that both use), by which it must judge the host wrong: a test of modules that has both in it must fail with each. One file is compiled anew
with the mistake, and linked in front of the rest. Where a text stands more than once, the first one changes.
    tests/device/room_mutants.py BUILD [SEED]    four of them, which the seed draws
    tests/device/room_mutants.py BUILD all       all of them"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from compiled import ROOT, compiled, linked  # noqa: E402
from drawn import drawn  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)

# what is wrong, file, what stands there, what takes its place, the test that sees it
MUTANTS = [
    ("the fold leaves out the first partial result", "host/fold.c", "for (uint64_t i = 0; i < partials_n", "for (uint64_t i = 1; i < partials_n",
     "unit_reference"),
    ("two partial results are one of them twice", "host/fold.c", "b = from->accumulator", "b = into->accumulator", "unit_pieces"),
    ("the place in a column is that in its row", "host/fold.c", "(room.indices[i] - i) / room.n", "(room.indices[i] - i) % room.n", "unit_segments"),
    ("the place in a piece is that in the array", "host/fold.c", "? 0 : first", "? 0 : 0 * first", "unit_pieces"),
    ("each thread leaves out its last element", "host/reference.c", "red_lesser(n, begin + elements_n)", "red_lesser(n, begin + elements_n - 1)",
     "unit_reference"),
    ("counts of one thread are lost", "host/reference.c", "for (unsigned t = 0; t < tables_n", "for (unsigned t = 1; t < tables_n",
     "unit_histogram_truth"),
    ("the plain loop leaves out the last element", "host/sequential.c", "for (uint64_t i = 0; i < n; i++)", "for (uint64_t i = 0; i + 1 < n; i++)",
     "unit_pieces"),
    ("exclusive is inclusive", "host/sequential.c", "exclusive ? a : total", "exclusive ? total : total", "unit_reference"),
    ("products are their first factors", "oracle/adds.c", "sum += y ? a[i] * b[i] : a[i]", "sum += a[i]", "unit_reference"),
    ("of equal extremes the last one is the answer", "oracle/picks.c", "&& mine < best", "&& mine > best", "unit_reference"),
    ("the exact mean is the sum", "oracle/truth.c", "sum_as_double(truth) / (double)truth->n", "sum_as_double(truth)", "unit_reference"),
    ("roundings cost nothing", "oracle/truth.c", "return sum_error + u * (abs_exact_sum + sum_error)", "return 0 * (abs_exact_sum + sum_error)",
     "unit_reference"),
    ("segments are columns", "oracle/truth.c", "if (!columns)", "if (columns)", "unit_segments"),
    ("the first piece's extreme stays", "oracle/picks.c", "if (!wins && (loses", "if (!wins || (loses", "unit_pieces"),
    ("counts are those of the last thread", "oracle/histogram.c", "right->counts[i] += mine[i]", "right->counts[i] = mine[i]", "unit_histogram_truth"),
    ("a block's prefix lacks the block before", "oracle/adds.c", "truth->integer += other->integer", "truth->integer = other->integer", "unit_scan_truth"),
]


def fault_of(build, mutant, folder):
    """The line that tells which test has failed with the mistake; None where all passed."""
    what, source, old, new, test = mutant
    text = (ROOT / "src" / source).read_text()
    if old not in text:
        sys.exit(f"FAILED  {what}: '{old}' is not in src/{source}")
    linked(build, f"tests/{test}", compiled(build, f"src/{source}", text.replace(old, new, 1), folder), folder)
    ended = subprocess.run([folder / test], cwd=folder, capture_output=True, text=True, check=False)
    lines = [line for line in (ended.stdout + ended.stderr).splitlines() if "FAILED" in line]
    return lines[0] if ended.returncode != 0 and lines else None


def main():
    build, share = (sys.argv[1:] + [""])[:2]
    failed = 0
    for mutant in drawn(share, 4, MUTANTS):
        with tempfile.TemporaryDirectory() as folder:
            line = fault_of(pathlib.Path(build).resolve(), mutant, pathlib.Path(folder))
        failed += line is None
        print(f"{'FAIL      ' if line is None else 'rejected  '}{mutant[1]}: {mutant[0]}" + ("" if line is None else f": {mutant[4]}: {line.strip()}"))
    print(f"{failed} failed")
    sys.exit(failed > 0)


main()
