#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Communicators with few calls, of which little is kept: freed in every way, their handles come back
# as those of others; and what is not a first call does not count as one.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
newcomers_rounds=${NEWCOMERS_ROUNDS:-300}

# newcomers WHAT RANKS PRELOAD ARGUMENT...: of the program.
newcomers()
{
    newcomers_what=$1
    newcomers_ranks=$2
    newcomers_preload=$3
    shift 3
    job_run "$newcomers_preload" 120 -n "$newcomers_ranks" "$programs/newcomers" "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$newcomers_what"
    else
        fail "$newcomers_what"
    fi
}

for ranks in 2 4 7; do
    for way in free pfree disconnect pdisconnect handler callback rejected partly weighed; do
        newcomers "$ranks ranks, $way" $ranks "$(preload "$lib")" $way "$newcomers_rounds" $ranks
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
newcomers "4 ranks, rejected, under a table with a warm-up" 4 "$(preload "$lib")" rejected 1
unset XDG_CONFIG_HOME
newcomers "4 ranks, two threads" 4 "$(preload "$lib")" threads "$newcomers_rounds"
newcomers "4 ranks, the library fails to free them" 4 \
    "$(preload "${lib:+$lib:}$programs/stubborn.so")" again "$newcomers_rounds"
newcomers "4 ranks, a tool before Shunt frees them" 4 \
    "$(preload "$programs/stubborn.so${lib:+:$lib}")" again "$newcomers_rounds"

newcomers_seed=5
# mixed WHAT PRELOAD WAY: the same where one rank keeps a log, and so whole states from the first
# call on.
mixed()
{
    job_run "$2" 120 -n 1 "$programs/newcomers" "$3" "$newcomers_rounds" $newcomers_seed : -n 1 -env SHUNT_LOG \
        summary "$programs/newcomers" "$3" "$newcomers_rounds" $newcomers_seed : -n 2 "$programs/newcomers" "$3" \
        "$newcomers_rounds" $newcomers_seed
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "4 ranks, one with a log, $1"
    else
        fail "4 ranks, one with a log, $1"
    fi
}
for way in free callback tired handler partly; do
    mixed $way "$(preload "$lib")" $way
done
newcomers_seed=1
while [ $newcomers_seed -le 8 ]; do
    mixed "blocks of many sizes, $newcomers_seed" "$(preload "$lib")" weighed
    newcomers_seed=$((newcomers_seed + 1))
done
mixed "the library fails to free them" "$(preload "${lib:+$lib:}$programs/stubborn.so")" again
finish
