#!/usr/bin/env python3
"""Plants one fault at a time into tests/device/planted.cl, a kernel like those of the catalogue, and wants `clreduce verify` to reject
each, whatever the seed. Every fault names the class of docs/checking.md that it belongs to.

Exit status: 0 if all were rejected, 1 if one was not, 77 without the device."""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.realpath(__file__))
LONG_N = "2^32+5"
FEW_N = "0,1,63..65:+1,1000,2^16+5"
MANIFEST = """//@ name:   {name}
//@ idea:   a planted fault
//@ span:   stride
//@ lanes:  4x4
//@ group:  tree
//@ finish: host
//@ needs:  local_memory{needs}
//@ types:  {type}
//@ ops:    {op}
//@ source: a slip of the pen
{counterpart}"""

def starts():
    """A start that is none: for each way through the elements, constants of any size."""
    rows = [("max", "f32", "0"), ("min", "f32", "0"), ("max", "f32", "1.17549435e-38f"), ("max", "f32", "-1e-30f"),
            ("max", "f32", "-1e30f"), ("min", "f32", "FLT_MAX"), ("max", "f64", "0"), ("max", "f64", "-1e300"),
            ("min", "f64", "3.4e38"), ("max", "i32", "0"), ("max", "i32", "-2147483647"), ("min", "i32", "0"),
            ("min", "u32", "0x7fffffff"), ("max", "i8", "-127"), ("min", "u8", "254"), ("max", "i64", "-2147483648L"),
            ("min", "u64", "0xffffffffUL"), ("max", "f16", "-65000.0f"), ("sum", "f32", "1"), ("dot", "i32", "1"),
            ("argmax", "f32", "0x80000000ffffffffUL"), ("argmin", "i32", "0x7fffffff00000000UL")]
    paths = ["VECTOR_START", "START", "IDLE"]
    for at, (op, kind, value) in enumerate(rows):
        for path in [paths[at % 3]] if at > 2 else paths:
            yield ("start", op, kind, {path: f"({value})"})


def types():
    """Values that go through another type."""
    yield "type", "max", "f64", {"VECTOR_LOADED(x)": "RED_OF(convert_double, RED_WIDTH)(RED_OF(convert_float, RED_WIDTH)(x))"}
    yield "type", "min", "f64", {"LOADED(x, i)": "(double)(float)(x)"}
    yield "type", "max", "f64", {"COMBINED(a, b)": "((float)(a) >= (float)(b) ? (a) : (b))"}
    yield "type", "max", "f64", {"OUT(x)": "(double)(float)(x)"}
    yield "type", "max", "i64", {"LOADED(x, i)": "(long)(double)(x)"}
    yield "type", "min", "i32", {"LOADED(x, i)": "(int)(float)(x)"}
    yield "type", "max", "u64", {"COMBINED(a, b)": "((uint)(a) >= (uint)(b) ? (a) : (b))"}
    yield "type", "min", "i64", {"COMBINED(a, b)": "((a) >> 32 <= (b) >> 32 ? (a) : (b))"}
    yield "type", "max", "i32", {"COMBINED(a, b)": "((uint)(a) > (uint)(b) ? (a) : (b))"}
    yield "type", "min", "i32", {"COMBINED(a, b)": "((uint)(a) < (uint)(b) ? (a) : (b))"}
    yield "type", "max", "u32", {"COMBINED(a, b)": "((int)(a) > (int)(b) ? (a) : (b))"}
    yield "type", "min", "u8", {"COMBINED(a, b)": "((char)(a) < (char)(b) ? (a) : (b))"}
    for op, sign in (("max", ">"), ("min", "<")):
        yield "type", op, "f32", {"COMBINED(a, b)": f"(as_int(a) {sign} as_int(b) ? (a) : (b))"}
        yield "type", op, "f32", {"COMBINED(a, b)": f"(fabs(a) {sign} fabs(b) ? (a) : (b))"}
    yield "type", "max", "f32", {"COMBINED(a, b)": "(as_uint(a) > as_uint(b) ? (a) : (b))"}


def widths():
    """Sums, products, indices and numbers of elements of too few bits."""
    loop = "{t} part = 0; ulong k = 0; for (ulong i = first; i < n; i += items_n) {{ part += red_x[i]; " \
           "if (++k % {k} == 0) {{ value += (RED_A)part; part = 0; }} }} value += (RED_A)part;"
    never = 1 << 40
    for op, kind, part, flush in (("sum", "i8", "char", never), ("sum", "u8", "uchar", 2), ("sum", "i8", "short", never),
                                  ("sum", "u8", "ushort", never), ("sum", "i8", "short", 259), ("sum", "u8", "ushort", 258),
                                  ("sum", "i64", "int", never), ("sum", "u64", "uint", 7), ("mean", "i32", "int", 3)):
        yield "narrow", op, kind, {"ITEM": loop.format(t=part, k=f"{flush}UL")}
    yield "narrow", "sum", "f64", {"OUT(x)": "(double)(float)(x)"}
    cut = "for (ulong i = first; i < n; i += items_n) value += {};"
    yield "narrow", "sum", "f64", {"ITEM": cut.format("(isnan(red_x[i]) || fabs(red_x[i]) < DBL_MIN ? red_x[i] : as_double(as_ulong(red_x[i]) & ~127UL))")}
    yield "narrow", "dot", "f64", {"ITEM": cut.format("red_x[i] * (double)(float)red_y[i]")}
    yield "narrow", "dot", "u8", {"ITEM": cut.format("(ulong)red_x[i] * (red_y[i] == 255 ? 255 : red_y[i] & ~6)")}
    yield "narrow", "dot", "i32", {"ITEM": cut.format("(ulong)(long)red_x[i] * (ulong)(long)(red_y[i] | 1)")}
    step = "for (ulong i = first; i < n; i += items_n) value = RED_COMBINE(value, RED_LOAD({}));"
    for op, kind in (("sum", "f32"), ("sum", "i8")):
        for index in ("(ulong)(float)i", "i & 0xffffff", "min(i, 0xffffffUL)"):
            yield "index", op, kind, {"ITEM": step.format(index)}
    yield "index", "sum", "f32", {"N(n)": "(ulong)(float)(n)"}
    yield "index", "sum", "i8", {"N(n)": "((n) & 0xffffff)"}
    yield "index", "max", "f32", {"N(n)": "min((ulong)(n), 0xffffffUL)"}
    for op, kind in (("max", "f32"), ("min", "i8"), ("argmax", "f64")):
        yield "index", op, kind, {"VECTOR_PLACE(v)": "((v) * RED_WIDTH & 0xffffff) / RED_WIDTH"}
    pairs = "for (ulong i = 2 * first; i < n; i += 2 * items_n) {{ {t} s = ({t})((int)red_x[i] * red_y[i]); " \
            "if (i + 1 < n) s = ({t})(s + (int)red_x[i + 1] * red_y[i + 1]); value += (RED_A)s; }}"
    yield "narrow", "dot", "i8", {"ITEM": pairs.format(t="short")}
    yield "narrow", "dot", "u8", {"ITEM": pairs.format(t="ushort")}


def places():
    """Elements lost or doubled, at a place, a remainder of n, or a group size."""
    for op, kind in (("sum", "f32"), ("max", "i32"), ("argmin", "f32")):
        yield "place", op, kind, {"LOST(i)": "(i) + 1 == n"}
        yield "place", op, kind, {"VECTOR_LOST(v)": "(v) == 0"}
        yield "place", op, kind, {"VECTOR_LOST(v)": "(v) + 1 == vectors_n"}
        yield "place", op, kind, {"LOST(i)": "(i) == RED_WIDTH * vectors_n"}
        yield "place", op, kind, {"VECTOR_PLACE(v)": "((v) == 5 ? 4 : (v))"}
        yield "place", op, kind, {"IN_GROUP(x)": "(item + 1 == RED_GROUP_SIZE && item > 0 ? RED_IDENTITY : (x))"}
    yield "place", "dot", "i32", {"LOADED(x, i)": "((i) + 1 == n ? (x) + (x) : (x))"}
    yield "place", "sum", "f64", {"PLACE(i)": "((i) + 1 == n && (i) > 0 ? (i) - 1 : (i))"}
    yield "place", "sum", "u8", {"OUT(x)": "(group == 1 ? RED_IDENTITY : (x))"}
    yield "place", "max", "f64", {"OUT(x)": "(group == 1 ? RED_IDENTITY : (x))"}
    for op, kind in (("sum", "i32"), ("max", "f32")):
        for wrong in ("(n) % 64 == 1", "(n) % 64 == 17", "(n) % 64 == 63", "(n) > 200 && (n) % (RED_WIDTH * RED_LOADS) == RED_WIDTH * RED_LOADS - 1",
                      "(n) > 128 && (n) % 64 == 40"):
            yield "remainder", op, kind, {"N(n)": f"((n) > 1 && {wrong} ? (n) - 1 : (n))"}
    for size, op, kind in ((2, "sum", "i32"), (5, "max", "f32"), (33, "sum", "f64"), (128, "min", "i8"), (511, "sum", "f32"),
                           (1025, "sum", "i64"), (2048, "sum", "u64"), (1025, "max", "f32"), (2047, "argmin", "i32"),
                           (2048, "min", "u8"), (4096, "max", "f64")):
        yield "group size", op, kind, {"IN_GROUP(x)": f"(RED_GROUP_SIZE == {size} && item + 1 == {size} ? RED_IDENTITY : (x))"}


def values():
    """Values that are taken for others."""
    for op, kind in (("sum", "i32"), ("mean", "u8"), ("sumsq", "i64")):
        for path in ("LOADED(x, i)", "VECTOR_LOADED(x)"):
            yield "value", op, kind, {path: "((x) | 8)"}
    yield "value", "sum", "u32", {"LOADED(x, i)": "((x) ? (x) : 8192)"}
    yield "value", "sum", "i8", {"LOADED(x, i)": "((x) ? (x) : 1)"}
    for op, kind, path, text in (("sum", "f32", "OUT(x)", "clamp((x), -2147483648.0f, 2147483647.0f)"),
                                 ("dot", "f32", "LOADED(x, i)", "((RED_A)convert_long_sat(x))"),
                                 ("mean", "f32", "LOADED(x, i)", "(fabs(x) < 1e-30f && (x) != 0 ? 0 : (x))"),
                                 ("sumsq", "f64", "OUT(x)", "(fabs(x) < 1e-200 ? 0 : (x))"),
                                 ("sum", "f64", "LOADED(x, i)", "(fabs(x) > 1e200 && !isinf(x) ? 0 : (x))"),
                                 ("sum", "f16", "LOADED(x, i)", "((x) > 16384 && !isinf((float)(x)) ? 16384 : (x))")):
        yield "value", op, kind, {path: text}
    skipping = "for (ulong i = first; i < n; i += items_n) if (!({})) value += RED_LOAD(i);"
    yield "special", "dot", "f32", {"ITEM": skipping.format("isnan(red_y[i])")}
    yield "special", "dot", "f64", {"ITEM": skipping.format("isinf(red_x[i])")}
    yield "place", "sum", "i32", {"OUT(x)": "(group == 40 ? RED_IDENTITY : (x))"}
    for op, kind, lost in (("sum", "f32", "i == 0 && isnan(red_x[i])"), ("sum", "f64", "i + 1 == n && isnan(red_x[i])"),
                           ("mean", "f32", "i == 0 && isinf(red_x[i])"), ("sum", "f32", "i + 1 == n && isinf(red_x[i])")):
        yield "special", op, kind, {"ITEM": skipping.format(lost)}


def memories():
    """Answers of an earlier call, and every k-th call."""
    kept = "global ulong key[64]; global RED_A kept[64]; global uint calls[64]; " \
           "RED_A keep(uint g, ulong now, RED_A value) { if (g >= 64) return value; if (key[g] != now) { key[g] = now; kept[g] = value; } return kept[g]; } " \
           "bool turn(uint g, uint k) { return g < 64 && ++calls[g] % k == 0; }"
    samples = "((ulong)as_uint(red_x[0]) * 31 + as_uint(red_x[n / 2]) * 7 + as_uint(red_x[n - 1]) + n * 1000003UL + 1)"
    for op in ("sum", "max"):
        yield "memory", op, "f32", {"HEAD": kept, "OUT(v)": "keep(group, n + 1, v)"}
        yield "memory", op, "f32", {"HEAD": kept, "OUT(v)": "keep(group, (ulong)red_x + 1, v)"}
        yield "memory", op, "f32", {"HEAD": kept, "OUT(v)": f"(n > 0 ? keep(group, {samples}, v) : (v))"}
        for calls in (3, 7, 16):
            yield "call", op, "f32", {"HEAD": kept, "OUT(v)": f"(turn(group, {calls}) ? (v) + 1 : (v))"}


def others():
    for faults in (types, widths, places, values, memories):
        yield from faults()


def long_ones():
    """An index or an n of 31 or 32 bits: more than 4 GiB of bytes, which a default verify does not take."""
    step = "for (ulong i = first; i < n; i += items_n) value = RED_COMBINE(value, RED_LOAD({}));"
    yield "long index", "sum", "i8", {"ITEM": step.format("i & 0x7fffffff")}
    yield "long index", "sum", "u8", {"ITEM": step.format("(uint)i")}
    yield "long index", "sum", "i8", {"N(n)": "((uint)(n))"}


def faults():
    return [(f"planted_{at:03}", *fault) for at, fault in enumerate([*starts(), *others(), *long_ones()])]


def text_of(name, op, kind, planted):
    head = planted.get("HEAD")
    manifest = MANIFEST.format(name=name, op=op, type=kind, needs=", program_scope" if head else "",
                               counterpart="//@ counterpart: tree\n" if head else "")
    defines = "".join(f"#define {what} {text}\n" for what, text in planted.items() if what != "HEAD")
    return manifest + (head + "\n" if head else "") + defines + open(os.path.join(HERE, "planted.cl"), encoding="utf-8").read()


def judge(options, folder, fault, seed):
    name, group, op, kind, planted = fault
    path = os.path.join(folder, f"{name}_{seed}.cl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text_of(name, op, kind, planted))
    done = subprocess.run([options.clreduce, "verify", "--kernel", path, "--device", options.device, "--op", op, "--type", kind,
                           "--seed", str(seed), "--first", "--time-per-cell", "600", *(["--n", LONG_N, "--wg", "64"] if group == "long index" else [])], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    os.unlink(path)
    said = re.search("^wrong: .*", done.stderr + done.stdout, re.M)
    what = f"{group}, {op} {kind}: " + "; ".join(f"{key} {text[:60]}" for key, text in planted.items() if key != "HEAD")
    if done.returncode == 2 and said:
        return "rejected", f"rejected  {name} seed {seed}  {what}\n          {said[0]}"
    if done.returncode == 77 and "HEAD" in planted:
        return "skipped", f"skipped   {name} seed {seed}  {what}: no variables of a program"
    return "FAILED", f"FAILED    {name} seed {seed}  {what}: exit {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clreduce")
    parser.add_argument("--device", default="intel")
    parser.add_argument("--seeds", type=int, default=0, help="each fault with so many; 0: one fault and one seed of each of an eighth of the classes, all drawn")
    parser.add_argument("--draw", type=int, default=random.SystemRandom().randrange(1 << 31), help="what is drawn follows from it")
    parser.add_argument("--only", default="", help="of this class, or of this name; those of the class 'long index' only so")
    options = parser.parse_args()
    listed = subprocess.run([options.clreduce, "verify", "--device", options.device, "--strategy", "serial", "--type", "i32", "--op", "sum",
                             "--n", "1"], capture_output=True, text=True)
    if listed.returncode in (4, 77):
        print(f"skipped: there is no device {options.device} on this machine")
        return 77
    generator = random.Random(options.draw)
    chosen = [fault for fault in faults() if (options.only in (fault[0], fault[1]) if options.only else fault[1] != "long index")]
    if options.seeds:
        tries = [(fault, seed) for seed in range(1, options.seeds + 1) for fault in chosen]
    else:
        classes = sorted({fault[1] for fault in chosen})
        classes = sorted(generator.sample(classes, (len(classes) + 7) // 8))
        tries = [(generator.choice([fault for fault in chosen if fault[1] == name]), generator.randrange(1 << 31)) for name in classes]
    print(f"{len(tries)} of {len(chosen)} faults on {options.device}, --draw {options.draw}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sound.cl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text_of("sound", "all", "all", {}))
        sound = subprocess.run([options.clreduce, "verify", "--kernel", path, "--device", options.device, "--op", "sum,max,argmin", "--type",
                                "u8,f64", "--wg", "7,64", *([] if options.seeds else ["--n", FEW_N])], capture_output=True, text=True)
    if sound.returncode != 0:
        print(f"FAILED    without a fault: exit {sound.returncode}: {sound.stderr}")
        return 1
    counts = {"rejected": 0, "skipped": 0, "FAILED": 0}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        for state, line in pool.map(lambda one: judge(options, folder, *one), tries):
            counts[state] += 1
            print(line, flush=True)
    print(f"{counts['rejected']} rejected, {counts['FAILED']} not, {counts['skipped']} skipped")
    return 1 if counts["FAILED"] or not counts["rejected"] else 0


if __name__ == "__main__":
    sys.exit(main())
