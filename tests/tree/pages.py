#!/usr/bin/env -S python3 -B
"""What the pages of this project point at is there: files, headings, verbs, scripts and their options. The README is short, and its
list "Read on" gives each page of docs/ to one of five readers, whom the page names. README, docs and results have few words together.
The checkout is light.

    tests/tree/pages.py CLREDUCE
"""
import functools
import glob
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FENCE = re.compile(r"^```.*?^```$", re.S | re.M)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.M)
# A command as it is shown: `clreduce VERB ...` up to where the shell or the text goes on.
COMMAND = re.compile(r"(?:^|\$ |[;|&] |do )(?:build/)?clreduce ([a-z]+)((?: [^`\n|;&#>]*)?)", re.M)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.S | re.M)
SHOWN = re.compile(r"^\$ (.*)$", re.M)  # of a command with what it prints
INLINE = re.compile(r"`([^`]+)`")
PLACE = re.compile(r"(?<![\w.])/(?:tmp|home|root|work)/[^\s`]*")  # on somebody's machine
OPTION = re.compile(r"(?<=\s)(--?[a-z][a-z-]*)")
README_LINES = 120
# In README.md, docs/*.md and results/*.md together, without what a command prints: a text, code or table below its comment.
WORDS = 50000
PRINTED = re.compile(r"^<!-- \$ [^\n]* -->\n(?:```\w+\n.*?^```\n|(?:\|[^\n]*\n)+)", re.S | re.M)
READERS = ["choosing", "guarding in CI", "comparing drivers", "learning", "contributing"]
READ_ON = re.compile(r"^## Read on\n(.*?)(?=^#|\Z)", re.S | re.M)
ROW = re.compile(r"^\| ([^|]+) \| (.*) \|$", re.M)
LIGHT = {"results/": 6_000_000, "": 13_000_000}  # bytes
SUBMITTED = "results/submitted/"  # what others send
# Scripts whose options are checked, and the verb of clreduce that takes all others.
SCRIPTS = {"bench/run": "bench", "bench/cluster": "bench", "bench/gate": "duel", "bench/gate-kernel": "duel", "bench/bisect": "duel", "bench/counts": None,
            "bench/cuda/cub": None, "bench/emitting/emitted": None, "bench/cuda/gpus": None, "bench/emitting/integrate": None,
           "bench/libraries/peers": None, "tests/device/drivers": None, "tests/device/pocl_cuda": None, "tests/device/roots": None,
           "tests/tools/calibrate": None, "tests/tools/regret": None}
SCRIPT = re.compile(r"(?:^|\$ |[;|&] )(?:\w+=\S+ )*(?:\./)?(" + "|".join(SCRIPTS) + r")((?: [^`\n|;&#>]*)?)$", re.M)
FILE = re.compile(r"(?:\./)?((?:bench|docs|kernels_cl\d\d|results|src|tests)/[\w./*?-]*)(?: |$)")


def pages():
    for folder in ("", "docs", "results", "results/h200", "tests"):
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def read(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def anchors(text):
    """Those that GitHub gives to headings."""
    made = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        made.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return made


def bad_links(page, text):
    for target in LINK.findall(FENCE.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
        if not os.path.exists(os.path.join(ROOT, path)):
            yield f"{page}: there is no {target}"
        elif anchor and anchor not in anchors(read(path)):
            yield f"{page}: {path} has no heading for #{anchor}"


def bad_files(page, text):
    """Files of this checkout that the text names. What follows a command's name may be a file that it writes."""
    for name in [found[1] for found in map(FILE.match, INLINE.findall(FENCE.sub("", text))) if found]:
        if not glob.glob(os.path.join(ROOT, name)):
            yield f"{page}: there is no {name}"


def options_in_help(*command):
    """As its help lists them; None if there is none."""
    done = subprocess.run([*command, "--help"], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return None if done.returncode != 0 else set(re.findall(r"^\s+(?:-\w, )?(--[a-z-]+)", done.stdout, re.M)) | set(
        re.findall(r"^\s+(-\w), ", done.stdout, re.M))


@functools.lru_cache(maxsize=None)
def options_of(clreduce, verb):
    return options_in_help(clreduce, verb)


@functools.lru_cache(maxsize=None)
def options_of_script(clreduce, script):
    own = options_in_help(os.path.join(ROOT, script))
    return None if own is None else {"--help"} | own | (options_of(clreduce, SCRIPTS[script]) if SCRIPTS[script] else set())


def code_of(text):
    text = text.replace("\\\n", " ")
    return SHELL.findall(text) + SHOWN.findall(text) + INLINE.findall(FENCE.sub("", text))


def commands(text):
    for code in code_of(text):
        yield from COMMAND.findall(code)


def script_commands(text):
    for code in code_of(text):
        yield from SCRIPT.findall("\n".join(line.split(" #")[0] for line in code.splitlines()))


def bad_commands(clreduce, page, text):
    for verb, arguments in commands(text):
        known = options_of(clreduce, verb)
        if known is None:
            yield f"{page}: there is no verb {verb}"
            continue
        for option in OPTION.findall(arguments):
            if option not in known:
                yield f"{page}: clreduce {verb} has no {option}"
    for script, arguments in script_commands(text):
        known = options_of_script(clreduce, script)
        if known is None:
            yield f"{page}: {script} --help fails"
            continue
        for option in OPTION.findall(arguments):
            if option not in known:
                yield f"{page}: {script} has no {option}"


def bad_samples(page, text):
    """Tables that were printed when a result file was written: their times are those of the file."""
    for path, device, sample in re.findall(r"<!-- printed (\S+) (\S+) -->\n```text\n(.*?)^```$", text, re.S | re.M):
        cells = json.loads(read(path))["cells"]
        sizes, compared_n = [], 0
        for line in sample.splitlines():
            name, *values = line.split() or [""]
            if line.startswith("n ="):
                sizes = [2 ** int(size[2:]) for size in line.split() if size.startswith("2^")]
            for n, value in zip(sizes, values if all(re.match(r"[\d-]|over", v) for v in values[:len(sizes)]) else []):
                cell = next((c for c in cells if (c["strategy"], c["n"]) == (name, n) and c["device"] in (device, "host")), None)
                if cell is None or cell["time_to_answer"] is None:
                    continue
                compared_n += 1
                if abs(float(value.rstrip("*?")) / (1e6 * cell["time_to_answer"]["median_s"]) - 1) > 0.01:
                    yield f"{page}: {name} at {n}: {value}, not as in {path}"
        if compared_n < 50:
            yield f"{page}: only {compared_n} times are those of {path}"


def bad_head(page, text):
    if page.startswith("docs/") and not re.match(r"# .*\n\nFor ", text):
        yield f"{page}: the line below its title does not say for whom it is: For those who ..."


def bad(clreduce, page, text):
    places = [f"{page}: {place} is on somebody's machine" for place in PLACE.findall(text)]
    return [*bad_head(page, text), *bad_links(page, text), *bad_files(page, text), *bad_commands(clreduce, page, text), *bad_samples(page, text), *places]


def bad_readme(text):
    """It is short, and its list gives every page of docs/ to one reader."""
    lines_n = len(text.splitlines())
    if lines_n > README_LINES:
        yield f"README.md has {lines_n} lines, more than {README_LINES}"
    rows = ROW.findall("".join(READ_ON.findall(text)))[1:]  # behind the head
    if [reader for reader, _ in rows] != READERS:
        yield f"README.md: the readers of its list are {', '.join(reader for reader, _ in rows)}; they are {', '.join(READERS)}"
    told = [target.partition("#")[0] for _, links in rows for target in LINK.findall(links)]
    for page in pages():
        if page.startswith("docs/") and page not in told:
            yield f"README.md: {page} has no reader in its list"
    yield from (f"README.md: {page} is in its list more than once" for page in sorted(set(told)) if told.count(page) > 1)


def words_n(text):
    return len(PRINTED.sub("", text).split())


def bad_words(limit):
    """More than somebody reads."""
    found = {page: words_n(read(page)) for page in pages() if re.fullmatch(r"README.md|(docs|results)/[^/]*", page)}
    most = ", ".join(f"{page} ({found[page]})" for page in sorted(found, key=found.get, reverse=True)[:5])
    if sum(found.values()) > limit:
        yield f"README.md, docs and results have {sum(found.values())} words together, more than {limit}; most in {most}"


def tracked_sizes():
    """Bytes of each file that git tracks and that is there, but for what others submit; nothing where this is no checkout of git."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = listed.stdout.split("\0") if listed.returncode == 0 else []
    return {name: os.path.getsize(os.path.join(ROOT, name)) for name in names
            if name and not name.startswith(SUBMITTED) and os.path.isfile(os.path.join(ROOT, name))}


def too_large(sizes):
    for folder, most in LIGHT.items():
        total = sum(size for name, size in sizes.items() if name.startswith(folder))
        if total > most:
            largest = sorted((name for name in sizes if name.startswith(folder)), key=sizes.get)[-3:]
            yield f"{folder or 'all that git tracks'} has {total} bytes, more than {most}; the largest are {', '.join(largest)}"


# Each of these is found at the end of a page, or this test finds nothing.
SPOILED = """
[file](nowhere.md) [heading](README.md#nowhere) `clreduce nowhere` `clreduce bench --nowhere` `/home/me/here` `src/nowhere.c`
bench/gate HEAD --in-prose
```sh
build/clreduce bench --nothing # here
VARIABLE=1 bench/gate HEAD --nothing --device pocl
```
```text
$ build/clreduce verify --no-such
```
"""


# In each of these pages the test finds what is planted there.
def finds_what_is_planted(clreduce):
    table = re.sub(r"(?m)^(tree +\d+)\.", r"\g<1>9.", read("docs/bench.md"), count=1)
    readme = read("README.md").replace("](docs/bench.md)", "](docs/gate.md#)").replace("| learning |", "| all |") + "\n" * README_LINES
    printed = "one two\n<!-- $ echo -->\n```text\nthree\n```\nfour\n<!-- $ echo -->\n| five |\n| six |\nseven\n```text\neight\n```\n"
    heavy = {"results/a.json": LIGHT["results/"], "src/a.c": LIGHT[""] - LIGHT["results/"]}
    if list(too_large(heavy)) or len(list(too_large({**heavy, "results/b": 1}))) != 2 or len(list(too_large({**heavy, "docs/b": 1}))) != 1:
        return False
    return (len(bad(clreduce, "docs/bench.md", table)) == 1 and words_n(printed) == 7 and len(list(bad_words(WORDS // 2))) == 1
            and len(bad(clreduce, "docs/scan.md", read("docs/scan.md").replace("\n\nFor ", "\n\nOf ", 1))) == 1 and len(list(bad_readme(readme))) == 4
            and all(len(bad(clreduce, page, read(page) + SPOILED)) == 9 for page in pages()))


def main():
    clreduce = os.path.abspath(sys.argv[1])
    found, links_n, commands_n = [*bad_readme(read("README.md")), *bad_words(WORDS)], 0, 0
    for page in pages():
        text = read(page)
        found += bad(clreduce, page, text)
        links_n += len(LINK.findall(text))
        commands_n += len(list(commands(text))) + len(list(script_commands(text)))
    sizes = tracked_sizes()
    found += too_large(sizes)
    print("\n".join(found))
    if sizes:
        print(f"{len(sizes)} files have {sum(sizes.values())} bytes, those of results/ {sum(sizes[name] for name in sizes if name.startswith('results/'))}")
    else:
        print("sizes are not looked at: this is no checkout of git")
    print(f"{links_n} links and {commands_n} commands on {len(list(pages()))} pages, {len(found)} of them lead nowhere")
    if not found and not finds_what_is_planted(clreduce):
        found.append("planted")
        print("what is planted is not found")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    begin(__doc__)
    main()
