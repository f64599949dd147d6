#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The log in JSON, of real programs: every line against its schema, and whether the lines of all
# ranks agree with each other: identifiers, times, clocks, phases, bytes.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

[ "$native" != 1 ] || skip "without the library there is no log"
python3 -c 'import jsonschema' 2>/dev/null ||
    skip "python3 has no module jsonschema (Debian: python3-jsonschema)"
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$work/nothing" "$work/logs"
export XDG_CONFIG_HOME="$work/nothing"

schema=$top/src/log/log.schema.json
export PYTHONPATH="$top/tests" PYTHONDONTWRITEBYTECODE=1

# logged WHAT EXPECTED FILES -- ARGUMENT...: a job whose lines in FILES (a pattern of the shell, in
# $work/logs) are as EXPECTED.
logged()
{
    logged_what=$1 logged_expected=$2 logged_files=$3
    shift 4
    rm -f "${work:?}"/logs/*
    if job 120 "$@" && grep -q '^PASS' "$work/out"; then
        compare
    else
        fail "$logged_what: the program"
    fi
}

# compare: the lines there.
compare()
{
    # shellcheck disable=SC2086 # several files
    if (cd "$work/logs" &&
        python3 "$here/log_check.py" "$schema" "$logged_expected" $logged_files) \
        >"$work/compared" 2>&1; then
        pass "$logged_what: $(tail -n 1 "$work/compared")"
    else
        tail -n 12 "$work/compared"
        fail "$logged_what"
    fi
}

# refused: the lines of the last job do not pass with one of these changes, each a line WHAT: COMMAND
# of sed.
refused()
{
    refused_number=0
    while IFS= read -r refused_line; do
        refused_number=$((refused_number + 1))
        echo "${refused_line%%: *}" >"$work/changed.$refused_number.what"
        sed "${refused_line#*: }" "$work/logs/log.jsonl" >"$work/changed.$refused_number"
    done
    python3 "$here/log_check.py" --each "$schema" "$logged_expected" "$work"/changed.[0-9]
    for refused_file in "$work"/changed.[0-9]; do
        refused_what="what is wrong is found: $(cat "$refused_file.what")"
        if cmp -s "$refused_file" "$work/logs/log.jsonl" ||
            ! grep -q '^PROBLEM' "$refused_file.said"; then
            fail "$refused_what"
        else
            pass "$refused_what"
        fi
    done
}

# has PATTERN FILE: whether a line has it.
has()
{
    grep -q "$1" "$2"
}

own="-genv SHUNT_LOG calls -genv SHUNT_LOG_FILE $work/logs/log.%r.jsonl"
one="-genv SHUNT_LOG calls -genv SHUNT_LOG_FILE $work/logs/log.jsonl -genv SHUNT_LOG_RANKS all"
some="-env SHUNT_LOG calls -env SHUNT_LOG_FILE $work/logs/log.%r.jsonl"
asked='-genv SHUNT_LOG_PHASES 1 -genv SHUNT_LOG_COUNTS 1'
# The world, and in each of three rounds a half of it and a duplicate, one after the other.
steady='program=steady --rounds 3'
all="$steady,communicators=7,set_up=10,clocks=1"

# shellcheck disable=SC2086 # words
{
    logged "one node, a file for each rank" "$all,ranks=4,layout=4" 'log.*.jsonl' -- \
        $own -genv SHUNT_WARMUP 1 -n 4 "$programs/steady" --rounds 3
    logged "one node, one file, phases and bytes to each rank" \
        "$all,ranks=4,layout=4,phases=1,counts=1,refuse=1" 'log.jsonl' -- \
        $one $asked -genv SHUNT_WARMUP 1 -n 4 "$programs/steady" --rounds 3
    refused <<'END'
a first line is missing: /"header".*"rank": 1,/d
one rank's times are others: /"rank": 3,/s/"time": 1/"time": 2/
an offset: /"clock", "rank": 2/s/"offset": -*0\./"offset": 7./
one rank's identifiers: /"rank": 2,/s/"communicator_id": "\(.*\)\([0-9a-f]\)", /"communicator_id": "\2\1", /
one rank's bytes: /"event": "call", "rank": 1/s/"bytes": \([0-9]\)/"bytes": 1\1/
a phase: s/"copy": 0\./"copy": 1./
how long calls take: /"event": "call"/s/"seconds": 0\./"seconds": 9./
a layout: /"communicator", "rank": 0/s/"layout": \[4\]/"layout": [2, 2]/
END
    logged "nodes of 3, 1 and 2 by SHUNT_TEST_LAYOUT, phases and bytes to each rank" \
        "$all,ranks=6,layout=3+1+2,phases=1,counts=1" 'log.*.jsonl' -- \
        $own $asked -genv SHUNT_TEST_LAYOUT 3,1,2 \
        -genv SHUNT_FORCE alltoall=node-pair,alltoallv=parlinna-shared -n 6 "$programs/steady" \
        --rounds 3
    if has '"seconds": [0-9.]*, "agreement": 0\.0*[1-9]' "$work/logs/log.0.jsonl" &&
        has '"operation": "alltoallv".*"seconds": [0-9.]*, "phases"' "$work/logs/log.0.jsonl"; then
        pass "an agreement that comes with the blocks has no time of its own, others have"
    else
        fail "agreements: none has a time, or all have"
    fi
    logged "nodes of 2 by SHUNT_TEST_LAYOUT, SHUNT_VERIFY" \
        "$all,ranks=4,layout=2+2,verify=1,phases=1" 'log.jsonl' -- \
        $one -genv SHUNT_LOG_PHASES 1 -genv SHUNT_VERIFY 1 -genv SHUNT_TEST_LAYOUT 2 \
        -genv SHUNT_FORCE alltoall=bruck,alltoallv=parlogna -n 4 "$programs/steady" --rounds 3
    logged "nodes that MPICH pretends, clocks compared by messages" \
        "$all,ranks=5,layout=2+2+1,counts=1" 'log.*.jsonl' -- \
        $own -genv SHUNT_LOG_COUNTS 1 -genv MPIR_CVAR_NUM_CLIQUES 3 -genv SHUNT_WARMUP 0 \
        -genv SHUNT_FORCE alltoallv=parlinna-coalesced -n 5 "$programs/steady" --rounds 3
    # A tree of two levels: rank 8 answers ranks 9 and 10, and itself asks rank 0.
    logged "eleven nodes of one rank, clocks compared over others" \
        "$all,ranks=11,layout=1+1+1+1+1+1+1+1+1+1+1" 'log.*.jsonl' -- \
        $own -genv MPIR_CVAR_NOLOCAL 1 -genv SHUNT_WARMUP 0 -n 11 "$programs/steady" --rounds 3
    logged "nothing is set up" "$steady,communicators=7,set_up=0,clocks=0,ranks=4" 'log.*.jsonl' \
        -- $own -genv SHUNT_WARMUP 1000000 -n 4 "$programs/steady" --rounds 3

    # Ranks with different settings: rank 0 decides for all whether clocks are compared.
    rm -f "${work:?}"/logs/*
    if job 120 -genv MPIR_CVAR_NUM_CLIQUES 2 -genv SHUNT_WARMUP 0 -n 1 $some "$programs/steady" \
        : -n 3 "$programs/steady" && has '"event": "clock"' "$work/logs/log.0.jsonl" &&
        [ ! -e "$work/logs/log.1.jsonl" ]; then
        pass "clocks are compared where rank 0 alone records calls"
    else
        fail "clocks are compared where rank 0 alone records calls"
    fi
    rm -f "${work:?}"/logs/*
    if job 120 -genv MPIR_CVAR_NUM_CLIQUES 2 -genv SHUNT_WARMUP 0 -n 1 "$programs/steady" \
        : -n 3 $some "$programs/steady" &&
        has '"event": "communicator"' "$work/logs/log.3.jsonl" &&
        ! has '"event": "clock"' "$work/logs/log.3.jsonl"; then
        pass "clocks are not compared where rank 0 records no calls"
    else
        fail "clocks are not compared where rank 0 records no calls"
    fi

    # Ranks 0 and 3 are on one side, 1, 2 and 4 on the other: one block to each there.
    rm -f "${work:?}"/logs/*
    job 120 $own -n 5 "$programs/conformance_inter"
    sed -n '/"event": "call".*"reason": "intercommunicator"/{
        s/.*"rank": \([0-9]*\), .*"operation": "\([a-z]*\)".*"bytes": \([0-9]*\),.*/\1 \2 \3/p
        }' "$work"/logs/log.*.jsonl | grep -v ' 0$' | sort -u >"$work/sent"
    for rank in 0 1 2 3 4; do
        case $rank in 0 | 3) bytes=12 ;; *) bytes=8 ;; esac
        printf '%s alltoall %s\n%s alltoallv %s\n' $rank $bytes $rank $bytes
    done >"$work/to-send"
    if cmp -s "$work/sent" "$work/to-send"; then
        pass "an intercommunicator has the blocks of the other side"
    else
        fail "an intercommunicator has the blocks of the other side: $(tr '\n' ';' <"$work/sent")"
    fi
    identifiers=$(grep -h '"event": "call".*"intercommunicator"' "$work"/logs/log.*.jsonl |
        sed 's/.*"communicator_id": "\([0-9a-f]*\)".*/\1/' | sort -u | wc -l)
    check "and one identifier on both sides" [ "$identifiers" -eq 1 ]

    rm -f "${work:?}"/logs/*
    job 120 -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/logs/log.jsonl" \
        -genv SHUNT_FORCE alltoall=exclusive-or,alltoallv=exclusive-or -n 3 "$programs/steady"
    for operation in alltoall alltoallv; do
        check "what SHUNT_FORCE cannot have for $operation is in the log, with the reason" \
            has "\"operation\": \"$operation\".*\"reason\": \"SHUNT_FORCE is not feasible here\", \"rejected\": \[{.*power of two" \
            "$work/logs/log.jsonl"
    done

    rm -f "${work:?}"/logs/*
    job 120 -genv SHUNT_LOG summary -genv SHUNT_LOG_FILE "$work/logs/log.jsonl" -n 2 \
        "$programs/steady"
    events=$(sed 's/^{"event": "\([a-z]*\)".*/\1/' "$work/logs/log.jsonl" | tr '\n' ' ')
    check "the file of a summary has a first line too" [ "$events" = 'header summary ' ]
    job 120 -genv SHUNT_LOG calls -genv SHUNT_WARMUP 0 -n 2 "$programs/steady"
    if has '^shunt: log schema 1, shunt .* rank 0 of 2, .*, table built-in (' "$work/out" &&
        has '^shunt: communicator [0-9a-f]* (MPI_COMM_WORLD) P=2 N=1 Q=2, layout 2, table' \
            "$work/out" &&
        has '^shunt: #1 alltoall P=2 N=1 Q=2 max=4 .* t=[0-9]*\.[0-9]\{6\}$' "$work/out"; then
        pass "people get the same"
    else
        fail "people get the same"
    fi
}

# Hosts of their own. They are one machine, so the clocks are the same.
testbed=$here/../../scripts/testbed
rm -f "${work:?}"/logs/*
if hosts_possible; then
    logged_what="hosts with 3, 1 and 2 ranks" logged_files='log.*.jsonl'
    logged_expected="$all,ranks=6,layout=3+1+2"
    if ends 0 env MPIEXEC="$MPIEXEC" "$testbed" --timeout 90 --preload "$lib" \
        --env SHUNT_FORCE=alltoall=bruck,alltoallv=parlogna --env SHUNT_LOG=calls \
        --env "SHUNT_LOG_FILE=$work/logs/log.%r.jsonl" 3,1,2 -- "$programs/steady" --rounds 3; then
        compare
    else
        fail "$logged_what: the program"
    fi
else
    echo "clocks of several hosts are not compared: $no_hosts"
fi
finish
