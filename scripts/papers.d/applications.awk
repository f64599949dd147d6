# SPDX-License-Identifier: BSD-3-Clause
# applications.awk: what scripts/simulate --application says of path finding, as facts for the rows of
# claims.csv that are about it: claim, source, machine, condition, value, own. Of each machine the most
# ranks, and the first graph among so many; of each algorithm its fastest setting. Exchanges alone: work
# between them takes no time there.

function say(claim, machine, value) {
    printf "%s,simulation,%s,%s,%.4g,%.3g x (parlinna-shared)\n", claim, machine, csv_quote(where[machine]),
        value, time[machine, "native"] / time[machine, "parlinna-shared"]
}

# The two rows about the machine that this one is like.
function papers(machine, like, logarithmic, linear) {
    if (index(machine, like) != 1)
        return
    if (time[machine, "parlogna"])
        say(logarithmic, machine, native / time[machine, "parlogna"])
    if (time[machine, "parlinna-coalesced"])
        say(linear, machine, native / time[machine, "parlinna-coalesced"])
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
    program = field[column["application"]]
    if (program !~ /^paths / || seconds <= 0 || ranks < most[machine])
        next
    if (!(machine in where))
        machines[++count] = machine
    if (ranks > most[machine]) {
        most[machine] = ranks
        graph[machine] = program
        for (key in time)
            if (index(key, machine SUBSEP) == 1)
                delete time[key]
        where[machine] = ranks " ranks on " field[column["nodes"]] " nodes; exchanges of " \
            program " alone"
    }
    if (program == graph[machine] &&
        (!((machine, name) in time) || seconds < time[machine, name]))
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
        papers(machine, "polaris", "002-42", "002-44")
        papers(machine, "fugaku", "002-43", "002-45")
    }
}
