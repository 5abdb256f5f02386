#!/usr/bin/env python3
"""Prints the members that a JSON schema describes as a table of Markdown; members with the same words share a row.

    results/fields.py SCHEMA.json"""
import json
import pathlib
import sys


def parts_of(node):
    """The node, and what it may be instead."""
    return [node, *node.get("anyOf", [])]


def described(node, path=""):
    """(path, words) of each member, in the schema's order; a[] is of each element of a, a.* of each member."""
    for part in parts_of(node):
        for name, member in part.get("properties", {}).items():
            at = f"{path}.{name}" if path else name
            if "description" in member:
                yield at + ("[]" if "items" in member and member["items"].get("properties") else ""), member["description"]
            yield from described(member, at)
        if isinstance(part.get("additionalProperties"), dict):
            yield from described(part["additionalProperties"], path + ".*")
        if "items" in part:
            yield from described(part["items"], path + "[]")


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    rows = {}
    for path, words in described(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))):
        rows.setdefault(words, []).append(path)
    print("| field | meaning |\n|---|---|")
    for words, paths in rows.items():
        first, *others = paths
        place = first.rpartition(".")[0]
        names = [first, *(path.removeprefix(place + ".") if place else path for path in others)]
        print(f"| {', '.join(f'`{name}`' for name in names)} | {words} |")


main()
