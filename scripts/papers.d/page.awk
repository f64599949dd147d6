# SPDX-License-Identifier: BSD-3-Clause
# page.awk: results.csv and figures.csv, with a file of numbers for each figure, to the figures and
# tables that shunt view --figures takes: verdicts, for each paper its claims and figures, sources.
# Variable: folder, of the figures' numbers.

BEGIN {
    name["000"] = "Optimizing the Bruck Algorithm for Non-uniform All-to-all (Fan and others, 2022)"
    name["001"] = "Parameterized Radix-r Bruck Algorithm (Fan and Kumar)"
    name["002"] = "Parameterized Algorithms for Non-uniform All-to-all (Fan and others, 2025)"
    name["004"] = "Energy, Memory, and Runtime Tradeoffs (Hoefler and Moor, 2014)"
    papers = split("000 001 002 004", paper, " ")
    meaning["reproduced"] = "what the paper says holds here; a gain is at least four fifths of the paper's"
    meaning["exceeded"] = "a gain more than a quarter above the paper's"
    meaning["partly"] = "the same direction, but a smaller gain; or in half of the cases"
    meaning["not reproduced"] = "not so here; the row says why, as far as it is known"
    meaning["not clear"] = "measured, but the intervals of the two times overlap"
    meaning["not measured"] = "nothing there that answers; the row says what would"
    verdicts = split("reproduced;exceeded;partly;not reproduced;not clear;not measured", verdict, ";")
    source["node"] = "measured by shunt bench with ranks on one node, more of them than it has processors; they yield while they wait"
    source["hosts"] = "the same on network namespaces of one machine, with TCP between them"
    source["application"] = "whole programs, native and routed in turn"
    source["model"] = "predicted by shunt predict for a described machine; nothing ran. The descriptions are fitted to some of the numbers (scripts/fit), which the rows say. Where sizes are random and ranks are many, equal blocks of half the largest stand for them"
    source["simulation"] = "the algorithms' own code under SimGrid (scripts/simulate), on platforms as descriptions had them before they were fitted"
    source["count"] = "of messages and blocks of a schedule"
    source["formula"] = "closed forms as printed"
    sources = split("node hosts application model simulation count formula", source_name, " ")
}

FNR == 1 {
    file++
    csv_head($0, column)
    next
}
file == 1 {
    csv_split($0, field)
    count[get("verdict")]++
    at = get("paper")
    rows[at] = rows[at] (rows[at] == "" ? "" : ",\n") "[" quoted(get("place")) ", " quoted(get("what")) ", " \
        quoted(get("verdict")) ", " quoted(get("number")) ", " quoted(joined(get("ours"), get("unit"))) ", " \
        quoted(joined(get("source"), get("machine"))) ", " quoted(get("condition")) ", " quoted(used(get("use"))) ", " quoted(get("own")) ", " \
        quoted(get("command") == "" ? get("why") : "try " get("command")) "]"
}
file == 2 {
    csv_split($0, field)
    drawn[get("paper")] = drawn[get("paper")] ",\n" figure()
}
END {
    printf "[%s", table("What the papers say, and what was found", \
        "A row for each table, figure and headline claim, and for each source that has an answer. " \
        "Verdicts are made of the two numbers alone, by one rule for all.", \
        "\"Verdict\", \"Rows\", \"It means\"", verdict_rows())
    for (p = 1; p <= papers; p++)
        if (rows[paper[p]] != "")
            printf ",\n%s%s", table("Paper " paper[p] ": " name[paper[p]], "", \
                "\"Where\", \"What the paper says\", \"Verdict\", \"Paper\", \"Ours\", \"Source of ours\", " \
                "\"Condition\", \"The description\", \"Best of Shunt's own, against native\", \"Why not\"", rows[paper[p]]), drawn[paper[p]]
    printf ",\n%s]\n", table("Sources", \
        "Ours are medians, of the slowest rank; of several settings the fastest counts, as in the papers. " \
        "Paper numbers are for thousands of ranks; sources with few ranks are asked at the most that they have. " \
        "All numbers are in results.csv and times.csv beside this page. Made by scripts/papers.", \
        "\"Source\", \"What it is\"", source_rows())
}

function get(key) {
    return field[column[key]]
}

# What a prediction's description has to do with the number.
function used(use) {
    return use == "fitted" ? "is fitted to this" : use == "held out" ? "is not fitted to this" : ""
}

function joined(a, b) {
    return a == "" || b == "" ? a b : a " " b
}

function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

function table(title, caption, columns, lines) {
    return "{\"kind\": \"table\", \"title\": " quoted(title) ", \"caption\": " quoted(caption) \
        ", \"columns\": [" columns "], \"rows\": [\n" lines "]}"
}

function verdict_rows(    v, text) {
    for (v = 1; v <= verdicts; v++)
        text = text (v > 1 ? ",\n" : "") "[" quoted(verdict[v]) ", " count[verdict[v]] + 0 ", " \
            quoted(meaning[verdict[v]]) "]"
    return text
}

function source_rows(    s, text) {
    for (s = 1; s <= sources; s++)
        text = text (s > 1 ? ",\n" : "") "[" quoted(source_name[s]) ", " quoted(source[source_name[s]]) "]"
    return text
}

# The figure of a line of figures.csv, from its file of numbers.
function figure(    kind, id, list, path) {
    kind = get("kind")
    id = get("id")
    path = folder "/" id ".csv"
    list = kind == "lines" ? lines(path, id) : kind == "boxes" ? boxes(path) : kind == "parts" ? parts(path) : tiles(path)
    return "{\"kind\": \"" (kind ~ /map/ ? "tiles" : kind == "parts" ? "bars" : "lines") "\", \"title\": " \
        quoted(get("title")) ", \"caption\": " quoted(get("subtitle") "; numbers: figures/" id ".csv") \
        ", \"x\": " axis(get("across"), get("across") == "block" ? "B" : "") \
        ", \"y\": " (kind ~ /map/ ? axis("bytes of a block", "B") : axis("time of a call", "s")) ",\n" list "}"
}

function axis(title, unit) {
    return "{\"name\": " quoted(title) (unit == "" ? "" : ", \"unit\": \"" unit "\"") "}"
}

# The fields of each line of a file of numbers to value[line, 1 to 4]; returns how many there are.
function read_numbers(path,    line, one, n, i, found) {
    split("", value)
    getline line <path
    while ((getline line <path) > 0) {
        n++
        found = csv_split(line, one)
        for (i = 1; i <= found; i++)
            value[n, i] = one[i]
    }
    close(path)
    return n + 0
}

# Lists of lines and bars in the order of their series, each of which stands together.
function lines(path, id,    n, i, text, last) {
    n = read_numbers(path)
    for (i = 1; i <= n; i++) {
        if (value[i, 1] != last)
            text = text (i > 1 ? "]},\n" : "") "{\"name\": " quoted(value[i, 1]) \
                (id ~ /-model-/ ? ", \"predicted\": true" : "") ", \"points\": ["
        else
            text = text ", "
        last = value[i, 1]
        text = text "[" value[i, 2] ", " seconds(value[i, 3]) "]"
    }
    return "\"lines\": [" text (n ? "]}" : "") "]"
}

function seconds(us) {
    return sprintf("%.9g", us * 1e-6)
}

# The least, the median and the most of all settings, a line each.
function boxes(path,    n, i, s, x, q, text, series, places, all, sorted) {
    n = read_numbers(path)
    split("", known)
    split("", of)
    series = places = 0
    for (i = 1; i <= n; i++) {
        if (!((0, value[i, 1]) in known)) { known[0, value[i, 1]]; one[++series] = value[i, 1] }
        if (!((1, value[i, 2]) in known)) { known[1, value[i, 2]]; place[++places] = value[i, 2] + 0 }
        of[value[i, 1], value[i, 2] + 0] = of[value[i, 1], value[i, 2] + 0] " " value[i, 3]
    }
    sort(place, places)
    for (s = 1; s <= series; s++)
        for (q = 1; q <= 3; q++) {
            text = text (text == "" ? "" : ",\n") "{\"name\": " \
                quoted(one[s] (q == 1 ? ", median" : q == 2 ? ", least" : ", most")) ", \"algorithm\": " quoted(one[s]) \
                ", \"points\": ["
            sep = ""
            for (x = 1; x <= places; x++) {
                all = split(of[one[s], place[x]], sorted, " ")
                if (!all)
                    continue
                sort(sorted, all)
                text = text sep "[" place[x] ", " \
                    seconds(q == 1 ? middle(sorted, all) : sorted[q == 2 ? 1 : all]) "]"
                sep = ", "
            }
            text = text "]}"
        }
    return "\"lines\": [" text "]"
}

function middle(list, count) {
    return (list[int((count + 1) / 2)] + list[int(count / 2) + 1]) / 2
}

function sort(list, count,    i, j, t) {
    for (i = 2; i <= count; i++)
        for (j = i; j > 1 && list[j - 1] + 0 > list[j] + 0; j--) {
            t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
        }
}

function parts(path,    n, i, text, last) {
    n = read_numbers(path)
    for (i = 1; i <= n; i++) {
        if (value[i, 1] != last)
            text = text (i > 1 ? "]},\n" : "") "{\"name\": " quoted(value[i, 1]) ", \"parts\": ["
        else
            text = text ", "
        last = value[i, 1]
        text = text "{\"name\": " quoted(value[i, 2]) ", \"value\": " seconds(value[i, 3]) "}"
    }
    return "\"bars\": [" text (n ? "]}" : "") "]"
}

function tiles(path,    n, i, text) {
    n = read_numbers(path)
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ",\n" : "") "{\"x\": " value[i, 1] ", \"y\": " value[i, 2] ", \"name\": " \
            quoted(value[i, 3]) ", \"hint\": " quoted(value[i, 4]) "}"
    return "\"tiles\": [" text "]"
}
