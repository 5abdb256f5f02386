#!/usr/bin/env -S python3 -B
"""Makes a good driver bad, one fault at a time, and looks at what the program makes of it: it must survive and name
every one, and rank no time that cannot be right.
    tests/device/faults.py CLREDUCE LAYER [SEED | all | FAULT...]   a quarter of the faults, which the seed draws, all, or these
LAYER is the library made of tests/broken/layer, which lists its faults there."""
import csv
import ctypes
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
from drawn import drawn  # noqa: E402
from driver import POCL, need_pocl  # noqa: E402
from script import begin  # noqa: E402

begin(__doc__)

RIGHT, FINE = "pass", 0
ROW = r" serial [0-9.]+"  # of the table of times: on a busy machine no sentence tells which strategy is the fastest
# fault, exit status, state of every cell on the device, what must be told: in a reason, on the screen or on stderr.
# The state "-" stands for no result file at all.
FAULTS = [
    # Event times: the answer is by the host's clock, and says so.
    ("times_zero", FINE, RIGHT, "event times untrusted .all stamps are the same"),
    ("times_constant", FINE, RIGHT, "event times untrusted .all stamps are the same"),
    ("times_swapped", FINE, RIGHT, "event times untrusted .END is [0-9]+ ns before START"),
    ("times_wrapped", FINE, RIGHT, "event times untrusted .END is [0-9]+ ns before START"),
    ("times_late", FINE, RIGHT, "event times untrusted .SUBMIT is [0-9]+ ns after START"),
    ("times_short", FINE, RIGHT, "event times untrusted .START to END (grows 0.00|does not grow)"),
    ("times_long", FINE, RIGHT, "event times untrusted .START to END is .* host waited"),
    ("times_fixed", FINE, RIGHT, "event times untrusted .START to END does not grow with the work"),
    ("times_random", FINE, RIGHT, "event times untrusted .START to END"),
    ("times_jump", FINE, RIGHT, "event times untrusted .START to END is .* host waited"),
    ("times_coarse", FINE, RIGHT, "event times untrusted .*(the clock steps by|END is START|all stamps)"),
    ("times_missing", FINE, RIGHT, "event times untrusted .the driver has no event times"),
    # Errors.
    ("context_fails", 5, "failed", "clCreateContext failed with CL_OUT_OF_HOST_MEMORY"),
    ("queue_fails", 5, "failed", "clCreateCommandQueue failed with CL_INVALID_QUEUE_PROPERTIES"),
    ("profiling_fails", FINE, RIGHT, "event times untrusted .the driver has no event times"),
    ("buffer_fails", 77, "unsupported", "no room on pocl"),
    ("launch_fails@3", 77, "unsupported", "CL_OUT_OF_RESOURCES"),
    ("read_fails@3", 5, "failed", "CL_OUT_OF_RESOURCES"),
    ("device_lost@5", 5, "failed", "CL_DEVICE_NOT_AVAILABLE"),
    ("device_lost@200", 5, "failed", "CL_DEVICE_NOT_AVAILABLE"),
    ("build_fails", 77, "build-failed", "error:.*fake"),
    ("no_compiler", 77, "unsupported", "has no compiler"),
    # A launch before the host has waited for the one before: what tree_passes does, and tree_passes_waiting must not.
    ("refuses_unawaited@1", FINE, RIGHT, "tree_passes_waiting +[0-9]"),
    ("refuses_unawaited@2", 5, "failed", "CL_INVALID_OPERATION"),
    # Wrong results.
    ("wrong_group", 2, "wrong", "DO NOT USE on pocl: serial gave WRONG results: sum of f32 at n = 2.10: .*expected .*, got"),
    ("wrong_group@300", 2, "wrong", "(a result went wrong|expected .*, got)"),
    ("launch_lost@2", 2, "wrong", "expected .*, got"),
    ("launch_lost@400", 2, "wrong", "a result went wrong while it was timed"),
    ("launch_skipped@400", 2, "wrong", "a result went wrong while it was timed"),
    ("stale", 2, "wrong", "expected .*, got"),
    ("writes_beyond", 2, "wrong", "(behind|beyond|canary)"),
    ("writes_input", 2, "wrong", "input"),
    # Memory that the device or the host sees late, or not at all.
    ("late_write", FINE, RIGHT, "."),
    ("stale_map@1", 77, "unsupported", "no host_visible_buffer: group size 32: the host does not see what the kernel stored"),
    ("stale_map@2", 77, "unsupported", "no host_visible_buffer: unsteady: right [0-9]+ of [0-9]+ times; group size [0-9]+: the host does"),
    ("map_fails", 77, "unsupported", "no host_visible_buffer: clEnqueueMapBuffer failed with CL_MAP_FAILURE .-12"),
    # Results in the host's memory, as NVIDIA's driver makes it: mapped to be read, and not while a kernel may write there.
    ("host_buffers@1", FINE, RIGHT, "grid_stride_vec +[0-9]"),
    ("host_buffers@2", 5, "failed", "CL_MAP_FAILURE .-12"),
    ("svm_null", 77, "unsupported", "no svm: clSVMAlloc returned no memory .NULL."),
    ("loops_end_early", FINE, RIGHT, "no read roof of form 2 on pocl: .*it does not read everything"),
    # The driver's end. It is told where it happened.
    ("crash_load", 5, "-", "crashed .SIGSEGV. while being asked what devices there are"),
    ("exit_load", 5, "-", "ended the program .exit status 0. while being asked"),
    ("hang_load", 5, "-", "no answer in 2 s while being asked"),
    ("abort_list", 5, "-", "crashed .SIGABRT. while being asked"),
    ("crash_info", 5, "-", "crashed .SIGSEGV. while being asked"),
    ("crash_context", 5, "crashed", "crashed .SIGSEGV. while opening the device"),
    ("hang_context", 5, "timed-out", "no answer in 2 s while opening the device"),
    ("crash_build", 5, "crashed", "crashed .SIGSEGV."),
    ("abort_build", 5, "crashed", "crashed .SIGABRT."),
    ("hang_build", 5, "timed-out", "no answer in"),
    ("crash_launch@3", 5, "crashed", "crashed .SIGSEGV. while (trying|verifying)"),
    ("crash_launch@60", 5, "crashed", "crashed .SIGSEGV. while (warming up|measuring)"),
    ("exit_launch@3", 5, "crashed", "ended the program .exit status 0."),
    ("hang_launch@3", 5, "timed-out", "no answer in"),
    ("flood_launch@3", 5, "crashed", "it wrote more than 64 MiB while .*last words: fake driver: it prints"),
    ("abort_read@3", 5, "crashed", "crashed .SIGABRT."),
    ("hang_finish@3", 5, "timed-out", "no answer in"),
    ("crash_unload", FINE, RIGHT, "crashed .SIGSEGV. while being unloaded"),
    ("hang_unload", FINE, RIGHT, "the driver did not end within 2 s and was killed"),
    # Limits, and what a driver says.
    ("limit_allocation", 77, "unsupported", "the largest possible n"),
    ("no_platforms", 77, "-", "no OpenCL device found"),
    ("no_devices", 77, "-", "no OpenCL device found"),
    ("fills_short", FINE, RIGHT, "scan_chunk_chained +[0-9]"),
    # What costs nothing.
    *((fault, FINE, RIGHT, "serial +[0-9]") for fault in (
        "chatters", "children_launch", "limit_group@1", "limit_group@12", "limit_group@384", "understates_group@1", "limit_local", "limit_units", "no_units", "queries_unknown",
        "queries_empty", "denies_extensions", "denies_svm", "strings_empty", "strings_long", "strings_endless", "strings_binary")),
]
# Of verify: how many checks end in a state before the strategy is given up.
GIVEN_UP = [("crash_launch@9", "crashed", 3), ("hang_launch@3", "timed-out", 1), ("exit_launch@9", "crashed", 3)]
# Of the surveys of verify: the driver fails before the first answer, or between two.
SURVEYS = [("--special", "crash_launch@1", "crashed"), ("--special", "crash_launch@14", "crashed"), ("--special", "hang_launch@9", "timed-out"),
           ("--accuracy", "crash_launch@9", "crashed"), ("--special", "read_fails@9", "failed")]
# Of bench: a launch in groups of 16 spoils the context of its process. The cells of other groups are not to blame.
SPOILT = [("context_lost@16", "8,16,32")]
# Of devices and verify: what is told of a capability, and why no check is made.
TOLD = [("devices", (), 0, "host_visible_buffer: unsteady: right [0-9]+ of [0-9]+ times; group size"),
        ("verify", ("--strategy", "polled_stride"), 77, "no host_visible_buffer: unsteady: right [0-9]+ of [0-9]+ times")]
# Of a platform that wants a variable before it offers devices: the variable's value, and what is told.
WANTS = [("", "no device: rusticl: .*; the variable RUSTICL_ENABLE names the drivers that it is to use: RUSTICL_ENABLE=llvmpipe"),
         ("swrast", "no device: rusticl: .*; RUSTICL_ENABLE is set, to 'swrast', and no driver that it names offers a device")]
# Of verify, for which two processes ask at the same time what the driver can do.
UNLOADED = ("verify", "--device", "pocl", "--strategy", "wg_reduce,sub_group_reduce,serial", "--op", "sum", "--type", "i32", "--n", "10",
            "--patience", "2")
EXTRA = {**{fault: ["--strategy", "polled_stride"] for fault in ("stale_map@1", "stale_map@2", "map_fails")}, "svm_null": ["--strategy", "svm_chunk"],
         **{fault: ["--strategy", "grid_stride_vec,tree_two"] for fault in ("host_buffers@1", "host_buffers@2")},
         "refuses_unawaited@1": ["--strategy", "tree_passes_waiting"], "refuses_unawaited@2": ["--strategy", "tree_passes"], "limit_allocation": ["--n", "2^25"], "loops_end_early": ["--n", "2^18"],
         # results and canary are more than 1 GiB
         "fills_short": ["--primitive", "scan", "--strategy", "scan_chunk_chained", "--type", "u8", "--n", "2^27", "--data-sets", "1", "--time-per-cell", "1"]}
HANGS = ("hang", "crash_unload")
PATIENCE_S = 120  # by default
# Of bench: START is stamped 1 ms before a launch on an idle device begins, as by NVIDIA's driver some microseconds. No device time has it.
IDLE = [("times_idle", 0.0005)]
# Of bench, as FAULTS, where the driver starts a process that has its files open and never ends: in the group of processes of the
# worker, or in a session of its own. That it has crashed is told all the same, and nothing stays behind.
HELPED = [
    ("none/group", FINE, RIGHT, ROW),
    ("crash_launch@3/group", 5, "crashed", "crashed .SIGSEGV. while (trying|verifying)"),
    ("crash_launch@60/session", 5, "crashed", "crashed .SIGSEGV. while (warming up|measuring)"),
    ("hang_launch@3/session", 5, "timed-out", "no answer in"),
    ("crash_unload/session", FINE, RIGHT, "crashed .SIGSEGV. while being unloaded"),
    ("crash_launch@3/crowded", 5, "crashed", "crashed .SIGSEGV. while (trying|verifying)"),
]
# The same where clreduce is started with SIGCHLD ignored, or where what is killed stays.
STARTED = [
    ("crash_launch@3/deaf", 5, "crashed", "crashed .SIGSEGV. while (trying|verifying)"),
    ("hang_launch@3/unkillable", 5, "timed-out", "pocl: process [0-9]+ was killed and is still there after 5 s: .* restart the machine"),
]
# How a run is started: the variables.
HOW = {
    "": {}, "deaf": {}, "group": {"CLREDUCE_FAULT_HELPER": "group"}, "session": {"CLREDUCE_FAULT_HELPER": "session"},
    "crowded": {"CLREDUCE_FAULT_HELPER": "session"} | {f"CROWD_{i}": "x" * 100000 for i in range(12)},  # more than 1 MiB of variables
    "unkillable": {"CLREDUCE_FAULT_KILL": "lost"},
}
# Of a bench whose driver is busy: the signal by which all of its processes are stopped for longer than its patience and go on, or
# by which the program ends; or by which the driver's alone are stopped, and stay so.
SIGNALLED = [("long_launch@3/stopped", signal.SIGSTOP), ("long_launch@3/killed", signal.SIGKILL), ("long_launch@3/stuck", signal.SIGSTOP)]


def ignore_children():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def adopt_orphans():
    """What a program leaves behind, running or not waited for, becomes this one's to wait for."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def orphans():
    """The processes that were left, after they have ended and were waited for."""
    found = []
    while True:
        try:
            found.append(os.waitpid(-1, 0)[0])
        except ChildProcessError:
            return found


class Driver:
    """PoCL, made bad by the layer."""

    def __init__(self, program, layer, folder):
        # The loader passes over a layer that it does not find.
        self.program, self.layer, self.folder = program, str(pathlib.Path(layer).resolve(strict=True)), pathlib.Path(folder)
        (self.folder / "pocl.icd").symlink_to(POCL)

    def run(self, fault, verb, *arguments, helper=""):
        """The process that has ended, and the rows of its result file (None: there is none)."""
        # The name of the platform may be what is wrong, so no device is named: the layer's driver is the only one.
        result = self.folder / "r.csv"
        result.unlink(missing_ok=True)
        with self.begun(fault, verb, *(() if "--strategy" in arguments else ("--strategy", "serial")), *arguments, "--format", "csv", "--output", str(result),
                        helper=helper) as process:
            ended = self.ended(process)
        return ended, list(csv.DictReader(result.open())) if result.exists() else None

    def started(self, fault, *arguments, **variables):
        """The process that has ended."""
        with self.begun(fault, *arguments, **variables) as process:
            return self.ended(process)

    def begun(self, fault, *arguments, helper="", **variables):
        environment = self.environment(fault) | variables | HOW[helper] | ({"LD_PRELOAD": self.layer} if helper == "unkillable" else {})
        return subprocess.Popen([self.program, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=ignore_children if helper == "deaf" else None)

    def environment(self, fault):
        return os.environ | {"OPENCL_LAYERS": self.layer, "CLREDUCE_FAULT": fault, "OCL_ICD_VENDORS": str(self.folder),
                             "CLREDUCE_FAULT_FILE": str(self.folder / "long")}

    def ended(self, process):
        try:
            out, err = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def processes(self, within_s=0):
        """Those that are there, of all that this driver was loaded into: within so many seconds none is expected."""
        mark, end_s = f"OCL_ICD_VENDORS={self.folder}".encode(), time.monotonic() + within_s
        while True:
            found = []
            for environ in pathlib.Path("/proc").glob("[0-9]*/environ"):
                try:
                    if mark in environ.read_bytes().split(b"\0"):
                        found.append(int(environ.parent.name))
                except OSError:  # it has ended, or is somebody else's
                    continue
            if not found or time.monotonic() > end_s:
                return found
            time.sleep(0.05)


def flaw(row, status, text, cells):
    """What is not as it must be; empty if all is."""
    _, wanted, state, told = row
    if status != wanted:
        return f"exit status {status} instead of {wanted}"
    if (cells is None) != (state == "-"):
        return "no result file" if cells is None else "a result file"
    for cell in cells or []:
        if cell["state"] != state:
            return f"{cell['strategy']} is {cell['state']}, not {state}"
        if (cell["median_s"] == "") == (state == RIGHT):
            return f"{cell['strategy']} is {cell['state']}, and its time '{cell['median_s']}'"
    if not re.search(told, re.sub(r"\s+", " ", text)):  # tables break lines
        return f"nobody tells '{told}'"
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text):
        return "control characters in the output"
    if "(and 0 more)" in text:
        return "what there is none of is counted"
    return ""


def benched(driver, row):
    fault, _, helper = row[0].partition("/")
    more = EXTRA.get(fault, []) + (["--patience", "2"] if fault.startswith(HANGS) else [])
    ended, rows = driver.run(fault, "bench", "--n", "2^10", "--data-sets", "2", "--time-per-cell", "5ms", *more, helper=helper)
    text = (ended.stdout + ended.stderr + (b"" if rows is None else (driver.folder / "r.csv").read_bytes())).decode("utf-8", "replace")
    found = flaw(row, ended.returncode, text, rows and [cell for cell in rows if cell["device"] != "host"])
    return found and found + "\n      " + text[:1500].replace("\n", "\n      ")


def helped(driver, row):
    """What is not as it must be where a driver starts a process that stays; empty if all is."""
    begun, found = time.monotonic(), benched(driver, row)
    left = driver.processes(10 if row[0].endswith("/unkillable") else 0)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    if left:
        return f"{len(left)} processes are left {found}"
    return found or ("it takes as long as a hang" if time.monotonic() - begun > PATIENCE_S else "")


def signalled(driver, row):
    """What is not as it must be where a job is stopped as a whole and continued, or its program killed; empty if all is."""
    patience_s = 8
    (driver.folder / "long").unlink(missing_ok=True)
    with driver.begun(row[0].split("/")[0], "bench", "--device", "pocl", "--strategy", "serial", "--n", "2^10", "--data-sets", "1",
                      "--time-per-cell", "5ms", "--patience", str(patience_s), helper="group") as process:
        while not (driver.folder / "long").exists() and process.poll() is None:
            time.sleep(0.01)
        others = [pid for pid in driver.processes() if pid != process.pid]
        if row[0].endswith("/stuck"):
            for pid in others:
                os.kill(pid, row[1])
            ended = driver.ended(process)
            text = re.sub(r"\s+", " ", ended.stdout.decode())
            if ended.returncode != 5 or "its process was stopped (SIGSTOP), and gave no answer in 8 s while" not in text:
                return f"exit status {ended.returncode}: {text}"
        elif row[1] == signal.SIGKILL:
            process.send_signal(row[1])
            driver.ended(process)
        else:
            process.send_signal(row[1])
            for number, rest_s in ((signal.SIGSTOP, patience_s + 2), (signal.SIGCONT, 0)):
                if number == signal.SIGCONT:
                    process.send_signal(number)
                for pid in others:
                    os.kill(pid, number)
                time.sleep(rest_s)
            ended = driver.ended(process)
            text = ended.stdout.decode() + ended.stderr.decode()
            if ended.returncode != 0 or not re.search(ROW, re.sub(r"\s+", " ", text)):
                return f"exit status {ended.returncode}: {text}"
    if not others:
        return "the driver was never busy"
    left = driver.processes(10)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return f"{len(left)} processes are left" if left else ""


def unloaded(driver, row):
    """What is not as it must be where two processes hang while they unload the driver: the second is waited for a second longer
    than the first was, and that is told; empty if all is."""
    text = driver.started("hang_unload", *row).stderr.decode()
    times = [float(s) for s in re.findall(r"pocl: the driver did not end within ([0-9.]+) s and was killed", text)]
    return "" if len(times) > 1 and min(times) == 2 and max(times) >= 3 else f"{times} s are told: {text}"


def abandoned(driver, row):
    """What is not as it must be where a worker's parent is gone before that could ask to be told of it; empty if all is."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.send(json.dumps({"do": "list"}).encode())
    ours.close()
    with subprocess.Popen([driver.program, "worker"], env=driver.environment(row[0]), stdin=its, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, process_group=0) as process:
        its.close()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "it asks the driver all the same"
    return ""


def patience(fault):
    """Seconds; compiling takes one or two of them on a busy machine."""
    return "3" if fault.startswith(HANGS) else "30"


def given_up(driver, row):
    """What is not as it must be when a driver breaks again and again; empty if all is."""
    fault, state, count = row
    ended, rows = driver.run(fault, "verify", "--type", "i32", "--op", "sum", "--n", "10,100,1000", "--patience", patience(fault),
                             "--time-per-cell", "0.1")
    if ended.returncode != 5:
        return f"exit status {ended.returncode} instead of 5"
    if [row["strategy"] for row in rows] != ["serial"]:
        return "not the strategy that was asked for"
    if int(rows[0][state]) != count or int(rows[0]["over-budget"]) == 0 or int(rows[0]["wrong"]) > 0:
        return f"not {count} {state}, then over-budget: {rows[0]}"
    return ""


def spoilt(driver, row):
    """What is not as it must be where one cell makes all that follows in its process fail; empty if all is."""
    fault, sizes = row
    ended, rows = driver.run(fault, "bench", "--strategy", "tree,interleaved", "--wg", sizes, "--n", "2^10", "--data-sets", "2", "--time-per-cell", "5ms")
    if ended.returncode != 5 or rows is None:
        return f"exit status {ended.returncode} instead of 5: {ended.stderr.decode('utf-8', 'replace')}"
    bad = [cell for cell in rows if cell["device"] != "host" and (cell["state"] == "failed") != (cell["group_size"] == fault[-2:])]
    return f"states {[(cell['strategy'], cell['group_size'], cell['state']) for cell in bad]}" if bad else ""


def idle(driver, row):
    """What is not as it must be where event times hold what an idle device waits for; empty if all is."""
    fault, most_s = row
    ended, rows = driver.run(fault, "bench", "--strategy", "serial,tree_two", "--n", "2^10", "--data-sets", "2", "--time-per-cell", "5ms")
    times = [cell["device_time_s"] for cell in rows or [] if cell["device"] != "host"]
    if ended.returncode != 0 or not times:
        return f"exit status {ended.returncode} instead of 0: {ended.stderr.decode('utf-8', 'replace')}"
    return "" if all(time_s and 0 < float(time_s) < most_s for time_s in times) else f"device times {times}"


def surveyed(driver, row):
    """What is not as it must be when a driver breaks during a survey; empty if all is."""
    survey, fault, state = row
    ended, rows = driver.run(fault, "verify", survey, "--op", "sum", "--n", "100", "--patience", patience(fault))
    if ended.returncode != 5:
        return f"exit status {ended.returncode} instead of 5: {ended.stderr.decode('utf-8', 'replace')}"
    if f"did not come; the first: {state}: serial sum f32 on ".encode() not in ended.stderr:
        return f"not told: {ended.stderr.decode('utf-8', 'replace')}"
    return "" if state in [row["state"] for row in rows] else f"no row is {state}"


def told(driver, row):
    """What is not as it must be where the answers of one probe differ; empty if all is."""
    verb, arguments, status, wanted = row
    ended = driver.started("stale_map@2", verb, *arguments)
    text = re.sub(r"\s+", " ", (ended.stdout + ended.stderr).decode("utf-8", "replace"))
    if ended.returncode != status:
        return f"exit status {ended.returncode} instead of {status}: {text}"
    return "" if re.search(wanted, text) else f"nobody tells '{wanted}': {text}"


def advised(driver, row):
    """What is not as it must be where a variable is to be set, or is set; empty if all is."""
    value, wanted = row
    ended = driver.started("rusticl_without_devices", "devices", "--device", "pocl", RUSTICL_ENABLE=value)
    text = re.sub(r"\s+", " ", (ended.stdout + ended.stderr).decode("utf-8", "replace"))
    return "" if re.search(wanted, text) and ("RUSTICL_ENABLE=" in text) == (value == "") else f"nobody tells '{wanted}': {text}"


def main():
    program, layer, *chosen = sys.argv[1:]
    bad = 0
    need_pocl()
    adopt_orphans()
    own = [(spoilt, row) for row in SPOILT] + [(idle, row) for row in IDLE] + [(benched, row) for row in FAULTS] + [(helped, row) for row in HELPED + STARTED] + [(signalled, row) for row in SIGNALLED]
    if chosen and not re.fullmatch("all|[0-9]+", chosen[0]):
        rows = [(test, row) for test, row in own if row[0] in chosen]
    else:
        rows = own + [(given_up, row) for row in GIVEN_UP] + [(surveyed, row) for row in SURVEYS] + [
            (told, row) for row in TOLD] + [(advised, row) for row in WANTS] + [(unloaded, UNLOADED), (abandoned, ("hang_load",))]
        rows = drawn("".join(chosen), len(rows) // 8, rows)
    with tempfile.TemporaryDirectory() as folder:
        driver = Driver(program, layer, folder)
        for test, row in rows:
            try:
                found = test(driver, row)
            except subprocess.TimeoutExpired:
                found = "the program hangs"
            left = orphans()
            if left and not found and not row[0].endswith(("/killed", "/unkillable")):
                found = f"nobody has waited for {len(left)} processes"
            print(f"{'FAIL' if found else 'ok':5} {test.__name__} {' '.join(map(str, row[:3]))} {found}", flush=True)
            bad += bool(found)
    tried = len(rows)
    print(f"faults: {tried - bad} of {tried} survived and named")
    sys.exit(bad > 0)


main()
