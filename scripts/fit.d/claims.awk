# SPDX-License-Identifier: BSD-3-Clause
# claims.awk: claims.csv to the figures of a machine for scripts/fit.d/main.c, of the numbers that are
# about one call with blocks of one size, or with sizes of which the mean stands for all.
# Variables: machine, "polaris"; radices, linna and batches of settings.sh.

function list_of(pattern,    part, words, i, text) {
    if (pattern == "")
        return "-"
    words = split(pattern, part, ";")
    text = part[1]
    if (text == "scattered")
        text = text ":batch_size=" batches
    else if (text == "parlogna")
        text = text ":radix=" radices ":batch_size=1"
    else if (text ~ /^parlinna/)
        text = text ":" linna
    for (i = 2; i <= words; i++)
        text = text ":" (part[i] == "sqrt" ? "radix=sqrt(P)" : part[i])
    return text
}

FNR == 1 { next }
{
    csv_split($0, claim)
    split("", test)
    split(claim[11], test, " ")
    use = half_of(claim, test)
    words = split(claim[10], word, " ")
    if (use == "" || half_machine(claim, test) != machine || word[1] !~ /^(gain|percent|ms)$/ ||
        claim[8] !~ /constant|mean/)
        next
    ppn = machine == "theta" ? 64 : 32
    number = word[1] == "percent" ? 1 / (1 - test[2] / 100) : word[1] == "ms" ? test[2] / 1000 : test[2]
    printf "%s %s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%.6g\n", claim[1], claim[4], use, claim[6], claim[9] / ppn, ppn, \
        claim[8] ~ /mean/ ? claim[7] / 2 : claim[7], list_of(word[2]), list_of(word[3]), number
}
