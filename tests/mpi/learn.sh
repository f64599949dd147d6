#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Learning while the job runs: right bytes, the same decisions on all ranks, a file that later runs
# use; and what must not happen: trials that nobody asked for, a file that is lost.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2317 # check calls functions
. "$(dirname "$0")/common.sh"

[ "$native" = 1 ] && skip "nothing is learned without the library"
doze

shunt=$top_build/src/shunt
printf 'schema = 1;\nmachine = { name = "m"; };\n' >"$work/gaps.cfg"
file=$XDG_CACHE_HOME/shunt/m.cfg
# Where the library's own takes some milliseconds more it is known what is faster; by a clock that
# does not go on while others have the processors.
slow=$(preload "$programs/clockwork.so:$programs/sluggish.so:$lib")
milliseconds=0

# lessons RANKS ARGUMENT...: a job that learns, of the program with the arguments $lessons_of; whether
# every byte was right. The ARGUMENTs are mpiexec's.
lessons()
{
    lessons_ranks=$1
    shift
    rm -f "$work"/*.jsonl
    # shellcheck disable=SC2086 # lessons_of has several words
    job_run "$slow" 100 -genv SLUGGISH_MS "$milliseconds" -genv SHUNT_CONFIG "$work/gaps.cfg" \
        -genv SHUNT_LEARN on -genv SHUNT_WARMUP 4 \
        -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/%r.jsonl" "$@" -n "$lessons_ranks" \
        "$programs/lessons" $lessons_of
    [ $job_status -eq 0 ] && grep -q ' good$' "$work/out"
}

# decisions RANK: "CALL ALGORITHM" of each call.
decisions()
{
    LC_ALL=C sed -n 's/.*"call": \([0-9]*\),.*"algorithm": "\([a-z-]*\)".*/\1 \2/p' "$work/$1.jsonl"
}

# alike RANKS: all ranks did the same in all calls, of which there are some.
alike()
{
    decisions 0 >"$work/first"
    [ -s "$work/first" ] || return 1
    for rank in $(seq 1 $(($1 - 1))); do
        decisions "$rank" | cmp -s - "$work/first" || return 1
    done
}

tried()
{
    grep -q '"reason": "learned"' "$work/0.jsonl"
}

for operation in alltoall alltoallv; do
    for layout in '' 4 3,1; do
        lessons_of="$operation 512 300"
        check "$operation, nodes of ${layout:-all} ranks: every byte is right" \
            lessons 8 ${layout:+-genv SHUNT_TEST_LAYOUT $layout}
        check "$operation, nodes of ${layout:-all} ranks: ranks decide alike" alike 8
    done
    lessons_of="$operation 64 600 3"
    check "$operation, three communicators: every byte is right" lessons 4
done

milliseconds=5
rm -rf "$XDG_CACHE_HOME" # what was learned above, or not, by the times of this machine
lessons_of='alltoall 512 400'
check "where the library is slow every byte is right" lessons 8
check "algorithms were tried" tried
check "what was learned is in the file" grep -q 'ranks = "8".*block = "257-512".*calls = ' "$file"
"$shunt" check "$file" >"$work/out" 2>&1
check "the file is valid" grep -q 'm.cfg: ok' "$work/out"
check "there is no other file but its lock" \
    test "$(cd "$XDG_CACHE_HOME/shunt" && echo *)" = "m.cfg m.cfg.lock"

rm -rf "$XDG_CACHE_HOME"
lessons_of='alltoallv 512 400'
check "where MPI_Alltoallv is slow every byte is right" lessons 8
check "native calls that are timed go without the agreement" grep -q \
    '"reason": "no rule matched, and trials are under way".*"agreement": 0.000000000' \
    "$work/0.jsonl"
check "and ranks decide alike" alike 8
# What gains threefold and more keeps the others waiting, eight times 500 calls at most.
scattered='"algorithm": "scattered".*"reason": "learned"'
check "where much is gained the others wait" sh -c "! grep -q '$scattered' '$work/0.jsonl'"
rm -rf "$XDG_CACHE_HOME"
lessons_of='alltoallv 512 4400'
check "after many more calls every byte is right" lessons 8
check "what the model does not promise is tried as well" grep -q "$scattered" "$work/0.jsonl"
check "and ranks decide alike" alike 8
rm -rf "$XDG_CACHE_HOME"
lessons_of='alltoall 512 400'
lessons 8

lessons_of='alltoall 512 50'
lessons 8
check "the next run follows the file" grep -q '"rule": {"file": "[^"]*/m.cfg"' "$work/0.jsonl"
check "and ranks decide alike" alike 8
lessons 8 -genv SHUNT_LEARN suggest
check "without trials it is followed too" grep -q '"rule": {"file": "[^"]*/m.cfg"' "$work/0.jsonl"
lessons 8 -genv SHUNT_LEARN off
check "SHUNT_LEARN=off leaves it alone" sh -c "! grep -q 'm.cfg\"' '$work/0.jsonl'"

# Two jobs that end together; the rules that are there stay.
cat >"$work/two.sh" <<END
for block in 16 4096; do
    SLUGGISH_MS=5 SHUNT_CONFIG=$work/gaps.cfg SHUNT_LEARN=on LD_PRELOAD=$slow timeout 100 \
        $MPIEXEC -n 4 $programs/lessons alltoall \$block 400 &
done
wait
END
sh "$work/two.sh" >"$work/out" 2>&1
check "two jobs at once: every byte is right" test "$(grep -c ' good$' "$work/out")" = 2
check "what was there before is there still" grep -q 'ranks = "8".*block = "257-512"' "$file"
"$shunt" check "$file" >"$work/out" 2>&1
check "the file is valid still" grep -q 'm.cfg: ok' "$work/out"

# What earlier versions left of runs that were too short to learn from.
printf 'schema = 1; alltoallv = ( { id = "expected: 8"; ranks = 8; block = "1-4096"; calls = 15;
    native_us = 4000; expected = true; algorithm = "shared-segment"; } );\n' >"$file"
lessons_of='alltoallv 512 14'
lessons 8
check "what was only expected routes nothing" \
    sh -c "[ -s '$work/0.jsonl' ] && ! grep -q '\"parameters\": \"[^\"]*\", \"rule\": {[^}]*expected' '$work/0.jsonl'"
check "and one line says so" test "$(grep -c 'expected = true.*are ignored' "$work/out")" = 1

# The order is the model's: what it takes to be slow comes last.
# first_tried READ_BLOCK_NS OVERHEAD_US: the first algorithm that is tried beside the library's own
# where reads and messages are said to take that.
first_tried()
{
    rm -f "$work"/*.jsonl "$XDG_CACHE_HOME/shunt/ordered.cfg"
    { echo 'schema = 1; machine = { name = "ordered";' && sed "1,/^schema/d
        s/block_ns = 500;/block_ns = $1;/
        s/overhead_us = 0.15;/overhead_us = $2;/" \
        "$top/conf/machines/polaris-like.cfg" && echo '};'; } >"$work/ordered.cfg"
    job_run "$slow" 100 -genv SLUGGISH_MS 5 -genv SHUNT_CONFIG "$work/ordered.cfg" \
        -genv SHUNT_LEARN on -genv SHUNT_WARMUP 0 -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/%r.jsonl" -n 4 "$programs/lessons" alltoall 4096 90
    sed -n 's/.*"algorithm": "\([a-z-]*\)".*"reason": "learned".*/\1/p' "$work/0.jsonl" | head -n 1
}
check "dear reads come late" test "$(first_tried 900000 0.15)" = scattered
check "cheap reads come first" test "$(first_tried 1 5)" = peer-read

# What a table routes is held against the library's own, and left where it loses.
cat >"$work/routed.cfg" <<'END'
schema = 1;
machine = { name = "routed"; };
policy = { warmup = 0; learn = "on"; };
alltoall = ( { id = "all"; algorithm = "pairwise"; } );
alltoallv = ( { id = "all"; algorithm = "pairwise"; } );
END

# routed PRELOAD ARGUMENT...: a job of 5 ranks under that table; whether every byte was right.
routed()
{
    routed_preload=$1
    shift
    rm -f "$work"/*.jsonl
    job_run "$(preload "$programs/clockwork.so:$routed_preload:$lib")" 100 -genv SHUNT_GUARD 1 \
        -genv SHUNT_CONFIG "$work/routed.cfg" \
        -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/%r.jsonl" "$@" -n 5 "$programs/lessons" \
        "$operation" 64 300
    [ "$job_status" -eq 0 ] && grep -q ' good$' "$work/out"
}

# last ALGORITHM: the last calls all went by it.
last()
{
    decisions 0 | tail -n 50 >"$work/last"
    [ -s "$work/last" ] && ! grep -vq " $1\$" "$work/last"
}
for operation in alltoall alltoallv; do
    check "$operation, the table is far slower: every byte is right" \
        routed "$programs/heavy.so" -genv HEAVY_US 1000
    check "$operation, the table is far slower: ranks decide alike" alike 5
    check "$operation, the table is far slower: the library's own it is" last native
    check "$operation, the table is far slower: the log says so" grep -q \
        '"id": "all".*"reason": "native was faster than what the table chose"' "$work/0.jsonl"
    check "$operation, the library is far slower: every byte is right" \
        routed "$programs/sluggish.so" -genv SLUGGISH_MS 3
    check "$operation, the library is far slower: ranks decide alike" alike 5
    check "$operation, the library is far slower: it is tried" grep -q \
        '"reason": "native is timed beside what the table chose"' "$work/0.jsonl"
    check "$operation, the library is far slower: the table goes on" last pairwise
done
check "nothing of that is written to the file" test ! -e "$XDG_CACHE_HOME/shunt/routed.cfg"

# What nobody asked for.
rm -f "$work"/*.jsonl
lessons_of='alltoall 512 200'
job 100 -genv SHUNT_CONFIG "$work/gaps.cfg" -genv SHUNT_WARMUP 0 -genv SHUNT_LOG calls \
    -genv SHUNT_LOG_FILE "$work/%r.jsonl" -n 2 "$programs/lessons" alltoall 128 1100
check "by default nothing is tried" sh -c "! grep -q 'learned\"' '$work/0.jsonl'"
check "but the summary has a hint" grep -q '"suggestion": {"operation": "alltoall", "ranks": 2, "from": 128, ' \
    "$work/0.jsonl"
cat >"$work/rest.cfg" <<'END'
schema = 1;
alltoall = ( { block = "1M-"; algorithm = "pairwise"; }, { id = "rest"; algorithm = "native"; } );
END
job 100 -genv SHUNT_CONFIG "$work/rest.cfg" -genv SHUNT_WARMUP 0 -genv SHUNT_LOG summary \
    -n 2 "$programs/lessons" alltoall 128 1100
check "also where a last rule without conditions takes them, as in tables of shunt tune" \
    grep -Eq 'hint .* calls of alltoall on 2 ranks, .* had no rule of their own and took ' "$work/out"
check "and they are told apart" grep -q 'only a last rule without conditions says so' "$work/out"
job 100 -genv SHUNT_FORCE alltoall=native -genv SHUNT_LOG summary \
    -n 2 "$programs/lessons" alltoall 128 1100
check "not where SHUNT_FORCE says native" \
    sh -c "grep -q ' a rule says so' '$work/out' && ! grep -q 'hint' '$work/out'"
printf 'schema = 1;\npolicy = { learn = "off"; };\n' >"$work/off.cfg"
job 100 -genv SHUNT_CONFIG "$work/off.cfg" -genv SHUNT_WARMUP 0 -genv SHUNT_LOG summary \
    -genv SHUNT_LOG_FORMAT json -n 2 "$programs/lessons" alltoall 128 1100
check "where the table says off nothing is suggested" grep -q '"suggestion": null' "$work/out"
rm -f "$work"/*.jsonl
job 100 -genv SHUNT_CONFIG "$work/gaps.cfg" -genv SHUNT_WARMUP 0 -genv SHUNT_LOG calls \
    -genv SHUNT_LOG_FILE "$work/%r.jsonl" -n 1 -env SHUNT_LEARN on "$programs/lessons" \
    alltoall 128 300 : -n 3 "$programs/lessons" alltoall 128 300
check "where only one rank was asked to learn none does" \
    sh -c "grep -q ' good' '$work/out' && ! grep -q 'learned\"' '$work/0.jsonl'"

# What cannot be.
echo 'schema = 1; alltoall = ( {' >"$file"
lessons 4
check "a wrong file is said" grep -q 'm.cfg:' "$work/out"
check "and stays as it is" grep -qx 'schema = 1; alltoall = ( {' "$file"
lessons_of='alltoall 512 400'
for blank in 0 100; do
    head -c "$blank" /dev/zero >"$file"
    lessons 4
    check "a file of $blank bytes without text is replaced" grep -q '"learned: 4 ranks' "$file"
    check "and nothing is said of it" sh -c "! grep -q 'cannot be read' '$work/out'"
done
# refused WHAT PATTERN: one line says why nothing is written, the run is good, and the file as before.
refused()
{
    cat "$work/gaps.cfg" >"$file" # nothing is known yet
    lessons 4
    check "$1: one line says so, and the file stays" sh -c "[ $job_status -eq 0 ] &&
        [ \$(grep -c '$2' '$work/out') -eq 1 ] && cmp -s '$file' '$work/gaps.cfg'"
}

lock="$file.lock"
rm -f "$lock"
ln -s "$work/outside" "$lock"
refused "a lock that is a link" 'what this run learned cannot be written'
check "and what it leads to is not made" [ ! -e "$work/outside" ]
rm -f "$lock"
if command -v flock >/dev/null 2>&1; then
    flock -F "$lock" sleep 60 &
    holder=$!
    refused "a lock that another job holds" 'cannot be written.*another job holds its lock'
    kill $holder
    wait $holder 2>/dev/null
fi
chmod 666 "$file"
refused "a file that any user may write" 'neither read nor written'
chmod 644 "$file"
chmod 777 "${file%/*}"
refused "a folder that any user may write" 'neither read nor written'
chmod 700 "${file%/*}"
lessons 4 -genv XDG_CACHE_HOME "$work/gaps.cfg/none"
check "a folder that cannot be made costs one line, and no program" \
    sh -c "[ $job_status -eq 0 ] && [ \$(grep -c 'what this run learned' '$work/out') -eq 1 ]"

# All kinds of calls, with threads and without.
job 100 -genv SHUNT_CONFIG "$work/gaps.cfg" -genv SHUNT_LEARN on -genv SHUNT_WARMUP 0 \
    -genv XDG_CACHE_HOME "$work/other" -n 4 "$programs/matrix" --random 30 --seed 5 --thin 8
check "calls of all kinds have right bytes" grep -q '^PASS: ' "$work/out"
job 100 -genv SHUNT_CONFIG "$work/gaps.cfg" -genv SHUNT_LEARN on -genv SHUNT_WARMUP 0 \
    -genv XDG_CACHE_HOME "$work/other" -n 4 "$programs/threads"
check "threads have right bytes" test $job_status -eq 0

finish
