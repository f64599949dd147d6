#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A rank that the library refuses a call, and which repeats it, goes on with the next one, or never
# calls again (leaves.c): before set-up, with it and after it, in stretches without agreements and in
# trials, on one node and on two, as first rank of its node and not, alone and with a second one.
# Natively right, and so with every route.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
doze

# goes_on WHAT ARGUMENT...: the program says that every byte was right.
goes_on()
{
    goes_on_what=$1
    shift
    if job 60 "$@" && grep -q '^PASS' "$work/out"; then
        pass "$goes_on_what: $(sed -n 's/^PASS: //p' "$work/out")"
    else
        fail "$goes_on_what"
    fi
}

goes_on "without Shunt" -genv SHUNT_DISABLE 1 -n 4 "$programs/leaves" mixed 3
turn=0
for nodes in 1 2; do
    for algorithm in shared-segment parlogna node-pair node-pair:leaders=2 node-bruck \
        parlinna-shared scattered; do
        for pattern in dense around; do
            warmup=$((turn % 2 * 2))
            turn=$((turn + 1))
            goes_on "$algorithm, $nodes nodes, $pattern, warm-up of $warmup" \
                -genv SHUNT_FORCE "alltoall=$algorithm,alltoallv=$algorithm" \
                -genv SHUNT_WARMUP $warmup -genv MPIR_CVAR_NUM_CLIQUES $nodes \
                -n 4 "$programs/leaves" $pattern 0 1 2 3 6 12
        done
    done
done

cat >"$work/on.cfg" <<'END'
schema = 1;
alltoall = ( { algorithm = "shared-segment"; } );
alltoallv = ( { algorithm = "shared-segment"; } );
END
sed 's/^schema = 1;/schema = 1; policy = { learn = "on"; };/' "$work/on.cfg" >"$work/taught.cfg"
sed 's/alltoallv = .*/alltoallv = ( { algorithm = "scattered"; } );/' "$work/on.cfg" \
    >"$work/scattered.cfg"
for table in on taught scattered; do
    for pattern in sparse mixed; do
        [ $pattern = sparse ] || export SHUNT_GUARD=1
        goes_on "table $table, $pattern, guard ${SHUNT_GUARD:-0}" -genv SHUNT_WARMUP 2 -genv SHUNT_CONFIG \
            "$work/$table.cfg" -n 4 "$programs/leaves" $pattern 3 7 13 17 21 30
        export SHUNT_GUARD=0
    done
done
for algorithm in shared-segment peer-read; do
    goes_on "$algorithm, a call that nobody else makes" \
        -genv SHUNT_FORCE "alltoall=$algorithm,alltoallv=$algorithm" -n 4 "$programs/leaves" \
        extra 1 2 5 9
done
export SHUNT_GUARD=1
goes_on "a call that nobody else makes, in trials" -genv SHUNT_WARMUP 2 -genv SHUNT_CONFIG \
    "$work/taught.cfg" -n 4 "$programs/leaves" extra 3 4 5 6 7 8 9 10 11 12
export SHUNT_GUARD=0
goes_on "MPI_Alltoall without data, in a stretch" -genv SHUNT_WARMUP 1 -genv SHUNT_CONFIG \
    "$work/on.cfg" -n 4 "$programs/leaves" void 11 14 17
goes_on "default settings" -n 4 "$programs/leaves" mixed 0 10 22 23 24 25 30

# What is left is native: the routes were there before.
job 60 -genv SHUNT_FORCE alltoallv=parlogna -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE \
    "$work/log.%r.jsonl" -n 4 "$programs/leaves" dense 12
if [ "$(routed "$work/log.0.jsonl")" -gt 0 ] && [ "$(routed "$work/log.0.jsonl")" -lt 600 ] &&
    grep -q 'a rank made a call with invalid arguments' "$work/log.0.jsonl"; then
    pass "calls are routed until a rank has left, and the log says why they are no more"
else
    fail "calls are routed until a rank has left: $(routed "$work/log.0.jsonl") of them"
fi

finish
