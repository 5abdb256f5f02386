#!/usr/bin/env python3
"""Blocks of pages that a command prints: compares them with what it prints now, or writes them.

    tests/blocks.py CLREDUCE [--write] [PAGE...]    all pages that have some, unless they are named

A block is a comment with a command for the shell, and the text below it:

    <!-- $ clreduce recommend results/cpu-2-cores.json -->
    ```text
    ...
    ```
"""
import difflib
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"(<!-- \$ (.*?) -->\n```text\n)(.*?)(```\n)", re.S)


def printed(command, path):
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False,
                          env=dict(os.environ, PATH=path))
    if done.stderr or not done.stdout.strip():
        sys.exit(f"{command}\nprinted: {done.stdout}{done.stderr}")
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").split("\n")) + "\n"


def with_blocks():
    found = []
    for page in sorted(glob.glob("*.md", root_dir=ROOT) + glob.glob("docs/*.md", root_dir=ROOT) + glob.glob("results/*.md", root_dir=ROOT)):
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            if BLOCK.search(file.read()):
                found.append(os.path.join(ROOT, page))
    return found


def main():
    arguments = sys.argv[1:]
    writes = "--write" in arguments
    clreduce, *pages = [argument for argument in arguments if argument != "--write"]
    pages = pages or with_blocks()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(clreduce), os.path.join(folder, "clreduce"))
        path = folder + os.pathsep + os.environ["PATH"]
        for page in pages:
            with open(page, encoding="utf-8") as file:
                text = file.read()
            blocks = BLOCK.findall(text)
            if not blocks:
                sys.exit(f"{page} has no block")
            differs = 0
            for _, command, old, _ in blocks:
                new = printed(command, path)
                if new != old and not writes:
                    differs = 1
                    print(f"{page}: {command}")
                    print("\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), "page", "printed", lineterm="")))
            if writes:
                with open(page, "w", encoding="utf-8") as file:
                    file.write(BLOCK.sub(lambda block: block[1] + printed(block[2], path) + block[4], text))
            failed = failed or differs
            print(f"{page}: {len(blocks)} blocks {'written' if writes else 'differ' if differs else 'as printed'}")
    sys.exit(failed)


main()
