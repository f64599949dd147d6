#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# As inject.sh, while algorithms are tried beside the library's own: ranks go on alike, whatever one
# of them lacked; and where one has not heard what the others agreed about, none learns any more.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2317 # check calls functions
. "$(dirname "$0")/common.sh"

[ "$native" != 1 ] || skip "without the library there is nothing that could fail"
. "$(dirname "$0")/injecting.sh"

# Where the library's own takes longer it is known what is faster. By a clock of which nobody waits
# (clockwork.c), but where the watchdog is to speak.
by_clock=$programs/clockwork.so:$programs/sluggish.so
by_time=$programs/sluggish.so
# shellcheck disable=SC2034 # for faults
faults_before=$by_clock
printf 'schema = 1;\nmachine = { name = "m"; };\npolicy = { warmup = 0; };\n' >"$work/gaps.cfg"
export SHUNT_LEARN=on SLUGGISH_MS=2 SHUNT_CONFIG="$work/gaps.cfg"
export XDG_CACHE_HOME="$work/gaps.cfg/none" # no job is to know what the one before has learned

SHUNT_LOG=calls SHUNT_LOG_FILE="$work/%r.jsonl" faults "" "" learning soft 1 0 0 strdup
for operation in alltoall alltoallv; do
    check "$operation: algorithms are tried meanwhile" grep -q \
        "\"operation\": \"$operation\".*\"reason\": \"learned\"" "$work/0.jsonl"
done

soft learning "" ""
soft learning 2 ""
faults_before=$by_time
hard learning 2 ""
faults_before=$by_clock

# ended: whether the ranks have learned no more after a failure, and all bytes were right.
ended()
{
    [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out" &&
        grep -q 'nothing more is learned on .*: its ranks could not tell each other' "$work/out"
}

# The agreement has come about, but a rank does not hear of it.
for victim in 0 3; do
    faults "" "" learning soft 3 $victim 0 Test
    check "a rank $victim that does not hear the times ends learning for all" ended
done
# It cannot take part: then others wait and say so.
export INJECT_ROW=2
faults_before=$by_time
hard learning "" ""
# shellcheck disable=SC2034
faults_before=$by_clock
unset INJECT_ROW

# What tables route is held against the library's own alike.
cat >"$work/gaps.cfg" <<'END'
schema = 1;
machine = { name = "m"; };
policy = { warmup = 0; };
alltoall = ( { id = "all"; algorithm = "scattered"; } );
alltoallv = ( { id = "all"; algorithm = "parlogna"; } );
END
soft learning 2 ""
finish
