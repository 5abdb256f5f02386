#!/usr/bin/env -S python3 -B
"""tests/tiers.txt is whole: every script of tests/ and its folders belongs to a test, what nightly does has a smaller sample in a lower tier, and a
test without a line, or a line without a test, ends configuring.
    tests/tree/tiers.py BUILD_FOLDER"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)

HERE = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"([a-z0-9_]+) +(quick|full|turns|nightly) +(ci|sanitize|both) +(\d+) +(.*)")
NO_TEST = {"run", "tools/excerpt.py"}  # which runs them; of blocks of pages, which test findings prints
PROJECT = """cmake_minimum_required(VERSION 3.18)
project(tiers NONE)
enable_testing()
add_test(NAME one COMMAND true)
set(TIERS_FILE ${{CMAKE_CURRENT_SOURCE_DIR}}/tiers.txt)
set(TIERS_BUILD {build})
include({tiers})
"""
ONE = "one quick both 60 It is there\n"
# The table of a project whose only test is `one`, its build, and what CMake says; None: nothing.
TABLES = [(ONE, "ci", None), (ONE, "sanitize", None), ("# a comment\n\n" + ONE, "ci", None), ("one full ci 60 It\none nightly sanitize 60 It\n", "ci", None),
          ("", "ci", "the test one has no line for the build ci"), ("one quick ci 60 It\n", "sanitize", "the test one has no line for the build sanitize"),
          (ONE + "two full ci 60 It is not\n", "ci", "there is no test two in the build ci"),
          (ONE + "one full ci 60 Again\n", "ci", "one has two lines for the build ci"), ("one often ci 60 It\n", "ci", "'one often ci 60 It': expected name"),
          ("one quick ci soon It\n", "ci", "expected name"), ("one quick ci 60\n", "ci", "expected name")]
SUITE = Suite(tells=True)
judge = SUITE.judge


def rows():
    return [match.groups() for match in map(ROW.match, (HERE / "tiers.txt").read_text().splitlines()) if match]


def scripts_have_tests(build):
    listed = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout)
    commands = [" ".join(test.get("command", [])) for test in listed["tests"]] + [(HERE / "CMakeLists.txt").read_text()]
    scripts = sorted(path for path in (*HERE.glob("*"), *HERE.glob("*/*")) if path.is_file() and path.stat().st_mode & 0o111)
    text = {str(path.relative_to(HERE)): path.read_text() for path in scripts}

    def named(name, where):
        return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", where)
    used = {name for name in text if any(named(name, command) for command in commands)}
    # Some are tools of those.
    helpers = {name for name in text for user in used if user != name and re.search(rf"tests/{re.escape(name)}\b", text[user])}
    for name in sorted(set(text) - used - helpers - NO_TEST):
        judge(f"tests/{name} belongs to a test", False, "register it in tests/CMakeLists.txt, with a line in tests/tiers.txt")
    judge(f"{len(text)} scripts, {len(used)} of them tests and {len(helpers - used)} used by these", len(used) > 30)


def nightly_has_samples():
    lower = {name for name, tier, *_ in rows() if tier != "nightly"}
    for name, tier, build, _, guards in rows():
        if tier != "nightly":
            continue
        sample = re.search(r"\(sample: (\w+)\)", guards)
        sample = sample[1] if sample else name.removesuffix("_nightly")
        judge(f"{name} ({build}) has the sample {sample}", sample in lower and (sample != name or build == "sanitize"))


def mistakes_end_configuring():
    for table, build, wanted in TABLES:
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "CMakeLists.txt").write_text(PROJECT.format(build=build, tiers=HERE / "tiers.cmake"))
            (place / "tiers.txt").write_text(table)
            done = subprocess.run(["cmake", "-S", folder, "-B", folder + "/build"], capture_output=True, text=True, check=False)
            said = " ".join(done.stderr.split())
            judge(f"{table!r} in {build}: {wanted or 'is taken'}", (done.returncode == 0) == (wanted is None) and (wanted or "") in said, said[-300:])


scripts_have_tests(sys.argv[1])
nightly_has_samples()
mistakes_end_configuring()
sys.exit(SUITE.end())
