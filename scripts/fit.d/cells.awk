# SPDX-License-Identifier: BSD-3-Clause
# cells.awk: files of tests/bench/processor-per-rank to figures for main.c: what native and every setting
# took in a case. The first, the third, the fifth case and so on of each file are fitted, the others held
# out. Nodes that differ, and ranks dealt to nodes in turn, are left out.

function figure(algorithms, us) {
    printf "%s %s %s %s|%s\t%s\t%s\t%d\t%d\t%d\t%s\t-\t%.6g\n", file, $1, $2, $3, algorithms, \
        odd ? "fitted" : "held out", $2, nodes, ppn, block, algorithms, us * 1e-6
}

BEGIN { FS = "," }
/^#/ { next }
$1 == "layout" { # a file begins
    file++
    cases = 0
    # The files say whether sizes are spread between 0 and the block: then half of it is their mean.
    equal = FILENAME ~ /hosts-2/
    next
}
$1 !~ /^([0-9]+x)?[0-9]+$/ { next }
{
    nodes = $1 ~ /x/ ? $1 + 0 : 1
    ppn = $1
    sub(/.*x/, "", ppn)
    block = $2 == "alltoallv" && !equal ? $3 / 2 : $3
}
$1 "," $2 "," $3 != last {
    last = $1 "," $2 "," $3
    odd = ++cases % 2
    figure("native", $5)
}
{ figure($6, $5 / $7) }
