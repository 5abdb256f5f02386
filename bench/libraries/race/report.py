"""What a race says: per device a table of the winners, every row, and whether the project's demands are met.

A time is the median over the rounds of each round's median. A ratio is one of two such times; in brackets stand the
least and the greatest ratio within one round: of 6 rounds, if they are independent, these enclose the median of such
ratios with a probability of 97 %. Demands are judged twice, by these medians and by what each row reaches in its least
round. On a busy machine the two differ widely, and what fails by one alone is unclear.
"""

import copy
import statistics

from race.primitives import mean, against_host, against_peer
from race.programs import LAUNCH_N

SIZES_PER_TABLE = 9  # columns that fit on a line


class Device:
    """The times of one device: times[row, n][round], in seconds; rounds that gave none are absent. states[row, n] is
    (state, reason) of what was not timed in some round; notes are sentences on programs that left the race; ours are
    the finishes of our strategies by name, hosts clreduce's rows of the host."""

    fold = staticmethod(statistics.median)  # of the rounds

    def __init__(self, info, kind, primitive, ours, hosts, peers, sizes, times, states, notes):
        self.info, self.kind, self.primitive, self.sizes = info, kind, primitive, sizes
        self.hosts, self.peers = hosts, peers
        self.ours = list(ours)
        self.launching = [name for name in ours if ours[name] != "persistent"]  # for every call, as peers do
        self.times, self.states, self.notes = times, states, notes

    def by_least_rounds(self):
        """The same race, each row taken at its least round."""
        other = copy.copy(self)
        other.fold = min
        return other

    def time(self, row, n):
        """None if there is no time, or if one result was wrong: that takes its times with it."""
        taken = self.times.get((row, n))
        return self.fold(taken.values()) if taken and self.states.get((row, n), "")[:1] != ("wrong",) else None

    def best(self, rows, n):
        """The fastest of the rows at this n, or None."""
        timed = [(self.time(row, n), row) for row in rows if self.time(row, n) is not None]
        return min(timed)[1] if timed else None

    def launch(self):
        """The least time to answer of ours at n = LAUNCH_N, in seconds: a launch, waking and fetching, and little else. Or
        None."""
        return self.time(self.best(self.launching, LAUNCH_N), LAUNCH_N)

    def ratio(self, row, other, n):
        """(ratio, least, greatest of a round), or None."""
        if row is None or other is None or not self.time(row, n) or not self.time(other, n):
            return None
        a, b = self.times[row, n], self.times[other, n]
        rounds = [a[r] / b[r] for r in a if r in b]
        value = self.time(row, n) / self.time(other, n)
        return (value, min(rounds), max(rounds)) if rounds else (value, value, value)


def name_of(n):
    """2^10, 2^10+1, 2^10-1, or the number."""
    for k in (n.bit_length() - 1, n.bit_length()):
        if abs(n - (1 << k)) <= 1 and k > 2:
            return f"2^{k}" + ("" if n == 1 << k else f"{n - (1 << k):+d}")
    return str(n)


def us(seconds):
    return "-" if seconds is None else f"{1e6 * seconds:#.3g}".rstrip(".") if seconds < 1e-3 else f"{1e6 * seconds:.0f}"


def ratio_text(ratio):
    return f"{ratio[0]:5.2f} ({ratio[1]:.2f}-{ratio[2]:.2f})" if ratio else "-"


def print_rows(rows, left):
    """Aligned columns; the first `left` of them to the left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def print_winners(device):
    """Peers launch for every call; OpenMP's threads wait for it, and so may ours."""
    host = device.primitive.host
    rows = [["n", "peer", "best peer", "ours", "best that launches", "ours/peer", host, "ours", "best of ours", f"ours/{host}"]]
    for n in device.sizes:
        peer, launching, ours = (device.best(rows, n) for rows in (device.peers, device.launching, device.ours))
        host = device.best(device.primitive.hosts, n)
        times = {row: us(device.time(row, n)) if row else "-" for row in (peer, launching, host, ours)}
        rows.append([name_of(n), times[peer], peer or "-", times[launching], launching or "-",
                     ratio_text(device.ratio(launching, peer, n)), times[host], times[ours], ours or "-",
                     ratio_text(device.ratio(ours, host, n))])
    print_rows(rows, left={2, 4, 8})
    means = [f"{name} {mean(values)[0]:.2f}" for name, values in (("ours/peer", against_peer(device)),
                                                                 (f"ours/{device.primitive.host}", against_host(device))) if values]
    if means:
        print(f"geometric means over these n: {', '.join(means)}")


def print_all(device):
    groups = [("host", device.hosts), ("ours", device.ours), ("peer", device.peers)]
    for first in range(0, len(device.sizes), SIZES_PER_TABLE):
        sizes = device.sizes[first:first + SIZES_PER_TABLE]
        rows = [["", "us, n ="] + [name_of(n) for n in sizes]]
        for group, names in groups:
            for name in names:
                texts = [device.states.get((name, n), ("-",))[0] if device.time(name, n) is None
                         else us(device.time(name, n)) for n in sizes]
                if any(text != "-" for text in texts):
                    rows.append([group, name] + texts)
        print()
        print_rows(rows, left={0, 1})


def print_reasons(device):
    """Why cells have no time: once per row and reason."""
    reasons = {}
    for (row, n), (state, reason) in device.states.items():
        if device.time(row, n) is None:
            if state == "over-budget":
                reason = "a call exceeds --time-per-cell"
            reasons.setdefault((row, state, reason), []).append(n)
    if reasons or device.notes:
        print("\nnot timed:")
    for note in device.notes:
        print("  " + note)
    for (row, state, reason), sizes in sorted(reasons.items()):
        where = "at every n" if set(sizes) >= set(device.sizes) else "at " + ", ".join(map(name_of, sorted(sizes)))
        print(f"  {row}: {state} {where}: {reason}")


def worst_text(values, unit):
    if not values:
        return "-"
    worst = max(values, key=values.get)
    return f"{values[worst]:.2f}{unit}" + (f" at {name_of(worst)}" if worst else "")


def where_text(sizes):
    return " at " + ", ".join(map(name_of, sizes)) if any(sizes) else ""


def judge(device):
    """The project's demands on this device, printed and as data."""
    rows, verdicts = [["best of ours against", "at most", "worst", "by least rounds", "verdict"]], []
    for demand in device.primitive.demands:
        if not demand.is_of(device):
            continue
        what, limit, unit = demand.what, demand.limit, demand.unit
        values, least = demand.values(device), demand.values(device.by_least_rounds())
        missed = [n for n in values if values[n] > limit and least[n] > limit]
        unclear = [n for n in values if (values[n] > limit) != (least[n] > limit)]
        verdict = "not measured" if not values else "MISSED" if missed else "unclear" if unclear else "met"
        text = verdict + where_text(missed or unclear) + ("; unclear" + where_text(unclear) if missed and unclear else "")
        if values and "every n" in what and len(values) < len(device.sizes):
            text += "; not measured" + where_text([n for n in device.sizes if n not in values])
        rows.append([what, f"{limit:.2f}{unit}", worst_text(values, unit), worst_text(least, unit), text])
        verdicts.append({"demand": what, "limit": limit, "worst": max(values.values(), default=None),
                         "worst_by_least_rounds": max(least.values(), default=None), "verdict": verdict,
                         "missed_at": [n for n in missed if n], "unclear_at": [n for n in unclear if n]})
    print()
    print_rows(rows, left={0, 1, 2, 3, 4})
    return verdicts


def print_device(device, rounds):
    waiting = [name for name in device.ours if name not in device.launching and any(device.time(name, n) for n in device.sizes)]
    print(f"\n{device.info['id']}: {device.info['device']} ({device.info['platform']})")
    print(f"{device.primitive.what}, time to answer in us: median over {rounds} rounds of a round's median batch; "
          "ratios (least-greatest round)")
    if device.launch():
        print(f"a launch alone (best that launches, n = {LAUNCH_N}): {us(device.launch())} us")
    if waiting:
        print(f"{', '.join(waiting)}: a launch waits between calls, as OpenMP's threads do; not set against peers")
    print_winners(device)
    print_all(device)
    print_reasons(device)
    return judge(device)


def as_data(device, verdicts):
    """For --output."""
    cells = [{"row": row, "n": n, "median_s": device.time(row, n), "rounds_s": taken}
             for (row, n), by_round in device.times.items() if n in device.sizes for taken in [list(by_round.values())]]
    untimed = [{"row": row, "n": n, "state": state, "reason": reason}
               for (row, n), (state, reason) in device.states.items() if device.time(row, n) is None]
    return {**device.info, "kind": device.kind, "hosts": device.hosts, "ours": device.ours, "launching": device.launching, "peers": device.peers, "launch_s": device.launch(),
            "cells": cells, "not_timed": untimed, "demands": verdicts}
