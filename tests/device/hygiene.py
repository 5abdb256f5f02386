#!/usr/bin/env -S python3 -B
"""The macros of the kernel contract take nothing from a kernel's own variables: a kernel whose variables carry every plausible name,
in each of which each macro is used, is right on every driver, and compiles for clang with every macro.
    tests/device/hygiene.py CLREDUCE [all]    on drivers with one operation that is drawn and one type; all: with three of two"""
import pathlib
import random
import re
import shutil
import string
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from suite import Suite  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORDS = """acc accumulator all answer at bytes block_n begin both bound chunk combined count counter data done element end flag found
    fourth func global_n group groups guess index input item items j1 key last lane lanes least left len length loads local_n lo
    made me mine n2 name nan next number offset one out other out2 pair part partial partials_n piece pieces_n place previous rank
    result right scratch2 second segment seed share size spare start stop step stream_n stride sum sums tail temp third total tmp turn
    two v0 val value values vectors_n width word words xs ys zero""".split()
NAMES = [name for name in string.ascii_lowercase + string.ascii_uppercase] + WORDS
HEAD = """//@ name:   {name}
//@ idea:   variables of every name
//@ span:   each
//@ lanes:  1
//@ group:  tree
//@ finish: {finish}
//@ needs:  local_memory
//@ types:  all
//@ ops:    all
//@ source: none
"""
# In the block of each name: the name is what the macros are given, and nothing else has it.
LOADS = """        case {at}: {{
            const ulong {name} = red_case_at;
            if ({name} < red_case_n)
                red_case_sum = RED_COMBINE(red_case_sum, RED_LOAD({name}));
            break;
        }}
"""
# Each macro of the table in docs/kernels.md, with a variable of every kind it may be given.
USES = """    {{
        uint {name} = 1;
        red_case_sum = RED_COMBINE(red_case_sum, RED_LOAD({name} - 1));
        red_case_sum = RED_COMBINE(red_case_sum, red_item_range(RED_ARGS, 16 * {name}, 17 * {name}));
        red_case_sum = RED_COMBINE(red_case_sum, red_item_turns(RED_ARGS, {name}, {name}, red_case_n));
        red_case_sum = RED_COMBINE(red_case_sum, red_item_piece(RED_ARGS_AT({name}), red_case_n, {name}, {name}));
        red_case_sum = RED_COMBINE(red_case_sum, RED_FOLD(4, RED_LOAD_VEC(4, {name})));
        red_case_sum = RED_COMBINE(red_case_sum, RED_FOLD(16, RED_LOAD_VEC(16, {name})));
    }}
    {{
        RED_A {name} = RED_IDENTITY;
        {name} = RED_COMBINE({name}, RED_COMBINE({name}, RED_LOAD(0)));
        {name} = RED_LOWER({name}, {name});
#ifdef RED_CMPXCHG
        {name} = RED_FROM_WORD(RED_AS_WORD({name}));
        red_cmpxchg_combine(red_case_out, {name});
        RED_XCHG((volatile global RED_WORD *)red_case_out, RED_AS_WORD({name}));
#endif
#ifdef RED_HIGHER
        {name} = RED_HIGHER({name}, {name});
#endif
        {name} = red_group_tree({name}, red_case_scratch);
        barrier(CLK_LOCAL_MEM_FENCE);
        RED_TELLS({name});
        red_case_sum = RED_COMBINE(red_case_sum, {name});
    }}
    {{
        RED_VEC(RED_WIDTH) {name}[RED_LOADS];
#define RED_CASE_{name}(red_case_j) {name}[red_case_j] = RED_IDENTITY;
        RED_EACH_LOAD(RED_CASE_{name})
        red_case_sum = RED_COMBINE(red_case_sum, RED_FOLD_LOADS({name}));
    }}
    {{
        global RED_A *{name} = red_case_out;
        red_case_sum = RED_COMBINE(red_case_sum, red_item_partials({name}));
    }}
"""


def driver_kernel(name):
    """Each element is loaded in the block of one name: right only if the macros meet what they mean in all of them."""
    cases = "".join(LOADS.format(at=at, name=word) for at, word in enumerate(NAMES))
    return (HEAD.format(name=name, finish="host") +
            "RED_KERNEL reduce(RED_INPUT, const ulong red_case_n, global RED_A *restrict red_case_out, global uint *restrict red_case_c) {\n"
            "    RED_LOCAL(RED_A, red_case_scratch, RED_GROUP_SIZE);\n    const ulong red_case_at = get_global_id(0);\n"
            "    RED_A red_case_sum = RED_IDENTITY;\n    switch (red_case_at % " + str(len(NAMES)) + ") {\n" + cases + "    }\n"
            "    red_case_sum = red_group_tree(red_case_sum, red_case_scratch);\n"
            "    if (get_local_id(0) == 0)\n        red_case_out[get_group_id(0)] = red_case_sum;\n}\n")


def syntax_kernel(name):
    """Every macro in the block of every name, and names in local memory."""
    uses = "".join(USES.format(name=word) for word in NAMES)
    arrays = "".join(f"    RED_LOCAL(RED_A, {word}, 2);\n" for word in NAMES)
    return (HEAD.format(name=name, finish="polled") + "#if RED_WORD_BITS != 0\n#define RED_TELLS(v) RED_TELL(v)\n#else\n#define RED_TELLS(v)\n#endif\n"
            "void red_case_names(void) {\n" + "".join(f"    uint {word} = 0;\n    (void){word};\n" for word in NAMES) + "}\n"
            "kernel void red_case_arrays(RED_INPUT, RED_ANSWER) {\n" + arrays + "}\n"
            "RED_KERNEL reduce(RED_INPUT, const ulong red_case_n, global RED_A *restrict red_case_out, global uint *restrict red_case_c, RED_ANSWER) {\n"
            "    RED_LOCAL(RED_A, red_case_scratch, RED_GROUP_SIZE);\n    RED_A red_case_sum = RED_IDENTITY;\n" + uses +
            "    red_case_out[0] = red_case_sum;\n}\n")


def compiles(clreduce, kernel, op, dtype, folder, old="", new=""):
    """What clang says of the program, with one word in place of another; empty if it takes it."""
    text = subprocess.run([clreduce, "strategies", "--kernel", kernel, "--source", "hygiene_syntax", "--op", op, "--type", dtype],
                          capture_output=True, text=True, check=True).stdout
    source = folder / f"{op}_{dtype}.cl"
    source.write_text(re.sub(rf"\b{old}\b", new, text) if old else text)
    ended = subprocess.run(["clang", "-x", "cl", "-cl-std=CL1.2", "-target", "spir64", "-Xclang", "-finclude-default-header", "-Xclang",
                            "-cl-ext=+all", "-fsyntax-only", "-Werror", source],
                           capture_output=True, text=True, check=False)
    return ended.stderr[:600] if ended.returncode else ""


def main():
    clreduce, suite = sys.argv[1], Suite(tells=True)
    # Every name of the prelude that is no macro's parameter would collide: they all begin with red_ or RED_.
    named = re.findall(r'^#include "(lib/.*)"', (ROOT / "kernels_cl12/lib/prelude.cl").read_text(), re.M)
    parts = [path.read_text() for path in ROOT.glob("kernels_cl*/lib/*.cl") if f"lib/{path.name}" in named]
    if len(parts) != len(named) or not parts:
        sys.exit(f"the prelude's files are {named}, of which {len(parts)} are there")
    prelude = re.sub(r"/\*.*?\*/", "", "\n".join(parts), flags=re.S)
    macros = set(re.findall(r"^# *define +(\w+)", prelude, re.M))
    functions = set(re.findall(r"^[A-Za-z_]\w* (\w+)\(", prelude, re.M))
    taken = [name for name in sorted(macros | functions) if not re.match("(?i)red_", name)]
    suite.judge(f"{len(macros)} macros and {len(functions)} functions of the prelude begin with red_", not taken, taken)
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        (folder / "hygiene.cl").write_text(driver_kernel("hygiene"))
        (folder / "hygiene_syntax.cl").write_text(syntax_kernel("hygiene_syntax"))
        if shutil.which("clang") is None:
            print("skip  clang is not installed")
        for op, dtype in (("dot", "f32"), ("sum", "f16"), ("max", "i64"), ("argmin", "f32"), ("argmax", "i64")) if shutil.which("clang") else ():
            said = compiles(clreduce, folder / "hygiene_syntax.cl", op, dtype, folder)
            suite.judge(f"{len(NAMES)} names in every macro, {op} of {dtype}", not said, said)
        # The test itself: a name that a macro takes from where it stands, and that somebody's variable has.
        for old, new in (("red_x", "x"), ("red_y", "y"), ("red_answer", "answer")) if shutil.which("clang") else ():
            said = compiles(clreduce, folder / "hygiene_syntax.cl", "dot", "f32", folder, old, new)
            suite.judge(f"{new} in place of {old} is found", said)
        choice = ("sum,dot,argmin", "f32,i64") if sys.argv[2:] else (random.choice(["sum", "dot", "argmin"]), random.choice(["f32", "i64"]))
        print("on drivers: {} of {}".format(*choice))
        ended = subprocess.run([clreduce, "verify", "--kernel", folder / "hygiene.cl", "--op", choice[0], "--type", choice[1], "--wg", "64",
                                "--n", "1,100,1000,4097"], capture_output=True, text=True, check=False)
        if ended.returncode == 77:
            print("skip  no driver")
        else:
            closing = (ended.stdout.strip().splitlines() or ["nothing"])[-1]
            suite.judge(f"on drivers: {closing}", ended.returncode == 0, ended.stdout[-1500:] + ended.stderr[-1500:])
    sys.exit(suite.end())


main()
