#!/usr/bin/env -S python3 -B
"""The verdicts of kernels_cl12/litmus and kernels_cl20/litmus: each file says what the oracle says and what stands in verdicts.txt, each mutant of
a forbidden test is allowed or nothing, and the oracle gives the verdicts of known.txt. A file with another verdict, with another scope in an event,
or against the format is found, and named.
    tests/litmus/check.py [SEED]     the seed draws the file that gets another verdict, and the event that gets another scope
    tests/litmus/check.py --list     print the table of verdicts, as it stands in verdicts.txt"""
import pathlib
import random
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]
import events  # noqa: E402
import oracle  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)
ROOT = HERE.parent.parent
FOLDERS = ("kernels_cl12", "kernels_cl20")
HEAD = "# Test or test/mutant, verdict up to OpenCL 3.0, verdict from 3.1: tests/litmus/check.py --list"
# Files made wrong in a line, and what is said of it: (file, old text, new text, text of the error, key of the line that is named).
WRONG = (
    ("mp_rel_acq", "family:       mp", "family:       mq", "'mq' is no family", "family"),
    ("mp_rel_acq", "family:       mp", "genus:        mp", "expected 'family:', not 'genus:'", "genus"),
    ("mp_rel_acq", "family:       mp", "family        mp", "expected 'key: value'", "family"),
    ("mp_rel_acq", "family:       mp\n", "", "expected 'family:', not 'idea:'", "idea"),
    ("mp_rel_acq", "name:         mp_rel_acq", "name:         mp_acq_rel", "the name is not the file's", "name"),
    ("mp_rel_acq", "counterpart:", "partner:", "expected 'counterpart:', not 'partner:'", "partner"),
    ("mp_rel_acq", "x global, y global", "x global, y private", "'y private' is no word", "words"),
    ("mp_rel_acq", "x global, y global", "x global", "there is no word y", "item 0"),
    ("mp_rel_acq", "x global, y global", "x global, y local", "the local word y is used by two groups", "item 1"),
    ("mp_rel_acq", "place:        0 1", "place:        0 1 2", "expected 'item 2:', not 'weak:'", "weak"),
    ("mp_rel_acq", "place:        0 1", "place:        0 4", "'0 4' is no place", "place"),
    ("mp_rel_acq", "W y 1 rel dev\n", "W y 1 rel\n", "expected one of wg dev all, not ''", "item 0"),
    ("mp_rel_acq", "W y 1 rel dev\n", "W y 1 rel dev wg\n", "expected one of wg dev all, not 'dev wg'", "item 0"),
    ("mp_rel_acq", "W y 1 rel dev\n", "W y 1 acq dev\n", "'acq dev' is no order of W", "item 0"),
    ("mp_rel_acq", "W y 1 rel dev\n", "W y rel dev\n", "W lacks its value", "item 0"),
    ("mp_rel_acq", "W y 1 rel dev\n", "X y 2 c add\n", "add is of +1, xchg of a number", "item 0"),
    ("mp_rel_acq", "W y 1 rel dev\n", "all: W y 1 rel dev\n", "has a role", "item 0"),
    ("mp_rel_acq", "W y 1 rel dev\n", "F GG rel dev\n", "flags of F are G, L, GL, not 'GG'", "item 0"),
    ("mp_rel_acq", "W y 1 rel dev\n", "V y 1 rel dev\n", "is no event", "item 0"),
    ("mp_rel_acq", "R x b rlx dev\n", "R x a rlx dev\n", "register a is read twice", "item 1"),
    ("mp_rel_acq", "R x b rlx dev\n", "R x i rlx dev\n", "R lacks its register", "item 1"),
    ("mp_rel_acq", "R x b rlx dev\n", "if c=1: R x b rlx dev\n", "asks for a register that was not read before it", "item 1"),
    ("mp_rel_acq", "weak:         a=1, b=0", "weak:         a=1, b<1", "'b<1' is no condition", "weak"),
    ("mp_rel_acq", "weak:         a=1, b=0", "weak:         a=1, c=0", "c or 0 is never read", "weak"),
    ("mp_rel_acq", "verdict:      forbidden", "verdict:      impossible", "'impossible' is no verdict", "verdict"),
    ("mp_rel_acq", "verdict:      forbidden", "verdict:      forbidden\nfrom 3.1:     forbidden", "the same as 'verdict:'", "from 3.1"),
    ("mp_rel_acq", "section:      API", "section:      page", "is no section", "section"),
    ("mp_rel_acq", "mutant rlx: W y 1", "mutant rlx: W y 2", "the edit of 'W y 2 rel dev' matches nothing", "mutant rlx"),
    ("mp_rel_acq", "mutant rlx: W y 1 rel dev ->", "mutant rlx: W y 1 rel dev", "is no edit", "mutant rlx"),
    ("mp_rel_acq", "mutant no_release: W y 1 rel dev -> W", "mutant no_release: W y 1 rel dev -> V", "is no event", "mutant no_release"),
    ("mp_rel_acq", "mutant no_release:", "mutant rlx:", "there is a mutant rlx already", "mutant rlx"),
    ("mp_rel_acq", "idea:         ", "idea:         " + "long " * 15, "is no idea", "idea"),
    ("mp_rel_acq", "idea:         ", "idea:         " + "long " * 40, "longer than 200 characters", "idea"),
    ("mp_barrier_g", "B G; R", "R", "items of a group meet other numbers of barriers", "item 1"),
    ("mp_mem_fence", "F G mem", "F G ar wg", "'F G ar wg' is of OpenCL 2.0", "item 0"),
    ("publish_rlx", "one: W y 1", "W y 1", "has no role", "group 0"),
    ("publish_rlx", "all: B GL; ", "", "no barrier hands register a over", "group 1"),
)


def read_all(root):
    """The tests of both folders, and what is against the format."""
    tests, faults = [], []
    for path in sorted(path for folder in FOLDERS for path in (root / folder / "litmus").glob("*")):
        try:
            tests.append(events.read_file(path))
            if path.suffix != ".litmus":
                faults.append(f"{path}:1: a test's file ends with .litmus")
        except events.FormatError as error:
            faults.append(str(error))
    return tests, faults


def table(tests):
    """Rows (test or test/mutant, verdicts), by name."""
    rows = {}
    for test in tests:
        rows[test.name] = oracle.judge(test)
        for mutant in test.mutants:
            rows[f"{test.name}/{mutant}"] = oracle.judge(events.mutated(test, mutant))
    return rows


def printed(rows):
    return [HEAD] + [f"{name} {old} {new}" for name, (old, new) in sorted(rows.items())]


def needs_mutant(test):
    """Forbidden tests, and what is promised by nobody and kernels stand on: write_ and read_mem_fence, words of 64 bits, last groups."""
    orders = {event.order for events_of_one in test.items for event in events_of_one}
    return "forbidden" in test.verdicts or {"write", "read"} <= orders or test.fields["family"] == "atomicity"


def check_test(test, rows, names):
    """What is wrong with one test."""
    faults, found = [], rows[test.name]
    if found != test.verdicts:
        faults.append(f"{test.file}: the file says {' and '.join(test.verdicts)} (up to 3.0, from 3.1), the oracle {' and '.join(found)}")
    if needs_mutant(test) and not test.mutants:
        faults.append(f"{test.file}: lacks a mutant")
    for mutant, (_, line) in test.mutants.items():
        for mine, its in zip(found, rows[f"{test.name}/{mutant}"]):
            if its == "forbidden":
                faults.append(f"{test.file}:{line}: the mutant {mutant} is forbidden, too, where the test is {mine}")
                break
    counterpart = test.fields.get("counterpart")
    if counterpart and counterpart not in names:
        faults.append(f"{test.file}: there is no test of 1.x {counterpart}")
    return faults


def check_tree(root):
    """What is wrong with the tests under the root: format, verdicts, mutants, the golden table."""
    tests, faults = read_all(root)
    rows, old = table(tests), {test.name for test in tests if FOLDERS[0] in test.file}
    for test in tests:
        faults += check_test(test, rows, old)
    names = [test.name for test in tests]
    faults += [f"{name}: two files have this name" for name in sorted({name for name in names if names.count(name) > 1})]
    golden, now = set((HERE / "verdicts.txt").read_text().splitlines()), set(printed(rows))
    faults += [f"tests/litmus/verdicts.txt: '{' '.join(line.split())}' is not what the tests come to" for line in sorted(golden - now)]
    faults += [f"tests/litmus/verdicts.txt: lacks '{' '.join(line.split())}'" for line in sorted(now - golden)]
    return faults


def check_known():
    """Whether the oracle gives the verdicts of known.txt, and where a row says that it differs, that one."""
    faults, rows = [], 0
    for number, line in enumerate((HERE / "known.txt").read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        place, words, items, weak, old, new, name, *ours = line.split(" | ")
        test = events.Test("", {}, events.read_words(words), place.split(), [events.read_events(item, wide=True) for item in items.split(" / ")],
                           events.read_weak(weak), (), {})
        events.check_items(test.words, test.places, test.items)
        found, expected = oracle.judge(test), (old, new)
        if ours:
            expected = (ours[0].removeprefix("ours "),) * 2
            if expected[0] == old:
                faults.append(f"tests/litmus/known.txt:{number}: {name}: no longer differs")
        if any(want not in ("-", got) for want, got in zip(expected, found)):
            faults.append(f"tests/litmus/known.txt:{number}: {name}: expected {' '.join(expected)}, the oracle says {' '.join(found)}")
        rows += 1
    return faults, rows


def copy_of(folder):
    """A copy of the tests under the folder."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name / "litmus", folder / name / "litmus", dirs_exist_ok=True)
    return folder


def found_in(folder, path, text, expected):
    """Faults that are missing: writes the text to the path, one of the folder's, and checks; the file has to be named. Puts it back."""
    before = path.read_text()
    path.write_text(text)
    said = check_tree(folder)
    path.write_text(before)
    found = any(fault.startswith(str(path)) and expected in fault for fault in said)
    return [] if found else [f"not found: {path.name} with another verdict or scope; said was: {said or 'nothing'}"]


def other_scopes(path):
    """Texts of the file with another scope in one event, where the oracle then gives another verdict."""
    test, lines = events.read_file(path), path.read_text().splitlines(keepends=True)
    for at, line in enumerate(lines):
        if line.startswith(("item ", "group ")):
            for scope, other in ((" dev", " wg"), (" wg", " dev")):
                where = line.find(scope)
                while where >= 0:
                    changed = line[:where] + other + line[where + len(scope):]
                    text = "".join(lines[:at] + [changed] + [rest for rest in lines[at + 1:] if not rest.startswith("mutant")])
                    if oracle.judge(events.read_text(text, path.parent.parent.name, path.stem)) != test.verdicts:
                        yield f"{scope.strip()} for {other.strip()}, event {line[:where].count(';') + 1} of {line.split(':')[0]}", text
                    where = line.find(scope, where + 1)


def check_wrong_verdict(folder, draw):
    """A file with another verdict, and one with another scope: each is found, and named."""
    path = draw.choice(sorted(folder.glob("*/litmus/*.litmus")))
    verdict = events.read_file(path).fields["verdict"]
    other = draw.choice([name for name in events.VERDICTS if name != verdict])
    text = path.read_text().replace(f"{'verdict:':14}{verdict}", f"{'verdict:':14}{other}")
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("from 3.1:"))
    print(f"another verdict: {path.name}, {other} for {verdict}")
    faults = found_in(folder, path, text, "the oracle")
    changes = [(path, *change) for path in sorted(folder.glob("kernels_cl20/litmus/*")) for change in other_scopes(path)]
    path, what, text = draw.choice(changes)
    print(f"another scope: {path.name}, {what}; one of {len(changes)} that change a verdict")
    return faults + found_in(folder, path, text, "the oracle")


def check_format(folder):
    """Each line of WRONG is refused with its file and line."""
    faults = []
    for name, old, new, error, key in WRONG:
        path = next(folder.glob(f"*/litmus/{name}.litmus"))
        before = path.read_text()
        if old not in before:
            faults.append(f"tests/litmus/check.py: {name} has no '{old.strip()}'")
            continue
        path.write_text(before.replace(old, new, 1))
        lines = [number for number, line in enumerate(path.read_text().splitlines(), 1) if line.startswith(key)]
        said = read_all(folder)[1]
        expected = f"{path}:{lines[-1]}: "
        if len(said) != 1 or not said[0].startswith(expected) or error not in said[0]:
            faults.append(f"'{new.strip()}' for '{old.strip()}': expected {expected}{error}, not {said}")
        path.write_text(before)
    return faults


def main():
    if sys.argv[1:] == ["--list"]:
        tests, faults = read_all(ROOT)
        print("\n".join(printed(table(tests)) + faults))
        return bool(faults)
    seed = int(sys.argv[1]) if sys.argv[1:] else random.randrange(1, 10**6)
    print(f"seed {seed}: the same again by tests/litmus/check.py {seed}")
    faults = check_tree(ROOT)
    known, rows = check_known()
    faults += known
    if not faults:
        with tempfile.TemporaryDirectory() as folder:
            copy = copy_of(pathlib.Path(folder))
            faults += check_wrong_verdict(copy, random.Random(seed)) + check_format(copy)
    print("\n".join(faults) or f"all verdicts agree, {rows} known ones, too")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
