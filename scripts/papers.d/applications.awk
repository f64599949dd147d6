# SPDX-License-Identifier: BSD-3-Clause
# applications.awk: what scripts/simulate --application says of path finding, as facts for the rows of
# claims.csv that are about it: claim, source, machine, condition, value, own. Of each machine the most
# ranks; of each algorithm its fastest setting. Exchanges alone: work between them takes no time there.

function say(claim, machine, value) {
    printf "%s,simulation,%s,%s,%.4g,%.3g x (parlinna-shared)\n", claim, machine, csv_quote(where[machine]),
        value, time[machine, "native"] / time[machine, "parlinna-shared"]
}

NR == 1 {
    csv_head($0, column)
    next
}
{
    csv_split($0, field)
    machine = field[column["machine"]]
    ranks = field[column["ranks"]] + 0
    name = field[column["algorithm"]]
    sub(/:.*/, "", name)
    seconds = field[column["exchange_seconds"]] + 0
    if (field[column["application"]] !~ /^paths / || seconds <= 0 || ranks < most[machine])
        next
    if (!(machine in where))
        machines[++count] = machine
    if (ranks > most[machine]) {
        most[machine] = ranks
        for (key in time)
            if (index(key, machine SUBSEP) == 1)
                delete time[key]
        where[machine] = ranks " ranks on " field[column["nodes"]] " nodes; exchanges of " \
            field[column["application"]] " alone"
    }
    if (!((machine, name) in time) || seconds < time[machine, name])
        time[machine, name] = seconds
}
END {
    for (i = 1; i <= count; i++) {
        machine = machines[i]
        native = time[machine, "native"]
        if (!native || !time[machine, "parlinna-shared"])
            continue
        if (time[machine, "two-phase-bruck"])
            say("000-29", machine, 100 * (1 - time[machine, "two-phase-bruck"] / native))
        fugaku = machine ~ /^fugaku/
        if (time[machine, "parlogna"])
            say(fugaku ? "002-43" : "002-42", machine, native / time[machine, "parlogna"])
        if (time[machine, "parlinna-coalesced"])
            say(fugaku ? "002-45" : "002-44", machine, native / time[machine, "parlinna-coalesced"])
    }
}
