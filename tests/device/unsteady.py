#!/usr/bin/env -S python3 -B
"""Times that cannot be compared: bench, the page, recommend and compare say so first, why, and what to do, and tell no factor as found.
    tests/device/unsteady.py CLREDUCE DEVICE [SEED|all]
The files are committed results with something planted, and one run beside busy loops. `all` measures on a quiet machine, then beside ten
loops, and holds each factor against the quiet ones."""
import contextlib
import copy
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from script import begin, library  # noqa: E402
from stored import load  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)
jsonschema = library("jsonschema")

PROGRAM, DEVICE, SHARE = os.path.abspath(sys.argv[1]), sys.argv[2], "".join(sys.argv[3:])
RESULTS = pathlib.Path(__file__).resolve().parent.parent.parent / "results"
STORED = load(RESULTS / "cpu-2-cores.json")
OF_GPU = load(RESULTS / "h200" / "all-1.json")
SCHEMAS = {name: json.loads((RESULTS / f"{name}.schema.json").read_text()) for name in ("advice", "result")}
SAYS = "these times cannot be compared: "
NUMBER = r"\d+(?:\.\d+)?"
FACTOR = re.compile(rf"{NUMBER}x(?!\w)|\d+ % (?:longer|faster|slower)|about as fast as|use [a-z]\w*")
SUITE = Suite()
judge = SUITE.judge


def run(*arguments, status=0):
    """What is printed, with single blanks; and with its lines."""
    ended = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=600, check=False)
    judge(f"{' '.join(arguments)} ends with {status}", ended.returncode == status, f"{ended.returncode}: {ended.stderr}")
    return re.sub(r"\s+", " ", ended.stdout.replace("\\", "")), ended.stdout


def saved(name, result):
    jsonschema.validate(result, SCHEMAS["result"])
    pathlib.Path(name).write_text(json.dumps(result))
    return name


# ---- what makes times such, planted ----

def beside_others(result):
    result["processor_time"] = {"all_s": 20.0, "others_s": 16.6}
    return "other programs took 83 % of the processors' time", "End other programs"


def at_high_load(result):
    result["load_1min_end"] = 12.5
    return "the load at the end was 12.5 on 2 processors", "End other programs"


def unsteady(result):
    n = timed = 0
    for cell in result["cells"]:
        time = cell["time_to_answer"]
        if cell["device"] == "intel" and time:
            timed += 1
            if timed % 3:
                n += 1
                time["high_s"], time["low_s"] = 1.5 * time["median_s"], 0.9 * time["median_s"]
    told = sum(1 for c in result["cells"] if c["device"] == "intel" and c["time_to_answer"]
               and c["time_to_answer"]["high_s"] - c["time_to_answer"]["low_s"] > 0.5 * c["time_to_answer"]["median_s"])
    return f"{told} of {timed} times are unsteady", "Measure again on an idle machine"


def slower_and_slower(result):
    for cell in result["cells"]:
        time = cell["time_to_answer"]
        if cell["device"] == "intel" and time:
            n = len(time["samples_s"])
            time["samples_s"] = [time["median_s"] * (1 + (3 * s // n)) for s in range(n)]
    return "the machine was up to 3.0 times as slow at one time as at another", "Measure again on an idle machine"


WAYS = [beside_others, at_high_load, unsteady, slower_and_slower]


def check_words_below_charts(way, html):
    judge(f"{way.__name__}: nor do words below a chart count what is faster", "The times on intel cannot be compared, and no point tells which is faster." in html
          and "On intel 2.x is faster at" not in html and (way in (beside_others, at_high_load) or "On pocl 2.x is faster at" in html),
          re.findall("[^.]*above the line at 1[^<]*", html))


def check_readers(way):
    """Each reader of such a file, of intel."""
    what, result = way.__name__, copy.deepcopy(STORED)
    why, then = way(result)
    path, calm = saved("bad.json", result), saved("calm.json", STORED)

    page, _ = run("report", path, "--format", "md")
    head = page.partition("## In short ")[2].partition("**The fastest")[0]
    of_intel = head.partition("On intel ")[2]
    judge(f"{what}: In short says it first", re.match(rf"[^*]*: {SAYS}[^*]*{re.escape(why)}[^*]*{then}", of_intel), head)
    judge(f"{what}: and no factor", not FACTOR.search(of_intel), of_intel)
    section = page.partition("**intel: 2.x against 1.x, times as fast**")[2].partition("**")[0]
    ratios = re.findall(rf"\|({NUMBER})([x~?])", section)
    judge(f"{what}: ratios of the page are marked", len(ratios) > 20 and {mark for _, mark in ratios} == {"?"}, section)
    judge(f"{what}: there is no advice", "On intel" in page.partition("What to use")[2]
          and not FACTOR.search(page.partition("What to use")[2].partition("On intel ")[2].partition("**")[0]), page[-3000:])
    html = subprocess.run([PROGRAM, "report", path], capture_output=True, text=True, check=True).stdout
    check_words_below_charts(way, html)
    judge(f"{what}: nor in HTML", SAYS in re.sub(r"\s+", " ", html) and html.index("these times cannot be compared") < html.index("<table"), html[:2000])

    one = copy.deepcopy(result)  # the picture is of the device that has most pairs
    one["cells"] = [cell for cell in one["cells"] if cell["device"] != "pocl"]
    svg, _ = run("report", saved("one.json", one), "--format", "svg")
    judge(f"{what}: the picture alone, too", "on intel: these times cannot be compared<" in svg, svg[:1500])

    out, _ = run("recommend", path, "--device", "intel", status=3)
    judge(f"{what}: recommend begins with it", re.match(rf"On intel [^:]*: {SAYS}bad.json: .*{re.escape(why)}.*{then}", out), out)
    told = out.partition("from n: ")[0]
    judge(f"{what}: and recommends nothing", not FACTOR.search(told) and " ?" in told and "~" not in told, out)
    out, _ = run("recommend", path, "--device", "intel", "--n", "20000", status=3)
    judge(f"{what}: nor for one n", SAYS in out and not FACTOR.search(out.partition("from n: ")[0]), out)
    _, text = run("recommend", path, "--device", "intel", "--format", "json", status=3)
    found = json.loads(text)
    jsonschema.validate(found, SCHEMAS["advice"])
    judge(f"{what}: JSON says it", all(one["incomparable"].startswith(SAYS) for one in found["advice"]), found)
    out, _ = run("recommend", path, "--device", "intel", "--format", "h", status=3)
    judge(f"{what}: a comment in C says it", f"/* {SAYS}bad.json: " in out and why in out, out[:1500])
    out, _ = run("recommend", calm, path, "--device", "intel", status=3)
    judge(f"{what}: of two runs the bad one is named", f"{SAYS}bad.json: " in out, out)
    out, _ = run("emit", path, "--device", "intel", "--output", "emitted", "--overwrite")
    judge(f"{what}: emit begins with it", out.startswith(f"{SAYS}bad.json: "), out)

    for cell in result["cells"]:  # twice as long, so that they stand first
        if cell["device"] == "intel" and cell["time_to_answer"]:
            cell["time_to_answer"] |= {key: 2 * value if key != "samples_s" else [2 * sample for sample in value]
                                       for key, value in cell["time_to_answer"].items() if key != "calls_per_sample"}
    saved(path, result)
    for base, head, which in (path, calm, "base"), (calm, path, "head"):
        out, _ = run("compare", base, head)
        judge(f"{what}: compare begins with it", re.match(rf"{which}, on \w+: {SAYS}", out) and re.search(rf"{which}, on intel: {SAYS}[^;]*", out) and why in out, out[:600])
        judge(f"{what}: no line of intel tells a difference", (which == "base" or re.search(r"intel \w+ sum f32 \S+ \S+ \S+ 2\.00 \?", out))
              and not re.search(rf"intel \w+ sum f32 \S+ \S+ \S+ {NUMBER} \(", out), out)
        run("compare", base, head, "--fail-above", "20", status=3)
        _, text = run("compare", base, head, "--format", "json")
        rows = [row for row in json.loads(text) if row["device"] == "intel" and row["base_median_s"] and row["head_median_s"]]
        judge(f"{what}: nor a row of JSON", len(rows) > 50 and all(row["ratio"] in (None, "") and row["apart"] == "cannot be compared" for row in rows), rows[:2])
    out, _ = run("compare", "--drivers", path)
    judge(f"{what}: compare --drivers begins with it", re.match(rf"(A \(pocl\): {SAYS}.*)?B \(intel\): {SAYS}", out) and why in out, out[:600])
    judge(f"{what}: its ratios are marked", re.search(rf" {NUMBER} \?", out) and not re.search(rf"{NUMBER} \({NUMBER}-{NUMBER}\)", out), out[-1500:])


def check_wrong_beats_it():
    """What is wrong is told whatever the times are worth."""
    result = copy.deepcopy(STORED)
    beside_others(result)
    cell = next(c for c in result["cells"] if c["device"] == "intel" and c["time_to_answer"])
    cell.update(state="wrong", reason="expected 1, got 2", time_to_answer=None)
    run("compare", saved("calm.json", STORED), saved("bad.json", result), "--fail-above", "20", status=2)
    out, _ = run("recommend", "bad.json", "--device", "intel", status=3)
    judge("a ban comes first", out.startswith("DO NOT USE on intel: ") and SAYS in out, out)


def check_calm():
    """A file that tells that nothing else ran, and one that tells nothing, are told as ever."""
    result = copy.deepcopy(STORED)
    result["processor_time"] = {"all_s": 20.0, "others_s": 1.0}
    result["load_1min_end"] = 2.9
    one, _ = run("recommend", saved("run.json", result))
    other, _ = run("recommend", saved("run.json", STORED))
    judge("nothing is marked", one == other and "use " in one and "cannot be compared" not in one, one)
    page, _ = run("report", saved("run.json", result), "--format", "md")
    judge("the page says what others took", "Other programs took 5 % of the processors' time." in page and SAYS not in page, page[-4000:])
    page, _ = run("report", saved("run.json", STORED), "--format", "md")
    judge("or that nothing tells it", "Nothing tells what other programs took of the processors." in page, page[-4000:])


def check_gpu():
    """Other programs take processors from OpenMP, and no time from a GPU."""
    result = copy.deepcopy(OF_GPU)
    calm, _ = run("report", saved("gpu.json", result), "--format", "md")
    beside_others(result)
    page, _ = run("report", saved("gpu.json", result), "--format", "md")
    judge("the GPU's factors are told", re.search(r"the 2.0 built-in is [^*]* as the 1.x tree at 2\^20", page), page[:1500])
    judge("OpenMP's are not", re.search(r"\* the fastest of the \d+ strategies measured[^*]*\* ?\*The fastest|OpenMP's times cannot be compared: other programs took 83 %", page)
          and " than OpenMP" not in page.partition("**The fastest")[0] and " than OpenMP" in calm.partition("**The fastest")[0], page[:1500])
    out, _ = run("recommend", saved("gpu.json", result))
    judge("advice is given", "use " in out and SAYS not in out, out)
    judge("without OpenMP", "OpenMP on the host" not in out, out)


# ---- live ----

@contextlib.contextmanager
def busy_loops(n):
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.send_signal(signal.SIGKILL)
            loop.wait()


def bench(path, *more):
    lines = run("bench", "--device", DEVICE, *more, "--output", path)[1]
    result = load(path)
    jsonschema.validate(result, SCHEMAS["result"])
    return lines, result


def share_of_others(result):
    return result["processor_time"]["others_s"] / result["processor_time"]["all_s"]


def check_beside_loops():
    """However many processors there are and whatever else runs: three loops for each of them take most of their time."""
    with busy_loops(3 * len(os.sched_getaffinity(0))):
        lines, result = bench("busy.json", "--strategy", "serial,tree", "--n", "2^10,2^14", "--type", "i32", "--time-per-cell", "0.15", "--data-sets", "1")
    if not pathlib.Path("/proc/stat").exists():
        print("skipped: this system has no /proc/stat")
        return
    judge("others took what they did", share_of_others(result) > 0.3, result["processor_time"])
    judge("the table says that its ? may come of that", "? = unsteady or disturbed" in lines, lines[:600])
    end = re.sub(r"\s+", " ", lines).partition("n = ")[2]
    judge("the last lines say it", re.search(rf"On {DEVICE} [^:]*: {SAYS}other programs took \d+ % of the processors' time", end), lines)
    judge("and no factor", not re.search(rf"{NUMBER}[x~](?!\w)", lines), lines)
    judge("each time is marked", len(re.findall(rf"{NUMBER}\?", lines)) >= 8 and "*" not in lines.partition("n =")[2], lines)


def factors_of(lines):
    """Each factor that a table of bench prints as found, by its place: `x` behind it."""
    found, sizes, columns = {}, [], 0
    for line in lines.splitlines():
        if line.startswith(("n =", "2.x : 1.x,")):
            sizes, columns = re.findall(r"2\^\d+", line), line.startswith("2.x")
            continue
        name = re.match(r"[a-z]\w+(?: : \w+)?", line)
        if not name or not sizes:
            continue
        values = line[name.end():].split()
        found |= {(name[0], n): float(value[:-1]) for n, value in zip(sizes, values) if columns and re.fullmatch(rf"{NUMBER}x", value)}
        if not columns and values and re.fullmatch(rf"{NUMBER}x", values[-1]):
            found[name[0], sizes[-1], "OpenMP"] = float(values[-1][:-1])
    return found


def check_quiet_and_busy():
    """The quiet run's factors hold beside ten loops, or they are marked there, as all are where the run says so."""
    options = ("--n", "2^10..2^20:x4", "--strategy", "chunk,serial,tree,svm_chunk,wg_reduce,wg_reduce_stride,grid_stride_vec", "--seed", "7")
    _, quiet = bench("quiet.json", *options)
    intervals = {(c["strategy"], f"2^{c['n'].bit_length() - 1}"): c["time_to_answer"] for c in quiet["cells"] if c["time_to_answer"]}
    with busy_loops(10):
        lines, busy = bench("busy.json", *options)
    found, outside = factors_of(lines), []
    for place, factor in found.items():
        a, b = (place[0], "openmp") if len(place) == 3 else reversed(place[0].split(" : "))
        above, below = intervals.get((a, place[1])), intervals.get((b, place[1]))
        if above and below and not above["low_s"] / below["high_s"] <= factor <= above["high_s"] / below["low_s"]:
            outside.append((place, factor))
    print(f"others took {share_of_others(quiet):.2f} of the quiet run, {share_of_others(busy):.2f} beside ten loops: {len(found)} factors are "
          f"told there, {len(outside)} of them outside of the quiet ones")
    judge("each factor beside ten loops is marked, or the quiet run's", not outside, outside)
    judge("the sentence tells none", not re.search(rf"{NUMBER}x (faster|slower)", lines), lines[-1500:])
    run("recommend", "busy.json", status=3)
    run("compare", "quiet.json", "busy.json", "--fail-above", "20", status=3)


def main():
    if subprocess.run([PROGRAM, "verify", "--device", DEVICE, "--strategy", "serial", "--type", "i32", "--op", "sum", "--n", "1"],
                      capture_output=True, check=False).returncode in (4, 77):
        print(f"skipped: there is no device {DEVICE} on this machine")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for way in WAYS if SHARE == "all" else drawn(SHARE, 2, WAYS):
            check_readers(way)
        check_wrong_beats_it()
        check_calm()
        check_gpu()
        check_beside_loops()
        if SHARE == "all":
            check_quiet_and_busy()
        os.chdir("/")
    return SUITE.end()


if __name__ == "__main__":
    sys.exit(main())
