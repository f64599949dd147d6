#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the events of a call promise (src/algorithms/events.h, read by `shunt explain`) is what every rank really sends: how many messages, to
# whom, and how many bytes, for every algorithm of the registry on one node, equal and unequal ones. Counted as the difference between a job
# with many calls and one with few.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

[ "$native" != 1 ] || {
    echo "SKIP: only the library sends what is counted here"
    exit 77
}

# sent OPERATION ALGORITHM SIZES BLOCK CALLS FILE: what all ranks have sent in a job: sender, receiver, messages, bytes.
sent()
{
    equal=
    [ "$1" = alltoallv ] || equal=alltoall
    # shellcheck disable=SC2086 # a word or nothing
    job_run "$lib:$programs/tally.so:$yield" 60 -genv TALLY_PEERS 1 -genv SHUNT_FORCE "$1=$2" -genv SHUNT_TEST_LAYOUT "$3" \
        -n "$(($(echo "$3" | tr , +)))" "$programs/constant" "$5" "$4" $equal && sed -n 's/^PEER //p' "$work/out" >"$6"
}

# per_call FEW MANY: the difference, for one of 8 calls.
per_call()
{
    awk 'FNR == 1 { file++ }
         { key = $1 " " $2; sign = file == 1 ? -1 : 1; messages[key] += sign * $3; bytes[key] += sign * $4 }
         END { for (key in messages) if (messages[key] != 0) print key, messages[key] / 8, bytes[key] / 8 }' "$1" "$2" | sort -n -k1 -k2
}

# compare OPERATION ALGORITHM SIZES BLOCK
compare()
{
    # shellcheck disable=SC2046 # one word per node
    "$programs/promised" "$1" "$2" "$4" $(echo "$3" | tr , ' ') >"$work/promised"
    case $? in
    0) ;;
    3) return ;;
    *)
        fail "$1 $2 on $3: no promise"
        return
        ;;
    esac
    what="$1, $2, nodes of $3, blocks of $4 bytes"
    sort -n -k1 -k2 "$work/promised" -o "$work/promised"
    echo 0 0 0 0 >"$work/few"
    echo 0 0 0 0 >"$work/many"
    if ! sent "$1" "$2" "$3" "$4" 4 "$work/few.all" || ! sent "$1" "$2" "$3" "$4" 12 "$work/many.all"; then
        fail "$what: the job failed"
        return
    fi
    cat "$work/few.all" >>"$work/few"
    cat "$work/many.all" >>"$work/many"
    per_call "$work/few" "$work/many" >"$work/measured"
    # Bytes that nobody promises are not compared.
    awk 'FNR == NR { if ($4 < 0) open[$1 " " $2]; next } ($1 " " $2) in open { $4 = -1 } { print }' "$work/promised" "$work/measured" >"$work/seen"
    if cmp -s "$work/promised" "$work/seen"; then
        pass "$what: $(awk '{ n += $3 } END { print n + 0 }' "$work/promised") messages, as promised"
    else
        diff "$work/promised" "$work/seen" | head -n 8
        fail "$what: not the messages that are promised (<), but others (>)"
    fi
}

for algorithm in $("$PWD/src/shunt" algorithms | awk 'NR > 1 && NF { print $1 }'); do
    forms=$algorithm
    case $algorithm in
    parlogna) forms="parlogna parlogna:radix=3:metadata=separate parlogna:radix=2:metadata=separate:batch_size=1" ;;
    parlinna-coalesced | parlinna-staggered) forms="$algorithm $algorithm:radix=3:metadata=separate" ;;
    bruck) forms="bruck:radix=2 bruck:radix=3" ;;
    node-pair) forms="node-pair node-pair:leaders=2 node-pair:leaders=2:fragment=1K" ;;
    node-bruck) forms="node-bruck:radix=2 node-bruck:radix=3" ;;
    esac
    layouts="7 2,2,2,2"
    case $algorithm in
    parlinna-* | node-* | shared-segment | peer-read) layouts="7 3,3,3 2,2,2,2 1,3,2" ;;
    esac
    for form in $forms; do
        for sizes in $layouts; do
            for op in alltoall alltoallv; do
                compare "$op" "$form" "$sizes" 24
            done
        done
    done
done
# Bundles in fragments, many and few; lengths of two bytes; a power of two of ranks and more of them.
for op in alltoall alltoallv; do
    for size in 200 700 4000; do
        compare $op node-pair:leaders=2:fragment=1K 2,4,3 $size
    done
    compare $op parlogna:radix=2 5 300
    compare $op exclusive-or 8 24
    compare $op parlinna-coalesced:radix=2 8,8 1
    compare $op node-bruck:radix=2 3,3,3,3,3 100
done
[ "$passes" -gt 60 ] || fail "only $passes comparisons"
finish
