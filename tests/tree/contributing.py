#!/usr/bin/env -S python3 -B
"""The changes of docs/contributing.md are what they are said to be: a diff is applied to a copy of this checkout, the copy is built,
and the commands below the diff end with status 0 and print what a right check prints.

    tests/tree/contributing.py [SEED]    one of the changes, which the seed draws, not optimised, with one group size
    tests/tree/contributing.py all       all of them together, and just as the page says
    tests/tree/contributing.py costs     what each of them costs, as the table of the page

A change is a diff, a file of tests/tree/changes (tests/tree/blocks.py compares it with the page), and a block of commands. A long diff is
shown as the list of its files. A command behind `!` has to find something wrong.

    <!-- $ cat tests/tree/changes/strategy.diff -->    or    <!-- $ git apply --stat tests/tree/changes/primitive.diff -->
    ```diff                                                   ```text
    ```                                                       ```
    ```sh
    ```

What a change costs in src is at most what COSTS says.

Exit status: 0 if all is as said, 1 if not, 77 where nothing can be built.
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "contributing.md"
CHANGE = re.compile(r"^<!-- \$ (?:cat|git apply --stat) (tests/tree/changes/(\w+)\.diff) -->\n```\w+\n.*?^```\n(.*?)(?=^<!-- |^#|\Z)", re.S | re.M)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)
# A check that did not run is no check.
RIGHT = re.compile(r"^verify: [1-9]\d* right, 0 wrong", re.M)
WRONG = re.compile(r"^verify: \d+ right, [1-9]\d* wrong", re.M)
# Files of src, and lines that are added there, at most.
COSTS = {"strategy": (0, 0), "type": (2, 10), "operation": (1, 5), "combiner": (6, 100), "axis": (6, 50), "column": (4, 50), "export": (3, 100),
         "finish": (2, 100), "primitive": (16, 1000)}


def changes():
    for path, name, rest in CHANGE.findall(PAGE.read_text()):
        yield name, (ROOT / path).read_text(), "".join(COMMANDS.findall(rest))


def cost(diff):
    """Files of src that the diff touches, and the lines that it adds to them."""
    files = [part for part in re.split(r"^diff --git ", diff, flags=re.M) if part.startswith("a/src/")]
    return len(files), sum(len(re.findall(r"^\+(?!\+\+ )", part, re.M)) for part in files)


def print_costs():
    print("| addition | files of `src` | lines there | files elsewhere |\n|---|---|---|---|")
    for name, diff, _ in changes():
        files, lines = cost(diff)
        print(f"| {name} | {files} | {lines} | {diff.count('diff --git ') - files} |")


def copy_of_checkout(folder):
    """As it is, with what is not committed."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, check=True)
    for name in listed.stdout.decode().rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)


def ends_well(folder, command):
    """Whether its status is 0, and what it printed, which is shown if not."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout[-4000:])
    return done.returncode == 0, done.stdout


def says(ok, text):
    print(f"{'ok   ' if ok else 'FAIL '} {text}", flush=True)
    return ok


def build(folder, options):
    launcher = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")] if shutil.which("ccache") else []
    # What ccache has of an earlier copy serves this one, too.
    os.environ.update(CCACHE_BASEDIR=str(folder), CCACHE_NOHASHDIR="1")
    return (ends_well(folder, ["cmake", "--preset", "release", *options, *launcher])[0]
            and ends_well(folder, ["cmake", "--build", "build", "--target", "clreduce"])[0])


def main():
    if sys.argv[1:] == ["costs"]:
        print_costs()
        return
    if not shutil.which("cmake") or not shutil.which("git"):
        print("skipped: cmake or git is not installed")
        sys.exit(77)
    whole = sys.argv[1:] == ["all"]
    chosen = drawn("".join(sys.argv[1:]), 1, changes())
    fast = [] if whole else ["-DCLREDUCE_REFERENCE_FLAGS=-O0", *(f"-DCMAKE_{language}_FLAGS_RELEASE=-O0" for language in ("C", "CXX"))]
    group = "" if whole else f" --wg {random.choice((1, 7, 64, 100, 256))}"
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made) / "checkout"
        copy_of_checkout(folder)
        ok = says(bool(chosen), f"{len(chosen)} changes: {', '.join(name for name, *_ in chosen)}")
        for name, diff, _ in chosen:
            # The copy is no repository, and git must not take one around it for its own.
            applied = subprocess.run(["git", "apply", "-"], cwd=folder, input=diff, text=True, check=False,
                                     env=dict(os.environ, GIT_CEILING_DIRECTORIES=made))
            ok = says(applied.returncode == 0, f"{name} can be applied") and ok
            (files, lines), (files_max, lines_max) = cost(diff), COSTS[name]
            ok = says(files <= files_max and lines <= lines_max,
                      f"{name} costs {files} files of src (at most {files_max}), {lines} lines (at most {lines_max})") and ok
        ok = ok and says(build(folder, fast), "all of them together build")
        for name, _, commands in chosen if ok else []:
            lines = [line.split(" #")[0].strip() for line in commands.splitlines()]
            ok = says(bool(lines), f"{name} has {len(lines)} commands") and ok
            for line in lines:
                line += group if " verify " in line else ""
                ended, printed = ends_well(folder, ["bash", "-c", line])
                wanted = WRONG if line.startswith("! ") else RIGHT
                ok = says(ended and (" verify " not in line or wanted.search(printed) is not None), line) and ok
    sys.exit(0 if ok else 1)


main()
