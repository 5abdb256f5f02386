"""What differs between two sets of counts, as a table."""

from counting.cells import FAILED, QUANTITIES

SHOWN_CELLS = 40


def lines_of(base, head, opcodes):
    """(quantity, before, after) of what differs; by opcode and function where asked for, or where nothing else does."""
    lines = [(name.replace("_", " "), base[name], head[name]) for name in QUANTITIES if base[name] != head[name]]
    if opcodes or not lines:
        names = sorted({*base["others"], *head["others"]})
        others = [(f"- {name}", base["others"].get(name, 0), head["others"].get(name, 0)) for name in names]
        lines += [line for line in others if line[1] != line[2]]
    return lines


def print_differences(differing, everything):
    """[(title, lines)], aligned."""
    shown = differing if everything else differing[:SHOWN_CELLS]
    lines = [line for _, lines in shown for line in lines]
    names, before, after = ([f"{text:,}" if isinstance(text, int) else text for text in column] for column in
                            (zip(*lines) if lines else ((), (), ())))
    wide = [max(map(len, column), default=0) for column in (names, before, after)]
    for title, lines in shown:
        print(title)
        for name, base, head in lines:
            share = f", {100 * (head - base) / base:+.2f} %" if base else ""
            print(f"  {name:{wide[0]}}  {base:{wide[1]},} -> {head:{wide[2]},}  ({head - base:+,}{share})")
    if len(differing) > len(shown):
        print(f"... and {len(differing) - len(shown)} more cells; --all shows them")


def print_errors(errors):
    """The exit status that they make: a wrong result is the worst."""
    for name, (_, why) in sorted(errors.items()):
        print(f"error  {name}: {why}")
    if errors:
        print(f"{plural(len(errors), 'cell has', 'cells have')} no counts")
    return min((status for status, _ in errors.values()), default=0)


def total(names, base, head):
    """Of the cells that differ."""
    before, after = (sum(side[name]["instructions"] for name in names) for side in (base, head))
    return f" (their instructions {100 * (after - before) / before:+.2f} %)" if before else ""


def add_missing(base, cells):
    """A cell that has no counts any more is gone if its strategy is, or its part of the grid; otherwise it is an error."""
    broken = {name.split()[0] for name in cells.errors}
    for name in set(base) - set(cells.counts) - set(cells.errors):
        if name in cells.left_out:
            cells.errors[name] = (FAILED, f"cannot run any more: {cells.left_out[name]}")
        elif name.split()[0] in broken:  # a process that ends takes its next cells with it
            cells.errors[name] = (FAILED, "not reached")


def plural(n, word, words=None):
    return f"{n} {word if n == 1 else words or word + 's'}"


def compare(base, cells, options, note):
    """Cells against those of the baseline. The exit status."""
    head = cells.counts
    add_missing(base, cells)
    both, new = sorted(set(base) & set(head)), sorted(set(head) - set(base))
    gone = sorted(set(base) - set(head) - set(cells.errors))
    differing = [(name, lines) for name in both if (lines := lines_of(base[name], head[name], options.opcodes))]
    print_differences(differing, options.all)
    for word, names, side in (("new ", new, head), ("gone", gone, base)):
        for name in names:
            print(f"{word}  {name}: {side[name]['instructions']:,} instructions")
    status = print_errors(cells.errors)
    if differing or new or gone:
        print(f"{len(differing)} of {len(both)} cells differ from {options.base}{total(dict(differing), base, head)}, "
              f"{len(new)} new, {len(gone)} gone ({note})\nif that is meant: {options.accept}")
        return status or 1
    if not status:
        print(f"no difference: {plural(len(both), 'cell')} as in {options.base} ({note})")
    return status


def of_strategy(counts, strategy):
    """Its cells by what strategies have in common: of the geometry they take what they take."""
    split = [(name.split(" "), cell) for name, cell in counts.items()]
    return {" ".join(word for word in words[1:] if not word.startswith(("wg=", "groups="))): cell
            for words, cell in split if words[0] == strategy}


def set_beside(cells, names, options, note):
    """Each of these strategies beside that of options.against. The exit status."""
    for name in names:
        against = options.against[name]
        base, head, pair = of_strategy(cells.counts, against), of_strategy(cells.counts, name), f"{against} -> {name}"
        both = sorted(set(base) & set(head))
        differing = [(cell, lines) for cell in both if (lines := lines_of(base[cell], head[cell], options.opcodes))]
        print_differences([(f"{pair}: {cell}", lines) for cell, lines in differing], options.all)
        print(f"{pair}: {len(differing)} of {len(both)} cells differ{total(dict(differing), base, head)}, "
              f"{len(head) - len(both)} only of {name}, {len(base) - len(both)} only of {against} ({note})")
    return print_errors(cells.errors)
