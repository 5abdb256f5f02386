"""bench/gate-kernel: is a kernel file still right, and is it as fast as before the change? docs/gate.md.

Exit status: 0 right, and nothing is confirmed slower; 1 slower; 2 wrong; 3 no answer where one is required, or the kernel is gone;
4 bad usage, no history, or the set-up failed; 5 it does not build, crashes or hangs; 77 there is no device for it; 130 interrupted.
"""
import argparse
import json
import os
import re
import shlex
import sys
import tempfile
import traceback
import xml.etree.ElementTree as tree
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is left beside the sources
import words  # noqa: E402
from program import (CLREDUCE, FOR_BOTH, FOR_VERIFY, INTERRUPTED, ROOT, Checks, Runner, check_primitive, is_job_of_github,  # noqa: E402
                     manifest_fault, options_of, parted, primitive_of, say, stop_commands)
from repository import BAD_USAGE, Failure, Repository  # noqa: E402

PLACES_MAX = 9  # GitHub shows ten annotations of a kind
SLOWER, WRONG, NO_ANSWER, FAILED, NOTHING_RAN = 1, 2, 3, 5, 77
COUNTED = "gate_kernel"  # the name under which both versions are counted


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(f"{message}; bench/gate-kernel --help lists the options")


def parse():
    parser = Parser(prog="bench/gate-kernel", usage="bench/gate-kernel KERNEL.cl BASE_REF [OPTION...]", allow_abbrev=False,
                    formatter_class=argparse.RawDescriptionHelpFormatter,
                    description="Verifies a kernel file of any git repository, compares its times (clreduce duel) and its instruction\n"
                                "counts (bench/counts) with those of the commit at which HEAD has left BASE_REF, and says what now.\n\n"
                                + __doc__.split("\n\n", 1)[1],
                    epilog=os.environ.get("SETUP_OPTIONS", "") + "\n\nThe other options are those of clreduce duel; those that verify "
                           "has, too (--device, --type, --op, --wg,\n--groups, --lanes, --bins, --seed, --patience), are for both, and "
                           "--time-per-cell for verify. --policy is the clreduce.ini of the repository where there is one.\n\nExample: clreduce/bench/gate-kernel kernels/mine.cl "
                           "origin/main --device pocl --type f32 --op sum,max")
    parser.add_argument("kernel", metavar="KERNEL.cl", help="the kernel file, as it is in the working tree")
    parser.add_argument("base", metavar="BASE_REF", help="the branch or the commit that it is compared with, such as origin/main")
    parser.add_argument("--output-dir", metavar="DIR", type=Path, default=Path("gate-kernel"), help="where summary.md, junit.xml, "
                        "duel.json, counts.txt and the logs go (default: gate-kernel)")
    parser.add_argument("--primitive", help="need not be given: the kernel's manifest says it")
    parser.add_argument("--counts", choices=("yes", "no"), default="yes", help="no leaves out the instruction counts")
    return parser.parse_known_args()


def in_markdown(text):
    return re.sub(r"([\\`*\[\]<>|&~!])", r"\\\1", " ".join(text.split()))


def in_code(text):
    """Of a block or a span of code in Markdown."""
    return text.replace("`", "'")


def places_of(lines, kernel):
    """[(line, column, words)] of what a compiler, or the reader of manifests, complains of in the kernel file. Compilers have two forms:
    "mine.cl:16:41: error: expected expression" and "error: mine.cl:16:41: expected expression". Column 0: none was told."""
    places = []
    for line in lines:
        found = re.match(r"(error: )?(?P<file>.+?):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<words>(?P<error>(?:fatal )?error: )?.*)", line)
        if found and Path(found["file"]).name == Path(kernel).name and (found[1] or found["error"] or not found["column"]):
            places.append((int(found["line"]), int(found["column"] or 0), found["words"].removeprefix(found["error"] or "")))
    return list(dict.fromkeys(places))


SHOWN_AGAIN = "This shows it again, in a checkout of this change with clreduce at that place: "


def shown_again(arguments):
    """What a reviewer may paste to see what clreduce has found."""
    return f"{SHOWN_AGAIN}`{in_code(shlex.join([os.path.relpath(CLREDUCE), *arguments]))}`."


class Gate:
    def __init__(self, options, rest, runner, work):
        self.options, self.runner, self.work = options, runner, work
        self.for_verify, self.for_duel = options_of(rest, FOR_VERIFY), parted(rest, ("--time-per-cell",))[1]
        choices = os.environ.get("SETUP_CHOICES", "").split()
        self.again = in_code(shlex.join([os.path.relpath(ROOT / "bench" / "gate-kernel"), *sys.argv[1:], *choices]))
        self.bisect = [os.path.relpath(ROOT / "bench" / "bisect"), options.kernel]
        self.for_bisect = [*options_of(rest, (*FOR_BOTH, "--n", "--profile")), *choices]
        self.out = options.output_dir
        self.out.mkdir(parents=True, exist_ok=True)
        for name in ("summary.md", "junit.xml", "duel.json", "counts.txt", "verify.csv", "verify.log", "duel.log", "counts.log",
                     f"base_{Path(options.kernel).name}"):
            (self.out / name).unlink(missing_ok=True)
        self.name = options.kernel
        self.head_name, self.base_name, self.base_word = "what is checked out", options.base, options.base
        self.findings = []  # (name, word, sentence, fails)
        self.notes, self.now, self.log = [], [], []
        self.places = []  # of the last finding: where in the file

    def find(self, name, word, sentence, fails=False):
        self.findings.append((name, word, sentence, fails))

    # ---- the two versions ----

    def resolve(self):
        """Fills in both commits, and writes the kernel of the base. False where the base has none."""
        repository = Repository(self.options.kernel)
        self.repository, self.name = repository, repository.path
        base = repository.base(self.options.base, say)
        changed = " with changes" if repository.is_changed() else ""
        self.head_name = repository.short("HEAD") + changed
        self.base_name = repository.short(base)
        self.base_word = f"{self.base_name}, where the change has left {self.options.base}"
        check_primitive(self.options.primitive, self.options.kernel)
        self.base_kernel = self.out / f"base_{repository.file.name}"  # it stays: duel.json and the log name it
        has_base = repository.kernel_at(base, self.base_kernel)
        policy = repository.folder / "clreduce.ini"
        if policy.exists() and not any(option.split("=")[0] == "--policy" for option in self.for_duel):
            self.for_duel = ["--policy", policy, *self.for_duel]
        if not repository.file.exists() and not has_base:
            raise Failure(f"{self.name} is neither here nor at {self.base_name}: the first argument is a kernel file of the repository")
        return has_base

    # ---- steps; each gives an exit status ----

    def verify(self):
        kernel = self.options.kernel
        fault = manifest_fault(kernel)
        if fault:
            self.log = fault.splitlines()
            self.places = places_of(self.log, kernel)
            self.find("contract", "BROKEN", f"{self.name} at {self.head_name} is no kernel that can be built: {self.log[0]}", True)
            return FAILED
        checks = Checks(self.runner, kernel, self.for_verify, self.out)
        status = checks.status
        if status == BAD_USAGE and checks.number("build-failed"):
            status = FAILED
        if status == 0:
            left_out = checks.number("over-budget")
            self.find("verify", "RIGHT", f"{self.name} at {self.head_name} is right: {checks.right_n:,} checks against exact results "
                      f"on {checks.devices}{f'; {left_out:,} more would have taken too long' * bool(left_out)}.")
            return 0
        self.log = checks.evidence
        # "wrong: mine sum f32 on pocl, n = 7, group size 1: data=weights: expected 2, got 3": the sentence has the first word already.
        first = checks.evidence[0] if checks.evidence else checks.last
        first = re.sub("^(wrong|build-failed): ", "", first).replace("data=", "data ")
        if status == WRONG:
            in_common = "".join(f" {text.rstrip('.')}." for text in checks.patterns)
            self.find("verify", "WRONG", f"{self.name} at {self.head_name} gives wrong results, in {checks.number('wrong'):,} of "
                      f"{checks.number('right', 'wrong'):,} checks.{in_common} The first: {first}", True)
        elif status == FAILED and checks.number("build-failed"):
            self.places = places_of(checks.evidence, kernel)
            self.find("verify", "BROKEN", f"{self.name} at {self.head_name} does not build: {first}", True)
        elif status == FAILED:
            self.find("verify", "FAILED", f"{self.name} at {self.head_name} fails, crashes or gives no answer: {first}", True)
        elif status == NO_ANSWER:
            self.find("verify", "UNCHECKED", f"{self.name} at {self.head_name} is too slow to be checked everywhere, and was not compared: "
                      f"{checks.right_n:,} checks are right, {checks.number('over-budget'):,} would have taken too long. {first}", True)
        elif status != INTERRUPTED:
            self.find("verify", "NOT JUDGED", f"{self.name} at {self.head_name} was not verified. The reason: {first}", True)
        if checks.again:
            self.now.append(shown_again(shlex.split(checks.again)[1:]))
        return status

    def duel(self):
        fault = manifest_fault(self.base_kernel)
        if fault:
            self.find("duel", "NO BASE", f"{self.name} at {self.base_name} is no kernel that can be built, so that there is nothing to compare "
                      f"with: {fault.splitlines()[0]}")
            return 0
        primitive, before = primitive_of(self.options.kernel), primitive_of(self.base_kernel)
        if primitive != before:
            self.find("duel", "NO BASE", f"{self.name} at {self.base_name} is for primitive {before}, and now for {primitive}, so that there is "
                      "nothing to compare with.")
            return 0
        status, lines = self.runner.run(
            [CLREDUCE, "duel", "--primitive", primitive, *self.for_duel, "--base-kernel", self.base_kernel, "--head-kernel",
             self.options.kernel, "--output", self.out / "duel.json"], self.out / "duel.log")
        try:
            duel = json.loads((self.out / "duel.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            if status != INTERRUPTED:
                self.find("duel", "NOT JUDGED", f"{self.name} at {self.head_name} was not compared with {self.base_name}. The reason: "
                          f"{(lines or ['none was given'])[-1].removeprefix('clreduce: ')}", True)
            return status
        for cell in duel["cells"]:
            word, sentence, now = words.of_cell(duel, cell, self.name, self.head_name, self.base_name)
            fails = cell["quarantine"] is None and word in ("SLOWER", "WRONG", "BROKEN", "FAILED")
            if cell["quarantine"] is not None:
                sentence += f" It does not count until {cell['until']}: {cell['quarantine']}."
            self.find(cell["name"], word, sentence, fails)
            if now and now not in self.now:
                self.now.append(now)
            if word in ("WRONG", "BROKEN", "FAILED"):  # at an n that verify has not tried
                self.findings = [finding for finding in self.findings if finding[1] != "RIGHT"]
                again = shown_again(["verify", "--kernel", self.options.kernel, "--primitive", primitive, *self.for_verify, "--n",
                                     str(cell["n"])])
                self.now += [again] * (not any(now.startswith(SHOWN_AGAIN) for now in self.now))
        if status == NOTHING_RAN and all(cell["head"]["state"] == "pass" for cell in duel["cells"]):
            return 0  # the base alone is wrong or broken
        return status

    def count(self):
        """Instruction counts are told, and fail nothing."""
        if self.options.counts == "no":
            return
        files = {}
        for side, kernel in (("base", self.base_kernel), ("head", self.options.kernel)):
            text = Path(kernel).read_text(encoding="utf-8", errors="replace")
            renamed = self.work / f"{side}.cl"
            renamed.write_text(re.sub(r"^(//@ name:\s*)\S+", rf"\g<1>{COUNTED}", text, count=1, flags=re.M), encoding="utf-8")
            files[side] = self.work / f"{side}.json"
            with open(self.work / f"{side}.txt", "w+", encoding="utf-8") as told:
                status, lines = self.runner.run([sys.executable, ROOT / "bench" / "counts", "--clreduce", CLREDUCE, "--kernel", renamed,
                                                 "--base", files[side], "--write"], self.out / "counts.log", stdout=told)
                told.seek(0)
                lines += told.read().splitlines()
            if status:
                why = next((line for line in lines if line.startswith(("error", "counts: "))), (lines or ["no reason was given"])[-1])
                why = why.removeprefix("counts: ").replace(str(renamed), self.name).replace(f"{COUNTED} ", "")
                self.notes.append(f"No instruction counts ({side}): {why}")
                return
        with open(self.out / "counts.txt", "w", encoding="utf-8") as told:
            self.runner.run([sys.executable, ROOT / "bench" / "counts", "--base", files["base"], "--from", files["head"], "--all"],
                            self.out / "counts.log", stdout=told)
        told = (self.out / "counts.txt").read_text(encoding="utf-8")
        for own, name in ((f"{COUNTED} ", ""), (str(files["base"]), self.base_name), (str(files["head"]), self.head_name)):
            told = told.replace(own, name)  # the names of this program mean nothing to who reads the file
        (self.out / "counts.txt").write_text(re.sub("^if that is meant: .*\n", "", told, flags=re.M), encoding="utf-8")
        before, after = (self.cells_counted(files[side]) for side in ("base", "head"))
        self.notes += words.of_counts(before, after, self.base_name)

    def cells_counted(self, file):
        """{"sum f32 n=2503 wg=8": instructions} of what --op and --type ask for."""
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        asked = [set(value.split(",")) for option in ("--op", "--type") for value in self.values(option)]
        return {name.removeprefix(COUNTED).strip(): cell["instructions"] for name, cell in cells.items()
                if all(wanted & set(name.split()) for wanted in asked)}

    def values(self, option):
        rest = [str(word) for word in self.for_duel]
        return [word.split("=", 1)[1] for word in rest if word.startswith(f"{option}=")] + \
               [value for word, value in zip(rest, rest[1:]) if word == option]

    def run(self):
        has_base = self.resolve()
        print(f"{self.name}: {self.head_name} against {self.base_word}", flush=True)
        if not self.repository.file.exists():
            self.find("contract", "GONE", f"{self.name} is gone: it was there at {self.base_name}, and this change takes it away.", True)
            self.now.append(f"If that is meant, take {self.name} out of the job in the same change. If not, "
                            f"`{in_code(shlex.join(['git', 'checkout', self.base_name, '--', self.name]))}` brings it back.")
            return NO_ANSWER
        status = self.verify()
        if status:
            return status
        if not has_base:
            self.find("duel", "NEW", f"{self.name} is new: there is none at {self.base_name}, so there is no time to compare with. "
                      "The next change is compared with this one.")
            return 0
        if self.base_kernel.read_bytes() == self.repository.file.read_bytes():
            self.notes.append(f"The file is the same, byte for byte, as at {self.base_name}.")
        status = self.duel()
        if status not in (INTERRUPTED, FAILED):
            self.count()
        return status

    # ---- what is written ----

    def title_and_now(self, status):
        bisect = in_code(shlex.join([*self.bisect, self.base_name, *self.for_bisect]))
        said = {word for _, word, _, _ in self.findings}
        title, now = words.of_status(status, bisect, self.base_name, self.again, said)
        return title, [now] * bool(now) + self.now

    def summary(self, status, plain):
        """`plain` makes of what others have written, as names and messages, text that means nothing to who shows it."""
        title, now = self.title_and_now(status)
        lines = [f"## {plain(self.name)}: {title}", "", f"This change: {plain(self.head_name)}. Compared with: {plain(self.base_word)}.", ""]
        lines += [f"- **{word}** {plain(sentence)}" for _, word, sentence, _ in self.findings]
        lines += [f"- {plain(note)}" for note in self.notes]
        if self.log[1:]:
            lines += ["", "```text", *map(in_code, self.log[:40]), "```"]
        lines += ["", "What now: " + (" ".join(now) if now else "nothing.")]
        return "\n".join(lines) + "\n"

    def junit(self, status):
        suite = tree.Element("testsuite", name=self.name, tests=str(len(self.findings)), errors="0",
                             failures=str(sum(fails for *_, fails in self.findings)))
        now = [text for text in self.title_and_now(status)[1] if text not in (words.MACHINE, words.CHANGED)]  # these are of no failure
        for name, word, sentence, fails in self.findings:
            case = tree.SubElement(suite, "testcase", name=name, classname=self.name.replace("/", "."))
            if fails:
                failure = tree.SubElement(case, "failure", message=f"{word}: {sentence}", type=word)
                failure.text = "\n".join([*self.log, *now])
            elif word in ("UNDECIDED", "UNTRUSTED", "NEW", "NO BASE"):
                tree.SubElement(case, "skipped", message=f"{word}: {sentence}")
            else:
                tree.SubElement(case, "system-out").text = f"{word}: {sentence}"
        if not self.findings:
            case = tree.SubElement(suite, "testcase", name="gate-kernel", classname=self.name.replace("/", "."))
            tree.SubElement(case, "error", message=f"exit status {status}")
            suite.set("tests", "1")
            suite.set("errors", "1")
        root = tree.Element("testsuites")
        root.append(suite)
        tree.indent(root)
        text = tree.tostring(root, encoding="unicode")
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text) + "\n"

    def annotations(self):
        """As GitHub's runner reads them again: in a property a colon and a comma end something, too. "##[" begins a command of its older
        form."""
        def plain(text, more=""):
            text = text.replace("##[", "## [")
            for character in "%\r\n" + more:
                text = text.replace(character, f"%{ord(character):02X}")
            return text
        for index, (_, word, sentence, fails) in enumerate(self.findings):
            kind = "error" if fails else "warning" if word in ("UNDECIDED", "UNTRUSTED", "NO BASE") else None
            is_last = index == len(self.findings) - 1
            for line, column, words_there in (self.places[:PLACES_MAX] if is_last and self.places else [(0, 0, "")]) * bool(kind):
                place = f",line={line}" * bool(line) + f",col={column}" * bool(column)
                text = f"{words_there} ({word}: {self.name} at {self.head_name})" if line else f"{word}: {sentence}"
                print(f"::{kind} file={plain(self.name, ':,')}{place},title=clreduce::{plain(text)}")

    def tell(self, status):
        summary = self.summary(status, in_markdown)
        # The name of a file need not be UTF-8.
        (self.out / "summary.md").write_text(summary, encoding="utf-8", errors="replace")
        (self.out / "junit.xml").write_text(self.junit(status), encoding="utf-8")
        print(f"\n{self.summary(status, str)}", end="", flush=True)
        if os.environ.get("GITHUB_STEP_SUMMARY"):
            with open(os.environ["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8", errors="replace") as step:
                step.write(summary)


def judge(runner):
    """(the gate, or None where it could not begin; the exit status)."""
    gate, status = None, BAD_USAGE
    try:
        options, rest = parse()
        with tempfile.TemporaryDirectory() as work:
            gate = Gate(options, rest, runner, Path(work))
            status = gate.run()
    except Exception as failure:  # whatever it is: Python's own status would be 1, "slower"
        if not isinstance(failure, (Failure, OSError)):
            say(traceback.format_exc())
        say(failure)
        status = getattr(failure, "status", BAD_USAGE)
        if gate:
            gate.find("set-up", "NOT JUDGED", f"{gate.name} was not judged. The reason: {failure}", True)
    if gate:
        try:
            gate.tell(status)
        except OSError as error:  # a gate whose word cannot be read has not passed
            say(error)
            status = status or BAD_USAGE
    return gate, status


def main():
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    in_job = is_job_of_github()
    resume = stop_commands() if in_job else ""
    gate, status = judge(Runner())
    if in_job:
        print(f"\n::{resume}::")
        if gate:
            gate.annotations()
    sys.stdout.flush()
    return status


if __name__ == "__main__":
    sys.exit(main())
