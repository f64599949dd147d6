# SPDX-License-Identifier: BSD-3-Clause
# report_lines.awk: writes the log of a rank of a job of two, on one node, for tests of `shunt
# report`, whose figures can be told beforehand.
#
#   awk -v rank=R -v table=FILE [-v fingerprint=F] [-v name=COMMUNICATOR] [-v summary=0|MEMBERS]
#       -f report_lines.awk
#
# "summary" has members of it, or is 0: without one.
#
# All calls are alltoalls with blocks of 512 bytes. On the communicator left 7 are native ones made
# to compare, and take 3 ms; then 7 go by bruck, by the rule of line 3, and take 1 ms. On right, 7 go by
# spread-out, by that of line 4, and take half a millisecond. Rank 1 comes 2 ms after rank 0. Of the
# rules, both ranks miss that of line 6, and rank 0 that of line 4 too.
function quoted(key, value)
{
    return "\"" key "\": \"" value "\""
}

function call(number, on, id, algorithm, parameters, line, seconds,    rule)
{
    rule = line ? sprintf("{%s, \"line\": %d, %s}", quoted("file", table), line, \
        quoted("id", line == 3 ? "small" : "other")) : "null"
    at += 0.01
    printf "{%s, \"time\": %.6f, \"rank\": %d, ", quoted("event", "call"), at + 0.002 * rank, rank
    printf "%s, %s, \"call\": %d, ", quoted("communicator", on), quoted("communicator_id", id), \
        number
    printf "%s, \"ranks\": 2, \"largest\": 512, \"mean\": 512.000, \"bytes\": 1024, ", \
        quoted("operation", "alltoall")
    printf "%s, %s, \"rule\": %s, \"reason\": %s, \"rejected\": [], ", \
        quoted("algorithm", algorithm), quoted("parameters", parameters), rule, \
        line ? "null" : "\"native is timed beside what the table chose\""
    printf "\"seconds\": %.9f, %s\"error\": 0}\n", seconds, line ? "" : "\"settled\": true, "
}

function place(on, id)
{
    printf "{%s, \"rank\": %d, \"time\": %.6f, ", quoted("event", "communicator"), rank, at
    printf "%s, %s, ", quoted("communicator", on), quoted("communicator_id", id)
    print "\"ranks\": 2, \"nodes\": 1, \"ppn_min\": 2, \"ppn_max\": 2, \"layout\": [2]}"
}

function unused(operation, line, id)
{
    return sprintf("{%s, \"rule\": {%s, \"line\": %d, %s}}", quoted("operation", operation), \
        quoted("file", table), line, quoted("id", id))
}

BEGIN {
    at = 1795334400
    left = "00000000000000aa"
    right = "00000000000000bb"
    name = name == "" ? "left" : name
    printf "{%s, \"schema\": 1, %s, \"rank\": %d, \"ranks\": 2, %s, ", quoted("event", "header"), \
        quoted("version", "0.3.0"), rank, quoted("library", "MPICH 4.0.2")
    if (table != "")
        printf "%s, \"machine\": null, ", quoted("table", table)
    if (fingerprint != "")
        printf "%s, ", quoted("fingerprint", fingerprint)
    print quoted("origin", "1970-01-01T00:00:00Z") ", " quoted("date", "2026-11-22T08:00:00Z") \
        ", " quoted("command", "./app -n 3 < in & <b>") "}"
    printf "{%s, \"rank\": %d, \"offset\": 0.5, \"uncertainty\": 0.000003}\n", \
        quoted("event", "clock"), rank
    for (i = 1; i <= 7; i++)
        call(i, name, left, "native", "", 0, 0.003)
    place(name, left)
    for (; i <= 14; i++)
        call(i, name, left, "bruck", "radix=2", 3, 0.001)
    place("right", right)
    for (i = 1; i <= 7; i++)
        call(i, "right", right, "spread-out", "", 4, 0.0005)
    if (summary == "0")
        exit
    printf "{%s, \"rank\": %d, \"ranks\": 2, \"calls\": 21, \"bytes\": 21504, ", \
        quoted("event", "summary"), rank
    printf "\"seconds\": 0.0315, \"agreement\": 0, \"errors\": 0, \"elapsed\": 0.315, "
    printf "\"routed\": {\"calls\": 14, \"bytes\": 14336, \"seconds\": 0.0105}, "
    gsub(/\n */, " ", summary)
    printf "%s", summary
    printf "\"unused_rules\": [%s%s]}\n", unused("alltoallv", 6, "never"), \
        rank == 0 ? ", " unused("alltoall", 4, "other") : ""
}
