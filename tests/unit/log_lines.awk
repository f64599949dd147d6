# SPDX-License-Identifier: BSD-3-Clause
# log_lines.awk: writes the log of a job as its ranks would, for tests of `shunt log`.
#
#   awk -v ranks=P -v calls=N -v rank=R -f log_lines.awk      the file of one rank
#   awk -v ranks=P -v calls=N -v chunk=K -f log_lines.awk     one file, K calls of each rank in turn
#
# Call c is on communicator row (odd c) or column (even c), an alltoall where c is a multiple of 3,
# native where it is one of 4, and has blocks of 16 * c bytes. It begins at 10 * c ms after half a
# second; rank r comes 0.125 ms * ((r + c) mod ranks) later, rank `late` (if given) at 2 ms, and it
# takes r + 1 ms.
function quoted(name, value)
{
    return "\"" name "\": \"" value "\""
}

function header(r)
{
    printf "{\"event\": \"header\", \"schema\": 1, \"version\": \"0.2.0\", \"host\": \"n%d\", ", r % 2
    printf "\"process\": %d, \"job\": \"123\", \"launcher\": null, ", 4711 + r
    printf "\"library\": \"MPICH 4.0.2\", \"rank\": %d, \"ranks\": %d, ", r, ranks
    printf "\"table\": \"site.cfg\", \"machine\": \"alpha\", \"origin\": \"1970-01-01T00:00:00Z\", "
    printf "\"date\": \"2026-11-22T08:00:0%dZ\", \"command\": \"./app\"}\n", (r > 0)
    printf "{\"event\": \"clock\", \"rank\": %d, \"offset\": 0.00001, \"uncertainty\": %.6f}\n", \
        r, r * 0.000001
    printf "{\"event\": \"communicator\", \"rank\": %d, \"time\": 1795334400.125, %s, %s, ", r, \
        quoted("communicator", "row"), quoted("communicator_id", "0123456789abcdef")
    printf "\"ranks\": %d, \"nodes\": 2, \"ppn_min\": 1, \"ppn_max\": 3}\n", ranks
}

function call(r, c,    after)
{
    after = 0.5 + c * 0.01 + ((r + c) % ranks) * 0.000125
    if (late != "" && r == late)
        after = 0.5 + c * 0.01 + 0.002
    printf "{\"event\": \"call\", \"time\": %d.%09d, \"rank\": %d, ", 1795334400 + int(after), \
        (after - int(after)) * 1e9 + 0.5, r
    printf "%s, %s, ", quoted("communicator", c % 2 ? "row" : "column"), \
        quoted("communicator_id", c % 2 ? "0123456789abcdef" : "fedcba9876543210")
    printf "\"call\": %d, %s, ", (c + 1) / 2, quoted("operation", c % 3 ? "alltoallv" : "alltoall")
    printf "\"ranks\": %d, \"nodes\": 2, \"ppn_max\": 3, \"largest\": %d, \"mean\": 10.000, ", \
        ranks, 16 * c
    printf "\"filled\": 0.750, \"bytes\": %d, \"unheard_of\": {\"deep\": [1, {}]}, ", 100 * ranks
    printf "%s, %s, ", quoted("algorithm", c % 4 ? "parlogna" : "native"), \
        quoted("parameters", c % 4 ? "radix=4" : "")
    printf "\"rule\": %s, \"reason\": %s, \"rejected\": [], ", \
        c % 4 ? "{\"file\": \"/etc/site.cfg\", \"line\": 21, \"id\": \"small\"}" : "null", \
        c % 4 ? "null" : "\"warm-up\""
    printf "\"seconds\": %.9f, \"agreement\": 0.000010000, \"memory\": 4096, \"error\": 0}\n", \
        (r + 1) * 0.001
}

function summary(r,    native)
{
    native = int(calls / 4)
    printf "{\"event\": \"summary\", \"rank\": %d, \"ranks\": %d, \"calls\": %d, \"bytes\": %d, ", \
        r, ranks, calls, calls * 100 * ranks
    printf "\"seconds\": %.9f, \"agreement\": 0.1, \"errors\": 0, \"elapsed\": 10.0, ", \
        calls * (r + 1) * 0.001
    printf "\"routed\": {\"calls\": %d, \"bytes\": %d, \"seconds\": %.9f}}\n", calls - native, \
        (calls - native) * 100 * ranks, (calls - native) * (r + 1) * 0.001
}

BEGIN {
    if (chunk == "") {
        header(rank)
        for (c = 1; c <= calls; c++)
            call(rank, c)
        summary(rank)
        exit
    }
    for (first = 1; first <= calls; first += chunk)
        for (r = 0; r < ranks; r++)
            for (c = first; c < first + chunk && c <= calls; c++)
                call(r, c)
}
