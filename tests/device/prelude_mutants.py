#!/usr/bin/env -S python3 -B
"""Faults in what all kernels share, the prelude and the identities: `verify` must reject each, whatever the seed. The texts lie
in the program as they are, so a copy of it is patched, byte for byte.
    tests/device/prelude_mutants.py CLREDUCE [SEED]     three of them, each with one operation and type, on pocl
    tests/device/prelude_mutants.py CLREDUCE all [SEEDS [DEVICE]]     all of them, operations and types, with so many seeds"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from patched import patched_copy  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)

RANK = "return (rank | nan) & RED_OWN_BITS;"
NAN = "nan = RED_ALL(w, RED_INFINITE_RANK - (rank & ~RED_SIGN));"
FLOATS = "f16,f32,f64"
# name, operations and types it shows with, what stands there, what takes its place (of the same length, or shorter), and what the
# line about the wrong check must hold.
MUTANTS = [
    ("-0 is less than +0", "argmin,argmax", FLOATS, "rank &= ~RED_ALL(w, (rank & ~RED_SIGN) - 1);", "", "data=-0 and \\+0"),
    ("NaNs rank as their bits do", "argmin,argmax", FLOATS, RANK, "return rank & RED_OWN_BITS;", "data=NaN"),
    ("NaNs below 0 rank as their bits do", "argmin", FLOATS, NAN, "nan=RED_ALL(w,RED_INFINITE_RANK-(rank&~RED_SIGN)&~rank);", "data=NaN"),
    ("NaNs above 0 rank as their bits do", "argmax", FLOATS, NAN, "nan=RED_ALL(w,RED_INFINITE_RANK-(rank&~RED_SIGN)&rank);", "data=NaN"),
    ("infinities rank as NaNs", "argmin,argmax", FLOATS, NAN, "nan=RED_ALL(w,RED_INFINITE_RANK-1-(rank&~RED_SIGN));", "data=infinit"),
    ("a < b ? a : b", "min", FLOATS, "#define RED_LOWER(a, b)  fmin(a, b)", "#define RED_LOWER(a, b) (a<b?a:b)", "data=NaN"),
    ("a > b ? a : b", "max", FLOATS, "#define RED_HIGHER(a, b) fmax(a, b)", "#define RED_HIGHER(a, b) (a>b?a:b)", "data=NaN"),
    ("min by pieces keeps a NaN", "min", "f16,f32,f64", "((b) < (a) ? (b) : (a))", "((a) < (b) ? (a) : (b))", "data=NaN"),
    ("max by pieces keeps a NaN", "max", "f16,f32,f64", "((b) > (a) ? (b) : (a))", "((a) > (b) ? (a) : (b))", "data=NaN"),
    ("the identity of min is finite", "min", "f32", "(1.0f / 0.0f)", "3.4028235e38f", "data=infinities"),
    ("the identity of max is finite", "max", "f32", "(-1.0f / 0.0f)", "-3.4028235e38f", "data=infinities"),
    ("of equal halves of a piece the second", "argmin,argmax", "i8,u32,f16,f32", "= RED_BEATS(best[1], best[0])",
     "=!RED_BEATS(best[0],best[1])", "got .* at"),
    ("of equal parts of a half the last", "argmin", "i8,u32,f16,f32", "RED_BEATS(of_spell, best[stream]) ? spell",
     "(of_spell <= best[stream]) ? spell", "got .* at"),
    ("of equal loads of a turn the last", "argmin,argmax", "i8,u8", "(RED_PLACE == 1 ? (j) : RED_LOADS - 1 - (j))",
     "(RED_PLACE == 2 ? (j) : RED_LOADS - 1 - (j))", "got .* at"),
    ("of equal turns the one with the earlier load", "argmin,argmax", "i8,u8", "RED_BEATS(next & -RED_LOADS, best & -RED_LOADS)",
     "RED_BEATS(next, best)", "got .* at"),
    ("the load of the last turn", "argmin,argmax", "u32,f16,f32", "load = load_of_turn < RED_LOADS ? load_of_turn : load;",
     "load = load_of_turn % RED_LOADS;", "got .* at"),
    ("of the worst values alone another load", "argmax", "i8,u8", "(RED_WORST * RED_LOADS + RED_LOAD_ORDER(0))", "(RED_WORST * RED_LOADS)",
     "got .* at"),
    ("of the worst values alone another lane", "argmin", "i32,u32,i64,u64", "loads[RED_LOADS], kept = RED_WORST", "loads[RED_LOADS], kept = 0",
     "got .* at"),
    ("the last term is not stored", "dot,sum,sumsq", "i32,f32,f64", "if (i < STORE_N)", "if (i+1<STORE_N)", "expected"),
    ("the last term of the last segment is not stored", "dot,sum,sumsq", "i32,f32,f64", "(n * segments_n)",
     "(n*segments_n-1)", "expected"),
    ("a stored place counts from the first segment on", "argmin,argmax", "i32,f32,f64", "store_term(RED_ARGS_AT((i) - (i) % n), (i) % n)", "RED_LOAD(i)",
     "got .* at"),
    ("each turn counts the first one's elements", "count", "u8,u32", "load_turn(RED_ARGS, turn, next);", "load_turn(RED_ARGS, 0, next);", "expected"),
    ("what is left behind whole turns is another turn", "count", "u8,u16,f32", "load_last_turn(RED_ARGS, n, turn, next);",
     "load_turn(RED_ARGS, turn-turn_n, next);", "expected"),
    ("of equal pairs the last", "argmin,argmax", "i64,u64,f64", "(b.index < a.index)", "(b.index > a.index)", "got .* at"),
]


def strategy_of(text):
    """Segments of stored terms have a strategy of their own. Contiguous pieces alone are searched by halves and parts, and take one
    element after another; turns of a grid stride alone are searched by loads."""
    if "turn, next" in text:
        return "local_copies"
    if "segments_n" in text or "RED_ARGS_AT" in text:
        return "segment_group_stored"
    if "STORE_N" in text:
        return "interleaved_stored"
    return "chunk" if "best[" in text or "(b) " in text else "grid_stride_vec" if "LOADS" in text else "tree"


def main():
    clreduce, share, seeds_n, device = (sys.argv[1:] + ["", "1", "pocl"][len(sys.argv) - 2:])[:4]
    mutants = drawn(share, 3, MUTANTS)
    seeds = random.sample(range(1, 10**6), int(seeds_n))
    print(f"on {device}, seeds {seeds}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, ops, types, old, new, told in mutants:
            mutant = patched_copy(clreduce, folder, old, new)
            for seed in seeds:
                if share != "all":
                    ops, types = (random.choice(of.split(",")) for of in (ops, types))
                for op in ops.split(","):
                    of_op = ("--primitive", "histogram") if op == "count" else ("--op", op)
                    ended = subprocess.run([mutant, "verify", "--device", device, "--strategy", strategy_of(old), *of_op, "--type", types,
                                            "--seed", str(seed), "--first"], capture_output=True, text=True, check=False)
                    if ended.returncode in (4, 77):
                        print(f"skipped: {ended.stderr.strip()}")
                        sys.exit(77)
                    wrong = re.search("^wrong: .*", ended.stdout, re.M)
                    if ended.returncode != 2 or wrong is None or not re.search(told, wrong[0]):
                        failed += 1
                        print(f"FAIL      {name}, {op}, seed {seed}: exit status {ended.returncode}: {wrong[0] if wrong else ended.stderr}")
                    elif seed == seeds[0]:
                        print(f"rejected  {name}: {wrong[0]}")
    print(f"{len(mutants)} mutants, {failed} failed")
    sys.exit(failed > 0)


main()
