# SPDX-License-Identifier: BSD-3-Clause
# manual.awk: a page of the manual with the synopses and names of options that its commands have.
# scripts/manual gives it what they say, and the page. `own`: the command of the page; "shunt": all.
BEGIN { FS = "\t" }

# "Ar file", "Ar P", "Cm radix": an argument of the help in the manual's words.
function argument(text, words)
{
    if (words != "" && text == tolower(text)) {
        gsub(",", " | ", words)
        return "Cm " words
    }
    return "Ar " (length(text) > 1 ? tolower(text) : text)
}

# A request that is too long for a line goes on in the next.
function fold(line,    at)
{
    if (length(line) <= 100)
        return line
    for (at = 98; substr(line, at, 1) != " "; at--)
        ;
    return substr(line, 1, at) "\\\n" fold(substr(line, at + 1))
}

# "Fl -block Ns = Ns Ar size", or with its letter "Fl o Ar file".
function flag(command, name, short,    key, value)
{
    key = command SUBSEP name
    value = arguments[key] == "" ? "" : argument(arguments[key], words[key])
    if (short && letters[key] != "")
        return "Fl " letters[key] (value == "" ? "" : " " value)
    return "Fl -" name (value == "" ? "" : " Ns = Ns " value)
}

# A word of a usage line as lines of the manual; "[OPTION]..." are all that this way of using the
# command does not name, in a page of its own for the first way alone.
function spell(command, word, line, whole,    name, i, key, all)
{
    if (word == "[OPTION]..." && !whole)
        return ".Op Ar option ...\n"
    if (word == "[OPTION]...") {
        line = " " line " "
        for (i = 1; i <= counts[command]; i++) {
            name = names[command, i]
            key = command SUBSEP name
            if (index(line, "--" name "=") || index(line, "--" name " ") ||
                (letters[key] != "" && index(line, " -" letters[key] " ")) ||
                (index(line, " SHAPE ") && name ~ /^(ranks|nodes|ppn|layout)$/))
                continue
            all = all ".Op " flag(command, name, 1) "\n"
        }
        return all
    }
    if (word == "SHAPE")
        return fold(".Brq " flag(command, "ranks", 0) " " flag(command, "nodes", 0) " " \
            flag(command, "ppn", 0) " | " flag(command, "layout", 0)) "\n"
    if (word ~ /^\[?--[a-z]/) {
        name = word
        gsub(/^\[?--|=.*|\]$/, "", name)
        return (word ~ /^\[/ ? ".Op " : ".") flag(command, name, word ~ /^\[/) "\n"
    }
    if (word == "[--]")
        return ".Op Fl -\n"
    if (word ~ /^>/ || word ~ /^\[>/)
        return ""
    if (word ~ /^\[.*\]\.\.\.$/)
        return ".Op Ar " tolower(substr(word, 2, length(word) - 5)) " ...\n"
    if (word ~ /\.\.\.$/)
        return ".Ar " tolower(substr(word, 1, length(word) - 3)) " ...\n"
    return ".Ar " tolower(word) "\n"
}

# The lines of one way to use a command.
function synopsis(command, line, whole,    count, list, i, word, text)
{
    count = split(line, list, " ")
    text = ""
    for (i = 1; i <= count; i++) {
        word = list[i]
        if (word == "mpiexec")
            text = text ".Nm mpiexec\n"
        else if (word == "-n" || word == "-o")
            text = text ".Fl " substr(word, 2) " Ar " tolower(list[++i]) "\n"
        else if (word == "shunt")
            text = text ".Nm shunt Cm " list[++i] "\n"
        else if (word == "[FILE" && list[i + 1] == "|") {
            text = text ".Op Ar file | Cm built-in" (list[i + 2] ~ /\.\.\.$/ ? " ..." : "") "\n"
            i += 2
        } else
            text = text spell(command, word, line, whole)
    }
    return text
}

function synopses(    c, command, u)
{
    for (c = 1; c <= command_count; c++) {
        command = commands[c]
        if (own != "shunt" && own != command)
            continue
        if (own == "shunt" && paged[command]) {
            printf "%s", synopsis(command, usages[command, 1], 0)
            continue
        }
        for (u = 1; u <= usage_counts[command]; u++)
            printf "%s", synopsis(command, usages[command, u], u == 1)
    }
    if (own == "shunt")
        print ".Nm shunt Cm help\n.Op Ar command\n.Nm shunt\n.Fl -version\n.Nm shunt\n.Fl -libpath"
}

# ".It Fl -block Ns = Ns Ar sizes , Fl -x": the options of a command as it has them. Others stay.
function retag(command, line,    count, list, i, done, name)
{
    count = split(substr(line, 5), list, / , /)
    for (i = 1; i <= count; i++) {
        name = list[i]
        if (name ~ /^Fl [a-z]$/)
            name = named[command, substr(name, 4)]
        else
            gsub(/^Fl -| .*/, "", name)
        if (!((command, name) in arguments))
            return line
        if (letters[command, name] != "" && arguments[command, name] == "") {
            if (list[i] ~ /^Fl [a-z]$/)
                continue
            done = done (done == "" ? "" : " , ") "Fl " letters[command, name] " , "
            done = done "Fl -" name
        } else
            done = done (done == "" ? "" : " , ") flag(command, name, 0)
    }
    return fold(".It " done)
}

FNR == NR && $1 == "command" {
    commands[++command_count] = now = $2
    paged[now] = $3 != ""
}
FNR == NR && $1 == "usage" { usages[now, ++usage_counts[now]] = $2 }
FNR == NR && $1 == "option" {
    names[now, ++counts[now]] = $2
    letters[now, $2] = $3
    if ($3 != "")
        named[now, $3] = $2
    arguments[now, $2] = $4
    words[now, $2] = $5
}
FNR == NR { next }

/^\.Sh SYNOPSIS/ {
    print
    synopses()
    left_out = 1
    next
}
left_out && !/^\.Sh/ { next }
{ left_out = 0 }
own != "shunt" { section = own }
/^\.Ss shunt / && own == "shunt" { section = substr($0, 11) }
/^\.It Fl/ { pending = $0; while (pending ~ /\\$/) { sub(/\\$/, "", pending); getline; pending = pending $0 } print retag(section, pending); next }
{ print }
