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
for how in all none even world half turned; do
    farewell $how
    for force in alltoall=bruck,alltoallv=parlogna alltoall=shared-segment,alltoallv=shared-segment; do
        farewell $how -genv SHUNT_FORCE $force
    done
done
farewell turned -genv FAREWELL_THREADS 1
finish
