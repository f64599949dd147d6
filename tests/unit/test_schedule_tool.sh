#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt schedule: text, messages, exit codes, the same numbers as shunt explain, and the table of
# radices against formulas. Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"

# The text, whole.
code 0 "$shunt" schedule --algorithm=parlogna:radix=2:metadata=separate --op=alltoallv --ranks=12 \
    --nodes=3 --block=300 --rank=5
empty err
cat >expected <<'END'
call       alltoallv, 12 ranks, 3 nodes, 4 ranks per node, blocks of 300 bytes
algorithm  parlogna radix=2 batch_size=11 metadata=separate

rank 5 (node 1, local rank 1)
  agreement about sizes
    barrier  of the node
    wait     for  rank  4  node 1
  before the rounds
    copy                            1 block    300 bytes
  round 1 of 4
    lengths  from rank  6  node 1               24 bytes
    lengths  to   rank  4  node 1               24 bytes
    receive  from rank  6  node 1   6 blocks  1800 bytes
    copy                            6 blocks  1800 bytes
    send     to   rank  4  node 1   6 blocks  1800 bytes
    copy                            6 blocks  1800 bytes
  round 2 of 4
    lengths  from rank  7  node 1               24 bytes
    lengths  to   rank  3  node 0               24 bytes
    receive  from rank  7  node 1   6 blocks  1800 bytes
    copy                            6 blocks  1800 bytes
    send     to   rank  3  node 0   6 blocks  1800 bytes
    copy                            6 blocks  1800 bytes
  round 3 of 4
    receive  from rank  9  node 2   4 blocks  1200 bytes
    copy                            4 blocks  1200 bytes
    send     to   rank  1  node 0   4 blocks  1200 bytes
    copy                            4 blocks  1200 bytes
  round 4 of 4
    receive  from rank  1  node 0   4 blocks  1200 bytes
    copy                            4 blocks  1200 bytes
    send     to   rank  9  node 2   4 blocks  1200 bytes
    copy                            4 blocks  1200 bytes
total      rank 5: 4 rounds, sends 6 messages with 20 blocks, 6048 bytes
           rank 5: copies 41 blocks, 1 barrier of the node
END
tests=$((tests + 1))
cmp -s expected out || fail "another text than expected: $(diff expected out)"
code 0 "$shunt" schedule --algorithm bruck-basic --op alltoall --ranks 6 --rank 3
line out 'call       alltoall, 6 ranks, 1 node, 6 ranks per node, blocks of 1 byte'
tests=$((tests + 1))
sed -n '/^rank 3 /,/^    receive/p' out | cut -c 1-24 >beginning
cat >expected <<'END'
rank 3 (node 0, local ra
  before the rounds
    copy                
  round 1 of 3
    receive  from rank 2
END
cmp -s expected beginning || fail "another beginning than expected"
code 0 "$shunt" schedule --algorithm node-pair:leaders=2 --op alltoallv --layout 2,4,3 --rank all
tests=$((tests + 1))
[ "$(grep -c '^rank [0-8] ' out)" -eq 9 ] || fail "not one schedule for each of 9 ranks"
line out 'agreement  goes with the blocks: no messages of its own'
# Blocks of different sizes. In the first round rank 1 gets 20 bytes of its own and 40 to pass on,
# with a byte of bits and one of length before them; for its own empty block to pass on, a byte of
# bits goes out. In the second it passes the 40 on and gets 1 from rank 0.
printf '9 1 2 3\n0 5 0 0\n100 20 30 40\n0 0 0 0\n' >four
code 0 "$shunt" schedule --algorithm parlogna:radix=2 --op alltoallv --ranks 4 --counts four \
    --rank 1
line out 'call       alltoallv, 4 ranks, 1 node, 4 ranks per node, blocks of up to 100 bytes from four'
line out '    receive  from rank 2  2 blocks  62 bytes'
line out '    send     to   rank 0  2 blocks   1 bytes'
line out '    receive  from rank 3  2 blocks   1 bytes'
line out '    send     to   rank 3  2 blocks  40 bytes'
line out 'total      rank 1: 2 rounds, sends 2 messages with 4 blocks, 41 bytes'
code 0 "$shunt" schedule --algorithm pairwise --op alltoallv --ranks 4 --counts four --rank 2
line out 'total      rank 2: 3 rounds, sends 3 messages with 3 blocks, 160 bytes'
tests=$((tests + 1))
[ "$(grep -c receive out)" -eq 1 ] || fail "receives empty blocks"
# The barrier of the agreement is not that before the reads.
code 0 "$shunt" schedule --algorithm peer-read --op alltoallv --ranks 3 --block 16 --rank 1
cat >expected <<'END'

rank 1 (node 0, local rank 1)
  agreement about sizes
    barrier  of the node
  before the rounds
    barrier  of the node
  reads
    copy                  1 block   16 bytes
    read     from rank 2  1 block   16 bytes
    read     from rank 0  1 block   16 bytes
  after the rounds
    barrier  of the node
total      rank 1: 0 rounds, sends 0 messages with 0 blocks, 0 bytes
           rank 1: copies 1 block, reads 2 from neighbours, 3 barriers of the node
END
tests=$((tests + 1))
sed 1,2d out | cmp -s expected - || fail "another text than expected"
# Columns: all numbers of bytes end in the same place of a rank's lines.
while read -r call; do
    # shellcheck disable=SC2086 # words
    code 0 "$shunt" schedule --op alltoall --algorithm $call
    tests=$((tests + 1))
    awk '/^rank/ { at = 0 } /^    .* bytes$/ { n++; if (at && length($0) != at) exit 1; at = length($0) } END { if (n < 3) exit 1 }' out ||
        fail "$call: columns are not aligned"
done <<'END'
scattered:batch_size=5 --ranks 30 --ppn 10 --block 7
parlinna-staggered --layout 1,3,8 --block 1K --rank all
bruck:radix=3x5 --ranks 120 --block 10
bruck-modified --ranks 11 --block 100
END

# What it refuses: one line, nothing on stdout.
refused() {
    said=$1
    shift
    code 2 "$shunt" schedule "$@"
    empty out
    tests=$((tests + 1))
    [ "$(wc -l <err)" -eq 1 ] || fail "not one line"
    line err "$said"
}
see='; see "shunt schedule --help"'
refused "shunt: native has no schedule of ours: its messages are the MPI library's own; \"shunt algorithms\" lists others" \
    --algorithm native --op alltoall --ranks 8
refused "shunt: padded-alltoall has no schedule of ours: its messages are the MPI library's own; \"shunt algorithms\" lists others" \
    --algorithm padded-alltoall --op alltoallv --ranks 8
refused 'shunt: exclusive-or cannot serve this layout: the number of ranks is not a power of two; "shunt algorithms --long" tells when to use which' \
    --algorithm exclusive-or --op alltoall --ranks 9
refused 'shunt: shared-segment cannot serve this layout: the ranks are not all on one node; "shunt algorithms --long" tells when to use which' \
    --algorithm shared-segment --op alltoall --ranks 8 --nodes 2
refused 'shunt: bruck does not take this call: needs 121 KiB, cap is 1 KiB; give it more by --memory, or smaller blocks by --block' \
    --algorithm bruck --op alltoall --ranks 64 --block 1K --memory 1K
code 0 "$shunt" schedule --algorithm bruck --op alltoall --ranks 64 --block 1K --memory 121K
refused "shunt schedule: --algorithm: alltoall: unknown algorithm \"bruk\" (did you mean \"bruck\"?)$see" --algorithm bruk --op alltoall --ranks 9
refused "shunt schedule: --algorithm: alltoallv: algorithm \"bruck\" does not serve alltoallv$see" \
    --algorithm bruck --op alltoallv --ranks 9
refused "shunt schedule: --algorithm: alltoall: unknown parameter \"radx\" (did you mean \"radix\"?)$see" \
    --algorithm bruck:radx=2 --op alltoall --ranks 9
refused "shunt schedule: --algorithm: \"bruck,alltoallv=parlogna\" is more than one algorithm$see" \
    --algorithm bruck,alltoallv=parlogna --op alltoall --ranks 9
refused "shunt schedule: --algorithm is missing$see" --op alltoall --ranks 9
refused "shunt schedule: --op is missing$see" --algorithm bruck --ranks 9
refused "shunt schedule: give two of --ranks, --nodes and --ppn, or --layout$see" --algorithm \
    bruck --op alltoall
refused "shunt schedule: --rank: there is no rank 9 among 9$see" --algorithm bruck --op alltoall \
    --ranks 9 --rank 9
refused "shunt schedule: --rank: \"any\" is not a number from 0 to 16777215, or \"all\"$see" --algorithm bruck \
    --op alltoall --ranks 9 --rank any
refused "shunt schedule: \"site.cfg\" is one word too many$see" --algorithm bruck --op alltoall \
    --ranks 9 site.cfg
refused "shunt schedule: --csv is a form of --sweep$see" --algorithm bruck --op alltoall --ranks 9 \
    --csv
refused "shunt schedule: --moves goes with --json$see" --algorithm bruck --op alltoall --ranks 9 --moves
refused "shunt schedule: --sweep: \"leaders\" is not radix$see" --algorithm bruck --op alltoall \
    --ranks 9 --sweep leaders
refused "shunt schedule: --sweep: all radices are tried, so --algorithm goes without one$see" \
    --algorithm bruck:radix=3 --op alltoall --ranks 9 --sweep radix
refused "shunt schedule: --sweep: pairwise has no radix; \"shunt algorithms\" tells which have$see" \
    --algorithm pairwise --op alltoall --ranks 9 --sweep radix
refused "shunt schedule: --sweep goes without --rank=all: it is about one rank$see" \
    --algorithm bruck --op alltoall --ranks 9 --sweep radix --rank all
refused "shunt schedule: --sweep goes without --json (--csv is for programs)$see" \
    --algorithm bruck --op alltoall --ranks 9 --sweep radix --json
refused "shunt schedule: --sweep goes without --counts: it tells no bytes$see" \
    --algorithm parlogna --op alltoallv --ranks 2 --sweep radix --counts two
refused "shunt schedule: --sweep goes without --machine: it tells no times$see" \
    --algorithm bruck --op alltoall --ranks 9 --sweep radix --machine hoefler-moor-2014
refused "shunt schedule: --counts goes with --op=alltoallv and without --block$see" \
    --algorithm parlogna --op alltoall --ranks 2 --counts two
refused "shunt schedule: --counts goes with --op=alltoallv and without --block$see" \
    --algorithm parlogna --op alltoallv --ranks 2 --counts two --block 5
printf '1 2\n3 x\n' >two
refused 'shunt: --counts: two: line 2: "x" is not a number of bytes from 0 to 2147483647' \
    --algorithm parlogna --op alltoallv --ranks 2 --counts two
refused 'shunt: --counts: two: line 1: 2 numbers instead of one for each of 3 ranks' --algorithm \
    parlogna --op alltoallv --ranks 3 --counts two
code 4 "$shunt" schedule --algorithm parlogna --op alltoallv --ranks 2 --counts missing
line err 'shunt: --counts: missing cannot be read: No such file or directory'
# What is larger than the numbers can be is not read, nor what need not end: devices and pipes.
{ printf '1 2\n3 4\n' && head -c 2097152 /dev/zero | tr '\0' '\n' && echo 5 6; } >large
code 4 "$shunt" schedule --algorithm parlogna --op alltoallv --ranks 2 --counts large
line err 'shunt: --counts: large cannot be read: it is larger than the numbers of so many ranks can be'
rm large
mkfifo pipe
for endless in /dev/zero pipe; do
    code 4 timeout 20 "$shunt" schedule --algorithm parlogna --op alltoallv --ranks 2 \
        --counts "$endless"
    line err "shunt: --counts: $endless cannot be read: it is not a regular file"
done
rm pipe
# A million radices of a million ranks take days.
code 2 timeout 20 "$shunt" schedule --algorithm parlogna --op alltoallv --ranks 1000000 --sweep radix
part err '--sweep: at most 131072 ranks'
# explain keeps its own options.
code 2 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4 --rank all
code 2 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4 --algorithm bruck
code 2 "$shunt" explain --op alltoall --ranks 8 --block 4
# shellcheck disable=SC2016 # the inner shell expands it
code 4 sh -c '"$1" schedule --algorithm spread-out --op alltoall --ranks 999 >/dev/full' sh "$shunt"

# The same numbers as shunt explain has for a table of this one rule.
while read -r form rule; do
    for op in alltoall alltoallv; do
        printf 'schema = 1;\n%s = ( { algorithm = %s; } );\n' "$op" "$rule" >one.cfg
        for layout in 7 4,4,4 1,4,2; do
            for rank in 0 5; do
                code 0 "$shunt" explain --op $op --layout $layout --block 300 --rank $rank one.cfg
                sed -n '/^schedule /,/^  *rank/s/^.\{10\}//p' out >explained
                code 0 "$shunt" schedule --algorithm "$form" --op $op --layout $layout --block 300 \
                    --rank $rank
                sed -n '/^total /,$s/^.\{10\}//p' out >scheduled
                tests=$((tests + 1))
                if [ "$(wc -l <explained)" -ne 2 ] || ! cmp -s explained scheduled; then
                    fail "$op $form on $layout, rank $rank: explain says $(cat explained)"
                fi
            done
        done
    done
done <<'END'
parlogna "parlogna"
parlogna:radix=3:metadata=separate:batch_size=1 "parlogna"; radix = 3; metadata = "separate"; batch_size = 1
parlinna-coalesced "parlinna-coalesced"
parlinna-staggered:radix=3 "parlinna-staggered"; radix = 3
parlinna-shared "parlinna-shared"
parlinna-shared:batch_size=1:parts=2 "parlinna-shared"; batch_size = 1; parts = 2
node-pair:leaders=2:fragment=1K "node-pair"; leaders = 2; fragment = "1K"
node-bruck:radix=2 "node-bruck"; radix = 2
two-phase-bruck "two-phase-bruck"
sloav "sloav"
padded-bruck:radix=3 "padded-bruck"; radix = 3
scattered:batch_size=2 "scattered"; batch_size = 2
pairwise "pairwise"
END

# The table of radices, against Fan and Kumar's formulas: K = w (r-1) - floor((r^w - P) / r^(w-1)),
# and for every step a number of blocks. Independently of these, by counting: each block travels
# once for every digit of its offset that is not 0.
cat >formulas.awk <<'END'
BEGIN {
    for (r = 2; r <= P; r++) {
        w = 1
        for (power = r; power < P; power *= r)
            w++
        K = w * (r - 1) - int((power - P) / (power / r))
        D = steps = counted = 0
        for (q = 1; q < P; q *= r)
            for (z = 1; z < r && z * q < P; z++) {
                lc = int(P / (q * r)) * q
                t = P % (q * r) - z * q
                D += t <= 0 ? lc : int(t / q) > 0 ? lc + q : lc + t % q
                steps++
            }
        for (o = 1; o < P; o++)
            for (rest = o; rest > 0; rest = int(rest / r))
                counted += rest % r != 0
        if (counted != D || steps != K)
            print "the formulas differ for P = " P ", r = " r
        print r "," K "," K "," D
    }
}
END
for ranks in 2 3 4 5 6 7 8 9 12 16 17 25 27 31 64 100 243 250; do
    { echo radix,rounds,messages,blocks && awk -v P=$ranks -f formulas.awk; } >expected
    for algorithm in bruck bruck-basic bruck-modified parlogna:batch_size=1; do
        code 0 "$shunt" schedule --algorithm $algorithm --op alltoall --ranks $ranks --sweep radix \
            --csv --rank $((ranks / 2))
        tests=$((tests + 1))
        cmp -s expected out || fail "$algorithm on $ranks ranks: $(diff expected out | head -n 4)"
    done
done
# Figure 1: three steps with radix 2 of 6 ranks, five with radix 5. Its caption has five with radix
# 4 too; equation 2 says four.
code 0 "$shunt" schedule --algorithm bruck --op alltoall --ranks 6 --sweep radix --csv
line out 2,3,3,7
line out 4,4,4,6
line out 5,5,5,5
# The same table for people.
code 0 "$shunt" schedule --algorithm bruck --op alltoall --ranks 100 --sweep radix
line out 'algorithm  bruck, rank 0'
tests=$((tests + 1))
awk 'NR > 3 && length($0) != 54 { exit 1 }' out || fail "the table is not aligned"
sed '1,4d; s/  */,/g; s/^,//' out >table
code 0 "$shunt" schedule --algorithm bruck --op alltoall --ranks 100 --sweep radix --csv
sed 1d out >csv
tests=$((tests + 1))
if [ "$(wc -l <csv)" -ne 99 ] || ! cmp -s table csv; then fail \
    "the table for people has other numbers"; fi
# Radices of a node, and of nodes.
code 0 "$shunt" schedule --algorithm parlinna-coalesced --op alltoallv --nodes 3 --ppn 5 --sweep \
    radix --csv
tests=$((tests + 1))
[ "$(sed 's/,.*//' out | tr '\n' ' ')" = 'radix 2 3 4 5 ' ] \
    || fail "not the radices of a node of 5 ranks"
code 0 "$shunt" schedule --algorithm node-bruck --op alltoallv --nodes 7 --ppn 2 --sweep radix --csv
tests=$((tests + 1))
[ "$(sed 's/,.*//' out | tr '\n' ' ')" = 'radix 2 3 4 5 6 7 ' ] || fail "not the radices of 7 nodes"
finish_checks
