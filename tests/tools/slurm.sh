# shellcheck shell=bash disable=SC2154 # check.sh sets $work
# A Slurm of one node, for tests; to be sourced behind check.sh. It needs Debian's slurm-wlm and munge, neither root nor systemd, and lies
# in $work/slurm with ports of its own, which nobody else on the network reaches.

# slurm_start: false where it does not come up within ten seconds; $work/slurm/*.log say why.
slurm_start() {
    local name=${HOSTNAME%%.*} ports
    PATH=$PATH:/usr/sbin
    mkdir -p "$work"/slurm/{state,spool}
    ports=$(python3 -c 'import socket
taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print("SlurmctldPort=%d\nSlurmdPort=%d" % tuple(one.getsockname()[1] for one in taken))')
    (umask 077 && head -c 1024 /dev/urandom >"$work/slurm/key")
    cat >"$work/slurm/slurm.conf" <<CONF
ClusterName=here
SlurmctldHost=$name(127.0.0.1)
$ports
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$work/slurm/socket,cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
NodeName=$name NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF=$work/slurm/slurm.conf
    slurm_daemons=()
    slurm_daemon munged --foreground --force --key-file="$work/slurm/key" --socket="$work/slurm/socket" --pid-file="$work/slurm/munged.pid" \
        --log-file="$work/slurm/munge.log" --seed-file="$work/slurm/seed"
    within 5 test -S "$work/slurm/socket" || return 1
    slurm_daemon slurmctld -D
    slurm_daemon slurmd -D
    within 10 eval 'sinfo -h -o %T 2>/dev/null | grep -q idle'
}

# slurm_daemon NAME OPTION...: it ends with this shell, however that ends.
slurm_daemon() {
    setpriv --pdeathsig TERM "$@" >"$work/slurm/$1.log" 2>&1 &
    slurm_daemons+=($!)
}

# slurm_stop: ends it with all that it has started. False, with their command lines in `out`, where processes are left of it.
slurm_stop() {
    local all=${#slurm_daemons[@]} i
    [ "$all" -gt 0 ] || return 0
    scancel --user="$(id -un)" 2>/dev/null
    within 10 slurm_is_idle
    scontrol shutdown >/dev/null 2>&1
    for ((i = all - 1; i >= 0; i--)); do
        kill "${slurm_daemons[i]}" 2>/dev/null
        wait "${slurm_daemons[i]}" 2>/dev/null
    done
    slurm_daemons=()
    within 5 slurm_is_gone
}

# shellcheck disable=SC2317 # within calls these
slurm_is_idle() {
    [ -z "$(squeue --noheader 2>/dev/null)" ]
}

# slurm_is_gone: no process works in $work, or was started with its configuration.
slurm_is_gone() {
    local process
    : >out
    for process in /proc/[0-9]*; do
        [ "${process#/proc/}" = $$ ] || [ "${process#/proc/}" = "$BASHPID" ] || ! { grep -qF "SLURM_CONF=$work/" "$process/environ" || [[ $(readlink "$process/cwd") = "$work"* ]]; } 2>/dev/null ||
            tr '\0' ' ' <"$process/cmdline" >>out
    done
    [ ! -s out ]
}

# within SECONDS COMMAND...: tries it every 50 ms.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -le $end ] || return 1
        sleep 0.05
    done
}
