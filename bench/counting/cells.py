"""What is counted of a cell, and how it is read from what `clreduce once` and Oclgrind print in turns."""

import re

WRONG, OTHER_VERSION, BAD_USAGE, FAILED, NOTHING_RAN = 2, 3, 4, 5, 77

SPACES = {0: "private", 1: "global", 2: "constant", 3: "local"}
ACCESSES = [f"{space}_{kind}" for space in ("global", "local", "private", "constant") for kind in ("load", "store")]
# `instructions` is the sum of all loads, stores and `others`, which are by opcode and by function; barriers and atomics are
# among the others.
QUANTITIES = ["launches", "work_groups", "instructions",
              *(name for access in ACCESSES for name in (f"{access}s", f"{access}_bytes")), "barriers", "atomics"]

# Bytes of the types in mangled names.
SIZES = {"a": 1, "c": 1, "h": 1, "s": 2, "t": 2, "Dh": 2, "i": 4, "j": 4, "f": 4, "l": 8, "m": 8, "d": 8}


class Failure(Exception):
    """What ends the program, with its exit status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def is_whole(cell):
    """Whether the parts add up; who merges by hand may have taken a half of each side."""
    parts = [*cell["others"].values(), *(cell[f"{access}s"] for access in ACCESSES)]
    return all(type(cell[name]) is int for name in QUANTITIES) and sum(parts) == cell["instructions"]


def access_of_function(name):
    """("global_load", bytes) of vload4, vstore_half and the like, by their mangled names; None of other functions."""
    found = re.match(r"_Z\d+v(load|store)a?(?:_half)?(\d*)", name)
    pointer = found and re.search(r"P(?:U3AS(\d))?K?(Dh|[a-z])$", name)
    if not pointer:
        return None
    return f"{SPACES[int(pointer[1] or 0)]}_{found[1]}", int(found[2] or 1) * SIZES[pointer[2]]


def add_row(cell, count, what):
    """A row of Oclgrind's: 4001, "load global (16004 bytes)"; 8, "call _Z7barrierj()"; 12, "fadd"."""
    cell["instructions"] += count
    plain = re.fullmatch(r"(load|store) (\w+) \((\d+) bytes\)", what)
    called = re.fullmatch(r"call (.*)\(\)", what)
    vector = access_of_function(called[1]) if called else None
    if plain or vector:
        access, size = (f"{plain[2]}_{plain[1]}", int(plain[3])) if plain else (vector[0], vector[1] * count)
        cell[f"{access}s"] += count
        cell[f"{access}_bytes"] += size
        return
    name = what
    if called:  # a mangled name goes on with the types of its arguments
        mangled = re.match(r"_Z(\d+)(.*)", called[1])
        name = (mangled[2][:int(mangled[1])] if mangled else called[1]) + "()"
        cell["barriers"] += count if name == "barrier()" else 0
        cell["atomics"] += count if re.match(r"atom(ic)?_", name) else 0
    cell["others"][name] = cell["others"].get(name, 0) + count


class Cells:
    """Takes the output line by line. What stands between the lines `begin` and `end` is about the cell's one call; probes
    and checks launch kernels, too."""

    def __init__(self):
        self.counts, self.left_out, self.errors = {}, {}, {}  # by name; why it cannot be; (exit status, what went wrong)
        self.name = self.cell = None
        self.is_call = False

    def add(self, other):
        self.counts.update(other.counts)
        self.left_out.update(other.left_out)
        self.errors.update(other.errors)

    def has(self, strategy):
        """Whether a cell of the strategy was counted, or went wrong."""
        return any(name.split()[0] == strategy for name in (*self.counts, *self.errors))

    def is_empty(self):
        return not (self.counts or self.left_out or self.errors)

    def line(self, text):
        row = self.is_call and re.fullmatch(r" *(\d+) - (.*)", text)
        once = re.match(r"once: (cell|begin|end|pass|[a-z-]+:)[ ,]*(.*)", text)
        if row:
            add_row(self.cell, int(row[1]), row[2])
        elif self.is_call and text.startswith("Instructions executed for kernel "):
            self.cell["launches"] += 1
        elif once:
            self.step(once[1].rstrip(":"), once[2])

    def step(self, word, rest):
        if word == "cell":
            self.give_up(FAILED, "no answer")
            self.name, self.cell = rest, {**dict.fromkeys(QUANTITIES, 0), "others": {}}
        elif word in ("begin", "end"):
            self.is_call = word == "begin"
            self.cell["work_groups"] = int(rest.split()[0]) if self.is_call else self.cell["work_groups"]
        elif word == "unsupported":
            self.left_out[self.name], self.name = rest, None
        elif word != "pass":
            self.give_up(WRONG if word == "wrong" else FAILED, f"{word}: {rest}")
        elif self.cell["launches"] == 0 or not is_whole(self.cell):
            self.give_up(FAILED, "Oclgrind has printed no counts")
        else:
            self.counts[self.name], self.name = self.cell, None

    def explain(self, why):
        """What else was told of the cells that came to nothing, in front of what is known."""
        if why:
            self.errors = {name: (status, known if status == WRONG else f"{why} ({known})") for name, (status, known) in self.errors.items()}

    def give_up(self, status, why):
        """The cell at hand, if there is one, comes to nothing."""
        if self.name is not None:
            self.errors[self.name] = (status, why)
        self.name, self.is_call = None, False
