#!/usr/bin/env -S python3 -B
"""No file of code is longer than 1,000 lines, and no function longer than 60, from its first word to its last brace: C and C++ of src/, bench/
and tests/, and Python of bench/ and tests/.
    tests/tree/lengths.py"""
import ast
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402

begin(__doc__)
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILE_LINES, FUNCTION_LINES = 1000, 60
C_FILES = {".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cuh"}
# Comments, texts and characters, in which a brace is none. A ' behind a digit parts digits of C++.
NO_CODE = re.compile(r'/\*.*?\*/|//(?:\\\n|[^\n])*|R"(?P<end>[^()\\\s]{0,16})\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)(?:\\\n|[^\n])*", re.M)
CONTAINER = re.compile(r"\b(?:extern|namespace|struct|class|union)\b")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)", re.S)
MACRO = re.compile(r"\s*[A-Z][A-Z0-9_]*\s*\((?:[^(){}]|\([^(){}]*\))*\)[ \t]*\n(?=\s*\w)")  # a line of its own, without a semicolon
NAME = re.compile(r"(\w+)\s*\(")
ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)|\boperator\b")


def blank(found):
    return re.sub(r"[^\n]", " ", found[0])


class Reader:
    """Goes through C by its braces. Of the branches of an #if each begins as deep as the first."""

    def __init__(self, text):
        self.functions = []  # (name, first line, lines)
        self.open, self.branches = [], []
        self.head, self.head_line, self.line = "", 0, 1
        text = NO_CODE.sub(blank, text)
        at = 0
        for directive in DIRECTIVE.finditer(text):
            self.read(text[at:directive.start()])
            self.direct(directive[1])
            self.line += directive[0].count("\n")
            at = directive.end()
        self.read(text[at:])

    def direct(self, word):
        if word in ("if", "ifdef", "ifndef"):
            self.branches.append((list(self.open), self.head, self.head_line, None))
        elif word in ("else", "elif") and self.branches:
            opened, head, line, first = self.branches.pop()
            self.branches.append((opened, head, line, first or (list(self.open), self.head, self.head_line)))
            self.open, self.head, self.head_line = list(opened), head, line
        elif word == "endif" and self.branches:
            first = self.branches.pop()[3]
            if first is not None:
                self.open, self.head, self.head_line = first

    def read(self, text):
        for character in text:
            if character == "\n":
                self.line += 1
            if character == "{":
                self.begin()
            elif character == "}":
                self.end()
            elif character == ";":
                self.head = ""
            elif self.head or not character.isspace():
                self.head_line = self.head_line if self.head else self.line
                self.head += character

    def begin(self):
        """A function, where nothing but containers is around it, and its parameters stand before it."""
        outside = all(kind == "container" for kind, _ in self.open)
        while (macro := MACRO.match(self.head)) is not None:
            self.head_line += macro[0].count("\n")
            self.head = self.head[macro.end():]
        named = NAME.search(ATTRIBUTE.sub(blank, self.head))
        if outside and named and not ASSIGNS.search(self.head):
            self.open.append((named[1], self.head_line))
        else:
            self.open.append(("container" if outside and CONTAINER.search(self.head) and "=" not in self.head else "other", 0))
        self.head = ""

    def end(self):
        name, line = self.open.pop() if self.open else ("other", 0)
        if line > 0:
            self.functions.append((name, line, self.line - line + 1))
        self.head = ""


def functions_of(path, text):
    if path.suffix in C_FILES:
        return Reader(text).functions
    return [(node.name, node.lineno, node.end_lineno - node.lineno + 1) for node in ast.walk(ast.parse(text))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def is_python(path):
    if path.suffix:
        return path.suffix == ".py"
    with open(path, "rb") as file:
        return re.match(rb"#!.*\bpython3?\b", file.readline()) is not None


def files():
    for folder in ("src", "bench", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and (path.suffix in C_FILES or (folder != "src" and is_python(path))):
                yield path


# What a reader of braces may stumble over; behind it is where each function begins, and how long it is.
TRICKY = r"""
#define OPENS(x) if (x) {
#define LOOP(x) \
    for (;;) { \
        x
FIELDS(A, (1, 2))
OTHERS(B)
__attribute__((format(printf, 1, 2))) static void
two_lines(const char *brace, char c) { /* { */
    puts("{ \" {"); // {
    c = '{' + '\'' + '"';
}
static const struct { int x[2]; } rows[] = {{{1, 2}}, {{3, 4}}};
#ifdef A
int chosen(int a) {
#else
int chosen(int b) {
    b = 1;
#endif
    return ((struct s){1}).x;
}
REALS(named) { return 1'000 + '{'; }
extern "C" {
namespace outer {
struct thing : base {
    int method() const {
        return [&] { return R"x({ ")x"; }();
    }
    thing() : a(1), b(2) {
    }
};
}
}
enum { LAST = 3 };
int last(void) {
}
"""
TRICKY_FOUND = [("two_lines", 8, 5), ("chosen", 15, 7), ("REALS", 22, 1), ("method", 26, 3), ("thing", 29, 2), ("last", 35, 2)]


def reader_faults():
    """Where this reader is wrong, or would overlook what is too long by one line."""
    found = functions_of(pathlib.Path("tricky.cc"), TRICKY)
    faults = [f"{pathlib.Path(__file__).name}: of its own example it reads {found}, not {TRICKY_FOUND}"] if found != TRICKY_FOUND else []
    for path, text in (("a.c", "int f(void) {\n" + "    ;\n" * 59 + "}\n"), ("a.py", "@cached\ndef f():\n" + "    1\n" * 60)):
        if [n for _, _, n in functions_of(pathlib.Path(path), text)] != [FUNCTION_LINES + 1]:
            faults.append(f"{pathlib.Path(__file__).name}: a function of {FUNCTION_LINES + 1} lines in {path} is not seen")
    return faults


def main():
    faults = reader_faults()
    files_n = functions_n = 0
    for path in files():
        text = path.read_text()
        lines = text.count("\n")
        found = functions_of(path, text)
        files_n, functions_n = files_n + 1, functions_n + len(found)
        at = path.relative_to(ROOT)
        if lines > FILE_LINES:
            faults.append(f"{at}: {lines} lines, {FILE_LINES} at most: a part of it is a subject of its own")
        faults += [f"{at}:{first}: {name} has {n} lines, {FUNCTION_LINES} at most: a step of it is a function of its own" for name, first, n in found
                   if n > FUNCTION_LINES]
    for fault in faults:
        print(fault)
    print(f"{files_n} files, {functions_n} functions, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
