"""Reads the litmus tests of kernels_cl12/litmus and kernels_cl20/litmus: lines of `key: value`, events of items, edits of mutants.
Whatever is not of the format is refused with its file and line."""
import dataclasses
import re
import typing

FAMILIES = "mp sb lb s r 2+2w co atomicity wrc isa2 iriw publish".split()
VERDICTS = "forbidden allowed nothing".split()
LONGEST = {"line": 200, "name": 31, "idea": 100}
# Orders of an access by its kind: without a scope, and with one.
ORDERS_1 = {"W": ("plain", "volatile", "xchg"), "R": ("plain", "volatile", "or"), "X": ("xchg", "add"), "F": ("mem", "write", "read")}
ORDERS_2 = {"W": ("rlx", "rel", "sc"), "R": ("rlx", "acq", "sc"), "X": ("rlx", "acq", "rel", "ar", "sc"), "F": ("acq", "rel", "ar", "sc")}
SCOPES = ("wg", "dev", "all")
FLAGS = {"F": ("G", "L", "GL"), "B": ("G", "L", "GL", "0")}
UNREAD = 7  # the value of a register that was never read


class FormatError(Exception):
    """What is wrong in a file, with the file and the line."""


@dataclasses.dataclass(frozen=True)
class Word:
    name: str
    space: str  # global or local
    bits: int
    svm: bool = False  # in memory with CL_MEM_SVM_ATOMICS; in known.txt alone


@dataclasses.dataclass(frozen=True)
class Event:
    kind: str  # W, R, X, F or B
    order: str = ""
    scope: str = ""  # none: an event of 1.x
    word: str = ""
    value: str = ""  # of W and X; +1 adds
    register: str = ""  # of R and X
    flags: str = ""  # of F and B
    guard: typing.Optional[tuple] = None  # (register, number)
    role: str = ""  # all or one, in a publication

    def text(self):
        """The event as it is written, without its role."""
        parts = [self.kind, self.flags if self.kind in "FB" else self.word, self.value, self.register, self.order, self.scope]
        guard = f"if {self.guard[0]}={self.guard[1]}: " if self.guard else ""
        return guard + " ".join(part for part in parts if part)


@dataclasses.dataclass(frozen=True)
class Edit:
    where: typing.Optional[int]  # the item or group; none: all
    role: str
    old: Event
    new: tuple  # events in its place


@dataclasses.dataclass
class Test:
    file: str
    fields: dict
    words: list
    places: list  # of items; of a publication: empty
    items: list  # events of each item; of a publication: of each group
    weak: list  # (left, operator, right)
    verdicts: tuple  # up to 3.0, from 3.1
    mutants: dict  # name: (edits, line)

    @property
    def name(self):
        return self.fields["name"]

    @property
    def publication(self):
        return not self.places


def need(condition, text):
    if not condition:
        raise FormatError(text)


def at_line(number, function, *arguments):
    """Calls the function; what it refuses, it refuses in that line (0: the caller knows the line)."""
    try:
        return function(*arguments)
    except FormatError as error:
        raise FormatError(f"{number}: {error}" if number else str(error)) from None


def read_scope(parts):
    """The scope at the end of an event, and that nothing stands behind it."""
    need(len(parts) == 1 and parts[0] in SCOPES, f"expected one of {' '.join(SCOPES)}, not '{' '.join(parts)}'")
    return parts[0]


def read_event(text, wide=False):
    """The event that the text is. wide: also `+0`, which known.txt has."""
    guarded = re.fullmatch(r"if ([a-h])=(\d+): (.*)", text.strip())
    guard, parts = ((guarded[1], int(guarded[2])), guarded[3].split()) if guarded else (None, text.split())
    need(len(parts) > 1 and parts[0] in ("W", "R", "X", "F", "B"), f"'{text.strip()}' is no event")
    kind, first, rest = parts[0], parts[1], parts[2:]
    if kind in FLAGS:
        need(first in FLAGS[kind], f"flags of {kind} are {', '.join(FLAGS[kind])}, not '{first}'")
    else:
        need(re.fullmatch("[w-z]", first), f"'{first}' is no word")
    if kind == "B":
        return Event("B", flags=first, scope=read_scope(rest) if rest else "", guard=guard)
    value = register = ""
    if kind in "WX":
        pattern = r"\d+" if kind == "W" else r"\d+|\+[01]" if wide else r"\d+|\+1"
        need(rest and re.fullmatch(pattern, rest[0]), f"{kind} lacks its value in '{text.strip()}'")
        value, rest = rest[0], rest[1:]
    if kind in "RX":
        need(rest and re.fullmatch("[a-h]", rest[0]), f"{kind} lacks its register in '{text.strip()}'")
        register, rest = rest[0], rest[1:]
    need(rest, f"'{text.strip()}' lacks its order")
    order, scope = rest[0], ""
    if order in ORDERS_2[kind]:
        scope = read_scope(rest[1:])
    else:
        need(order in ORDERS_1[kind] and len(rest) == 1, f"'{' '.join(rest)}' is no order of {kind}")
        need(kind != "X" or (order == "add") == (value == "+1"), f"'{text.strip()}': add is of +1, xchg of a number")
    where = {"flags": first} if kind == "F" else {"word": first}
    return Event(kind, order, scope, value=value, register=register, guard=guard, **where)


def read_events(text, publication=False, wide=False):
    """Events separated by `;`, those of a publication each with its role."""
    events = []
    for part in filter(str.strip, text.split(";")):
        role, part = re.fullmatch(r"(?:(all|one): )?(.*)", part.strip()).groups()
        need(bool(role) == publication, f"'{part}' has {'a' if role else 'no'} role")
        events.append(dataclasses.replace(read_event(part, wide), role=role or ""))
    return events


def read_words(text):
    words = []
    for part in text.split(","):
        found = re.fullmatch(r"([w-z]) (global|local)( 64)?( svm)?", part.strip())
        need(found, f"'{part.strip()}' is no word: [w-z] global|local [64]")
        words.append(Word(found[1], found[2], 64 if found[3] else 32, bool(found[4])))
    need(len(words) == len({word.name for word in words}) <= 4, "1 to 4 words, each once")
    return words


def read_weak(text):
    weak = []
    for part in text.split(","):
        found = re.fullmatch(r"([a-hw-z])(!=|=|>)(\d+|[a-h])", part.strip())
        need(found, f"'{part.strip()}' is no condition: REGISTER|WORD =|!=|> NUMBER|REGISTER")
        weak.append(found.groups())
    return weak


def read_edits(text, publication):
    """Edits `[N:] [role:] EVENT -> [EVENT [+ EVENT]]`, separated by `;`."""
    edits = []
    for part in text.split(";"):
        found = re.fullmatch(r"(?:(\d): )?(?:(all|one): )?(.*?) ->(.*)", part.strip())
        need(found, f"'{part.strip()}' is no edit: EVENT -> EVENT")
        need(publication or not found[2], f"'{part.strip()}' has a role")
        new = []
        for event in filter(str.strip, found[4].split(" + ")):
            role, event = re.fullmatch(r"(?:(all|one): )?(.*)", event.strip()).groups()
            new.append(dataclasses.replace(read_event(event), role=role or ""))
        edits.append(Edit(int(found[1]) if found[1] else None, found[2] or "", read_event(found[3]), tuple(new)))
    return edits


def edited(items, edits):
    """The events with the edits made, one behind the other. An edit that matches nothing is an error."""
    for edit in edits:
        matched, made = False, []
        for number, events in enumerate(items):
            out = []
            for event in events:
                hit = edit.where in (None, number) and edit.role in ("", event.role) and event.text() == edit.old.text()
                matched |= hit
                out += [dataclasses.replace(new, role=new.role or event.role) for new in edit.new] if hit else [event]
            made.append(out)
        need(matched, f"the edit of '{edit.old.text()}' matches nothing")
        items = made
    return items


def check_item(events, spaces, read):
    """Words are declared, registers read once in the test, and before they are asked. Adds to read what is read here."""
    mine = set()
    for event in events:
        need(not event.word or event.word in spaces, f"there is no word {event.word}")
        need(not event.guard or event.guard[0] in mine, f"'{event.text()}' asks for a register that was not read before it")
        if event.register:
            need(event.register not in read, f"register {event.register} is read twice")
            read.add(event.register)
            mine.add(event.register)


def check_handing(events):
    """In the receiving group a register that item one reads is asked by all items only behind a barrier."""
    waiting = set()
    for event in events:
        if event.kind == "B":
            waiting = set()
        asked = event.role == "all" and event.guard and event.guard[0] in waiting
        need(not asked, f"no barrier hands register {event.guard[0] if asked else ''} over to all items")
        if event.role == "one" and event.register:
            waiting.add(event.register)


def check_items(words, places, items, lines=None):
    """What no single event shows; lines: of the items, where each has its own. Returns the registers that are read."""
    spaces, read, groups, barriers = {word.name: word.space for word in words}, set(), {}, {}
    for number, events in enumerate(items):
        line, place = lines[number] if lines else 0, places[number] if places else number
        at_line(line, check_item, events, spaces, read)
        if not places and number == 1:
            at_line(line, check_handing, events)
        for event in events:
            at_line(line, need, not event.word or groups.setdefault(event.word, place) == place or spaces[event.word] == "global",
                    f"the local word {event.word} is used by two groups")
        met = sum(event.kind == "B" for event in events)
        at_line(line, need, barriers.setdefault(place, met) == met, "items of a group meet other numbers of barriers")
    return read


def expected_keys(lines, folder):
    """The keys in their order, those that must stand marked by !, by what the first lines say."""
    publication = any(key == "group 0" for _, key, _ in lines)
    places = [value.split() for _, key, value in lines if key == "place"]
    count = len(places[0]) if places else 0
    items = ["group 0!", "group 1!"] if publication else ["place!"] + [f"item {n}!" for n in range(count)]
    counterpart = ["counterpart!"] if folder == "kernels_cl20" else []
    return ["name!", "family!", "idea!", *counterpart, "words!", *items, "weak!", "verdict!", "from 3.1", "section!", "unsettled"]


def check_keys(lines, folder):
    """Each key stands once, in its order; returns the lines by key."""
    expected, at, found = expected_keys(lines, folder), 0, {}
    for number, key, value in lines:
        if key.startswith("mutant "):
            continue
        while at < len(expected) and expected[at].rstrip("!") != key:
            need(not expected[at].endswith("!"), f"{number}: expected '{expected[at].rstrip('!')}:', not '{key}:'")
            at += 1
        need(at < len(expected), f"{number}: '{key}:' is no key here")
        need(value or key.startswith("item"), f"{number}: '{key}:' is empty")
        found[key] = (number, value)
        at += 1
    missing = [key.rstrip("!") for key in expected[at:] if key.endswith("!")]
    need(not missing, f"{lines[-1][0] if lines else 1}: '{(missing or [''])[0]}:' is missing behind this line")
    return found


def split_lines(text):
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        need(len(line) <= LONGEST["line"], f"{number}: longer than {LONGEST['line']} characters")
        if line.strip() and not line.startswith("#"):
            found = re.fullmatch(r"(mutant [a-z0-9_]+|[a-z0-9][a-z0-9 .]*):(?:\s+(.*))?", line)
            need(found, f"{number}: expected 'key: value'")
            lines.append((number, found[1], (found[2] or "").strip()))
    return lines


def check_fields(fields, folder, stem):
    """Single values: names, families, verdicts, lengths."""
    limits = {"name": rf"[a-z0-9_]{{1,{LONGEST['name']}}}", "family": "|".join(map(re.escape, FAMILIES)), "idea": f".{{1,{LONGEST['idea']}}}",
              "verdict": "|".join(VERDICTS), "from 3.1": "|".join(VERDICTS), "section": r"(API|C) \d+(\.\d+)*(, (API|C) \d+(\.\d+)*)*",
              "place": r"[0-3]( [0-3]){0,3}"}
    for key, pattern in limits.items():
        if key in fields:
            number, value = fields[key]
            need(re.fullmatch(pattern, value), f"{number}: '{value}' is no {key}")
    need(fields["name"][1] == stem, f"{fields['name'][0]}: the name is not the file's, {stem}")
    need("from 3.1" not in fields or fields["from 3.1"][1] != fields["verdict"][1], f"{fields.get('from 3.1', (1,))[0]}: the same as 'verdict:'")
    need((fields["family"][1] == "publish") == ("group 0" in fields), f"{fields['family'][0]}: publish has groups, other families items")


def check_version(items, folder):
    if folder == "kernels_cl12":
        new = [event.text() for events in items for event in events if event.scope]
        need(not new, f"'{(new or [''])[0]}' is of OpenCL 2.0, the folder of 1.2")


def read_mutants(lines, words, places, items, folder):
    mutants = {}
    for number, key, value in lines:
        if key.startswith("mutant "):
            name = key.split()[1]
            need(name not in mutants, f"{number}: there is a mutant {name} already")
            edits = at_line(number, read_edits, value, not places)
            changed = at_line(number, edited, items, edits)
            at_line(number, check_items, words, places, changed)
            at_line(number, check_version, changed, folder)
            mutants[name] = (edits, number)
    return mutants


def read_text(text, folder, stem):
    """The test; what is wrong begins with the number of the line."""
    lines = split_lines(text)
    fields = check_keys(lines, folder)
    check_fields(fields, folder, stem)
    words = at_line(fields["words"][0], read_words, fields["words"][1])
    publication = "group 0" in fields
    places = [] if publication else fields["place"][1].split()
    keys = ["group 0", "group 1"] if publication else [f"item {n}" for n in range(len(places))]
    items = [at_line(fields[key][0], read_events, fields[key][1], publication) for key in keys]
    for number in range(len(keys)):
        at_line(fields[keys[number]][0], check_version, [items[number]], folder)
    registers = check_items(words, places, items, [fields[key][0] for key in keys])
    weak = at_line(fields["weak"][0], read_weak, fields["weak"][1])
    known = registers | {word.name for word in words}
    for left, _, right in weak:
        need(left in known and (right.isdigit() or right in known), f"{fields['weak'][0]}: {left} or {right} is never read")
    verdict = fields["verdict"][1]
    mutants = read_mutants(lines, words, places, items, folder)
    values = {key: value for key, (_, value) in fields.items()}
    return Test("", values, words, places, items, weak, (verdict, values.get("from 3.1", verdict)), mutants)


def read_file(path):
    """The test of a file, pathlib.Path; what is wrong begins with file and line."""
    try:
        test = read_text(path.read_text(), path.parent.parent.name, path.stem)
    except FormatError as error:
        raise FormatError(f"{path}:{error}") from None
    test.file = str(path)
    return test


def mutated(test, name):
    """The test with the edits of its mutant made."""
    return dataclasses.replace(test, items=edited(test.items, test.mutants[name][0]), mutants={})
