#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt schedule --json: every algorithm on several layouts against the schema, sums against events,
# messages against their other end, and shunt explain. Needs no MPI.
set -u
python3 -c 'import jsonschema' 2>/dev/null || {
    echo "SKIP: python3 has no module jsonschema (Debian: python3-jsonschema)"
    exit 77
}
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"

cat >check.py <<'END'
import collections, copy, itertools, json, re, subprocess, sys
import jsonschema
from shape import shape

shunt, schema_name, full = sys.argv[1], sys.argv[2], sys.argv[3] == "1"
with open(schema_name) as file:
    schema = json.load(file)
# Debian 11 and older know draft 7 at most, which has all that is used here but the place of definitions.
Validator = getattr(jsonschema, "Draft202012Validator", jsonschema.Draft7Validator)
Validator.check_schema(schema)
validator = Validator(schema)


# A document against the schema. Most events, and what they move, have the shape of one that was in such
# a document before: these are left out, for the validator takes seconds for a thousand of them.
shapes_seen = set()


def validate(document):
    kind = shape({key: value for key, value in document.items() if key != "schedules"})

    def new(value):
        key = (kind, shape(value))
        return not (key in shapes_seen or shapes_seen.add(key))

    short = dict(document, schedules=[])
    for one in document["schedules"]:
        events = []
        for event in one["events"]:
            moves = [move for move in event.get("moves", []) if new(move)]
            if new({key: value for key, value in event.items() if key != "moves"}) or moves:
                events.append(dict(event, moves=moves or event["moves"][:1]) if "moves" in event else event)
        short["schedules"].append(dict(one, events=events or one["events"][:1]))
    validator.validate(short)


def run(*words):
    done = subprocess.run([shunt, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def schedule(*words):
    status, out, err = run("schedule", "--json", *words)
    assert status == 0 and err == "", err
    return json.loads(out)


def total(values):
    values = list(values)
    return None if None in values else sum(values)


def check_totals(one):
    events, totals = one["events"], one["totals"]
    sent = [e for e in events if e["kind"] in ("send", "lengths")]
    assert totals["messages"] == len(sent)
    assert totals["blocks"] == sum(e["blocks"] for e in sent)
    assert totals.get("bytes") == total(e["bytes"] for e in sent)
    assert totals["copies"] == sum(e["blocks"] for e in events if e["kind"].startswith("copy"))
    assert totals["reads"] == sum(e["blocks"] for e in events if e["kind"] == "read")
    assert totals["barriers"] == sum(e["kind"] == "barrier" for e in events)
    assert totals["agreement_messages"] == sum(e["kind"] == "agree" for e in events)
    rounds = [e["round"] for e in events if e["round"]]
    assert all(r <= totals["rounds"] for r in rounds) and rounds == sorted(rounds)


# Parts follow each other; messages of blocks are in rounds, everything that is agreed is before.
def check_parts(one):
    order = ["agreement", "before", "round", "reads", "after"]
    places = [order.index(e["part"]) for e in one["events"]]
    assert places == sorted(places)
    for event in one["events"]:
        if event["kind"] in ("send", "receive", "lengths", "lengths_receive"):
            assert event["part"] == "round", event
        if event["kind"] == "read":
            assert event["part"] == "reads", event
        if event["kind"] in ("agree", "agree_receive"):
            assert event["part"] == "agreement", event


# The n-th message from a to b is the n-th that b receives from a, in the same round. Only the phase of parlinna inside nodes has as many
# rounds as its node needs, so there the numbers of later ones differ where nodes do. A bundle may be cut: later pieces count no blocks.
def check_pairs(document):
    same_rounds = not (document["algorithm"].startswith("parlinna-") and len(set(document["layout"])) > 1)
    sent, received = collections.defaultdict(list), collections.defaultdict(list)
    for one in document["schedules"]:
        for e in one["events"]:
            if e["kind"] in ("send", "receive"):
                out = e["kind"] == "send"
                ends = (one["rank"], e["peer"]) if out else (e["peer"], one["rank"])
                messages_of = (sent if out else received)[ends]
                if e["blocks"] > 0:
                    messages_of.append(dict(e))
                elif e["bytes"] is not None and messages_of[-1]["bytes"] is not None:
                    messages_of[-1]["bytes"] += e["bytes"]
    assert sent.keys() == received.keys(), sent.keys() ^ received.keys()
    for key, out in sent.items():
        assert len(out) == len(received[key]), key
        for a, b in zip(out, received[key]):
            assert a["round"] == b["round"] or not same_rounds, (key, a, b)
            if a["bytes"] is not None and b["bytes"] is not None:
                assert (a["blocks"], a["bytes"]) == (b["blocks"], b["bytes"]), (key, a, b)
    return sum(len(out) for out in sent.values())


def table_of(op, text):
    name, *parameters = text.split(":")
    rule = 'algorithm = "%s";' % name
    for parameter in parameters:
        key, value = parameter.split("=")
        rule += " %s = %s;" % (key, value if value.isdigit() else '"%s"' % value)
    with open("one.cfg", "w") as file:
        file.write("schema = 1;\n%s = ( { %s } );\n" % (op, rule))


def check_explain(op, text, layout, block, document):
    table_of(op, text)
    for one in document["schedules"][::3]:
        status, out, err = run("explain", "--json", "--op", op, "--layout", layout, "--block", block, "--rank", str(one["rank"]), "one.cfg")
        assert status == 0, err
        said = json.loads(out)
        counted = {key: value for key, value in said["schedule"].items() if not key.endswith("_of_all")}
        assert counted.pop("rank") == one["rank"]
        assert counted == one["totals"], (counted, one["totals"])
        assert said["algorithm"] == document["algorithm"] and said["parameters"] == document["parameters"]


# All blocks of one size from a file are what --block says, but for bundles that pass, which are known then.
def check_counts(words, document):
    ranks = document["ranks"]
    with open("equal", "w") as file:
        file.write("# counts\n" + (" ".join(["300"] * ranks) + "\n") * ranks)
    counted = schedule(*words[:-2], "--counts", "equal", "--rank", "all")
    validate(counted)
    assert counted["counts"] == "equal" and counted["block"] == 300 and document["counts"] is None
    for one, other in zip(document["schedules"], counted["schedules"]):
        for e in other["events"]:
            assert e["bytes"] is not None, e
        copies = lambda events: [e["bytes"] for e in events if e["kind"] in ("copy", "copy_in")]
        assert copies(one["events"]) == copies(other["events"])
        without = lambda events: [
            {key: e[key] for key in ("kind", "part", "round", "peer") + (("blocks",) if e["kind"] not in ("send", "receive") else ())}
            for e in events]
        assert without(one["events"]) == without(other["events"])
        for key, value in one["totals"].items():
            assert other["totals"][key] == value or "bytes" not in one["totals"] and key in ("bytes", "blocks"), key
        check_totals(other)
        check_parts(other)
    check_pairs(counted)


# Blocks of all sizes: each of them leaves its rank and comes to its own at least once, and no message is empty.
def check_uneven(words, document):
    ranks = document["ranks"]
    counts = [[(a * 7 + b * 13) % 5 * 60 for b in range(ranks)] for a in range(ranks)]
    with open("uneven", "w") as file:
        file.writelines(",".join(map(str, row)) + "\n" for row in counts)
    counted = schedule(*words[:-2], "--counts", "uneven", "--rank", "all")
    validate(counted)
    check_pairs(counted)
    check_moves([*words[:-2], "--counts", "uneven", "--rank", "all"], counts)
    sizes = counted["layout"]
    node_of = [node for node, size in enumerate(sizes) for _ in range(size)]
    for one in counted["schedules"]:
        check_totals(one)
        check_parts(one)
        assert all(e["bytes"] != 0 for e in one["events"] if e["kind"] in ("send", "receive", "read"))
    shares = counted["algorithm"] in ("parlinna-shared", "node-pair", "node-bruck", "shared-segment", "peer-read")
    least = sum(counts[a][b] for a in range(ranks) for b in range(ranks) if a != b and (not shares or node_of[a] != node_of[b]))
    moved = sum(one["totals"]["bytes"] for one in counted["schedules"])
    assert moved >= least, (moved, least)
    if counted["algorithm"] in ("spread-out", "scattered", "pairwise", "linear", "exclusive-or"):
        assert moved == least
        for a, one in enumerate(counted["schedules"]):
            assert {e["peer"]: e["bytes"] for e in one["events"] if e["kind"] == "send"} == {
                b: counts[a][b] for b in range(ranks) if b != a and counts[a][b] > 0}
    if counted["algorithm"] == "peer-read":
        for a, one in enumerate(counted["schedules"]):
            assert {e["peer"]: e["bytes"] for e in one["events"] if e["kind"] == "read"} == {
                b: counts[b][a] for b in range(ranks) if b != a and counts[b][a] > 0}


# Every block is taken from where it is, and ends at its rank in its place; nothing is overwritten. Runs the events of all ranks by their
# messages, the n-th from a to b with the n-th that b receives.
def check_moves(words, counts=None):
    document = schedule(*words, "--moves")
    validate(document)
    ranks, events = document["ranks"], [one["events"] for one in document["schedules"]]
    node_of = [one["node"] for one in document["schedules"]]
    at = {(a, "send %d" % b): (a, b) for a in range(ranks) for b in range(ranks)}
    shared, wires = collections.defaultdict(set), collections.defaultdict(collections.deque)
    next_of, waits = [0] * ranks, [False] * ranks

    def key(rank, event, place, block):
        return (event["peer"], "send %d" % rank) if place == "neighbour" else (rank, place)

    def can(rank, event):
        if event["kind"] == "receive":
            return bool(wires[event["peer"], rank])
        return all(m["out_of"] != "shared" or (m["block_of"], m["block_for"]) in shared[node_of[rank]] for m in event["moves"])

    def move(rank, event):
        blocks = [(m["block_of"], m["block_for"]) for m in event["moves"]]
        if event["kind"] == "receive":
            assert wires[event["peer"], rank].popleft() == blocks, (rank, event)
        if event["kind"] == "send" and event["moves"]:
            wires[rank, event["peer"]].append(blocks)
        for m, block in zip(event["moves"], blocks):
            if m["out_of"] not in ("message", "shared"):
                assert at[key(rank, event, m["out_of"], block)] == block, (rank, event, m)
            if m["out_of"] not in ("message", "shared", "neighbour") and not m["out_of"].startswith("send"):
                del at[rank, m["out_of"]]
        for m, block in zip(event["moves"], blocks):
            if m["into"] == "shared":
                shared[node_of[rank]].add(block)
            elif m["into"] != "message":
                assert (rank, m["into"]) not in at, (rank, event, m)
                at[rank, m["into"]] = block

    # Receives stand before the sends of their round, in which a place may become free: they end with the round.
    def run_round(rank):
        mine, i = events[rank], next_of[rank]
        first = mine[i]
        group = [first]
        if first["part"] == "round":
            group = [e for e in mine[i:] if e["part"] == "round" and e["round"] == first["round"]]
        group = [e for e in group if e["kind"] not in ("copy",) or e["moves"]] or [first]
        size = len([e for e in mine[i:] if e["part"] == "round" and e["round"] == first["round"]]) if first["part"] == "round" else 1
        if not waits[rank]:
            sends = [e for e in group if e["kind"] != "receive"]
            if not all(can(rank, e) for e in sends):
                return False
            for e in sends:
                move(rank, e)
            waits[rank] = True
            return True
        needs = collections.Counter(e["peer"] for e in group if e["kind"] == "receive" and e["moves"])
        if any(len(wires[peer, rank]) < count for peer, count in needs.items()):
            return False
        for e in group:
            if e["kind"] == "receive" and e["moves"]:
                move(rank, e)
        waits[rank] = False
        next_of[rank] += size
        return True

    while any([run_round(rank) for rank in range(ranks) if next_of[rank] < len(events[rank])]):
        pass
    assert all(next_of[rank] == len(events[rank]) for rank in range(ranks)), next_of
    assert not any(wires.values())
    for a in range(ranks):
        for b in range(ranks):
            assert counts and counts[a][b] == 0 or at[b, "receive %d" % a] == (a, b), (a, b)


# What the model says of each event: all within the call, what a rank does itself in its order, no
# message here before it was sent, and the last of them is done with the call that predict predicts.
def check_times(op, text, words, document):
    timed = schedule(*words, "--rank", "all", "--machine=hoefler-moor-2014")
    validate(timed)
    end, sent, received = timed["time_s"], collections.defaultdict(list), collections.defaultdict(list)
    for one, plain in zip(timed["schedules"], document["schedules"]):
        last = 0
        assert [{key: value for key, value in e.items() if key != "done_s"} for e in one["events"]] == plain["events"]
        for e in one["events"]:
            assert 0 <= e["done_s"] <= end * (1 + 1e-9), (e, end)
            if e["kind"].endswith("receive"):
                received[e["peer"], one["rank"]].append(e["done_s"])
            else:
                assert e["done_s"] >= last, (one["rank"], e)
                last = e["done_s"]
                if e["kind"] in ("send", "agree", "lengths"):
                    sent[one["rank"], e["peer"]].append(e["done_s"])
    for key, times in sent.items():
        assert all(a < b for a, b in zip(times, received[key])), key
    status, out, err = run("predict", "--json", "--machine=hoefler-moor-2014", *words[2:], "--algorithm", text)
    assert status == 0, err
    (said,) = [one for one in json.loads(out)["predictions"] if one["algorithm"] == document["algorithm"]]
    if not timed["agrees"] or said["messages"] == sum(len(times) for times in sent.values()):
        assert abs(said["time_s"] - end) <= 1e-9 * end, (said["time_s"], end)
    return said["time_s"]


further = {
    "bruck": ["bruck:radix=3"],
    "parlogna": ["parlogna:radix=3:metadata=separate", "parlogna:metadata=separate:batch_size=1"],
    "parlinna-coalesced": ["parlinna-coalesced:radix=3:metadata=separate:batch_size=1"],
    "parlinna-staggered": ["parlinna-staggered:batch_size=3"],
    "parlinna-shared": ["parlinna-shared:batch_size=1:parts=2", "parlinna-shared:batch_size=1"],
    "node-pair": ["node-pair:leaders=2", "node-pair:leaders=2:fragment=1K"],
}
layouts = ["7", "8", "2,2,2,2", "3,1,5", "1,1,1", "cyclic:2,1,3", "4,3"]
documents = messages = refused = 0
# Half of the layouts, the other half with the next operation or parameters; all with SHUNT_TEST_FULL=1.
turn = itertools.count()
for row in json.loads(run("algorithms", "--json")[1])["algorithms"]:
    for text in [row["algorithm"]] + further.get(row["algorithm"], []):
        for op in row["operations"]:
            at = next(turn)
            for layout in layouts if full else layouts[(at + at // 2) % 2::2]:
                where = "%s, %s on %s" % (op, text, layout)
                words = ["--algorithm", text, "--op", op, "--layout", layout, "--block", "300"]
                if row["algorithm"] in ("native", "padded-alltoall") or run("schedule", *words)[0] == 2:
                    status, out, err = run("schedule", "--json", *words)
                    assert status == 2 and out == "" and err.count("\n") == 1, where
                    refused += 1
                    continue
                try:
                    document = schedule(*words, "--rank", "all")
                    validate(document)
                    sizes = [int(size) for size in layout.replace("cyclic:", "").split(",")]
                    assert document["layout"] == sizes and document["ranks"] == sum(sizes)
                    assert [one["rank"] for one in document["schedules"]] == list(range(sum(sizes)))
                    if layout == "cyclic:2,1,3":
                        assert [one["node"] for one in document["schedules"]] == [0, 1, 2, 0, 2, 2], where
                    for one in document["schedules"]:
                        check_totals(one)
                        check_parts(one)
                    messages += check_pairs(document)
                    check_moves(words + ["--rank", "all"])
                    check_explain(op, text, layout, "300", document)
                    if layout in ("8", "3,1,5", "cyclic:2,1,3"):
                        check_times(op, text, words, document)
                    if op == "alltoallv":
                        check_counts(words, document)
                        check_uneven(words, document)
                    alone = schedule(*words, "--rank", "2")
                    assert alone["schedules"] == document["schedules"][2:3]
                except Exception:
                    print("at", where, file=sys.stderr)
                    raise
                documents += 1

# What the schema must refuse.
def change(document, path, value):
    changed = copy.deepcopy(document)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return changed


document = schedule("--algorithm", "parlogna", "--op", "alltoallv", "--layout", "2,2", "--block", "8")
validate(document)
first = ["schedules", 0]
send = next(i for i, e in enumerate(document["schedules"][0]["events"]) if e["kind"] == "send")
wrong = [
    (["operation"], "alltoallw"), (["counts"], 1), (["ranks"], 0), (["block"], -1), (["layout"], []), (["elephant"], 1), (["schedules"], []),
    (first + ["events", send, "kind"], "sends"), (first + ["events", send, "peer"], None), (first + ["events", send, "round"], None),
    (first + ["events", send, "part"], "after"), (first + ["events", send, "bytes"], "8"), (first + ["totals", "messages"], None),
    (first + ["totals", "elephant"], 1),
]
for path, value in wrong:
    assert not validator.is_valid(change(document, path, value)), (path, value)
for key in document:
    assert not validator.is_valid({name: value for name, value in document.items() if name != key}), key
moved = schedule("--algorithm", "parlogna", "--op", "alltoallv", "--layout", "2,2", "--block", "8", "--moves")
validate(moved)
assert all("moves" not in e for e in document["schedules"][0]["events"])
for key, value in [("out_of", "slot"), ("into", "elephant 1"), ("block_of", "0"), ("elephant", 1)]:
    assert not validator.is_valid(change(moved, first + ["events", send, "moves", 0, key], value)), key
timed = schedule("--algorithm", "bruck", "--op", "alltoall", "--ranks", "4", "--machine=hoefler-moor-2014")
for path, value in [(["time_s"], -1), (["machine"], None), (first + ["events", 0, "done_s"], None)]:
    assert not validator.is_valid(change(timed, path, value)), path
assert not validator.is_valid({name: value for name, value in timed.items() if name != "time_s"})


# The text has the same times, in one column: copies behind each other are one line, done with the last.
def same_time(said, time, scale):
    return abs(said - time) <= 0.0006 * scale  # three digits behind the point


def check_time_text(*words):
    options = [*words, "--rank", "all", "--machine=polaris-like"]
    document = schedule(*options)
    status, out, err = run("schedule", *options)
    assert status == 0 and err == "", err
    said = re.search(r"^machine    polaris-like: the last rank is done after ([0-9.]+) (ns|us|ms|s);", out, re.M)
    assert said, out
    scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[said[2]]
    assert 1 <= float(said[1]) < 1000.001 and same_time(float(said[1]) * scale, document["time_s"], scale), out
    wanted = []
    for one in document["schedules"]:
        events = one["events"]
        for e, behind in zip(events, events[1:] + [None]):
            same = behind and e["kind"].startswith("copy") and all(e[key] == behind[key] for key in ("kind", "part", "round"))
            if not same:
                wanted.append(e["done_s"])
    lines = re.findall(r"^(    ( *[0-9.]+) %s  )[a-z]" % said[2], out, re.M)
    assert len({len(whole) for whole, number in lines}) == 1, out
    assert len(lines) == len(wanted) > 0, (len(lines), len(wanted))
    assert all(same_time(float(number) * scale, time, scale) for (whole, number), time in zip(lines, wanted)), out


check_time_text("--algorithm", "bruck", "--op", "alltoall", "--ranks", "8", "--nodes", "2", "--block", "512")
check_time_text("--algorithm", "parlogna", "--op", "alltoallv", "--ranks", "6", "--block", "64K")
check_time_text("--algorithm", "peer-read", "--op", "alltoallv", "--ranks", "3", "--block", "1M")
check_time_text("--algorithm", "spread-out", "--op", "alltoall", "--ranks", "2")
# A list of radices, one per digit.
mixed = schedule("--algorithm", "bruck:radix=3x5", "--op", "alltoall", "--ranks", "40")
validate(mixed)
assert mixed["parameters"] == "radix=3x5"
assert documents > 150 and messages > 3000 and refused > 10, (documents, messages, refused)
print(documents, "documents,", messages, "messages with their other end,", refused, "refused")
END
code 0 env PYTHONPATH="$top/tests" PYTHONDONTWRITEBYTECODE=1 python3 check.py "$shunt" \
    "$top/src/tools/schedule/schedule.schema.json" "$SHUNT_TEST_FULL"
cat out
finish_checks
