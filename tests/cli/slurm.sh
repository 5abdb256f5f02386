#!/usr/bin/env bash
# bench/schedulers/clreduce.sbatch on a Slurm of one node that this test starts: files, exit status, a time limit, and what goes on from there.
#   tests/cli/slurm.sh CLREDUCE [all]
# all: instead of one way to end, all of them, and a job that Slurm queues again.
set -u
clreduce=$(realpath "$1")
share=${2:-}
. "$(dirname "$0")/../tools/device.sh"
. "$root/tests/tools/slurm.sh"
PATH=$PATH:/usr/sbin
for tool in slurmctld slurmd munged sbatch mpirun; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool: it needs slurm-wlm, munge and openmpi-bin" && exit 77; }
done
[ -e "${clreduce%/*}/clreduce_mpi.so" ] || { echo "skipped: clreduce was built without MPI" && exit 77; }
need_device "$clreduce" pocl
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 CLREDUCE=$clreduce

trap 'slurm_stop; rm -rf "$work"' EXIT
slurm_start || { tail -n 5 slurm/*.log && fail "Slurm does not start" "see above" && exit 1; }
ok "a Slurm of one node"

# submit OPTION...: the script, as two ranks, from a place of its own, and $job is its number.
submit() {
    job=$(sbatch --parsable --ntasks-per-node=2 "$root/bench/schedulers/clreduce.sbatch" "$@") || exit 1
}
# ends_with STATUS: the job's, in a minute.
ends_with() {
    within 60 is_over
    scontrol show job "$job" >out
    grep -q "ExitCode=$1:0" out || ! tail -n 20 "clreduce-$job.log" >>out
}
# shellcheck disable=SC2317 # within calls these
is_over() {
    [[ $(squeue -h -j "$job" -o %T) = "" ]]
}
# shellcheck disable=SC2317
says() {
    grep -qE -- "$1" "clreduce-$job.log" 2>/dev/null
}

small=(--device pocl --strategy serial --n 1000 --time-per-cell 50ms)
one_array="--scaling strong --rank-counts 2 --collective exact"

plain() {
    CLREDUCE_RANKS=$one_array submit "${small[@]}"
    judge "a campaign and one array" ends_with 0
    judge "the campaign has what each rank measured" holds "clreduce-$job/fleet.json" "len(fleet) == 2 and {len(one['cells']) for one in fleet} == {3}"
    judge "the array lay on both ranks" holds "clreduce-$job/ranks.json" "len(over_ranks['ranks']) == 2 and all(cell['ranks'] == 2 for cell in cells)"
    judge "by srun, which has Open MPI's protocol" says "srun --mpi=pmix --cpus-per-task=1 .*--ranks"
}

refused() {
    CLREDUCE_EACH=no submit --strategy nothing
    judge "clreduce's exit status is the job's" ends_with 4
    judge "of the run that was asked for" test -e "clreduce-$job/ranks.status" -a ! -e "clreduce-$job/fleet.status"
    CLREDUCE=/nowhere submit
    judge "a program that is not there" ends_with 4
    judge "is named" says 'there is no program /nowhere; build it by bench/run, or name it'
}

# So long that it is still measured when Slurm has passed a signal on, on a busy machine, too.
long=(--device pocl --strategy serial --n "1000,2000" --time-per-cell 400ms)

# begin KNOB=VALUE...: a campaign that is being measured.
begin() {
    job=$(env CLREDUCE_RANKS=no "$@" sbatch --parsable --ntasks-per-node=2 "$root/bench/schedulers/clreduce.sbatch" "${long[@]}")
    judge "a campaign is measured" within 30 has_samples "clreduce-$job"
}
# shellcheck disable=SC2317
has_samples() {
    grep -qs '"sample"' "$1"/fleet.json.*.journal && cat "$1"/fleet.json.*.journal >kept
}
# has_kept FOLDER: its file has the times that were kept of the first job.
has_kept() {
    python3 - "$1/fleet.json" kept "$root" >out 2>&1 <<'PYTHON'
import json
import sys
sys.path.insert(0, f"{sys.argv[3]}/tests/tools")
from stored import load
fleet = load(sys.argv[1])["fleet"]
assert len(fleet) == 2 and all(cell["state"] == "pass" for one in fleet for cell in one["cells"])
found = [time for one in fleet for cell in one["cells"] for time in cell["time_to_answer"]["samples_s"]]
lines = [json.loads(line) for line in open(sys.argv[2]) if '"sample"' in line and line.endswith("}\n")]
for line in lines:
    assert any(abs(time / line["s"][0] - 1) < 1e-4 for time in found), line
print(len(lines), "times of the first job")
PYTHON
}

interrupted() {
    local first
    begin CLREDUCE_REQUEUES=0
    first=clreduce-$job
    scancel --batch --signal=USR1 "$job" # what Slurm sends two minutes before the time is over
    judge "and ends with its time" ends_with 130
    judge "which is no end" test ! -e "$first/fleet.status"
    judge "and says how to go on" says "CLREDUCE_FOLDER=$first sbatch"
    CLREDUCE_FOLDER=$first CLREDUCE_RANKS=no submit "${long[@]}"
    judge "in another job" ends_with 0
    judge "which keeps what was measured" has_kept "$first"
}

# A campaign that comes to its end while the script stops it: it is whole, and not measured anew. With an srun and a scancel of the test.
ended_meanwhile() {
    local script
    rm -f pid && mkdir -p fakes
    # shellcheck disable=SC2016 # they expand it
    printf '%s\n' '#!/bin/sh' 'trap "exit 0" TERM' 'echo $$ >pid' 'while :; do sleep 0.05; done' >fakes/srun
    # shellcheck disable=SC2016
    printf '%s\n' '#!/bin/sh' 'read -r pid <pid && kill -TERM "$pid"' 'while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done' >fakes/scancel
    chmod +x fakes/srun fakes/scancel
    PATH=$PWD/fakes:$PATH SLURM_JOB_ID=0 CLREDUCE_RANKS=no CLREDUCE_FOLDER=meanwhile CLREDUCE_LAUNCH=srun \
        bash "$root/bench/schedulers/clreduce.sbatch" >out 2>&1 &
    script=$!
    within 10 test -s pid
    kill -USR1 "$script"
    wait "$script"
    judge "a campaign that ends while it is stopped is whole" test $? = 0 -a "$(cat meanwhile/fleet.status)" = 0
}

cancelled() {
    begin CLREDUCE_REQUEUES=3
    scancel "$job"
    judge "and cancelled" within 20 is_over
    judge "which queues it not again" says "CLREDUCE_FOLDER=clreduce-$job sbatch"
    judge "and keeps what was measured" test -n "$(compgen -G "clreduce-$job/*.journal")"
}

requeued() {
    begin CLREDUCE_REQUEUES=1
    scancel --batch --signal=USR1 "$job"
    judge "and queued again" within 20 says 'queued again, and goes on'
    judge "under its number, to its end" ends_with 0
    judge "once" grep -q 'Restarts=1 ' out
    judge "and keeps what was measured" has_kept "clreduce-$job"
}

by_mpirun() {
    CLREDUCE_EACH=no CLREDUCE_RANKS=$one_array CLREDUCE_LAUNCH="mpirun --bind-to none" submit "${small[@]}"
    judge "by mpirun, too" ends_with 0
    judge "the array lay on both ranks" holds "clreduce-$job/ranks.json" "len(over_ranks['ranks']) == 2 and all(cell['ranks'] == 2 for cell in cells)"
}

plain
ended_meanwhile
sections "$share" 1 refused interrupted cancelled by_mpirun
[ "$share" != all ] || requeued
judge "no process is left of it" slurm_stop
exit $failed
