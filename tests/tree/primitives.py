#!/usr/bin/env -S python3 -B
"""What differs between reductions, scans and histograms stands in tables by primitive (hooks), and few places test which primitive they have:
those below, each with its reason. A test by a field that stands for the primitive counts, too. A place that is not listed is a fault, and so
is a listed one that is not there any more.
    tests/tree/primitives.py"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402

begin(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLACES_MAX = 12

# The rows of RED_PRIMITIVES: one that is added is looked for, too.
NAMES = "|".join(re.findall(r"\bX\((\w+), \w+\)", (ROOT / "src/model/types.h").read_text().split("#define RED_PRIMITIVES(X)")[1].split("#define RED_RESULT_OPS")[0]))
# The enum outside of its definition and of a table's designator, and what stands for it: right answers that are many results.
TESTS = re.compile(rf"(?<!\[)\bRED_PRIMITIVE_(?:{NAMES})\b|red_primitive_is_default\(|"
                   r"\bresults [!=]= NULL")
# The hooks themselves: what chooses among the forms of right answers, and keeps those of a data set.
HOOKS = {"oracle/results.c", "oracle/right.c", "worker/prepared.c"}
# Definitions and tables, which test nothing.
TABLES = re.compile(rf"#define (BIT|RED_OF_\w+)\b|^\s*RED_PRIMITIVE_(?:{NAMES}|DEFAULT)\b.*,?$|\.primitive = RED_PRIMITIVE_|"
                    r"static inline bool red_primitive_is_default")

PLACES = [
    # file, what the line has, reason
    ("cl/case_check.c", "right->results != NULL", "results are read into memory that one value does not need"),
    ("cli/cmd_devices.c", "red_primitive_is_default(session", "the table's own line says what the roof of others is"),
    ("cli/cmd_emit.c", "red_primitive_is_default(found)", "of files of several primitives the default is taken"),
    ("emit/emit.c", "is_reduction =", "the title of a file names a reduction by its operation alone"),
    ("model/types.c", "!op->has_empty_answer", "a scan or a histogram of no elements has no result, or zeros"),
    ("model/input.c", "RED_PRIMITIVE_SCAN && red_op_picks", "denormals and NaNs of a scan of extremes are laid out for its prefixes"),
    ("model/strategy.c", "strategy->primitive == RED_PRIMITIVE_REDUCE", "the bound of compensated sums is proven for reductions alone"),
    ("model/primitive.c", "red_primitive_is_default(primitive)", "files and commands do not name the default, as those before there were others"),
    ("verify/show_data.c", "results == NULL", "of one value the exact sum is printed, too"),
]


def code_of(path):
    """The lines of a file without comments, by their numbers."""
    text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), path.read_text(), flags=re.S)
    return list(enumerate(text.split("\n"), 1))


def main():
    found = []
    for path in sorted((ROOT / "src").glob("*/*.[ch]")):
        for number, line in code_of(path) if str(path.relative_to(ROOT / "src")) not in HOOKS else []:
            if TESTS.search(line) and not TABLES.search(line):
                found.append((str(path.relative_to(ROOT / "src")), number, line.strip()))
    listed = [(file, text) for file, text, _ in PLACES]
    faults = [f"src/{file}:{number}: tests which primitive it has, and is not listed: {line}" for file, number, line in found
              if not any(file == where and text in line for where, text in listed)]
    faults += [f"src/{where}: '{text}' is listed, and not there" for where, text in listed
               if not any(file == where and text in line for file, _, line in found)]
    if len(found) > PLACES_MAX:
        faults.append(f"{len(found)} places test which primitive they have, and {PLACES_MAX} may")
    for file, text, reason in PLACES:
        print(f"{file}: {text}: {reason}")
    print("\n".join(faults + [f"{len(found)} places, {len(faults)} faults"]))
    sys.exit(len(faults) > 0)


main()
