# SPDX-License-Identifier: BSD-3-Clause
# halves.awk: which of the papers' numbers the descriptions of machines were fitted to (scripts/fit), by
# a rule that looks at no result: times of calls are, and of the ratios of one call with blocks of
# one size, or sizes of which the mean is asked about, the first, the third, the fifth and so on of each
# machine, in the order of claims.csv. All other numbers are held out.

# The machine that a claim's number is of: "polaris", "fugaku", "theta"; "": it has none, or is of no
# machine. claim: its fields; test: words of its test.
function half_machine(claim, test) {
    if (test[1] !~ /^(times|percent|ms)$/ || claim[10] == "fact")
        return ""
    return test[3] != "" ? test[3] : claim[2] ~ /^00[01]$/ ? "theta" : ""
}

# "fitted", "held out" or "". To be called once for each claim, in their order.
function half_of(claim, test,    machine, measure) {
    machine = half_machine(claim, test)
    if (machine == "")
        return ""
    split(claim[10], measure, " ")
    if (measure[1] == "ms")
        return "fitted"
    if (measure[1] !~ /^(gain|percent)$/ || claim[7] !~ /^[0-9]+$/ || claim[9] !~ /^[0-9]+$/ ||
        claim[8] !~ /constant|mean/)
        return "held out"
    return half_count[machine]++ % 2 == 0 ? "fitted" : "held out"
}
