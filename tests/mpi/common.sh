# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of this folder share; sourced by them.
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"

# shellcheck disable=SC2034 # for the scripts
programs=$PWD/tests/mpi
job_line='' job_status=0

if [ "$native" = 1 ]; then
    lib=
elif [ -z "$lib" ]; then
    echo "SHUNT_LIB does not say where the library under test is" \
        "(SHUNT_TEST_NATIVE=1 runs without it)" >&2
    exit 99
fi

# doze: from here on ranks that wait sleep (doze.c): for what counts, not for what measures. On a
# busy machine, or with many ranks, that takes a fraction of the processor time.
doze()
{
    yield=$programs/doze.so${yield:+:$yield}
}

# preload [LIBRARY]: the value of LD_PRELOAD with the library in front of the helper.
preload()
{
    echo "${1:+$1:}$yield"
}

# job SECONDS ARGUMENT...: runs mpiexec with the library preloaded; its output goes to $work/out,
# its status is returned. job_native: the same without the library. A job that takes longer is
# stopped, and its command line printed.
job()
{
    job_run "$(preload "$lib")" "$@"
}

job_native()
{
    job_run "$(preload)" "$@"
}

job_run()
{
    job_preload=$1
    job_limit=$2
    shift 2
    job_line="timeout $job_limit $MPIEXEC -genv LD_PRELOAD '$job_preload' $*"
    timeout -k 10 "$job_limit" "$MPIEXEC" -genv LD_PRELOAD "$job_preload" "$@" \
        >"$work/out" 2>&1 </dev/null
    job_status=$?
    if [ $job_status -eq 124 ] || [ $job_status -eq 137 ]; then
        echo "HANG: still running after $job_limit s: $job_line"
    fi
    return $job_status
}

# ends STATUS COMMAND...: runs a command like a job; whether it ended with that status.
ends()
{
    ends_status=$1
    shift
    job_line=$*
    timeout -k 10 120 "$@" >"$work/out" 2>&1 </dev/null
    job_status=$?
    [ "$job_status" -eq "$ends_status" ]
}

# fail SENTENCE: with the command line and the output of the last job.
fail()
{
    failed "$*"
    [ -n "$job_line" ] || return 0
    echo "  command: $job_line"
    echo "  status $job_status, output:"
    head -n 60 "$work/out" | sed 's/^/    /'
}

# holds SENTENCE PATTERN FILE: a line of the file has the pattern.
holds()
{
    if grep -q -e "$2" "$3"; then
        pass "$1"
    else
        fail "$1: $2 is not in $(basename "$3")"
        [ "$3" = "$work/out" ] || sed 's/^/    /' "$3"
    fi
}

# records OPERATION ALGORITHM FILE...: how many calls of that operation by that algorithm are in the
# log ("." stands for any).
records()
{
    records_op=$1
    records_algorithm=$2
    shift 2
    cat "$@" 2>/dev/null | awk -v op="$records_op" -v algorithm="$records_algorithm" '
        function is(name, value) { return value == "." || $0 ~ ("\"" name "\": *\"" value "\"") }
        is("event", "call") && is("operation", op) && is("algorithm", algorithm) { n++ }
        END { print n + 0 }'
}

# routed FILE...: how many records are not native.
routed()
{
    echo $(($(records . . "$@") - $(records . native "$@")))
}

# decisions RANKS FILE: what was decided for each call on communicators of RANKS ranks ("." for
# any), one per line: communicator, number of the call, operation, algorithm.
decisions()
{
    sed -n '/"event": "call"/s/.*"communicator_id": "\([0-9a-f]*\)", "call": \([0-9]*\), "operation": "\([a-z]*\)", "ranks": \([0-9]*\),.*"algorithm": "\([a-z-]*\)".*/\4 \1 \2 \3 \5/p' "$2" |
        grep "^$1 "
}

# agreed FILE...: whether the logs of all ranks, in their order, tell of the same decisions. For the
# program `steady`, whose ranks use the same communicators but for one half of the even and one of
# the odd ranks.
agreed()
{
    agreed_ranks=$#
    agreed_rank=0
    for agreed_file; do
        decisions $agreed_ranks "$agreed_file" >"$work/whole.$agreed_rank"
        decisions '[0-9]*' "$agreed_file" >"$work/all.$agreed_rank"
        cmp -s "$work/whole.0" "$work/whole.$agreed_rank" || return 1
        [ $agreed_rank -lt 2 ] ||
            cmp -s "$work/all.$((agreed_rank - 2))" "$work/all.$agreed_rank" || return 1
        agreed_rank=$((agreed_rank + 1))
    done
}

# on_whole ALGORITHM: how many calls of a rank on communicators of all ranks were by ALGORITHM; of
# the files last given to `agreed`.
on_whole()
{
    grep -c " $1\$" "$work/whole.0"
}

seed=1 chunk=1 draws=0
# draw WORD...: sets $drawn to one of them, by $seed, $chunk, and how many were drawn before, $draws.
draw()
{
    draws=$((draws + 1))
    drawn=$(($(echo "$seed $chunk $draws" | cksum | cut -d ' ' -f 1) / 7 % $#))
    shift "$drawn"
    drawn=$1
}

# Whether scripts/testbed can make hosts here; $no_hosts says why not.
# shellcheck disable=SC2034 # for the tests
hosts_possible()
{
    no_hosts='network namespaces need root'
    [ "$(id -u)" = 0 ] || return 1
    no_hosts='scripts/testbed starts hosts by the launcher of MPICH, and this is a build for Open MPI'
    [ -z "${OPEN_MPI_MPIEXEC:-}" ] || return 1
    no_hosts='iproute2 (ip) is not installed'
    command -v ip >/dev/null || return 1
    no_hosts='this machine does not allow network namespaces'
    ip netns add shunt-probe$$ 2>/dev/null || return 1
    hosts_status=0
    ip netns exec shunt-probe$$ true 2>"$work/why" || hosts_status=1
    ip netns del shunt-probe$$
    no_hosts="this machine does not allow to enter network namespaces: $(head -n 1 "$work/why")"
    return $hosts_status
}
