"""check_exports.py RESULT.json GBENCH.json|- SCHEMA.json: the files agree with the schema, with themselves and with
each other."""
import json
import math
import statistics
import sys

import jsonschema


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def load(path):
    with open(path) as file:
        return json.load(file, parse_constant=refuse_constant)


def check_cell(cell):
    where = f"{cell['device']}/{cell['strategy']}/{cell['op']}/{cell['type']}/{cell['n']}"
    time = cell["time_to_answer"]
    if cell["state"] != "pass":
        assert time is None, f"{where}: {cell['state']}, and yet it has times"
        assert cell["reason"], f"{where}: {cell['state']} without a reason"
        return 0
    samples = time["samples_s"]
    assert samples and all(math.isfinite(s) and s > 0 for s in samples), f"{where}: samples"
    assert math.isclose(time["median_s"], statistics.median(samples), rel_tol=1e-6), f"{where}: median"
    assert time["min_s"] <= time["low_s"] <= time["median_s"] <= time["high_s"] <= time["max_s"], f"{where}: order"
    error, bound = cell["accuracy"]["error"], cell["accuracy"]["bound"]
    assert error is not None and (bound is None or error <= bound or bound == 0), f"{where}: error"
    return 1


def check_gbench(path, passed):
    rows = load(path)["benchmarks"]
    for row in rows:
        assert row["real_time"] > 0 and math.isfinite(row["real_time"]), f"{row['name']}: no time"
        assert row["iterations"] > 0 and not row.get("error_occurred") and row["run_type"] == "iteration", row["name"]
    names = {row["name"] for row in rows}
    cells = {name for name in names if "/roof/" not in name}
    assert len(cells) == passed, f"{len(cells)} names for {passed} cells"
    return len(rows)


result_path, gbench_path, schema_path = sys.argv[1:]
result, schema = load(result_path), load(schema_path)
jsonschema.validate(result, schema)
passed = sum(check_cell(cell) for cell in result["cells"])
assert passed > 0
states = sorted({cell["state"] for cell in result["cells"]})
print(f"ok    {result_path.rsplit('/', 1)[-1]}: {passed} of {len(result['cells'])} cells timed; states: {', '.join(states)}")
if gbench_path != "-":
    assert "over-budget" in states
    print(f"ok    Google Benchmark's JSON: {check_gbench(gbench_path, passed)} rows, none empty")
