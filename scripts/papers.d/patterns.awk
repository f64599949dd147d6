# SPDX-License-Identifier: BSD-3-Clause
# patterns.awk: which lines of times.csv a pattern stands for, for judge.awk and figures.awk, which fill the
# arrays line_name, line_parameters, line_radix, line_ranks and
# line_simulated.

function nearest(list, wanted,    names, count, i, best) {
    count = split(list, names, " ")
    best = names[1]
    for (i = 2; i <= count; i++)
        if (distance(names[i], wanted) < distance(best, wanted))
            best = names[i]
    return best + 0
}

function distance(a, b) {
    a = log(a / b)
    return a < 0 ? -a : a
}

# Whether line i fits one of the patterns.
function fits(i, pattern,    some, count, words, k, j, good) {
    count = split(pattern, some, "|")
    for (k = 1; k <= count; k++) {
        good = split(some[k], words, ";")
        if (words[1] != line_name[i])
            continue
        for (j = 2; j <= good; j++) {
            if (words[j] == "sqrt") {
                if (line_radix[i] != root(line_ranks[i]) && !(line_radix[i] == 22 && line_ranks[i] == 512))
                    break
            } else if (words[j] == "metadata=separate" && line_simulated[i] && line_parameters[i] !~ /metadata=/) {
                continue # simulated with the preset: lengths go with the data
            } else if (index(" " line_parameters[i] " ", " " words[j] " ") == 0) {
                break
            }
        }
        if (j > good)
            return 1
    }
    return 0
}

function root(P,    r) {
    for (r = 1; r * r < P; r++)
        ;
    return r
}

function parameter(i, name,    words, count, k) {
    count = split(line_parameters[i], words, " ")
    for (k = 1; k <= count; k++)
        if (index(words[k], name "=") == 1)
            return substr(words[k], length(name) + 2) + 0
    return 0
}

# Whether a described machine is one of those of the paper. What is measured here suits all but paper
# 004, which is a model.
function suits(source, machine, paper) {
    if (source != "model" && source !~ /^simulation/)
        return paper != "004"
    if (paper == "004")
        return machine ~ /^hoefler-moor/
    return paper == "002" ? machine ~ /^(polaris|fugaku)/ : machine ~ /^theta/
}

# The time of a line that was measured, as if all runs of the cell had taken native as long as the first
# one did: figures of separate runs cannot be compared as they are. The native line of a run comes
# before the others.
function same_scale(cell, source, name, time) {
    if (source != "node" && source != "hosts")
        return time
    if (name == "native") {
        if (!(cell in first_native))
            first_native[cell] = time
        run_native[cell] = time
    }
    return run_native[cell] > 0 ? time * first_native[cell] / run_native[cell] : time
}
