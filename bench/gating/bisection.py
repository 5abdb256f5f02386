"""bench/bisect: git bisect run with a duel, or with a verification. docs/gate.md.

Exit status, as git bisect run reads it: 0 the kernel that is checked out is not slower than that of GOOD_REF; 1 it is slower; 125 it
cannot be told: the file is not there, does not build, is wrong or crashes, or its times give no answer in three duels; 255 ends the bisection.
With --wrong: 0 its results are right; 1 wrong; 125 it does not build, crashes, hangs, or is too slow to be checked everywhere.
"""
import argparse
import json
import os
import sys
import tempfile
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
from program import (CLREDUCE, FOR_VERIFY, INTERRUPTED, Checks, Runner, check_primitive, manifest_fault, options_of,  # noqa: E402
                     primitive_of, say)
from repository import BAD_USAGE, Failure, Repository  # noqa: E402

GOOD, BAD, SKIP, END = 0, 1, 125, 255
DUELS = 3  # a busy machine may give no answer


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(f"{message}; bench/bisect --help lists the options", END)


def parse():
    parser = Parser(prog="bench/bisect", usage="git bisect run bench/bisect KERNEL.cl GOOD_REF [OPTION...]", allow_abbrev=False,
                    formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__.split("\n\n", 1)[1],
                    epilog=os.environ.get("SETUP_OPTIONS", "") + "\n\nThe other options are those of clreduce duel, with --wrong those of "
                           "verify.\n\nExample: git bisect start HEAD v1.0 && git bisect run clreduce/bench/bisect kernels/mine.cl v1.0 "
                           "--device pocl --n 2^16")
    parser.add_argument("kernel", metavar="KERNEL.cl", help="the kernel file, in the repository that is bisected")
    parser.add_argument("good", metavar="GOOD_REF", help="the commit that it is compared with: the good one")
    parser.add_argument("--primitive", help="need not be given: the kernel's manifest says it")
    parser.add_argument("--wrong", action="store_true", help="look for wrong results instead of slower ones")
    parser.add_argument("--margin", metavar="PERCENT", default="2 %", help="what is slower by less is good (default: 2 %%); about half of "
                        "what was lost tells the commit that lost most of it from those that lost little")
    return parser.parse_known_args()


def judge_results(kernel, rest, runner, work):
    if manifest_fault(kernel):
        return SKIP, f"it is no kernel: {manifest_fault(kernel)}"
    checks = Checks(runner, kernel, rest, work)
    if checks.status == 0:
        return GOOD, f"right, in {checks.right_n} checks"
    if checks.status == 2:
        return BAD, checks.evidence[0] if checks.evidence else checks.last
    if checks.status == BAD_USAGE and not checks.rows:
        raise Failure(checks.last, END)
    return SKIP, checks.evidence[0] if checks.evidence else checks.last


def judge_times(kernel, good, good_name, margin, rest, runner, work):
    """`good_name` is what the reader calls the file `good`, which is gone afterwards."""
    if good.read_bytes() == Path(kernel).read_bytes():
        return GOOD, "the file is the same as the good commit's"
    if manifest_fault(kernel):
        return SKIP, f"it is no kernel: {manifest_fault(kernel)}"
    if primitive_of(kernel) != primitive_of(good):
        return SKIP, f"it is for primitive {primitive_of(kernel)}, the good commit's for {primitive_of(good)}"
    policy, output = work / "clreduce.ini", work / "duel.json"
    policy.write_text(f"[*]\nmargin = {margin}\n", encoding="utf-8")
    for seed in range(1, DUELS + 1):
        output.unlink(missing_ok=True)
        with open(work / "duel.txt", "w+", encoding="utf-8") as told:
            status, lines = runner.run([CLREDUCE, "duel", "--policy", policy, "--seed", str(seed), *rest, "--primitive", primitive_of(kernel),
                                        "--base-kernel", good, "--head-kernel", kernel, "--output", output], work / "duel.log", stdout=told)
            told.seek(0)
            print(told.read().replace(str(good), good_name), end="", file=sys.stderr, flush=True)
        last = (lines[-1].removeprefix("clreduce: ") if lines else f"exit status {status}").replace(str(good), good_name)
        if status == 1:
            return BAD, last
        if status in (4, 77, INTERRUPTED) and not (output.exists() and any(
                cell["head"]["state"] in ("wrong", "build-failed", "failed", "crashed", "timed-out")
                for cell in json.loads(output.read_text(encoding="utf-8"))["cells"])):
            raise Failure(last, END)
        if status != 0:
            return SKIP, last
        cells = json.loads(output.read_text(encoding="utf-8"))["cells"]
        if all(cell["finding"]["verdict"] in ("SAME", "FASTER") for cell in cells):
            return GOOD, f"not slower, in {len(cells)} cell{'s' * (len(cells) != 1)}"
    open_cells = [cell["name"] for cell in cells if cell["finding"]["verdict"] not in ("SAME", "FASTER")]
    return SKIP, f"no answer in {DUELS} duels: {', '.join(open_cells)}"


def run(runner):
    options, rest = parse()
    repository = Repository(options.kernel)
    head = repository.short("HEAD")
    if not repository.file.exists():
        return SKIP, f"{head}: {repository.path} is not there"
    check_primitive(options.primitive, options.kernel)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if options.wrong:
            status, why = judge_results(options.kernel, options_of(rest, FOR_VERIFY), runner, work)
        else:
            good = work / f"good_{repository.file.name}"
            commit = repository.commit(options.good)
            if not commit or not repository.kernel_at(commit, good):
                raise Failure(f"'{options.good}' is no commit here that has {repository.path}: the second argument is the good one", END)
            status, why = judge_times(options.kernel, good, f"{repository.path} at {options.good}", options.margin, rest, runner, work)
    return status, f"{head}: {why}"


def main():
    runner = Runner()
    try:
        status, why = run(runner)
        if runner.interrupted:
            status, why = END, "interrupted"
        say({GOOD: "good", BAD: "bad", SKIP: "cannot be told", END: "ends"}[status] + f": {why}")
        return status
    except Failure as failure:
        say(failure)
    except OSError as error:
        say(error)
    except Exception as error:  # whatever it is: Python's own status would be 1, a bad commit
        say(traceback.format_exc())
        say(f"{type(error).__name__}: {error}")
    return END


if __name__ == "__main__":
    sys.exit(main())
