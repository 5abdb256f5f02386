#!/usr/bin/env python3
"""Checks the order of the rooms: each include of src/ names a header of its own folder, or of one that src/CMakeLists.txt
gives that folder; and a folder is given only what stands above it there. CL/cl.h is for src/cl alone."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "src"
faults = []
rooms = {}
for name, given in re.findall(r"^room\((\w+)([^)]*)\)", (SOURCE / "CMakeLists.txt").read_text(), re.M):
    for room in given.split():
        if room not in rooms and room != "shim":
            faults.append(f"src/CMakeLists.txt: {name} is given {room}, which does not stand above it")
    rooms[name] = set(given.split())
rooms["cli"] = set(rooms) # the program itself
for folder in sorted(f for f in SOURCE.iterdir() if f.is_dir()):
    if folder.name not in rooms:
        faults.append(f"src/{folder.name}: no room of src/CMakeLists.txt")
        continue
    for file in sorted(folder.glob("*.[ch]")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            own = re.match(r'\s*#include "([^"]+)"', line)
            at = f"{file.relative_to(SOURCE.parent)}:{number}"
            if re.match(r"\s*#include <CL/", line) and folder.name != "cl":
                faults.append(f"{at}: only src/cl includes OpenCL's headers")
            if own is None:
                continue
            room = "shim" if own[1] == "bench/shim.h" else own[1].split("/")[0]
            if room != folder.name and room not in rooms[folder.name]:
                faults.append(f"{at}: {folder.name} includes {own[1]}; give it {room} in src/CMakeLists.txt, "
                              "if that stands above it")
for fault in faults:
    print(fault)
print(f"{len(rooms)} rooms, {len(faults)} faults")
sys.exit(1 if faults else 0)
