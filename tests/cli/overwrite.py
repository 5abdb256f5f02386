#!/usr/bin/env -S python3 -B
"""No output of any verb takes the place of an input or of another output: every verb, every option that names a file, in
every spelling of one file. The options are those of --help, so that a new one must take its place in the tables here.
    tests/cli/overwrite.py CLREDUCE"""
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from suite import Suite  # noqa: E402

INPUTS = {"FILE", "--kernel", "--expect", "--policy", "--replay", "--base", "--head", "--base-kernel",
          "--head-kernel"}
OUTPUTS = {"--output": "{}", "--report": "{}", "--export": "junit={}"}
VERBS = ["devices", "strategies", "verify", "bench", "compare", "report", "recommend", "emit", "reproduce", "duel", "manual"]
NAMED = {"FILE": "the result file"}  # how messages call it
CONTENT = "not to be lost\n"
KERNEL = sorted((pathlib.Path(__file__).parent.parent / "mutants/good").glob("*.cl"))[0]
EMITTED = ["reduce_sum_f32.cl", "reduce_sum_f32.h", "reduce_sum_f32.c", "reduce_sum_f32_test.c", "CMakeLists.txt"]


class Program(Suite):
    def __init__(self, clreduce, work):
        super().__init__()
        self.clreduce, self.work = clreduce, work

    def options(self, verb):
        text = subprocess.run([self.clreduce, verb, "--help"], capture_output=True, text=True, check=True).stdout
        named = set(re.findall(r"^ .*?(--[a-z-]+)=(?:KIND=)?(?:FILE|PATH|PROGRAM)\b", text, re.M))
        return named | ({"FILE"} if re.search(r"^Usage:.*FILE", text) else set())

    def run(self, arguments):
        return subprocess.run([self.clreduce, *map(str, arguments)], cwd=self.work, capture_output=True, text=True,
                              timeout=60, check=False)

    def refused(self, arguments, names):
        """Status 4, one line with both names, and everything is as it was."""
        before = contents(self.work)
        ended = self.run(arguments)
        good = (ended.returncode == 4 and "are the same file" in ended.stderr and contents(self.work) == before and
                len(re.findall("^clreduce: ", ended.stderr, re.M)) == 1 and all(name in ended.stderr for name in names))
        self.judge(f"{' '.join(map(str, arguments))} is refused ({ended.returncode})", good, ended.stderr)
        if not good:
            self.restore(before)

    def restore(self, before):
        """What a failure has replaced, the program among it, must not make the next checks fail."""
        for path, content in before.items():
            pathlib.Path(path).write_bytes(content)
        os.unlink(self.clreduce)
        shutil.copy(sys.argv[1], self.clreduce)


def contents(folder):
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def make_files(work):
    """One file in six spellings, and one that is not there in three."""
    (work / "folder").mkdir()
    (work / "folder" / "a").write_text(CONTENT)
    (work / "other").symlink_to("folder")
    (work / "link").symlink_to("folder/a")
    os.link(work / "folder" / "a", work / "hard")
    there = ["folder/a", "./folder//a", "folder/../folder/a", "other/a", "link", "hard", str(work / "folder/a")]
    return there, ["folder/new", "other/../folder/./new", str(work / "other/new")]


def option_of(name, path):
    return [path] if name == "FILE" else [name, OUTPUTS.get(name, "{}").format(path)]


def check_verb(suite, verb, there, absent):
    options = suite.options(verb)
    unknown = options - INPUTS - set(OUTPUTS)
    suite.judge(f"{verb}: is {unknown} an input or an output?", not unknown)
    inputs = sorted(options & INPUTS)
    outputs = sorted(options & set(OUTPUTS)) if verb not in ("emit", "reproduce") else []  # folders
    for read, written in itertools.product(inputs, outputs):
        for path in there:
            suite.refused([verb, *option_of(read, there[0]), *option_of(written, path)],
                          [f"{NAMED.get(read, read)} '{there[0]}'", f"{written} '{path}'"])
        control = suite.run([verb, *option_of(read, there[0]), *option_of(written, "folder")])
        suite.judge(f"{verb} {read} {written}: two files are taken for one", "same file" not in control.stderr)
    for a, b in itertools.combinations_with_replacement(outputs, 2):
        for one, paths in (there[0], there), (absent[0], absent):
            for path in paths if a != b or a == "--export" else []:
                suite.refused([verb, *option_of(a, one), *option_of(b, path)], [f"{a} '{one}'", f"{b} '{path}'"])
    for written in outputs:  # this program, which is a copy
        suite.refused([verb, *option_of(written, suite.clreduce)], [written, "the program itself"])


def check_rest(suite, work):
    """What no option names, or not by its path."""
    (work / "register").mkdir()
    (work / "register" / "known.expect").write_text(CONTENT)
    suite.refused(["verify", "--expect", "register", "--output", "register/../register/known.expect"],
                  ["--expect", "--output"])
    suite.refused(["bench", "--kernel", "x.json.journal", "--output", "x.json"],
                  ["--kernel", "the journal of --output"])
    suite.refused(["bench", "--report", "x.json.journal", "--output", "x.json"],
                  ["--report", "the journal of --output"])
    with open(work / "hard", "a") as end:
        before = contents(work)
        ended = subprocess.run([suite.clreduce, "report", "folder/a"], cwd=work, stdout=end, text=True, check=False,
                               stderr=subprocess.PIPE)
        suite.judge("report FILE >>FILE", ended.returncode == 4 and "the standard output" in ended.stderr and
                    contents(work) == before, ended.stderr)


def check_journal(suite, work):
    """What lies where the journal belongs, and is none, is somebody's."""
    diary, journal = work / "diary", work / "r.json.journal"
    bench = ["bench", "--device", "host", "--n", "10", "--time-per-cell", "1ms", "--output", "r.json"]
    ways = {"is no journal": lambda: journal.write_text(CONTENT), "is a symbolic link": lambda: journal.symlink_to("diary"),
            "several names": lambda: os.link(diary, journal), "is no regular file": lambda: os.mkfifo(journal)}
    for (told, make), arguments in itertools.product(ways.items(), (bench, [*bench, "--resume"], [
            "verify", "--device", "pocl", "--type", "i32", "--n", "10", "--output", "r.json"])):
        diary.write_text(CONTENT)
        make()
        before = contents(work)
        ended = suite.run(arguments)
        suite.judge(f"{' '.join(arguments)} over what {told}", ended.returncode == 4 and told in ended.stderr and
                    "r.json.journal" in ended.stderr and "choose another --output" in ended.stderr and
                    os.path.lexists(journal) and contents(work) == before, ended.stderr)
        journal.unlink(missing_ok=True)
        diary.unlink()
    journal.touch()
    ended = suite.run(bench)
    suite.judge("an empty file may be the journal", ended.returncode == 0 and not journal.exists(), ended.stderr)
    (work / "r.json").unlink()


def check_emit(suite, work):
    """emit replaces what it has written, and nothing else without being told; an input never."""
    emit = ["emit", "--strategy", "chunk", "--op", "sum", "--type", "f32", "--output", "made"]
    (work / "made").mkdir()
    for name in EMITTED:
        path = work / "made" / name
        path.write_text(CONTENT)
        before = contents(work)
        ended = suite.run(emit)
        suite.judge(f"emit over {name}", ended.returncode == 4 and name in ended.stderr and "--overwrite" in ended.stderr
                    and contents(work) == before, ended.stderr)
        suite.refused([*emit, "--overwrite", f"made/../made/{name}"], ["the result file", "the file of emit"])
        path.write_text(KERNEL.read_text())
        suite.refused([*emit, "--overwrite", "--kernel", f"./made/{name}"], ["--kernel", "the file of emit"])
        path.unlink()
        for kind, make in ("no regular file", os.mkfifo), ("a folder", os.mkdir):
            make(path)
            for more in [], ["--overwrite"]:
                ended = suite.run([*emit, *more])
                suite.judge(f"emit {more} over {kind}", ended.returncode == 4 and f"made/{name} is {kind}" in ended.stderr,
                            ended.stderr)
            path.unlink() if path.is_fifo() else path.rmdir()
    os.mkfifo(work / "pipe")
    for folder in "pipe", "folder/a":
        ended = suite.run([*emit[:-1], folder])
        suite.judge(f"emit into {folder}", ended.returncode == 4 and "Not a directory" in ended.stderr, ended.stderr)
    (work / "made" / EMITTED[0]).write_text(CONTENT)
    ended = suite.run([*emit, "--overwrite"])
    if ended.returncode == 77:
        print("no device here: that emit replaces its own files is not tried")
        return
    suite.judge("emit --overwrite", ended.returncode == 0 and all("Written by clreduce" in
                (work / "made" / name).read_text()[:500] for name in EMITTED), ended.stderr)
    ended = suite.run(emit)
    suite.judge("emit over its own files", ended.returncode == 0, ended.stderr)
    (work / "made" / EMITTED[4]).write_text("#\n" * 5000 + "# Written by clreduce \n")  # its head says nothing
    suite.judge("emit over words further down", suite.run(emit).returncode == 4)


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder).resolve() / "work"
        work.mkdir()
        program = work.parent / "clreduce"
        shutil.copy(sys.argv[1], program)
        suite = Program(str(program), work)
        there, absent = make_files(work)
        for verb in VERBS:
            check_verb(suite, verb, there, absent)
        check_rest(suite, work)
        check_journal(suite, work)
        check_emit(suite, work)
        return suite.end()


sys.exit(main())
