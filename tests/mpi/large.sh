#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A block of 2.2 GiB, and blocks that lie beyond 2^31 elements: natively and by whatever algorithm
# takes them.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# A buffer of 2.2 GiB, what algorithms and the library's own messages take, and something for the
# others on this machine.
needed=12
available=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
skipped=0

# large WHAT ALGORITHM: natively without ALGORITHM. Gibibytes take their time: some with
# SHUNT_TEST_FULL=1 only.
large()
{
    case $full:$1:$2 in
    0:place:pairwise | 0:place:*separate | 0:place:two-phase-bruck | 0:place:padded-alltoall | \
        0:block: | 0:block:two-phase-bruck | 0:block:shared*)
        return
        ;;
    esac
    if [ "$1" = block ] && [ "$available" -lt $needed ]; then
        skipped=$((skipped + 1))
        return
    fi
    # shellcheck disable=SC2086 # words are wanted
    if [ -n "$2" ]; then
        rm -f "$work/log.jsonl"
        job 300 -genv SHUNT_FORCE "alltoallv=$2" -genv SHUNT_MEMORY 16G -genv SHUNT_LOG calls \
            -genv SHUNT_LOG_FILE "$work/log.jsonl" -n 2 "$programs/large" "$1"
    else
        job_native 300 -n 2 "$programs/large" "$1"
    fi
    lacks=$(sed -n 's/^SKIP: //p' "$work/out")
    [ -z "$lacks" ] || skip "$lacks"
    if [ "$job_status" -ne 0 ] || ! grep -q '^PASS' "$work/out"; then
        fail "$1, ${2:-native}"
    elif [ -n "$2" ] && [ "$native" != 1 ]; then
        pass "$1, $2: $(records alltoallv "${2%%:*}" "$work/log.jsonl") calls by it, $(records \
            alltoallv native "$work/log.jsonl") native"
    else
        pass "$1, native"
    fi
}

for algorithm in "" spread-out pairwise parlogna parlogna:metadata=separate two-phase-bruck \
    padded-alltoall shared-segment peer-read; do
    large place "$algorithm"
done
for algorithm in "" spread-out parlogna two-phase-bruck shared-segment peer-read; do
    large block "$algorithm"
done
if [ $skipped -gt 0 ]; then echo "SKIP: $skipped exchanges of large blocks: $available GiB of memory are available, $needed are needed"; fi
finish
