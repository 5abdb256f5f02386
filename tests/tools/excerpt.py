#!/usr/bin/env -S python3 -B
"""Prints functions of a kernel file as pages show them: each from its first line to the brace that ends it, one blank line between.

    tests/tools/excerpt.py FILE FUNCTION...
"""
import pathlib
import re
import sys

from script import begin

begin(__doc__)


def function(text, name):
    found = re.search(rf"^[A-Za-z_][^\n;#]*\b{name}\(.*?^}}\n", text, re.S | re.M)
    if not found:
        sys.exit(f"no function {name}")
    return found.group()


if len(sys.argv) < 3:
    sys.exit(__doc__)
TEXT = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
print("\n".join(function(TEXT, name) for name in sys.argv[2:]), end="")
