# SPDX-License-Identifier: BSD-3-Clause
# measures.awk: the measures that judge.awk lists at its head, of the cells in chosen[1..chosen_count].

function gain(cell, left, right) {
    return line_time[best(cell, right)] / line_time[best(cell, left)]
}

function measure(    n, m, cell, good, all, value, one, low, high, names, count) {
    if (word[1] == "gain")
        return gain(chosen[1], left_pattern, right_pattern)
    if (word[1] == "ms")
        return line_time[best(chosen[1], left_pattern)] / 1000
    if (word[1] == "percent")
        return 100 * (1 - 1 / gain(chosen[1], left_pattern, right_pattern))
    if (word[1] == "most" || word[1] == "worst") {
        for (n = 1; n <= chosen_count; n++) {
            one = gain(chosen[n], left_pattern, right_pattern)
            if (value == "" || (word[1] == "most" ? one > value : one < value)) {
                value = one
                chosen_best = chosen[n]
            }
        }
        chosen[1] = chosen_best # the condition is that of this one
        chosen_count = 1
        return test[1] == "percent" ? 100 * (1 - 1 / value) : value
    }
    if (word[1] == "share" || word[1] == "slowest") {
        for (n = 1; n <= chosen_count; n++) {
            good++
            for (m = first_word + 1; m <= words; m++) {
                if (!best(chosen[n], word[m]))
                    continue
                one = gain(chosen[n], left_pattern, word[m])
                if (word[1] == "share" && one < 1 || word[1] == "slowest" && one > 1) {
                    good--
                    break
                }
            }
        }
        return good / chosen_count
    }
    # Where there is little to choose from, what was chosen says nothing.
    if (word[1] ~ /^(radix|inner|winning)$/ && choices(chosen[1], "radix") < 3)
        return ""
    if (word[1] ~ /^p?trend$/ && choices(chosen[1], word[2]) < 3)
        return ""
    if (word[1] == "radix")
        return parameter(best(chosen[1], left_pattern), "radix")
    if (word[1] == "inner")
        return inner(chosen[1])
    if (word[1] == "trend" || word[1] == "ptrend")
        return trend(word[1] == "ptrend")
    if (word[1] == "winning")
        return winning()
    if (word[1] == "sequence")
        return sequence()
    if (word[1] == "count") {
        one = cell_value(best(chosen[1], left_pattern), word[2])
        all = cell_value(best(chosen[1], right_pattern), word[2])
        return one == "" || all == "" || all == 0 ? "" : one / all
    }
    if (word[1] == "parts") {
        for (n = 1; n <= chosen_count; n++) {
            one = cell_value(best(chosen[n], left_pattern), word[2])
            all = cell_value(best(chosen[n], right_pattern), word[2])
            if (one == "" || all == "")
                continue
            low += one
            high += all
        }
        return low == "" ? "" : low / (high > 0 ? high : 0.001)
    }
    print "judge.awk: " claim[1] ": \"" word[1] "\" is no measure" >"/dev/stderr"
    exit 1
}

# Sum of columns with + between; empty where one is.
function cell_value(i, names,    part, count, n, sum) {
    csv_split(line_text[i], field)
    count = split(names, part, "+")
    for (n = 1; n <= count; n++) {
        if (field[column[part[n]]] == "")
            return ""
        sum += field[column[part[n]]]
    }
    return sum
}

# How many different values of a parameter the lines of a cell have that fit.
function choices(cell, name,    names, count, i, seen, different) {
    count = split(cell_lines[cell], names, " ")
    for (i = 1; i <= count; i++)
        if (fits(names[i], left_pattern) && !(parameter(names[i], name) in seen)) {
            seen[parameter(names[i], name)]
            different++
        }
    return different + 0
}

function inner(cell,    names, count, i, low, high, radix) {
    count = split(cell_lines[cell], names, " ")
    for (i = 1; i <= count; i++)
        if (fits(names[i], left_pattern)) {
            radix = line_radix[names[i]]
            if (low == "" || radix < low) low = radix
            if (radix > high) high = radix
        }
    radix = line_radix[best(cell, left_pattern)]
    return (radix > low && radix < high) + 0
}

function trend(over_ranks,    n, size, low, high, small, large, wanted) {
    wanted = over_ranks ? "" : nearest(ranks_of, claim[9])
    for (n = 1; n <= chosen_count; n++) {
        size = over_ranks ? cell_ranks[chosen[n]] : cell_block[chosen[n]]
        if (low == "" || size < low) { low = size; small = chosen[n] }
        if (high == "" || size > high) { high = size; large = chosen[n] }
    }
    if (low == high)
        return ""
    return parameter(best(large, left_pattern), word[2]) / parameter(best(small, left_pattern), word[2])
}

function portion(cell,    names, count, i, all, good) {
    count = split(cell_lines[cell], names, " ")
    for (i = 1; i <= count; i++)
        if (fits(names[i], left_pattern)) {
            all++
            good += line_time[names[i]] < line_time[best(cell, right_pattern)]
        }
    return good / all
}

function winning(    n, small, large) {
    small = large = chosen[1]
    for (n = 2; n <= chosen_count; n++) {
        if (cell_block[chosen[n]] < cell_block[small]) small = chosen[n]
        if (cell_block[chosen[n]] > cell_block[large]) large = chosen[n]
    }
    if (portion(small) == 0 || small == large)
        return small == large ? "" : 0
    return portion(small) / (portion(large) > 0 ? portion(large) : 1 / 100)
}

# Cells are in the order in which they were asked for: blocks ascend, for each number of ranks.
function sequence(    n, m, place, last, steps, good, least) {
    for (n = 1; n <= chosen_count; n++) {
        place = 0
        for (m = first_word; m <= words; m++)
            if (best(chosen[n], word[m]) &&
                (!place || line_time[best(chosen[n], word[m])] < line_time[best(chosen[n], word[place])]))
                place = m
        if (n > 1 && cell_ranks[chosen[n]] == cell_ranks[chosen[n - 1]] &&
            cell_block[chosen[n]] > cell_block[chosen[n - 1]]) {
            steps++
            good += place >= last
        }
        last = place
    }
    return steps ? good / steps : ""
}
