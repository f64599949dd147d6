#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Never a wrong byte: the program `matrix` under every algorithm, with several radices and batch
# sizes, numbers of ranks and layouts. Values are combined pairwise; SHUNT_TEST_FULL=all runs every
# combination, which takes hours.
#
# Such a combination is a case. Those with the same ranks and nodes share launches: each has
# communicators of its own, which are named by its number and forced by it
# (SHUNT_TEST_COMMUNICATORS). MATRIX_CASES="FIRST LAST" runs these cases alone, as a message of
# failure says; of a longer run that was ended, those that it had not come to.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

all=
first_case=${MATRIX_CASES:-1}
first_case=${first_case% *}
last_case=${MATRIX_CASES:-1000000000}
last_case=${last_case#* }
sizes=6
random=20
[ "${SHUNT_TEST_FULL:-0}" = 1 ] && sizes=9 && random=40
[ "$hours" = no ] || all=--all
unset SHUNT_TEST_FULL
launches=0
calls=0
patient=$yield
doze
mkdir "$work/cases"
: >"$work/added"

pick()
{
    pick_skip=$1
    shift "$((pick_skip + 1))"
    echo "$1"
}

# The arguments of mpiexec that make nodes.
nodes_arguments()
{
    case $1 in
    blocks) echo "-genv MPIR_CVAR_NUM_CLIQUES $(($2 < 4 ? $2 : 4)) -genv MPIR_CVAR_CLIQUES_BY_BLOCK 1" ;;
    cyclic) echo "-genv MPIR_CVAR_NUM_CLIQUES $(($2 < 3 ? $2 : 3))" ;;
    halves) echo "-genv MPIR_CVAR_NUM_CLIQUES 2 -genv MPIR_CVAR_CLIQUES_BY_BLOCK 1" ;;
    esac
}

# add RANKS LAYOUT ALLTOALL ALLTOALLV: a case, with the algorithms and their parameters as in
# SHUNT_FORCE. What was added before is none (radix P on three ranks is radix 3).
add()
{
    grep -qxF "$*" "$work/added" && return
    echo "$*" >>"$work/added"
    nodes=$2 divided=
    case $2 in
    unequal) divided=" SHUNT_TEST_LAYOUT=3,5,8,1" ;;
    alone) divided=" SHUNT_TEST_LAYOUT=1" ;;
    esac
    [ -z "$divided" ] && [ "$1" -gt 1 ] || nodes=one
    echo "SHUNT_FORCE=alltoall=$3,alltoallv=$4$divided" >>"$work/cases/$(printf %02d "$1").$nodes"
}

# How many records the log has: a line "NAME OPERATION ALGORITHM COUNT" for each communicator.
count_records()
{
    [ ! -f "$work/log.jsonl" ] ||
        sed -n '/"event": "call"/s/.*"communicator": "\([^"]*\)".*"operation": "\([a-z]*\)".*"algorithm": "\([a-z-]*\)".*/\1 \2 \3/p' \
            "$work/log.jsonl" | sort | uniq -c | awk '{ print $2, $3, $4, $1 }'
}

# counted CASE OPERATION ALGORITHM: of the records ("." stands for any).
counted()
{
    awk -v name="$1" -v op="$2" -v algorithm="$3" '
        $1 == name && (op == "." || $2 == op) && (algorithm == "." || $3 == algorithm) { n += $4 }
        END { print n + 0 }' "$work/counted"
}

# log_check CASE RANKS CALLS ALLTOALL ALLTOALLV: what rank 0's log must say of a case: one record per call, and the wanted algorithm in most of
# them (rank 0 may be alone in its half of the world).
log_check()
{
    log_alltoall=$(counted "$1" alltoall "$4") log_alltoallv=$(counted "$1" alltoallv "$5")
    why="the log has $(counted "$1" . .) records of $3 calls"
    [ "$(counted "$1" . .)" -eq "$3" ] || return 1
    why="$4 ran $log_alltoall times, $5 $log_alltoallv times: not what was forced"
    [ "$2" -eq 1 ] || { [ "$log_alltoall" -ge 50 ] && [ "$log_alltoallv" -ge 50 ]; }
}

# launch RANKS NODES: the cases of $work/launch, a communicator each. The first without a word of
# its calls is the one that hangs, or ends the program; then the log ends somewhere.
launch()
{
    rm -f "$work/log.jsonl"
    # shellcheck disable=SC2046 # words are wanted
    job $((600 + 30 * $(wc -l <"$work/launch"))) $(nodes_arguments "$2" "$1") \
        -genv SHUNT_TEST_COMMUNICATORS "$work/launch" -genv SHUNT_WARMUP 0 -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/log.jsonl" -n "$1" "$programs/matrix" --random $random \
        --thin $(($1 < 8 ? 3 : 6)) --named "$work/launch"
    launches=$((launches + 1))
    count_records >"$work/counted"
    while read -r name force layout; do
        this=$(sed -n "s/^PASS: \([0-9]*\) calls.*, seed $name: .*/\1/p" "$work/out")
        alltoall=${force#*alltoall=} alltoall=${alltoall%%[:,]*} alltoallv=${force##*alltoallv=}
        why='wrong bytes, or no end'
        if [ -n "$this" ] && { [ "$native" = 1 ] || [ "$job_status" -ne 0 ] ||
            log_check "$name" "$1" "$this" "$alltoall" "${alltoallv%%:*}"; }; then
            calls=$((calls + this))
            passes=$((passes + 1))
            continue
        fi
        failed "case $name: $force $layout on $1 ranks, $2: $why"
        echo "  alone: MATRIX_CASES='$name $name' tests/mpi/matrix.sh"
        grep -A 3 "seed $name\>" "$work/out" | head -n 20 | sed 's/^/    /'
        [ -n "$this" ] || grep -q "^FAIL: .* seed $name\$" "$work/out" || {
            fail "it is where the program ended: the cases behind it did not run"
            return
        }
    done <"$work/launch"
    [ "$job_status" -eq 0 ] || fail "the program on $1 ranks, $2"
}

# run_cases: those that were added; not more than so many in a launch.
run_cases()
{
    number=0
    for group in "$work/cases"/*; do
        ranks=$(basename "$group")
        while read -r settings; do
            number=$((number + 1))
            [ $number -lt "$first_case" ] || [ $number -gt "$last_case" ] || echo "$number $settings"
        done <"$group" >"$work/numbered"
        split -l 60 "$work/numbered" "$work/part."
        for part in "$work"/part.*; do
            [ -f "$part" ] || continue
            mv "$part" "$work/launch"
            launch "$((1${ranks%.*} - 100))" "${ranks#*.}"
        done
    done
}

# Numbers of the covering arrays to names. Ranks: 6 values, or 9, layouts: 5, radices: 6, batch sizes: 3,
# ways of metadata: 2.
ranks_of()
{
    pick "$1" 1 2 3 5 8 12 16 4 7
}

layout_of()
{
    pick "$1" one blocks cyclic unequal alone
}

radix_of()
{
    pick "$1" 2 3 4 "$2" 3x2 QxN
}

batch_of()
{
    pick "$1" 1 2 1000
}

metadata_of()
{
    pick "$1" fused separate
}

# Algorithms without a radix.
# shellcheck disable=SC2086 # $all is a word or nothing
"$programs/pairs" $all 9 "$sizes" 5 >"$work/rows"
while read -r a p l; do
    parameters=
    [ "$a" -ge 6 ] && parameters=:batch_size=$(batch_of $((a - 6)))
    add "$(ranks_of "$p")" "$(layout_of "$l")" \
        "$(pick "$a" native spread-out pairwise bruck-basic-dt bruck-modified-dt bruck-zero-copy \
        scattered scattered scattered)$parameters" \
        "$(pick "$a" native spread-out pairwise linear sloav padded-alltoall scattered scattered \
        scattered)$parameters"
done <"$work/rows"
add 16 blocks linear linear
add 7 unequal sloav sloav
add 5 cyclic padded-alltoall padded-alltoall
for ranks in 1 2 4 8 16; do
    add $ranks "$(layout_of $((ranks % 5)))" exclusive-or exclusive-or
done

# With a radix; two-phase-bruck has its own, 2.
# shellcheck disable=SC2086
"$programs/pairs" $all 4 6 "$sizes" 5 >"$work/rows"
while read -r a r p l; do
    ranks=$(ranks_of "$p")
    radix=:radix=$(radix_of "$r" $((ranks > 2 ? ranks : 2)))
    add "$ranks" "$(layout_of "$l")" \
        "$(pick "$a" "bruck$radix" two-phase-bruck "bruck-basic$radix" "bruck-modified$radix")" \
        "$(pick "$a" two-phase-bruck "padded-bruck$radix" two-phase-bruck "padded-bruck$radix")"
done <"$work/rows"
# shellcheck disable=SC2086
"$programs/pairs" $all 6 3 2 "$sizes" 5 >"$work/rows"
while read -r r b m p l; do
    ranks=$(ranks_of "$p")
    name=parlogna:radix=$(radix_of "$r" $((ranks > 2 ? ranks : 2))):batch_size=$(batch_of \
        "$b"):metadata=$(metadata_of "$m")
    add "$ranks" "$(layout_of "$l")" "$name" "$name"
done <"$work/rows"
add 8 cyclic padded-bruck:radix=2x4 padded-bruck:radix=2x4

# In two levels.
# shellcheck disable=SC2086
"$programs/pairs" $all 2 6 3 2 "$sizes" 5 >"$work/rows"
while read -r a r b m p l; do
    ranks=$(ranks_of "$p")
    name=$(pick "$a" parlinna-coalesced parlinna-staggered)
    parameters=:radix=$(radix_of "$r" $((ranks > 2 ? ranks : 2))):batch_size=$(batch_of \
        "$b"):metadata=$(metadata_of "$m")
    add "$ranks" "$(layout_of "$l")" "$name$parameters" "$name$parameters"
done <"$work/rows"

# Through shared memory inside nodes.
# shellcheck disable=SC2086
"$programs/pairs" $all 9 "$sizes" 5 >"$work/rows"
while read -r a p l; do
    ranks=$(ranks_of "$p")
    case $a$l in
    00) name=shared-segment ;; # all ranks on one node
    10) name=peer-read ;;
    *)
        name=$(pick "$a" node-bruck node-pair node-pair:leaders=2 node-pair:leaders=1000 node-bruck:radix=3 parlinna-shared \
            parlinna-shared:batch_size=1 parlinna-shared:batch_size=1:parts=1000 parlinna-shared:batch_size=2:parts=2 node-pair:fragment=1K node-pair:leaders=2:fragment=4K)
        ;;
    esac
    add "$ranks" "$(layout_of "$l")" "$name" "$name"
done <"$work/rows"
for ranks in 2 5 8; do
    add $ranks one peer-read peer-read
done
# Several leaders for each bundle.
for form in node-pair:leaders=4 node-pair:leaders=3:fragment=1K; do
    add 8 halves $form $form
done

run_cases
echo "$passes of $number cases in $launches launches passed"
[ -z "${MATRIX_CASES:-}" ] || finish

# Whatever is added to the registry has to be added above.
unseen=
"$PWD/src/shunt" algorithms --wide >"$work/registry"
while read -r name operations _; do
    for operation in $(echo "$operations" | tr , ' '); do
        # The columns of what was added: ranks, layout, algorithm of alltoall, of alltoallv.
        awk -v at="$([ "$operation" = alltoall ] && echo 3 || echo 4)" \
            '{ sub(":.*", "", $at); print $at }' \
            "$work/added" | grep -qx "$name" || unseen="$unseen $operation=$name"
    done
done <"$work/registry"
job_line=''
if [ -z "$unseen" ]; then
    pass "every algorithm ran, for all its operations"
else
    fail "never ran:$unseen"
fi

# By a table, so that one communicator changes between algorithms from call to call; the same with
# every call checked by the library itself, and with so little memory that some rules are passed
# over.
cat >"$work/table.cfg" <<'END'
schema = 1;
policy = { warmup = 1; };
alltoall = ( { block = "0-7"; algorithm = "bruck"; radix = 3; }, { block = "8-64"; algorithm = "bruck-zero-copy"; },
             { block = "65-128"; algorithm = "native"; }, { block = "129-2K"; algorithm = "parlinna-staggered"; radix = 2; batch_size = 1; },
             { block = "2049-4K"; algorithm = "node-pair"; }, { algorithm = "scattered"; batch_size = 2; } );
alltoallv = ( { block = "0-7"; algorithm = "spread-out"; }, { block = "8-100"; algorithm = "parlogna"; radix = 3; },
              { block = "101-500"; algorithm = "native"; }, { block = "501-1K"; algorithm = "padded-bruck"; radix = [2, 3]; },
              { block = "1025-2K"; algorithm = "node-bruck"; }, { algorithm = "parlinna-coalesced"; radix = 2; batch_size = 1; } );
END
for ranks in 3 6 9; do
    yield=$patient # which is another order of events
    [ $ranks -eq 3 ] || doze
    for more in "" "-genv SHUNT_VERIFY 1" "-genv SHUNT_MEMORY 8K"; do
        rm -f "$work/log.jsonl"
        # shellcheck disable=SC2086 # words are wanted
        job 120 $more -genv SHUNT_CONFIG "$work/table.cfg" -genv SHUNT_TEST_LAYOUT 2,1 -genv \
            SHUNT_LOG calls \
            -genv SHUNT_LOG_FILE "$work/log.jsonl" -n $ranks "$programs/matrix" --random 100 \
            --seed $ranks --thin 2
        lacking=
        for name in bruck parlinna-staggered scattered spread-out parlogna; do
            [ "$(records . $name "$work/log.jsonl")" -ge 5 ] || lacking="$lacking $name"
        done
        if [ $job_status -ne 0 ] || ! grep -q '^PASS: ' "$work/out"; then
            fail "by a table on $ranks ranks $more"
        elif [ "$native" != 1 ] && [ -n "$lacking" ]; then
            fail "by a table on $ranks ranks $more: did not run:$lacking"
        else
            pass "by a table on $ranks ranks $more"
        fi
    done
done

# Every combination of calls, datatypes, counts, places and communicators, once per pair of
# algorithms; with MATRIX_THIN=7 every seventh, each pair of algorithms another seventh in turn.
every_call()
{
    job 10800 -genv SHUNT_TEST_LAYOUT 2,1 -genv SHUNT_FORCE "alltoall=$1,alltoallv=$2" -n 3 \
        "$programs/matrix" --full \
        --thin "${MATRIX_THIN:-1}" --first $((turn % ${MATRIX_THIN:-1}))
    turn=$((turn + 1))
    this=$(sed -n 's/^PASS: \([0-9]*\) calls.*/\1/p' "$work/out")
    launches=$((launches + 1))
    if [ $job_status -ne 0 ] || [ -z "$this" ]; then
        fail "every call by $1 and $2"
        return
    fi
    calls=$((calls + this))
    passes=$((passes + 1))
    echo "every call by $1 and $2: $this passed"
}

turn=0
if [ -n "$all" ]; then
    every_call spread-out spread-out
    every_call scattered:batch_size=1 pairwise
    every_call bruck:radix=2 two-phase-bruck
    every_call parlogna:radix=3 parlogna:radix=2
    every_call parlogna:radix=3:metadata=separate parlogna:radix=2:batch_size=1:metadata=separate
    every_call parlinna-coalesced parlinna-coalesced
    every_call parlinna-coalesced:metadata=separate parlinna-coalesced:metadata=separate
    every_call parlinna-staggered:batch_size=1 parlinna-staggered:batch_size=1
    every_call bruck-basic linear
    every_call bruck-modified:radix=2x2 padded-bruck
    every_call bruck-basic-dt padded-alltoall
    every_call bruck-modified-dt sloav
    every_call bruck-zero-copy parlogna:radix=2x2
    every_call node-pair node-bruck
    every_call node-pair:fragment=1K node-pair:fragment=1K
    every_call parlinna-shared:batch_size=1:parts=3 parlinna-shared:batch_size=1:parts=3
fi

echo "$calls calls compared byte by byte"
finish
