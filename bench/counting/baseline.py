"""The file of counts that is committed."""

import json

from counting.cells import BAD_USAGE, OTHER_VERSION, QUANTITIES, Failure, is_whole

SCHEMA = "clreduce instructions 1"


def write(path, version, counts):
    """One line per cell, in order, without zeros and spaces: a change shows as the lines that it changes."""
    def line(cell):
        return {**{name: cell[name] for name in QUANTITIES if cell[name]}, "others": dict(sorted(cell["others"].items()))}
    lines = [f"{json.dumps(name)}:{json.dumps(line(cell), separators=(',', ':'))}" for name, cell in sorted(counts.items())]
    text = json.dumps({"schema": SCHEMA, **version})[:-1] + ', "cells": {\n' + ",\n".join(lines) + "\n}}\n"
    partial = path.with_name(path.name + ".partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise Failure(BAD_USAGE, f"{path} cannot be written: {error.strerror}") from None


def read(path):
    """{"oclgrind": ..., "clang": ..., "llvm": ..., "cells": {name: counts}}"""
    try:
        base = json.loads(path.read_text(encoding="utf-8"))
        if base["schema"] != SCHEMA:
            raise Failure(BAD_USAGE, f"{path} is '{base['schema']}', not '{SCHEMA}'")
        version_text(base)
        base["cells"] = {name: {**dict.fromkeys(QUANTITIES, 0), **cell} for name, cell in base["cells"].items()}
        broken = [name for name, cell in base["cells"].items() if not is_whole(cell)]
    except OSError as error:
        raise Failure(BAD_USAGE, f"{path}: {error.strerror}; bench/counts --write makes it") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Failure(BAD_USAGE, f"{path} is no file of counts; bench/counts --write makes one") from None
    if broken:
        raise Failure(BAD_USAGE, f"{path}: the counts of '{broken[0]}' do not add up; bench/counts --write makes it anew")
    return base


def version_text(counts):
    return f"Oclgrind {counts['oclgrind']}, clang {counts['clang']}, LLVM {counts['llvm']}"


def check_version(path, base, version, any_version):
    """The sentence to show where they differ, or None."""
    if version_text(base) == version_text(version):
        return None
    text = f"{path} was counted by {version_text(base)}; this is {version_text(version)}"
    if not any_version:
        raise Failure(OTHER_VERSION, f"{text}. Counts come from its compiler: what differs need not be the kernels. "
                                     "--any-version compares all the same, --write counts anew")
    return text
