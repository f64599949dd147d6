#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What shunt schedule --counts says of an MPI_Alltoallv with blocks of different sizes is what every
# rank really sends: how many messages, to whom, and how many bytes. Counted without the first
# calls and what comes with them.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
doze

[ "$native" != 1 ] || {
    echo "SKIP: only the library sends what is counted here"
    exit 77
}

# matrix RANKS MOST: blocks of 0 to MOST bytes, a third of them empty, one rank that sends nothing
# and one that receives nothing.
matrix()
{
    awk -v ranks="$1" -v most="$2" 'BEGIN {
        srand(1)
        for (a = 0; a < ranks; a++) {
            line = ""
            for (b = 0; b < ranks; b++)
                line = line (b > 0 ? " " : "") (a == 1 || b == 2 || rand() < 0.3 ? 0 : int(rand() * (most + 1)))
            print line
        }
    }'
}

# sent ALGORITHM SIZES CALLS FILE: what all ranks have sent in so many calls: sender, receiver,
# messages, bytes.
sent()
{
    job_run "$lib:$programs/tally.so:$yield" 60 -genv TALLY_PEERS 1 -genv SHUNT_FORCE \
        "alltoallv=$1" -genv SHUNT_TEST_LAYOUT "$2" \
        -n "$(($(echo "$2" | tr , +)))" "$programs/uneven" "$3" "$work/matrix" \
        && sed -n 's/^PEER //p' "$work/out" >"$4"
}

# told ALGORITHM SIZES: the same from the command.
told()
{
    "$PWD/src/shunt" schedule --algorithm "$1" --op alltoallv --layout "$2" --counts \
        "$work/matrix" --rank all >"$work/schedule" || return
    awk '/^rank/ { me = $2 }
         /^    (send +to|lengths +to|agree +with) / {
             for (i = 1; $i != "rank"; i++);
             key = me " " $(i + 1)
             messages[key]++
             bytes[key] += $(NF - 1)
             if ($NF != "bytes") exit 1
         }
         END { for (key in messages) print key, messages[key], bytes[key] }' "$work/schedule" >"$work/unsorted" &&
        sort -n -k1,1 -k2,2 "$work/unsorted"
}

# compare ALGORITHM SIZES MOST
compare()
{
    what="$1, nodes of $2, blocks of up to $3 bytes"
    matrix "$(($(echo "$2" | tr , +)))" "$3" >"$work/matrix"
    if ! told "$1" "$2" >"$work/told"; then
        fail "$what: no schedule"
        return
    fi
    if ! sent "$1" "$2" 8 "$work/tallied"; then
        fail "$what: the job failed"
        return
    fi
    awk '{ print $1, $2, $3 / 8, $4 / 8 }' "$work/tallied" |
        sort -n -k1,1 -k2,2 >"$work/measured"
    if [ -s "$work/told" ] && cmp -s "$work/told" "$work/measured"; then
        pass "$what: $(awk '{ n += $3 } END { print n }' "$work/told") messages, as told"
    else
        diff "$work/told" "$work/measured" | head -n 8
        fail "$what: not the messages that are told (<), but others (>)"
    fi
}

for algorithm in scattered:batch_size=2 pairwise parlogna parlogna:radix=3:metadata=separate \
    two-phase-bruck sloav padded-bruck:radix=3 \
    parlinna-coalesced parlinna-staggered:metadata=separate parlinna-shared node-pair:leaders=2 \
    node-bruck:radix=2; do
    compare $algorithm 2,1,3 700
done
compare parlogna:radix=2 7 200
compare parlinna-coalesced:radix=3 3,3,2 70000
compare node-pair:fragment=1K 3,3 4000
compare node-pair:leaders=3 3,5 4000
compare node-bruck:radix=2 1,2,1,2,1 300
[ "$passes" -eq 17 ] || fail "only $passes comparisons"
finish
