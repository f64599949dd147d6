#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the events of a call promise (src/events/events.h, read by `shunt explain`) is what every
# rank really does: each message that it sends and receives, with partner, kind and bytes, and which
# of them it waits for together; copies in blocks and bytes, reads from neighbours, barriers of the
# node, waits for leaders; all in their order. For every algorithm of the registry that has a
# schedule, on one node, equal and unequal ones, with neighbouring ranks and dealt ones. A library
# built from the same sources keeps the trace (tests/mpi/trace.c).
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

[ "$native" != 1 ] || {
    echo "SKIP: only the library does what is traced here"
    exit 77
}

traced_lib=$programs/traced-library/libshunt.so
yield=$yield:$programs/doze.so
compared=
number=0

# promise OPERATIONS: what is promised, in $work/promised; for the variables of compare. With the
# status of `promised`.
promise()
{
    # shellcheck disable=SC2086 # one word per block size
    MEMORY=$memory "$programs/promised" "$1" "$form" "$layout" "$sets" $blocks >"$work/promised"
}

# compare ALGORITHM[:PARAMETER=VALUE]... LAYOUT RANKS[,RANKS]... BYTES... [MEMORY]: calls of the
# first RANKS ranks of a job, of both operations if the algorithm serves both. A case, for see_all:
# what is promised is in $work/promised.NUMBER.
compare()
{
    form=$1 layout=$2 sets=$3 blocks=$4 memory=${5:-268435456}
    operations=
    number=$((number + 1))
    [ "$number" = "${EVENTS_CASE:-$number}" ] || return
    for operation in alltoall alltoallv; do
        promise $operation
        case $? in
        0) operations=${operations:+$operations,}$operation ;;
        3) ;;
        *)
            failed "$form on $layout: no promise"
            return
            ;;
        esac
    done
    [ -n "$operations" ] && promise "$operations" && [ -s "$work/promised" ] || return
    mv "$work/promised" "$work/promised.$number"
    force=$(echo "$operations" | sed "s/,/=$form,/; s/\$/=$form/")
    most=${sets##*,}
    echo "$number SHUNT_FORCE=$force SHUNT_TEST_LAYOUT=$layout SHUNT_MEMORY=$memory" \
        "OPERATIONS=$operations RANKS=$sets BYTES=$(echo "$blocks" | tr ' ' ,)" \
        >>"$work/list.$((most <= 13 ? 13 : most))"
}

# see NUMBER FORM RANKS: whether that case was seen as it is promised. Where a rank cannot tell how
# many blocks it copied ("?"), the promise of that is not compared.
see()
{
    rank=0
    while [ $rank -lt "$3" ]; do
        cat "$work/trace.$1.$rank"
        rank=$((rank + 1))
    done >"$work/seen" 2>/dev/null
    awk 'FNR == NR { seen[FNR] = $0; next } seen[FNR] ~ / [?] blocks/ { sub(/[0-9]+ blocks/, "? blocks") } { print }' \
        "$work/seen" "$work/promised.$1" >"$work/promised.known"
    if [ ! -s "$work/seen" ]; then
        failed "$what: nothing was done by the algorithm"
    elif cmp -s "$work/promised.known" "$work/seen"; then
        compared="$compared ${2%%:*}"
        pass "$what: $(wc -l <"$work/seen") events, as promised"
        return
    else
        diff "$work/promised.known" "$work/seen" | head -n 20
        failed "$what: not the events that are promised (<), but others (>)"
    fi
    echo "  alone: EVENTS_CASE=$1 tests/mpi/events.sh"
    return 1
}

# see_all: makes the calls, with one launch for all cases that need no more ranks than it has. If
# it fails, the first case that was not seen as promised is the one with wrong bytes, or without an
# end.
see_all()
{
    for list in "$work"/list.*; do
        job_run "$traced_lib:$yield" $((600 + 30 * $(wc -l <"$list"))) -genv \
            SHUNT_TEST_COMMUNICATORS "$list" -genv SHUNT_WARMUP 0 -n "${list##*.}" \
            "$programs/traced" "$work/trace" "$list" ||
            fail "the job on ${list##*.} ranks failed: the cases behind the next one did not run"
        while read -r number force layout memory operations ranks bytes; do
            form=${force##*alltoall=} form=${form##*alltoallv=} form=${form%%,*}
            ranks=${ranks#*=}
            what="${operations#*=}, $form, $ranks ranks on nodes of ${layout#*=}, blocks of ${bytes#*=} bytes, at most ${memory#*=} bytes"
            see "$number" "$form" "${ranks##*,}" || [ $job_status -eq 0 ] || break
        done <"$list"
    done
}

sizes="0 1 100 3000"
for algorithm in $("$PWD/src/shunt" algorithms --wide | awk 'NR > 1 && NF { print $1 }'); do
    case $algorithm in
    scattered) forms="$algorithm $algorithm:batch_size=3" ;;
    bruck | padded-bruck) forms="$algorithm:radix=2 $algorithm:radix=3 $algorithm:radix=13" ;;
    bruck-basic | bruck-modified) forms="$algorithm:radix=2 $algorithm:radix=4" ;;
    parlogna) forms="parlogna parlogna:radix=3:metadata=separate parlogna:radix=4:batch_size=2 parlogna:radix=3x2:batch_size=1" ;;
    parlinna-coalesced | parlinna-staggered) \
        forms="$algorithm $algorithm:radix=3:metadata=separate:batch_size=2" ;;
    parlinna-shared) forms="$algorithm $algorithm:batch_size=2 $algorithm:batch_size=1:parts=2" ;;
    node-pair) forms="node-pair node-pair:leaders=2 node-pair:leaders=3:fragment=1K" ;;
    node-bruck) forms="node-bruck:radix=2 node-bruck:radix=3" ;;
    *) forms=$algorithm ;;
    esac
    for form in $forms; do
        case $algorithm in
        parlinna-* | node-*)
            [ "$full" != 1 ] || compare "$form" 3 12 "$sizes"
            compare "$form" 1,3,2 6,10 "$sizes"
            compare "$form" cyclic:3,1,2,1 7,11 "$sizes"
            ;;
        shared-segment | peer-read)
            compare "$form" 64 2,13 "$sizes"
            ;;
        *)
            compare "$form" cyclic:5,3 5,8,13 "$sizes" # one node, two, three
            ;;
        esac
    done
done
# Many ranks and nodes; lengths of two bytes.
for form in parlogna:radix=8 parlinna-coalesced parlinna-shared parlinna-shared:batch_size=2:parts=3 \
    node-pair:leaders=2; do
    compare "$form" cyclic:3,5,1 32 300
done
compare parlinna-staggered:radix=4 8 32 300
compare node-bruck:radix=2 3,5,1 32 300
# Bundles in fragments, many and few; and where some could be longer than a fragment for which there
# is room, but none is.
compare node-pair:leaders=2:fragment=1K 2,4,3 9 "56 60 200 700 4000"
compare node-pair:fragment=1K 2 4 "200 240 256"
# Bundles that several leaders share, in equal parts and in others.
compare node-pair:leaders=4 4 8,12 "$sizes"
compare node-pair:leaders=4:fragment=1K 3,7 10 "20 60 3000"
compare node-pair:leaders=3 cyclic:8 16 "100 3000"
# Where a cap leaves room for no more than slots with the larger blocks.
compare parlogna:radix=2 64 13 "100 3000" 65536
see_all
[ -z "${EVENTS_CASE:-}" ] || finish
for algorithm in $("$PWD/src/shunt" algorithms --wide | awk 'NR > 1 && NF { print $1 }'); do
    case $algorithm in
    native | padded-alltoall) ;; # the library's own messages
    *) echo "$compared" | grep -qw -e "$algorithm" || fail "$algorithm was not compared" ;;
    esac
done
finish
