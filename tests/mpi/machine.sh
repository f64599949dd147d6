#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `shunt machine`: the description that it writes can be read, its numbers can be meant, what was not
# measured says so, and a busy machine gets no description unless that is asked for. (That the right
# numbers follow from times: tests/unit/test_machine_fit.c.)
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

shunt=$PWD/src/shunt
schema=$top/src/tools/machine/machine.schema.json

# measure RANKS NODES ARGUMENT...: with the fewest repetitions, on whatever else runs here. Nodes are
# pieces of this one: the first ranks, the next ones and so on.
measure()
{
    measure_ranks=$1
    measure_nodes=$2
    shift 2
    job_native 240 -n "$measure_ranks" -genv MPIR_CVAR_NUM_CLIQUES "$measure_nodes" \
        -genv MPIR_CVAR_CLIQUES_BY_BLOCK "${by_block:-1}" "$shunt" machine --time-limit=1 --force \
        "$@"
}

# value KEY FILE: of a description; "between.eager" stands in a group, "processors" in none.
value()
{
    awk -v key="$1" '
        /^ *#/ { next }
        { sub(/#.*/, "") }
        / = \{/ { group = $1 == "model" ? "" : $1 "."; next }
        /^  \};/ { group = "" }
        group $1 == key { gsub(/[;"]/, "", $3); print $3 }' "$2"
}

# positive SENTENCE FILE KEY...
positive()
{
    positive_what=$1
    positive_file=$2
    shift 2
    for key; do
        value "$key" "$positive_file" | awk '{ n++ } !($1 > 0) { bad = 1 } END { exit bad || n != 1 }' || {
            fail "$positive_what: $key is \"$(value "$key" "$positive_file")\""
            return
        }
    done
    pass "$positive_what"
}

# known SENTENCE FILE KEY...: numbers, of which a slope that drowns in noise may be 0.
known()
{
    known_what=$1
    known_file=$2
    shift 2
    for key; do
        case $(value "$key" "$known_file") in
        [0-9]*) ;;
        *)
            fail "$known_what: $key is \"$(value "$key" "$known_file")\""
            return
            ;;
        esac
    done
    pass "$known_what"
}

# in_order FILE LESS MORE: whether the value of one key is below that of another.
in_order()
{
    awk -v less="$(value "$2" "$1")" -v more="$(value "$3" "$1")" \
        'BEGIN { exit !(less != "" && more != "" && less + 0 < more + 0) }'
}

# below FILE LESS MORE: so it is.
below()
{
    if in_order "$@"; then
        pass "$2 is less than $3"
    else
        fail "$2 is less than $3: $(value "$2" "$1"), $(value "$3" "$1")"
    fi
}

# Two ranks of one node.
one=$work/one.cfg
measure 2 1 -o "$one" --name=somewhere
check "one node is measured" [ $job_status -eq 0 ]
holds "the table has parameter, value, unit, residual and samples" \
    '^parameter  *value  *unit  *residual  *samples' "$work/out"
holds "a number is measured, with its residual" \
    '^inside.latency_us  *[0-9.e+-]*  *us  *[0-9.]*%  *[1-9][0-9]*' "$work/out"
holds "the file has the table as comments" '^# inside.latency_us  *[0-9]' "$one"
holds "the file tells when" '^# date  *20[0-9-]*T' "$one"
holds "and with which MPI library" '^# library  *[A-Z]' "$one"
holds "the file has the name" '^  name = "somewhere";' "$one"
holds "what is between nodes is said to be a copy" \
    '^# between.latency_us .* not measured: one node; as inside' "$one"
holds "and the way to measure it is told" 'warning: one node: .* mpiexec -n 4 -ppn 2' "$work/out"
check "the part file is gone" sh -c "! ls '$one'.*.part 2>/dev/null"
inside='inside.latency_us inside.overhead_us inside.eager'
# shellcheck disable=SC2086 # words
positive "numbers of a node are positive" "$one" $inside read.block_ns processors turn_us \
    native.short native.medium native.ranks native.throttle
known "none is lacking" "$one" inside.gap_us inside.byte_ns copy.block_ns copy.byte_ns \
    read.byte_ns type.message_ns type.block_ns type.byte_ns match_ns barrier.start_us barrier.rank_us card.count card.message_ns card.byte_ns
# A second is little where something else runs: what that disturbed is measured again.
for again in 1 2; do
    in_order "$one" copy.block_ns read.block_ns && break
    echo "copying a block takes longer than asking the kernel for it; once more ($again)"
    measure 2 1 -o "$one" --name=somewhere
done
below "$one" copy.block_ns read.block_ns
check "between is as inside" \
    [ "$(value inside.latency_us "$one")" = "$(value between.latency_us "$one")" ]
check "it says that its numbers were fitted" [ "$(value fitted "$one")" = true ]
check "energy is not measured" [ "$(value inside.message_pj "$one")" = 0 ]
sed 's/message_pj = 0;/message_pj = 16.5;/; s/static_w = 0;/static_w = 0.25;/' "$one" \
    >"$work/energy.cfg"

# Two nodes of two ranks; the description of one is read for its energies.
two=$work/two.cfg
job_run "$(preload)" 240 -n 4 -genv MPIR_CVAR_NUM_CLIQUES 2 -genv MPIR_CVAR_CLIQUES_BY_BLOCK 1 \
    -outfile-pattern "$work/two.json" "$shunt" machine --time-limit=1 --force --json -o "$two" \
    --energy-from="$work/energy.cfg"
check "two nodes are measured" [ $job_status -eq 0 ]
outside='between.latency_us between.overhead_us between.eager'
# shellcheck disable=SC2086 # words
positive "numbers of both links are positive" "$two" $inside $outside read.block_ns turn_us
known "those of cards are there" "$two" match_ns between.rendezvous_us between.gap_us between.byte_ns card.message_ns card.byte_ns
check "both have energies from the other description" \
    [ "$(value inside.message_pj "$two") $(value between.message_pj "$two")" = "16.5 16.5" ]
check "and the power" [ "$(value energy.static_w "$two")" = 0.25 ]
if ! command -v python3 >/dev/null; then
    echo "JSON is not looked at: python3 is not installed"
elif python3 - "$work/two.json" "$two" >"$work/out" 2>&1 <<'END'; then
import json, re, sys
data = json.load(open(sys.argv[1]))
assert data["ranks"] == 4 and data["nodes"] == 2 and data["ppn_max"] == 2, data
measures = {m["name"]: m for m in data["measures"]}
assert len(measures) == len(data["measures"])
for name in ("inside.latency_us", "between.byte_ns", "card.byte_ns", "turn_us", "copy.block_ns"):
    assert measures[name]["samples"] >= 9 and measures[name]["residual"] >= 0, measures[name]
assert measures["native.ranks"]["samples"] == 0 and "assumed" in measures["native.ranks"]["note"]
text = open(sys.argv[2]).read()
latency = float(re.search(r"between = \{.*?latency_us = ([0-9.e+-]+);", text, re.S).group(1))
assert abs(latency - measures["between.latency_us"]["value"]) <= 1e-3 * latency + 1e-6
END
    pass "the JSON has what was measured, as the file"
else
    fail "the JSON has what was measured, as the file"
fi
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    echo "JSON and its schema are not compared: python3 has no module jsonschema"
elif python3 "$top/tests/unit/valid.py" "$schema" "$work/two.json" >"$work/out" 2>&1; then
    pass "JSON is as its schema has it"
else
    fail "JSON is as its schema has it"
fi

# Ranks dealt in turn, nodes of one and of two ranks; the description goes to standard output.
by_block=0
measure 3 2
check "unequal nodes are measured" [ $job_status -eq 0 ]
cp "$work/out" "$work/three.cfg"
# shellcheck disable=SC2086 # words
positive "with positive numbers" "$work/three.cfg" $inside $outside
by_block=1
measure 2 2
check "one rank on each node is measured" [ $job_status -eq 0 ]
cp "$work/out" "$work/apart.cfg"
holds "what is inside of a node is said to be a copy" \
    '^# inside.latency_us .* not measured: one rank per node; as between' "$work/apart.cfg"
# shellcheck disable=SC2086 # words
positive "with positive numbers" "$work/apart.cfg" $inside $outside

# MPICH's own limits are those that it has.
job_native 240 -n 2 -genv MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE 4096 "$shunt" machine --time-limit=1 \
    --force --name=other
cp "$work/out" "$work/other.cfg"
check "a control variable of MPICH is read" [ "$(value native.short "$work/other.cfg")" = 4K ]

# Where sending is known to take 200 us more, it is found to: half of that at each end,
# for the model knows one overhead for both, and all of it between two messages.
job_run "$PWD/tests/mpi/heavy.so:$(preload)" 240 -n 2 -genv HEAVY_US 200 "$shunt" machine \
    --time-limit=1 --force
cp "$work/out" "$work/heavy.cfg"
# within KEY LEAST MOST
# shellcheck disable=SC2317 # called by check
within()
{
    value "$1" "$work/heavy.cfg" | awk -v least="$2" -v most="$3" \
        '{ good = $1 + 0 >= least && $1 + 0 <= most } END { exit !good }'
}
check "heavy sends have a large overhead" within inside.overhead_us 95 2000
check "and follow each other late" within inside.gap_us 190 3000

# mistake STATUS TEXT ARGUMENT...: said once, by one rank.
mistake()
{
    mistake_status=$1
    mistake_text=$2
    shift 2
    job_native 60 -n 2 "$shunt" machine --force --time-limit=1 "$@"
    if [ $job_status -ne "$mistake_status" ] || [ "$(grep -c 'shunt' "$work/out")" -ne 1 ] ||
        ! grep -q -e "$mistake_text" "$work/out"; then
        fail "$*: is not said, or not once"
    else
        pass "$*: $(cat "$work/out")"
    fi
}
mistake 2 'is not a number from 1 to 3600' --time-limit=0
mistake 2 'is not a name of 1 to 63 bytes' --name=
mistake 2 '"zork" is one word too many' zork
mistake 2 'is not an option' --ranks=4
mistake 2 'both want standard output' --json -o -
mistake 3 'hoefler-moor-2014' --energy-from=nowhere
mistake 4 'cannot be written' -o "$work/none/site.cfg"
job_native 60 -n 1 "$shunt" machine
if [ $job_status -eq 2 ] && grep -q 'one rank has nobody to send to' "$work/out"; then
    pass "one rank alone is refused"
else
    fail "one rank alone is refused"
fi

# A machine that is surely busy.
burners=
for _ in $(seq $(($(nproc) + 2))); do
    sh -c 'while :; do :; done' &
    burners="$burners $!"
done
job_native 120 -n 2 "$shunt" machine --time-limit=1 -o "$work/busy.cfg"
# shellcheck disable=SC2086 # words
kill $burners
# shellcheck disable=SC2086 # words
wait $burners 2>/dev/null
check "a busy machine is refused" [ $job_status -eq 1 ]
holds "with the reason" 'busy machine: [0-9]* other process' "$work/out"
holds "and what to do" 'measure when nothing else runs, or take these numbers with --force' \
    "$work/out"
check "and nothing is written" [ ! -e "$work/busy.cfg" ]

# Progress is for terminals.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    line="$MPIEXEC -genv LD_PRELOAD $(preload) -n 2 $shunt machine --time-limit=1 --force"
    ends 0 script -qec "TERM=dumb $line -o $work/terminal.cfg" /dev/null
    if tr '\r' '\n' <"$work/out" | grep -q '^step [0-9]* of [0-9]*: '; then
        pass "a terminal shows progress"
    else
        fail "a terminal shows progress"
    fi
else
    echo "progress on a terminal is left out: there is no script(1)"
fi
if grep -q '^step [0-9]* of' "$work/three.cfg"; then
    fail "a file shows no progress"
else
    pass "a file shows no progress"
fi
finish
