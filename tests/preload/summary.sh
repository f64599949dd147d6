#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The summary of a program that knows nothing of the library: its verdict, what it names, and that
# its figures agree with each other.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need "$build/plain" "the program of this test"

cat >"$work/site.cfg" <<'END'
schema = 1;
machine = { name = "alpha"; hosts = "*"; };
alltoall = ( { id = "none"; algorithm = "native"; } );
alltoallv = ( { id = "unused"; block = "1M-"; algorithm = "scattered"; batch_size = 2; },
              { id = "all"; algorithm = "two-phase-bruck"; } );
END

# right: the last job did what it should.
right()
{
    [ "$status" -eq 7 ] && grep -q '^ranks 4 wrong 0$' "$work/out"
}

# tells WHAT PATTERN: the last job is right, and a line of its summary matches (extended).
tells()
{
    if ! right; then
        fail "$1: status $status, expected 7" "$work/out" "$work/err"
    elif grep -qE "$2" "$work/err"; then
        pass "$1"
    else
        fail "$1: no line matches $2" "$work/err"
    fi
}

# 20 calls, half of each operation; 6 of them are warm-up.
job 4 -genv SHUNT_LOG summary -genv SHUNT_WARMUP 6 -genv SHUNT_CONFIG "$work/site.cfg" \
    "$build/plain" children
tells "the first line says how much was routed" \
    '^shunt: summary of rank 0 of 4: routed 7 of 20 calls \(35\.0%\), .* sent, [0-9.]+% of '
tells "the time and its share of the run are told" \
    '^shunt:  time    [0-9.]+ [mun]?s in all-to-all, [0-9.]+% of the run \([0-9.]+ m?s since the library was loaded\)$'
tells "warm-up is called that" '^shunt: .*  6 calls  .* warm-up, before a communicator was set up$'
tells "what rules left native is told" '^shunt: .*  7 calls  .* only a last rule without conditions says so$'
tells "the table is named, with machine and version" \
    '^shunt:  table   .*/site.cfg \(alpha\); shunt [0-9]+\.[0-9]'
tells "sizes are told apart" \
    '^shunt:  16 B - 32 B .*alltoallv  .* two-phase-bruck [0-9]+, native [0-9]+$'
if right && ! grep -qE 'never used|without a rule' "$work/err"; then
    pass "rules are not listed, and none of the calls lacks one"
else
    fail "there is talk of rules" "$work/err"
fi

# Five native calls of MPI_Alltoallv before set-up; tests/mpi/verdict.sh has what is claimed.
job 4 -genv SHUNT_LOG summary -genv SHUNT_WARMUP 10 "$build/plain" children
if right && [ "$(said ' gain    not measured: ')" -eq 1 ]; then
    pass "no gain is claimed from calls before set-up"
else
    fail "a gain is claimed from calls before set-up" "$work/err"
fi
job 4 -genv SHUNT_LOG summary -genv SHUNT_VERIFY 1 -genv SHUNT_FORCE alltoallv=parlogna \
    -genv SHUNT_CONFIG "$work/site.cfg" "$build/plain" children
tells "under SHUNT_VERIFY no gain is claimed" \
    '^shunt:  gain    not measured: SHUNT_VERIFY=1 makes both exchanges in each call; run without it$'
tells "a table and what is forced are named" \
    '^shunt:  table   .*/site.cfg \(alpha\), SHUNT_FORCE; shunt'
tells "an operation that is not forced goes by the table" \
    '^shunt:  alltoall +native .*/site.cfg:3 "none"'
job 4 -genv SHUNT_LOG summary -genv SHUNT_WARMUP 0 "$build/plain" children
if right && [ "$(said ' gain    not measured: ')" -eq 1 ]; then
    pass "no gain is claimed without native calls"
else
    fail "a gain is claimed from nothing" "$work/err"
fi
job 4 -genv SHUNT_LOG summary -genv SHUNT_WARMUP 1000 "$build/plain"
tells "it is said when nothing is routed" '^shunt: summary of rank 0 of 4: routed none of 10 calls'
tells "and that nothing was set up" '^shunt:  table   built-in; no communicator was set up; shunt '
job 4 -genv SHUNT_LOG calls -genv SHUNT_LOG_RANKS 0 -genv SHUNT_WARMUP 0 \
    -genv SHUNT_CONFIG "$work/site.cfg" "$build/plain"
tells "unused rules are listed with the calls" \
    '^shunt:  rule never used: .*site.cfg:4 "unused" of alltoallv$'

# The same for programs, a file of each rank.
if ! python3 -c 'import json' 2>/dev/null; then
    echo "the summary for programs is left out: python3 is not installed"
    finish
fi
cat >"$work/check.py" <<'END'
import json, sys

ranks = set()
for name in sys.argv[1:]:
    with open(name) as file:
        lines = [json.loads(line) for line in file]
    (summary,) = [line for line in lines if line["event"] == "summary"]
    ranks.add(summary["rank"])
    assert summary["ranks"] == 4 and summary["calls"] == 20 and summary["errors"] == 0, summary
    assert summary["table"].endswith("/site.cfg") and summary["machine"] == "alpha", summary
    assert len(summary["fingerprint"]) == 16 and int(summary["fingerprint"], 16) > 0, summary
    assert summary["routed"]["calls"] == 7 and summary["warm_up"]["calls"] == 6, summary
    assert 0 < summary["seconds"] < summary["elapsed"] < 60, summary
    assert summary["set_up"] > 0 and summary["no_rule"] == 0, summary
    assert "unused_rules" not in summary, summary
    # Calls before set-up do not count.
    assert summary["estimate"] == {"not_measured": "few", "calls": 0}, summary
    reasons = {entry["reason"]: entry["calls"] for entry in summary["left_native"]}
    assert reasons == {"warm-up": 6, "only a last rule without conditions says so": 7}, reasons
    for member in "calls", "bytes", "seconds":
        for entries in summary["sizes"], summary["done"], [summary["routed"], *summary["left_native"]]:
            total = sum(entry[member] for entry in entries)
            assert abs(total - summary[member]) < 1e-6, (member, entries)
    for size in summary["sizes"]:
        assert size["from"] <= size["to"] < 2 * max(1, size["from"]), size
        assert sum(part["calls"] for part in size["done"]) == size["calls"], size
        assert size["calls"] * size["to"] * 4 >= size["bytes"], size
    assert {size["operation"] for size in summary["sizes"]} == {"alltoall", "alltoallv"}
assert ranks == {0, 1, 2, 3}, ranks
END
job 4 -genv SHUNT_LOG summary -genv SHUNT_WARMUP 6 -genv SHUNT_CONFIG "$work/site.cfg" \
    -genv SHUNT_LOG_FILE "$work/log.%r.jsonl" "$build/plain" children
if right && python3 "$work/check.py" "$work"/log.*.jsonl 2>"$work/problems"; then
    pass "the figures of every rank's summary agree with each other"
else
    fail "the summary for programs, status $status" "$work/problems" "$work/err"
fi
cat >"$work/estimate.py" <<'END'
import json, sys

lines = [json.loads(line) for line in open(sys.argv[1])]
(estimate,) = [line["estimate"] for line in lines if line["event"] == "summary"]
assert estimate["not_measured"] == "verified", estimate
END
job 4 -genv SHUNT_LOG summary -genv SHUNT_VERIFY 1 -genv SHUNT_FORCE alltoallv=parlogna \
    -genv SHUNT_CONFIG "$work/site.cfg" -genv SHUNT_LOG_FILE "$work/verified.jsonl" \
    "$build/plain" children
if right && python3 "$work/estimate.py" "$work/verified.jsonl" 2>"$work/problems"; then
    pass "nor is it for programs"
else
    fail "the estimate for programs, status $status" "$work/problems" "$work/err"
fi
finish
