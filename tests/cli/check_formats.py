"""check_formats.py TRUTH PREFIX KIND...: what each reader finds in PREFIX.KIND is what there was.
TRUTH is a file of cells that tests/unit/test_export.c makes, or a result file of `bench` without --wg, --shape and the like."""
import collections
import json
import math
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True  # nor where another Python than its own runs it
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import library  # noqa: E402
from stored import whole  # noqa: E402

SCHEMAS = pathlib.Path(__file__).resolve().parent / "schemas"
OUTCOMES = {"pass": "passed", "wrong": "failure", "unsupported": "skipped", "over-budget": "skipped", "known-bug": "skipped", "implausible": "skipped"}
# Of a result file what each sample was, too.
Cell = collections.namedtuple("Cell", "outcome time_s samples lost times_s calls", defaults=((), None))


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def unique(pairs):
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), f"a key twice: {sorted(keys)}"
    return dict(pairs)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=refuse_constant, object_pairs_hook=unique)


def name_of(cell):
    """Where nobody asked for a geometry or a shape."""
    bins = f"/bins:{cell['bins']}" if "bins" in cell else ""
    data = f"/data:{cell['data'].replace(' ', '-')}" if "data" in cell else ""
    return f"{cell['device']}/{cell['strategy']}/{cell['op']}/{cell['type']}{bins}{data}/n:{cell['n']}"


def truth_of(path):
    """Every cell by its name."""
    found = whole(load(path))
    if isinstance(found, list):
        return {c["name"]: Cell(c["outcome"], c["time_s"], c["samples"], c["lost"]) for c in found}
    cells = {}
    for c in found["cells"]:
        time = c["time_to_answer"] or {"median_s": None, "samples_s": [], "calls_per_sample": None}
        outcome = OUTCOMES.get(c["state"], "error")
        cells[name_of(c)] = Cell(outcome, time["median_s"], len(time["samples_s"]), time["median_s"] is None and outcome != "skipped",
                                 time["samples_s"], time["calls_per_sample"])
    assert len(cells) == len(found["cells"]), "two cells of one name"
    return cells


def timed(truth):
    return {name for name, cell in truth.items() if cell.time_s is not None}


def lost(truth):
    """A gate may pass all the same: what it cannot trust, and what is in quarantine, is skipped in reports of tests."""
    return {name for name, cell in truth.items() if cell.lost}


def assert_same(found, wanted, what):
    assert set(found) == set(wanted), f"{what}: only in one: {sorted(set(found) ^ set(wanted))}"
    assert len(found) == len(set(found)), f"{what}: a name twice"


def assert_time(value, cell, name):
    assert math.isfinite(value) and math.isclose(value, 1e9 * cell.time_s, rel_tol=1e-6), f"{name}: {value}, {cell}"


def against_schema(data, kind):
    library("jsonschema").validate(data, load(SCHEMAS / f"{kind}.schema.json"))


def google_benchmark(path, truth):
    rows = collections.defaultdict(list)
    for row in load(path)["benchmarks"]:
        assert row["run_type"] == "iteration" and "error_occurred" not in row, row
        assert row["name"].endswith("/real_time") and row["time_unit"] == "us", row
        assert all(math.isfinite(row[key]) for key in ("real_time", "cpu_time")), row
        assert row["real_time"] > 0 and row["cpu_time"] >= 0 and row["iterations"] > 0, row
        assert row["per_family_instance_index"] == 0, row  # compare.py pairs the rows of two files in its order
        rows[row["name"].removesuffix("/real_time")].append(row)
    assert_same(rows, timed(truth), "google-benchmark")
    for name, of_cell in rows.items():
        cell = truth[name]
        assert [row["repetition_index"] for row in of_cell] == list(range(cell.samples)), f"{name}: {len(of_cell)} rows"
        assert all(row["repetitions"] == cell.samples for row in of_cell), f"{name}: number of repetitions"
        for row, sample in zip(of_cell, cell.times_s):
            assert row["iterations"] == cell.calls, f"{name}: iterations"
            assert math.isclose(row["real_time"], 1e6 * sample, rel_tol=1e-6, abs_tol=1e2 * cell.time_s), f"{name}: {row['real_time']} us, {sample} s"


def github_action_benchmark(path, truth):
    rows = load(path)
    against_schema(rows, "github-action-benchmark")
    assert_same([row["name"] for row in rows], timed(truth), "github-action-benchmark")
    for row in rows:
        assert_time(row["value"], truth[row["name"]], row["name"])


def junit(path, truth):
    subprocess.run(["xmllint", "--noout", "--nonet", "--schema", SCHEMAS / "junit.xsd", path], check=True, stderr=subprocess.PIPE)
    junitparser = library("junitparser")
    kinds = {junitparser.Failure: "failure", junitparser.Error: "error", junitparser.Skipped: "skipped"}
    found = {}
    for suite in junitparser.JUnitXml.fromfile(path):
        counts = collections.Counter()
        for case in suite:
            result = case.result if isinstance(case.result, list) else [case.result] if case.result else []
            assert len(result) <= 1 and case.name not in found, case.name
            found[case.name] = kinds[type(result[0])] if result else "passed"
            counts[found[case.name]] += 1
            assert not result or result[0].message, f"{case.name}: no reason"
            cell = truth[case.name]
            assert (case.time is None) == (cell.time_s is None), f"{case.name}: time {case.time}, {cell}"
            assert case.time is None or math.isclose(case.time, cell.time_s, rel_tol=1e-6, abs_tol=5.1e-10), case.name
        wanted = (counts["failure"], counts["error"], counts["skipped"], sum(counts.values()))
        assert (suite.failures, suite.errors, suite.skipped, suite.tests) == wanted, suite.name
    assert found == {name: cell.outcome for name, cell in truth.items()}, "junit: other outcomes"


def words(text):
    return " ".join(text.split())


def markdown(path, truth):
    """As GitHub's own parser reads it: cells hold text, and the result's emphasis, and nothing else."""
    assert path.stat().st_size <= 1 << 20, "markdown: more than 1 MiB"
    extensions = [word for name in ("table", "strikethrough", "autolink", "tasklist") for word in ("-e", name)]
    read = subprocess.run(["cmark-gfm", *extensions, "--to", "xml", path], check=True, stdout=subprocess.PIPE)
    space = "{http://commonmark.org/xml/1.0}"
    rows = []
    document = xml.etree.ElementTree.fromstring(read.stdout)
    for table in document.iter(f"{space}table"):
        for row in table.findall(f"{space}table_row"):
            for node in row.iter():
                assert node.tag.removeprefix(space) in ("table_row", "table_cell", "text", "strong"), f"markdown: {node.tag}"
            cells = row.findall(f"{space}table_cell")
            rows.append([words("".join(text.text or "" for text in cell.iter(f"{space}text"))) for cell in cells])
    facts, cells = rows[:4], rows[4:]
    assert [row[0] for row in facts] == ["command", "version", "machine", "started"], facts
    assert_same([row[0] for row in cells], {words(name) for name in truth}, "markdown")
    by_words = {words(name): cell for name, cell in truth.items()}
    order = [by_words[row[0]].outcome in ("failure", "error") for row in cells]
    assert order == sorted(order, reverse=True), "markdown: failures are not first"
    for row in cells:
        cell = by_words[row[0]]
        assert (row[2] == "") == (cell.time_s is None), f"{row[0]}: time '{row[2]}'"
        assert row[-1] or cell.outcome == "passed" or cell.time_s is not None, f"{row[0]}: no reason"


def annotations(path, truth):
    """As GitHub's runner takes its commands from a log (actions/runner, ActionCommand.cs)."""
    lines = path.read_bytes().decode("utf-8").split("\n")[:-1]
    failing = {name: cell.outcome for name, cell in truth.items() if cell.outcome in ("failure", "error")}
    assert len(lines) <= 10 and (not failing or lines), f"{len(lines)} annotations of {len(failing)}"
    assert len(failing) <= 9 or " more" in lines[-1], "annotations: nobody counts the others"
    outcomes = []
    for line in lines[:9] if len(failing) > 9 else lines:
        level, properties, message = re.fullmatch(r"::(\w+) ([^\r]*?)::([^\r]*)", line).groups()
        fields = dict(field.split("=", 1) for field in properties.split(","))
        for code, mark in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            fields = {key: value.replace(code, mark) for key, value in fields.items()}
        name = fields.pop("title").removeprefix("clreduce: ")
        if "file" in fields:  # of a kernel that does not build: where the compiler says so
            assert fields.pop("file") and int(fields.pop("line")) > 0 and int(fields.pop("col")) > 0 and "build-failed" in message, line
        assert not fields and message and name in truth, line
        assert level == ("error" if name in failing else "warning"), line
        outcomes.append(truth[name].outcome)
    assert outcomes == sorted(outcomes, key=["failure", "error", "skipped"].index), f"annotations: {outcomes}"


READERS = {
    "google-benchmark": google_benchmark,
    "github-action-benchmark": github_action_benchmark,
    "junit": junit,
    "markdown": markdown,
    "annotations": annotations,
}


def main():
    truth_path, prefix, *kinds = sys.argv[1:]
    truth = truth_of(truth_path)
    for kind in kinds:
        READERS[kind](pathlib.Path(f"{prefix}.{kind}"), truth)
        print(f"ok    {kind}: {len(timed(truth))} of {len(truth)} cells have a time, {len(lost(truth))} should have one")


if __name__ == "__main__":
    main()
