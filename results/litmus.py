#!/usr/bin/env -S python3 -B
"""Prints a table of docs/memory-model.md from the files of results/litmus/.

    results/litmus.py idioms      what each driver kept: litmus tests by driver
    results/litmus.py progress    which groups wait for which with success, and which C11 atomics work
    results/litmus.py costs       what ordering groups costs, of the files of bench/fence_costs
"""
import csv
import json
import pathlib
import re
import sys

FILES = pathlib.Path(__file__).resolve().parent / "litmus"
DRIVERS = {"h200": "H200", "pocl-6.0-cuda": "PoCL 6.0 for CUDA", "pocl-3.1": "PoCL 3.1", "pocl-6.0": "PoCL 6.0", "pocl-7.1": "PoCL 7.1", "intel-2026.22": "Intel",
           "rusticl-22.3": "rusticl 22.3", "rusticl-26.2": "rusticl 26.2"}
PROMISED = {"forbidden": "in order", "allowed": "no", "nothing": "no"}
IDIOMS = [  # between groups: in words, and its test
    ("plain data, flag by `atomic_xchg`; `mem_fence`", "mp_mem_fence"),
    ("the same; `write_mem_fence` and `read_mem_fence`", "mp_write_read_fence"),
    ("volatile data and flag; `mem_fence`", "mp_volatile_mem_fence"),
    ("release and acquire at device scope", "mp_rel_acq"),
    ("the same, plain data", "mp_plain_rel_acq"),
    ("flag at group scope", "mp_rel_acq_wg"),
    ("a group writes; barrier, one item's `write_mem_fence` and flag; `read_mem_fence`, barrier", "publish_one_fence"),
    ("the same; `mem_fence` by all items", "publish_all_mem_fence"),
    ("barrier, then a counter by acq_rel", "publish_acq_rel"),
    ("all items fence, barrier, relaxed flag: CUDA's habit", "publish_fence_before"),
    ("value and flag in one volatile word of 64 bits", "word64_volatile"),
    ("the same, by 1.x atomics", "word64_xchg"),
    ("the same, by relaxed atomics of 2.x", "word64_rlx"),
    ("a count by `atomic_add`", "add_groups"),
    ("a count by `atomic_fetch_add`, relaxed", "add_dev"),
    ("store buffering (each stores one word and loads the other's), volatile", "sb_volatile"),
    ("the same, relaxed", "sb_rlx"),
    ("the same, release and acquire", "sb_rel_acq"),
    ("the same, volatile; `mem_fence`", "sb_mem_fence"),
    ("the same, volatile; `write_mem_fence` and `read_mem_fence`", "sb_write_read"),
    ("the same, by `atomic_xchg` and `atomic_or`", "sb_xchg"),
    ("the same, relaxed; a seq_cst fence", "sb_fence_sc"),
    ("the same, seq_cst", "sb_sc"),
    ("R (two stores, beside a store and a load), volatile; `mem_fence`", "r_mem_fence"),
    ("the same, volatile; `write_mem_fence` and `read_mem_fence`", "r_write_read"),
    ("the same, by `atomic_xchg` and `atomic_or`", "r_xchg"),
    ("the same, relaxed; a seq_cst fence", "r_fence_sc"),
    ("the same, seq_cst", "r_sc"),
]


def rows_of(stem):
    with open(FILES / f"{stem}.csv", newline="", encoding="utf-8") as file:
        return {row["test"]: row for row in csv.DictReader(file)}


def short(count):
    """781, 2e5, 8.5e6."""
    return count if int(count) < 1000 else f"{int(count):.1e}".replace("e+0", "e").replace("e+", "e").replace(".0e", "e")


def cell(row):
    """A driver's file need not have a test that shows nothing there; what does not build though it is advertised has failed."""
    if row is None or row["answer"] == "not-observable" or row["answer"] == "not-seen" and int(row["instances"]) == 0:
        return "not advertised" if row and "does not build" in row["reason"] else "not observable"
    if row["answer"] == "failed":
        return next((words for words in ("does not build", "the driver crashed") if words in row["reason"]), f"failed: {row['reason']}")
    if row["answer"] == "not-seen":
        return f"kept: 0 of {short(row['instances'])}; {short(row['mutant_weak'])}"
    broken = "broken: " if row["answer"] == "broken" else ""
    return f"**{broken}{short(row['weak'])} of {short(row['instances'])}**"


def idioms():
    files = {stem: rows_of(stem) for stem in DRIVERS}
    yield ["between groups", "test", "promised", *DRIVERS.values()]
    for words, test in IDIOMS:
        yield [words, f"`{test}`", PROMISED[files["h200"][test]["verdict"]], *(cell(rows.get(test)) for rows in files.values())]


def atomics(capabilities):
    missing = [need for need, answers in capabilities.items() if need.startswith("c11_") and answers["behaves"] != "yes"]
    return "all but " + ", ".join(f"`{need}`" for need in missing) if missing else "all"


def progress():
    yield ["driver", "groups in flight; a barrier over them", "waits for a lower ticket", "waits for a higher ticket", "C11 atomics with right values"]
    for stem, name in DRIVERS.items():
        path = FILES / f"{stem}.json"
        if path.exists():
            needs = json.loads(path.read_text(encoding="utf-8"))["capabilities"]
            resident, lower, higher = ((needs[f"{kind}_progress"]["reason"] or "").removeprefix("groups in flight: ")
                                       for kind in ("resident", "lower_ticket", "higher_ticket"))
            yield [name, resident, *(re.sub(r" waits for a \w+ ticket", ":", waits.rpartition("; ")[2]) for waits in (lower, higher)), atomics(needs)]


def cost(row):
    """By events / by the host's clock."""
    if not row["ns_a_group_by_host"]:
        return "wrong"
    return " / ".join("-" if not row[f"ns_a_group_by_{by}"] else f"{float(row[f'ns_a_group_by_{by}']):.3g}" for by in ("events", "host"))


def costs():
    files = {}
    for stem, name in DRIVERS.items():
        path = FILES / f"costs-{stem}.csv"
        if path.exists():
            with open(path, newline="", encoding="utf-8") as file:
                files[name] = {row["variant"]: row for row in csv.DictReader(file)}
    yield ["last group by", *files]
    for variant in next(iter(files.values())):
        yield [f"`{variant}`", *(cost(rows[variant]) for rows in files.values())]


TABLES = {"idioms": idioms, "progress": progress, "costs": costs}
if len(sys.argv) != 2 or sys.argv[1] not in TABLES:
    sys.exit(__doc__)
HEADING, *ROWS = TABLES[sys.argv[1]]()
for fields in (HEADING, ["---"] * len(HEADING), *ROWS):
    print("| " + " | ".join(field.replace("|", "\\|") for field in fields) + " |")
