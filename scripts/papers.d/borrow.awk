# SPDX-License-Identifier: BSD-3-Clause
# borrow.awk: times.csv to the cells that were simulated without native, which SMPI is too slow for where
# ranks are many, each with what the model has of the libraries' direct exchanges for the same question on
# the same machine. The source of these lines says so, and they are no part of times.csv: figures are drawn of
# one source each.
FNR == 1 {
    csv_head($0, column)
    print
    next
}
{
    csv_split($0, field)
    cell = field[2] SUBSEP field[3] SUBSEP field[4] SUBSEP field[5] SUBSEP field[6]
    rest = substr($0, length(field[1]) + 1)
    if (field[1] == "model" && field[8] ~ /^(native|scattered)$/)
        direct[cell] = direct[cell] "simulation/model" rest "\n"
    if (field[1] != "simulation")
        next
    if (!(cell in simulated))
        order[++cells] = cell
    simulated[cell] = simulated[cell] "simulation/model" rest "\n"
    own[cell] = own[cell] || field[8] == "native"
}
END {
    for (c = 1; c <= cells; c++)
        if (!own[order[c]] && order[c] in direct)
            printf "%s%s", direct[order[c]], simulated[order[c]]
}
