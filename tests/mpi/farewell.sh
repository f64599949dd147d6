#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Exchanges in callbacks of MPI_Finalize, which ranks have registered in different order.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

for force in alltoall=bruck,alltoallv=parlogna alltoall=shared-segment,alltoallv=shared-segment \
    ""; do
    for early in all none even; do
        # shellcheck disable=SC2086 # words are wanted
        job 30 ${force:+-genv SHUNT_FORCE $force} -n 4 "$programs/farewell" $early
        if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
            pass "early callbacks on ranks: $early, ${force:-built-in table}"
        else
            fail "early callbacks on ranks: $early, ${force:-built-in table}"
        fi
    done
    # MPI_COMM_SELF is no more.
    for whose in world half turned; do
        # shellcheck disable=SC2086 # words are wanted
        job 30 ${force:+-genv SHUNT_FORCE $force} -n 4 "$programs/farewell" $whose
        if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
            pass "a callback of MPI_COMM_WORLD, $whose, ${force:-built-in table}"
        else
            fail "a callback of MPI_COMM_WORLD, $whose, ${force:-built-in table}"
        fi
    done
done
finish
