#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scripts/testbed: hosts of their own, and nothing left of them afterwards.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

testbed=$(dirname "$0")/../../scripts/testbed

hosts_possible || skip "$no_hosts"

# bed STATUS ARGUMENT...
bed()
{
    bed_status=$1
    shift
    job_line="$testbed --timeout 90 $*"
    MPIEXEC=$MPIEXEC "$testbed" --timeout 90 "$@" >"$work/out" 2>&1 </dev/null
    job_status=$?
    [ $job_status -eq "$bed_status" ]
}

# where LINE COUNT WHAT: so many lines of the output are LINE.
where()
{
    if [ "$(grep -c "$1" "$work/out")" -eq "$2" ]; then pass "$3"; else fail "$3"; fi
}

if bed 0 2x2 -- "$PWD/src/shunt" bench --check --repetitions=3 --block=16,4K --algorithm=all &&
    ! grep -q WRONG "$work/out"; then
    where '^ranks     4 on 2 nodes, 2 per node' 1 "two hosts have two ranks each"
else
    fail "two hosts have two ranks each"
fi
# shellcheck disable=SC2016 # the ranks expand it
show='echo "$PMI_RANK $(hostname) $GREETING"'
bed 0 --env 'GREETING=hello there' 3,1 -- sh -c "$show" || fail "unequal hosts can be had"
where '^[012] node1 hello there$' 3 "three ranks are on the first host, with the variable"
where '^3 node2 hello there$' 1 "the last rank is on the second host"
bed 0 --cyclic 2x2 -- sh -c "$show" || fail "ranks can be dealt in turn"
where '^[02] node1' 2 "ranks are dealt in turn"
if bed 7 2x1 -- sh -c 'exit 7'; then
    pass "the status is the program's"
else
    fail "the status is the program's"
fi
if bed 2 --cyclic 3,1 -- true && bed 2 2y2 -- true && bed 2 2x2; then
    pass "mistakes of usage are told"
else
    fail "mistakes of usage are told"
fi
if ip netns list | grep -q '^shunt[0-9]*-'; then
    # Another testbed may be running: only names of processes that are gone are ours.
    for space in $(ip netns list | sed -n 's/^\(shunt\([0-9]*\)-[^ ]*\).*/\2/p' | sort -u); do
        [ -d "/proc/$space" ] || fail "namespaces of testbed $space are left"
    done
fi
finish
