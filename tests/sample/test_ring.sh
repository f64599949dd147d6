#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Adding an algorithm of a known kind is one file, one line in the list and one in the makefile:
# with the sample's, the command lists it, the simulation of schedules covers it, and real calls go
# by it with no wrong byte; without them nothing knows it.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2317 # functions that check() calls
. "$(dirname "$0")/../mpi/common.sh"

[ "$native" != 1 ] || skip "only the library with the sample knows its algorithm"
"$PWD/src/shunt" algorithms | grep -q '^ring ' &&
    skip "src/algorithms has the sample's algorithm: it is no longer one that only the sample knows"

# The command, line by line but for the width of columns.
for shunt in src tests/sample; do
    check "$shunt/shunt lists its algorithms" ends 0 "$PWD/$shunt/shunt" algorithms --long --wide
    tr -s ' ' <"$work/out" >"$work/$(basename "$shunt")"
done
{
    cat "$work/src"
    grep -A 2 '^ring alltoall,alltoallv metadata=fused|separate(fused) ' "$work/sample"
} >"$work/expected"
check "the sample is one more line of the list, the last one" cmp -s "$work/expected" "$work/sample"
check "it is told with its name, parameters and source" \
    [ "$(wc -l <"$work/sample")" -eq $(($(wc -l <"$work/src") + 3)) ]
printf 'schema = 1;\nalltoallv = ( { algorithm = "ring"; metadata = "separate"; } );\n' \
    >"$work/ring.cfg"
check "a table may name it where it is known" ends 0 "$PWD/tests/sample/shunt" check \
    "$work/ring.cfg"
check "a table may not name it elsewhere" ends 3 "$PWD/src/shunt" check "$work/ring.cfg"
check "its cost is told" \
    ends 0 "$PWD/tests/sample/shunt" explain --op alltoallv --nodes 2 --ppn 4 --block 16 \
    "$work/ring.cfg"
check "it has a message of lengths in all rounds but the last" \
    grep -q 'rank 0: 7 rounds, sends 13 messages with 28 blocks' "$work/out"

# The simulation. It fails where the row is not in the list.
if [ -x tests/sample/test_schedule ]; then
    check "the simulation delivers every block of it" \
        ends 0 env SHUNT_TEST_ALGORITHM=ring tests/sample/test_schedule
    check "the simulation of the product does not know it" \
        ends 1 env SHUNT_TEST_ALGORITHM=ring tests/unit/test_schedule
    check "the simulation of the product says so" grep -q 'no algorithm is named ring' "$work/out"
else
    echo "the simulation is left out: cmocka was not found"
fi

# Real calls. by RANKS LAYOUT PARAMETERS: they go by the sample, as the log of rank 0 says, and no
# byte is wrong.
by()
{
    rm -f "$work/log.jsonl"
    job 120 -genv SHUNT_FORCE "alltoall=ring$3,alltoallv=ring$3" -genv SHUNT_TEST_LAYOUT "$2" \
        -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/log.jsonl" \
        -n "$1" "$programs/matrix" --random 40 --seed "$1" --thin 3 &&
        grep -q '^PASS: ' "$work/out" &&
        [ "$(records alltoall ring "$work/log.jsonl")" -ge 50 ] &&
        [ "$(records alltoallv ring "$work/log.jsonl")" -ge 50 ]
}

# refused: the library says that it knows no such name, and nothing is routed.
refused()
{
    job 60 -genv SHUNT_FORCE alltoall=ring -n 2 "$programs/matrix" --thin 50 &&
        grep -q 'SHUNT_FORCE: .*unknown algorithm "ring"' "$work/out"
}
check "the library of the product refuses the name" refused
lib=$PWD/tests/sample/library/libshunt.so
check "it gets no byte wrong on 3 ranks, with lengths in messages of their own" by 3 2,1 \
    :metadata=separate
check "it gets no byte wrong on 8 ranks of unequal nodes" by 8 3,5 ''
# The simulation has these numbers of ranks, in both ways.
if [ "$SHUNT_TEST_FULL" = 1 ]; then
    check "it gets no byte wrong on 2 ranks" by 2 1 ''
    check "it gets no byte wrong on 5 ranks" by 5 5 ''
    check "it gets no byte wrong on 8 ranks, with lengths in messages of their own" by 8 3,5 \
        :metadata=separate
fi
finish
