#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs whose calls of MPI_Alltoallv have little to send, or nothing: bytes are right, all ranks
# decide alike which calls are native without an agreement, and few calls of an empty sequence agree,
# also while they learn.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
[ "$native" = 0 ] || skip "it is about the library"

cat >"$work/on.cfg" <<'END'
schema = 1;
alltoallv = ( { algorithm = "shared-segment"; } );
END
sed 's/^schema = 1;/schema = 1; policy = { adapt = false; };/' "$work/on.cfg" >"$work/off.cfg"
sed 's/shared-segment/parlogna/' "$work/on.cfg" >"$work/messages.cfg"
sed 's/^schema = 1;/schema = 1; policy = { learn = "on"; };/' "$work/on.cfg" >"$work/taught.cfg"
printf 'schema = 1; machine = { name = "m"; }; policy = { learn = "on"; };\n' >"$work/gaps.cfg"
# What is learned rests on times: by a clock of its own.
clock=$(preload "$programs/clockwork.so:$lib")

# right WHAT RANKS ARGUMENT...: the program says that every byte was right.
right()
{
    what=$1
    ranks=$2
    shift 2
    job_run "$clock" 120 -genv SHUNT_CONFIG "$config" -genv SHUNT_WARMUP 2 -n "$ranks" "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$what: every byte is right"
    else
        fail "$what"
    fi
}

# Every table with every pattern; with SHUNT_TEST_FULL=1 on one node and on two, else in turn.
turn=0
for table in on messages taught gaps; do
    config=$work/$table.cfg
    for pattern in empty one ring alternate phases; do
        turn=$((turn + 1))
        [ "$full" = 1 ] && counts='1 2' || counts=$((turn % 2 + 1))
        for nodes in $counts; do
            right "$pattern calls, table $table, $nodes node(s)" 4 \
                -genv MPIR_CVAR_NUM_CLIQUES "$nodes" "$programs/sparse" $pattern 1500
        done
    done
    case $full:$table in
    1:* | 0:messages | 0:taught)
        right "several communicators, table $table" 4 "$programs/sparse" phases 700 communicators
        ;;
    esac
    case $full:$table in
    1:* | 0:on | 0:gaps)
        right "two threads, table $table" 3 "$programs/sparse" phases 700 threads
        ;;
    esac
    # In a stretch, as calls 9, 26 and so on are.
    right "calls that the library rejects, table $table" 3 "$programs/sparse" empty 600 rejected
done

# Where an error handler makes the next call, also that of a call with which the entry point's part of
# a stretch ends.
for table in on messages; do
    job 120 -genv SHUNT_CONFIG "$work/$table.cfg" -genv SHUNT_WARMUP 2 -n 4 "$programs/crooked" stretch
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "calls that fail, and whose handler makes the next one, table $table: all stay in step"
    else
        fail "calls that fail, and whose handler makes the next one, table $table"
    fi
done

# decided FILE: call and what became of it, a line each, without the times.
decided()
{
    sed -n 's/.*"call": \([0-9]*\),.*"algorithm": \("[^"]*"\).*"reason": \(null\|"[^"]*"\).*/\1 \2 \3/p' "$1"
}

# logged PATTERN CALLS CONFIG: a run that leaves a log per rank, and in $work/all what rank 0 did.
logged()
{
    rm -f "$work"/calls.*
    job_run "$clock" 120 -genv SHUNT_CONFIG "$work/$3.cfg" -genv SHUNT_WARMUP 2 -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/calls.%r.jsonl" -n 4 "$programs/sparse" "$1" "$2"
    decided "$work/calls.0.jsonl" >"$work/all"
    same=$(wc -l <"$work/all")
    [ "$job_status" -eq 0 ] && [ "$same" -eq "$2" ] || same=0
    for rank in 1 2 3; do
        decided "$work/calls.$rank.jsonl" | cmp -s - "$work/all" || same=0
    done
    if [ "$same" -gt 0 ]; then
        pass "$1 calls, table $3: all ranks decide alike about every call"
    else
        fail "$1 calls, table $3: ranks decide differently"
    fi
    agreements=$(grep -c '"shared-segment"' "$work/all")
    stretches=$(grep -c 'most blocks were empty when the ranks last agreed' "$work/all")
}

for pattern in one ring phases alternate; do
    logged $pattern 1000 on
done
check "calls that are empty and dense in turn all agree" test "$agreements" -eq 998
logged empty 2000 on
# 4 in a row, then one between stretches of 16, 64, 256, 1,024.
check "of 2,000 empty calls 8 agree" test "$agreements" -eq 8
check "the record says why the others are native" test "$stretches" -eq 1990
logged empty 300 off
check "policy.adapt = false has every call agree" test "$agreements" -eq 298
logged dense 300 on
check "dense calls agree" test "$stretches" -eq 0

# While something is learned as well.
for table in taught gaps; do
    rm -rf "$XDG_CACHE_HOME"
    case $full:$table in
    1:*) patterns='one ring phases alternate' ;;
    0:taught) patterns='one phases' ;;
    *) patterns='ring alternate' ;;
    esac
    for pattern in $patterns; do
        logged "$pattern" 1000 $table
    done
    logged empty 2000 $table
    check "of 2,000 empty calls 8 agree, table $table" test "$stretches" -eq 1990
done

# SHUNT_FORCE is an order.
rm -f "$work"/calls.*
job 60 -genv SHUNT_FORCE alltoallv=shared-segment -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/calls.%r.jsonl" \
    -n 3 "$programs/sparse" empty 200
check "what is forced is done" test "$(decided "$work/calls.0.jsonl" | grep -c shared-segment)" -eq 200
finish
