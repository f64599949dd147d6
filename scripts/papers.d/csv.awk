# SPDX-License-Identifier: BSD-3-Clause
# csv.awk: comma-separated values with quotes, for the other programs of this folder.

# Splits `line` into `field`; returns how many there are.
function csv_split(line, field,    count, c, i, quoted, text) {
    split("", field)
    if (line !~ /"/)
        return split(line, field, ",")
    count = 1
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (quoted && c == "\"" && substr(line, i + 1, 1) == "\"") {
            text = text c
            i++
        } else if (c == "\"") {
            quoted = !quoted
        } else if (c == "," && !quoted) {
            field[count++] = text
            text = ""
        } else {
            text = text c
        }
    }
    field[count] = text
    return count
}

# From a line of names: column[name] is its place.
function csv_head(line, column,    count, field, i) {
    split("", column)
    count = csv_split(line, field)
    for (i = 1; i <= count; i++)
        column[field[i]] = i
}

# As a field of a line.
function csv_quote(text) {
    if (text !~ /[",]/)
        return text
    gsub(/"/, "\"\"", text)
    return "\"" text "\""
}
