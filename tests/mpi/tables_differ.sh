#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Never a hang: decision files that only some ranks can read, that differ, are wrong, change or
# vanish while the job runs. Rank 0's table counts for a communicator, and everyone decides by it.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

cat >"$work/good.cfg" <<'END'
schema = 1;
alltoall = ( { block = "0-256"; algorithm = "bruck"; radix = 2; }, { algorithm = "pairwise"; } );
alltoallv = ( { block = "0-1K"; algorithm = "parlogna"; radix = 2; }, { algorithm = "scattered"; batch_size = 2; } );
END
cat >"$work/other.cfg" <<'END'
schema = 1;
policy = { warmup = 5; };
alltoall = ( { algorithm = "spread-out"; } );
alltoallv = ( { algorithm = "parlinna-coalesced"; radix = 2; batch_size = 1; } );
END
echo 'schema = 1; alltoall = ( { algorithm = "brick"; } );' >"$work/wrong.cfg"
echo 'schema = 1; alltoall = ( ' >"$work/syntax.cfg"
: >"$work/empty.cfg"
awk 'BEGIN { print "schema = 1;\npolicy = { warmup = 2; };\nalltoall = ("
             for (i = 0; i < 2000; i++) printf "  { id = \"rule %d\"; block = \"%d-%d\"; algorithm = \"scattered\"; batch_size = %d; },\n", i, i, i, i % 7 + 1
             print "  { algorithm = \"bruck\"; radix = 2; } );\nalltoallv = ( { algorithm = \"parlogna\"; radix = 2; } );" }' >"$work/long.cfg"

# files RANK0 RANK1 RANK2 RANK3 ARGUMENT...: a run in which the ranks have these values of
# SHUNT_CONFIG; arguments go to the program.
files()
{
    rm -f "$work"/*.jsonl
    zero=$1
    one=$2
    two=$3
    three=$4
    shift 4
    # shellcheck disable=SC2086 # $strict is words or nothing
    job 120 $strict -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/%r.jsonl" \
        -n 1 -env SHUNT_CONFIG "$zero" "$programs/steady" "$@" : -n 1 -env SHUNT_CONFIG "$one" \
        "$programs/steady" "$@" : \
        -n 1 -env SHUNT_CONFIG "$two" "$programs/steady" "$@" : -n 1 -env SHUNT_CONFIG "$three" \
        "$programs/steady" "$@"
}

# ends NAME ALGORITHM: the last run ended well and all ranks decided alike; ALGORITHM ran ("none":
# nothing was routed, "any").
ends()
{
    if [ $job_status -ne 0 ] || ! grep -q '^PASS: ' "$work/out"; then
        fail "$1"
        return
    fi
    if [ "$native" = 1 ]; then
        pass "$1"
        return
    fi
    set -- "$1" "$2" "$work"/[0-3].jsonl
    ends_name=$1
    ends_algorithm=$2
    shift 2
    if [ $# -ne 4 ] || [ "$(records . . "$@")" -eq 0 ]; then
        fail "$ends_name: not every rank has a log"
    elif ! agreed "$@"; then
        fail "$ends_name: ranks differ in their decisions"
    elif [ "$ends_algorithm" = none ] && [ "$(on_whole native)" -ne 48 ]; then
        fail "$ends_name: $(routed "$@") calls were routed"
    elif [ "$ends_algorithm" != none ] && [ "$ends_algorithm" != any ] \
        && [ "$(records . "$ends_algorithm" "$@")" -lt 20 ]; then
        fail "$ends_name: $ends_algorithm did not run"
    else
        pass "$ends_name: all ranks alike, $(routed "$@") calls routed"
    fi
}

strict=
good=$work/good.cfg
none=$work/missing.cfg
if [ "$SHUNT_TEST_FULL" = 1 ]; then
    # The others have both, and more.
    files "$good" "$good" "$good" "$good"
    ends "the same file everywhere" parlogna
    files "$good" "$good" "$good" "$none"
    ends "a file that all but the last rank can read" parlogna
    for bad in wrong syntax empty; do
        files "$good" "$good" "$good" "$work/$bad.cfg"
        ends "an invalid file ($bad) on the last rank" parlogna
    done
fi
files "$good" "$none" "$none" "$none"
ends "a file that only rank 0 can read" parlogna
files "$none" "$good" "$good" "$good"
ends "a file that rank 0 cannot read" any
files "$good" "$work/other.cfg" "$work/long.cfg" "$work/empty.cfg"
ends "another file on every rank" parlogna
files "$work/other.cfg" "$good" "$good" "$good"
ends "another file on rank 0" parlinna-coalesced
files "$work/long.cfg" "$good" "$good" "$good"
ends "a table of 2,001 rules on rank 0 only" bruck
for bad in wrong syntax empty; do
    files "$work/$bad.cfg" "$good" "$good" "$good"
    ends "an invalid file ($bad) on rank 0" any
done
files "$good" "$work/wrong.cfg" "$work/syntax.cfg" "$work/empty.cfg"
ends "an invalid file on each rank but 0" parlogna
files "$good" "$work/empty.cfg" "$good" "$work/wrong.cfg"
ends "an invalid file on the odd ranks" parlogna
files "$work" "$good" "$good" "$good"
ends "a folder instead of a file on rank 0" any

# Files that change: communicators made later must not see it, or all alike.
cp "$good" "$work/edited.cfg"
files "$work/edited.cfg" "$work/edited.cfg" "$work/edited.cfg" "$work/edited.cfg" --write \
    "$work/edited.cfg" "$(cat "$work/other.cfg")"
ends "a file that is edited while the job runs" parlogna
cp "$good" "$work/spoilt.cfg"
files "$work/spoilt.cfg" "$work/spoilt.cfg" "$work/spoilt.cfg" "$work/spoilt.cfg" --write \
    "$work/spoilt.cfg" "not a table"
ends "a file that is spoilt while the job runs" parlogna
cp "$good" "$work/removed.cfg"
files "$work/removed.cfg" "$work/removed.cfg" "$work/removed.cfg" "$work/removed.cfg" --remove \
    "$work/removed.cfg"
ends "a file that is removed while the job runs" parlogna

# SHUNT_STRICT=error: the job must end, and say why.
[ "$native" = 1 ] && finish
strict="-genv SHUNT_STRICT error"
files "$work/wrong.cfg" "$work/wrong.cfg" "$work/wrong.cfg" "$work/wrong.cfg"
if [ $job_status -eq 0 ] || [ $job_status -eq 124 ] || ! grep -q 'brick' "$work/out"; then
    fail "SHUNT_STRICT=error and an invalid file everywhere: must end with an error that names it"
else
    pass "SHUNT_STRICT=error and an invalid file everywhere: the job ends with a message"
fi
files "$good" "$good" "$good" "$work/wrong.cfg"
if [ $job_status -eq 124 ] || [ $job_status -eq 137 ]; then
    fail "SHUNT_STRICT=error and an invalid file on the last rank"
else
    pass "SHUNT_STRICT=error and an invalid file on the last rank: the job ends (status $job_status)"
fi
finish
