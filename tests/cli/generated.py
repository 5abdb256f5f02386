#!/usr/bin/env -S python3 -B
"""Command lines and files that nobody would write, by the hundred: whatever they are, the program ends with a status that the
README has, says why where that is 4, writes no control character, and no sanitizer finds anything.
    tests/cli/generated.py lines|files CLREDUCE [COUNT [SEED]]
lines  every verb with its options and odd values of them. No driver is there, so that nothing is measured but on the host.
files  result files, duels, policies, registers, another program's times, journals and kernels, changed at random.
The seed is told; with it the same are made again."""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from script import begin  # noqa: E402

begin(__doc__)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STATUSES = (0, 1, 2, 3, 4, 5, 77, 130, 141)
FOUND = re.compile(rb"AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|runtime error:|Assertion|stack smashing|corrupted")
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
AT_WORK_S, END_S = 15, 20
HERE = ROOT / "results/cpu-2-cores.json"
HOSTILE = ["", " ", "-", "--", "\x1b[2Jx", "\x9b31m", "\u009b1m", "\x07", "a\nb", "\t", "\r", "%s%n%d", "'", '"', "`id`", "$(id)", "<b>&amp;", "]]>",
           "\\", "é", "\ufeff", "\U0001f600", "x" * 5000, "x" * 70000, "../" * 400, "\udcff\udcfe", "*", "[", "[!", "?", ",", ",,", "a,", "{}"]
NUMBERS = ["0", "-1", "+1", "1e999", "-0", "nan", "inf", "0x10", "1.5", "18446744073709551615", "18446744073709551616", "9223372036854775808",
           "4294967296", "2^64", "2^63", "2^-1", "1..", "..1", "2^10..2^4", "0..100:+0", "1..9:x1", "1..9:x-2", "2^10..2^12:x4", "1000", "7", "2^10",
           "1,2,3", "1,,2", "0.001", "50ms", "1s", "1e-9", "3601", "99999999999999999999999999"]
NAMES = ["sum", "f32", "tree", "chunk", "host", "pocl", "intel", "openmp", "tre", "summ", "all", "'*'", "table", "json", "csv", "md", "html", "svg",
         "h", "man", "bash", "array", "segments:4x8", "segments:", "segments:0x0", "segments:99999999999x99999999999", "iterate:3", "iterate:-1", "iterate",
         "machine,driver", "fast", "full", "aa-fast", "slow-5", "4x4", "16x8", "3x3", "A=B", "=B", "A", "junit", "junit=", "=x", "markdown=out",
         "junit=/nowhere/x", "juint=x", "markdown=-", "annotations=/dev/null", "sum_few", "int"]
FILES = ["RESULT", "KERNEL", "DUEL", "FOLDER", "nosuch", "/dev/null", "/dev/full", "/", ".", "/proc/self/environ", "-", "out", "out/x",
         "/dev/stdin", "/root/none/x"]


class Flaw(Exception):
    pass


def judge(command, folder, environment, note=""):
    """Runs it; a run that is still at work after a while is told to end."""
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
        program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder, env=environment,
                                   start_new_session=True)
        try:
            status = program.wait(AT_WORK_S)
        except subprocess.TimeoutExpired:
            program.terminate()
            try:
                status = program.wait(END_S)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
                raise Flaw(f"does not end within {END_S} s of SIGTERM")
    out, err = (folder / "stdout").read_bytes(), (folder / "stderr").read_bytes()
    if FOUND.search(out + err):
        raise Flaw("a sanitizer's report: " + FOUND.search(out + err).group().decode() + ": " + err[-2000:].decode(errors="replace"))
    if status not in STATUSES:
        raise Flaw(f"exit status {status}: {err[-500:].decode(errors='replace')}")
    if status == 4 and not err.strip():
        raise Flaw("exit status 4 without a word")
    raw = CONTROL.search(out) or CONTROL.search(err)
    if raw:
        raise Flaw(f"writes the control character {raw.group()!r} at {raw.string[max(0, raw.start() - 60):raw.start() + 20]!r}")
    return status


# ---- command lines ----

def verbs(clreduce):
    """The options of each verb, from its help: name, and whether it takes a value."""
    listed = subprocess.run([clreduce, "--help"], capture_output=True, text=True, check=True).stdout
    found = {}
    for verb in re.findall(r"^  ([a-z]+) +\S", listed, re.M) + ["manual", "worker"]:
        text = subprocess.run([clreduce, verb, "--help"], capture_output=True, text=True, check=True).stdout
        found[verb] = [(name, bool(value)) for name, value in re.findall(r"--([a-z-]+)(=[A-Z=]+)?", text.split("Example:")[0])]
    return found


def value_for(pick, option):
    """Now and then what it wants, mostly what it does not."""
    kind = pick.random()
    if kind < 0.3:
        return pick.choice(NUMBERS)
    if kind < 0.6:
        return pick.choice(NAMES)
    if kind < 0.8:
        return pick.choice(FILES)
    return pick.choice(HOSTILE)


def line(pick, known):
    verb = pick.choice(list(known))
    if verb == "worker":  # talks to who starts it, by a socket
        verb = "bench"
    words = [verb]
    for _ in range(pick.choice([0, 1, 1, 2, 2, 3, 5])):
        option, takes = pick.choice(known[verb]) if pick.random() < 0.93 else (pick.choice(HOSTILE + ["nosuch", "devic"]), True)
        if option in ("help", "usage", "version") and pick.random() < 0.9:
            continue
        name = "--" + (option if pick.random() < 0.95 else option[:3])
        if not takes and pick.random() < 0.95:
            words.append(name)
        elif pick.random() < 0.5:
            words.append(name + "=" + value_for(pick, option))
        else:
            words += [name, value_for(pick, option)]
    for _ in range(pick.choice([0, 0, 1, 2]) if verb in ("compare", "report", "recommend", "emit") else pick.random() < 0.05):
        words.append(pick.choice(["RESULT"] * 4 + FILES + HOSTILE[:8]))
    if verb == "bench" and pick.random() < 0.3:
        words += ["--device", "host", "--n", "1000", "--time-per-cell", "1ms"]
    return words


def one_line(clreduce, known, seed, folder):
    pick = random.Random(seed)
    words = line(pick, known)
    # Copies: an option that writes may come by any of them.
    places = {"FOLDER": str(folder)}
    for word, source in (("RESULT", HERE), ("KERNEL", ROOT / "kernels_cl12/reduce/tree.cl"), ("DUEL", ROOT / "tests/fuzz/corpus/duel/same")):
        places[word] = str(folder / (word.lower() + source.suffix))
        if word in words:
            shutil.copy(source, places[word])
    # No argument has a byte 0.
    command = [clreduce, *(places.get(word, word).encode("utf-8", "surrogateescape").replace(b"\0", b"") for word in words)]
    by_mpi = any(word.split(b"=")[0] in (b"--ranks", b"--ran", b"--each", b"--eac") for word in command[1:])
    return judge(command, folder, surroundings(folder, by_mpi)), words


def surroundings(folder, by_mpi=False):
    """MPI's modules keep memory to the end, and are unloaded by then, so that no suppression could name them: then leaks are not looked for."""
    drivers = folder / "drivers"
    drivers.mkdir(exist_ok=True)
    return os.environ | {"OCL_ICD_VENDORS": str(drivers), "HOME": str(folder), "TMPDIR": str(folder),
                         "ASAN_OPTIONS": f"detect_leaks={int(not by_mpi)}:allocator_may_return_null=1:abort_on_error=0", "UBSAN_OPTIONS": "print_stacktrace=1"}


# ---- files ----

def shorter(path, cells):
    """A result file of a few cells: sanitizers make reading slow."""
    run = json.loads(path.read_text())
    run["cells"] = run["cells"][:cells]
    return json.dumps(run, indent=1)


def journal(clreduce, work):
    """What a killed run of the host leaves."""
    folder = work / "journal"
    folder.mkdir()
    command = [clreduce, *RESUMED]
    program = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=surroundings(folder))
    place = folder / "r.json.journal"
    for _ in range(400):
        if program.poll() is not None or (place.exists() and b'"sample"' in place.read_bytes()):
            break
        time.sleep(0.02)
    program.kill()
    program.wait()
    return place.read_text(errors="surrogateescape") if place.exists() else ""


RESUMED = ["bench", "--device", "host", "--n", "2^10,2^11,2^12", "--time-per-cell", "0.3", "--data-sets", "1", "--output", "r.json"]


def kinds(clreduce, work):
    """Of each kind of file: what it is, and the commands that read it as F."""
    result = shorter(HERE, 24)
    duels = [path.read_text(errors="surrogateescape") for path in sorted((ROOT / "tests/fuzz/corpus/duel").iterdir())]
    return {
        "result": ([result, shorter(ROOT / "results/epyc-2-cores-groups.json", 24)],
                   [["compare", "F", "G"], ["compare", "G", "F", "--across", "all", "--format", "json"], ["compare", "--drivers", "F", "G"],
                    ["compare", "--drivers", "F", "G", "--format", "csv"], ["recommend", "F"], ["recommend", "F", "--format", "h"],
                    ["recommend", "F", "G", "--format", "json"], ["report", "F", "--format", "md"],
                    ["report", "F", "G", "--format", "md"], ["report", "F", "--output", "page.html"], ["report", "F", "--format", "svg"],
                    ["emit", "F", "--output", "emitted"]]),
        "peer": ([(ROOT / "results/h200/cub-1-f32.json").read_text()],
                 [["report", "F", str(ROOT / "results/h200/clreduce-1-f32.json"), "--format", "md"], ["compare", "F", "G"]]),
        "duel": (duels, [["duel", "--replay", "F"], ["duel", "--replay", "F", "--export", "junit=-"], ["duel", "--replay", "F", "--format", "csv"],
                         ["duel", "--replay", "F", "--output", "again.json"]]),
        "policy": ([path.read_text(errors="surrogateescape") for path in sorted((ROOT / "tests/fuzz/corpus/policy").iterdir())[:40]],
                   [["duel", "--policy", "F", "--device", "host"]]),
        "register": ([path.read_text() for path in sorted((ROOT / "tests/expect").glob("*.expect"))], [["verify", "--expect", "F"]]),
        "journal": ([journal(clreduce, work)], [[*RESUMED, "--resume"]]),
        "kernel": ([(ROOT / name).read_text() for name in ("kernels_cl12/reduce/tree.cl", "kernels_cl20/reduce/wg_reduce.cl")],
                   [["strategies", "--kernel", "F"], ["strategies", "--kernel", "F", "--source", "tree"], ["emit", "G", "--kernel", "F", "--output", "emitted"]]),
    }


def changed_value(pick, value):
    choices = [None, True, False, 0, -1, 1e300, -1e-300, 2 ** 63, 2 ** 53 + 1, [], {}, "", pick.choice(HOSTILE), [value], {"x": value}, str(value), [[]] * 50]
    return pick.choice(choices)


def changed_json(pick, text):
    """One to four members changed, left out, doubled or moved."""
    root = json.loads(text)
    for _ in range(pick.choice([1, 1, 2, 4])):
        at, path = root, 0
        while path < 12:
            keys = list(at) if isinstance(at, dict) else list(range(len(at))) if isinstance(at, list) else []
            if not keys:
                break
            key = pick.choice(keys)
            if isinstance(at[key], (dict, list)) and at[key] and pick.random() < 0.85:
                at, path = at[key], path + 1
                continue
            way = pick.random()
            if way < 0.55:
                at[key] = changed_value(pick, at[key])
            elif way < 0.75:
                del at[key]
            elif isinstance(at, list):
                at += [at[key]] * pick.choice([1, 3, 200])
            else:
                at[pick.choice(HOSTILE) or "x"] = at[key]
            break
    return json.dumps(root, ensure_ascii=pick.random() < 0.5).replace("NaN", "1e999").encode("utf-8", "surrogatepass" if pick.random() < 0.2 else "replace")


def changed_bytes(pick, data):
    for _ in range(pick.choice([1, 1, 2, 8])):
        at = pick.randrange(len(data) + 1)
        end = min(len(data), at + pick.choice([1, 2, 10, 100, 1000]))
        piece = pick.choice([b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[2J", b"\n", b'"', b"{", b"[" * 3000, b"]", b",", b":", b"-", b"1e999", b"9" * 400,
                             b"x" * 5000, b"\r\n", b"\xc2\x9b", b"#", b"//@ ", data[at:end] * 2, bytes([pick.randrange(256)])])
        data = data[:at] + piece + data[end if pick.random() < 0.6 else at:]
    way = pick.random()
    return data[:pick.randrange(len(data) + 1)] if way < 0.1 else b"\xef\xbb\xbf" + data if way < 0.13 else data


def one_file(clreduce, known, seed, folder):
    pick = random.Random(seed)
    kind = pick.choice(list(known))
    texts, commands = known[kind]
    text = pick.choice(texts)
    is_json = text.startswith("{") and kind != "journal"
    try:
        data = changed_json(pick, text) if is_json and pick.random() < 0.6 else changed_bytes(pick, text.encode("utf-8", "surrogateescape"))
    except ValueError:
        data = changed_bytes(pick, text.encode("utf-8", "surrogateescape"))
    place = folder / ("r.json.journal" if kind == "journal" else "file")
    place.write_bytes(data)
    (folder / "good.json").write_text(known["result"][0][0])
    command = [clreduce, *({"F": str(place), "G": str(folder / "good.json")}.get(word, word) for word in pick.choice(commands))]
    return judge(command, folder, surroundings(folder)), [kind, *command[1:]]


def main():
    what, clreduce = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve())
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    first = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
    print(f"{what}: {count} of seed {first}; the same again: tests/cli/generated.py {what} CLREDUCE {count} {first}")
    failed, statuses = 0, {}
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        known, attempt = (verbs(clreduce), one_line) if what == "lines" else (kinds(clreduce, work), one_file)

        def one(number):
            folder = work / str(number)
            folder.mkdir()
            try:
                status, _ = attempt(clreduce, known, first + number, folder)
                return number, status, None
            except Flaw as flaw:
                return number, None, flaw
            finally:
                if failed < 20:
                    subprocess.run(["rm", "-rf", "--", str(folder)], check=False)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for number, status, flaw in pool.map(one, range(count)):
                statuses[status] = statuses.get(status, 0) + 1
                if flaw is not None:
                    failed += 1
                    print(f"FAIL  {what} 1 {first + number}: {describe(what, known, first + number)}: {flaw}", flush=True)
    print(f"exit statuses: {', '.join(f'{status}: {n}' for status, n in sorted(statuses.items(), key=str))}; {failed} failed")
    return failed > 0


def describe(what, known, seed):
    if what == "lines":
        return shlex.join(word[:80] for word in line(random.Random(seed), known)).encode("ascii", "backslashreplace").decode()
    return "a " + random.Random(seed).choice(list(known))


if __name__ == "__main__":
    sys.exit(main())
