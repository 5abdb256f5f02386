#!/usr/bin/env -S python3 -B
"""--ranks and --each over several hosts: Open MPI's daemons are started by a stand-in for ssh, each with a host name of its own, so that
this machine is two hosts. Times of one array are then by rank 0's clock, turns are taken on each host alone.
    tests/device/ranks_nodes.py CLREDUCE [SEED]"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "tools"), str(pathlib.Path(__file__).resolve().parents[2] / "results")]
import run_file  # noqa: E402
from suite import Suite  # noqa: E402

SUITE = Suite(tells=True)
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
# ssh HOST WORD...: the words are a command line for the other host's shell.
SSH = """#!/bin/sh
host=$1
shift
exec unshare --uts sh -c "hostname $host; exec $*"
"""


def why_not():
    """What this machine lacks; nothing where all is there."""
    if shutil.which("mpirun") is None or not (pathlib.Path(PROGRAM).resolve().parent / "clreduce_mpi.so").exists():
        return "no mpirun, or a build without MPI (Debian: openmpi-bin libopenmpi-dev)"
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False).stdout
    if "Open MPI" not in version:
        return "mpirun is not Open MPI's, whose daemons this starts"
    if subprocess.run(["unshare", "--uts", "hostname", "n1"], capture_output=True, check=False).returncode != 0:
        return "no host names of our own (unshare --uts needs root)"
    return ""


def run(folder, hosts, *words):
    """The process that has ended: so many ranks on each host."""
    where = ",".join(f"{host}:{n}" for host, n in hosts.items())
    command = ["mpirun", "--mca", "plm_rsh_agent", str(folder / "remote"), "--host", where, "--bind-to", "none", "-n", str(sum(hosts.values())),
               PROGRAM, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=200)


def check_ranks(folder, hosts, seed):
    ended = run(folder, hosts, "bench", "--ranks", "--n", str(random.randrange(1, 5000)), "--strategy", "chunk", "--data-sets", "1",
                "--time-per-cell", "0.001", "--scaling", random.choice(("strong", "weak")), "--seed", str(seed), "--output", "ranks.json")
    SUITE.judge("one array over them: exit status 0", ended.returncode == 0, ended.stdout + ended.stderr)
    if ended.returncode != 0:
        return
    file = json.loads((folder / "ranks.json").read_text())
    ranks, rows = file["over_ranks"]["ranks"], run_file.rows_of(file)
    order = [rank["host"] for rank in ranks]
    SUITE.judge("each rank names its host", sorted(order) == sorted(host for host, n in hosts.items() for _ in range(n)), order)
    numbers = {rank["host"]: rank["node"] for rank in ranks}
    SUITE.judge("hosts are numbered in the order of their ranks", [numbers[host] for host in dict.fromkeys(order)] == list(range(len(hosts))),
                numbers)
    SUITE.judge("every row is right", all(row["state"] == "pass" for row in rows),
                [(row["strategy"], row["reason"]) for row in rows if row["state"] != "pass"])
    # A file keeps ten-thousandths of each part's median, or of its largest sample.
    apart = [max(abs(total - sum(row["samples_s"][part][i] for part in ("device", "imbalance", "collective")))
                 for i, total in enumerate(row["samples_s"]["total"])) / max(map(max, row["samples_s"].values()))
             for row in rows if row["kind"] == "strategy" and row["samples_s"]]
    SUITE.judge("the parts of each sample add up", apart and max(apart) < 2e-4, apart)


def check_each(folder, hosts, seed):
    ended = run(folder, hosts, "bench", "--each", "--n", "2^10", "--strategy", "serial", "--data-sets", "1", "--time-per-cell", "0.001",
                "--seed", str(seed), "--output", "fleet.json")
    SUITE.judge("a fleet of them: exit status 0", ended.returncode == 0, ended.stdout + ended.stderr)
    if ended.returncode != 0:
        return
    runs = json.loads((folder / "fleet.json").read_text())["fleet"]
    SUITE.judge("one run for each rank, with its host", sorted(run["host"]["name"] for run in runs) ==
                sorted(host for host, n in hosts.items() for _ in range(n)), [run["host"]["name"] for run in runs])


def main():
    seed = int((sys.argv[2:] + [random.randrange(1, 10**6)])[0])
    reason = why_not()
    if reason:
        print(f"skipped: {reason}")
        return 77
    random.seed(seed)
    hosts = {f"node-{random.randrange(100)}{letter}": random.choice((1, 1, 2)) for letter in "ab"}
    print(f"seed {seed}: {hosts}")
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "remote").write_text(SSH)
        (folder / "remote").chmod(0o755)
        check_ranks(folder, hosts, seed)
        check_each(folder, hosts, seed)
    return SUITE.end()


if __name__ == "__main__":
    sys.exit(main())
