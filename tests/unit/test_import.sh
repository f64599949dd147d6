#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt import: selections of MPICH and Open MPI become decision files that decide the same, call by
# call, against another reading of the same files; what cannot be expressed is told by line; bad
# input. Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
echo '{}' >empty.json

cat >mpich.json <<'END'
{
  "collective=bcast": {"comm_type=intra": {"algorithm=MPIR_Bcast_intra_binomial": {}}},
  "collective=alltoall":
  {
    "comm_type=intra":
    {
      "is_sendbuf_inplace=yes": {"algorithm=MPIR_Alltoall_intra_pairwise_sendrecv_replace": {}},
      "is_sendbuf_inplace=no":
      {
        "comm_size < 8":
        {
          "avg_msg_size<=32768": {"algorithm=MPIR_Alltoall_intra_scattered": {}},
          "avg_msg_size=any": {"algorithm=MPIR_Alltoall_intra_pairwise": {}}
        },
        "comm_size<=16": {"avg_msg_size<100": {"algorithm=MPIR_Alltoall_intra_k_brucks": {"k=4": {}}}},
        "comm_size=pow2":
        {
          "total_msg_size<=65536": {"algorithm=MPIR_Alltoall_intra_k_brucks": {"k=8": {}}},
          "any": {"algorithm=MPIR_Alltoall_intra_pairwise": {}}
        },
        "comm_size=any":
        {
          "avg_msg_size<=256": {"algorithm=MPIR_Alltoall_intra_brucks": {}},
          "avg_msg_size<5000": {"algorithm=MPIR_Alltoall_intra_new_one": {}},
          "avg_msg_size<4000": {"algorithm=MPIR_Alltoall_intra_brucks": {}},
          "avg_msg_size=any": {"algorithm=MPIR_Alltoall_intra_scattered": {}}
        }
      }
    },
    "comm_type=inter": {"algorithm=MPIR_Alltoall_inter_pairwise_exchange": {}}
  },
  "collective=alltoallv": {"comm_type=intra": {"algorithm=MPIR_Alltoallv_intra_scattered": {}}}
}
END
code 1 "$shunt" import mpich.json
cp out mpich.cfg
line err 'mpich.json:7: "is_sendbuf_inplace=yes": no rule is about calls in place alone: they follow those of "is_sendbuf_inplace=no"'
line err 'mpich.json:24: MPIR_Alltoall_intra_new_one has no counterpart, so these calls stay native: nothing here has its messages'
tests=$((tests + 1))
[ "$(wc -l <err)" -eq 2 ] || fail "more is told than cannot be expressed"
line mpich.cfg '  { id = "line 12"; ranks = "2-7"; block = "0-32K"; algorithm = "scattered"; batch_size = 32; },'
line mpich.cfg '  # MPIR_Alltoall_intra_scattered'
part mpich.cfg 'algorithm = "bruck"; radix = 4;'
tests=$((tests + 1))
grep -q '"line 25"' mpich.cfg && fail "a rule is written that no call reaches"
code 0 "$shunt" check mpich.cfg
empty err
code 1 "$shunt" import --ranks=64 -o small.cfg mpich.json
empty out
code 0 "$shunt" check small.cfg
tests=$((tests + 1))
[ "$(wc -l <small.cfg)" -lt "$(wc -l <mpich.cfg)" ] || fail "--ranks leaves no rule out"

# Leaves of one line are rules with names of their own, and numbers beyond 32 bits can be read again.
cat >line.json <<'END'
{"collective=alltoall": {"comm_type=intra": {"comm_size<9": {"avg_msg_size<=8": {"algorithm=MPIR_Alltoall_intra_brucks": {}}, "avg_msg_size<=16": {"algorithm=MPIR_Alltoall_intra_scattered": {}}},
"comm_size<20": {"algorithm=MPIR_Alltoall_intra_pairwise": {}}, "any": {"avg_msg_size<=64": {"algorithm=MPIR_Alltoall_intra_k_brucks": {"k=9": {}}}, "any": {"algorithm=MPIR_Alltoall_intra_scattered": {}}}}}}
END
code 0 "$shunt" import -o line.cfg line.json
code 0 "$shunt" check line.cfg
part line.cfg '"line 2.3"; '
cat >line.json <<'END'
{"collectives": {"alltoall": [{"comm_size_min": 4, "comm_size_max": 8, "rules": [{"msg_size_min": 0, "msg_size_max": 64, "alg": 3}, {"msg_size_min": 65, "msg_size_max": 4096, "alg": 2}]}, {"comm_size_min": 9, "comm_size_max": 64, "rules": [{"msg_size_min": 0, "msg_size_max": 99, "alg": 3, "max_requests": 5000000000}, {"alg": 4, "max_requests": 5000000000}]}]}}
END
code 0 "$shunt" import -o line.cfg line.json
code 0 "$shunt" check line.cfg

printf 'rule-file-version-2\n1 3\n1 4 2 0 4 0 0 3000000000\n64 4 0 0 3000000001\n' >line.conf
code 0 "$shunt" import -o line.cfg line.conf
part line.cfg '"3000000000"; '
code 0 "$shunt" check line.cfg

# Open MPI's two forms, of the same rules.
cat >classic.conf <<'END'
rule-file-version-2
3 # collectives
3 # alltoall
2
32 # ranks
3
0 3 0 0
4096 4 0 0 8   # eight requests
1048576 2 0 0
64
2
0 1 0 0 0
100000 0 0 0
4 # alltoallv
1
16
2
0 2 0 0
100 1 0 0
7 1 0 1 0 1 0 0 # another collective
END
code 1 "$shunt" import classic.conf
cp out classic.cfg
line err 'classic.conf:19: sizes of an alltoallv are not known to Open MPI, so this is never used, and left out'
code 0 "$shunt" check classic.cfg
cat >rules.json <<'END'
{ "rule_file_version" : 3, "module" : "tuned",
  "collectives" : {
    "bcast": [ 1 ],
    "alltoall" : [
      { "comm_size_max" : 63, "rules" : [
          { "msg_size_max" : 4095, "alg" : "modified_bruck" },
          { "msg_size_max" : 1048575, "alg" : 4, "reqs" : 8 },
          { "alg" : 2 } ] },
      { "comm_size_min" : 64, "rules" : [ { "msg_size_max" : 99999, "alg" : "linear" } ] } ],
    "alltoallv": [ {"rules": [ {"alg": "pairwise"} ] } ]
  } }
END
code 0 "$shunt" import rules.json
cp out rules.cfg
empty err
code 0 "$shunt" check rules.cfg
code 0 "$shunt" diff --ranks=2-200000 classic.cfg rules.cfg
line out 'no difference'
cat >spread.json <<'END'
{ "module": "tuned", "comm_rank_distribution": "one-per-node", "collectives": {"alltoall": [
  { "comm_rank_distribution": "single-node", "rules": [ {"alg": "linear_sync"} ] },
  { "comm_size_min": 4, "comm_size_max": 4, "rules": [
      {"msg_size_min": 4001, "msg_size_max": "inf", "alg": "pairwise"}, {"alg": "newest"}] } ] } }
END
code 1 "$shunt" import spread.json
cp out spread.cfg
line err 'spread.json:4: alltoall has no algorithm "newest": the rule is left out, as Open MPI does'
line spread.cfg '  { id = "line 2"; nodes = "1"; algorithm = "spread-out"; },'
line spread.cfg '  { id = "line 4"; ranks = "4"; ppn = "1"; block = "1001-"; algorithm = "pairwise"; },'

# Another reading of the files, and what the tables decide: the same for every call of a grid.
cat >reading.py <<'END'
import csv, json, subprocess, sys
shunt, file, table = sys.argv[1:]
ours = {"MPIR_Alltoall_intra_scattered": "scattered", "MPIR_Alltoall_intra_pairwise": "pairwise",
        "MPIR_Alltoall_intra_brucks": "bruck radix=2", "modified_bruck": "bruck radix=2",
        "linear": "linear", "pairwise": "pairwise", "linear_sync": "scattered"}
names = ["ignore", "linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"]
def mpich(tree, p, block):
    for key, value in tree.items():
        key = key.replace(" ", "")
        if key.startswith("algorithm="):
            k = [int(x[2:]) for x in value if x.startswith("k=")]
            return f"bruck radix={min(k[0], p)}" if k else ours.get(key.split("=")[1], "native")
        if "<" in key:
            name, most = key.replace("<=", "<").split("<")
            most = int(most) - ("<=" not in key)
            holds = {"comm_size": p, "avg_msg_size": block, "total_msg_size": p * block}[name] <= most
        elif key == "comm_size=pow2":
            holds = p & (p - 1) == 0
        else:
            holds = key in ("collective=alltoall", "comm_type=intra", "is_sendbuf_inplace=no") or \
                key.endswith("any")
        if holds:
            return mpich(value, p, block) or "native"
    return None
def open_mpi(tree, p, block):
    for sizes in tree["collectives"]["alltoall"]:
        if sizes.get("comm_size_min", 0) <= p <= sizes.get("comm_size_max", p):
            low = p if p & (p - 1) == 0 else 2 ** (p.bit_length() - 1)
            for rule in sizes["rules"]:
                if rule.get("msg_size_min", 0) <= low * block <= rule.get("msg_size_max", low * block):
                    alg = rule["alg"]
                    return ours[alg if isinstance(alg, str) else names[alg]]
            return "native"
tree = json.load(open(file))
read = open_mpi if "collectives" in tree else mpich
seen = set()
text = subprocess.run([shunt, "explain", "--grid", "--csv", "--op=alltoall", "--ppn=1", table,
                       "--ranks=2,3,4,6,7,8,9,15,16,17,24,32,48,63,64,65,100,128,256,1000,1024",
                       "--block=0,1,16,63,64,65,99,100,128,199,256,257,511,512,781,782,1023,1024,1562,"
                       "1563,2047,2048,4095,4096,4999,5000,32767,32768,32769,65536,1M"],
                      check=True, capture_output=True, text=True).stdout
for row in csv.DictReader(text.splitlines()):
    p, block = int(row["ranks"]), int(row["block_from"])
    wanted = read(tree, p, block)
    found = row["algorithm"]
    found += " " + row["parameters"] if found == "bruck" else ""
    seen.add(wanted)
    if found != wanted:
        print(f"{file}: {p} ranks, {block} bytes: {found}, not {wanted}")
        sys.exit(1)
assert len(seen) > 3, seen
END
if command -v python3 >/dev/null 2>&1; then
    code 0 python3 reading.py "$shunt" mpich.json mpich.cfg
    code 0 python3 reading.py "$shunt" rules.json rules.cfg
fi

# What no rule can tell ends a branch; a branch that selects nothing is native.
cat >unknown.json <<'END'
{ "collective=alltoall": {
    "comm_hierarchy=parent": { "comm_avg_ppn<=4": { "avg_msg_size<=8": {
      "algorithm=MPIR_Alltoall_intra_brucks": {} } } },
    "comm_size=node_comm_size": { "algorithm=MPIR_Alltoall_intra_pairwise": {} },
    "is_node_consecutive=yes": { "algorithm=MPIR_Alltoall_intra_pairwise": {} },
    "is_node_consecutive=no": { "algorithm=MPIR_Alltoall_intra_brucks": {} } },
  "collective=alltoallv": { "composition=MPIDI_Alltoallv_intra_composition_alpha": {} } }
END
code 1 "$shunt" import unknown.json
cp out unknown.cfg
part err 'unknown.json:2: "comm_hierarchy=parent" is about communicators with a node of several ranks'
part err 'unknown.json:2: "comm_avg_ppn<=4" is about the average of the nodes'
line err 'unknown.json:5: no rule can tell "is_node_consecutive=yes": these calls, and those of what follows it there, stay native'
part err 'unknown.json:7: MPIDI_Alltoallv_intra_composition_alpha has no counterpart'
line unknown.cfg '  { id = "line 3"; ppn = "2-4"; block = "0-8"; algorithm = "bruck"; radix = 2; },'
line unknown.cfg '  { id = "line 2.2"; ppn = "2-"; algorithm = "native"; },'
line unknown.cfg '  { id = "line 5"; algorithm = "native"; }'
code 0 "$shunt" check unknown.cfg
code 0 "$shunt" explain --op=alltoall --nodes=2 --ppn=8 --block=8 unknown.cfg
part out 'algorithm  native'

# A name that breaks its line breaks no comment.
printf '{ "collective=alltoall": { "algorithm=MPIR_x\\n } x": {} } }\n' >broken.json
code 1 "$shunt" import -o broken.cfg broken.json
code 0 "$shunt" check broken.cfg
tests=$((tests + 1))
[ "$(grep -c MPIR_x broken.cfg)" -eq 2 ] || fail "the name is not on the two lines of comments"

# wrong TEXT MESSAGE: what is told of a file with that text, which is not valid.
wrong()
{
    printf '%s\n' "$1" >wrong.txt
    code 3 "$shunt" import wrong.txt
    empty out
    part err "$2"
    tests=$((tests + 1))
    [ "$(wc -l <err)" -eq 1 ] || fail "$1: more than one line"
}

wrong '{ "collective=alltoall": { "comm_sise<8": {} } }' \
    'wrong.txt:1: "comm_sise<8" is no condition that MPICH knows (did you mean "comm_size"?)'
wrong '{ "collective=alltoall":
{ "comm_size<8": 3 } }' 'wrong.txt:2: the value of "comm_size<8" is no object'
wrong '{ "algorithm=MPIR_Alltoall_intra_brucks": {} }' 'is for no collective'
wrong '{ "collective=alltoall": { "algorithm=MPIR_Alltoall_intra_k_brucks": { "k=1": {} } } }' \
    '"k=1": k is a radix, from 2 to'
wrong '{ "collective=alltoall": {
  "comm_size<8": {"algorithm=MPIR_Alltoall_intra_brucks": {}},
  "comm_size<8": {"algorithm=MPIR_Alltoall_intra_pairwise": {}} } }' \
    'wrong.txt:3: "comm_size<8" is in this object already, in line 2'
wrong '{ "collective=alltoall": {
  "comm_size<8" {} } }' 'wrong.txt:2: this is no JSON: '
wrong '{ "collective=alltoall": {' 'this is no JSON: it ends before its brackets do'
wrong '{ "collective=alltoall": {} } 1' 'something follows the JSON value'
wrong '{ "collective=bcast": {} }' 'nothing is said about alltoall or alltoallv'
wrong '[ 1 ]' 'this is no object'
wrong '{ "module": "tuned" }' 'there is no object "collectives"'
wrong '{ "collectives": { "alltoall": {} } }' '"alltoall" is no list'
wrong '{ "collectives": { "alltoall": [ {} ] } }' 'no object with a list "rules"'
wrong '{ "collectives": { "alltoall": [ {"rules": [
  {"msg_size_min": -1, "alg": 1}]} ] } }' 'wrong.txt:2: "msg_size_min" is neither a whole number'
wrong '{ "collectives": { "alltoall": [ {"rules": [ {"reqs": 1} ]} ] } }' 'the rule has no "alg"'
wrong '1 3 1 64 2 0 1 0 0' 'wrong.txt:2: the file ends where a message size should be'
wrong '1
three' 'wrong.txt:2: "three" is no number, where the number of a collective should be'
wrong '1 3 1 64 2
0 1 0 0
0 2 0 0' 'wrong.txt:3: message size 0 comes after 0: they have to ascend'
wrong '1 3 1 64 1 0 9 0 0' 'alltoall has no algorithm 9'
wrong '1 99 0' 'there is no collective 99'
wrong '1 3 1 64 1 0 1 0 0 7' '"7" is more than the counts before it tell'
: >wrong.txt
code 3 "$shunt" import wrong.txt
part err 'wrong.txt: cannot be read: is empty'
code 4 "$shunt" import nothing.json
part err 'nothing.json: cannot be read'
code 4 "$shunt" import -o /nowhere/x.cfg rules.json
part err '/nowhere/x.cfg cannot be written'
keeps kept.cfg import -o kept.cfg rules.json
code 2 "$shunt" import
code 2 "$shunt" import a b
code 2 "$shunt" import --format=intel rules.json
part err 'is not mpich or open-mpi'
code 2 "$shunt" import --ranks=1 rules.json
# shellcheck disable=SC2016 # the inner shell expands it
code 4 sh -c '"$1" import rules.json >/dev/full' sh "$shunt"

finish_checks
