#!/usr/bin/env python3
"""What the pages of this project point at is there: files, headings, verbs and options.

    tests/pages.py CLREDUCE
"""
import functools
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
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


def pages():
    for folder in ("", "docs", "results", "results/h200"):
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


@functools.lru_cache(maxsize=None)
def options_of(clreduce, verb):
    """As its help lists them; None if there is no such verb."""
    done = subprocess.run([clreduce, verb, "--help"], capture_output=True, text=True, check=False)
    return None if done.returncode != 0 else set(re.findall(r"^\s+(?:-\w, )?(--[a-z-]+)", done.stdout, re.M)) | set(
        re.findall(r"^\s+(-\w), ", done.stdout, re.M))


def commands(text):
    text = text.replace("\\\n", " ")
    for code in SHELL.findall(text) + SHOWN.findall(text) + INLINE.findall(FENCE.sub("", text)):
        yield from COMMAND.findall(code)


def bad_commands(clreduce, page, text):
    for verb, arguments in commands(text):
        known = options_of(clreduce, verb)
        if known is None:
            yield f"{page}: there is no verb {verb}"
            continue
        for option in OPTION.findall(arguments):
            if option not in known:
                yield f"{page}: clreduce {verb} has no {option}"


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


def bad(clreduce, page, text):
    places = [f"{page}: {place} is on somebody's machine" for place in PLACE.findall(text)]
    return [*bad_links(page, text), *bad_commands(clreduce, page, text), *bad_samples(page, text), *places]


# Each of these is found at the end of a page, or this test finds nothing.
SPOILED = """
[file](nowhere.md) [heading](README.md#nowhere) `clreduce nowhere` `clreduce bench --nowhere` `/home/me/here`
```sh
build/clreduce bench --nothing # here
```
```text
$ build/clreduce verify --no-such
```
"""


def main():
    clreduce = os.path.abspath(sys.argv[1])
    found, links_n, commands_n = [], 0, 0
    for page in pages():
        text = read(page)
        found += bad(clreduce, page, text)
        links_n += len(LINK.findall(text))
        commands_n += len(list(commands(text)))
    print("\n".join(found))
    print(f"{links_n} links and {commands_n} commands on {len(list(pages()))} pages, {len(found)} of them lead nowhere")
    spoiled = re.sub(r"(?m)^(tree +\d+)\.", r"\g<1>9.", read("README.md"), count=1)
    sys.exit(1 if found or len(bad(clreduce, "README.md", spoiled)) != 1 or any(len(bad(clreduce, page, read(page) + SPOILED)) != 7 for page in pages()) else 0)


main()
