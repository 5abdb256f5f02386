#!/usr/bin/env -S python3 -B
"""The words of docs/glossary.md are those in use: each stands once, in alphabetical order, and occurs in the place that its
line names; no name in src/ has a word that the glossary has replaced, and no kernel a function that does less than it says."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402

begin(__doc__)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.M)
# What names in the code were called before, as whole parts of a name.
REPLACED = {
    "bout": "A/B loop", "duelist": "side", "sift": "bad-driver isolation", "vendors": "ICD discovery", "ruler": "event-clock check",
    "survey": "numerics table", "retrace": "checkpoint", "pardon": "reset failures", "doubt": "check stale", "weather": "drift",
    "remote": "worker client", "wire": "protocol", "child": "worker process", "past": "loaded result", "recall": "query",
    "bouts": "A/B loop", "duelists": "sides", "doubts": "check stale", "kit": "reference workload",
}

# What kernels do not call.
NOT_IN_KERNELS = {"mem_fence": "write_mem_fence before a flag or a counter, read_mem_fence behind it (docs/drivers.md)"}


def code_of(file):
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\]|\\.)*"|^#include[^\n]*', "", file.read_text(), flags=re.S | re.M)


def text_of(place):
    files = [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file())
    return " ".join(p.read_text(errors="replace") for p in files).lower()


def occurs(word, text):
    """Also as a name, "run_fingerprint", across lines of a comment, and in the plural."""
    parts = [re.escape(part) for part in re.split(r"[ \-/]", word.lower())]
    parts[-1] = re.sub(r"(ies|y|s)?$", "", parts[-1])
    return re.search(r"(?:[ _\-/]|\n[ *]*)?".join(parts), text) is not None


def main():
    faults = []
    rows = [r for r in ROW.findall((ROOT / "docs/glossary.md").read_text()) if r[0] not in ("word", "---")]
    words = [word for word, _, _ in rows]
    faults += [f"{a} stands before {b}" for a, b in zip(words, words[1:]) if a.lower() >= b.lower()]
    texts = {}
    for word, _, where in rows:
        places = re.findall(r"`([^`]+)`", where)
        for place in places:
            if not (ROOT / place).exists():
                faults.append(f"{word}: there is no {place}")
            elif place not in texts:
                texts[place] = text_of(ROOT / place)
        if not any(occurs(word, texts.get(place, "")) for place in places):
            faults.append(f"{word}: does not occur in {' or '.join(places)}")
    for file in sorted(ROOT.glob("src/*/*.[ch]")):
        # what Linux calls PR_... is not ours to name
        used = {part for name in re.findall(r"\w+", code_of(file)) if not name.startswith("PR_") for part in name.lower().split("_")}
        faults += [f"{file.relative_to(ROOT)}: '{old}' is called {REPLACED[old]}" for old in sorted(used & REPLACED.keys())]
    for file in sorted(ROOT.glob("kernels_cl*/**/*.cl")):
        used = set(re.findall(r"\w+", code_of(file)))
        faults += [f"{file.relative_to(ROOT)}: {old}: use {NOT_IN_KERNELS[old]}" for old in sorted(used & NOT_IN_KERNELS.keys())]
    for fault in faults:
        print("FAIL ", fault)
    print(f"{len(words)} words, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
