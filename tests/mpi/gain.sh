#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scripts/gain, with which the quick start ends: its sentences follow from its figures, and the
# figures are measured.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# figures OPERATION BLOCK NATIVE LEAST ROUTED TIMES LOW HIGH...: as `shunt bench` writes them.
figures()
{
    echo "operation,distribution,block,algorithm,least_us,median_us,speedup,speedup_low,\
speedup_high"
    while [ $# -gt 0 ]; do
        echo "$1,\"constant\",$2,native,$4,$3,1,1,1"
        echo "$1,\"constant\",$2,as-is,1,$5,$6,$7,$8"
        shift 8
    done
}

# shows SENTENCE PATTERN ABSENT FIGURE...: what is made of the figures has PATTERN, and not ABSENT.
shows()
{
    shows_what=$1
    shows_pattern=$2
    shows_absent=$3
    shift 3
    figures "$@" >"$work/figures.csv"
    ends 0 "$top/scripts/gain" --show "$work/figures.csv" "$work/algorithms"
    if grep -q "$shows_pattern" "$work/out" && ! grep -q "$shows_absent" "$work/out"; then
        pass "$shows_what"
    else
        fail "$shows_what"
    fi
}

printf 'alltoall 16 bruck:radix=2\nalltoallv 4096 native\n' >"$work/algorithms"
shows "a gain everywhere is said" \
    '^  A gain in all 2 cases: 1\.5 to 2\.0 times as fast as' 'No\|busy\|oss' \
    alltoall 16 20 18 10 2 1.9 2.1 alltoallv 4096 30 29 20 1.5 1.01 2
shows "with the figures and the algorithms" \
    '^  alltoall      16  *20\.0  *10\.0  *2\.00  1\.90 \.\. 2\.10  *bruck:radix=2$' '?' \
    alltoall 16 20 18 10 2 1.9 2.1 alltoallv 4096 30 29 20 1.5 1.01 2
shows "an interval that contains 1 is no gain" '^  No gain here: in none of 2 cases' 'A gain\|oss' \
    alltoall 16 20 18 10 2 0.99 2.1 alltoallv 4096 30 29 20 1.5 1 2
shows "a loss is said" '^  A loss in 1 case, down to 0\.50 times' 'A gain' \
    alltoall 16 10 9 20 0.5 0.4 0.6 alltoallv 4096 30 29 30 1 0.9 1.1
shows "some gains are counted" '^  A gain in 1 of 2 cases: 2\.0 times' 'in all\|No gain' \
    alltoall 16 20 18 10 2 1.9 2.1 alltoallv 4096 30 29 30 1 0.9 1.1
shows "and so are the others" '^  No clear difference in 1 case' 'in all' \
    alltoall 16 20 18 10 2 1.9 2.1 alltoallv 4096 30 29 30 1 0.9 1.1
shows "no gain on a busy machine may be the machine" \
    '^  No gain to be seen here: in none of 1 case' 'No gain here' alltoall 16 20 10 10 2 0.9 2.1
shows "a busy machine is said" '^  The machine was busy in 1 case' 'No gain' \
    alltoall 16 20 10 10 2 1.9 2.1
figures >"$work/figures.csv"
if ends 1 "$top/scripts/gain" --show "$work/figures.csv" "$work/algorithms"; then
    pass "without figures it fails"
else
    fail "without figures it fails"
fi
# The command substitution of some shells waits for all that can write to it before it asks how the
# command ended.
# shellcheck disable=SC2016 # the inner shell expands it
if ends 0 sh -c 'said=$("$1" echo here 2>&1); case $said in *here) ;; *) exit 1 ;; esac' sh \
    "$top/scripts/one-group"; then
    pass "one-group ends with its command"
else
    fail "one-group ends with its command"
fi
for option in --ranks=1 --ranks=x --seconds=0; do
    if ends 1 "$top/scripts/gain" $option && grep -q 'is not a number from' "$work/out"; then
        pass "$option is a mistake"
    else
        fail "$option is a mistake"
    fi
done

# As the quick start does it, but shorter. TERM and SHUNT_ variables make no difference.
export TERM=dumb SHUNT_DISABLE=1
ends 0 "$top/scripts/gain" --ranks=4 --seconds=1 --csv="$work/kept.csv"
cp "$work/out" "$work/table"
if [ "$(grep -cE '^  alltoallv? +(16|512|4K)  .*[0-9] +(shared-segment|peer-read)$' \
    "$work/table")" -eq 6 ]; then
    pass "each case is routed as the built-in table says"
else
    fail "each case is routed as the built-in table says"
fi
gains=$(awk -F , 'NR > 1 && $8 == "as-is" && $16 > 1 { n++ } END { print n + 0 }' "$work/kept.csv")
case $gains in
0) sentence='^  No gain ' ;;
6) sentence='^  A gain in all 6 cases' ;;
*) sentence="^  A gain in $gains of 6 cases" ;;
esac
if [ -s "$work/kept.csv" ] && grep -q "$sentence" "$work/table"; then
    pass "the sentence is that of the figures: $gains of 6"
else
    fail "the sentence is that of the figures: $gains of 6"
fi
if grep -q "$(printf '[\033\r]')" "$work/table"; then
    fail "no codes of terminals are written"
else
    pass "no codes of terminals are written"
fi
finish
