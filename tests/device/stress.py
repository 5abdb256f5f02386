#!/usr/bin/env -S python3 -B
"""`verify --stress`: thousands of calls beside launches that disturb memory. Kernels that order groups are right there, what disturbs them
does store all over its buffer, and a kernel that is wrong in each 300th call alone is found, which no other check sees.
    tests/device/stress.py CLREDUCE [SEED]"""
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)

CLREDUCE = pathlib.Path(sys.argv[1]).resolve()
SEED = sys.argv[2] if len(sys.argv) > 2 else str(random.randrange(1, 10**6))
FORGETS = pathlib.Path(__file__).resolve().parent.parent / "mutants/stress/forgets_now_and_then.cl"
VARIES = FORGETS.parent.parent / "scan/order_varies.cl"
LINE = re.compile(r"^stress: (\w+) (\w+) (\w+) on pocl: (\d+) calls of (\d+)(?: to (\d+))? groups of 64 beside writes to as many as "
                  r"(\d+) of (\d+) words, all right$", re.M)
SMALLEST_WORDS, LARGEST_WORDS = 2**16, 2**24
suite = Suite(tells=True)
held = tempfile.TemporaryDirectory()
folder = pathlib.Path(held.name)


def verify(*arguments):
    """The exit status and what was written."""
    run = subprocess.run([CLREDUCE, "verify", "--device", "pocl", *arguments], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


def judge_right(primitive, strategies, *arguments):
    output = folder / "right.json"
    status, said = verify("--primitive", primitive, "--strategy", strategies, "--wg", "64", "--n", "5000", "--seed", SEED, "--stress", "1",
                          "--output", output, *arguments)
    lines = {found[0]: found for found in LINE.findall(said)}
    suite.judge(f"{strategies} are right under stress", status == 0 and set(lines) == set(strategies.split(",")), said)
    for name, _, _, calls, least, most, stored, words in lines.values():
        suite.judge(f"{name}: many calls, of several groups", int(calls) >= 100 and int(most or least) > 1, said)
        # More of them than the smallest buffer has, so that stores are scattered, and not repeated.
        suite.judge(f"{name}: what disturbs memory stores to {stored} of {words} words",
                    SMALLEST_WORDS <= int(words) <= LARGEST_WORDS and SMALLEST_WORDS * 0.6 < int(stored) <= int(words), said)
    told = json.loads(output.read_text())["devices"][0]["strategies"]
    suite.judge("the file tells the same calls",
                {s["strategy"]: s.get("stress_calls") for s in told} == {n: int(f[3]) for n, f in lines.items()}, told)


def judge_order():
    """Of a kernel that claims one order of additions, and has another in each fiftieth call: right, but for the bits."""
    varies = folder / "order_varies.cl"
    varies.write_text(VARIES.read_text().replace("call % 2 == 0", "call % 50 == 0"))
    of = ["--primitive", "scan", "--kernel", varies, "--op", "inclusive_sum", "--type", "f32", "--wg", "64", "--n", "5000", "--seed", SEED]
    status, said = verify(*of)
    suite.judge("bits that vary now and then pass without stress", status == 0, said)
    status, said = verify(*of, "--stress", "2")
    suite.judge("and are found under stress, by floats that are rounded", status == 2 and re.search(
        r"^wrong: order_varies .*data=uniform: expected the bits of the calls before, got others \(call \d+ under stress\)", said, re.M), said)


def judge_forgetful():
    output = folder / "wrong.json"
    few = ["--kernel", FORGETS, "--type", "u32", "--wg", "64", "--n", "5000", "--seed", SEED]
    status, said = verify(*few)
    suite.judge("what is wrong now and then passes without stress, which a CPU has only where it is asked for",
                status == 0 and "stress" not in said, said)
    status, said = verify(*few, "--stress", "2", "--output", output)
    suite.judge("and is found under stress", status == 2 and
                re.search(r"^wrong: forgets_now_and_then .*\(call \d+ under stress\), of [2-8] groups", said, re.M), said)
    checks = json.loads(output.read_text())["devices"][0]["checks"] if output.exists() else []
    suite.judge("as a check like others", len(checks) == 1 and checks[0]["state"] == "wrong" and checks[0]["stress_s"] == 2 and
                checks[0]["fault"] == "answer" and checks[0]["expected"] != checks[0]["got"], checks)
    again = shlex.split(checks[0]["again"]) if checks else []
    suite.judge("whose command asks for stress", "--stress" in again, again)
    run = subprocess.run([CLREDUCE, *again[1:]], capture_output=True, text=True, check=False)
    suite.judge("and finds it again", run.returncode == 2 and "under stress" in run.stdout, run.stdout + run.stderr)


if subprocess.run([CLREDUCE, "verify", "--device", "pocl", "--strategy", "serial", "--type", "i32", "--op", "sum", "--n", "1"],
                  capture_output=True, check=False).returncode in (4, 77):
    print("skipped: there is no device pocl on this machine")
    sys.exit(77)
print(f"seed {SEED}: the same again by tests/device/stress.py CLREDUCE {SEED}", flush=True)
judge_right("reduce", "last_group,last_group_c11", "--op", "sum", "--type", random.Random(SEED).choice(["i32", "f32"]))
judge_right("scan", "look_back", "--op", "inclusive_sum", "--type", "i32")
judge_right("scan", "chained,look_back_fixed,look_back_fixed_c11", "--op", "inclusive_sum", "--type", "f32")
judge_order()
judge_right("histogram", "local_copies_last", "--op", "count", "--type", "u32", "--bins", "256")
judge_forgetful()
sys.exit(suite.end())
