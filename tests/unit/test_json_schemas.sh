#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What explain, predict, algorithms, log --summary and report write as JSON, against their schemas; and that
# values which a schema does not have are found. (schedule, log, bench and machine:
# test_schedule_json.sh, mpi/log.sh, mpi/bench.sh, mpi/machine.sh.)
set -u
python3 -c 'import jsonschema' 2>/dev/null || {
    echo "SKIP: python3 has no module jsonschema (Debian: python3-jsonschema)"
    exit 77
}
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
schemas=$top/src/tools

# valid SCHEMA FILE...
valid()
{
    valid_schema=$1
    shift
    code 0 python3 "$top/tests/unit/valid.py" "$schemas/$valid_schema.schema.json" "$@"
}

code 0 "$shunt" algorithms --json
cp out algorithms.json
valid algorithms algorithms.json

cat >some.cfg <<'END'
schema = 1;
alltoall = ( { ranks = "2-8"; algorithm = "bruck"; radix = ("Q", "N"); } );
alltoallv = ( { id = "größe"; block = "1-64"; algorithm = "parlogna"; }, { algorithm = "native"; } );
END
number=0
for op in alltoall alltoallv; do
    for block in 0 64 1M; do
        for layout in '--ranks=2 --nodes=1' '--nodes=4 --ppn=8' '--layout=3,5,8,1'; do
            for file in built-in some.cfg; do
                number=$((number + 1))
                # shellcheck disable=SC2086 # words
                code 0 "$shunt" explain --op=$op --block=$block $layout --json $file
                cp out "explain.$number.json"
            done
        done
    done
done
number=$((number + 1))
code 0 "$shunt" explain --op=alltoallv --block=64 --nodes=4 --ppn=2 --json \
    --predict --machine=hoefler-moor-2014 some.cfg
cp out "explain.$number.json"
explain_predict=explain.$number.json
valid explain/explain explain.*.json

for rank in 0 1 2; do
    awk -v ranks=3 -v calls=12 -v rank=$rank -v late=1 -f "$top/tests/unit/log_lines.awk" \
        >job.$rank.jsonl
done
number=0
for words in job.0.jsonl 'job.0.jsonl job.1.jsonl job.2.jsonl' '--native job.2.jsonl' \
    '--rank=9 job.2.jsonl'; do
    number=$((number + 1))
    # shellcheck disable=SC2086 # words
    code 0 "$shunt" log --summary --json $words
    cp out "sums.$number.json"
done
valid log/log-summary sums.*.json
number=0
for words in job.0.jsonl 'job.0.jsonl job.1.jsonl job.2.jsonl' /dev/null \
    '--table=built-in --machine=polaris-like --config=some.cfg job.0.jsonl job.1.jsonl'; do
    number=$((number + 1))
    # shellcheck disable=SC2086 # words
    "$shunt" report --json $words >"report.$number.json" 2>err
    [ -s "report.$number.json" ] || fail "report $words"
    # What shunt log --summary tells of them.
    python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)["sums"]))' \
        <"report.$number.json" >"sums.report.$number.json"
done
valid report/report report.*.json
valid log/log-summary sums.report.*.json
# predicted NAME EXIT-STATUS OPTION...
predicted()
{
    name=$1 status=$2
    shift 2
    code "$status" "$shunt" predict --machine=hoefler-moor-2014 --json "$@"
    cp out "predict.$name.json"
}

predicted call 0 --op=alltoall --ranks=16 --ppn=4 --block=64
predicted alone 0 --op=alltoallv --ranks=1 --nodes=1 --block=0 --all
predicted none 1 --op=alltoall --layout=3,5,8,1 --block=64 --energy-at-most=1nJ
predicted drawn 0 --op=alltoallv --ranks=8 --ppn=2 --block=1K --distribution=uniform --seed=7 \
    --memory-at-most=1K --objective=energy
predicted grid 0 --op=alltoall --ranks=4-8 --ppn=2 --block=0,8,4K --memory-at-most=0
predicted cells 0 --op=alltoall --nodes=1-4 --ppn=2 --block=64 --energy-at-most=1nJ
predicted sweep 0 --op=alltoall --ranks=8 --ppn=1 --block=8 --sweep=radix --algorithm=bruck
predicted curves 0 --op=alltoallv --ranks=1-8 --ppn=1 --block=8 --curves
valid predict/predict predict.*.json

# changed SCHEMA FILE SED: is not valid any more.
changed()
{
    sed "$3" "$2" >changed.json
    cmp -s "$2" changed.json && fail "$3 changes nothing in $2"
    code 1 python3 "$top/tests/unit/valid.py" "$schemas/$1.schema.json" changed.json
}

changed algorithms algorithms.json 's/"version"/"release"/'
changed algorithms algorithms.json 's/"list": false/"list": 0/'
changed explain/explain explain.1.json 's/"ranks": 2/"ranks": "2"/'
changed explain/explain explain.1.json 's/"block": 0/"block": 0, "block": 0/'
changed explain/explain explain.1.json 's/"others"/"other"/'
if [ -e sums.2.json ]; then
    changed log/log-summary sums.2.json 's/"skew": {"calls": /"skew": {"count": /'
    changed log/log-summary sums.2.json 's/"log": {"version": /"log": {"release": /'
fi
if [ -e report.4.json ]; then
    changed report/report report.4.json 's/"waiting"/"lazy"/'
    changed report/report report.4.json 's/"basis": "same"/"basis": "guess"/'
    changed report/report report.4.json 's/"came_last": /"came_last": -/'
fi
changed explain/explain "$explain_predict" 's/"time_s"/"time_us"/'
changed predict/predict predict.call.json 's/"pareto": true/"pareto": 1/'
changed predict/predict predict.call.json 's/"form": "call"/"form": "grid"/'
changed predict/predict predict.grid.json 's/"cells"/"predictions"/'
changed predict/predict predict.sweep.json 's/"radix"/"digit"/'

finish_checks
