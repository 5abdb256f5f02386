"""What was found, for somebody who has read nothing of clreduce: sentences, and what to do now."""

MACHINE = ("UNDECIDED: those times vary too much on this machine for an answer, which is no fault of the kernel and by itself asks for "
           "nothing. To know, give it more time (a larger `budget` in clreduce.ini) or a quieter machine; a repeated run is no answer.")
CHANGED = "UNTRUSTED: the machine changed while it was measured, so those times do not count. If it recurs, the job needs a machine of its own."
REASONS = {"budget": "the time for it was used up", "launches-spent": "the times vary too much", "interrupted": "the run was interrupted",
           "controls-moved": "the machine changed its speed, as other programs on it or the clock of its processor make it do",
           "clock": "a clock jumped", "suspended": "the machine was suspended",
           "unsteady": "the times drift while they are measured", "drift": "the times change from one moment on",
           "few-launches": "too few measurements were usable", "missing": "this change does not have it, or takes far too long",
           "new": "the older kernel cannot run this", "not-run": "it cannot run here, or takes too long"}


def size(n):
    return f"2^{n.bit_length() - 1}" if n >= 1024 and n & (n - 1) == 0 else f"{n:,}"


def subject(duel, cell):
    """"sum of f32, n = 2^20, on pocl", "count of u8 in 64 bins, n = 2^20, on pocl"."""
    asked = {"group_size": "groups of", "groups": "groups:", "width": "vectors of", "loads": "loads:"}
    geometry = "".join(f", {word} {cell['asked'][name]}" for name, word in asked.items() if cell["asked"][name])
    bins = f" in {cell['bins']:,} bins" if cell.get("bins") else ""
    return f"{cell['op']} of {cell['type']}{bins}, n = {size(cell['n'])}{geometry}, on {duel['head']['devices'][cell['device']]['id']}"


def change(finding):
    """"8.1 % slower (6.1 to 10.2 %)"."""
    ratio, low, high = (finding[name] for name in ("ratio", "low", "high"))
    if ratio >= 1:
        return f"{100 * (ratio - 1):.1f} % slower ({100 * (low - 1):.1f} to {100 * (high - 1):.1f} %)"
    return f"{100 * (1 - ratio):.1f} % faster ({100 * (1 - high):.1f} to {100 * (1 - low):.1f} %)"


def compared(finding, base):
    """"is 8.1 % slower (6.1 to 10.2 %) than at def5678"."""
    if finding["ratio"] >= 2:
        return f"takes {finding['ratio']:.1f} times as long ({finding['low']:.1f} to {finding['high']:.1f}) as at {base}"
    return f"is {change(finding)} than at {base}"


def microseconds(seconds):
    return f"{1e6 * seconds:.4g}" if seconds < 0.01 else f"{1e6 * seconds:.0f}"


def times(finding):
    """The medians; they may differ otherwise than the ratio, which is of measurements side by side."""
    base, head = finding["base_s"], finding["head_s"]
    if not base or not head:
        return ""
    agree = not finding["ratio"] or finding["low"] <= head / base <= finding["high"]
    return (f", {microseconds(base)} us before and {microseconds(head)} us now" +
            ("" if agree else " as medians of all processes, whose speeds differ; the factor is of pairs side by side"))


def of_cell(duel, cell, kernel, head, base):
    """(the word for it, the sentence, what to do now)."""
    finding, where = cell["finding"], subject(duel, cell)
    verdict, code = finding["verdict"], finding["code"]
    for who, name in (("head", head), ("base", base)):
        side = cell[who]
        if side["state"] in ("wrong", "build-failed", "failed", "crashed", "timed-out"):
            reason = side["reason"].replace("data=", "data ")
            word = {"wrong": "WRONG", "build-failed": "BROKEN"}.get(side["state"], "FAILED")
            now = "" if who == "head" else "Nothing: what it was before is wrong, not this change. There is no time to compare with."
            return word if who == "head" else "NO BASE", f"{kernel} at {name} is {side['state']} ({where}): {reason}", now
    if verdict in ("SLOWER", "FASTER"):
        return verdict, f"{kernel} at {head} {compared(finding, base)} ({where}{times(finding)}).", ""
    if verdict == "SAME" and not finding["low"] <= 1 <= finding["high"]:
        return "SAME", (f"{kernel} at {head} was measured {change(finding)} than at {base}, which counts as the same by the margin of "
                        f"{100 * cell['margin']:g} % ({where}{times(finding)})."), ""
    if verdict == "SAME":
        return "SAME", f"{kernel} at {head} is as fast as at {base}, within {200 * cell['margin']:g} % ({where}{times(finding)}).", ""
    if code == "not-confirmed":
        slower = finding["ratio"] >= 1
        sure = finding["low"] > 1 + cell["margin"] if slower else finding["high"] < 1 / (1 + cell["margin"])
        why = ("that is likely, but not as certain as a gate that fails a change must be (99 in 100)" if sure
               else "but the measurements allow no difference as well")
        return verdict, f"{kernel} at {head} was measured {change(finding)} than at {base}: {why} ({where}).", MACHINE
    found = f"; measured until then: {change(finding)}" if finding["ratio"] else ""
    sentence = f"No answer for {kernel} at {head} against {base}: {REASONS.get(code, code)}{found} ({where})."
    return verdict, sentence, CHANGED if verdict == "UNTRUSTED" and code != "missing" else MACHINE if verdict == "UNDECIDED" else ""


def of_status(status, bisect, base, again, said):
    """(the word of the title, what to do now). `said` are the words of all findings."""
    slower = (f"If it is meant, say so in the review, and allow it in clreduce.ini (`margin`, or `quarantine` until a date). If not, this "
              f"finds the commit, in a checkout of this change with clreduce at that place: "
              f"`git bisect start HEAD {base} && git bisect run {bisect}`. "
              f"This measures it again: `{again}`.")
    return {0: ("passes", ""), 1: ("slower", slower),
            2: ("WRONG", "Correct the kernel: a wrong result has no speed. Nothing was concluded from its times."),
            3: ("not checked everywhere", "If the kernel may take so long, give each check more time (`--time-per-cell`, in seconds). If not, make "
                "it faster.") if "UNCHECKED" in said else
               ("gone", "") if "GONE" in said else
               ("no answer", "An answer is required here (`--require`, `require = yes`), or the change takes away what there was."),
            4: ("not judged", "Remove the reason that stands above. Nothing is said about the kernel."),
            5: ("BROKEN" if "BROKEN" in said else "FAILED",
                "Correct the kernel until it builds and runs; the compiler's or the driver's words stand above."),
            77: ("nothing could run", "Nothing that was asked for can run here: the reason stands above; `clreduce devices` says what each device "
             "can do, and `--device`, `--type`, `--op` and `--n` choose what is compared."),
            130: ("interrupted", "The job was ended early: raise its time limit, or measure less (`--type`, `--op`, `--n`).")}.get(
                status, ("not judged", "The log says why."))


def of_counts(before, after, base, limit=4):
    """Sentences on instruction counts, {"sum f32 n=2503 ...": number} on both sides."""
    both = [name for name in after if name in before]
    differing = [name for name in both if before[name] != after[name]]
    if not both:
        return ["No instruction counts: the two versions have nothing in common that could be counted."]
    if not differing:
        return [f"Instructions: exactly as many as at {base}, in all {len(both)} cases that were counted."]
    lines = [f"Instructions: {100 * (after[name] - before[name]) / max(before[name], 1):+.1f} % against {base} "
             f"({before[name]:,} before, {after[name]:,} now: {name})." for name in differing[:limit]]
    more = [f"{len(differing) - limit} more cases differ: counts.txt."] if len(differing) > limit else []
    same = [f"{len(both) - len(differing)} other cases: exactly as many."] if len(both) > len(differing) else []
    return lines + more + same
