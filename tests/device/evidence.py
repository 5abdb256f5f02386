#!/usr/bin/env -S python3 -B
"""What `verify` says of checks that are not right: a file that holds every one, with evidence that reproduces; also after a crash, a
hang and an interruption; the same as JUnit; and two such files side by side.
    tests/device/evidence.py CLREDUCE LAYER [SEED]     the seed draws data, a kernel and which checks are made again
    tests/device/evidence.py CLREDUCE LAYER devices    what `devices --format json` says, in the form of such files
LAYER is the library made of tests/broken/layer."""
import copy
import csv
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from driver import POCL, need_pocl  # noqa: E402
from script import begin, library  # noqa: E402
from suite import Suite  # noqa: E402

begin(__doc__)
jsonschema = library("jsonschema")

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "results/verify.schema.json").read_text())
# Mutant, operations and types with answers of each form, sizes of which some are wrong.
KERNELS = [("dropped_tail", "sum", "i32,f32,f64", "1,64,70,1003"), ("place_off_by_one", "argmin,argmax", "i32,f32", "1,70"),
           ("segment_of_neighbour", "sum,max", "i32,f32", "2,65"), ("scan/carry_lost_at_2", "inclusive_sum,exclusive_max", "i32,f32", "9,70"),
           ("counter_not_returned", "sum", "u32,f32", "1,70")]
SAME = ("strategy", "op", "type", "shape", "n", "segments", "data", "state", "fault", "expected", "got", "segment", "run")


def load(path):
    """The file's one device, once the file has been found to follow its schema."""
    held = json.loads(pathlib.Path(path).read_text())
    jsonschema.validate(held, SCHEMA)
    return held["devices"][0]


def identity(check):
    return json.dumps([check[key] for key in SAME] + [check["asked"]["group_size"]])


def counts_fault(device):
    """What of the counts does not agree with the checks that are listed; empty if all does."""
    for strategy in device["strategies"]:
        name, ended = strategy["strategy"], 0
        for state in ("wrong", "build-failed", "over-budget", "failed", "crashed", "timed-out", "known-bug"):
            listed = sum(check["strategy"] == name and check["state"] == state for check in device["checks"])
            if listed != strategy[state]:
                return f"{name}: {strategy[state]} {state}, and {listed} listed"
            ended += listed
        if strategy["right"] + ended + strategy["pending"] != strategy["planned"]:
            return f"{name}: not all planned checks are counted: {strategy}"
    return ""


def evidence_fault(check):
    """What of a wrong check's evidence does not agree with itself; empty if all does."""
    expected, got = check["expected"], check["got"]
    if check["state"] != "wrong":
        return ""
    if check["data"] not in check["reason"] or check["run"] not in check["reason"]:
        return f"the reason tells of others: {check}"
    has_place = check["op"].startswith("arg") or "clusive" in check["op"]  # scans name the element
    if (expected["place"] is not None) != has_place or (check["segment"] is not None) != (check["shape"] == "segments"):
        return f"place or segment: {check}"
    if check["fault"] == "answer" and expected == got:
        return f"expected is what it got: {check}"
    if check["low"] is not None:
        low, high, value = float(check["low"]), float(check["high"]), float(expected["value"])
        if not low <= value <= high or (check["fault"] == "answer" and low <= float(got["value"]) <= high):
            return f"the range: {check}"
    return ""


class Tester:
    def __init__(self, program, layer, folder):
        self.program, self.layer, self.folder = program, layer, pathlib.Path(folder)
        (self.folder / "icd").mkdir()
        (self.folder / "icd/pocl.icd").symlink_to(POCL)
        self.suite = Suite(tells=True)

    def run(self, *arguments, fault=None):
        environment = os.environ | {"OCL_ICD_VENDORS": str(self.folder / "icd")}
        if fault:
            environment |= {"OPENCL_LAYERS": self.layer, "CLREDUCE_FAULT": fault}
        return subprocess.run([self.program, *map(str, arguments)], env=environment, capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=120, check=False)

    def arguments(self, kernel, output):
        """Of a run that is wrong; the path of the kernel needs quoting."""
        name, ops, types, sizes = kernel
        path = self.folder / "it's mine.cl"
        path.write_text((ROOT / f"tests/mutants/{name}.cl").read_text())
        primitive = "scan" if name.startswith("scan/") else "reduce"
        return ["verify", "--primitive", primitive, "--device", "pocl", "--kernel", path, "--op", ops, "--type", types,
                "--n", sizes, "--wg", "64", "--seed", str(self.seed), "--output", self.folder / output]

    def whole(self, kernel):
        """Every check that is wrong is in the file and in the report, and is made again by its own command."""
        judge, report, begun = self.suite.judge, self.folder / "checks.xml", time.monotonic()
        given = [*self.arguments(kernel, "checks.json"), "--export", f"junit={report}"]
        ended = self.run(*given)
        took, device = time.monotonic() - begun, load(self.folder / "checks.json")
        checks = device["checks"]
        judge(f"{kernel[0]} of seed {self.seed} is wrong more often than the screen tells", ended.returncode == 2 and len(checks) > 3, ended.stderr)
        ended = self.run(*self.arguments(kernel, "/dev/full"))
        command = json.loads((self.folder / "checks.json").read_text())["command"]
        judge("a shell takes the file's command as it was given", shlex.split(command) == ["clreduce", *map(str, given)], command)
        judge("a file that cannot be written is told beside what is wrong", ended.returncode == 2 and
              "cannot write /dev/full" in ended.stderr and "; the first: wrong" in ended.stderr, ended.stderr)
        judge("the counts are those of the checks", not counts_fault(device), counts_fault(device))
        faults = [fault for fault in map(evidence_fault, checks) if fault]
        judge("the evidence agrees with itself", not faults, faults[:1])
        judge("no check is there twice", len(set(map(identity, checks))) == len(checks))
        for check in random.sample(checks, 2):
            again = self.folder / "again.json"
            words = shlex.split(check["again"])
            self.run(*words[1:], "--format", "json", "--output", again)
            found = {identity(other): other for other in load(again)["checks"]}
            judge(f"made again: {check['reason']}", words[0] == self.program and identity(check) in found, check["again"])
            judge("with prefixes, which it may have had", found[identity(check)]["prefixes"] >= 64, check["again"])
        suite = xml.parse(report).getroot()
        failures = suite.findall(".//failure")
        judge("each is a failure for JUnit, with the command", len(failures) == len(checks) == int(suite.get("failures")) and
              {re.search("again: (.*)", failure.text)[1] for failure in failures} == {check["again"] for check in checks})
        seconds = [float(part.get("time")) for part in (suite, suite.find("testsuite"))]
        judge("the suite has the time that its device took", 0 < seconds[0] == seconds[1] <= took, (seconds, took))
        names = [case.get("name") for case in suite.iter("testcase")]
        judge("no two of its tests have one name", len(set(names)) == len(names), names)
        right = sum(int(re.match("[0-9]+", out.text)[0]) for out in suite.findall(".//system-out"))
        judge("and the right ones are counted", right == device["strategies"][0]["right"] and
              int(suite.get("tests")) == len(suite.findall(".//testcase")))
        if subprocess.run(["sh", "-c", "command -v xmllint"], capture_output=True, check=False).returncode == 0:
            schema = ROOT / "tests/cli/schemas/junit.xsd"
            ended = subprocess.run(["xmllint", "--noout", "--schema", schema, report], capture_output=True, text=True, check=False)
            judge("the report follows JUnit's schema", ended.returncode == 0, ended.stderr)
        return device

    def many_segments(self):
        """What shows in very many segments alone is made again in as many."""
        self.run(*self.arguments(("segment_number_16_bits", "sum", random.choice(["u8", "f32"]), "257"), "many.json"))
        [check] = load(self.folder / "many.json")["checks"]
        words = shlex.split(check["again"])
        ended = self.run(*words[1:])
        self.suite.judge("many segments are made again", check["segments"] > 2**16 and ended.returncode == 2, f"{check['again']}: {ended.stderr}")

    def rebuilt(self):
        """The command of a check is the same from its file as live, but for the word for the program, and shows the failure again: of each
        primitive, with options that the run was given."""
        for primitive, name, op, dtype in (("reduce", "dropped_tail", "sum", "i32"), ("scan", "scan/carry_lost_at_2", "inclusive_sum", "i32"),
                                           ("histogram", "histogram/last_element_lost", "count", "u32")):
            path, output = self.folder / "it's mine.cl", self.folder / "own.json"
            path.write_text((ROOT / f"tests/mutants/{name}.cl").read_text())
            options = [option for option in (["--all"], ["--despite-probes"], ["--patience", random.choice(["20", "45.5"])],
                                             ["--time-per-cell", random.choice(["0.5", "0.75"])]) if random.random() < 0.7]
            ended = self.run("verify", "--primitive", primitive, "--device", "pocl", "--kernel", path, "--op", op, "--type", dtype, "--n", "70",
                             "--wg", "64", "--seed", self.seed, *sum(options, []), *(["--bins", random.randrange(2, 5000)] if primitive == "histogram" else []),
                             "--output", output)
            live = [check["again"] for check in load(output)["checks"]]
            shown = re.findall("again: (.*)", ended.stdout)
            table = self.run("compare", "--drivers", output, output, "--format", "csv").stdout
            again = [row["again"] for row in csv.DictReader(table.splitlines()) if row["side"] == "A"]
            judge, words = self.suite.judge, [shlex.split(command) for command in live]
            judge(f"{name}: each command from the file is the live one", again and sorted(map(shlex.split, again)) ==
                  sorted(["clreduce", *command[1:]] for command in words), (live[:1], again[:1]))
            judge(f"{name}: the screen has one of them", shown and set(shown) <= set(live), (shown, live[:1]))
            judge(f"{name}: with the run's options", all(set(option) <= set(command) for option in options for command in words), (options, live[:1]))
            ended = self.run(*shlex.split(random.choice(again))[1:])
            judge(f"{name}: it shows the failure again", ended.returncode == 2, ended.stderr)

    def early(self):
        """What checks found that were made before their turn, for the estimate, stands even where at their turn it would take too long."""
        output = self.folder / "early.json"
        self.run("verify", "--device", "pocl", "--kernel", ROOT / "tests/mutants/last_of_equals.cl", "--type", "i32", "--n", "200000,262144",
                 "--time-per-cell", "0.1ms", "--format", "json", "--output", output)
        counts = load(output)["strategies"][0]
        self.suite.judge("an early check that is wrong is wrong at its turn", counts["right"] + counts["wrong"] >= 3 and counts["wrong"] > 1 and
                         counts["over-budget"] > 0, counts)

    def broken(self, fault, state, *more):
        """A driver that breaks: the check that met it is in the file, and so are those that were not tried after it."""
        output = self.folder / "broken.json"
        ended = self.run("verify", "--strategy", "serial", "--type", "i32", "--op", "sum", "--n", "10,100", "--format", "json", "--output", output,
                         *more, fault=fault)
        device = load(output)
        states = {check["state"] for check in device["checks"]}
        self.suite.judge(f"{fault}: {state} is in the file", ended.returncode == 5 and state in states, f"{ended.returncode}: {states}")
        self.suite.judge("with what it died of, and no answer", not counts_fault(device) and all(
            check["reason"] and check["again"] and check["expected"] is None for check in device["checks"]), device["checks"])

    def resumed(self, kernel, whole):
        """What an interrupted run has found is in the file of the one that goes on with it."""
        output, journal = self.folder / "half.json", self.folder / "half.json.journal"
        arguments = self.arguments(kernel, "half.json")
        child = subprocess.Popen([self.program, *arguments], env=os.environ | {"OCL_ICD_VENDORS": str(self.folder / "icd")}, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        while child.poll() is None and not (journal.exists() and b'"fault"' in journal.read_bytes()):
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
        kept = journal.read_bytes().count(b'"fault"') if journal.exists() else 0
        ended = self.run(*arguments, "--resume")
        checks = load(output)["checks"]
        there = re.search("resuming: ([0-9]+) checks are there", ended.stderr)
        told = re.search("verifying on [^:]*: ([0-9]+) checks left of ([0-9]+),", ended.stdout)
        self.suite.judge("and announces what is left", not there or (told and int(told[1]) == int(told[2]) - int(there[1])), ended.stdout + ended.stderr)
        self.suite.judge(f"--resume keeps the evidence that was there, {kept} of {len(checks)}", ended.returncode == 2 and
                         sorted(map(identity, checks)) == sorted(map(identity, whole["checks"])), ended.stderr)

    def bans(self, kernel):
        """What a file of verify has found bans its strategy on this machine, also in a file that goes on with a journal; on another one it
        bans nothing."""
        times, checked = self.folder / "times.json", [self.folder / "checks.json", self.folder / "half.json"]
        ended = self.run("bench", "--device", "pocl", "--strategy", "serial", "--op", "sum", "--type", "i32", "--n", "100", "--data-sets", "1",
                         "--time-per-cell", "0.01", "--output", times)
        self.suite.judge("a cell is timed", ended.returncode == 0, ended.stderr)
        for path in checked:
            ended = self.run("recommend", times, path)
            self.suite.judge(f"{path.name} bans what is wrong", re.match(rf"DO NOT USE on\s+pocl: {kernel[0].split('/')[-1]}\s", ended.stdout) and
                             "bans nothing" not in ended.stderr, ended.stdout + ended.stderr)
            held, other = json.loads(path.read_text()), self.folder / "elsewhere.json"
            held["host"]["name"] += "-2"
            other.write_text(json.dumps(held))
            ended = self.run("recommend", times, other)
            self.suite.judge(f"{path.name} of another machine bans nothing, which is told", "DO NOT USE" not in ended.stdout and
                             "bans nothing" in ended.stderr, ended.stdout + ended.stderr)

    def devices(self):
        """What there is to run on, in the form of result files."""
        ended = self.run("devices", "--device", "pocl", "--format", "json")
        schema = json.loads((ROOT / "results/result.schema.json").read_text())["properties"]["devices"]
        host, device = json.loads(ended.stdout)
        jsonschema.validate([host, device], schema)
        capability = device["capabilities"]["local_memory"]
        self.suite.judge("devices are told as result files tell them", host["id"] == "host" and host["roof_bytes_per_s"] > 0 and
                         capability["advertised"] == capability["builds"] == capability["behaves"] == "yes" and
                         all(found["reason"] for found in device["capabilities"].values() if found["builds"] == "no"), ended.stdout[:2000])

    def compared_unable(self, held):
        """Devices on which a strategy cannot run, for the same reason."""
        name, other = held["devices"][0]["strategies"][0]["strategy"], self.folder / "unable.json"
        for device in held["devices"]:
            device["strategies"][0] = {word: 0 if isinstance(value, int) else value for word, value in device["strategies"][0].items()} | {
                "unsupported_because": ["no f16"]}
            device["checks"] = [check for check in device["checks"] if check["strategy"] != name]
        other.write_text(json.dumps(held))
        ended = self.run("compare", "--drivers", other)
        self.suite.judge("what can run on none of them is told with its reason", re.search(rf"{name} +cannot run +cannot run\n", ended.stdout) and re.search(
            rf"What cannot run, and why:\n.*\n{name} +all +no f16\n\n", ended.stdout + "\n"), ended.stdout)

    def compared(self, device):
        """Side by side with a driver that has one check right and another one crashed."""
        judge, ours, other, was = self.suite.judge, self.folder / "checks.json", self.folder / "other.json", device["strategies"][0]
        held = json.loads(ours.read_text())
        changed, strategy = held["devices"][0], held["devices"][0]["strategies"][0]
        gone = changed["checks"].pop(0)
        changed["checks"][0] |= {"state": "crashed", "fault": None, "expected": None, "got": None, "reason": "signal 11"}
        changed["driver"] = "another"
        strategy |= {"right": strategy["right"] + 1, "wrong": strategy["wrong"] - 2, "crashed": 1}
        other.write_text(json.dumps(held))
        ended = self.run("compare", "--drivers", ours, other)
        counts = rf"{was['strategy']} +{was['right']} right, {was['wrong']} wrong +{was['right'] + 1} right, {was['wrong'] - 2} wrong, 1 crashed"
        judge("what both can do is told as the files have it", "The files record no difference in capabilities." in ended.stdout, ended.stdout)
        judge("the counts of two drivers stand side by side", ended.returncode == 0 and re.search(counts, ended.stdout), ended.stdout)
        kind = rf"{gone['op']} {gone['type']}( {gone['shape']})?"
        judge("and what is wrong on one alone", re.search(rf"{kind} +[0-9]+ .* wrong +(not listed|all right) ", ended.stdout) and
              re.search(" wrong +crashed ", ended.stdout), ended.stdout)
        strategy["unsupported_because"] = reasons = ["no sub_groups, with group size 64", "no f16"]
        held["devices"].append(copy.deepcopy(changed) | {"id": "third"})
        held["devices"][1]["strategies"][0]["unsupported_because"] = reasons[1:]
        other.write_text(json.dumps(held))
        ended = self.run("compare", "--drivers", other)
        told = re.findall(r"wrong, 1 crashed, cannot run in part", re.sub(r"\s+", " ", ended.stdout))
        judge("what cannot run beside what is right is told", len(told) == 2 and re.search(
            rf"What cannot run, and why:\n.*\n{was['strategy']} +A +{reasons[0]}\n\n", ended.stdout), ended.stdout)
        self.compared_unable(copy.deepcopy(held))
        held["devices"][1] |= {"strategies": [], "checks": []}
        other.write_text(json.dumps(held))
        ended = self.run("compare", "--drivers", other)
        primitive = f" --primitive {held['primitive']}" if "primitive" in held else ""
        rows = "".join(rf"{was['strategy']} +{row}\n" for row in
                       (*(f"A +{reason}" for reason in reasons),
                        f"B +not asked; clreduce verify{primitive} --device third --strategy {was['strategy']} asks"))
        judge("also where the other one was not asked, and what asks it", re.search(rf"What cannot run, and why:\n.*\n{rows}\n", ended.stdout),
              ended.stdout)
        held["devices"].pop()
        other.write_text(json.dumps(held))
        rows = json.loads(self.run("compare", "--drivers", ours, other, "--format", "json").stdout)
        states = {(row["state"], row["expected"], row["got"]) for row in rows if row["side"] == "A"}
        judge("each check has a row for each of them", len(rows) == 2 * len(device["checks"]) and len(states) > 1 and
              states == {(check["state"], check["expected"]["value"], check["got"]["value"]) for check in device["checks"]}, rows[:2])
        for check in changed["checks"]:
            check["asked"]["groups"] = 3
        other.write_text(json.dumps(held))
        ended = self.run("compare", "--drivers", ours, other)
        judge("the first of several is told with all that it asks for",
              re.search("n = [0-9]+,( [0-9]+ segments,)? --wg 64, --groups 3, data set '", ended.stdout), ended.stdout)
        for files, told in (([ours, ROOT / "results/cpu-2-cores.json"], "not both"), ([ours, self.folder / "nowhere"], "cannot read")):
            ended = self.run("compare", "--drivers", *files)
            judge(f"refused: {told}", ended.returncode == 4 and told in ended.stderr, ended.stderr)
        ended = self.run("compare", ours, other)
        judge("times of such files are not compared", ended.returncode == 4 and "without times" in ended.stderr, ended.stderr)
        for edit, told in (({"schema_version": 2}, "schema_version: expected 1"), ({"devices": 1}, "devices: expected")):
            other.write_text(json.dumps(held | edit))
            ended = self.run("compare", "--drivers", ours, other)
            judge(f"refused: {told}", ended.returncode == 4 and told in ended.stderr, ended.stderr)
        changed["checks"][0]["n"] = -1
        other.write_text(json.dumps(held))
        ended = self.run("compare", "--drivers", ours, other)
        judge("refused with its place", ended.returncode == 4 and "devices[0].checks[0].n: expected" in ended.stderr, ended.stderr)

    def refused(self):
        """What is no such file, or no kind of report for checks."""
        ended = self.run("verify", "--strategy", "serial", "--export", "markdown=x")
        self.suite.judge("times cannot be exported", ended.returncode == 4 and "measures none" in ended.stderr, ended.stderr)
        ended = self.run("verify", "--strategy", "serial", "--format", "json", "--output", "x", "--export", "junit=x")
        self.suite.judge("two outputs are two files", ended.returncode == 4 and "the same file" in ended.stderr, ended.stderr)


def main():
    program, layer, share = (*sys.argv[1:], "")[:3]
    need_pocl()
    seed = int(share) if share.isdigit() else random.randrange(2, 10**6)
    print(f"seed {seed}: the same again by {sys.argv[0]} CLREDUCE LAYER {seed}", flush=True)
    random.seed(seed)
    with tempfile.TemporaryDirectory() as folder:
        tester = Tester(program, layer, folder)
        tester.seed = seed
        if share == "devices":
            tester.devices()
            return tester.suite.end()
        kernel = random.choice(KERNELS)
        device = tester.whole(kernel)
        tester.resumed(kernel, device)
        tester.bans(kernel)
        tester.many_segments()
        tester.rebuilt()
        tester.early()
        tester.broken("crash_launch@9", "crashed")
        tester.broken("hang_launch@3", "timed-out", "--patience", "2")
        tester.compared(device)
        tester.refused()
        return tester.suite.end()


if __name__ == "__main__":
    sys.exit(main())
