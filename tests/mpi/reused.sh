#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Communicators with few calls: freed in every way, their handles come back
# as those of others; and what the library refuses does not count as a call.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
# Every function that frees comes in one run, and those of four ranks where one keeps a log. With
# SHUNT_TEST_FULL=1 each on its own, and on more ranks.
if [ "$full" = 1 ]; then
    many=300 seeds=8 counts='2 4 7' ways='free pfree disconnect pdisconnect any'
else
    many=30 seeds=3 counts='2 5' ways=any
fi
reused_rounds=${REUSED_ROUNDS:-$many}

# reused WHAT RANKS PRELOAD ARGUMENT...: of the program.
reused()
{
    reused_what=$1
    reused_ranks=$2
    reused_preload=$3
    shift 3
    job_run "$reused_preload" 120 -n "$reused_ranks" "$programs/reused" "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$reused_what"
    else
        fail "$reused_what"
    fi
}

for ranks in $counts; do
    for way in $ways handler callback rejected partly weighed; do
        reused "$ranks ranks, $way" "$ranks" "$(preload "$lib")" "$way" "$reused_rounds" "$ranks"
    done
done
mkdir "$work/shunt"
cat >"$work/shunt/warmup.cfg" <<'EOF'
schema = 1;
machine = { hosts = "*"; };
policy = { warmup = 40; };
alltoallv = ( { id = "all"; algorithm = "scattered"; batch_size = 2; } );
EOF
XDG_CONFIG_HOME=$work
export XDG_CONFIG_HOME
reused "4 ranks, rejected, under a table with a warm-up" 4 "$(preload "$lib")" rejected 1
unset XDG_CONFIG_HOME
reused "4 ranks, two threads" 4 "$(preload "$lib")" threads "$reused_rounds"
reused "4 ranks, the library fails to free them" 4 \
    "$(preload "${lib:+$lib:}$programs/stubborn.so")" again "$reused_rounds"
reused "4 ranks, a tool before Shunt frees them" 4 \
    "$(preload "$programs/stubborn.so${lib:+:$lib}")" again "$reused_rounds"

reused_seed=5
# mixed WHAT PRELOAD WAY: the same where one rank keeps a log.
mixed()
{
    job_run "$2" 120 -n 1 "$programs/reused" "$3" "$reused_rounds" $reused_seed : -n 1 -env SHUNT_LOG \
        summary "$programs/reused" "$3" "$reused_rounds" $reused_seed : -n 2 "$programs/reused" "$3" \
        "$reused_rounds" $reused_seed
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "4 ranks, one with a log, $1"
    else
        fail "4 ranks, one with a log, $1"
    fi
}
for way in any callback tired handler partly; do
    mixed $way "$(preload "$lib")" $way
done
reused_seed=1
while [ $reused_seed -le "$seeds" ]; do
    mixed "blocks of many sizes, $reused_seed" "$(preload "$lib")" weighed
    reused_seed=$((reused_seed + 1))
done
mixed "the library fails to free them" "$(preload "${lib:+$lib:}$programs/stubborn.so")" again
finish
