# SPDX-License-Identifier: BSD-3-Clause
# total.awk: how many rows of results.csv have which verdict, and how near the model is to numbers that
# descriptions were not fitted to, for people.
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
field[column["use"]] == "held out" {
    held++
    ours = times(field[column["ours"]])
    paper = times(field[column["number"]])
    near += ours > 0 && ours / paper <= 1.5 && paper / ours <= 1.5
}
END {
    for (claim in claims)
        all++
    printf "%d claims, %d rows:", all, rows
    split("reproduced;exceeded;partly;not reproduced;not clear;not measured", order, ";")
    for (i = 1; i <= 6; i++)
        printf "%s %d %s", (i > 1) ? "," : "", count[order[i]], order[i]
    print ""
    if (held)
        printf "%d numbers that descriptions are not fitted to: %d predicted within a factor of 1.5 (%d %%)\n", \
            held, near, 100 * near / held
}

# "57 %" less, as how many times as fast; other numbers as they are.
function times(text) {
    return field[column["unit"]] == "%" ? 1 / (1 - text / 100) : text + 0
}
