#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Points-to analysis: right against what is known and against a serial analysis, the same under the
# preload, and clear about bad input. Takes some seconds.
# shellcheck source=tests/apps/common.sh
. "${srcdir:-.}/tests/apps/common.sh"
points=tests/apps/points
need $points "run make $points"

# expect RANKS LINE...: the output of --check on $work/facts has these lines.
expect() {
    ranks=$1
    shift
    native $points --check "$work/facts" >"$work/out" 2>&1 || {
        cat "$work/out"
        fail "points on the facts above"
    }
    for line in "$@"; do
        grep -qx "$line" "$work/out" || {
            cat "$work/out"
            fail "expected the line: $line"
        }
    done
    ranks=$most_ranks
}

# rejects TEXT WORDS...: such facts (printf format) end with status 1 and one message with the words.
rejects() {
    # shellcheck disable=SC2059 # the content is a format on purpose
    printf "$1" >"$work/bad"
    shift
    status=0
    ranks=2
    native $points "$work/bad" >"$work/out" 2>&1 || status=$?
    ranks=$most_ranks
    [ $status = 1 ] || fail "bad input ended with status $status: $(cat "$work/out")"
    for word in "$@"; do
        grep -q -- "$word" "$work/out" ||
            fail "the message does not say \"$word\": $(cat "$work/out")"
    done
    [ "$(grep -c '^points: ' "$work/out")" = 1 ] ||
        fail "not exactly one message: $(cat "$work/out")"
}

# p = &x; q = p; *q = r; r = &y; s = *p: x may point to y by the store, and s to y by the load.
printf '# p x q r y s\naddress 0 1\ncopy 2 0\nstore 2 3\n\naddress 3 4\t# y\nload 5 0\nload 5 0\n' \
    >"$work/facts"
expect 1 'variables  *6' 'statements *5' 'points  *5' 'edges  *3' 'check  *ok'
# A pointer that goes around a ring of copies gets everywhere: each of ten objects to each of ten.
awk 'BEGIN { for (i = 0; i < 10; i++) print "copy", (i + 1) % 10, i "\naddress", i, 10 + i }' \
    >"$work/facts"
expect 5 'points  *100' 'edges  *10' 'iterations *10' 'check  *ok'
# What points to itself: p = &p; *p = p; q = *p.
printf 'address 7 7\nstore 7 7\nload 8 7\n' >"$work/facts"
expect 3 'points  *2' 'edges  *2' 'check  *ok'
: >"$work/facts"
expect 2 'points  *0' 'iterations *0' 'check  *ok'
pass "small programs have the answers that are known"

rejects 'copy 1 2\ncopy 1\n' 'bad:2: ' '"copy 1"' 'with numbers'
rejects 'copies 1 2\n' 'bad:1: ' '"copies 1 2" is no fact'
rejects 'copy 1 2 3\n' 'bad:1: '
rejects 'copy 1 -2\n' 'bad:1: '
rejects 'copy 1 2147483647\n' 'bad:1: ' 'within 0 .. 2147483646'
rejects 'copy 1 9999999999\n' 'bad:1: '
status=0
native $points "$work/no-such-file" >"$work/out" 2>&1 || status=$?
[ $status = 1 ] || fail "a missing file ended with status $status"
grep -q 'no-such-file: cannot be opened' "$work/out" || fail "missing file: $(cat "$work/out")"
pass "mistakes in a file are told by their line"

# What is generated: the same by any number of ranks, from a file too, and another for another seed.
ranks=1
native $points --generate 300 --check --write "$work/written" >"$work/out" 2>&1 \
    || fail "a generated program: $(cat "$work/out")"
grep -v '^method\|^seconds' "$work/out" >"$work/one"
ranks=5
native $points --check "$work/written" >"$work/out" 2>&1 || fail "a written program"
grep -v '^method\|^seconds' "$work/out" | diff "$work/one" - || fail "five ranks answer differently"
ranks=1
native $points --generate 300 --seed 2 >"$work/out" 2>&1 || fail "another seed"
! grep -qxF "$(grep '^checksum' "$work/one")" "$work/out" || fail "the seed changes nothing"
ranks=$most_ranks
pass "one rank and five agree about a generated program"

# A real program, where a compiler for it is there: its facts by name, "kind p q", are those of its
# source.
named_facts() {
    awk '/^# [0-9]+ / { number = $2; sub(/^# [0-9]+ /, ""); name[number] = $0; next }
        /^#/ { next }
        { print $1 ": " name[$2] ", " name[$3] }' "$1"
}
if command -v clang >/dev/null && command -v python3 >/dev/null; then
    cat >"$work/real.c" <<'END'
void *malloc(unsigned long);
int x;
static int *keep(int **where, int *what) { *where = what; return what; }
static void *get(void) { return malloc(4); }
int main(void) { int *p = &x, *q, **r = &q; int *s = keep(r, p); void *t = get(); return *s + !t; }
END
    (cd "$work" && clang -S -emit-llvm -O0 -fno-discard-value-names -o real.ll real.c \
        && "$top/scripts/program-facts" real.ll >real.facts) || fail "the facts of a program"
    named_facts "$work/real.facts" >"$work/named"
    for fact in 'address: @x, @x object' 'address: @main %q, @main %q object' \
        'store: @main %p, @x' 'store: @main %r, @main %q' 'copy: @main %call, real.ll @keep %result' \
        'store: @main %s, @main %call' 'copy: real.ll @get %result, real.ll @get %call' \
        'address: real.ll @get %call, call 2 of @malloc %object'; do
        grep -qxF "$fact" "$work/named" || fail "not among the facts: $fact; $(cat "$work/named")"
    done
    cp "$work/real.facts" "$work/facts"
    expect 3 "statements *$(grep -c '^[a-z]' "$work/facts")" 'check  *ok'
    pass "the facts of a real program are those of its source"
else
    echo "SKIP: clang or python3 is not installed: no facts of a real program"
fi

same_under_shim generated $points --check --generate 128
need_shim
finish
