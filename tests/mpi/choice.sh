#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls of MPI_Alltoall that no rule takes, routed by the model: right bytes, the same decision on
# all ranks, nothing without a margin or without a description. MPI_Alltoallv stays native.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

[ "$native" = 1 ] && skip "there is no model without the library"

# A machine on which messages take absurdly long, and native is always the direct exchange.
# table NAME POLICY [MODEL [RULES]]
table()
{
    cat >"$work/$1.cfg" <<END
schema = 1;
machine = { name = "$1"; ${3-$slow} };
policy = { warmup = 0; $2 };
${4-}
END
}
slow='model = { library = "any";
    inside = { latency_us = 1; overhead_us = 500; byte_ns = 0.1; };
    between = { latency_us = 10; overhead_us = 1000; byte_ns = 1; };
    copy = { block_ns = 10; byte_ns = 0.1; };
    read = { block_ns = 500; byte_ns = 0.1; };
    barrier = { start_us = 1; rank_us = 0.1; };
    native = { short = 0; medium = "32K"; ranks = 8; throttle = 32; };
  };'
table model 'no_match = "model"; margin = 1;'
table wide 'no_match = "model"; margin = 1e9;'
table silent ''
table blank 'no_match = "model";' ''
table mixed 'no_match = "model"; margin = 1;' "$slow" \
    'alltoall = ( { id = "tiny"; block = "0-8"; algorithm = "native"; },
  { id = "large"; block = "4K-"; algorithm = "pairwise"; } );'

# calls TABLE RANKS ARGUMENT...: the program that checks every byte, under this table.
calls()
{
    calls_table=$1
    calls_ranks=$2
    shift 2
    rm -f "$work"/*.jsonl
    job 120 "$@" -genv SHUNT_CONFIG "$work/$calls_table.cfg" -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/%r.jsonl" -n "$calls_ranks" "$programs/matrix" --random 20 \
        --seed 3 --thin 8
    [ $job_status -eq 0 ] && grep -q '^PASS: ' "$work/out"
}

# by_model: how many calls of rank 0 the model routed.
by_model()
{
    grep '"event": "call"' "$work/0.jsonl" | grep '"rule": null, "reason": "model"' |
        grep -c '"predicted_gain": [1-9]'
}

# vector_by_model: how many of MPI_Alltoallv; it is told as a call without a rule.
vector_by_model()
{
    grep '"operation": "alltoallv"' "$work/0.jsonl" | grep '"algorithm": ' |
        grep -vc '"rule": null, "reason": "no rule'
}

# because REASON: how many calls of rank 0 were native for that reason.
because()
{
    grep '"algorithm": "native"' "$work/0.jsonl" | grep -c "\"reason\": \"$1\""
}

# alike RANKS: all ranks' logs tell of the same algorithms for the same calls.
alike()
{
    alike_rank=0
    while [ $alike_rank -lt "$1" ]; do
        decisions '[0-9]*' "$work/$alike_rank.jsonl" | awk -v n="$1" '$1 == n' \
            >"$work/whole.$alike_rank"
        cmp -s "$work/whole.0" "$work/whole.$alike_rank" || return 1
        alike_rank=$((alike_rank + 1))
    done
    [ -s "$work/whole.0" ]
}

# routes SENTENCE TABLE RANKS ARGUMENT...
routes()
{
    routes_sentence=$1
    shift
    if calls "$@" && [ "$(by_model)" -ge 10 ] && alike "$2" && [ "$(vector_by_model)" -eq 0 ]; then
        pass "$routes_sentence ($(by_model) calls)"
    else
        fail "$routes_sentence: the model routed $(by_model) calls of rank 0"
    fi
}

# leaves SENTENCE REASON TABLE RANKS ARGUMENT...
leaves()
{
    leaves_sentence=$1
    leaves_reason=$2
    shift 2
    if calls "$@" && [ "$(routed "$work"/*.jsonl)" -eq 0 ] &&
        [ "$(because "$leaves_reason")" -ge 10 ]; then
        pass "$leaves_sentence"
    else
        fail "$leaves_sentence: $(routed "$work"/*.jsonl) calls were routed," \
            "$(because "$leaves_reason") native as they should be"
    fi
}

# "and between rules" has as many ranks.
[ "$SHUNT_TEST_FULL" != 1 ] || routes "without a rule the model routes on one node" model 4
routes "without a rule the model routes, and SHUNT_VERIFY compares" model 3 -genv SHUNT_VERIFY 1
routes "and on two nodes" model 8 -genv MPIR_CVAR_NUM_CLIQUES 2 -genv MPIR_CVAR_CLIQUES_BY_BLOCK 1
routes "and on nodes of different size" model 6 -genv SHUNT_TEST_LAYOUT 3,1,2
routes "and between rules" mixed 4
if grep -q '"id": "large"' "$work/0.jsonl" && grep -q '"id": "tiny"' "$work/0.jsonl"; then
    pass "and rules come first"
else
    fail "no rule took a call"
fi
leaves "with a margin that nothing keeps all is native" \
    "no rule matched, and the model predicts too little gain" wide 4
leaves "likewise on several nodes" "no rule matched, and the model predicts too little gain" \
    wide 6 -genv SHUNT_TEST_LAYOUT 3,1,2
leaves "without the policy all is native" "no rule routes this operation here" silent 4
leaves "without a description too" "no rule routes this operation here" blank 4

if calls model 4 -genv SHUNT_MEMORY 0 && [ "$(records . '.*shared.*' "$work/0.jsonl")" -eq 0 ]; then
    pass "what takes memory is left alone where there is none to be had"
else
    fail "memory was taken beyond SHUNT_MEMORY"
fi
if calls model 4 -genv SHUNT_FORCE alltoall=pairwise,alltoallv=scattered &&
    [ "$(by_model)" -eq 0 ] && [ "$(records alltoall pairwise "$work/0.jsonl")" -ge 10 ]; then
    pass "SHUNT_FORCE comes before the model"
else
    fail "SHUNT_FORCE was not obeyed"
fi

# Ranks that were given different tables go by rank 0's.
rm -f "$work"/*.jsonl
job 120 -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/%r.jsonl" \
    -n 1 -env SHUNT_CONFIG "$work/model.cfg" "$programs/steady" : \
    -n 1 -env SHUNT_CONFIG "$work/wide.cfg" "$programs/steady" : \
    -n 1 -env SHUNT_CONFIG "$work/silent.cfg" "$programs/steady" : \
    -n 1 -env SHUNT_CONFIG "$work/blank.cfg" "$programs/steady"
if [ $job_status -eq 0 ] && grep -q '^PASS: ' "$work/out" &&
    agreed "$work/0.jsonl" "$work/1.jsonl" "$work/2.jsonl" "$work/3.jsonl" &&
    [ "$(by_model)" -ge 10 ]; then
    pass "ranks with different tables decide alike"
else
    fail "ranks with different tables"
fi

# whole: what rank 0 decided on communicators of all four ranks, those of halves left out: these may
# do without the rank that matters.
whole()
{
    decisions 4 "$work/0.jsonl" | sed 's/.* //' | sort -u | tr '\n' ' '
}

# upward TABLE RANK LAYOUT: one rank rounds numbers upwards; it asks the model as the others do.
upward()
{
    rm -f "$work"/*.jsonl
    job 120 -genv SHUNT_CONFIG "$work/$1.cfg" -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/%r.jsonl" ${3:+-genv SHUNT_TEST_LAYOUT "$3"} \
        -n 4 "$programs/steady" --upward "$2"
    [ $job_status -eq 0 ] && grep -q '^PASS: ' "$work/out" && alike 4 &&
        ! grep -q 'cannot be asked' "$work/out"
}
# Each rank on one of the layouts; with SHUNT_TEST_FULL=1 on all of them.
for case in :0 2:1 3,1:3; do
    layout=${case%:*} ranks="-1 ${case#*:}"
    [ "$SHUNT_TEST_FULL" != 1 ] || ranks='-1 0 1 3'
    for rank in $ranks; do
        upward model "$rank" "$layout"
        upward_good=$?
        [ "$rank" -ge 0 ] || usual=$(whole)
        if [ $upward_good -eq 0 ] && [ "$(whole)" = "$usual" ]; then
            pass "the model decides the same where rank $rank rounds upwards, nodes of ${layout:-all}"
        else
            fail "rank $rank rounds upwards, nodes of ${layout:-all}"
        fi
    done
done

# What people read.
job 120 -genv SHUNT_CONFIG "$work/model.cfg" -genv SHUNT_LOG calls -n 4 "$programs/steady"
if grep -q ' \[model [0-9][0-9.]*x\]' "$work/out" && grep -q '\[model\]' "$work/out"; then
    pass "lines and summary tell of the model"
else
    fail "neither lines nor summary tell of the model"
fi
finish
