#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Buffers in device memory on one rank: such a call is native on all ranks, and the log says why;
# every other call is routed. A runtime without a device changes nothing, and costs nothing.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# blocks SIZE REASON FILE: calls of blocks of SIZE bytes in a log that are native with a reason that
# has REASON in it, or routed ("").
blocks()
{
    awk -v size="$1" -v reason="$2" '
        /"event": "call"/ && $0 ~ ("\"bytes\": " 4 * size ",") && !/"reason": "warm-up"/ {
            is = /"algorithm": "native"/ && $0 ~ ("\"reason\": \"[^\"]*" reason)
            if (reason != "" ? is : !/"algorithm": "native"/) n++
        }
        END { print n + 0 }' "$3"
}

# run FORCE LIBRARY ARGUMENT...: 4 ranks; the program makes 12 + 4 calls of blocks of 20 bytes and
# 24 of 28 bytes. Whether all went well.
run()
{
    run_force=$1
    run_library=$2
    shift 2
    rm -f "$work"/*.jsonl
    job 120 -genv SHUNT_FORCE "alltoall=$run_force,alltoallv=$run_force" -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/%r.jsonl" -n 4 "$programs/device" "$programs/$run_library" "$@"
    [ $job_status -eq 0 ] && grep -q '^PASS: ' "$work/out"
}

# are SMALL LARGE: what blocks of 20 and of 28 bytes are, each the reason of native calls
# or "" for routed ones.
are()
{
    [ "$native" = 1 ] && return
    for rank in 0 1 2 3; do
        if [ "$(blocks 20 "$1" "$work/$rank.jsonl")" -lt 16 ]; then
            wrong="rank $rank: $(blocks 20 "$1" "$work/$rank.jsonl") of 16 calls are ${1:-routed}"
        elif [ "$(blocks 28 "$2" "$work/$rank.jsonl")" -ne 24 ]; then
            wrong="rank $rank: $(blocks 28 "$2" "$work/$rank.jsonl") of 24 calls are ${2:-routed}"
        fi
    done
}

# run_case "TEXT" ARGUMENT...
run_case()
{
    case_text=$1
    shift
    for force in spread-out parlogna:radix=2 parlinna-staggered:radix=2:batch_size=1 node-pair; do
        wrong=
        if ! run "$force" libcuda.so.1 "$@"; then
            fail "$case_text, $force"
            continue
        fi
        are '' device
        if [ -n "$wrong" ]; then
            fail "$case_text, $force: $wrong"
        else
            pass "$case_text: such calls are native and the others routed, $force"
        fi
    done
}

# loaded "SENTENCE" REASON LIBRARY ARGUMENT...: what a runtime makes of all calls, ones of which the
# program says that they have device memory and others.
loaded()
{
    loaded_text=$1
    loaded_reason=$2
    shift 2
    wrong=
    if ! run spread-out "$@"; then
        fail "$loaded_text"
        return
    fi
    are "$loaded_reason" "$loaded_reason"
    [ "$native" = 1 ] || ! grep '"operation": "alltoall"' "$work"/*.jsonl \
        | grep -q '"agreement": 0\.0*[1-9]' || wrong="calls of MPI_Alltoall agree on something"
    if [ -n "$wrong" ]; then
        fail "$loaded_text: $wrong"
    else
        pass "$loaded_text"
    fi
}

# shellcheck disable=SC2317 # check calls it
late()
{
    job_run "$(preload "$programs/cards.so:$lib")" 60 -genv SHUNT_FORCE "alltoall=$1,alltoallv=$1" \
        -n 4 "$programs/device" "$programs/libcuda.so.1" 2 late && grep -q '^PASS: ' "$work/out"
}

run_case "device buffers on one rank, the runtime on all"
run_case "device buffers on the only rank with a runtime" 2
[ "$native" = 1 ] || check "the reason names the runtime" grep -q '"device memory (CUDA)"' \
    "$work/2.jsonl"
# Loaded after the set-up by one rank, on a machine with cards: that rank sees to its own buffers.
[ "$native" = 1 ] || for force in spread-out parlogna:radix=2 node-pair; do
    check "a runtime that one rank loads late, $force" late "$force"
done
# Where the MPI library has the real loader, that one counts: without a device, and that is all.
if ldd "$programs/device" | grep -q libze_loader; then
    linked=1
else
    linked=0
fi
[ -e /dev/dri ] || [ -e /dev/dxg ] || loaded "Level Zero's loader without a driver routes all calls" \
    '' libze_loader.so.1
export FAKE_DEVICES=0
[ $linked -eq 1 ] || loaded "Level Zero without a device routes all calls" '' libze_loader.so.1
loaded "CUDA without a device routes all calls" '' libcuda.so.1
[ $linked -eq 0 ] || finish
export FAKE_DEVICES=1
loaded "with a device of Level Zero all calls are native, and the reason names it" 'Level Zero' \
    libze_loader.so.1
loaded "one rank with a device of Level Zero makes all calls native" device libze_loader.so.1 2
finish
