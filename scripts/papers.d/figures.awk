# SPDX-License-Identifier: BSD-3-Clause
# figures.awk: times.csv and figures.csv (what there is to draw) to one file of numbers for each figure
# and machine with at least two places across, and a list of them (id, kind, title, labels). Series
# are patterns as in judge.awk; "own" is the fastest that no paper has. Variables: only, folder.
#
#   lines     series,x,y     y: microseconds of the fastest that fits
#   boxes     series,x,y     a line for each setting that fits
#   parts     series,part,y  of the largest number of ranks; parts as shunt bench --phases has them
#   map       x,y,entry,hint ranks, block, the winner
#   radixmap  x,y,entry,hint the radix of the fastest, and how many of them beat native

BEGIN {
    own = "node-pair|node-bruck|parlinna-shared|shared-segment|peer-read"
    part_count = split("agreement prepare metadata node copy rearrange remote other", parts, " ")
}

FNR == 1 { file++ }
FNR == 1 {
    csv_head($0, column)
    if (file == 2)
        print "id,paper,kind,title,subtitle,across,upwards"
    next
}
file == 1 {
    csv_split($0, field)
    i = ++lines
    where = field[1] SUBSEP field[2]
    # Hosts of 4 x 4 and of 8 x 8 ranks are one series.
    if (field[1] == "node" || field[1] == "hosts")
        where = field[1] SUBSEP "this machine"
    if (!(where in known)) {
        known[where]
        groups[++group_count] = where
    }
    line_group[i] = where
    line_kind[i] = field[3] SUBSEP field[4]
    line_block[i] = field[5] + 0
    line_ranks[i] = field[6] + 0
    line_name[i] = field[8]
    line_parameters[i] = field[9]
    line_time[i] = same_scale(where SUBSEP field[3] SUBSEP field[4] SUBSEP field[5] SUBSEP field[6],
        field[1], field[8], field[10] + 0)
    line_text[i] = $0
    line_radix[i] = parameter(i, "radix")
    line_simulated[i] = field[1] == "simulation"
    for (p = 1; p <= part_count; p++)
        line_part[i, p] = field[column[parts[p] "_us"]]
    next
}
{
    csv_split($0, figure)
    if (only != "" && index(" " only " ", " " figure[2] " ") == 0)
        next
    for (g = 1; g <= group_count; g++)
        if (suits_group(groups[g]))
            draw(groups[g])
}

function select_lines(group,    i, d, count, wanted, ranks_of, nearest_ranks) {
    picked = 0
    count = split(figure[7], wanted, "|")
    for (i = 1; i <= lines; i++) {
        if (line_group[i] != group || (figure[8] != "all" && line_block[i] != figure[8] + 0))
            continue
        for (d = 1; d <= count; d++)
            if (line_kind[i] == figure[6] SUBSEP wanted[d])
                break
        if (d > count)
            continue
        pick[++picked] = i
        if (index(" " ranks_of " ", " " line_ranks[i] " ") == 0)
            ranks_of = ranks_of (ranks_of == "" ? "" : " ") line_ranks[i]
    }
    if (figure[9] == "all" || !picked)
        return
    nearest_ranks = nearest(ranks_of, figure[9])
    count = picked
    picked = 0
    for (i = 1; i <= count; i++)
        if (line_ranks[pick[i]] == nearest_ranks)
            pick[++picked] = pick[i]
}

function suits_group(group,    names) {
    split(group, names, SUBSEP)
    return suits(names[1], names[2], figure[2])
}

function label(pattern) {
    if (pattern == "own")
        return "best that is ours"
    gsub(/;metadata=separate/, "", pattern)
    gsub(/;sqrt/, " radix=sqrt(P)", pattern)
    gsub(/;/, " ", pattern)
    return pattern
}

function draw(group,    id, names, count, s, n, x, points, kind) {
    select_lines(group)
    if (!picked)
        return
    split(group, names, SUBSEP)
    id = figure[1] "-" names[1] (names[2] == "this machine" ? "" : "-" names[2])
    path = folder "/" id ".csv"
    kind = figure[5]
    places = 0
    split("", place)
    count = split(figure[11], series, " ")
    text = ""
    if (kind == "lines")
        draw_lines(count)
    else if (kind == "boxes")
        draw_boxes(count)
    else if (kind == "parts")
        draw_parts(count)
    else
        draw_map(count, kind)
    if (places < 2)
        return
    print (kind ~ /map/ ? "x,y,entry,hint" : kind == "parts" ? "series,part,y" : "series,x,y") > path
    printf "%s", text > path
    close(path)
    print id "," figure[2] "," kind "," csv_quote(figure[4] " (" figure[3] ")") "," \
        csv_quote(names[1] ": " subtitle(names[2])) "," (kind ~ /map/ ? "ranks" : figure[10]) "," \
        (kind ~ /map/ ? "block" : "time of a call")
}

function subtitle(machine,    low, high, i) {
    low = high = line_ranks[pick[1]]
    for (i = 2; i <= picked; i++) {
        if (line_ranks[pick[i]] < low) low = line_ranks[pick[i]]
        if (line_ranks[pick[i]] > high) high = line_ranks[pick[i]]
    }
    return machine ", " (low == high ? low : low " to " high) " ranks" \
        (index(line_kind[pick[1]], SUBSEP "mean") ? "; equal blocks of half the size" : "")
}

# The place of a line across.
function across(i) {
    return figure[10] == "ranks" ? line_ranks[i] : figure[10] == "block" ? line_block[i] : line_radix[i]
}

function note(x) {
    if (!(x in place)) {
        place[x]
        places++
        order[places] = x
    }
}

function is_of(i, pattern) {
    return fits(i, pattern == "own" ? own : pattern)
}

function draw_lines(count,    s, n, i, x, k) {
    split("", least)
    for (s = 1; s <= count; s++)
        for (n = 1; n <= picked; n++) {
            i = pick[n]
            if (!is_of(i, series[s]))
                continue
            x = across(i)
            # What has no radix is one line across all of them.
            if (figure[10] == "radix" && x == 0) {
                if (!((s, "all") in least) || line_time[i] < least[s, "all"]) least[s, "all"] = line_time[i]
                continue
            }
            note(x)
            if (!((s, x) in least) || line_time[i] < least[s, x]) least[s, x] = line_time[i]
        }
    sort_places()
    for (s = 1; s <= count; s++)
        for (k = 1; k <= places; k++) {
            x = order[k]
            if ((s, x) in least)
                text = text label(series[s]) "," x "," least[s, x] "\n"
            else if ((s, "all") in least)
                text = text label(series[s]) "," x "," least[s, "all"] "\n"
        }
}

function sort_places(    i, j, t) {
    for (i = 2; i <= places; i++)
        for (j = i; j > 1 && order[j - 1] + 0 > order[j] + 0; j--) {
            t = order[j]; order[j] = order[j - 1]; order[j - 1] = t
        }
}

function draw_boxes(count,    s, n, i) {
    for (s = 1; s <= count; s++)
        for (n = 1; n <= picked; n++) {
            i = pick[n]
            if (!is_of(i, series[s]))
                continue
            note(across(i))
            text = text label(series[s]) "," across(i) "," line_time[i] "\n"
        }
}

function draw_parts(count,    s, n, i, p, most, found) {
    for (n = 1; n <= picked; n++)
        if (line_ranks[pick[n]] > most && line_part[pick[n], 1] != "") most = line_ranks[pick[n]]
    for (s = 1; s <= count; s++) {
        found = 0
        for (n = 1; n <= picked; n++) {
            i = pick[n]
            if (is_of(i, series[s]) && line_ranks[i] == most && line_part[i, 1] != "" &&
                (!found || line_time[i] < line_time[found]))
                found = i
        }
        if (!found)
            continue
        note(s)
        for (p = 1; p <= part_count; p++)
            text = text label(series[s]) "," parts[p] "," line_part[found, p] "\n"
    }
}

function draw_map(count, kind,    n, i, s, cell, key, found, cells, c, native, good, all, names) {
    split("", winner)
    split("", by)
    split("", native)
    split("", good)
    split("", all)
    for (n = 1; n <= picked; n++) {
        i = pick[n]
        cell = line_ranks[i] SUBSEP line_block[i]
        for (s = 1; s <= count; s++) {
            if (!is_of(i, series[s]))
                continue
            if (!((cell, s) in by) || line_time[i] < line_time[by[cell, s]]) by[cell, s] = i
        }
        if (!(cell in winner)) {
            winner[cell]
            list[++cells] = cell
            note(line_ranks[i] SUBSEP line_block[i])
        }
    }
    for (n = 1; n <= picked; n++) {
        i = pick[n]
        cell = line_ranks[i] SUBSEP line_block[i]
        if (kind == "radixmap" && is_of(i, series[1]) && (cell, 2) in by) {
            all[cell]++
            good[cell] += line_time[i] < line_time[by[cell, 2]]
        }
    }
    for (c = 1; c <= cells; c++) {
        cell = list[c]
        split(cell, names, SUBSEP)
        found = 0
        for (s = 1; s <= (kind == "radixmap" ? 1 : count); s++)
            if ((cell, s) in by && (!found || line_time[by[cell, s]] < line_time[by[cell, found]]))
                found = s
        if (!found || (kind == "radixmap" && !(cell in all)))
            continue
        if (kind == "radixmap")
            text = text names[1] "," names[2] "," (good[cell] ? "radix " line_radix[by[cell, 1]] : "native") "," \
                good[cell] + 0 " of " all[cell] " radices beat native; the fastest " \
                sprintf("%.2f", line_time[by[cell, 2]] / line_time[by[cell, 1]]) " times as fast\n"
        else
            text = text names[1] "," names[2] "," label(series[found]) "," \
                sprintf("%.1f us", line_time[by[cell, found]]) "\n"
    }
}
