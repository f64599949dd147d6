# SPDX-License-Identifier: BSD-3-Clause
# judge.awk: facts.csv, times.csv and claims.csv to one row for each claim and source that has figures of
# it, with a verdict that is made of the two numbers alone. Variables: only, the papers asked for;
# file, 1, 2 and 3 before each of them, as the first may be empty.
#
# A measure is a word and patterns of candidates; a pattern is a name with parameters after semicolons,
# and several of them with | between; of several candidates that fit, the fastest counts.
#   gain X Y      time of Y over that of X, at the ranks nearest to the claim's
#   percent X Y   by how much X takes less than Y
#   share X Y..   share of sizes and ranks where X is as fast as each Y; slowest: as slow
#   most X Y      largest gain of all; worst: least gain
#   radix X       of the fastest; inner: 1 where it is neither the least nor the largest there is
#   trend F X     parameter F of the fastest at the largest block over that at the least; ptrend: of ranks
#   winning X Y   share of the settings of X faster than Y, at the least over that at the largest block
#   sequence X..  share of the steps from block to block where the winner does not go back in this list
#   parts F X Y   sum of the parts F of the time of X over that of Y, mean of sizes and ranks
#   count F X Y   column F of X over that of Y
#   ms X          time of X in milliseconds, at exactly the claim's ranks
#   fact          a line of facts.csv

# Whether `value` is in "16", "16-128", "128-" or "all".
function within(value, range,    ends) {
    if (range == "all")
        return 1
    if (range !~ /-/)
        return value == range + 0
    split(range, ends, "-")
    return value >= ends[1] + 0 && (ends[2] == "" || value <= ends[2] + 0)
}

# The fastest line of a cell that fits; 0: none.
function best(cell, pattern,    names, count, i, found) {
    count = split(cell_lines[cell], names, " ")
    for (i = 1; i <= count; i++)
        if (fits(names[i], pattern) && (!found || line_time[names[i]] < line_time[found]))
            found = names[i]
    return found + 0
}

file == 1 {
    csv_split($0, field)
    facts[field[1]]++
    k = field[1] SUBSEP facts[field[1]]
    fact_source[k] = field[2]
    fact_machine[k] = field[3]
    fact_condition[k] = field[4]
    fact_value[k] = field[5]
    fact_own[k] = field[6]
    next
}
file == 2 && FNR == 1 {
    csv_head($0, column)
    next
}
file == 2 {
    csv_split($0, field)
    i = ++lines
    group = field[1] SUBSEP field[2]
    if (!(group in known)) {
        known[group]
        groups[++group_count] = group
    }
    cell = group SUBSEP field[3] SUBSEP field[4] SUBSEP field[5] SUBSEP field[6]
    if (!(cell in cell_lines)) {
        cell_of[++cells] = cell
        cell_group[cell] = group
        cell_kind[cell] = field[3] SUBSEP field[4]
        cell_block[cell] = field[5] + 0
        cell_ranks[cell] = field[6] + 0
        cell_nodes[cell] = field[7]
    }
    cell_lines[cell] = cell_lines[cell] " " i
    line_name[i] = field[8]
    line_parameters[i] = field[9]
    line_ranks[i] = field[6]
    line_time[i] = same_scale(cell, field[1], field[8], field[10] + 0)
    # The 95 % interval of what was measured, as a part of the median.
    line_low[i] = field[10] > 0 && field[11] != "" ? field[11] / field[10] : 1
    line_high[i] = field[10] > 0 && field[12] != "" ? field[12] / field[10] : 1
    line_text[i] = $0
    line_radix[i] = parameter(i, "radix")
    line_simulated[i] = field[1] ~ /^simulation/
    next
}
FNR == 1 {
    csv_head($0, claim_column)
    print "claim,paper,place,what,number,ours,unit,source,machine,condition,own,verdict,use,why,command"
    next
}
{
    csv_split($0, claim)
    split("", test)
    split(claim[11], test, " ")
    use = half_of(claim, test)
    if (only != "" && index(" " only " ", " " claim[2] " ") == 0)
        next
    if (claim[10] == "fact")
        judge_facts()
    else
        judge_times()
}

function judge_facts(    n, k) {
    for (n = 1; n <= facts[claim[1]]; n++) {
        k = claim[1] SUBSEP n
        row(fact_value[k], fact_source[k], fact_machine[k], fact_condition[k], fact_own[k])
    }
    if (!facts[claim[1]])
        nothing()
}

# The cells of a group that the claim is about, the distribution that comes first where both are there.
function choose(group,    wanted, count, d, c, cell, list, all) {
    chosen_count = 0
    ranks_of = ""
    count = split(claim[8], wanted, "|")
    for (c = 1; c <= cells; c++) {
        cell = cell_of[c]
        if (cell_group[cell] != group)
            continue
        for (d = 1; d <= count; d++)
            if (cell_kind[cell] == claim[6] SUBSEP wanted[d])
                break
        if (d > count || !within(cell_block[cell], claim[7]) || !best(cell, left_pattern))
            continue
        if (claim[9] ~ /-/ && source_of(group) !~ /^(node|hosts)/ && !within(cell_ranks[cell], claim[9]))
            continue
        if (right_pattern != "" && !best(cell, right_pattern))
            continue
        if (index(" " ranks_of " ", " " cell_ranks[cell] " ") == 0)
            ranks_of = ranks_of (ranks_of == "" ? "" : " ") cell_ranks[cell]
        chosen[++chosen_count] = cell
    }
    if (claim[9] ~ /^[0-9]+$/ && chosen_count > 0)
        keep(nearest(ranks_of, claim[9]))
}

function keep(ranks,    n, kept) {
    for (n = 1; n <= chosen_count; n++)
        if (cell_ranks[chosen[n]] == ranks)
            chosen[++kept] = chosen[n]
    chosen_count = kept
}

function source_of(group,    parts) {
    split(group, parts, SUBSEP)
    return parts[1]
}

function machine_of(group,    parts) {
    split(group, parts, SUBSEP)
    return parts[2]
}

function judge_times(    g, rows, value) {
    words = split(claim[10], word, " ")
    first_word = word[1] ~ /^(trend|ptrend|parts|count)$/ ? 3 : 2
    left_pattern = word[first_word]
    right_pattern = word[first_word + 1]
    for (g = 1; g <= group_count; g++) {
        if (!suits(source_of(groups[g]), machine_of(groups[g]), claim[2]))
            continue
        if (test[3] != "" && test[1] != "near" && source_of(groups[g]) ~ /^(model|simulation)/ &&
            index(machine_of(groups[g]), test[3]) == 0)
            continue
        if (test[1] == "ms" && source_of(groups[g]) != "model")
            continue # a time of another machine, or of a platform that is made of published numbers alone
        choose(groups[g])
        if (chosen_count == 0 || (test[1] == "ms" && cell_ranks[chosen[1]] != claim[9]))
            continue
        value = measure()
        if (value == "")
            continue
        row(value, source_of(groups[g]), machine_of(groups[g]),
            condition() simulated(source_of(groups[g])), own())
        rows++
    }
    if (!rows)
        nothing()
}

function condition(    cell, text, n, low, high) {
    cell = chosen[1]
    low = high = cell_ranks[cell]
    for (n = 2; n <= chosen_count; n++) {
        if (cell_ranks[chosen[n]] < low) low = cell_ranks[chosen[n]]
        if (cell_ranks[chosen[n]] > high) high = cell_ranks[chosen[n]]
    }
    if (low == high)
        text = low " ranks, " cell_nodes[cell] (cell_nodes[cell] == 1 ? " node" : " nodes")
    else
        text = low " to " high " ranks"
    if (chosen_count > 1)
        return text ", " chosen_count " cells"
    split(cell_kind[cell], kind, SUBSEP)
    return text ", " cell_block[cell] " B" (kind[2] == "mean" ? ", equal blocks of half that" : "") \
        (kind[2] == "constant" || kind[2] == "mean" ? "" : ", " kind[2])
}

# Whether the intervals of the two times overlap that a gain is made of: then it says nothing.
function unclear(source,    left, right) {
    if (source !~ /^(node|hosts)$/ || word[1] !~ /^(gain|percent|most|worst)$/)
        return 0
    left = best(chosen[1], left_pattern)
    right = best(chosen[1], right_pattern)
    return line_time[left] * line_high[left] >= line_time[right] * line_low[right] &&
        line_time[right] * line_high[right] >= line_time[left] * line_low[left]
}

# What simulated figures are not, beside those of the papers.
function simulated(source,    text, kind) {
    if (source !~ /^simulation/ || claim[6] != "alltoallv")
        return ""
    split(cell_kind[chosen[1]], kind, SUBSEP)
    if (kind[2] != "mean")
        text = "; sizes are the mean, the largest twice that"
    if (left_pattern ~ /metadata=separate/)
        text = text "; lengths go with the data"
    return text
}

# What the best algorithm that is ours reaches in the same cell, where the claim is against native.
function own(    i, text) {
    if (right_pattern != "native" || word[1] !~ /^(gain|percent|most)$/)
        return ""
    i = best(chosen[1], "node-pair|node-bruck|parlinna-shared|shared-segment|peer-read|parlogna;metadata=fused|parlinna-coalesced;metadata=fused")
    if (!i)
        return ""
    text = line_name[i]
    return sprintf("%.3g x (%s)", line_time[best(chosen[1], "native")] / line_time[i], text)
}

# The verdict. value: ours; what the paper says is in the test.
function verdict(value,    factor, wanted) {
    split(claim[11], test, " ")
    wanted = test[2]
    if (test[1] == "equal")
        return value == wanted + 0 ? "reproduced" : "not reproduced"
    if (test[1] == "above")
        return value > wanted + 0 ? "reproduced" : "not reproduced"
    if (test[1] == "below")
        return value < wanted + 0 ? "reproduced" : "not reproduced"
    if (test[1] == "most")
        return value >= 0.75 ? "reproduced" : value >= 0.5 ? "partly" : "not reproduced"
    if (test[1] == "near") {
        if (wanted == "sqrt") wanted = sqrt(cell_ranks[chosen[1]])
        if (wanted == "P") wanted = cell_ranks[chosen[1]]
        if (value <= 0) return "not reproduced"
        factor = value > wanted ? value / wanted : wanted / value
        return factor <= test[3] + 0 ? "reproduced" : "not reproduced"
    }
    if (test[1] == "ms") {
        factor = value > wanted ? value / wanted : wanted / value
        return factor <= 1.25 ? "reproduced" : factor <= 2 ? "partly" : "not reproduced"
    }
    # Gains: four fifths of the paper's are enough. Those in times as fast begin at 1.
    if (test[1] == "times") {
        value--
        wanted--
    }
    if (value <= 0)
        return "not reproduced"
    if (value > 1.25 * wanted)
        return "exceeded"
    return value >= 0.8 * wanted ? "reproduced" : "partly"
}

function why(source, said) {
    if (said == "reproduced" || said == "exceeded")
        return ""
    if (said == "not clear")
        return "the 95 % intervals of the two times overlap: measure on an idle machine, with more repetitions"
    if (claim[12] != "" && (source == "model" || claim[12] !~ /^The model/))
        return claim[12]
    if (source == "node")
        return "one node with more ranks than processors: times are turns of processors and copies, not a network"
    if (source == "hosts")
        return "hosts share the processors of one machine, and TCP between them costs far more processor time than a fast network"
    if (source == "model" && use == "fitted")
        return "the description is fitted to this and to other numbers, between which it lies (scripts/fit)"
    if (source == "model")
        return "the description is fitted to a few of the papers' numbers (scripts/fit), not to this one, and knows nothing of what the vendor's library does inside"
    if (source == "simulation" && claim[10] == "fact")
        return "fewer ranks and another graph than the paper has; native is MPICH's selection"
    if (source == "simulation" && claim[10] ~ / (native|scattered)/ && claim[9] + 0 > cell_ranks[chosen[1]])
        return "fewer ranks than the paper has: the libraries' direct exchanges among more take the simulator too long (scripts/simulate.d/README.md)"
    if (source ~ /^simulation/ && claim[9] + 0 > cell_ranks[chosen[1]])
        return "fewer ranks than the paper has: more take the simulator too much time or memory (scripts/simulate.d/README.md)"
    if (source == "simulation")
        return "the platform is made of published numbers, and native is MPICH's selection"
    if (source == "application")
        return "another graph, few ranks, one machine"
    return ""
}

# The unit of ours.
function unit() {
    if (claim[11] ~ /^percent/)
        return "%"
    if (claim[11] ~ /^ms/)
        return "ms"
    if (claim[11] ~ /^times/ || claim[10] ~ /^(gain|worst|most)/)
        return "x"
    return ""
}

function row(value, source, machine, condition_text, own_text,    said) {
    said = claim[10] != "fact" && unclear(source) ? "not clear" : verdict(value)
    printf "%s,%s,%s,%s,%s,%.4g,%s,%s,%s,%s,%s,%s,%s,%s,\n", claim[1], claim[2], csv_quote(claim[3]),
        csv_quote(claim[4]), csv_quote(claim[5]), value, unit(), source, machine,
        csv_quote(condition_text), csv_quote(own_text), said, source == "model" ? use : "", csv_quote(why(source, said))
}

# A claim without figures has a row too, with the command that would give some.
function nothing(    command) {
    command = "scripts/papers"
    if (claim[10] == "fact" && claim[1] ~ /^000-29|^002-4[2-5]/)
        command = "scripts/papers --part=apps"
    else if (claim[10] ~ /^parts/)
        command = "scripts/papers --part=hosts8"
    else if (claim[10] == "fact")
        command = "scripts/papers --part=hosts4 --part=hosts8"
    printf "%s,%s,%s,%s,%s,,,,,,,not measured,,,%s\n", claim[1], claim[2], csv_quote(claim[3]),
        csv_quote(claim[4]), csv_quote(claim[5]), command
}
