#!/usr/bin/env -S python3 -B
"""Are the fences of kernels tested? Weakens each place that keeps an order between groups in the shipped kernels, one at a time, and lets
`verify --stress` look for a wrong answer.
    tests/device/weaken.py CLREDUCE --device ID [--seconds S] [--budget S] [--only GLOB]    a table: weakened what, seen after how many calls
    tests/device/weaken.py CLREDUCE --list [--only GLOB]                        the places, and how each is weakened
    tests/device/weaken.py CLREDUCE [SEED|all]     the test: each weakened kernel is one, builds, and is right alone, on pocl; three drawn

Weakened is in turn: a fence is dropped; write_ or read_mem_fence becomes mem_fence; an order becomes relaxed; the scope of the device
becomes that of the group; a barrier loses its global flag; then all places of a text that can be weakened so are: what one fence of two
hides is seen without both. A text of lib/ that several kernels share is weakened in one of them. What stays right under stress is not
observable there: the device keeps the order all the same, another fence beside it does, or the time is too short."""
import fnmatch
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from command import Failure, Parser, end_with  # noqa: E402
from drawn import drawn  # noqa: E402
from suite import Suite  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = re.compile(r'^#include "(lib/\w+\.cl)"\n', re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
PRIMITIVES = {"reduce": "sum", "scan": "inclusive_sum", "histogram": "count"}
# What is weakened, what stands there, and what takes its place.
WEAKER = [
    ("dropped", r"(?:write_|read_)?mem_fence\([^)]*\);", ";"),
    ("mem_fence", r"\b(?:write_|read_)(?=mem_fence\()", ""),
    ("relaxed", r"\bmemory_order_(?:acq_rel|acquire|release)\b", "memory_order_relaxed"),
    ("work_group", r"\bmemory_scope_device\b", "memory_scope_work_group"),
    ("no global flag", r"(?<=barrier\()CLK_LOCAL_MEM_FENCE \| CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE"),
]


class Mutant:
    """One place of a text, weakened in one way, and the strategies of the kernel that have it."""

    def __init__(self, kernel, strategies, text, what, way, file_text):
        self.kernel, self.strategies, self.text, self.what, self.way, self.file_text = kernel, strategies, text, what, way, file_text

    def __str__(self):
        return f"{self.text}: {self.what}: {self.way}"


def ordering_finishes():
    """The finishes whose groups read what others wrote (src/model/finish.h)."""
    rows = (ROOT / "src/model/finish.h").read_text().replace("\\\n", " ")
    found = {row[1] for row in re.finditer(r"X\(\w+, (\w+), (?:(?! X\().)*?RED_FINISH_ORDERS", rows)}
    assert {"last_group", "single_pass"} <= found, found
    return found


class Kernel:
    """A kernel file, with those of its strategies whose groups are ordered."""

    def __init__(self, path, finishes):
        self.path, self.text = path, path.read_text()
        base, strategies = {}, []
        for key, value in re.findall(r"^//@ (\w+): +(.*)$", self.text, re.M):
            if key == "name":
                base = {"name": value}
                strategies.append(base)
            elif key == "variant":
                strategies.append({**base, "name": value.split()[0], "macros": value.split()[1:]})
            else:
                strategies[-1][key] = value
        self.strategies = [s for s in strategies if s["finish"] in finishes and s["span"] != "one"]
        self.primitive = base.get("primitive", "reduce")

    def includes(self):
        """The shared texts, those that they include, too."""
        found, left = [], INCLUDE.findall(self.text)
        while left:
            name = left.pop()
            path = next(p for p in (ROOT / "kernels_cl12" / name, ROOT / "kernels_cl20" / name) if p.exists())
            if path not in found:
                found.append(path)
                left += INCLUDE.findall(path.read_text())
        return found

    def with_text(self, path, text):
        """This file with another text of lib/ in the place of its own, or of itself."""
        if path == self.path:
            return text
        name = f"lib/{path.name}"
        whole = self.text
        if f'#include "{name}"\n' not in whole:  # another text of lib/ includes it
            holder = next(p for p in self.includes() if f'#include "{name}"\n' in p.read_text())
            return self.with_text(holder, holder.read_text().replace(f'#include "{name}"\n', text))
        return whole.replace(f'#include "{name}"\n', text)


def places(text):
    """(begin, end, way, new) of each place in the code of a text that can be weakened."""
    code = COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for way, old, new in WEAKER:
        for found in re.finditer(old, code):
            yield found.start(), found.end(), way, new


def definition(text, at):
    """The name of the function or the macro that holds the place."""
    return re.findall(r"^(?:#define |[a-zA-Z][\w *]*[ *])(\w+)\(", text[:at], re.M)[-1]


def holders(kernels, path, text, at):
    """The kernels whose strategies stand on that place of a text: of lib/ the first that names what holds it, those of its own folder first."""
    if path in [k.path for k in kernels]:
        return [k for k in kernels if k.path == path]
    name = definition(text, at)
    users = [k for k in kernels if path in k.includes() and
             any(re.search(rf"\b{name}\b", p.read_text()) for p in [k.path, *k.includes()] if p != path)]
    return sorted(users, key=lambda k: k.path.parents[1] != path.parents[1])[:1]


def those_with(strategies, text, at):
    """The strategies whose macros let the compiler see the place."""
    conditions = []
    for word, name in re.findall(r"^#(ifdef|ifndef|if|elif|else|endif)\b *(?:defined +)?(\w*)", text[:at], re.M):
        if word == "endif":
            conditions.pop()
        elif word == "else":
            conditions[-1] = (conditions[-1][0], not conditions[-1][1])
        elif word == "elif":
            conditions[-1] = (name, True)
        else:
            conditions.append((name, word != "ifndef"))
    known = {m.partition("=")[0] for s in strategies for m in s.get("macros", [])}
    return [s for s in strategies
            if all((name in {m.partition("=")[0] for m in s.get("macros", [])}) == wanted for name, wanted in conditions if name in known)]


def weaken(text, chosen):
    """The text with those places weakened."""
    for begin, end, _, new in sorted(chosen, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def sets_of_places(text):
    """(what, way, places): each place alone, then all that are weakened in one way, where they are several."""
    found = sorted(places(text))
    for begin, end, way, new in found:
        what = f"{text.count(chr(10), 0, begin) + 1}: " + (text[begin:end].strip(" ;") + "mem_fence" * (way == "mem_fence"))
        yield what, way, [(begin, end, way, new)]
    for way, _, _ in WEAKER:
        alike = [place for place in found if place[2] == way]
        if len(alike) > 1:
            yield f"all {len(alike)}", way, alike


def mutants():
    finishes = ordering_finishes()
    kernels = [Kernel(p, finishes) for p in sorted(ROOT.glob("kernels_cl[12][0-9]/*/*.cl")) if p.parent.name in PRIMITIVES]
    kernels = [k for k in kernels if k.strategies]
    for path in sorted({p for k in kernels for p in [k.path, *k.includes()]}):
        text = path.read_text()
        for what, way, chosen in sets_of_places(text):
            for kernel in holders(kernels, path, text, chosen[0][0]):
                strategies = those_with(kernel.strategies, text, chosen[0][0])
                if strategies:
                    yield Mutant(kernel, strategies, str(path.relative_to(ROOT)), what, way,
                                 kernel.with_text(path, weaken(text, chosen)))


def sizes(primitive, strategies, units):
    """Group size and n for few checks, and for a stress of as many groups as four, two and one times the compute units, all with elements."""
    lanes = max(eval(s.get("lanes", "1").replace("x", "*")) for s in strategies)  # noqa: S307 "4x8", of our own files
    if lanes >= 1024:
        return 1, [2**17, 2**18]
    piece = 64 if strategies[0]["span"] == "chunk" else 4
    group_size = 64 if primitive == "scan" else 256
    return group_size, [units * times * group_size * piece for times in (4, 2, 1)]


def verify(clreduce, device, mutant, units, seconds, folder):
    """The exit status, what was written, and the file of verify; None where there is none."""
    path, output = folder / f"{mutant.kernel.path.stem}.cl", folder / "checks.json"
    path.write_text(mutant.file_text)
    output.unlink(missing_ok=True)
    group_size, n = sizes(mutant.kernel.primitive, mutant.strategies, units)
    kind = "u32" if mutant.strategies[0]["types"] in ("all", "integers") else "f32"
    run = subprocess.run(
        [clreduce, "verify", "--kernel", path, "--device", device, "--primitive", mutant.kernel.primitive, "--op",
         PRIMITIVES[mutant.kernel.primitive], "--type", kind, "--wg", str(group_size), "--n", ",".join(map(str, n)), "--strategy",
         ",".join(s["name"] for s in mutant.strategies), "--first", "--stress", f"{seconds / len(mutant.strategies):g}", "--output", output],
        capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr, json.loads(output.read_text())["devices"][0] if output.exists() else None


def units_of(clreduce, device):
    """The compute units of the device, as its file of verify has them."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "one.json"
        run = subprocess.run([clreduce, "verify", "--device", device, "--strategy", "serial", "--type", "i32", "--op", "sum", "--n", "1",
                              "--output", output], capture_output=True, text=True, check=False)
        return json.loads(output.read_text())["devices"][0]["compute_units"] if output.exists() else sys.exit(run.stderr)


def verdict(found, seconds):
    """(in words, whether it was seen wrong)."""
    status, said, device = found
    if device is None:
        return f"no verdict, exit status {status}: {said.strip().splitlines()[-1] if said.strip() else ''}", False
    for check in device["checks"]:
        if check["state"] == "wrong" and "stress_s" in check:
            calls = next(s["stress_calls"] for s in device["strategies"] if s["strategy"] == check["strategy"])
            after = re.search(r"after (\S+) s", check["reason"])[1]
            return f"seen after {calls:,} calls in {after} s ({check['strategy']}, {check['geometry']['groups']} groups)", True
    for check in device["checks"]:
        return f"{check['state']} without stress: {check['reason'][:80]}", check["state"] == "wrong"
    calls = sum(s.get("stress_calls", 0) for s in device["strategies"])
    return (f"not seen in {calls:,} calls, {seconds:g} s" if calls else "cannot run there"), False


def table(options, chosen):
    units = units_of(options.clreduce, options.device)
    print("| text | weakened | what came |\n|---|---|---|")
    seen = tried = 0
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for mutant in chosen:
            if time.monotonic() - began_s > options.budget:
                break
            text, is_seen = verdict(verify(options.clreduce, options.device, mutant, units, options.seconds, pathlib.Path(folder)),
                                    options.seconds)
            seen, tried = seen + is_seen, tried + 1
            what = str(mutant.what).replace("|", "\\|")
            print(f"| `{mutant.text}` in `{mutant.kernel.path.stem}` | {what}: {mutant.way} | {text} |", flush=True)
    print(f"\n{seen} of {tried} were seen on {options.device} in {time.monotonic() - began_s:.0f} s; {len(chosen) - tried} were not tried.")
    return 0


def check_drawn(options, chosen):
    """Each is another text, and those that are drawn build and are right alone: what is weakened is an order, and nothing else."""
    suite = Suite(tells=True)
    shipped = {m.text: (ROOT / m.text).read_text() for m in chosen}
    suite.judge(f"{len(chosen)} places of {len(shipped)} texts are weakened", len(chosen) >= 60 and len(shipped) >= 12, sorted(shipped))
    suite.judge("no two are the same", len({m.file_text for m in chosen}) == len(chosen))
    for way, _, _ in WEAKER:
        suite.judge(f"some are '{way}'", any(m.way == way for m in chosen))
    strict = [m for m in chosen if not re.search(r"program_scope|svm", m.kernel.path.name + m.strategies[0]["name"])]
    with tempfile.TemporaryDirectory() as folder:
        for mutant in drawn(options.seed, 3, strict):
            status, said, device = verify(options.clreduce, "pocl", mutant, 2, 0, pathlib.Path(folder))
            ran = device is not None and any(s["right"] > 0 for s in device["strategies"])
            suite.judge(f"builds, and is right alone: {mutant} in {mutant.kernel.path.name}", status == 0 and ran, said[-2000:])
    return suite.end()


def main():
    parser = Parser("weaken", __doc__)
    parser.add_argument("clreduce")
    parser.add_argument("seed", nargs="?", default="", help="of what the test draws, or all")
    parser.add_argument("--device", metavar="ID", help="prints the table of this device")
    parser.add_argument("--seconds", type=float, default=3, help="of stress for each, by all its strategies (3)")
    parser.add_argument("--budget", type=float, default=math.inf, help="seconds after which no other is begun")
    parser.add_argument("--only", metavar="GLOB", default="*", help="those whose name in --list matches")
    parser.add_argument("--list", action="store_true", help="prints the places, and runs nothing")
    options = parser.parse_args()
    chosen = [m for m in mutants() if fnmatch.fnmatch(str(m), options.only)]
    if not chosen:
        raise Failure(4, f"no place matches '{options.only}'; --list prints them")
    if options.list:
        for mutant in chosen:
            print(f"{mutant} ({', '.join(s['name'] for s in mutant.strategies)})")
        return 0
    return table(options, chosen) if options.device else check_drawn(options, chosen)


end_with("weaken", main)
