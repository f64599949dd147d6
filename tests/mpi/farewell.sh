#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Exchanges in callbacks of MPI_Finalize, which ranks have registered in different order.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# farewell HOW ARGUMENT...: how they are registered, see farewell.c.
farewell()
{
    farewell_how=$1
    shift
    job 30 "$@" -n 4 "$programs/farewell" "$farewell_how"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "callbacks, $farewell_how${1:+, $2=$3}"
    else
        fail "callbacks, $farewell_how${1:+, $2=$3}"
    fi
}

# With the built-in table, and with what is set up at the first call.
# One of the three with each way, with SHUNT_TEST_FULL=1 all.
number=0
for how in all none even world half turned; do
    number=$((number + 1))
    for force in 0: 1:alltoall=bruck,alltoallv=parlogna \
        2:alltoall=shared-segment,alltoallv=shared-segment; do
        [ "$SHUNT_TEST_FULL" = 1 ] || [ $((number % 3)) -eq "${force%%:*}" ] || continue
        force=${force#*:}
        # shellcheck disable=SC2086 # none are wanted of an empty one
        farewell $how ${force:+-genv SHUNT_FORCE $force}
    done
done
farewell turned -genv FAREWELL_THREADS 1
finish
