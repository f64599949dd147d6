#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `shunt bench`: every byte of what it measures is right, its figures can be read by programs, its
# mistakes are said once.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

shunt=$PWD/src/shunt
matrix=$work/counts.txt
printf '# bytes\n0 8 16 0\n1000, 0, 3, 1\n7 7 7 7\n0 0 0 0\n' >"$matrix"

# bench WHAT STATUS ARGUMENT...: 4 ranks, a few repetitions.
bench()
{
    bench_what=$1
    bench_expected=$2
    shift 2
    job_native 60 -n 4 "$shunt" bench --repetitions=3 --warm-up=1 "$@"
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

good "all algorithms of both operations are measured" --op=alltoall,alltoallv --block=0,1,100,4K
good "all distributions are measured" --algorithm=parlogna,pairwise --block=300 \
    --distribution=constant,uniform,normal,power-law,power:1.2,fft-n1,fft-n2,matrix:"$matrix"
good "a sweep is measured, with the lower bound, phases and several calls each" \
    --algorithm='parlogna:radix=2,3,sqrt(P),scattered:batch_size=1,2' --lower-bound --phases \
    --inner=4 --block=64
if [ "$(grep -c '^  parlogna .*radix=2' "$work/out")" -lt 2 ] \
    || ! grep -q 'the same as parlogna:radix=2 here' "$work/out"; then
    fail "a sweep has each value once, and what is the same after evaluation only once"
else
    pass "a sweep has each value once"
fi
job_native 60 -n 4 -genv SHUNT_TEST_LAYOUT 3,1 "$shunt" bench --repetitions=3 --check \
    --algorithm=parlinna-coalesced,parlinna-staggered --phases
if [ $job_status -ne 0 ] || ! grep -q remote "$work/out"; then
    fail "unequal nodes are measured"
else
    pass "unequal nodes are measured"
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
assert data["version"][0].isdigit() and data["ranks"] == 4 and data["nodes"] == 1 and data["repetitions"] == 3 and len(data["cases"]) == 4
flat = [(case, candidate) for case in data["cases"] for candidate in case["candidates"]]
assert len(rows) == len(flat) == 4 * 4
for row, (case, candidate) in zip(rows, flat):
    assert None not in row and None not in row.values(), row
    assert row["operation"] == case["operation"] and row["algorithm"] == candidate["algorithm"]
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
        grep -q '^alltoallv,"uniform",64,.*,parlogna,radix=2,3,' "$work/r.csv" &&
            grep -q '"algorithm": "parlogna", "parameters": "radix=2"' "$work/r.json"
    fi
}
if readable; then pass "CSV and JSON agree"; else fail "CSV and JSON agree"; fi

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

mistake 2 'did you mean "parlogna"' --algorithm=parlogma
mistake 2 'is not alltoall or alltoallv' --op=allgather
mistake 2 'unexpected argument' zork
printf '1 2 3 4\n' >"$matrix"
mistake 2 '1 rows instead of one for each of 4 ranks' --distribution=matrix:"$matrix"
mistake 4 'cannot be read' --distribution=matrix:"$work/none"
mistake 4 'cannot be written' --csv="$work/none/r.csv"

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
if [ $job_status -ne 0 ] || ! grep -q '^  native .* 1\.00 ' "$work/out" \
    || ! grep -q '^  as-is .* [0-9.]* \.\. [0-9.]* .* [0-9.]* \.\. [0-9.]*' "$work/out"; then
    fail "--paired measures the library and Shunt in turn"
elif [ "$native" = 0 ] && [ "$(records alltoallv . "$work/paired.jsonl")" -ne 5 ]; then
    fail "--plain --paired: the preloaded library saw $(records alltoallv . \
        "$work/paired.jsonl") calls of rank 0 instead of 5"
else
    pass "--paired measures the library and Shunt in turn"
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
finish
