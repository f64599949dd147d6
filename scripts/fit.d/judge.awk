# SPDX-License-Identifier: BSD-3-Clause
# judge.awk: what main.c prints, for people. Variable: cells, 1 where figures are settings in cases, whose
# names are the case and the setting with a | between.
BEGIN { FS = "\t" }
NF == 2 {
    if (!keys++)
        print "fitted"
    printf "  %-26s %s\n", $1, $2
    next
}
{
    uses = $2
    factor = $4 > 0 ? ($4 > $3 ? $4 / $3 : $3 / $4) : 1000
    count[uses]++
    within[uses] += factor <= 1.5
    error[uses, count[uses]] = $4 > $3 ? $4 / $3 - 1 : 1 - $4 / $3
}
!cells {
    if (!shown++)
        printf "%s%-70s %-8s %9s %9s %7s\n", keys ? "\n" : "", "figure", "use", "measured", "predicted", "factor"
    printf "%-70s %-8s %9.4g %9.4g %7.2f\n", substr($1, 1, 70), $2, $3, $4, factor
}
cells {
    name = $1
    sub(/\|.*/, "", name)
    if (!(name in best)) {
        order[++cases] = name
        use_of[name] = uses
    }
    if (!(name in best) || $3 < best[name])
        best[name] = $3
    if (!(name in guess) || $4 < guess[name]) {
        guess[name] = $4
        taken[name] = $3
    }
}
END {
    for (c = 1; c <= cases; c++) {
        cases_of[use_of[order[c]]]++
        good[use_of[order[c]]] += taken[order[c]] <= 1.1 * best[order[c]]
    }
    print ""
    report("fitted")
    report("held out")
}

function report(use,    i, j, t, n) {
    n = count[use]
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && error[use, j - 1] > error[use, j]; j--) {
            t = error[use, j]; error[use, j] = error[use, j - 1]; error[use, j - 1] = t
        }
    if (!n)
        return
    printf "%s: %d figures, median error %.0f %%, %d within a factor of 1.5 (%.0f %%)", use, n, \
        100 * error[use, int((n + 1) / 2)], within[use], 100 * within[use] / n
    if (cells)
        printf "; of %d cases the predicted winner is within 10 %% of the best in %d (%.0f %%)", cases_of[use], \
            good[use], 100 * good[use] / cases_of[use]
    print ""
}
