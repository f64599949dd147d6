# SPDX-License-Identifier: BSD-3-Clause
# formulas.awk: closed forms of Hoefler and Moor (paper 004, tables 1 and 2, figure 5), by themselves and
# beside what the model says; and what else takes several lines of times.csv. Prints facts: claim, source,
# machine, condition, value, own.

function say(claim, source, machine, condition, value) {
    printf "%s,%s,%s,%s,%.6g,\n", claim, source, machine, csv_quote(condition), value
}

# The constants of figure 5: microseconds, nanoseconds per byte, watt, pJ, nJ per byte, bytes.
BEGIN {
    L = 6e-6; o = 4.7e-6; G = 0.73e-9; power = 0.5; e = 16.5e-12; E = 8.1e-9; d = 32
}

function lg(P) {
    return log(P) / log(2)
}

# Personalised trees for one root, table 1.
function flat(P, s) {
    return L + o * P + s * G * (P - 1)
}
function binomial(P, s) {
    return (2 * o + L) * lg(P) + s * G * (P - 1)
}

# Allreduce of 8 bytes: butterfly, and up and down two trees, table 2. Time in seconds.
function butterfly_time(P, s) { return (L + 2 * o + s * G) * lg(P) }
function binomial_time(P, s) { return 2 * (L + 2 * o + s * G) * lg(P) }
function binary_time(P, s) { return 2 * (L + 2 * o + 2 * s * G + o) * int(lg(P) + 1e-9) }
function butterfly_energy(P, s) {
    return power * butterfly_time(P, s) + P * lg(P) * (e + s * E)
}
function binomial_energy(P, s) {
    return power * binomial_time(P, s) + 2 * (P - 1) * (e + s * E)
}
# Descriptors of the rank that sends most: a 2-ary tree sends to two children, and to the parent.
function binary_memory(P) { return (P > 3 ? 2 + 1 : 2) * d }

NR == 1 {
    csv_head($0, column)
    next
}
{
    csv_split($0, field)
    machine = field[column["machine"]]
    ranks = field[column["ranks"]]
    key = field[column["source"]] SUBSEP machine
    block = field[column["block"]]
    name = field[column["algorithm"]]
    parameters = field[column["parameters"]]
    time = field[column["time_us"]]
}
machine == "hoefler-moor-2014" && ranks == 1024 && block == 8 {
    any = 1
    energy = field[column["energy_j"]]
    memory = field[column["descriptors"]]
    label = name " " parameters
    if (least_time == "" || time + 0 < least_time) { least_time = time + 0; first = label }
    if (least_energy == "" || energy + 0 < least_energy) { least_energy = energy + 0; second = label }
    if (least_memory == "" || memory + 0 < least_memory) { least_memory = memory + 0; third = label }
    if (name == "spread-out") {
        say("004-03", "model", machine, "P = 1024", time / 1e6 / (ranks * (o + block * G)))
        say("004-05", "model", machine, "P = 1024", field[column["messages"]] / (ranks * ranks))
        say("004-07", "model", machine, "P = 1024", memory / (ranks * d))
    }
    if (name == "bruck" && parameters == "radix=2") {
        say("004-04", "model", machine, "P = 1024",
            time / 1e6 / (lg(ranks) * (2 * o + L) + block * G * ranks))
        say("004-06", "model", machine, "P = 1024", field[column["messages"]] / (ranks * lg(ranks)))
        say("004-08", "model", machine, "P = 1024", memory / (d * lg(ranks)))
    }
}
# The share of both rotations of the basic algorithm, at the most and the fewest ranks.
name == "bruck-basic" && block == 32 && field[column["prepare_us"]] != "" {
    sum = 0
    for (i = column["agreement_us"]; i <= column["other_us"]; i++)
        sum += field[i]
    # Hosts of 4 and of 16 ranks are one series: the same kind of machine with more of it.
    kind = field[column["source"]]
    share = (field[column["prepare_us"]] + field[column["rearrange_us"]]) / sum
    if (!(kind in few) || ranks + 0 < few[kind]) { few[kind] = ranks + 0; low[kind] = share }
    if (ranks + 0 > many[kind]) { many[kind] = ranks + 0; high[kind] = share }
}
END {
    for (kind in few)
        if (many[kind] > few[kind] && low[kind] > 0)
            say("000-11", kind, "", few[kind] " to " many[kind] " ranks", high[kind] / low[kind])
    say("004-01", "formula", "", "P = 4, 64 KiB", binomial(4, 65536) / flat(4, 65536))
    say("004-02", "formula", "", "P = 1024, 8 B", flat(1024, 8) / binomial(1024, 8))
    say("004-11", "formula", "", "P = 1024, 8 B", binomial_time(1024, 8) / butterfly_time(1024, 8))
    say("004-12", "formula", "", "P = 1024, 8 B", binary_time(1024, 8) / binomial_time(1024, 8))
    say("004-13", "formula", "", "P = 1024, 8 B", butterfly_energy(1024, 8) / binomial_energy(1024, 8))
    say("004-14", "formula", "", "P = 4, 8 B", binomial_energy(4, 8) / butterfly_energy(4, 8))
    say("004-15", "formula", "", "P = 8 and 1024", binary_memory(1024) / binary_memory(8))
    if (any)
        say("004-16", "model", "hoefler-moor-2014", "P = 1024: " first "; " second "; " third,
            1 + (second != first) + (third != first && third != second))
}
