# SPDX-License-Identifier: BSD-3-Clause
# log_check.py SCHEMA EXPECTED FILE...: holds the log of a job against its schema and against itself;
# EXPECTED has words KEY=VALUE with commas between. For log.sh.
# log_check.py --each SCHEMA EXPECTED FILE...: each file is the log of a job; what is said of it goes to
# FILE.said.
import collections, json, os, sys
import jsonschema
from shape import shape

each = sys.argv[1] == "--each"
schema_name, expected_words, *names = sys.argv[1 + each:]
expected = dict(word.split("=", 1) for word in expected_words.split(","))
with open(schema_name) as file:
    schema = json.load(file)
# Debian 11 and older know draft 7 at most, which has all that is used here but the place of definitions.
Validator = getattr(jsonschema, "Draft202012Validator", jsonschema.Draft7Validator)
Validator.check_schema(schema)
validator = Validator(schema)
of_event = {event: Validator({"$defs": schema["$defs"], "$ref": "#/$defs/" + event})
            for event in ("header", "communicator", "clock", "call", "cap", "summary")}
ranks = int(expected["ranks"])
problems = []
# What takes the time is to begin, so each file has a process that begins here.
for name in names if each else []:
    child = os.fork()
    if child == 0:
        names = [name]
        os.dup2(os.open(name + ".said", os.O_WRONLY | os.O_CREAT, 0o644), 1)
        break
    os.waitpid(child, 0)
else:
    if each:
        sys.exit()


def check(holds, *what):
    if not holds:
        problems.append(" ".join(map(str, what))[:600])


def nanoseconds(text):
    whole, fraction = text.lstrip("-").split(".")
    assert len(fraction) == 9, text
    return (-1 if text.startswith("-") else 1) * (int(whole) * 10**9 + int(fraction))


# Seconds as integers of nanoseconds: a double has no more than 200 of these since 1970.
def exact(line):
    values = json.loads(line)
    digits = json.loads(line, parse_float=str)
    for key in ("time", "offset", "uncertainty", "seconds", "agreement", "native"):
        if key in values and isinstance(values[key], (int, float)):
            values[key] = nanoseconds(digits[key])
    if "phases" in values:
        values["phases"] = {key: nanoseconds(text) for key, text in digits["phases"].items()}
    return values


lines = collections.defaultdict(list)  # of each rank
shapes_seen = set()
for name in names:
    with open(name) as file:
        for line in file:
            plain = json.loads(line)
            if shape(plain) not in shapes_seen:
                shapes_seen.add(shape(plain))
                for error in of_event[plain["event"]].iter_errors(plain):
                    check(False, name, error.message, line)
                check(validator.is_valid(plain), name, "is no line of a log:", line)
            lines[plain["rank"]].append(exact(line))

check(sorted(lines) == list(range(ranks)), "lines of ranks", sorted(lines))
calls, offset, uncertainty = {}, {}, {}
for rank, all_lines in lines.items():
    events = [line["event"] for line in all_lines]
    check(events[0] == "header" and events.count("header") == 1, rank, "headers", events[:3])
    header = all_lines[0]
    if events[0] != "header":
        continue
    check(header["ranks"] == ranks and header["launcher"] == "hydra", header)
    check(header["command"].split("/")[-1].startswith(expected["program"]), header)
    check(header["library"].startswith("MPICH "), header)
    check(("table" in header) == ("fingerprint" in header) == (rank == 0), rank, header)
    clocks = [line for line in all_lines if line["event"] == "clock"]
    check(len(clocks) == int(expected["clocks"]), rank, "has", len(clocks), "clocks")
    offset[rank] = clocks[0]["offset"] if clocks else 0
    uncertainty[rank] = clocks[0]["uncertainty"] if clocks else 0
    # All hosts are one machine here.
    check(abs(offset[rank]) <= uncertainty[rank] + 10**6, rank, "clock", clocks)
    check(rank != 0 or offset[rank] == uncertainty[rank] == 0, rank, "clock", clocks)
    at = events.index("clock") if clocks else len(events)
    for line in all_lines[:at] if clocks else []:
        if "time" in line:
            line["time"] += offset[rank]
    timed = [line["time"] for line in all_lines if "time" in line]
    check(timed == sorted(timed), rank, "goes back in time", timed[:20])
    calls[rank] = [line for line in all_lines if line["event"] == "call"]
    for one, next_one in zip(calls[rank], calls[rank][1:]):
        check(one["time"] + one["seconds"] <= next_one["time"] + 1000, rank, "overlap", one, next_one)
check(len(calls.get(0, [])) >= 4, "too few calls")

# Communicators: each rank has as many as the program, all ranks of one tell of the same calls.
members = collections.defaultdict(dict)
for rank, list_of_one in calls.items():
    for call in list_of_one:
        members[call["communicator_id"]].setdefault(rank, []).append(call)
for rank in lines:
    mine = [id for id, by_rank in members.items() if rank in by_rank]
    check(len(mine) == int(expected["communicators"]), rank, "has", len(mine), "communicators")
for id, by_rank in members.items():
    told = {rank: [(c["call"], c["operation"], c["ranks"], c["communicator"], c["algorithm"], c["reason"]) for c in list_of_one]
            for rank, list_of_one in by_rank.items()}
    first = next(iter(told.values()))
    check(all(other == first for other in told.values()), id, "is told of differently", told)
    check([c[0] for c in first] == list(range(1, len(first) + 1)), id, "numbers of calls", first)
    if expected.get("inter") != "1" or first[0][3] == "MPI_COMM_WORLD":
        check(len(by_rank) == first[0][2], id, "has calls of", len(by_rank), "of", first[0][2], "ranks")

# A call in which all have something for all: nobody goes on before the last one came.
waited = 0
following = {}
for rank, list_of_one in calls.items():
    for one, next_one in zip(list_of_one, list_of_one[1:]):
        following[rank, one["communicator_id"], one["call"]] = next_one["time"]
for id, by_rank in members.items():
    for same in zip(*by_rank.values()):
        if same[0]["operation"] != "alltoall" or same[0]["bytes"] == 0 or same[0]["error"]:
            continue
        last = max(same, key=lambda call: call["time"])
        for rank in by_rank:
            after = following.get((rank, id, same[0]["call"]))
            if after is not None:
                waited += 1
                slack = uncertainty[rank] + uncertainty[last["rank"]] + (1000 if expected["clocks"] == "1" else 10**6)
                check(after + slack >= last["time"], id, rank, "went on before", last)
check(waited >= ranks, "only", waited, "calls to compare times by")

# Set-up.
set_up = collections.defaultdict(dict)
for rank, all_lines in lines.items():
    known = {}
    for line in all_lines:
        if line["event"] == "communicator":
            check(line["communicator_id"] not in known, rank, "is told of twice", line)
            known[line["communicator_id"]] = line
            set_up[line["communicator_id"]][rank] = {key: value for key, value in line.items() if key not in ("rank", "time")}
            layout = line["layout"]
            check((sum(layout), len(layout), min(layout), max(layout)) ==
                  (line["ranks"], line["nodes"], line["ppn_min"], line["ppn_max"]), line)
        elif line["event"] == "call":
            there = known.get(line["communicator_id"])
            check(("nodes" in line) == (there is not None), rank, "nodes of a call", line)
            if there:
                check(all(line[key] == there[key] for key in ("ranks", "nodes", "ppn_max", "communicator")), line, there)
            else:
                check(line["algorithm"] == "native" and (line["reason"] == "warm-up" or expected.get("inter")), line)
for id, by_rank in set_up.items():
    first = next(iter(by_rank.values()))
    check(all(other == first for other in by_rank.values()) and by_rank.keys() == members[id].keys(), id, by_rank)
    check(all(first.get(key) == lines[0][0].get(key) is not None for key in ("table", "fingerprint")), first)
check(len(set_up) == int(expected["set_up"]), len(set_up), "were set up")
if "layout" in expected:
    world = next((id for id, by_rank in members.items() if len(by_rank) == ranks), None)
    layout = set_up.get(world, {}).get(0, {}).get("layout")
    check(layout == [int(n) for n in expected["layout"].split("+")], "the world's layout is", layout)

# What was asked for.
routed = 0
for rank, list_of_one in calls.items():
    for call in list_of_one:
        check(("phases" in call) == (expected.get("phases") == "1"), "phases", call)
        if "phases" in call:
            check(abs(sum(call["phases"].values()) - call["seconds"]) <= 10, "phases do not add up", call)
            check(call.get("agreement", 0) <= call["seconds"], call)
        check(("send_bytes" in call) == (expected.get("counts") == "1"), "send_bytes", call)
        if "send_bytes" in call:
            check(len(call["send_bytes"]) == call["ranks"] and sum(call["send_bytes"]) == call["bytes"], "bytes", call)
            filled = sum(bytes > 0 for bytes in call["send_bytes"]) / call["ranks"]
            check(abs(filled - call["filled"]) < 1e-6, "filled", filled, call)
        routed += call["algorithm"] != "native"
        verified = expected.get("verify") == "1" and call["algorithm"] != "native" and call["largest"] > 0
        check(("native" in call) == verified, "native", call)
        if verified:
            check(0 < call["native"] < call["seconds"], "native", call)
check((routed > 0) == (int(expected["set_up"]) > 0), routed, "calls were routed")
# What one rank says it sends is what the agreement found: the largest of all is the largest block.
if expected.get("counts") == "1":
    for id, by_rank in members.items():
        for same in zip(*by_rank.values()):
            if id in set_up and same[0]["algorithm"] not in ("native",) and same[0]["operation"] == "alltoallv":
                most = max(max(call["send_bytes"]) for call in same)
                check(all(call["largest"] == most for call in same), "largest", most, same[0])
                total = sum(call["bytes"] for call in same)
                check(abs(same[0]["mean"] - total / len(same)**2) < 1e-3, "mean", total, same[0])

# What the schema must refuse.
if expected.get("refuse") == "1":
    call = next(line for line in map(json.loads, open(names[0])) if line["event"] == "call" and line["algorithm"] != "native")
    wrong = [("event", "calls"), ("time", "1.5"), ("time", -1), ("communicator_id", 7), ("communicator_id", "12"), ("operation", "alltoallw"),
             ("ranks", 0), ("filled", 1.5), ("bytes", -1), ("seconds", None), ("phases", {}), ("send_bytes", []), ("elephant", 1),
             ("rule", "one"), ("rejected", None), ("error", "MPI_ERR_ARG")]
    for key, value in wrong:
        check(not validator.is_valid(dict(call, **{key: value})), "the schema allows", key, value)
    for event in ("header", "communicator", "clock", "call", "summary"):
        line = next((l for l in lines[0] if l["event"] == event), None)
        for key in schema["$defs"][event]["required"]:
            check(not validator.is_valid({k: v for k, v in line.items() if k != key}), "the schema does not need", key, "of", event)

for problem in problems[:10]:
    print("PROBLEM:", problem)
print(sum(map(len, lines.values())), "lines,", len(members), "communicators,", len(problems), "problems")
sys.exit(1 if problems else 0)
