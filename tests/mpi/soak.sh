#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program `soak`, a random mix of calls, under rules, layouts and settings that are drawn from a
# seed as well: each chunk is one job. Without arguments a few chunks of a second;
# SHUNT_TEST_FULL=1: a hundred of them. One again, or for longer:
#   soak.sh --seed S --chunk N [--seconds T]
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

seed=1 first=1 last=4 seconds=1
[ "$full" != 1 ] || last=100 seconds=2
while [ $# -gt 1 ]; do
    case $1 in
    --seed) seed=$2 ;;
    --chunk) first=$2 last=$2 ;;
    --seconds) seconds=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 0 ] || {
    echo "usage: soak.sh [--seed S] [--chunk N] [--seconds T]" >&2
    exit 99
}

"$PWD/src/shunt" algorithms --wide >"$work/registry"

# parameters_of NAME FORM: of an algorithm, each drawn; as a rule or as SHUNT_FORCE has them.
parameters_of()
{
    parameters=
    for parameter in $(awk -v name="$1" '$1 == name' "$work/registry" \
        | grep -oE '(radix|batch_size|metadata|leaders|fragment|parts)=' | tr -d =); do
        case $parameter in
        radix) draw 2 3 4 2 ;;
        batch_size) draw 1 2 3 1000 ;;
        metadata) draw fused separate ;;
        leaders | parts) draw 1 2 3 ;;
        *) draw 1K 4K 64K ;;
        esac
        case $2$parameter in
        force*) parameters=$parameters:$parameter=$drawn ;;
        rulemetadata | rulefragment) parameters="$parameters $parameter = \"$drawn\";" ;;
        *) parameters="$parameters $parameter = $drawn;" ;;
        esac
    done
}

# one_of OPERATION: $drawn is the name of an algorithm that serves it.
one_of()
{
    # shellcheck disable=SC2046 # words are wanted
    draw $(awk -v op="$1" '$2 ~ "(^|,)" op "(,|$)" { print $1 }' "$work/registry")
}

# A table in which blocks of every few sizes go to another algorithm; where one of them is not
# feasible, the next rule of that size has the call.
make_table()
{
    draw 0 1 3
    echo "schema = 1; policy = { warmup = $drawn; };"
    for operation in alltoall alltoallv; do
        echo "$operation = ("
        for range in 0-3 4-16 17-64 65-256 257-1K 1025-4K 4097-16K 16385- 0- 0-; do
            one_of $operation
            rule_algorithm=$drawn
            parameters_of "$rule_algorithm" rule
            draw '' '' 'ranks = "-4";' 'nodes = 1;' 'ppn = "2-";'
            rule_conditions=$drawn
            if [ $operation = alltoallv ]; then
                draw '' '' 'density = "0-50";'
                rule_conditions="$rule_conditions $drawn"
            fi
            echo "  { block = \"$range\"; $rule_conditions algorithm = \"$rule_algorithm\";$parameters },"
        done
        echo "  { algorithm = \"spread-out\"; } );"
    done
}

# What decides, as arguments of mpiexec in $rules, and in words in $deciding.
draw_rules()
{
    draw force force force table table table learn built-in
    deciding=$drawn
    case $deciding in
    force)
        one_of alltoall
        deciding=alltoall=$drawn
        parameters_of "$drawn" force
        deciding=$deciding$parameters
        one_of alltoallv
        deciding=$deciding,alltoallv=$drawn
        parameters_of "$drawn" force
        deciding=$deciding$parameters
        rules="-genv SHUNT_FORCE $deciding"
        ;;
    table)
        make_table >"$work/table.cfg"
        rules="-genv SHUNT_CONFIG $work/table.cfg"
        # That a rule is never reached (status 1) is no harm here.
        checked=0
        "$PWD/src/shunt" check "$work/table.cfg" >"$work/checked" 2>&1 || checked=$?
        if [ $checked -gt 1 ]; then
            failed "chunk $chunk: a table that was made up is refused"
            show "$work/checked" "$work/table.cfg"
        fi
        ;;
    learn)
        echo 'schema = 1; policy = { warmup = 0; };' >"$work/learn.cfg"
        rules="-genv SHUNT_LEARN on -genv SHUNT_CONFIG $work/learn.cfg"
        ;;
    *) rules="-genv XDG_CONFIG_HOME $work/nothing" ;;
    esac
}

run_chunk()
{
    draws=0
    draw_rules
    draw 2 3 4 5 6 7 8 9
    ranks=$drawn
    draw 64 64 2 3,5 1 2,1
    layout=$drawn
    draw '' '' '' '--threads 2' '--threads 3' '--interrupts'
    how=$drawn
    draw '' '' '' '' '-genv SHUNT_MEMORY 8K' '-genv SHUNT_MEMORY 1M' '-genv SHUNT_VERIFY 1' \
        '-genv SHUNT_WARMUP 0'
    settings=$drawn
    draw 0 1 1
    settings="$settings -genv SHUNT_GUARD $drawn"
    draw summary summary calls
    rm -f "$work/log.jsonl"
    # shellcheck disable=SC2086 # words are wanted
    job $((90 + 2 * seconds)) $rules $settings -genv SHUNT_TEST_LAYOUT $layout -genv SHUNT_LOG \
        "$drawn" -genv SHUNT_LOG_FILE "$work/log.jsonl" -genv SHUNT_LOG_FORMAT json -n $ranks \
        "$programs/soak" --seconds "$seconds" --seed $((seed * 1000 + chunk)) $how
    what="chunk $chunk: $deciding, $ranks ranks, nodes of $layout $how $settings"
    told=$(sed -n '/^PASS/{s/^PASS: //p;q;}' "$work/out")
    if [ $job_status -ne 0 ] || [ -z "$told" ]; then
        fail "$what"
        echo "  again: tests/mpi/soak.sh --seed $seed --chunk $chunk --seconds $seconds"
        [ "$deciding" != table ] || sed 's/^/    /' "$work/table.cfg"
        return
    fi
    this=$(sed -n 's/.*"event": *"summary".*"routed": *{"calls": *\([0-9]*\).*/\1/p' "$work/log.jsonl" \
        2>/dev/null | head -n 1)
    pass "$what: $told"
    echo "  routed by rank 0: ${this:-0}"
    routed=$((routed + ${this:-0}))
}

routed=0
chunk=$first
while [ "$chunk" -le "$last" ]; do
    run_chunk
    chunk=$((chunk + 1))
done
# A single chunk may have drawn what is not feasible, or the built-in table.
if [ "$native" != 1 ] && [ "$first" != "$last" ] && [ $failures -eq 0 ]; then
    job_line=''
    if [ $routed -ge 500 ]; then
        pass "rank 0 had $routed of its calls routed"
    else
        fail "rank 0 had only $routed of its calls routed"
    fi
fi
finish
