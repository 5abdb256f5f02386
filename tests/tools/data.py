"""What shell tests ask of a file, and how they change one (tests/tools/check.sh):
    data.py holds FILE EXPRESSION      exit status 1, and what there is, where it is not true
    data.py edited FILE [STATEMENTS]   the JSON after these, or those of the standard input, on the standard output
`r` is what the file holds, and each of its members has its own name, too; `first` is the first of its cells. A file of CSV is `rows`,
each of as many fields as the heading has."""
import copy
import csv
import json
import sys

from stored import whole


def read(path):
    """The names that there are."""
    with open(path, encoding="utf-8", newline="") as file:
        if path.endswith(".csv"):
            heading, *lines = csv.reader(file, strict=True)
            return {"rows": [dict(zip(heading, line, strict=True)) for line in lines]}
        r = whole(json.load(file))
    members = r if isinstance(r, dict) else {}
    cells = members.get("cells")
    return members | {"r": r, "first": cells[0] if cells and isinstance(cells, list) else None}


def tools(r):
    """What statements do to a result file most."""
    def cell(device="intel", strategy="chunk", n=2**20):
        return next(c for c in r["cells"] if (c["device"], c["strategy"], c["n"]) == (device, strategy, n))

    def scale(c, by):
        time = c["time_to_answer"] or {}
        for key in time.keys() - {"calls_per_sample", "samples_s"}:
            time[key] *= by
        if isinstance(time.get("samples_s"), list):  # or how many there were
            time["samples_s"] = [sample * by for sample in time["samples_s"]]

    def calm():
        """Measured on a machine where nothing else ran: tests of what readers say of times do not hang on the load of this one."""
        r.pop("processor_time", None)
        r.pop("load_1min_end", None)
        for time in (c["time_to_answer"] for c in r["cells"] if c["time_to_answer"]):
            time.update(low_s=0.99 * time["median_s"], high_s=1.01 * time["median_s"], samples_s=[time["median_s"]] * 6)

    def fail(c, state, reason="a reason"):
        c.update(state=state, reason=reason, time_to_answer=None)

    def ask(c, group_size=None, groups=None, width=None, loads=None):
        c["asked"] = {"group_size": group_size, "groups": groups, "width": width, "loads": loads}
    return {"cell": cell, "scale": scale, "fail": fail, "calm": calm, "ask": ask, "copy": copy}


def main():
    what, path, *texts = sys.argv[1:]
    text = texts[0] if texts else sys.stdin.read()
    names = read(path)
    if what == "holds":
        if not eval(f"({text}\n)", names):
            sys.exit(f"{path} does not hold {text}")
    else:
        exec(text, names | tools(names["r"]))
        json.dump(names["r"], sys.stdout)


main()
