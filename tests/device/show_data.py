#!/usr/bin/env -S python3 -B
"""What `verify --show-data` writes, checked by other means: Python's fractions. Every kind of data of several operations and types, for
seeds drawn anew: the exact answer is that of the elements, the answer is it rounded, the bound is the documented one.
    tests/device/show_data.py CLREDUCE [SEED]         four of the operations, each with one type
    tests/device/show_data.py CLREDUCE all [SEEDS]    all of them, with a type of floats, too"""
import csv
import io
import json
import math
import pathlib
import random
import subprocess
import sys
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)

OPS = ("sum", "dot", "sumsq", "mean", "min", "max", "argmin", "argmax")
TYPES = {"i8": 8, "u8": 8, "i32": 32, "u64": 64, "f16": 11, "f32": 24, "f64": 53}
FLOATS = ("f16", "f32", "f64")
# Several ways to write the same: each case takes one.
FORMATS = ("json", "csv", "table")


class Flaw(Exception):
    pass


def need(holds, what):
    if not holds:
        raise Flaw(what)


def shown(clreduce, op, dtype, n, data, seed, form):
    """The lists of values by name, as text."""
    ended = subprocess.run([clreduce, "verify", "--show-data", data, "--op", op, "--type", dtype, "--n", str(n), "--seed", str(seed), "--strategy",
                            "serial", "--device", DEVICE, "--format", form], capture_output=True, text=True, check=False)
    need(ended.returncode == 0, f"exit status {ended.returncode}: {ended.stderr}")
    if form == "json":
        found = json.loads(ended.stdout)
        need(found["data"].startswith(data) and found["seed"] == seed and found["n"] == n, "other data")
        return found
    found = {}
    rows = (list(csv.reader(io.StringIO(ended.stdout)))[1:] if form == "csv" else
            [(line.split("[")[0], line.split("[")[1].split("]")[0], line.split(" = ")[1]) for line in ended.stdout.splitlines()[1:]])
    for what, index, value in rows:
        need(int(index) == len(found.setdefault(what, [])), f"{what} {index} is out of place")
        found[what].append(value)
    return found


def number(text, dtype):
    """A fraction, or a float that is none."""
    if dtype not in FLOATS:
        return Fraction(int(text))
    value = float.fromhex(text)
    return Fraction(value) if math.isfinite(value) else value


def is_nan(value):
    return isinstance(value, float) and math.isnan(value)


def same(a, b):
    return a == b or (is_nan(a) and is_nan(b))


def total(terms):
    """Their sum, by IEEE's rules where some are not finite."""
    odd = [term for term in terms if isinstance(term, float)]
    return sum(odd) if odd else sum(terms, Fraction(0))


def product(a, b):
    return float(a) * float(b) if isinstance(a, float) or isinstance(b, float) else a * b


def check_sum(found, op, dtype, n, xs):
    ys = [number(text, dtype) for text in found["y"]] if op == "dot" else xs
    terms = [product(x, y) for x, y in zip(xs, ys)] if op in ("dot", "sumsq") else xs
    exact, given = total(terms), [number(text, dtype) for text in found["exact"]]
    result = number(found["answer"][0], "f64" if op == "mean" and dtype not in FLOATS else dtype if dtype != "f16" else "f32")
    if dtype not in FLOATS:
        need((given[0] - exact) % 2**64 == 0, "the exact sum is another")
        wanted = given[0] if op != "mean" else given[0] / n
        need(op == "mean" or (result - wanted) % 2 ** min(64, max(32, TYPES[dtype])) == 0, "the answer is not the sum modulo 2^w")
        need(op != "mean" or abs(result - wanted) <= abs(wanted) * Fraction(2) ** -52, "the mean is another")
        return
    # Of products of doubles, what lies below the least of these is lost.
    lost = n * Fraction(2) ** -1074 if dtype == "f64" and op in ("dot", "sumsq") else 0
    need(same(total(given), exact) or (not isinstance(exact, float) and abs(total(given) - exact) <= lost), f"the exact sum is {float(exact)}, and not {float(total(given))}")
    if isinstance(exact, float):
        need(same(result, exact), "the answer is another")
        return
    exact /= n if op == "mean" else 1
    digits = max(24, TYPES[dtype])
    least = Fraction(2) ** (-149 if digits == 24 else -1074)
    need(abs(result - exact) <= abs(exact) * Fraction(2) ** (1 - digits) + least, "the answer is not rounded to a neighbour")
    bound = float.fromhex(found["bound"][0])
    if bound == 0:
        return
    chain = n - 1 + (op in ("dot", "sumsq", "mean"))  # serial: one item, one accumulator
    u = 2.0**-digits
    gamma = chain * u / (1 - chain * u)
    absolute = float(sum(abs(term) for term in terms)) / (n if op == "mean" else 1)
    wanted = gamma * absolute + u * (float(abs(exact)) + gamma * absolute)
    need(abs(bound - wanted) <= 1e-3 * wanted, f"the bound is {bound}, and not {wanted}")


def check_extreme(found, op, dtype, xs):
    numbers = [x for x in xs if not is_nan(x)]
    best = (min if op in ("min", "argmin") else max)(numbers) if numbers else math.nan
    need(same(number(found["exact"][0], dtype), best) and same(number(found["answer"][0], dtype), best), f"the extreme is {best}")
    if op.startswith("arg"):
        need(int(found["place"][0]) == next(i for i, x in enumerate(xs) if same(x, best)), "its first place is another")


def data_of(clreduce, op, dtype, n):
    """All data that the program names for them."""
    ended = subprocess.run([clreduce, "verify", "--show-data", "nothing of that name", "--op", op, "--type", dtype, "--n", str(n), "--device", DEVICE],
                           capture_output=True, text=True, check=False)
    need(ended.returncode == 4 and " but: " in ended.stderr, f"an unknown name is no error: {ended.stderr}")
    return ended.stderr.strip().split(" but: ")[1].split(", ")


def main():
    clreduce, failed, checked = sys.argv[1], 0, 0
    share, seeds_n = (sys.argv[2:] + ["", "1"][len(sys.argv) - 2:])[:2]
    for op, types in drawn(share, 4, [(op, types) for types in (list(TYPES), FLOATS) for op in OPS]):
        dtype = random.choice(types)
        n = random.choice((8, 13, 100, 1000))
        for data in data_of(clreduce, op, dtype, n):
            for seed in (random.randrange(1, 10**6) for _ in range(int(seeds_n))):
                form = FORMATS[checked % len(FORMATS)]
                try:
                    found = shown(clreduce, op, dtype, n, data, seed, form)
                    xs = [number(text, dtype) for text in found["x"]]
                    need(len(xs) == n and ("y" in found) == (op == "dot"), "not all elements")
                    if op in OPS[:4]:
                        check_sum(found, op, dtype, n, xs)
                    else:
                        check_extreme(found, op, dtype, xs)
                except Flaw as flaw:
                    failed += 1
                    print(f"FAIL  {op} of {dtype}, n = {n}, {data}, seed {seed}, {form}: {flaw}")
                checked += 1
    print(f"{checked} data sets, {failed} of them are not what they are shown to be")
    sys.exit(failed > 0 or checked < (100 if share == "all" else 20))


def some_device(clreduce):
    for device in ("pocl", "intel"):
        if subprocess.run([clreduce, "verify", "--show-data", "weights", "--op", "sum", "--type", "i32", "--n", "1", "--device", device],
                          capture_output=True, check=False).returncode == 0:
            return device
    print("skipped: neither pocl nor intel is there")
    sys.exit(77)


DEVICE = some_device(sys.argv[1])
main()
