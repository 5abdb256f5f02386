#!/usr/bin/env bash
# bench/clreduce.sbatch on a Slurm of one node that this test starts: files, exit status, a time limit, and what goes on from there.
#   tests/cli/slurm.sh CLREDUCE [all]
# all: also mpirun in place of srun, a job that Slurm queues again, one that is cancelled, and ReFrame by way of Slurm.
set -u
clreduce=$(realpath "$1")
share=${2:-}
. "$(dirname "$0")/../tools/device.sh"
. "$root/tests/tools/slurm.sh"
PATH=$PATH:/usr/sbin
for tool in slurmctld slurmd munged sbatch mpirun; do
    command -v $tool >/dev/null || { echo "skipped: there is no $tool: it needs slurm-wlm, munge and openmpi-bin" && exit 77; }
done
need_device "$clreduce" pocl
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 CLREDUCE=$clreduce

trap 'slurm_stop; rm -rf "$work"' EXIT
slurm_start || { tail -n 5 slurm/*.log && fail "Slurm does not start" "see above" && exit 1; }
ok "a Slurm of one node"

# submit OPTION...: the script, as two ranks, from a place of its own, and $job is its number.
submit() {
    job=$(sbatch --parsable --ntasks-per-node=2 "$root/bench/clreduce.sbatch" "$@") || exit 1
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
small=(--device pocl --strategy serial --n 1000 --time-per-cell 1ms)

plain() {
    submit "${small[@]}"
    judge "both runs end well" ends_with 0
    judge "the campaign has what each rank measured" holds "clreduce-$job/fleet.json" "len(fleet) == 2"
    judge "the one array has two ranks" holds "clreduce-$job/ranks.json" "len(r['ranks']['ranks']) == 2"
    judge "by srun, which has PMIx" says "srun --mpi=pmix --cpus-per-task=2 .*--ranks"
    CLREDUCE_EACH=no submit --strategy nothing
    judge "clreduce's exit status is the job's" ends_with 4
    judge "of the run that was asked for" test -e "clreduce-$job/ranks.status" -a ! -e "clreduce-$job/fleet.status"
    CLREDUCE=/nowhere submit
    judge "where there is no program" ends_with 4
    judge "the log says what to do" says 'there is no program /nowhere; build it by bench/run'
}

# What Slurm sends two minutes before the time is over.
time_over() {
    CLREDUCE_RANKS=no CLREDUCE_REQUEUES=${1:-0} submit --device pocl --strategy serial,chunk --n 1000,2000 --time-per-cell "${2:-1s}"
    judge "a long run" within 20 says 'cells verified'
    scancel --batch --signal=USR1 "$job"
}
interrupted() {
    local first
    time_over
    judge "is interrupted" ends_with 130
    first=clreduce-$job
    judge "which is no end" test ! -e "$first/fleet.status"
    judge "and says how to go on" says "CLREDUCE_FOLDER=$first sbatch"
    ...
}
slurm_stop
