#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Never a hang, never a wrong byte: ranks that describe their data differently, threads, and
# communicators that come and go in every way.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# run_case SECONDS RANKS EXPECTED "TEXT" PROGRAM ARGUMENT...: under each of $forces. EXPECTED:
# fewest routed calls of rank 0.
run_case()
{
    case_limit=$1
    case_ranks=$2
    case_expected=$3
    case_text=$4
    shift 4
    for force in $forces; do
        rm -f "$work/log.jsonl"
        job "$case_limit" -genv SHUNT_FORCE "alltoall=$force,alltoallv=$force" \
            -genv SHUNT_TEST_LAYOUT 2,1 -genv SHUNT_LOG "$log" \
            -genv SHUNT_LOG_FILE "$work/log.jsonl" -n "$case_ranks" "$@"
        if [ $job_status -ne 0 ] || ! grep -q '^PASS: ' "$work/out"; then
            fail "$case_text, $force"
        elif [ "$native" != 1 ] && [ "$log" = calls ] \
            && [ "$(records . "${force%%:*}" "$work/log.jsonl")" -lt "$case_expected" ]; then
            fail "$case_text, $force: only $(records . "${force%%:*}" \
                "$work/log.jsonl") calls were routed"
        else
            pass "$case_text: every call is right, $force"
        fi
    done
}

# One algorithm of each kind; with SHUNT_TEST_FULL=1 more of them.
every="spread-out two-phase-bruck parlogna:radix=3 node-pair
    parlinna-coalesced:radix=2:batch_size=1"
few="node-pair scattered:batch_size=2 parlogna:radix=2 parlinna-coalesced:radix=2:batch_size=2"
two="node-pair parlinna-coalesced:radix=2:batch_size=2"
if [ "$full" = 1 ]; then
    every="$every pairwise scattered:batch_size=1 parlinna-staggered:radix=2:batch_size=2"
    two=$few
fi

log=calls
forces=$every
run_case 120 6 48 "ranks describe their data differently" "$programs/differ"
forces=$two
run_case 180 4 100 "threads set up communicators in opposite orders, many at once" \
    "$programs/threads"
forces=$few
run_case 120 4 300 "communicators freed with requests pending, in any order, or leaked" \
    "$programs/lifetimes"
forces=$two
run_case 180 3 512 "1,500 communicators open at once, 2 calls each" "$programs/churn" --held 1500 2

# Long runs do not log their calls: what grows must be a leak. The longest has as many ranks as most
# machines have processors.
log=off
[ "$full" = 1 ] && many=20000 || many=3000
forces=parlogna:radix=2
run_case 600 2 0 "20,000 communicators, one call each" "$programs/churn" 20000 1
run_case 600 3 0 "$many communicators, 4 calls each" "$programs/churn" "$many" 4
forces=node-pair
run_case 600 3 0 "$many communicators with shared memory, 4 calls each" "$programs/churn" "$many" 4

# Without SHUNT_FORCE: one call each is within the warm-up and costs nothing; with 4 calls every one
# is set up.
cat >"$work/table.cfg" <<'END'
schema = 1;
alltoall = ( { algorithm = "bruck"; radix = 2; } );
alltoallv = ( { algorithm = "two-phase-bruck"; } );
END
for case in "20000 1" "$many 4"; do
    many=${case% *}
    calls=${case#* }
    rm -f "$work/log.jsonl"
    job 600 -genv SHUNT_CONFIG "$work/table.cfg" -genv SHUNT_LOG summary -genv SHUNT_LOG_FILE \
        "$work/log.jsonl" -n 3 \
        "$programs/churn" "$many" "$calls"
    if [ $job_status -eq 0 ] && grep -q '^PASS: ' "$work/out"; then
        pass "$many communicators, $calls calls each, by a table: right, and $(grep '^memory' \
            "$work/out")"
    else
        fail "$many communicators, $calls calls each, by a table"
    fi
done
finish
