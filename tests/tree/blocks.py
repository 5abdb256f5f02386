#!/usr/bin/env -S python3 -B
"""Blocks of pages that a command prints: compares them with what it prints now, or writes them.

    tests/tree/blocks.py CLREDUCE [--write] [PAGE...]    all pages that have some, unless they are named

A block is a comment with a command for the shell, and the text, the code (c, cpp, diff, mermaid) or the table below it:

    <!-- $ clreduce recommend results/cpu-2-cores.json -->
    ```text
    ...
    ```

    <!-- $ results/which.py -->
    | ... |
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile

from pages import ROOT, pages, read
from script import begin  # where pages.py has found it

begin(__doc__)

MARK = "<!-- $ "
BLOCK = re.compile(r"(?P<head>^<!-- \$ (?P<command>[^\n]*?) -->\n(?:```(?:text|c|cpp|diff|mermaid)\n)?)"
                   r"(?P<text>(?:(?<=```text\n)|(?<=```c\n)|(?<=```cpp\n)|(?<=```diff\n)|(?<=```mermaid\n)).*?(?=^```\n)|(?:^\|[^\n]*\n)+)", re.S | re.M)


def printed(command, path):
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False,
                          env=dict(os.environ, PATH=path))
    if done.stderr or not done.stdout.strip():
        sys.exit(f"{command}\nprinted: {done.stdout}{done.stderr}")
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").split("\n")) + "\n"


def main():
    arguments = sys.argv[1:]
    writes = "--write" in arguments
    clreduce, *named = [os.path.abspath(argument) for argument in arguments if argument != "--write"]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(clreduce, os.path.join(folder, "clreduce"))
        path = folder + os.pathsep + os.environ["PATH"]
        for page in named or [page for page in pages() if MARK in read(page)]:
            text = read(page)
            blocks = list(BLOCK.finditer(text))
            if len(blocks) != text.count(MARK) or not blocks:
                sys.exit(f"{page}: {text.count(MARK)} commands, {len(blocks)} of them with a block below")
            differs = 0
            for block in blocks:
                new = printed(block["command"], path)
                if new != block["text"] and not writes:
                    differs = 1
                    print(f"{page}: {block['command']}")
                    print("\n".join(difflib.unified_diff(block["text"].splitlines(), new.splitlines(), "page", "printed", lineterm="")))
            if writes:
                # Before the page is emptied, since a command may read it.
                written = BLOCK.sub(lambda block: block["head"] + printed(block["command"], path), text)
                with open(os.path.join(ROOT, page), "w", encoding="utf-8") as file:
                    file.write(written)
            failed = failed or differs
            print(f"{page}: {len(blocks)} blocks {'written' if writes else 'differ' if differs else 'as printed'}")
    sys.exit(failed)


main()
