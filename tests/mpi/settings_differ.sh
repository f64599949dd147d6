#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Never a hang: a setting that only one rank has. Whatever can change routing is agreed when a
# communicator is set up, so all ranks must decide alike, and end with the right data.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# job_each SETTING SETTING SETTING SETTING ARGUMENT...: four ranks, each with its NAME=VALUE in its
# environment, or - for none; -genv arguments for all.
job_each()
{
    rm -f "$work"/*.jsonl
    each_ranks=''
    while [ "$1" != -genv ]; do
        # None of them has a blank.
        [ "$1" = - ] || each_ranks="$each_ranks -env ${1%%=*} ${1#*=}"
        each_ranks="$each_ranks -n 1 $programs/steady :"
        shift
    done
    # shellcheck disable=SC2086 # words
    job 120 "$@" -genv SHUNT_LOG_FILE "$work/%r.jsonl" ${each_ranks% :}
}

# run_case EXPECTED SETTING SETTING SETTING SETTING ARGUMENT...: EXPECTED is what must have run: an
# algorithm ("native": by every call of a communicator that the odd rank is in), or "same" for
# whatever it is. All ranks must have decided alike, if all have a log.
run_case()
{
    case_expected=$1
    shift
    case_name="ranks with $1 $2 $3 $4"
    job_each "$@"
    if [ $job_status -ne 0 ] || ! grep -q '^PASS: 3 rounds' "$work/out"; then
        fail "$case_name"
        return
    fi
    if [ "$native" = 1 ]; then
        pass "$case_name"
        return
    fi
    set -- "$work"/[0-3].jsonl
    if [ "$(records . . "$@")" -eq 0 ]; then
        fail "$case_name: no log"
    elif [ $# -ge 4 ] && ! agreed "$@"; then
        fail "$case_name: ranks differ in their decisions"
    elif [ "$case_expected" = native ] && [ "$(on_whole native)" -ne 48 ]; then
        fail "$case_name: $((48 - $(on_whole native))) calls were routed"
    elif [ "$case_expected" != native ] && [ "$case_expected" != same ] \
        && [ "$(records alltoallv "$case_expected" "$1")" -lt 20 ]; then
        fail "$case_name: $case_expected did not run"
    else
        pass "$case_name: all ranks alike, $(routed "$@") calls routed"
    fi
}

cat >"$work/native.cfg" <<'END'
schema = 1;
alltoall = ( { algorithm = "native"; } );
alltoallv = ( { algorithm = "native"; } );
END
cat >"$work/bruck.cfg" <<'END'
schema = 1;
alltoall = ( { algorithm = "bruck"; radix = 2; } );
alltoallv = ( { algorithm = "two-phase-bruck"; } );
END
force=alltoall=parlogna:radix=3,alltoallv=parlogna:radix=3
other=alltoall=scattered:batch_size=2,alltoallv=scattered:batch_size=2

# Another build, whose registry has a row of another name: the numbers of rows in tables and
# decisions mean something else there.
if [ "$native" != 1 ]; then
    mkdir "$work/other"
    for object in "$lib" "$(dirname "$lib")"/shunt-*.so; do
        LC_ALL=C sed 's/two-phase-bruck/two-phase-brush/g' "$object" \
            >"$work/other/$(basename "$object")"
    done
fi

# first, last EXPECTED SETTING ARGUMENT...: it is set on that rank alone.
first()
{
    alone_expected=$1 alone_setting=$2
    shift 2
    run_case "$alone_expected" "$alone_setting" - - - "$@"
}

last()
{
    alone_expected=$1 alone_setting=$2
    shift 2
    run_case "$alone_expected" - - - "$alone_setting" "$@"
}

forced="-genv SHUNT_FORCE $force -genv SHUNT_LOG calls"
natively="-genv SHUNT_CONFIG $work/native.cfg -genv SHUNT_LOG calls"
by_bruck="-genv SHUNT_CONFIG $work/bruck.cfg -genv SHUNT_LOG calls"
# shellcheck disable=SC2086 # words
{
    # These take calls of all ranks elsewhere, so each stands alone.
    for where in first last; do
        [ "$native" = 1 ] ||
            $where native "LD_PRELOAD=$work/other/libshunt.so:$yield" $forced
        $where parlogna SHUNT_LOG=calls -genv SHUNT_FORCE $force
    done
    first native SHUNT_DISABLE=1 $by_bruck
    last native SHUNT_DISABLE=1 $forced
    first same SHUNT_FORCE=$force $natively
    last same SHUNT_FORCE=$force $by_bruck
    first same SHUNT_MEMORY=1K $forced
    first same SHUNT_WARMUP=1000 $by_bruck
    # Several in one job, on other ranks the second time.
    run_case same SHUNT_FORCE=$other - SHUNT_FORCE=nonsense - $forced
    run_case same SHUNT_FORCE=nonsense - - SHUNT_FORCE=$other $forced
    run_case same SHUNT_WARMUP=0 SHUNT_WARMUP=1 SHUNT_WARMUP=5 SHUNT_WARMUP=many $by_bruck
    run_case same SHUNT_WARMUP=many SHUNT_WARMUP=5 SHUNT_WARMUP=1 SHUNT_WARMUP=0 $by_bruck
    run_case parlogna SHUNT_TEST_LAYOUT=1 - - SHUNT_TEST_LAYOUT=cyclic:2 $forced
    run_case parlogna SHUNT_TEST_LAYOUT=cyclic:2 - - SHUNT_TEST_LAYOUT=1 $forced \
        -genv SHUNT_TEST_LAYOUT 2
    run_case parlogna SHUNT_VERIFY=1 SHUNT_STRICT=error SHUNT_NONSENSE=1 SHUNT_WATCHDOG=0 $forced
    run_case parlogna SHUNT_WATCHDOG=0 SHUNT_NONSENSE=1 SHUNT_STRICT=error SHUNT_VERIFY=1 $forced
    run_case parlogna SHUNT_LOG=off - - SHUNT_LOG_FILE=/nonexistent/log $forced

    # Each alone on either rank.
    [ "$SHUNT_TEST_FULL" = 1 ] || finish
    first native SHUNT_DISABLE=1 $forced
    last native SHUNT_DISABLE=1 $by_bruck
    last same SHUNT_FORCE=$force $natively
    first same SHUNT_FORCE=$force $by_bruck
    last same SHUNT_MEMORY=1K $forced
    last same SHUNT_WARMUP=1000 $by_bruck
    for where in first last; do
        for setting in SHUNT_FORCE=$other SHUNT_FORCE=nonsense; do
            $where same $setting $forced
        done
        for calls in 0 1 5 many; do
            $where same SHUNT_WARMUP=$calls $by_bruck
        done
        for setting in SHUNT_TEST_LAYOUT=1 SHUNT_VERIFY=1 SHUNT_STRICT=error SHUNT_WATCHDOG=0 \
            SHUNT_NONSENSE=1 SHUNT_LOG=off SHUNT_LOG_FILE=/nonexistent/log; do
            $where parlogna $setting $forced
        done
        $where parlogna SHUNT_TEST_LAYOUT=cyclic:2 $forced -genv SHUNT_TEST_LAYOUT 2
    done
}
finish
