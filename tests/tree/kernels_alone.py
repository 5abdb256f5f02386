#!/usr/bin/env -S python3 -B
"""Kernels that one reads and copies: each compiles alone by clang, without an include, has all its defaults at its head, none that it does
not use, the same as the others have, and below them no more lines than are read at once.
    tests/tree/kernels_alone.py [PROGRAM | files]

With PROGRAM (tests/device/kernels_alone.c) each is run as it stands, on each device; with `files` their paths are printed."""
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402

begin(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KERNELS = {
    "kernels_cl12/reduce": "serial interleaved strided_index tree tree_argument first_add grid_stride cmpxchg_item grid_stride_vec cmpxchg_group last_group "
                           "chunk segment_item segment_group",
    "kernels_cl20/reduce": "wg_reduce wg_reduce_stride last_group_c11 segment_wg_reduce",
    "kernels_cl12/scan": "scan_serial hillis_steele blelloch",
    "kernels_cl20/scan": "wg_scan",
    "kernels_cl12/histogram": "global_counts",
    "kernels_cl20/histogram": "c11_counts",
}
FILES = [f"{folder}/{name}.cl" for folder, names in KERNELS.items() for name in names.split()]
# The first steps of the tutorial, and what stands beside them.
FIRST = "serial interleaved strided_index tree tree_argument first_add grid_stride cmpxchg_item wg_reduce scan_serial".split()
LINES, LINES_OF_FIRST = 80, 30
HEAD = re.compile(r"(?P<manifest>(?://@.*\n)+)\n(?P<defaults>/\* Alone, without a host's choice: (?:[^*]|\*(?!/))*\*/\n(?:#ifndef RED_\w+\n(?:#define RED_.*\n)+#endif\n)*"
                  r"#ifndef RED_LOAD\n(?:#define (?:[^\\\n]*\\\n)*.*\n)+#endif\n)\n")
DEFAULT = re.compile(r"^#define (\w+)((?:[^\\\n]*\\\n)*.*)$", re.M)
failed = False


def judge(what, is_so, more=""):
    global failed
    failed = failed or not is_so
    print(f"{'ok' if is_so else 'FAIL'}   {what}{'' if is_so else ': ' + more}")


def look(path, text, defaults):
    """Judges the text of a file; adds its macros to the defaults of its primitive."""
    head = HEAD.match(text)
    if head is None:
        judge(path, False, "it does not begin with a manifest and then defaults, of which the last stand in #ifndef RED_LOAD")
        return
    below = text[head.end():]
    most = LINES_OF_FIRST if pathlib.Path(path).stem in FIRST else LINES
    lines_n = below.count("\n")
    judge(f"{path}: {lines_n} lines below its head", lines_n <= most, f"at most {most} can be")
    own = DEFAULT.findall(head["defaults"])
    unused = [name for name, _ in own if len(re.findall(rf"\b{name}\b", text)) < (3 if f"#ifndef {name}\n" in text else 2)]
    others = [name for name, value in own if defaults.setdefault(name, value.split()) != value.split()]
    judge(f"{path}: {len(own)} defaults", not unused and not others, f"unused: {unused}; other kernels have other defaults: {others}")
    judge(f"{path}: no vector of a segment, which may begin anywhere, is loaded as if it were aligned",
          not ("/segment_" in path and re.search(r"\*\)\s*red_x", text)), "there is a cast of red_x: use vload")
    judge(f"{path}: all it needs is there", not re.search(r"^\s*#\s*(include|define\s+RED_)", below, re.M), "there is an #include, or a RED_ macro below its head")


def compiles(path, *options):
    standard = "CL2.0" if "cl20" in path else "CL1.2"
    done = subprocess.run(["clang", f"-cl-std={standard}", "-x", "cl", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", *options, str(ROOT / path)],
                          capture_output=True, text=True, check=False)
    judge(f"{path}: clang -cl-std={standard} {' '.join(options)}".rstrip(), done.returncode == 0, done.stderr)


if sys.argv[1:] == ["files"]:
    print("\n".join(FILES))
    sys.exit(0)
if sys.argv[1:]:
    sys.exit(subprocess.run([sys.argv[1], *(pathlib.Path(path).stem for path in FILES)], check=False).returncode)
by_primitive = {}
for file in FILES:
    kind = "segments" if "/segment_" in file else file.split("/")[1]  # of segments a vector may begin anywhere
    look(file, (ROOT / file).read_text(), by_primitive.setdefault(kind, {}))
if not shutil.which("clang"):
    print("skipped: clang is not installed, so no kernel was compiled")
    sys.exit(1 if failed else 77)
for file in FILES:
    compiles(file)
for launch in 1, 2:
    for file in ("kernels_cl12/scan/hillis_steele.cl", "kernels_cl12/scan/blelloch.cl", "kernels_cl20/scan/wg_scan.cl"):
        compiles(file, f"-DRED_PASS={launch}", "-DRED_GROUP_SIZE=100")
compiles("kernels_cl12/reduce/grid_stride_vec.cl", "-DRED_T=double", "-DRED_GROUP_SIZE=64")
sys.exit(1 if failed else 0)
