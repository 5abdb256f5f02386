#!/usr/bin/env -S python3 -B
"""Prints the README's first table, the three implementations side by side, from results/three/*.json, or draws its picture.

    results/three.py [--picture FILE.svg]

A time is the median time to answer in us. Beside the built-ins stands how many times as fast they are: wg_reduce as the tree,
wg_reduce_stride as grid_stride_vec, its counterpart of equal shape; ~ where the intervals of 95 % overlap.
"""
import html
import math
import pathlib
import sys

from run_file import microseconds, read, time_of, times_as_fast

DEVICES = (  # how the table names it, file, id of the device
    ("Intel's runtime, CPU", "intel", "intel"),
    ("PoCL 3.1, CPU", "pocl-3.1", "pocl"),
    ("PoCL 6.0, CPU", "pocl-6.0", "pocl"),
    ("PoCL 7.1, CPU", "pocl-7.1", "pocl"),
    ("rusticl 26.2, CPU", "rusticl", "rusticl"),
    ("NVIDIA H200", "h200", "nvidia"),
    ("H200, PoCL 6.0 for CUDA", "pocl-6.0-cuda", "pocl"),
)
STRATEGIES = ("tree", "cmpxchg_item", "cmpxchg_group", "wg_reduce", "grid_stride_vec", "wg_reduce_stride")
BESIDE = {"wg_reduce": "tree", "wg_reduce_stride": "grid_stride_vec"}
EXPONENTS = (10, 20, 26)


def cells_of(run, device):
    """The cells by strategy and n; those of OpenMP, too."""
    return {(cell["strategy"], cell["n"]): cell for cell in run["cells"] if cell["device"] in (device, "host")}


def field(cells, strategy, n):
    beside = times_as_fast((time_of(cells.get((strategy, n))), time_of(cells.get((BESIDE.get(strategy), n)))))
    return microseconds(cells.get((strategy, n))) + (f" ({beside})" if beside != "-" else "")


def print_table():
    print("| device | n | " + " | ".join(f"`{name}`" for name in STRATEGIES) + " | OpenMP |")
    print("|---|---|" + "---:|" * (len(STRATEGIES) + 1))
    for label, file, device in DEVICES:
        cells = cells_of(read(f"three/{file}.json"), device)
        for exponent in EXPONENTS:
            fields = [field(cells, strategy, 2**exponent) for strategy in (*STRATEGIES, "openmp")]
            print(f"| {label if exponent == EXPONENTS[0] else ''} | 2^{exponent} | " + " | ".join(fields) + " |")


# The picture: a panel for each driver, all with the same axes; colours by Okabe and Ito, which colour-blind readers tell apart.
COLOURS = {"tree": "#0072b2", "cmpxchg_item": "#d55e00", "cmpxchg_group": "#e69f00", "wg_reduce": "#009e73",
           "grid_stride_vec": "#56b4e9", "wg_reduce_stride": "#cc79a7", "openmp": "#555555"}
DASHES = {"grid_stride_vec": "7 3", "wg_reduce_stride": "2 3", "openmp": "1 4"}
COLUMNS, WIDTH, HEIGHT, LEFT, TOP = 3, 250, 190, 66, 92
STEP_X, STEP_Y = WIDTH + 62, HEIGHT + 80
EXPONENT, DECADE = (10, 26), (-1, 6)  # both axes: powers of two of n, powers of ten of us


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{html.escape(words)}</text>'


def place(panel, n, us):
    along = (math.log2(n) - EXPONENT[0]) / (EXPONENT[1] - EXPONENT[0])
    up = (math.log10(us) - DECADE[0]) / (DECADE[1] - DECADE[0])
    return LEFT + panel % COLUMNS * STEP_X + WIDTH * along, TOP + panel // COLUMNS * STEP_Y + HEIGHT * (1 - min(1, max(0, up)))


def line(panel, cells, strategy):
    """A strategy's times against n: dots joined by a line."""
    passed = sorted((n, 1e6 * cell["time_to_answer"]["median_s"]) for (name, n), cell in cells.items()
                    if name == strategy and cell["state"] == "pass" and 2**EXPONENT[0] <= n <= 2**EXPONENT[1])
    dots = [place(panel, n, us) for n, us in passed]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
    circles = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.3"/>' for x, y in dots)
    dash = f' stroke-dasharray="{DASHES[strategy]}"' if strategy in DASHES else ""
    return (f'<g stroke="{COLOURS[strategy]}" fill="{COLOURS[strategy]}"><polyline fill="none" stroke-width="1.8"{dash} points="{path}"/>'
            f"{circles}</g>")


def panel(index, label, run, device):
    """The grid, the driver's name and version, and the lines."""
    left, bottom = place(index, 2**EXPONENT[0], 10**DECADE[0])
    right, top = place(index, 2**EXPONENT[1], 10**DECADE[1])
    about = next(info for info in run["devices"] if info["id"] == device)
    parts = [text(left, top - 22, label, 'font-weight="bold"'), text(left, top - 8, f"{about['name']}, driver {about['driver']}"[:52], 'font-size="9"')]
    for decade in range(DECADE[0], DECADE[1] + 1):
        y = place(index, 2**EXPONENT[0], 10**decade)[1]
        parts.append(f'<path stroke="#ddd" d="M{left:.1f} {y:.1f}H{right:.1f}"/>')
        parts.append(text(left - 5, y + 3, ("1 us", "10 us", "100 us", "1 ms", "10 ms", "100 ms", "1 s", "0.1 us")[decade], 'text-anchor="end" font-size="10"'))
    for exponent in range(EXPONENT[0], EXPONENT[1] + 1, 4):
        x = place(index, 2**exponent, 1)[0]
        parts.append(f'<path stroke="#ddd" d="M{x:.1f} {top:.1f}V{bottom:.1f}"/>')
        parts.append(text(x, bottom + 14, f"2^{exponent}", 'text-anchor="middle" font-size="10"'))
    parts.append(text((left + right) / 2, bottom + 27, "n, elements", 'text-anchor="middle" font-size="10"'))
    parts.append(text(0, 0, "time to answer", f'text-anchor="middle" font-size="10" transform="translate({left - 48:.1f} {(top + bottom) / 2:.1f}) rotate(-90)"'))
    cells = cells_of(run, device)
    return "".join(parts + [line(index, cells, strategy) for strategy in COLOURS])


def draw():
    runs = [(label, read(f"three/{file}.json"), device) for label, file, device in DEVICES]
    width, height = LEFT + COLUMNS * STEP_X - 20, TOP + math.ceil(len(runs) / COLUMNS) * STEP_Y - 10
    title = "Sum of f32: time to answer against n, one panel for each driver"
    legend, x = [], LEFT
    for strategy in COLOURS:
        dash = f' stroke-dasharray="{DASHES[strategy]}"' if strategy in DASHES else ""
        legend.append(f'<path stroke="{COLOURS[strategy]}" stroke-width="2.5"{dash} d="M{x} 42h24"/>' + text(x + 29, 46, strategy))
        x += 50 + 6.8 * len(strategy)
    foot = f"clreduce {runs[0][1]['suite']['version']}, measured {min(run['started'][:10] for _, run, _ in runs)} to {max(run['started'][:10] for _, run, _ in runs)}"
    panels = "".join(panel(i, *row) for i, row in enumerate(runs))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" role="img">'
            f"<title>{title}</title><desc>{foot}</desc><rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
            + text(LEFT, 22, title, 'font-size="15" font-weight="bold"') + "".join(legend) + panels
            + text(LEFT, height - 6, foot, 'font-size="10" fill="#555"') + "</svg>\n")


def main():
    if sys.argv[1:2] == ["--picture"] and len(sys.argv) == 3:
        pathlib.Path(sys.argv[2]).write_text(draw(), encoding="utf-8")
    elif len(sys.argv) == 1:
        print_table()
    else:
        sys.exit(__doc__)


main()
