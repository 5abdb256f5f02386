"""What OpenCL promises of a litmus test: forbidden, allowed or nothing (a data race), up to OpenCL 3.0 and from 3.1. Goes through all candidate
executions (values, reads-from, modification orders) and keeps those that the rules permit. API is the OpenCL API specification, C that of OpenCL C:
scopes API 3.3.6; happens-before, races, coherence 3.3.7; atomics and seq_cst 3.3.7.1; fences 3.3.7.2; barriers 3.3.7.3; 1.x C 6.15.12.5, 6.15.12.8.
Not modelled: sub-groups, images, values out of thin air, tearing (a torn access is one that races, or that is no single access)."""
import dataclasses
import itertools
import typing

from events import UNREAD, Event, Word

WIDTH = {"wg": 1, "dev": 2, "all": 3}
# C 6.15.12.5: the fences of 1.x are fences of the group. C 6.15.12.8: its atomics are relaxed, of the group.
FENCES_1 = {"mem": "ar", "write": "rel", "read": "acq"}
ATOMICS_1 = ("xchg", "or", "add")
RELEASES, ACQUIRES = ("rel", "ar", "sc"), ("acq", "ar", "sc")
OPERATORS = {"=": lambda a, b: a == b, "!=": lambda a, b: a != b, ">": lambda a, b: a > b}
HANDED = "handed over: "  # words by which a publication's poller tells its group what it read


@dataclasses.dataclass(eq=False)
class Action:
    """One access of a word, or one fence. A read-modify-write is a read and the write behind it; a barrier two fences."""
    kind: str  # R, W or F
    item: int  # -1: the value at first
    order: str = "plain"
    scope: str = ""  # none: not atomic
    word: str = ""
    value: int = 0
    spaces: frozenset = frozenset()  # of G and L
    barrier: tuple = ()  # (which of the item's barriers, in or out)
    modifies: bool = False  # of a read: the next action is its write
    index: int = -1


@dataclasses.dataclass
class Program:
    """What is judged: words by name, (group, device) of each item, their steps, and weak(registers of items, last values)."""
    words: dict
    places: list
    items: list  # of each item a list of steps: an Event, or (register, word) with "hand" or "take"
    weak: typing.Callable


def alternative(event, value):
    """The actions of one event that reads the value, if it reads."""
    space = frozenset("GL" if event.flags == "GL" else event.flags.replace("0", ""))
    order = "rlx" if event.order in ATOMICS_1 else FENCES_1.get(event.order, event.order)
    scope = event.scope or ("wg" if event.order in ATOMICS_1 or event.kind in "FB" else "")
    common = {"order": order, "scope": scope, "word": event.word}
    if event.kind == "F":
        return [dict(kind="F", order=order, scope=scope, spaces=space)]
    if event.kind == "B":
        fence = dict(kind="F", scope=scope, spaces=space)
        return [dict(fence, order="rel", barrier="in"), dict(fence, order="acq", barrier="out")]
    modifies = event.kind == "X" or event.order in ATOMICS_1  # 1.x stores by atomic_xchg and loads by atomic_or
    if event.kind == "W" and not modifies:
        return [dict(kind="W", value=int(event.value), **common)]
    reads = [dict(kind="R", value=value, modifies=modifies, **common)]
    if modifies:
        written = value + int(event.value or 0) if event.value.startswith("+") or event.kind == "R" else int(event.value)
        reads.append(dict(kind="W", value=written, **common))
    return reads


def reads(event):
    return event.kind in "RX" or event.order in ATOMICS_1


def domains(program):
    """The values that each word may have: those that are stored, sums of additions, what is handed over."""
    values = {word: {0} for word in program.words}
    steps = [step for item in program.items for step in item]
    for _ in range(len(steps)):
        for step in steps:
            if isinstance(step, Event) and step.value.startswith("+"):
                most = sum(isinstance(other, Event) and other.word == step.word and other.value == "+1" for other in steps)
                values[step.word] |= {value + int(step.value) for value in values[step.word] if value < most + 4}
            elif isinstance(step, Event) and step.value:
                values[step.word].add(int(step.value))
            elif not isinstance(step, Event) and step[0] == "hand":
                source = next(other.word for other in steps if isinstance(other, Event) and other.register == step[1])
                values[step[2]] |= values[source]
    return {word: sorted(found) for word, found in values.items()}


def handing_over(step, registers):
    """The access by which a publication's item hands a register over, or takes it."""
    what, register, word = step
    if what == "take":
        return Event("R", "plain", word=word, register=register)
    return Event("W", "plain", word=word, value=str(registers.get(register, UNREAD)))


def paths(steps, values, number):
    """Each way through an item's steps, every read taking each value of its word: (actions, registers)."""
    ways = [([], {}, 0)]
    for step in steps:
        longer = []
        for actions, registers, barriers in ways:
            event = step if isinstance(step, Event) else handing_over(step, registers)
            if event.guard and registers.get(event.guard[0], UNREAD) != event.guard[1]:
                longer.append((actions, registers, barriers))
                continue
            for value in values[event.word] if event.word and reads(event) else [None]:
                new = [Action(item=number, **made) for made in alternative(event, value)]
                for action in new:
                    if action.barrier:
                        action.barrier = (barriers, action.barrier)
                known = {**registers, event.register: value} if event.register else registers
                longer.append((actions + new, known, barriers + (event.kind == "B")))
        ways = longer
    return [(actions, registers) for actions, registers, _ in ways]


class Execution:
    """One candidate: actions, what each read reads, the order of the stores to each word."""

    def __init__(self, program, actions, source, position, newer):
        self.program, self.actions, self.newer = program, actions, newer
        self.source = source  # of a read: the action that it reads
        self.position = position  # of a write: its place in the modification order of its word
        self.happens = {"G": self.happens_before("G"), "L": self.happens_before("L")}

    def space(self, action):
        return "G" if self.program.words[action.word].space == "global" else "L"

    def width(self, action, space):
        """The width of a scope, reduced (API 3.3.6): of local memory at most the group; `all` is the device but for SVM with atomics."""
        if not action.scope:
            return 0
        svm = self.program.words[action.word].svm if action.word else any(word.svm for word in self.program.words.values())
        most = WIDTH["wg"] if space == "L" else WIDTH["all"] if svm else WIDTH["dev"]
        return min(WIDTH[action.scope], most)

    def inclusive(self, a, b, space):
        """Inclusive scopes (API 3.3.6): wide enough for both items, and up to 3.0 the same."""
        one, other = self.width(a, space), self.width(b, space)
        if not one or not other or (one != other and not self.newer):
            return False
        (group_a, device_a), (group_b, device_b) = self.program.places[a.item], self.program.places[b.item]
        if device_a is not None and device_a == device_b:
            return min(one, other) >= (WIDTH["wg"] if group_a == group_b else WIDTH["dev"])
        return min(one, other) >= WIDTH["all"]

    def in_sequence(self, head, write):
        """Whether the write is in the release sequence of head (API 3.3.7): stores behind it by its item, or read-modify-writes, without a gap."""
        if head.word != write.word or self.position[write] < self.position[head]:
            return False
        between = [other for other in self.position if other.word == head.word and self.position[head] < self.position[other] <= self.position[write]]
        return all(other.item == head.item or self.actions[other.index - 1].modifies for other in between)

    def synchronizes(self, space):
        """Pairs of API 3.3.7.1 and 3.3.7.2 in one space: a release, or a release fence before a store, with an acquire, or an acquire fence
        behind the load that reads it or what follows in its release sequence."""
        pairs = []
        fences = [action for action in self.actions if action.kind == "F" and space in action.spaces]
        for read, source in self.source.items():
            if self.space(read) != space or not read.scope:
                continue
            tails = [read] * (read.order in ACQUIRES)
            tails += [fence for fence in fences if fence.item == read.item and fence.index > read.index and fence.order in ACQUIRES]
            for store in self.position if tails else ():
                if store.item in (-1, read.item) or not store.scope or not self.in_sequence(store, source):
                    continue
                heads = [store] * (store.order in RELEASES)
                heads += [fence for fence in fences if fence.item == store.item and fence.index < store.index and fence.order in RELEASES]
                pairs += [(head, tail) for head in heads for tail in tails if self.inclusive(head, tail, space)]
        return pairs

    def bridged(self, pairs):
        """Of pairs of the other space those that hold in both: fences with both flags (API 3.3.7.2). That two seq_cst operations synchronize
        in both spaces (3.3.7.1) orders nothing, since only actions of a space are in its happens-before (3.3.7)."""
        return [(a, b) for a, b in pairs if len(a.spaces) == 2 and len(b.spaces) == 2]

    def happens_before(self, space):
        """The relation of API 3.3.7 among the actions of a space: of each action the bits of those behind it."""
        mine = [action for action in self.actions if (space in action.spaces if action.kind == "F" else self.space(action) == space)]
        after = [0] * len(self.actions)
        for a in mine:
            for b in mine:
                entered = a.barrier and b.barrier and a.barrier == (b.barrier[0], "in") and b.barrier[1] == "out"
                together = entered and self.program.places[a.item] == self.program.places[b.item]  # API 3.3.7.3
                if together and a.item != b.item or (a.item == b.item and a.index < b.index and a.item >= 0) or (a.item < 0 <= b.item):
                    after[a.index] |= 1 << b.index
        other = "L" if space == "G" else "G"
        for a, b in self.synchronizes(space) + self.bridged(self.synchronizes(other)):
            after[a.index] |= 1 << b.index
        for middle in range(len(after)):
            for first, behind in enumerate(after):
                if behind >> middle & 1:
                    after[first] |= after[middle]
        return after

    def before(self, a, b):
        """Whether access a happens before access b of the same word."""
        return self.happens[self.space(a)][a.index] >> b.index & 1

    def coherent(self):
        """No cycle of happens-before, the four rules of coherence, and of words that are no atomics the visible side effect (API 3.3.7)."""
        if any(after[number] >> number & 1 for after in self.happens.values() for number in range(len(after))):
            return False
        accesses = [action for action in self.actions if action.word]
        for a in accesses:
            for b in accesses:
                if a.word == b.word and a is not b and self.before(a, b):
                    at, behind = self.position[self.source.get(a, a)], self.position[self.source.get(b, b)]
                    if at > behind or (at == behind and b.kind == "W"):
                        return False
        return all(read.scope or self.visible(source, read) for read, source in self.source.items())

    def visible(self, store, read):
        others = [other for other in self.position if other is not store and other.word == read.word]
        return self.before(store, read) and not any(self.before(store, other) and self.before(other, read) for other in others)

    def races(self):
        """API 3.3.7: accesses of two items to a word, one a store, not both atomic with inclusive scopes, that nothing orders."""
        accesses = [action for action in self.actions if action.word and action.item >= 0]
        return any(a.item != b.item and a.word == b.word and "W" in (a.kind, b.kind) and not self.inclusive(a, b, self.space(a))
                   and not self.before(a, b) and not self.before(b, a) for a, b in itertools.combinations(accesses, 2))

    # The order S of all seq_cst operations (API 3.3.7.1). An operation is the index of its first action.
    def of_operation(self, operation):
        action = self.actions[operation]
        return [action, self.actions[operation + 1]] if action.modifies else [action]

    def one_scope(self, x, y):
        """Whether S orders the two. A scope bounds whom an order concerns (API 3.3.5), though 3.3.7.1 speaks of one S: see README.md."""
        a, b = self.actions[x], self.actions[y]
        space = "L" if any(self.space(c) == "L" if c.word else c.spaces == {"L"} for c in (a, b)) else "G"
        return self.inclusive(a, b, space)

    def forced(self, x, y):
        """Whether x must stand before y in S, since y before x would break a rule."""
        xs, ys = self.of_operation(x), self.of_operation(y)
        if any(after[a.index] >> b.index & 1 for after in self.happens.values() for a in xs for b in ys):
            return True
        if any(a.kind == b.kind == "W" and a.word == b.word and self.position[a] < self.position[b] for a in xs for b in ys):
            return True
        # Were y before x: the stores of y, or before the fence y, would have to be seen by what x reads, or reads behind the fence x.
        fence_x, fence_y = xs[0].kind == "F", ys[0].kind == "F"
        stores = [a for a in self.position if a.item == ys[0].item and a.index < y] if fence_y else ys
        behind = [a for a in self.actions if a.word and a.scope and a.item == xs[0].item and a.index > x] if fence_x else xs
        for store in stores:
            for later in behind:
                if store.kind != "W" or not store.scope or store.word != later.word or not (fence_x or fence_y):
                    continue
                if later.kind == "R" and self.position[self.source[later]] < self.position[store]:
                    return True
                if later.kind == "W" and fence_x and fence_y and self.position[later] < self.position[store]:
                    return True
        return False

    def sequential(self):
        """Whether there is an order S: a place for each operation behind those that must come before it, each load reading what S lets it."""
        operations = [a.index for a in self.actions if a.order == "sc" and not (a.kind == "W" and self.actions[a.index - 1].modifies)]
        if len(operations) < 2:
            return True
        earlier = {y: {x for x in operations if x != y and self.one_scope(x, y) and self.forced(x, y)} for y in operations}

        def place(done):
            if len(done) == len(operations):
                return True
            return any(earlier[x] <= set(done) and self.loads(x, done) and place(done + [x]) for x in operations if x not in done)
        return place([])

    def loads(self, operation, done):
        """A seq_cst load reads the last seq_cst store before it in S, or a store that is not seq_cst and does not happen before that one."""
        read = self.actions[operation]
        if read.kind != "R":
            return True
        stores = [a for x in done if self.one_scope(x, operation) for a in self.of_operation(x) if a.kind == "W" and a.word == read.word]
        source = self.source[read]
        if stores and source is stores[-1]:
            return True
        if source.order == "sc" and self.inclusive(source, read, self.space(read)):
            return False
        return not stores or not self.before(source, stores[-1])


def orders_of(writes, source):
    """The modification orders of one word, in which each read-modify-write stands directly behind what it read (API 3.3.7.1)."""
    first, rest = writes[0], writes[1:]
    must = {write: source[read] for read, write in ((r, w) for r in source for w in rest if r.modifies and w.index == r.index + 1)}
    for order in itertools.permutations(rest):
        chain = (first,) + order
        if all(must.get(write, before) is before for before, write in zip(chain, order)):
            yield {write: place for place, write in enumerate(chain)}


def readable(read, actions):
    """The stores that a read may read: of its word and value, and not behind it in its item."""
    return [a for a in actions if a.kind == "W" and a.word == read.word and a.value == read.value and not (a.item == read.item and a.index > read.index)]


def executions(program, newer):
    """The consistent executions: (Execution, registers of items, last values of words)."""
    values = domains(program)
    ways = [paths(steps, values, number) for number, steps in enumerate(program.items)]
    for chosen in itertools.product(*ways):
        first = [Action("W", -1, word=word) for word in program.words]
        actions = first + [dataclasses.replace(action) for way, _ in chosen for action in way]
        for number, action in enumerate(actions):
            action.index = number
        loads = [action for action in actions if action.kind == "R"]
        for sources in itertools.product(*(readable(read, actions) for read in loads)):
            source = dict(zip(loads, sources))
            per_word = [list(orders_of([a for a in actions if a.kind == "W" and a.word == word], source)) for word in program.words]
            for orders in itertools.product(*per_word):
                position = {write: place for order in orders for write, place in order.items()}
                execution = Execution(program, actions, source, position, newer)
                if execution.coherent() and execution.sequential():
                    last = {write.word: write.value for write in sorted(position, key=position.get)}
                    yield execution, [registers for _, registers in chosen], last


def verdict(program, newer):
    """forbidden, allowed or nothing."""
    reached = False
    for execution, registers, last in executions(program, newer):
        if execution.races():
            return "nothing"
        reached = reached or program.weak(registers, last)
    return "allowed" if reached else "forbidden"


def condition(weak):
    """weak(registers, last values) from the conditions of a test."""
    def value(text, known):
        return int(text) if text.isdigit() else known.get(text, UNREAD)
    return lambda known: all(OPERATORS[how](value(left, known), value(right, known)) for left, how, right in weak)


def of_items(test):
    """The program of a test of items. A place is GROUP, GROUP@DEVICE, or h, the host."""
    weak = condition(test.weak)
    places = [(None, None) if place == "h" else (place, place.partition("@")[2]) for place in test.places]
    return Program({word.name: word for word in test.words}, places, test.items,
                   lambda registers, last: weak({**last, **{name: value for item in registers for name, value in item.items()}}))


def handing(events, hands):
    """The steps of an item of the receiving group: what item one read is handed over by a local word at the first barrier behind it."""
    steps, waiting = [], []
    for event in events:
        if event.kind == "B" and waiting:
            handed = [(register, HANDED + register) for register in waiting]
            before, after = ([("hand", *pair) for pair in handed], []) if hands else ([], [("take", *pair) for pair in handed])
            steps, waiting = steps + before + [event] + after, []
            continue
        if event.role == "one" and event.register:
            waiting.append(event.register)
        if hands or event.role == "all":
            steps.append(event)
    return steps


def of_publication(test):
    """Programs of a publication: item one and another of each group. Each item of group 0 has words of its own, those that `all:` uses; an
    item of group 1 reads those of another item: one program in which the reader reads what item one wrote, one in which both read the other's."""
    shared = {word.name: word for word in test.words}
    own = {event.word for event in test.items[0] if event.role == "all" and event.word}

    def renamed(steps, item):
        return [dataclasses.replace(step, word=f"{step.word} of {item}") if isinstance(step, Event) and step.word in own else step for step in steps]
    weak = condition(test.weak)
    handed = {event.register for event in test.items[1] if event.role == "one" and event.register}
    for seen in ((1, 0), (1, 1)):
        words = {name: word for name, word in shared.items() if name not in own}
        words.update({f"{name} of {item}": shared[name] for name in own for item in range(2)})
        words.update({HANDED + register: Word(HANDED + register, "local", 32) for register in handed})
        receivers = [renamed(handing(test.items[1], hands), item) for hands, item in zip((True, False), seen)]
        senders = [renamed([event for event in test.items[0] if item == 0 or event.role == "all"], item) for item in range(2)]
        yield Program(words, [("0", ""), ("0", ""), ("1", ""), ("1", "")], senders + receivers,
                      lambda registers, last: any(weak({**last, **registers[0], **registers[1], **mine}) for mine in registers[2:]))


def one_width(programs):
    """Whether no two scopes differ, so that 3.1 changes nothing."""
    steps = [step for program in programs for item in program.items for step in item if isinstance(step, Event)]
    return len({step.scope or "wg" for step in steps if step.kind in "FB" or step.scope or step.order in ATOMICS_1}) < 2


CACHE = {}


def judge(test):
    """(verdict up to 3.0, verdict from 3.1)"""
    key = repr((test.words, test.places, test.items, test.weak))
    if key not in CACHE:
        programs = list(of_publication(test)) if test.publication else [of_items(test)]
        worst = []
        for newer in (False,) if one_width(programs) else (False, True):
            found = [verdict(program, newer) for program in programs]
            worst.append(max(found, key=("forbidden", "allowed", "nothing").index))
        CACHE[key] = (worst[0], worst[-1])
    return CACHE[key]
