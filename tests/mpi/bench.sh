#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `shunt bench`: every byte of what it measures is right, its figures can be read by programs, its
# mistakes are said once.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

shunt=$PWD/src/shunt
matrix=$work/counts.txt
printf '# bytes\n0 8 16 0\n1000, 0, 3, 1\n7 7 7 7\n0 0 0 0\n' >"$matrix"

# bench WHAT STATUS ARGUMENT...: $ranks ranks, a few repetitions.
ranks=4
bench()
{
    bench_what=$1
    bench_expected=$2
    shift 2
    job_native 60 -n $ranks "$shunt" bench --repetitions=3 --warm-up=1 "$@"
    [ $job_status -eq "$bench_expected" ] || {
        fail "$bench_what: status $job_status instead of $bench_expected"
        return 1
    }
}

# good WHAT ARGUMENT...: and no row says that something is wrong.
good()
{
    good_what=$1
    shift
    bench "$good_what" 0 --check "$@" || return
    if grep -q WRONG "$work/out"; then
        fail "$good_what: wrong bytes"
    else
        pass "$good_what"
    fi
}

# What programs have learned is none of its business, and the command may be found by PATH: nothing
# is said of tables.
mkdir -p "$work/cache/shunt"
printf 'schema = 1;\nalltoall = ( { algorithm = "spread-out"; } );\n' \
    >"$work/cache/shunt/$(uname -n | sed 's/[0-9]*$//' | tr -c 'A-Za-z0-9\n' -).cfg"
cp "$work/cache/shunt/"*.cfg "$work/cache/shunt/$(uname -n | tr -c 'A-Za-z0-9\n' -).cfg" 2>/dev/null
if XDG_CACHE_HOME=$work/cache "$shunt" where | grep -q '^learned '; then
    PATH=$PWD/src:$PATH XDG_CACHE_HOME=$work/cache job_native 60 -n 2 shunt bench --repetitions=3 \
        --op=alltoall --block=16
    if [ $job_status -eq 0 ] && ! grep -q 'decision table' "$work/err"; then
        pass "what programs have learned is not looked for"
    else
        fail "learned rules are looked for, status $job_status" "$work/err"
    fi
else
    echo "not tried: learned rules beside a measurement (this host's name is unusual)"
fi

# Without the MPI library that it was built for, the loader's word is not the last one.
mkdir -p "$work/bin"
cp "$shunt" "$work/bin/shunt"
LC_ALL=C sed 's/libmpi/libmpj/g' "$PWD/src/shunt-bench" >"$work/bin/shunt-bench"
chmod +x "$work/bin/shunt-bench"
if ends 5 "$work/bin/shunt" bench --block=16 &&
    grep -q 'measures .*, for which this Shunt was built, and libmpj[^ ]* is not on this machine: install' \
        "$work/out"; then
    pass "it is said which MPI library is lacking, and what to do"
else
    fail "it is said which MPI library is lacking, and what to do" "$work/out"
fi

good "all algorithms of both operations are measured" --op=alltoall,alltoallv --block=0,1,100,4K
good "all distributions are measured" --algorithm=parlogna,pairwise --block=300 \
    --distribution=constant,uniform,normal,power-law,power:1.2,fft-n1,fft-n2,matrix:"$matrix"
good "a sweep is measured, with the lower bound, phases and several calls each" \
    --algorithm='parlogna:radix=2,3,sqrt(P),scattered:batch_size=1,2' --lower-bound --phases \
    --inner=4 --block=64
# Long names have a line of their own before their figures.
measured=$(awk '/^  parlogna:radix=[23]:batch_size=[0-9]*:metadata=fused$/ { getline; rows += / \.\. / }
    END { print rows + 0 }' "$work/out")
if [ "$measured" -ne 2 ] \
    || ! tr -s ' \n' ' ' <"$work/out" | grep -q 'the same as parlogna:radix=2 here'; then
    fail "a sweep has each value once, and what is the same after evaluation only once"
else
    pass "a sweep has each value once"
fi
# What the table calls a candidate can be given to --algorithm, and to SHUNT_FORCE.
name=$(sed -n 's/^  \(parlogna:radix=3[^ ]*\)$/\1/p' "$work/out" | head -n 1)
job_native 60 -n 4 "$shunt" bench --repetitions=3 --algorithm="$name" --block=64
if [ -n "$name" ] && [ $job_status -eq 0 ] &&
    grep -A 1 -x "  $name" "$work/out" | tail -n 1 | grep -q ' \.\. '; then
    pass "a candidate has the name that --algorithm takes"
else
    fail "a candidate has the name that --algorithm takes: $name"
fi
job_native 60 -n 4 -genv SHUNT_TEST_LAYOUT 3,1 "$shunt" bench --repetitions=3 --check \
    --algorithm=parlinna-coalesced,parlinna-staggered --phases
if [ $job_status -ne 0 ] || ! grep -q remote "$work/out"; then
    fail "unequal nodes are measured"
else
    pass "unequal nodes are measured"
fi
# The parts of figure 10 of Fan (2025): only coalesced puts blocks together for other nodes, only
# lengths of their own are metadata, only the basic algorithm rotates at the end. A part that is there
# takes time by the clock.
job_native 60 -n 8 -genv SHUNT_TEST_LAYOUT 4,4 "$shunt" bench --repetitions=3 --phases --block=512 \
    --op=alltoall,alltoallv --csv="$work/parts.csv" --algorithm='parlinna-coalesced:metadata=separate' \
    --algorithm='parlinna-staggered:metadata=separate,parlinna-coalesced,bruck-basic,bruck'
parts=$(awk -F , '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["prepare_us"] > 0 {
        name = $at["operation"] " " $at["algorithm"] (/separate/ ? " separate" : "")
        print name ($at["metadata_us"] > 0 ? " metadata" : "") ($at["node_us"] > 0 ? " node" : "") \
            ($at["rearrange_us"] > 0 ? " rearrange" : "") ($at["remote_us"] > 0 ? " remote" : "")
    }' "$work/parts.csv" | sort)
wanted='alltoall bruck node remote
alltoall bruck-basic node rearrange remote
alltoall parlinna-coalesced node rearrange remote
alltoall parlinna-coalesced separate node rearrange remote
alltoall parlinna-staggered separate node remote
alltoallv parlinna-coalesced node rearrange remote
alltoallv parlinna-coalesced separate metadata node rearrange remote
alltoallv parlinna-staggered separate metadata node remote'
if [ $job_status -eq 0 ] && [ "$parts" = "$wanted" ]; then
    pass "--phases tells the parts of an algorithm apart"
else
    fail "--phases tells the parts of an algorithm apart: $parts"
fi
job_native 60 -n 1 "$shunt" bench --repetitions=3 --check --lower-bound --block=64
if [ $job_status -eq 0 ]; then pass "one rank is measured"; else fail "one rank is measured"; fi

# Settings for programs must not change what is measured.
job_native 60 -n 4 -genv SHUNT_DISABLE 1 -genv SHUNT_LOG calls "$shunt" bench --repetitions=3 \
    --algorithm=pairwise --block=64
if [ $job_status -ne 0 ] || ! grep -q '^  pairwise .* \.\. ' "$work/out" \
    || grep -q '^shunt: #' "$work/out"; then
    fail "settings of the environment are left aside"
else
    pass "settings of the environment are left aside"
fi

bench "files" 0 --csv="$work/r.csv" --json="$work/r.json" --op=alltoall,alltoallv --block=16,64 \
    --algorithm=bruck,parlogna --phases --lower-bound --check
readable()
{
    if command -v python3 >/dev/null; then
        python3 - "$work/r.csv" "$work/r.json" >"$work/out" 2>&1 <<'END' || return 1
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
data = json.load(open(sys.argv[2]))
assert data["version"][0].isdigit() and data["rules"] == []
assert data["processors"] > 0 and "oversubscribed" in data
assert all(case["winner"] is None for case in data["cases"]), "too few repetitions to tell"
assert data["ranks"] == 4 and data["nodes"] == 1 and data["repetitions"] == 3 and len(data["cases"]) == 4
flat = [(case, candidate) for case in data["cases"] for candidate in case["candidates"]]
assert len(rows) == len(flat) == 4 * 4
for row, (case, candidate) in zip(rows, flat):
    assert None not in row and None not in row.values(), row
    assert row["operation"] == case["operation"] and row["algorithm"] == candidate["algorithm"]
    assert row["candidate"] == candidate["candidate"] == ":".join(
        [candidate["algorithm"]] + candidate["parameters"].split())
    assert (row["reason"] != "") == ("reason" in candidate)
    if "reason" in candidate:
        continue
    assert abs(float(row["median_us"]) - candidate["us"]["median"]) < 1e-2 * candidate["us"]["median"]
    assert len(candidate["times_us"]) == 3 and candidate["wrong"] == 0
    assert min(candidate["times_us"]) <= candidate["us"]["median"] <= max(candidate["times_us"])
    assert ("phases_us" in candidate) == (row["agreement_us"] != "") == (candidate["algorithm"] in ("bruck", "parlogna"))
    assert candidate["algorithm"] != "native" or candidate["speedup"]["median"] == 1
END
        grep -q reason "$work/r.json" && grep -q 'does not serve' "$work/r.csv"
    else
        grep -q '^alltoallv,"uniform",64,.*,parlogna,radix=2 [^,]*,3,' "$work/r.csv" &&
            grep -q '"algorithm": "parlogna", "parameters": "radix=2 ' "$work/r.json"
    fi
}
if readable; then pass "CSV and JSON agree"; else fail "CSV and JSON agree"; fi
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    pass "JSON and its schema: not compared, for python3 has no module jsonschema"
elif python3 "$top/tests/unit/valid.py" "$top/src/tools/bench/bench.schema.json" "$work/r.json" \
    >"$work/out" 2>&1; then
    pass "JSON is as its schema has it"
else
    fail "JSON is as its schema has it"
fi

# mistake STATUS TEXT ARGUMENT...: said once, by one rank.
mistake()
{
    mistake_status=$1
    mistake_text=$2
    shift 2
    bench "$*" "$mistake_status" "$@" || return
    if [ "$(grep -c 'shunt' "$work/out")" -ne 1 ] || ! grep -q "$mistake_text" "$work/out"; then
        fail "$*: is not said, or not once"
    else
        pass "$*: $(cat "$work/out")"
    fi
}

ranks=2
mistake 2 'did you mean "parlogna"' --algorithm=parlogma
mistake 2 'is not alltoall or alltoallv' --op=allgather
mistake 2 'is one word too many' zork
printf '1 2\n' >"$matrix"
mistake 2 '1 rows instead of one for each of 2 ranks' --distribution=matrix:"$matrix"
mistake 4 'cannot be read' --distribution=matrix:"$work/none"
mistake 4 'cannot be written' --csv="$work/none/r.csv"
mistake 4 'cannot be written' --json="$work/none/r.json"
mistake 4 'cannot be written' --rules="$work/none/site.cfg"
mistake 4 'cannot be written' --csv="$work/half.csv" --json="$work/none/r.json"
check "a mistake leaves no file behind" sh -c "! ls '$work'/half.csv* 2>/dev/null"

# What only some ranks are told, no rank begins.
for bad in '--zork' '--block=x'; do
    job_native 60 -n 1 "$shunt" bench $bad : -n 2 "$shunt" bench --block=64
    check "$bad for the first rank only ends all" [ $job_status -eq 2 ]
    job_native 60 -n 2 "$shunt" bench --block=64 : -n 1 "$shunt" bench $bad
    check "$bad for the last rank only ends all" [ $job_status -eq 2 ]
done

job_native 60 -n 1 "$shunt" bench --block=64 --repetitions=3 : -n 2 "$shunt" bench --block=64
check "ranks with good command lines that differ end" [ $job_status -eq 2 ]
holds "and it is said" '^shunt bench: ranks have different command lines: start all' "$work/out"
check "once" [ "$(grep -c 'different command lines' "$work/out")" -eq 1 ]

# Help is asked for in any place, and then that is all.
for command in 'bench --csv' 'tune --output' 'machine --output'; do
    for help in --help -h; do
        # shellcheck disable=SC2086 # words
        job_native 60 -n 2 "$shunt" $command="$work/help.out" $help
        check "shunt $command=FILE $help ends well" [ $job_status -eq 0 ]
        check "and tells once how to use it" \
            [ "$(grep -c "^usage: mpiexec -n RANKS shunt ${command% *} " "$work/out")" -eq 1 ]
    done
done
check "help writes no file" sh -c "! ls '$work'/help.out* 2>/dev/null"

# One process that no launcher of this MPI library started has nothing to measure.
astray()
{
    env -u PMI_SIZE -u PMI_RANK "$@" "$shunt" bench --block=64 --repetitions=1 \
        >"$work/out" 2>&1 </dev/null
    job_status=$?
    job_line="$* shunt bench"
}
astray env -u SLURM_STEP_NUM_TASKS -u SLURM_PROCID -u PMIX_RANK -u OMPI_COMM_WORLD_SIZE
if [ $job_status -eq 2 ] && grep -q 'without a launcher.*start it as "[a-z.]* -n ' "$work/out"; then
    pass "without a launcher it says how to start it"
else
    fail "without a launcher it says how to start it"
fi
astray env OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0
if [ $job_status -eq 2 ] && grep -q 'started 4 processes, but each is alone' "$work/out"; then
    pass "under another library's launcher it says so"
else
    fail "under another library's launcher it says so"
fi
astray env OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3
if [ $job_status -eq 2 ] && [ ! -s "$work/out" ]; then
    pass "and the other ranks do not repeat it"
else
    fail "and the other ranks do not repeat it"
fi

# Where the library's own exchange is made slow, it is known what wins.
sluggish()
{
    sluggish_turns=$1
    shift
    job_run "$PWD/tests/mpi/sluggish.so:$(preload)" 120 -n 4 -genv SLUGGISH_MS 100 \
        -genv SLUGGISH_TURNS "$sluggish_turns" "$shunt" bench --repetitions=7 --warm-up=1 "$@"
}

sluggish 0 --op=alltoall,alltoallv --block=64,1K --distribution=constant \
    --algorithm='parlogna:radix=sqrt(P):batch_size=1' --rules="$work/site.cfg" \
    --json="$work/rules.json"
crowded=false
[ "$(nproc)" -ge 4 ] || crowded=true
rule="{ id = \"4 ranks, 64-1K\"; ranks = 4; nodes = 1; ppn = 4; oversubscribed = $crowded; block = \"64-1K\";"
rule="$rule algorithm = \"parlogna\"; radix = \"sqrt(P)\"; batch_size = 1; },"
holds "the winner is named" \
    '^  fastest: parlogna:radix=2:batch_size=1:metadata=fused, [0-9.]* times' "$work/out"
holds "two sizes with one winner are one rule, as it was asked for" "^    $rule" "$work/out"
check "both operations have it in the file" [ "$(grep -c "^  $rule" "$work/site.cfg")" -eq 2 ]
holds "the rules are in the JSON" \
    '"candidate": "parlogna:radix=sqrt(P):batch_size=1", "text": "{ id' "$work/rules.json"
holds "what is steady is not called busy" '^rules for' "$work/out"
if grep -q busy "$work/out"; then
    fail "what is steady is not called busy"
fi
if [ -e "$work/site.cfg.part" ] || [ -e "$work/rules.json.part" ]; then
    fail "nothing is left beside complete files"
else
    pass "nothing is left beside complete files"
fi
check "the file of rules is a good decision file" "$shunt" check "$work/site.cfg"
ends 0 "$shunt" explain --op=alltoallv --ranks=4 --nodes=1 --block=512 --oversubscribed=$crowded \
    "$work/site.cfg"
holds "its rules take the calls that were measured" 'parlogna' "$work/out"

# Rules test the layout that Shunt sees. The largest block of S = 100 is smaller.
export SHUNT_TEST_LAYOUT=3,1
sluggish 0 --block=100 --algorithm=pairwise
unset SHUNT_TEST_LAYOUT
cp "$work/out" "$work/layout"
largest=$(sed -n 's/.*S = 100 bytes: largest block \([0-9]*\),.*/\1/p' "$work/layout")
check "the largest of these blocks is not as asked for" [ "${largest:-100}" -lt 100 ]
holds "a rule has the layout and the largest block that there was" \
    "; ranks = 4; nodes = 2; ppn = \"1-3\"; oversubscribed = $crowded; block = \"$largest\"; algorithm = \"pairwise\";" \
    "$work/layout"

sluggish 3 --block=64 --distribution=constant --algorithm=pairwise --json="$work/busy.json"
holds "a busy machine is noticed, with the figures" \
    'busy machine: the median of native, [0-9.]* us, is [0-9.]* times its least, [0-9.]* us' \
    "$work/out"
holds "and what to do is said" 'Measure on an idle machine, or with more --repetitions (7 now)' \
    "$work/out"
holds "in the JSON too" '"warnings": \["busy machine' "$work/busy.json"

# Empty blocks need no meeting of all ranks, in which the bound consists then.
job_native 60 -n 4 "$shunt" bench --repetitions=9 --block=0 --algorithm=pairwise --lower-bound
holds "a candidate below the lower bound is noticed" \
    'warning: native takes 0\.[0-9]* \.\. 0\.[0-9]* of the lower bound.s time' "$work/out"

# What a killed run has measured is not lost, and what was there before it stays. Its ranks may write
# on for a moment: to a file of their own.
echo before >"$work/kept.json"
echo before >"$work/victim"
ln -s victim "$work/kept.cfg.part" # somebody else did
"$MPIEXEC" -genv LD_PRELOAD "$PWD/tests/mpi/sluggish.so:$(preload)" -genv SLUGGISH_MS 100 -n 2 \
    "$shunt" bench --repetitions=20 --warm-up=1 --block=16,32,64,128,256 --algorithm=pairwise \
    --json="$work/kept.json" --rules="$work/kept.cfg" >"$work/killed.out" 2>&1 </dev/null &
job=$!
tries=0
until grep -q '"block": 32' "$work"/kept.json.*part 2>/dev/null || [ $tries -gt 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -KILL $job
wait $job 2>/dev/null
job_line="a run that is killed"
check "a killed run leaves the file as it was" grep -qx before "$work/kept.json"
check "and what a link of that name leads to" grep -qx before "$work/victim"
if command -v python3 >/dev/null; then
    check "and what it measured, as JSON" python3 -c 'import json, sys
cases = json.load(open(sys.argv[1]))["cases"]
assert 2 <= len(cases) < 5 and [case["block"] for case in cases][:2] == [16, 32], cases' \
        "$work"/kept.json.*.part
else
    check "and what it measured, as JSON" grep -qx '}' "$work"/kept.json.*.part
fi
check "and the rules so far, as a decision file" "$shunt" check "$work"/kept.cfg.*.part

# What people read: no line is longer than 100 columns, and no two columns of a table have one name.
job_native 100 -n 4 "$shunt" bench --repetitions=3 --warm-up=1 --block=64 --op=alltoall,alltoallv \
    --phases --lower-bound
if [ $job_status -eq 0 ] && awk '
    length($0) > 100 { print length($0) " columns: " $0; bad = 1 }
    /^  (candidate|us per call) / {
        heads++
        count = split($0, part, /   */)
        for (i = 2; i <= count; i++)
            if (seen[NR, part[i]]++ && part[i] != "") { print "twice: " part[i]; bad = 1 } }
    END { exit bad || heads != 6 }' "$work/out" >"$work/wrong"; then
    pass "the table fits 100 columns, and each column has a name of its own"
else
    fail "the table fits 100 columns, and each column has a name of its own" "$work/wrong" "$work/out"
fi

# What is no regular file is not replaced.
ln -s target.json "$work/link.json"
: >"$work/target.json"
job_native 60 -n 2 "$shunt" bench --repetitions=3 --block=64 --algorithm=pairwise \
    --json="$work/link.json" --rules=/dev/null
if [ -c /dev/null ] && [ -L "$work/link.json" ] && [ -s "$work/target.json" ]; then
    pass "links and devices stay what they are"
else
    fail "links and devices stay what they are"
fi

# As an unmodified program: routed by the preloaded library, which sees every call and nothing else.
job 60 -genv SHUNT_FORCE alltoallv=parlogna -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE \
    "$work/plain.jsonl" -n 4 "$shunt" bench --plain --check \
    --repetitions=3 --warm-up=2 --block=64
if [ $job_status -ne 0 ] || ! grep -q '^  as-is ' "$work/out"; then
    fail "--plain measures what the preloaded library does"
elif [ "$native" = 0 ] && [ "$(records alltoallv parlogna "$work/plain.jsonl")" -ne 5 ]; then
    fail "--plain: $(records alltoallv parlogna \
        "$work/plain.jsonl") calls of rank 0 were routed instead of 5"
else
    pass "--plain measures what the preloaded library does"
fi

job 60 -genv SHUNT_FORCE alltoallv=parlogna -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE \
    "$work/paired.jsonl" -n 4 "$shunt" bench --plain --paired \
    --repetitions=3 --warm-up=2 --block=64
if [ $job_status -ne 0 ] || ! grep -q '^  native .* 1\.00 *$' "$work/out" \
    || ! grep -q '^  as-is .* [0-9.]* \.\. [0-9.]* .* [0-9.]* \.\. [0-9.]*' "$work/out"; then
    fail "--paired measures the library and Shunt in turn"
elif [ "$native" = 0 ] && [ "$(records alltoallv . "$work/paired.jsonl")" -ne 5 ]; then
    fail "--plain --paired: the preloaded library saw $(records alltoallv . \
        "$work/paired.jsonl") calls of rank 0 instead of 5"
else
    pass "--paired measures the library and Shunt in turn"
fi

# Progress is for terminals, though the launcher takes the ranks' output through pipes.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    line="$MPIEXEC -genv LD_PRELOAD $(preload) -n 2 $shunt bench --block=64,1K --repetitions=20"
    ends 0 script -qec "TERM=dumb $line --algorithm=pairwise" /dev/null
    if tr '\r' '\n' <"$work/out" | grep -q '^case 1 of 2, repetition [0-9]* of 20' \
        && ! grep -q "$(printf '\033')" "$work/out"; then
        pass "a terminal shows progress, a dumb one too"
    else
        fail "a terminal shows progress, a dumb one too"
    fi
else
    echo "progress on a terminal is left out: there is no script(1)"
fi
if grep -q '^case\|repetition [0-9]* of' "$work/layout"; then
    fail "a file shows no progress"
else
    pass "a file shows no progress"
fi

job_run "$PWD/tests/mpi/corrupt.so:$(preload)" 60 -n 4 "$shunt" bench --plain --check \
    --repetitions=3 --warm-up=2 --distribution=constant --block=64,32 \
    --json="$work/r.json"
if [ $job_status -ne 1 ] || [ "$(grep -c 'WRONG bytes (1 times)' "$work/out")" -ne 1 ] \
    || ! grep -q '"wrong": 1' "$work/r.json"; then
    fail "one wrong byte in one call on one rank is noticed"
else
    pass "one wrong byte in one call on one rank is noticed"
fi

# What measures is under no table: a user's is not looked at, for each candidate says what is done.
mkdir -p "$work/home/.config/shunt"
echo 'schema = 1; alltoall = ( { algorithm = "nonsense"; } );' >"$work/home/.config/shunt/site.cfg"
for command in "bench --repetitions=3 --block=64 --algorithm=parlogna" \
    "machine --time-limit=1 --force --output=$work/m.cfg" \
    "tune --force --time-limit=1 --block=64 --algorithm=parlogna --output=$work/t.cfg"; do
    # shellcheck disable=SC2086 # words are wanted
    job_native 60 -n 2 -genv XDG_CONFIG_HOME "$work/home/.config" "$shunt" $command
    if [ $job_status -ne 0 ] || grep '^shunt: ' "$work/out"; then
        fail "shunt ${command%% *} looks at no table of the user's: status $job_status"
    else
        pass "shunt ${command%% *} looks at no table of the user's"
    fi
done
finish
