# SPDX-License-Identifier: BSD-3-Clause
# total.awk: how many rows of results.csv have which verdict, for people.
NR == 1 {
    csv_head($0, column)
    next
}
{
    csv_split($0, field)
    count[field[column["verdict"]]]++
    rows++
    claims[field[column["claim"]]]
}
END {
    for (claim in claims)
        all++
    printf "%d claims, %d rows:", all, rows
    split("reproduced;exceeded;partly;not reproduced;not clear;not measured", order, ";")
    for (i = 1; i <= 6; i++)
        printf "%s %d %s", (i > 1) ? "," : "", count[order[i]], order[i]
    print ""
}
