#!/usr/bin/env -S python3 -B
"""Every program of bench/ and tests/ that a page names starts on a bare Debian: --help prints its usage with nothing in the environment
but PATH and HOME and with no library that Python itself lacks, and leaves no file. Where a library lacks that it needs, it ends with 77 and
names Debian's package. No file has the name of a module of the standard library, and none that is run leaves bytecode beside the sources.
    tests/tree/programs.py"""
import ast
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import PACKAGES, begin  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OWN = ("bench", "tests")
# Those that a Python of their own runs: adapters, whose manifests name what they need (bench/libraries/race/adapters.py).
OTHERS = ("bench/libraries/adapters/", "tests/cli/peers.d/")
LIMIT_S = 60  # of what takes a second: it hangs
SUITE = Suite()
judge = SUITE.judge


def copied(folder):
    """The checkout as a fresh clone has it, with what is not committed yet."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def files_of(folder):
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def named_programs(top):
    """By any page: from the top, from its own folder, or from tests/."""
    found = set()
    for page in [*top.glob("*.md"), *top.glob("docs/*.md"), *top.glob("tests/*.md"), *top.glob("results/**/*.md")]:
        for word in set(re.findall(r"[\w.][\w./-]*[\w]", page.read_text())):
            for base in (top, page.parent, top / "tests"):
                path = (base / word).resolve()
                if path.is_file() and os.access(path, os.X_OK) and path.is_relative_to(top) and path.relative_to(top).parts[0] in OWN:
                    found.add(str(path.relative_to(top)))
    return sorted(found)


def run(top, home, program, *arguments, **environment):
    """As on a bare Debian: no numpy, and nothing of the caller's."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": str(home.parent / "bare"), **environment}
    try:
        done = subprocess.run([top / program, *arguments], cwd=top, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=LIMIT_S, check=False)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", f"did not end in {LIMIT_S} s"


def gives_help(top, home, program):
    status, out, said = run(top, home, program, "--help")
    usage = re.search(rf"^(usage:|\s+).*\b{re.escape(pathlib.Path(program).name)}\b", out, re.M | re.I)
    return status == 0 and usage is not None and not said, f"status {status}, usage {'told' if usage else 'not told'}: {(said or out)[-400:]}"


def imports(file):
    """What a file of Python imports: the modules, each with its line."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.partition(".")[0], node.lineno


def python_files(top):
    for file in sorted(path for folder in OWN for path in (top / folder).rglob("*") if path.is_file()):
        if file.suffix == ".py" or re.match(rb"#!.*python3", file.read_bytes()[:80]):
            yield file, str(file.relative_to(top))


def faults_of_sources(top):
    """Of the Python of bench/ and tests/, by reading it."""
    files = list(python_files(top))
    own = {part for _, name in files for part in (pathlib.Path(name).stem, pathlib.Path(name).parent.name)}
    own |= {path.stem for path in (top / "results").glob("*.py")}
    for file, name in files:
        if file.suffix == ".py" and file.stem in sys.stdlib_module_names:
            yield f"{name} has the name of a module of the standard library, which whatever is started beside it gets in its place"
        text = file.read_text()
        beside = min((line for module, line in imports(file) if module in own and module not in sys.stdlib_module_names), default=0)
        kept = re.match(r"#!.*python3 -B\n", text) or "sys.dont_write_bytecode = True" in "\n".join(text.split("\n")[:beside])
        if text.startswith("#!") and beside and not kept:
            yield f"{name} leaves bytecode beside the sources: its first line ends with -B, or sys.dont_write_bytecode comes before line {beside}"
        if not name.startswith(OTHERS):
            for module, line in imports(file):
                if module not in own and module not in sys.stdlib_module_names:
                    yield f"{name}:{line} imports {module}: by library() of tests/tools/script.py, which names the package"


def needs(top):
    """Programs that cannot start without a library, with the first that each asks for."""
    for file, name in python_files(top):
        found = re.search(r'^\w+ = library\("(\w+)', file.read_text(), re.M)
        if found and os.access(file, os.X_OK):
            yield name, PACKAGES[found[1]]


def finds_what_is_planted(top):
    """The same faults in a copy, or this test finds nothing."""
    (top / "tests/tools/select.py").write_text("")
    (top / "bench/setup/planted").write_text("#!/usr/bin/env python3\nimport cores\nimport numpy\nprint('bench/setup/planted')\n")
    (top / "bench/setup/planted").chmod(0o755)
    (top / "docs/planted.md").write_text("Run `bench/setup/planted`.\n")
    found = list(faults_of_sources(top))
    return (sum(fault.startswith(("tests/tools/select.py has", "bench/setup/planted leaves", "bench/setup/planted:3 imports numpy")) for fault in found) == 3
            and "bench/setup/planted" in named_programs(top))


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder).resolve()
        top, home, bare = copied(place / "checkout"), place / "home", place / "bare"
        home.mkdir()
        bare.mkdir()
        for module in PACKAGES:
            (bare / f"{module}.py").write_text(f"raise ImportError('there is no {module}')\n")
        for fault in faults_of_sources(top):
            judge("the sources", False, fault)
        before, programs = files_of(top), named_programs(top)
        judge("pages name programs", len(programs) > 30, programs)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for program, (good, evidence) in zip(programs, pool.map(lambda name: gives_help(top, home, name), programs)):
                judge(f"{program} --help", good, evidence)
            lacking = list(needs(top))
            judge("programs need libraries", len(lacking) > 4, lacking)
            for (program, package), (status, out, said) in zip(lacking, pool.map(lambda one: run(top, home, one[0]), lacking)):
                judge(f"{program} without {package}", status == 77 and out.startswith("skipped: ") and package in out and not said,
                      f"status {status}: {out}{said}")
        after = files_of(top)
        judge("no file is left or changed", before == after, sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))
        judge("nor any in HOME", not any(home.iterdir()), sorted(home.iterdir()))
        # The checks themselves: of programs as they must not be.
        planted = finds_what_is_planted(top)
        good, _ = gives_help(top, home, "bench/setup/planted")
        judge("what is planted is found", planted and not good and any(top.rglob("__pycache__")), "tests/tree/programs.py finds nothing")
    return SUITE.end()


sys.exit(main())
