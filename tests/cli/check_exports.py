"""check_exports.py SCHEMA.json [state=STATE] RESULT.json...: each result file agrees with the schema and with itself; a cell in STATE is there."""
import math
import statistics
import sys

sys.dont_write_bytecode = True
from check_formats import load, name_of  # noqa: E402
from script import library  # noqa: E402
from stored import whole  # noqa: E402

jsonschema = library("jsonschema")


def check_cell(cell):
    where, time = name_of(cell), cell["time_to_answer"]
    if cell["state"] != "pass":
        assert time is None, f"{where}: {cell['state']}, and yet it has times"
        assert cell["reason"], f"{where}: {cell['state']} without a reason"
        assert cell["state"] != "over-budget" or cell["projected_s"] > 0, f"{where}: no projection"
        assert cell["back_to_back_s"] is None and cell["device_time_s"] is None, f"{where}: {cell['state']}, and yet it has times"
        return 0
    if isinstance(time["samples_s"], int):  # a file that keeps medians alone
        return 1
    recorded = cell["strategy"].startswith(("command_buffer", "persistent"))  # has no launch of its own for every call
    assert (cell["back_to_back_s"] is None) == (cell["device"] == "host" or recorded), f"{where}: back to back"
    # The event of a command buffer tells what enqueueing takes, on two drivers at least.
    assert not recorded or (cell["device_time_s"] is None and cell["device_time_note"]), f"{where}: a device time"
    samples = time["samples_s"]
    assert samples and all(math.isfinite(s) and s > 0 for s in samples), f"{where}: samples"
    assert math.isclose(time["median_s"], statistics.median(samples), rel_tol=1e-4), f"{where}: median"
    near = 1e-4 * time["median_s"]  # a sample is kept as ten-thousandths of it
    assert min(samples) - near <= time["low_s"] <= time["median_s"] <= time["high_s"] <= max(samples) + near, f"{where}: order"
    error, bound = cell["accuracy"]["error"], cell["accuracy"]["bound"]
    assert error is not None and (bound is None or error <= bound), f"{where}: error {error}, bound {bound}"
    return 1


def check_accuracies(accuracies, devices):
    """Of f32: every strategy with every kind of data, and figures that follow from each other."""
    kinds = {a["data"] for a in accuracies}
    assert len(accuracies) == len(kinds) * len({(a["device"], a["strategy"], a["op"], a["type"]) for a in accuracies})
    for a in accuracies:
        where = f"accuracy of {a['strategy']}, {a['data']}"
        assert a["device"] in devices, f"{where}: device {a['device']}"
        if a["state"] != "pass":
            continue
        error, bound = a["error"], a["bound"]
        assert bound is None or error <= bound, f"{where}: error {error}, bound {bound}"
        assert (a["share_of_bound"] is None) == (bound is None), f"{where}: share of no bound"
        assert bound is None or math.isclose(a["share_of_bound"], error / bound, rel_tol=1e-6), f"{where}: share"
        in_units = error / (2.0**-24 * a["sum_of_absolutes"])
        assert math.isclose(a["error_in_units"], in_units, rel_tol=1e-6), f"{where}: {a['error_in_units']} of {in_units}"
    return len(accuracies)


def check(validator, path, states_wanted):
    result = load(path)
    validator.validate(result)
    result = whole(result)
    cells = result["cells"]
    passed = sum(check_cell(cell) for cell in cells)
    states = sorted({cell["state"] for cell in cells})
    name = path.rsplit("/", 1)[-1]
    assert passed > 0 and len({(name_of(cell), str(cell.get("asked"))) for cell in cells}) == len(cells), f"{name}: cells"
    assert states_wanted <= set(states), f"{name}: no cell is {states_wanted}"
    print(f"ok    {name}: {passed} of {len(cells)} cells timed; states: {', '.join(states)}")
    if result.get("accuracy"):
        checked_n = check_accuracies(result["accuracy"], {device["id"] for device in result["devices"]})
        print(f"ok    {name}: {checked_n} accuracies")


def main():
    schema_path, *paths = sys.argv[1:]
    states_wanted = {path.removeprefix("state=") for path in paths if path.startswith("state=")}
    paths = [path for path in paths if not path.startswith("state=")]
    schema = load(schema_path)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    for path in paths or sys.exit("no result file"):
        try:
            check(kind(schema), path, states_wanted)
        except (AssertionError, jsonschema.ValidationError) as found:
            sys.exit(f"FAIL  {path}: {found}")


main()
