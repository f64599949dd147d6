#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `shunt tune`: the table that it writes can be used and says what it rests on, a run that is killed
# loses no samples and leaves no half table, and mistakes are said once. (That the right ones win,
# and where: tests/unit/test_tune.c.)
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

doze
shunt=$PWD/src/shunt
few='--force --candidates=4 --algorithm=node-pair,shared-segment,spread-out,bruck'

# line RANKS NODES ARGUMENT...: the command, with nodes that are pieces of this one.
line()
{
    line_ranks=$1
    line_nodes=$2
    shift 2
    echo "-n $line_ranks -genv MPIR_CVAR_NUM_CLIQUES $line_nodes -genv MPIR_CVAR_CLIQUES_BY_BLOCK 1 $shunt tune $*"
}

# tune RANKS NODES ARGUMENT...: with the library $beside preloaded.
beside=
tune()
{
    # shellcheck disable=SC2046 # words
    job_run "$(preload "$beside")" 240 $(line "$@")
}
# Where the library's own takes a millisecond more there are rules, on any machine.
slow_native()
{
    beside=$programs/sluggish.so
    export SLUGGISH_MS=1
}

# good SENTENCE FILE: a table without a mistake.
good()
{
    if "$shunt" check "$2" >"$work/check" 2>&1; then
        pass "$1"
    else
        fail "$1: $(cat "$work/check")"
    fi
}

# What would be measured.
tune 4 2 --dry-run --layout=all --block=16,1K --op=alltoall
check "a dry run measures nothing" [ $job_status -eq 0 ]
check "it tells each cell of each layout" [ "$(grep -c '^alltoall ' "$work/out")" -eq 6 ]
holds "layouts are parts of the allocation" '^alltoall  *1x2  *1K' "$work/out"
holds "it tells how long it takes" '^6 cells, about [0-9]* seconds' "$work/out"

# Both operations, three layouts.
slow_native
table=$work/one.cfg
tune 4 2 "$few" -o "$table" --layout=2x2,1x2,2x1 --block=64,4K --distribution=uniform,constant \
    --time-limit=15
check "a table is made" [ $job_status -eq 0 ]
good "shunt check accepts it" "$table"
check "each cell is told" [ "$(grep -c '^alltoall.* [1-9]x[1-9] ' "$work/out")" -eq 12 ]
holds "the mean gain is told, beside the built-in table's" \
    '^mean gain over 12 cells: [0-9.]* .*built-in table: [0-9.]*' "$work/out"
tail -n 8 "$work/out" | tr '\n' ' ' | tr -s ' ' >"$work/last"
holds "the last sentence says which table to use" \
    '\(Use the table\|Keep the built-in table\): calls are [0-9.]* times as fast as native with it' "$work/last"
holds "the table says it too" '^# .*\(Use the table\|Keep the built-in table\): ' "$table"
holds "the table says when and with what" '^# Made by shunt tune .* from 12 of 12 cells' "$table"
holds "what native costs beside rules for MPI_Alltoallv is told" '^# an agreement about sizes' "$table"
holds "lists end with native" 'id = "rest"; algorithm = "native"' "$table"
check "the part file is gone" sh -c "! ls '$table'.*.part 2>/dev/null"
check "there are samples of all distributions" \
    [ "$(cut -d, -f5 "$table.csv" | sort -u | grep -cE '^(constant|uniform)$')" -eq 2 ]
check "there are samples of calls back to back and of single ones, as many of each" \
    [ "$(grep -c ',back-to-back,[1-9]' "$table.csv")" -eq "$(grep -c ',single,[1-9]' "$table.csv")" ]
check "the former are several calls each" \
    [ "$(awk -F, '$12 == "back-to-back" && $13 < 4' "$table.csv" | wc -l)" -eq 0 ]
# Each rule with its evidence above it, of a layout that was measured.
awk '/id = "rest"/ { next }
    /\{ id = / { n++; if (before !~ /# gain [0-9.]+ \([0-9.]+ \.\. [0-9.]+\).* least in (back-to-back|single) calls, .* pairs; 20.*, hosts .*, layout [12]x[12]/) bad++ }
    { before = $0 }
    END { print n + 0, bad + 0 }' "$table" >"$work/evidence"
read -r rules bad <"$work/evidence"
check "each of its $rules rules carries its evidence" [ "$bad" -eq 0 ]
check "there are rules for each layout and operation" [ "$rules" -ge 6 ]

# The table is measured again: no cell fails, and each line has a time. This ends in seconds, when each
# cell has its repetitions, but on a machine with other work.
tune 4 2 --validate="$table" --force --layout=2x2 --block=64,4K --time-limit=60
check "a table is measured again" [ $job_status -le 1 ]
check "in each cell" [ "$(grep -c '^alltoall.* 2x2 ' "$work/out")" -eq 4 ]
holds "with its mean gain" '^mean gain over 4 cells: [0-9.]* .*; [0-9]* lose' "$work/out"
printf 'schema = 1;\nalltoall = ( { id = "slow"; algorithm = "bruck-zero-copy"; } );\n' \
    >"$work/slow.cfg"
beside=$programs/heavy.so # each message of a rule takes a millisecond more
HEAVY_US=1000 tune 4 1 --validate="$work/slow.cfg" --force --op=alltoall --block=64 --time-limit=5
beside=
check "a loser is found" [ $job_status -eq 1 ]
holds "and told" '^alltoall .*bruck-zero-copy' "$work/out"
holds "as a loser" ' LOSES\(, busy\)\{0,1\}$' "$work/out" # a busy machine is told behind it
# For programs.
tune 2 1 --validate=built-in --force --op=alltoallv --block=16,64 --time-limit=60 --json
check "what was measured can be had as JSON" [ $job_status -le 1 ]
cp "$work/out" "$work/measured.json"
"$shunt" tune --simulated=hoefler-moor-2014 --layout=4x2 -o "$work/predicted.cfg" --block=16,1K \
    --json >"$work/predicted.json" 2>&1
check "and what is predicted" [ $? -eq 0 ]
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    pass "JSON and its schema: not compared, for python3 has no module jsonschema"
else
    check "JSON is as its schema has it" python3 "$top/tests/unit/valid.py" \
        "$top/src/tools/tune/tune.schema.json" "$work/measured.json" "$work/predicted.json"
    check "each case is there" [ "$(python3 -c 'import json, sys
print(*[len(json.load(open(name))["cases"]) for name in sys.argv[1:]])' \
        "$work/measured.json" "$work/predicted.json")" = "2 4" ]
fi

# What a table leaves to native costs the agreement that says so, if there are rules for other sizes.
printf 'schema = 1;\nalltoallv = ( { id = "few"; block = "0-8"; algorithm = "spread-out"; } );\n' \
    >"$work/narrow.cfg"
tune 4 1 --validate="$work/narrow.cfg" --force --op=alltoallv --block=64 --time-limit=5
holds "native under a table is measured as it is there" \
    '^alltoallv .* native-agreed .* \(back-to-back\|single\) ' "$work/out"
tune 2 1 --validate=built-in --force --op=alltoall --block=64 --time-limit=5
holds "the built-in table can be measured" 'shared-segment' "$work/out"

# Killed more than once, with so many samples of about 3000: samples only ever grow, there is no half
# table, and in the end there is a whole one. TUNE_KILLS=N: after N random times, in seconds (of the
# seed TUNE_SEED); what comes to its end begins anew.
killed=$work/killed.cfg
before=0
# await FILE LINES: until it has so many, for a minute at most.
await()
{
    for _ in $(seq 600); do
        [ ! -e "$1" ] || [ "$(wc -l <"$1")" -lt "$2" ] || return 0
        sleep 0.1
    done
}
cells='--force --candidates=4 --block=16,4K'
slow_native
moments='20 400 1000'
[ -z "${TUNE_KILLS:-}" ] || moments=$(awk -v kills="$TUNE_KILLS" -v seed="${TUNE_SEED:-1}" \
    'BEGIN { srand(seed); for (k = 0; k < kills; k++) printf "%.2f ", 0.2 + 4 * rand() }')
for after in $moments; do
    if [ -e "$killed" ]; then
        rm -f "$killed" "$killed.csv"
        before=0
    fi
    # shellcheck disable=SC2046,SC2086 # words
    setsid "$MPIEXEC" -genv LD_PRELOAD "$(preload "$beside")" $(line 4 2 $cells -o "$killed" \
        --time-limit=60 --resume) >"$work/out" 2>&1 </dev/null &
    process=$!
    if [ -n "${TUNE_KILLS:-}" ]; then sleep "$after"; else await "$killed.csv" "$after"; fi
    kill -9 "-$process" 2>/dev/null
    wait $process 2>/dev/null
    sleep 1 # ranks whose launcher is gone end a little later
    [ ! -e "$killed" ] || good "killed after $after: the table is whole" "$killed"
    samples=$(wc -l <"$killed.csv" 2>/dev/null || echo 0)
    check "killed after $after: no sample is lost ($before, then $samples)" \
        [ "$samples" -ge "$((before - 1))" ]
    head -n $((before > 0 ? before - 1 : 0)) "$work/before.csv" >"$work/head" 2>/dev/null
    check "killed after $after: they are as they were" sh -c \
        "head -n $((before > 0 ? before - 1 : 0)) '$killed.csv' | cmp -s - '$work/head'"
    cp "$killed.csv" "$work/before.csv"
    before=$samples
done
rm -f "$killed"
tune 4 2 "$cells" -o "$killed" --time-limit=60 --resume
check "a run that was killed goes on" [ $job_status -eq 0 ]
good "and ends with a table" "$killed"
head -n $((before > 2 ? before - 1 : 0)) "$work/before.csv" >"$work/head"
head -n $((before > 2 ? before - 1 : 0)) "$killed.csv" | cmp -s - "$work/head"
check "with the samples from before" [ $? -eq 0 ]
# Where all samples are there nothing is measured again, and the same table follows. (Where time ran
# out before, as on a busy machine, what was lacking is measured first.)
lines=0
for _ in 1 2 3; do
    lines=$(wc -l <"$killed.csv")
    grep -v '^#' "$killed" >"$work/first.cfg"
    tune 4 2 "$cells" -o "$killed" --time-limit=60 --resume
    [ "$(wc -l <"$killed.csv")" -ne "$lines" ] || break
done
grep -v '^#' "$killed" >"$work/second.cfg"
if [ "$(wc -l <"$killed.csv")" -eq "$lines" ]; then
    check "from the same samples follows the same table" cmp -s "$work/first.cfg" "$work/second.cfg"
else
    echo "whether the same samples lead to the same table is left out: there is no time for all"
fi
beside=

# By the model, without a launcher.
"$shunt" tune --simulated=hoefler-moor-2014 --layout=16x8 -o "$work/model.cfg" \
    --block=16,1K >"$work/out" 2>&1
check "a table follows from the model" [ $? -eq 0 ]
good "shunt check accepts it" "$work/model.cfg"
holds "it says that nothing was measured" 'PREDICTIONS: nothing was measured' "$work/model.cfg"
holds "with symbols and the machine" '# predicted: .* machine hoefler-moor-2014' "$work/model.cfg"

# Through `shunt run`, which has nothing to say about it.
if [ -n "$lib" ]; then
    ends 0 "$shunt" run "$MPIEXEC" -n 2 "$shunt" tune --force --block=64 \
        --op=alltoall --algorithm=shared-segment,spread-out -o "$work/run.cfg" --time-limit=5
    check "it can be started through shunt run" [ $job_status -eq 0 ]
    good "with a good table" "$work/run.cfg"
    if grep -q 'nothing was routed' "$work/out"; then
        fail "nobody complains that nothing was routed"
    else
        pass "nobody complains that nothing was routed"
    fi
fi

# What an application called.
if "$shunt" log --help >/dev/null 2>&1 && [ -n "$lib" ] && [ -x "$PWD/src/shunt-bench" ]; then
    job_run "$(preload "$lib")" 120 -n 4 -genv SHUNT_LOG calls -genv SHUNT_WARMUP 2 \
        -genv SHUNT_LOG_FILE "$work/calls.%r.jsonl" "$shunt" bench --plain --op=alltoallv \
        --block=200 --repetitions=8
    tune 4 1 "$few" -o "$work/log.cfg" --time-limit=5 --from-log "$work/calls.0.jsonl"
    check "cells come from a log" [ $job_status -eq 0 ]
    holds "calls without sizes are told, and what helps" \
        'left out: [1-9][0-9]* calls whose sizes are not in the log.*SHUNT_WARMUP=1' "$work/out"
    check "these alone" [ "$(grep -c '^alltoall.* 1x4 ' "$work/out")" -eq 1 ]
    holds "with their sizes" '^alltoallv  *1x4  *[12][0-9][0-9] ' "$work/out"
    good "shunt check accepts it" "$work/log.cfg"
    sed 's/"library": "[^"]*"/"library": "Some MPI 9.9"/' "$work/calls.0.jsonl" >"$work/another.jsonl"
    tune 3 1 "$few" -o "$work/other.cfg" --time-limit=5 --from-log "$work/another.jsonl"
    check "what cannot be had here is refused" [ $job_status -eq 1 ]
    holds "logs of another MPI library are told" \
        'warning: the logs are of Some MPI 9.9, and what is measured is ' "$work/out"
    holds "and told" 'left out: alltoallv of 4 ranks' "$work/out"
fi

# mistake STATUS TEXT ARGUMENT...: said once, by one rank.
mistake()
{
    mistake_status=$1
    mistake_text=$2
    shift 2
    job_native 60 -n 2 "$shunt" tune --time-limit=2 "$@"
    if [ $job_status -ne "$mistake_status" ] || [ "$(grep -c '^shunt' "$work/out")" -ne 1 ] ||
        ! grep -q -e "$mistake_text" "$work/out"; then
        fail "$*: is not said, or not once"
    else
        pass "$*: $(cat "$work/out")"
    fi
}
mistake 2 'say -o FILE, or --dry-run' --force
mistake 2 'is not an option' --zork
mistake 2 '"zork" is one word too many' -o "$work/x.cfg" zork
mistake 2 'is not a number from 1 to 604800' -o "$work/x.cfg" --time-limit=0
mistake 2 'is not to be had from 2 ranks on 1 nodes' -o "$work/x.cfg" --layout=2x8
mistake 2 'layouts such as 2x8,1x8' -o "$work/x.cfg" --layout=8
mistake 2 'is not names of algorithms' -o "$work/x.cfg" --algorithm=zork
mistake 2 'is not alltoall or alltoallv' -o "$work/x.cfg" --op=zork
mistake 2 'sizes of its own' -o "$work/x.cfg" --distribution=matrix:x
mistake 2 '2 GiB or more per rank' -o "$work/x.cfg" --block=1500M
mistake 2 'no --output' -o "$work/x.cfg" --validate=x
mistake 2 'no --dry-run' --dry-run --json
mistake 2 'needs --layout' -o "$work/x.cfg" --simulated=hoefler-moor-2014
mistake 4 'nowhere' -o "$work/x.cfg" --machine=nowhere
printf 'schema = 1; zork = 2;\n' >"$work/zork.cfg"
mistake 3 'zork.cfg:1: ' --validate="$work/zork.cfg"
mistake 4 'cannot be read: No such file' --validate="$work/none.cfg"
mistake 4 'cannot be read: is a directory' --validate="$work"
mistake 4 'cannot be written' -o "$work/none/site.cfg"
mistake 4 'go on with --resume' -o "$killed"
mistake 4 'is of another run' -o "$killed" --resume
check "mistakes leave no table" [ ! -e "$work/x.cfg" ]
check "nor the beginning of one" sh -c "! ls '$work'/x.cfg.*.part 2>/dev/null"

# A machine that is surely busy.
burners=
for _ in $(seq $(($(nproc) + 2))); do
    sh -c 'while :; do :; done' &
    burners="$burners $!"
done
job_native 120 -n 2 "$shunt" tune --time-limit=3 -o "$work/busy.cfg" --block=64 --op=alltoall
busy_status=$job_status
# shellcheck disable=SC2086 # words
kill $burners
# shellcheck disable=SC2086 # words
wait $burners 2>/dev/null
if [ $busy_status -eq 1 ]; then
    holds "a busy machine is refused, and how to go on is told" 'busy machine: .*--force' "$work/out"
    check "and nothing is written" [ ! -e "$work/busy.cfg" ]
else
    # Schedulers may shield two ranks from others: then their times do not spread.
    check "where times do not spread, a table is made" [ $busy_status -eq 0 ]
fi
finish
