#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Path finding: right against a serial search, the same under the preload, and clear about bad
# input.
# shellcheck source=tests/apps/common.sh
. "${srcdir:-.}/tests/apps/common.sh"
paths=tests/apps/paths
need $paths "run make $paths"

# expect LINE...: the output of --check on $work/graph has these lines.
expect() {
    native $paths --check "$work/graph" >"$work/out" 2>&1 || {
        cat "$work/out"
        fail "paths on the graph above"
    }
    for line in "$@"; do
        grep -qx "$line" "$work/out" || {
            cat "$work/out"
            fail "expected the line: $line"
        }
    done
}

# rejects TEXT: a graph with this content (printf format) ends with status 1 and one message that
# has all the words of $2...
rejects() {
    # shellcheck disable=SC2059 # the content is a format on purpose
    printf "$1" >"$work/bad"
    shift
    status=0
    ranks=2
    native $paths "$work/bad" >"$work/out" 2>&1 || status=$?
    ranks=$most_ranks
    [ $status = 1 ] || fail "bad input ended with status $status: $(cat "$work/out")"
    for word in "$@"; do
        grep -q -- "$word" "$work/out" ||
            fail "the message does not say \"$word\": $(cat "$work/out")"
    done
    [ "$(grep -c '^paths: ' "$work/out")" = 1 ] ||
        fail "not exactly one message: $(cat "$work/out")"
}

# A chain, where everything is known: n (n - 1) / 2 paths, the longest with n - 1 edges.
awk 'BEGIN { for (i = 0; i < 60; i++) print i, i + 1 }' >"$work/graph"
expect 'nodes  *61' 'edges  *60' 'paths  *1830' 'iterations  *60' 'check  *ok'
# A cycle reaches everything, itself included; comments, tabs, blank lines and repeated edges do not
# matter.
printf '# cycle\n1\t2 %% comment\n2 3\n\n3 1\n3 1\n' >"$work/graph"
expect 'nodes  *3' 'edges  *3' 'paths  *9' 'iterations  *3'
printf '' >"$work/graph"
expect 'edges  *0' 'paths  *0' 'iterations  *0'
printf '4294967294 0\n' >"$work/graph"
expect 'paths  *1'
printf '%%%%MatrixMarket matrix coordinate real symmetric\n%% comment\n4 4 3\n2 1 0.5\n3 2 -1e3\n4 4 7\n' >"$work/graph"
expect 'nodes  *4' 'edges  *5' 'paths  *10' 'iterations  *2'

rejects '1 2\n3 x\n' 'bad:2: ' '"3 x"' 'two vertex numbers'
rejects '1 2 3\n' 'bad:1: '
rejects '1 -2\n' 'bad:1: '
rejects '1 4294967295\n' 'bad:1: ' 'too large' 'renumber'
rejects '%%%%MatrixMarket matrix array real general\n' 'bad:1: ' 'coordinate'
rejects '%%%%MatrixMarket matrix coordinate complex general\n' 'bad:1: ' '"complex"'
rejects '%%%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1\n' 'bad:2: ' 'square'
rejects '%%%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 3\n' 'bad:3: ' 'outside'
rejects '%%%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n' 'ends after 1 of 2'
rejects '%%%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2\n' 'bad:3: ' 'value'
status=0
native $paths "$work/no-such-file" >"$work/out" 2>&1 || status=$?
[ $status = 1 ] || fail "a missing file ended with status $status"
grep -q 'no-such-file: cannot be opened' "$work/out" || fail "missing file: $(cat "$work/out")"
pass "answers and messages are right without Shunt"

ranks=3
# What is generated: written and read it is the same, and another for another seed.
native $paths --generate 3000 --check --write "$work/written.mtx" >"$work/generated" 2>&1 ||
    fail "a generated graph: $(cat "$work/generated")"
# 5.8 times the root of the edges.
grep -qx 'iterations 317' "$work/generated" ||
    fail "the long river has another length: $(cat "$work/generated")"
native $paths "$work/written.mtx" >"$work/out" 2>&1 || fail "a written graph: $(cat "$work/out")"
for key in nodes edges paths iterations; do
    [ "$(grep "^$key " "$work/generated")" = "$(grep "^$key " "$work/out")" ] ||
        fail "a graph that was written has other $key"
done
native $paths --generate 3000 --seed 2 >"$work/out" 2>&1 || fail "another seed"
[ "$(grep ^checksum "$work/generated")" != "$(grep ^checksum "$work/out")" ] ||
    fail "the seed changes nothing"
pass "a graph that was generated can be written and read"

ranks=$most_ranks
same_under_shim debian-deps $paths --check "$srcdir/tests/data/debian-deps.edges"
need_shim
finish
