#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Never a hang: a setting that only one rank has. Whatever can change routing is agreed when a
# communicator is set up, so all ranks must decide alike, and end with the right data.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# job_one FIRST-OR-LAST NAME VALUE ARGUMENT...: four ranks, one of which has NAME=VALUE in its
# environment; -genv arguments for all.
job_one()
{
    one_where=$1
    one_name=$2
    one_value=$3
    shift 3
    rm -f "$work"/*.jsonl
    set -- "$@" -genv SHUNT_LOG_FILE "$work/%r.jsonl"
    if [ "$one_where" = first ]; then
        job 120 "$@" -n 1 -env "$one_name" "$one_value" "$programs/steady" : -n 3 "$programs/steady"
    else
        job 120 "$@" -n 3 "$programs/steady" : -n 1 -env "$one_name" "$one_value" "$programs/steady"
    fi
}

# run_case EXPECTED WHERE NAME VALUE ARGUMENT...: EXPECTED is what must have run: an algorithm
# ("native": by every call of a communicator that the odd rank is in), or "same" for whatever it is.
# All ranks must have decided alike, if all have a log.
run_case()
{
    case_expected=$1
    shift
    case_name="$2=$3 on the $1 rank only"
    job_one "$@"
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

for where in first last; do
    [ "$native" = 1 ] || run_case native $where LD_PRELOAD "$work/other/libshunt.so:$yield" -genv \
        SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case native $where SHUNT_DISABLE 1 -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case native $where SHUNT_DISABLE 1 -genv SHUNT_CONFIG "$work/bruck.cfg" -genv SHUNT_LOG \
        calls
    run_case same $where SHUNT_FORCE $force -genv SHUNT_CONFIG "$work/native.cfg" -genv SHUNT_LOG \
        calls
    run_case same $where SHUNT_FORCE $force -genv SHUNT_CONFIG "$work/bruck.cfg" -genv SHUNT_LOG \
        calls
    run_case same $where SHUNT_FORCE $other -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case same $where SHUNT_FORCE nonsense -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    for calls in 0 1 5 1000 many; do
        run_case same $where SHUNT_WARMUP $calls -genv SHUNT_CONFIG "$work/bruck.cfg" -genv \
            SHUNT_LOG calls
    done
    run_case parlogna $where SHUNT_VERIFY 1 -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case same $where SHUNT_MEMORY 1K -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case parlogna $where SHUNT_TEST_LAYOUT 1 -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case parlogna $where SHUNT_TEST_LAYOUT cyclic:2 -genv SHUNT_TEST_LAYOUT 2 -genv \
        SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case parlogna $where SHUNT_STRICT error -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case parlogna $where SHUNT_WATCHDOG 0 -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case parlogna $where SHUNT_NONSENSE 1 -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case parlogna $where SHUNT_LOG calls -genv SHUNT_FORCE $force
    run_case parlogna $where SHUNT_LOG off -genv SHUNT_FORCE $force -genv SHUNT_LOG calls
    run_case parlogna $where SHUNT_LOG_FILE /nonexistent/log -genv SHUNT_FORCE $force -genv \
        SHUNT_LOG calls
done
finish
