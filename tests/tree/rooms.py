#!/usr/bin/env -S python3 -B
"""Checks the order of the rooms: each include of src/ names a header of its own folder, or of one that src/CMakeLists.txt gives
that folder; a folder is given only what stands above it there; a file *_private.h is for its own folder, CL/cl.h for src/cl alone. The
table of docs/architecture.md has a row for each room, in their order, and its two ways name functions that are there. At the top of the
tree stand no other folders than it has.
    tests/tree/rooms.py [--picture]    print the page's picture of the includes, for tests/tree/blocks.py"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402

begin(__doc__)

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent / "src"
PAGE = SOURCE.parent / "docs/architecture.md"
FOLDERS = {"bench", "docs", "kernels_cl12", "kernels_cl20", "results", "src", "tests"}


def declared(faults):
    """The rooms in their order, with what each is given."""
    rooms = {}
    for name, given in re.findall(r"^room\((\w+)([^)]*)\)", (SOURCE / "CMakeLists.txt").read_text(), re.M):
        for room in given.split():
            if room not in rooms and room != "shim":
                faults.append(f"src/CMakeLists.txt: {name} is given {room}, which does not stand above it")
        rooms[name] = set(given.split())
    rooms["cli"] = set(rooms)  # the program itself
    return rooms


def check(folder, given, faults):
    """What the folder includes of other rooms."""
    used = set()
    for file in sorted(folder.glob("*.[ch]")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            at = f"{file.relative_to(SOURCE.parent)}:{number}"
            if re.match(r"\s*#include <CL/", line) and folder.name != "cl":
                faults.append(f"{at}: only src/cl includes OpenCL's headers")
            own = re.match(r'\s*#include "([^"]+)"', line)
            if own is None:
                continue
            room = "shim" if own[1] == "bench/shim.h" else own[1].split("/")[0]
            if room == folder.name:
                continue
            used.add(room)
            if own[1].endswith("_private.h"):
                faults.append(f"{at}: {own[1]} is for its own room")
            if room not in given:
                faults.append(f"{at}: {folder.name} includes {own[1]}; give it {room} in src/CMakeLists.txt, "
                              "if that stands above it")
    return used - {"shim"}


def check_top(faults):
    """A program that ran in the tree may have left a folder, which `git add` then takes."""
    listed = subprocess.run(["git", "-C", SOURCE.parent, "ls-files"], capture_output=True, text=True)
    if listed.returncode != 0:
        print("folders at the top are not checked: this is no git repository")
    for folder in sorted({line.split("/")[0] for line in listed.stdout.splitlines() if "/" in line} - FOLDERS):
        if not folder.startswith("."):
            faults.append(f"{folder}/ is none of {', '.join(sorted(FOLDERS))}: remove it, or name it here")


def reachable(used, room):
    found = set()
    for below in used[room]:
        found |= {below} | reachable(used, below)
    return found


def picture(used):
    """Mermaid's text of the includes; what another arrow leads to is not drawn twice."""
    lines = ["flowchart BT"]
    for room in used:
        direct = {r for r in used[room] if not any(r in reachable(used, other) for other in used[room] - {r})}
        lines += [f"    {room} --> {below}" for below in used if below in direct]
    return "\n".join(lines)


def check_table(page, rooms, faults):
    """The rows of "room, what is in it"."""
    table = re.search(r"^\| room \|.*\n\|[-|]+\n((?:\|.*\n)+)", page, re.M)
    rows = re.findall(r"^\| `(\w+)` \| *(\S?)", table[1] if table else "", re.M)
    told = [room for room, _ in rows]
    faults += [f"{PAGE.name}: the table of rooms lacks {room}" for room in rooms if room not in told]
    faults += [f"{PAGE.name}: the table has {room}, which is no room of src/CMakeLists.txt" for room in told if room not in rooms]
    faults += [f"{PAGE.name}: the table says nothing of {room}" for room, words in rows if not words or words == "|"]
    if sorted(told) == sorted(rooms) and told != list(rooms):
        faults.append(f"{PAGE.name}: the rooms of the table do not stand in the order of src/CMakeLists.txt: {', '.join(rooms)}")
    faults += [f"{PAGE.name}: the table has {room} more than once" for room in sorted({room for room in told if told.count(room) > 1})]


def check_ways(page, faults):
    """The rows of the page's two ways: each file is there, and has what the row says that it does."""
    for files, said in re.findall(r"^\| (`(?:src|bench)/[^|]+) \| ([^|]+) \|", page, re.M):
        text = ""
        for name in re.findall(r"`([^`]+)`", files):
            file = SOURCE.parent / name
            text += file.read_text() if file.exists() else ""
            if not file.exists():
                faults.append(f"{PAGE.name}: there is no {name}")
        faults += [f"{PAGE.name}: {files} has no {name}" for name in re.findall(r"`(?:struct )?(\w+)`", said)
                   if not re.search(rf"\b{name}\b", text)]


def main():
    faults = []
    rooms = declared(faults)
    used = {}
    for folder in sorted(f for f in SOURCE.iterdir() if f.is_dir()):
        if folder.name not in rooms:
            faults.append(f"src/{folder.name}: no room of src/CMakeLists.txt")
        else:
            used[folder.name] = check(folder, rooms[folder.name], faults)
    for name, given in rooms.items():
        for room in sorted(given - used.get(name, set()) - {"shim"}):
            if name != "cli":
                faults.append(f"src/CMakeLists.txt: {name} is given {room} and includes nothing of it")
    check_top(faults)
    if "--picture" in sys.argv[1:]:
        print(picture({name: used[name] for name in rooms if name in used}))
        return 0
    page = PAGE.read_text()
    check_table(page, rooms, faults)
    check_ways(page, faults)
    for fault in faults:
        print(fault)
    print(f"{len(rooms)} rooms, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
