"""Rounds of CUB's and clreduce's results: reads them, merges them, prints tables and verdicts. For bench/cuda/cub."""
import collections
import csv
import json
import math
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "results"))
from run_file import rank_of_promise  # noqa: E402

# theirs, ours: seconds of (rounds, kind, n). floor: which of bench/floors.c no kernel can be faster than, and by which clock. Of sizes
# from first_n to last_n; 0: without a limit. type: of this one alone.
Demand = collections.namedtuple("Demand", "text least theirs ours floor first_n last_n type", defaults=(None, 0, 0, None))

# op: as both files name it. title: of a table; {} is a type and which data it has. roof: the figure of CUB's CSV that has the
# roof's forms, and its words. moves: how often an element is moved. host_finishes: of strategies that leave the host the last fold.
# answers: CUB's strategies, with their columns. strategies: what may be the fastest on a large GPU. types and sizes: that are
# measured by default. data: each is timed, under a name that both programs have; None where there is one.
Primitive = collections.namedtuple("Primitive", "name op words title roof moves host_finishes answers strategies demands "
                                   "types sizes data", defaults=["f32,i32", "2^10..2^30:x2", (None,)])

BYTES_OF = {"u8": 1}  # all others have 4

# What a strategy relies on, and which strategies each class takes in, up to the rank of results/run_file.py.
CLASSES = (("promised", 0), ("C11's orders", 1), ("works there", 2))


class Failure(Exception):
    """What ends the program, and its exit status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def kind_of(of_type, data):
    """What a table is of."""
    return f"{of_type}, {data}" if data else of_type


def bytes_of(kind, n):
    return BYTES_OF.get(kind.partition(",")[0], 4) * n


def size_text(n):
    k = n.bit_length() - 1
    return f"2^{k}" if n == 1 << k and k >= 10 else str(n)


def point_cells(kind, n):
    """n, and which data where there are several."""
    return [size_text(n), *kind.split(", ")[1:]]


# ---- merging -------------------------------------------------------------------------------------------------------


def read_figures(path):
    """Rows (figure, kind, n, bytes, seconds) of the CSV beside a result file of CUB's; n or bytes are 0 where they do not count."""
    rows = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    try:
        return [(row["figure"], kind_of(row["type"], row["data"]), int(row["n"] or 0), int(row["bytes"] or 0), float(row["median_s"]))
                for row in rows]
    except (TypeError, ValueError, KeyError):
        raise Failure(4, f"{path}: no figures of bench/cuda/cub.cu, or not all of them") from None


def read_floors(paths):
    """What bench/floors.c printed: {(floor, clock): {n: seconds for each file, of the fastest number and size of groups}}."""
    floors = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in paths:
        fastest = {}
        for line in path.read_text(encoding="utf-8").splitlines()[2:]:
            *words, groups, _, n, event, batch, answer = line.split()
            for clock, us in (("event", event), ("back to back", batch), ("answer", answer)):
                key = " ".join(words) + (", one group" if groups == "1" else ""), clock, int(n)
                if us != "-":
                    fastest[key] = min(fastest.get(key, math.inf), 1e-6 * float(us))
        for (floor, clock, n), seconds in fastest.items():
            floors[floor, clock][n].append(seconds)
    return floors


class Rounds:
    """Everything that was recorded in one folder; seconds throughout."""

    def __init__(self, folder):
        try:
            self.notes = json.loads((folder / "rounds.json").read_text(encoding="utf-8"))
            paths = sorted(folder.glob("cub-*.json"))
            self.cub = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
            if any(run.get("schema") != 2 for run in self.cub):
                raise Failure(4, f"{folder}: an earlier bench/cuda/cub recorded these rounds; print them with that one, or measure again")
            figures = [read_figures(path.with_suffix(".csv")) for path in paths]
            self.ours = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("clreduce-*.json"))]
            self.least = read_floors(folder.glob("floors-*.txt"))
        except (OSError, ValueError) as error:
            raise Failure(4, f"{folder}: {error}") from None
        if not self.cub or not self.ours:
            raise Failure(4, f"{folder}: no rounds of both programs")
        self.primitive = PRIMITIVES[self.notes.get("primitive", "reduce")]
        self.event_floors = [device["event_floor_s"] for run in self.ours for device in run["devices"] if device.get("event_floor_s")]
        # What a device was asked for depends on the types of the run.
        self.capabilities = {need: answer for run in self.ours for device in run["devices"] if device["id"] != "host"
                             for need, answer in device["capabilities"].items()}
        self.figures = collections.defaultdict(list)  # (kind, n, name)
        self.roofs = collections.defaultdict(list)  # bytes: the best form of each file
        self.answers = collections.defaultdict(list)  # (kind, n, strategy)
        self.device = collections.defaultdict(list)
        self.batches = collections.defaultdict(list)  # calls back to back
        self.states = {}  # (kind, n, strategy): why there is no time
        self.floors = {}  # CUDA's own, of the first file
        self.alone = set()  # (kind, n, strategy) of one group, which leaves one value whatever the finish
        self.wrong = []
        for run in self.cub:
            self.take_cub(run)
        for rows in figures:
            self.take_figures(rows)
        for run in self.ours:
            self.take_ours(run)

    def take_cub(self, run):
        """A result file: of each cell the time to answer under the strategy's name, and beside that of `cub` two figures of the device."""
        for cell in run["cells"]:
            kind = kind_of(cell["type"], cell.get("data") or self.primitive.data[0])
            if cell["state"] != "pass":
                if cell["strategy"] == "cub":
                    self.wrong.append(f"CUB's {self.primitive.words} of {size_text(cell['n'])} {kind}: {cell['reason']}")
                continue
            time = cell["time_to_answer"]
            self.figures[kind, cell["n"], cell["strategy"]].append(time.get("median_s") or statistics.median(time["samples_s"]))
            for name, key in (("isolated", "device_time_s"), ("stream", "back_to_back_s")):
                if cell.get(key):
                    self.figures[kind, cell["n"], name].append(cell[key])

    def take_figures(self, rows):
        """The CSV beside it: other clocks, CUDA's floors, and forms of the roof, of which the fastest counts."""
        best, floors = collections.defaultdict(lambda: math.inf), {}
        for figure, kind, n, size, seconds in rows:
            if n:
                self.figures[kind, n, figure].append(seconds)
            elif not size:
                floors[figure] = seconds
            elif figure == self.primitive.roof[0]:
                best[size] = min(best[size], seconds)
        for size, seconds in best.items():
            self.roofs[size].append(seconds)
        self.floors = self.floors or floors

    def take_ours(self, run):
        for cell in run["cells"]:
            if cell["op"] != self.primitive.op or cell["device"] == "host":
                continue
            kind = kind_of(cell["type"], cell.get("data") or self.primitive.data[0])  # uniform data has no name there
            key = kind, cell["n"], f"{cell['strategy']}:{cell['geometry']['group_size']}"
            if cell["geometry"].get("groups") == 1:
                self.alone.add(key)
            if cell["state"] == "pass":
                self.answers[key].append(cell["time_to_answer"]["median_s"])
                if cell.get("back_to_back_s"):
                    self.batches[key].append(cell["back_to_back_s"])
                if cell.get("device_time_s"):
                    self.device[key].append(cell["device_time_s"])
                else:
                    self.states[key] = f"no device time: {cell.get('device_time_note')}"
                continue
            self.states[key] = ": ".join(filter(None, (cell["state"], cell.get("reason"))))
            if cell["state"] == "wrong":
                self.wrong.append(f"{key[2]}, {size_text(key[1])} {key[0]}: {cell.get('reason')}")

    def points(self, of_type):
        """What is measured of a type, as (kind, n); in tables a row each."""
        return [(kind_of(of_type, data), n) for n in self.notes["n"] for data in self.primitive.data]

    def is_wrong(self, key):
        return self.states.get(key, "").startswith("wrong")

    def cub_s(self, kind, n, name):
        values = self.figures.get((kind, n, name))
        return statistics.median(values) if values else None

    def roof_s(self, kind, n):
        values = self.roofs.get(bytes_of(kind, n) // 16 * 16)
        return statistics.median(values) if values else None

    def best(self, table, kind, n, finished=False, rank=2):
        """The fastest strategy as (seconds, name). `finished`: of those that leave one value, without the host's fold; rank: of those
        that rely on no more."""
        found = []
        for (of_kind, of_n, name), values in table.items():
            strategy = name.partition(":")[0]
            folds = self.notes["finishes"].get(strategy) in self.primitive.host_finishes and (kind, n, name) not in self.alone
            if (of_kind, of_n) == (kind, n) and not self.is_wrong((kind, n, name)) and self.rank_of(strategy) <= rank and not (finished and folds):
                found.append((statistics.median(values), name))
        return min(found) if found else None

    def rank_of(self, strategy):
        """On our device; rounds of before noted no needs, and all count as what works."""
        needs = self.notes.get("needs", {}).get(strategy)
        return 2 if needs is None else rank_of_promise(needs.split(", "), self.notes["finishes"][strategy], self.capabilities)

    def floor_s(self, n, floor):
        """Of the row with the most elements of those with at most n."""
        if floor is None:
            return None
        name, clock = floor(n)
        sizes = self.least.get((name, clock), {})
        below = max((of_n for of_n in sizes if of_n <= n), default=None)
        return None if below is None else statistics.median(sizes[below])


# ---- printing ------------------------------------------------------------------------------------------------------


def shown(value, form):
    return "-" if value is None else format(value, form)


def ratio(above, below):
    return None if above is None or below is None else above / below


def seconds_of(best):
    return best[0] if best else None


def micro(seconds):
    return shown(None if seconds is None else 1e6 * seconds, ".2f" if seconds and seconds < 1e-3 else ".1f")


def print_columns(rows, left=None):
    """The first row names the columns, if `left` does not say which are words."""
    left = [i for i, name in enumerate(rows[0]) if name in ("data", "strategy", "ours")] if left is None else left
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) if i in left else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def point_names(rounds):
    return ["n", "data"] if rounds.primitive.data[0] else ["n"]


def rows_of_classes(best_of_rank):
    """The classes as (words, *best_of_rank(rank)), without those for which that is the same as for the class before; each best is
    (seconds, name) or None."""
    rows = []
    for words, rank in CLASSES:
        bests = tuple(best_of_rank(rank))
        if any(bests) and (not rows or bests != rows[-1][1:]):
            rows.append((words, *bests))
    return rows or [("works there", *best_of_rank(2))]


def cells_of_best(best):
    return [micro(seconds_of(best)), best[1] if best else "-"]


def print_device_times(rounds, of_type):
    primitive = rounds.primitive
    print(f"\n{primitive.title.format(of_type)}, device time in us; rate: times as fast as CUB; {primitive.roof[0]}: share of {primitive.roof[1]}")
    one_value = ["one value", "strategy", "rate"] if primitive.host_finishes else []
    rows = [[*point_names(rounds), "CUB", "in a graph", "ours", "us", "strategy", "rate", *one_value, "GB/s", primitive.roof[0]]]
    for kind, n in rounds.points(of_type):
        cub, roof = rounds.cub_s(kind, n, "isolated"), rounds.roof_s(kind, n)
        for words, best, whole in rows_of_classes(lambda rank: [rounds.best(rounds.device, kind, n, finished, rank) for finished in (False, True)]):
            ours = seconds_of(best)
            if one_value:
                one_value = [*cells_of_best(whole), shown(ratio(cub, seconds_of(whole)), ".2f")]
            rows.append([*point_cells(kind, n), micro(cub), micro(rounds.cub_s(kind, n, "graph")), words, *cells_of_best(best),
                         shown(ratio(cub, ours), ".2f"), *one_value,
                         shown(ratio(1e-9 * primitive.moves * bytes_of(kind, n), ours), ".0f"), shown(ratio(roof, ours), ".3f")])
    print_columns(rows)


def print_batches(rounds, of_type):
    """Both launch from the host and wait once; of ours only what leaves one value, as CUB does."""
    if not rounds.batches:
        return
    primitive = rounds.primitive
    print(f"\n{primitive.title.format(of_type)}, calls back to back, us per call; rate: times as fast as CUB; {primitive.roof[0]}: share of "
          f"{primitive.roof[1]}")
    by_value = any((kind, n, "stream_by_value") in rounds.figures for kind, n in rounds.points(of_type))
    more = ["CUB by value", "rate"] if by_value else []
    rows = [[*point_names(rounds), "CUB", "ours", "us", "strategy", "rate", primitive.roof[0], *more]]
    for kind, n in rounds.points(of_type):
        cub = rounds.cub_s(kind, n, "stream")
        for words, best in rows_of_classes(lambda rank: [rounds.best(rounds.batches, kind, n, True, rank)]):
            ours = seconds_of(best)
            rows.append([*point_cells(kind, n), micro(cub), words, *cells_of_best(best), shown(ratio(cub, ours), ".2f"),
                         shown(ratio(rounds.roof_s(kind, n), ours), ".3f")])
            if by_value:
                value_s = rounds.cub_s(kind, n, "stream_by_value")
                rows[-1] += [micro(value_s), shown(ratio(value_s, ours), ".2f")]
    print_columns(rows)


def print_answers(rounds, of_type):
    print(f"\n{rounds.primitive.title.format(of_type)}, time to answer in us; ours as a multiple of CUB's")
    answers = rounds.primitive.answers
    rows = [[*point_names(rounds), *(title for _, title, _ in answers), "ours", "us", "strategy", *(f": {way}" for _, _, way in answers)]]
    for kind, n in rounds.points(of_type):
        theirs = [rounds.cub_s(kind, n, figure) for figure, _, _ in answers]
        for words, best in rows_of_classes(lambda rank: [rounds.best(rounds.answers, kind, n, False, rank)]):
            rows.append([*point_cells(kind, n), *map(micro, theirs), words, *cells_of_best(best),
                         *(shown(ratio(seconds_of(best), seconds), ".2f") for seconds in theirs)])
    print_columns(rows)


# ---- demands -------------------------------------------------------------------------------------------------------


def cub(name):
    return lambda rounds, kind, n: rounds.cub_s(kind, n, name)


def the_roof(rounds, kind, n):
    return rounds.roof_s(kind, n)


def ours(table, finished=False, rank=2):
    return lambda rounds, kind, n: seconds_of(rounds.best(getattr(rounds, table), kind, n, finished, rank))


batch, one_value, answer = ours("batches", True), ours("device", True), ours("answers")


def launch(_):
    return "empty, one group", "back to back"


def one_trip(clock):
    """One group takes up to 16 elements for each of its 256 items."""
    return lambda n: ("one trip, one group" if n <= 4096 else "one trip", clock)


on_device, to_host = one_trip("event"), one_trip("answer")


def leaves_one_value(n):
    """Of more than one group, one has to learn that all others are done."""
    return on_device(n) if n <= 4096 else ("one value", "event")


def fixed(name):
    return lambda _: (name, "back to back")


PRIMITIVES = {row.name: row for row in (
    Primitive("reduce", "sum", "sum", "{} sum", ("read", "a kernel that only reads"), 1, ("host", "svm", None),
              (("cub", "CUB, cudaMemcpy", "cudaMemcpy"), ("cub_mapped", "CUB, mapped", "mapped")),
              "polled_stride,polled_ticket,grid_stride_vec,last_group,last_group_c11,last_group_wide,last_ticket,arrivals,svm_result,tree_two,wg_reduce_stride,wg_reduce_last_group",
              (Demand("calls back to back: at least 1.00 x CUB's rate", 1.00, cub("stream"), batch, launch),
               Demand("device time: at least 0.95 x CUB's rate", 0.95, cub("isolated"), one_value, leaves_one_value, 1 << 16),
               Demand("  the same, of any strategy, the host's fold apart", 0.95, cub("isolated"), ours("device"), on_device, 1 << 16),
               Demand("  the same, against CUB's calls in a graph", 0.95, cub("graph"), one_value, leaves_one_value, 1 << 16),
               Demand("device time: at least 0.97 of a kernel that only reads", 0.97, the_roof, ours("device"), None, 1 << 28),
               Demand("time to answer: at most CUB and cudaMemcpy; promised", 1.00, cub("cub"), ours("answers", False, 0), to_host),
               Demand("  the same, C11's orders", 1.00, cub("cub"), ours("answers", False, 1), to_host),
               Demand("  the same, what works there", 1.00, cub("cub"), answer),
               Demand("time to answer: at most 1.05 x CUB's mapped result", 1 / 1.05, cub("cub_mapped"), answer, None, 1 << 14))),
    Primitive("scan", "inclusive_sum", "inclusive sum", "{} inclusive sum", ("copy", "the fastest copy"), 2, (),
              (("cub", "CUB", "CUB"),),
              "look_back*,chained*,fallback*,*_reduced,wg_scan,wg_scan_two_levels",
              (Demand("calls back to back: at least 1.50 x CUB's rate", 1.50, cub("stream"), batch, launch, 1 << 12, 1 << 20),
               Demand("calls back to back: at least 1.00 x CUB's rate", 1.00, cub("stream"), batch, launch),
               Demand("calls back to back: at least 0.93 of the fastest copy", 0.93, the_roof, batch, None, 1 << 26),
               Demand("device time: at least 1.00 x CUB's rate", 1.00, cub("isolated"), one_value, on_device),
               Demand("time to answer: at most CUB's", 1.00, cub("cub"), answer))),
    Primitive("histogram", "count", "histogram", "histogram of {}", ("read", "a kernel that only reads"), 1, (),
              (("cub", "CUB", "CUB"),),
              "local_copies*,local_counts,c11_copies_last,c11_local_counts",
              (Demand("calls back to back: at least 1.50 x CUB's rate", 1.50, cub("stream"), batch, None, 1 << 24, type="u32"),
               Demand("  the same, against CUB on elements that are their bins' numbers", 1.50, cub("stream_by_value"), batch, None, 1 << 24,
                      type="u32"),
               Demand("calls back to back: at least 0.97 of a kernel that only reads", 0.97, the_roof, batch, fixed("read and join"), 1 << 24,
                      type="u32"),
               Demand("calls back to back: at least 1.00 x CUB's rate", 1.00, cub("stream"), batch, fixed("count and join"), 1 << 24, type="u8"),
               Demand("calls back to back: at least 0.90 of a kernel that only reads", 0.90, the_roof, batch, fixed("count and join"), 1 << 24,
                      type="u8"),
               Demand("time to answer: at most CUB's", 1.00, cub("cub"), answer)),
              "u32,u8", "2^20..2^28:x2", ("uniform", "one bin", "half in one", "sorted")),
)}


def worst_of_sizes(found):
    """Of each n the worst point, of what is [(value, n, text)]."""
    worst = {}
    for value, n, text in found:
        if n not in worst or value < worst[n][0]:
            worst[n] = value, text
    return ", ".join(text for _, text in worst.values())


def verdict(rounds, demand, points):
    """Ratios are CUB's seconds by ours, or the roof's: above 1 is better. FLOOR: not even a kernel that does nothing else reaches it."""
    values, at_floor, missed = [], [], []
    for kind, n in points:
        theirs, where = demand.theirs(rounds, kind, n), " ".join(point_cells(kind, n))
        value, least = ratio(theirs, demand.ours(rounds, kind, n)), ratio(theirs, rounds.floor_s(n, demand.floor))
        values.append((math.inf if value is None else value, where))
        if value is None or value < demand.least:
            is_floor = least is not None and least < demand.least and (value is None or least > 0.95 * value)  # else it is no floor
            (at_floor if is_floor else missed).append(
                (value or 0, n, f"{where} ({shown(value, '.3f')}" + (f" of {least:.3f})" if least is not None else ")")))
    if all(value == math.inf for value, _ in values):
        return "not measured"
    words = [f"{word} at {worst_of_sizes(found)}" for word, found in (("MISSED", missed), ("FLOOR", at_floor)) if found]
    least, where = min(values, key=lambda found: found[0])
    return "; ".join(words) or f"met; least {least:.3f} at {where}"


def print_verdicts(rounds, of_type):
    points = rounds.points(of_type)
    print(f"\n{rounds.primitive.title.format(of_type)}, verdicts; in brackets CUB's time by ours (- = not measured), of what bench/floors.c allows"
          + ("; of an n the worst data" if rounds.primitive.data[0] else ""))
    rows = []
    for demand in rounds.primitive.demands:
        if not rounds.batches and demand.text.startswith("calls back to back"):  # rounds of before have none
            continue
        if demand.type not in (None, of_type):
            continue
        of = [(kind, n) for kind, n in points if demand.first_n <= n and (n <= demand.last_n or not demand.last_n)]
        where = f"n >= {size_text(demand.first_n)}" if demand.first_n else "every n"
        if demand.last_n:
            where = f"{size_text(demand.first_n)} <= n <= {size_text(demand.last_n)}"
        rows.append([demand.text, where, verdict(rounds, demand, of) if of else "no such n was measured"])
    print_columns(rows, left=(0, 1, 2))


def print_reasons(rounds):
    reasons = collections.defaultdict(list)
    for (kind, n, name), reason in rounds.states.items():
        reasons[name, kind, reason.split("\n")[0][:160]].append(n)
    if reasons:
        print("\nwithout a time:")
    for (name, kind, reason), sizes in sorted(reasons.items()):
        print(f"  {name} {kind}, {len(sizes)} sizes from {size_text(min(sizes))}: {reason}")


def print_all(rounds):
    cub, ours = rounds.cub[0], rounds.ours[0]
    device = next((d for d in ours["devices"] if d["id"] != "host"), {})
    turns = collections.Counter(cell_type for run in rounds.ours for cell_type in {cell["type"] for cell in run["cells"]})
    print(f"{cub['devices'][0]['name']}: CUB {cub['suite']['version']} by {cub['host']['compiler']}; clreduce "
          f"{ours['suite']['version']} on {device.get('name')}, driver {device.get('driver')}, whose events have a step of "
          f"{device.get('event_clock_ns')} ns")
    print(f"rounds: {', '.join(f'{kind} {count}' for kind, count in sorted(turns.items()))} of {rounds.notes['rounds']}; "
          f"started {rounds.notes['started']}")
    print("CUDA's own floors: " + ", ".join(f"{name} {micro(value)} us" for name, value in rounds.floors.items()))
    empty_s = statistics.median(rounds.event_floors) if rounds.event_floors else None
    print(f"OpenCL's own floor: event time of an empty kernel {micro(empty_s)} us")
    for of_type in rounds.notes["types"]:
        print_device_times(rounds, of_type)
        print_batches(rounds, of_type)
        print_answers(rounds, of_type)
    roofs = [d["roof_bytes_per_s"] for run in rounds.ours for d in run["devices"] if d["id"] != "host"]
    roofs = [roof for roof in roofs if roof]
    if roofs:
        print(f"\nclreduce's own {rounds.primitive.roof[0]} roof: {statistics.median(roofs) * 1e-9:.0f} GB/s by the host's clock")
    for of_type in rounds.notes["types"]:
        print_verdicts(rounds, of_type)
    print_reasons(rounds)
    for line in rounds.wrong:
        print(f"WRONG: {line}")
