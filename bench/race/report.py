"""What a race says: per device a table of the winners, every row, and whether the project's demands are met.

A time is the median over the rounds of each round's median. A ratio is one of two such times; in brackets stand the
least and the greatest ratio within one round: of 6 rounds, if they are independent, these enclose the median of such
ratios with a probability of 97 %.
"""

import math
import statistics

OPENMP = "openmp"
ROWS_PER_TABLE = 9  # columns of n that fit on a line


class Device:
    """The times of one device: times[row, n][round], in seconds; rounds that gave none are absent. states[row, n] is
    (state, reason) of what was not timed in some round; notes are sentences on programs that left the race."""

    def __init__(self, info, kind, ours, peers, sizes, times, states, notes):
        self.info, self.kind, self.ours, self.peers, self.sizes = info, kind, ours, peers, sizes
        self.times, self.states, self.notes = times, states, notes

    def median(self, row, n):
        """None if there is no time, or if one result was wrong: that takes its times with it."""
        taken = self.times.get((row, n))
        return statistics.median(taken.values()) if taken and self.states.get((row, n), "")[:1] != ("wrong",) else None

    def best(self, rows, n):
        """The fastest of the rows at this n, or None."""
        timed = [(self.median(row, n), row) for row in rows if self.median(row, n) is not None]
        return min(timed)[1] if timed else None

    def ratio(self, row, other, n):
        """(ratio, least, greatest of a round), or None."""
        if row is None or other is None or not self.median(row, n) or not self.median(other, n):
            return None
        a, b = self.times[row, n], self.times[other, n]
        rounds = [a[r] / b[r] for r in a if r in b]
        value = self.median(row, n) / self.median(other, n)
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
    rows = [["n", "openmp", "ours", "best of ours", "peer", "best peer", "ours/peer", "ours/openmp"]]
    for n in device.sizes:
        ours, peer = device.best(device.ours, n), device.best(device.peers, n)
        rows.append([name_of(n), us(device.median(OPENMP, n)), us(device.median(ours, n)) if ours else "-", ours or "-",
                     us(device.median(peer, n)) if peer else "-", peer or "-",
                     ratio_text(device.ratio(ours, peer, n)), ratio_text(device.ratio(ours, OPENMP, n))])
    print_rows(rows, left={3, 5})


def print_all(device):
    groups = [("host", [OPENMP]), ("ours", device.ours), ("peer", device.peers)]
    for first in range(0, len(device.sizes), ROWS_PER_TABLE):
        sizes = device.sizes[first:first + ROWS_PER_TABLE]
        rows = [["", "us, n ="] + [name_of(n) for n in sizes]]
        for group, names in groups:
            for name in names:
                texts = [device.states.get((name, n), ("-",))[0] if device.median(name, n) is None
                         else us(device.median(name, n)) for n in sizes]
                if any(text != "-" for text in texts):
                    rows.append([group, name] + texts)
        print()
        print_rows(rows, left={0, 1})


def print_reasons(device):
    """Why cells have no time: once per row and reason."""
    reasons = {}
    for (row, n), (state, reason) in device.states.items():
        if device.median(row, n) is None:
            if state == "over-budget":
                reason = "a call exceeds --time-per-cell"
            reasons.setdefault((row, state, reason), []).append(n)
    if reasons or device.notes:
        print("\nnot timed:")
    for note in device.notes:
        print("  " + note)
    for (row, state, reason), sizes in sorted(reasons.items()):
        where = "at every n" if len(sizes) == len(device.sizes) else "at " + ", ".join(map(name_of, sorted(sizes)))
        print(f"  {row}: {state} {where}: {reason}")


def demand(device, what, values, limit, unit=""):
    """One line: the worst of values {n: value} against the limit. Returns it as data."""
    verdict = {"demand": what, "limit": limit, "worst": None, "verdict": "not measured", "missed_at": []}
    if values:
        worst = max(values, key=values.get)
        missed = [n for n, value in values.items() if value > limit]
        verdict.update(worst=values[worst], verdict="MISSED" if missed else "met", missed_at=missed)
        where = f" at {name_of(worst)}" if worst else ""
        text = f"{values[worst]:6.2f}{unit}{where}"
        ending = "MISSED at " + ", ".join(map(name_of, missed)) if missed and worst else verdict["verdict"]
        print(f"  {what:<48} {text:<18} (at most {limit:.2f}{unit}: {ending})")
    else:
        print(f"  {what:<48} {'-':>6}{'':<12} (at most {limit:.2f}{unit}: not measured)")
    return verdict


def judge(device):
    """The project's demands on this device."""
    best = {n: device.best(device.ours, n) for n in device.sizes}
    against_peer = {n: r[0] for n in device.sizes if (r := device.ratio(best[n], device.best(device.peers, n), n))}
    against_openmp = {n: r[0] for n in device.sizes if (r := device.ratio(best[n], OPENMP, n))}
    print("\ndemands, best of ours against:")
    verdicts = [demand(device, "the best peer, at every n", against_peer, 1.0)]
    mean = {0: math.exp(statistics.fmean(map(math.log, against_peer.values())))} if against_peer else {}
    verdicts.append(demand(device, "the best peer, geometric mean", mean, 0.8))
    if device.kind != "cpu":
        return verdicts
    large = {n: value for n, value in against_openmp.items() if n >= 1 << 20}
    middle = {n: value for n, value in against_openmp.items() if n == 1 << 18}
    longer = {n: 1e6 * (device.median(best[n], n) - device.median(OPENMP, n)) for n in against_openmp if n < 1 << 14}
    verdicts.append(demand(device, "OpenMP, n >= 2^20", large, 1.05))
    verdicts.append(demand(device, "OpenMP, n = 2^18", middle, 1.3))
    if device.info["id"].startswith("intel"):
        verdicts.append(demand(device, "OpenMP, n < 2^14, time on top", longer, 6.0, " us"))
    return verdicts


def print_device(device, rounds):
    print(f"\n{device.info['id']}: {device.info['device']} ({device.info['platform']})")
    print(f"sum of f32, time to answer in us: median over {rounds} rounds of a round's median batch; "
          "ratios (least-greatest round)")
    print_winners(device)
    print_all(device)
    print_reasons(device)
    return judge(device)


def as_data(device, verdicts):
    """For --output."""
    cells = [{"row": row, "n": n, "median_s": device.median(row, n), "rounds_s": taken}
             for (row, n), by_round in device.times.items() for taken in [list(by_round.values())]]
    untimed = [{"row": row, "n": n, "state": state, "reason": reason}
               for (row, n), (state, reason) in device.states.items() if device.median(row, n) is None]
    return {**device.info, "kind": device.kind, "ours": device.ours, "peers": device.peers, "cells": cells,
            "not_timed": untimed, "demands": verdicts}
