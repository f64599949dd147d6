#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Native behaviour where the standard or the library promises it: every program prints what it saw,
# without the library and with it, and the two must be the same, line by line. The log must show
# that calls were routed meanwhile.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# With "/": one algorithm for MPI_Alltoall, another for MPI_Alltoallv.
all="spread-out parlogna:radix=2 parlinna-coalesced:radix=2:batch_size=1 bruck-zero-copy/padded-alltoall shared-segment node-pair:leaders=2:fragment=1K parlinna-shared peer-read"
forces=$all

# some WAY: every WAY-th algorithm, others the next time; all of them with SHUNT_TEST_FULL=1.
next=0
some()
{
    forces=$all
    [ "$full" != 1 ] || return 0
    next=$((next + 1))
    # shellcheck disable=SC2086 # words are wanted
    forces=$(printf '%s\n' $all | awk -v way="$1" -v turn="$next" 'NR % way == turn % way')
}

# The words of SHUNT_FORCE.
force_of()
{
    echo "alltoall=${1%%/*},alltoallv=${1##*/}"
}

# Calls that were routed as forced.
routed_as()
{
    routed_one=${1%%/*}
    routed_other=${1##*/}
    echo $(($(records alltoall "${routed_one%%:*}" "$work"/*.jsonl) + $(records alltoallv "${routed_other%%:*}" "$work"/*.jsonl)))
}

# transcript PROGRAM: what MPICH says when messages are left behind, and process numbers, are no part
# of it. Open MPI 4.1 gives now one error, now the other, to a message that is too long.
transcript()
{
    grep -v -e 'UCX  *WARN' -e '^\[WARNING\] yaksa' "$work/out" |
        case ${OPEN_MPI_MPIEXEC:+open-mpi}:$1 in
        open-mpi:*/conformance_truncation) sed 's/MPI_ERR_OTHER/MPI_ERR_TRUNCATE/' ;;
        *) cat ;;
        esac
}

# run_case RANKS EXPECTED "TEXT" PROGRAM ARGUMENT...: EXPECTED: fewest calls that must have been
# routed, on the average of all ranks.
run_case()
{
    case_ranks=$1
    case_expected=$2
    case_text=$3
    shift 3
    job_native 120 -n "$case_ranks" "$@"
    if [ $job_status -ne 0 ]; then
        fail "$case_text: not even without the library"
        return
    fi
    if grep '^SKIP: ' "$work/out" >"$work/why"; then
        echo "not tried: $case_text ($(sed -n '1s/^SKIP: //p' "$work/why"))"
        return
    fi
    transcript "$1" >"$work/expected"
    for force in $forces; do
        rm -f "$work"/*.jsonl
        case $force in
        shared-segment | peer-read) layout=64 ;; # one node
        *) layout=2 ;;
        esac
        job 120 -genv SHUNT_FORCE "$(force_of "$force")" -genv SHUNT_TEST_LAYOUT $layout \
            -genv SHUNT_LOG calls \
            -genv SHUNT_LOG_FILE "$work/%p.jsonl" -n "$case_ranks" "$@"
        transcript "$1" >"$work/seen"
        if [ $job_status -ne 0 ]; then
            fail "$case_text, $force"
        elif ! cmp -s "$work/expected" "$work/seen"; then
            fail "$case_text, $force: differs from the native run"
            diff "$work/expected" "$work/seen" | head -n 20 | sed 's/^/    /'
        elif [ "$native" != 1 ] && [ "$(routed_as "$force")" -lt "$((case_expected * case_ranks))" \
            ]; then
            fail "$case_text, $force: only $(routed_as "$force") calls were routed"
        else
            pass "$case_text: all is as the standard and the library have it, $force"
        fi
    done
}

# What algorithms do with messages and counts, by all of them; what happens before and around them, by
# some.
some 2
run_case 4 100 "invalid arguments" "$programs/conformance_errors"
forces=$all
run_case 4 15 "counts that do not match" "$programs/conformance_truncation"
some 2
run_case 5 12 "intercommunicators" "$programs/conformance_inter"
forces=$all
run_case 4 150 "the program's own messages" "$programs/conformance_messages"
some 2
run_case 4 100 "attributes, names, error handlers, copies" "$programs/conformance_objects"
some 3
run_case 3 10 "a session and no world" "$programs/conformance_lifecycle" sessions
some 3
run_case 2 300 "communicators of a session that outlive the world" "$programs/conformance_lifecycle" outlived
some 3
run_case 3 12 "MPI_Init(NULL, NULL)" "$programs/conformance_lifecycle" init-null
some 3
run_case 3 16 "calls from a second thread" "$programs/conformance_lifecycle" threads
some 3
run_case 3 20 "MPI_Finalize with leaked objects" "$programs/conformance_lifecycle" leaked
some 3
run_case 3 0 "no call at all" "$programs/conformance_lifecycle" idle
some 3
run_case 3 8 "calls within MPI_Finalize" "$programs/conformance_lifecycle" late

# Errors that end the program name its call, and not one of ours. Open MPI refuses such a call before
# it starts, so it is the library's own and so are its last words. Its launcher loses those in one
# run of twenty, with a native library too, and says so: then the run is repeated.
last_words="shunt: MPI_Alltoallv on the user's own failed, and errors are fatal there: .*trunc"
[ -z "${OPEN_MPI_MPIEXEC:-}" ] || last_words='An error occurred in MPI_Alltoallv$'
for force in spread-out scattered:batch_size=2; do
    for repeat in 1 2 3 4 5; do
        job 120 -genv SHUNT_FORCE "$(force_of "$force")" -genv SHUNT_TEST_LAYOUT 64 -n 4 \
            "$programs/conformance_truncation" fatal
        grep -q 'ORTE_ERROR_LOG: Data unpack' "$work/out" || break
        echo "run $repeat: Open MPI's launcher lost what the ranks said"
    done
    if [ "$native" = 1 ] || { [ "$job_status" -ne 0 ] &&
        grep -q "$last_words" "$work/out"; }; then
        pass "a truncated message under fatal handlers names MPI_Alltoallv, $force"
    else
        fail "a truncated message under fatal handlers names MPI_Alltoallv, $force"
    fi
done

# With nothing forced most communicators have no state of their own when the world ends.
job 120 -n 2 "$programs/conformance_lifecycle" outlived
if grep -q '^SKIP: ' "$work/out"; then
    echo "not tried: the same, as the built-in table has it"
elif [ "$job_status" -eq 0 ]; then
    pass "communicators of a session that outlive the world, as the built-in table has it"
else
    fail "communicators of a session that outlive the world, as the built-in table has it"
fi

# One rank: MPICH 4.0.2 itself does not return from some of these calls, so there is nothing to
# compare with.
if [ "$native" != 1 ]; then
    for ranks in 1 3; do
        if [ $ranks = 1 ]; then some 4; else forces=$all; fi
        for force in $forces; do
            job 120 -genv SHUNT_FORCE "$(force_of "$force")" -n $ranks "$programs/alone"
            if [ $job_status -eq 0 ] && grep -q '^PASS: ' "$work/out"; then
                pass "communicators of one rank among $ranks do not hang with a wildcard receive posted, $force"
            else
                fail "communicators of one rank among $ranks, with a wildcard receive posted, $force"
            fi
        done
    done
fi
finish
