#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scripts/simulate: the executors under SimGrid. Every byte arrives, the same command gives the same
# figures, and they are near those of the cost model. Skipped where SimGrid is not installed. With the
# programs built some seconds, and half a minute more to build them, once.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2317 # "check" calls functions
. "$(dirname "$0")/../common.sh"

need_command smpirun
need_command smpicc
need_command python3
simulate=$top/scripts/simulate
routed="--algorithm=spread-out --algorithm=parlogna:radix=3 --algorithm=parlinna-coalesced:radix=3:batch_size=2
    --algorithm=parlinna-shared --algorithm=node-pair:leaders=2 --algorithm=node-bruck:radix=2"

# run FILE OPTION...: figures into the file.
run()
{
    run_csv=$1
    shift
    "$simulate" --csv="$run_csv" --ranks=24 --ppn=6 --block=16,400 "$@" >"$work/out" 2>"$work/errors" && return
    fail "simulate $*" "$work/errors" simulation.log
}

refused()
{
    "$simulate" --no-such-option >/dev/null 2>"$work/errors"
    [ $? = 2 ] && grep -q -e --no-such-option "$work/errors"
}

# rows COUNT FILE: so many lines of figures, with two times each.
rows()
{
    awk -F, -v count="$1" 'NR > 1 { rows++; bad += NF != 10 || !($9 > 0) || !($10 > 0) }
        END { exit !(rows == count && !bad) }' "$2"
}

near()
{
    awk -F, 'NR > 1 && $8 != "native" { ratio = $9 / $10; if (ratio < 0.7 || ratio > 1.4) { print; bad = 1 } }
        END { exit bad }' "$1"
}

check "a wrong option is refused by name" refused
# shellcheck disable=SC2086 # one word per option
run "$work/first.csv" --check $routed
check "every algorithm has a line per block, with two times" rows 14 "$work/first.csv"
check "simulated and predicted times are within 40 percent" near "$work/first.csv"
cp "$work/first.csv" "$work/resumed.csv"
# shellcheck disable=SC2086 # likewise
run "$work/resumed.csv" $routed
check "nothing is simulated twice for the same file" cmp "$work/first.csv" "$work/resumed.csv"
# Another run gives the same figures, digit for digit, also with data that nobody looks at: three ways
# of holding data, all of them with SHUNT_TEST_FULL=1.
same()
{
    grep -vxFf "$1" "$2" >"$work/others"
    [ "$(wc -l <"$2")" -eq "$3" ] && [ ! -s "$work/others" ]
}
again="--algorithm=parlogna:radix=3 --algorithm=parlinna-shared --algorithm=node-bruck:radix=2"
again_lines=9
[ "$SHUNT_TEST_FULL" != 1 ] || again=$routed again_lines=15
# shellcheck disable=SC2086 # likewise
run "$work/unseen.csv" $again
check "another run, in which nobody looks at data, gives the same times" same "$work/first.csv" \
    "$work/unseen.csv" $again_lines
run "$work/uniform.csv" --op=alltoall --check --algorithm=node-pair --algorithm=bruck:radix=2
check "MPI_Alltoall is simulated too" rows 6 "$work/uniform.csv"
# Blocks of one size have one row of counts for all ranks, and tables are those of one rank.
even="--distribution=uniform --algorithm=parlogna:radix=3 --algorithm=node-pair:leaders=2"
# shellcheck disable=SC2086 # likewise
run "$work/even.csv" --check $even
check "equal blocks of MPI_Alltoallv are simulated too" rows 6 "$work/even.csv"
# shellcheck disable=SC2086 # likewise
run "$work/unchecked.csv" $even
check "with buffers that all ranks share times are the same" cmp "$work/even.csv" "$work/unchecked.csv"
# A program's exchanges, whose answer is looked at.
application()
{
    application_csv=$1
    "$simulate" --csv="$application_csv" --application='paths --generate 100' --ranks=12 --ppn=4 \
        --algorithm="$2" >"$work/out" 2>"$work/errors" && return
    fail "simulate --application" "$work/errors" simulation.log
}
application_rows()
{
    awk -F, 'NR > 1 { rows++; bad += NF != 9 || $7 < 10 || !($9 > 0) || !($8 >= $9) }
        END { exit !(rows == 3 && !bad) }' "$1"
}
application "$work/application.csv" 'node-pair parlogna:radix=2'
check "an application has a line per algorithm, with its calls and times" application_rows \
    "$work/application.csv"
application "$work/application2.csv" node-pair
check "and the same figures again" same "$work/application.csv" "$work/application2.csv" 3
cp "$work/application2.csv" "$work/application3.csv"
application "$work/application3.csv" node-pair
check "which are not made twice for the same file" cmp "$work/application2.csv" \
    "$work/application3.csv"
another_answer()
{
    mkdir -p "$work/bin"
    cat >"$work/bin/smpirun" <<'END'
#!/bin/sh
echo "checksum   $(date +%N)"
END
    chmod +x "$work/bin/smpirun"
    PATH=$work/bin:$PATH "$simulate" --application='paths --generate 100' --ranks=12 --ppn=4 \
        --algorithm=node-pair >"$work/out" 2>"$work/errors"
    [ $? = 1 ] && grep -q 'node-pair among 12 ranks of polaris-like: another answer' "$work/errors"
}
check "another answer is told" another_answer
# Where a simulation is killed, smpirun says so on its standard output.
killed()
{
    mkdir -p "$work/bin"
    cat >"$work/bin/smpirun" <<'END'
#!/bin/sh
echo 'Execution failed with code 137.'
echo 'src/simulation --cfg=smpi/privatization:1 platform.xml'
exit 137
END
    chmod +x "$work/bin/smpirun"
    cp "$work/first.csv" "$work/killed.csv"
    PATH=$work/bin:$PATH "$simulate" --csv="$work/killed.csv" --ranks=12 --ppn=6 --block=16 \
        --algorithm=node-pair >"$work/out" 2>"$work/errors"
    [ $? = 5 ] && grep -q 'exit code 137; left out' "$work/errors" &&
        cmp "$work/first.csv" "$work/killed.csv"
}
check "a simulation that is killed leaves nothing in the file" killed
# What this host has for its own programs has no say.
mkdir -p "$work/config/shunt"
cat >"$work/config/shunt/all.cfg" <<'END'
schema = 1;
machine = { name = "all"; hosts = ( "*" ); };
alltoallv = ( { id = "all"; algorithm = "native"; } );
END
XDG_CONFIG_HOME=$work/config run "$work/own.csv" --without-native --algorithm=node-pair:leaders=2
check "tables of this host are not looked for" test ! -s "$work/errors"
# 64 x 64 blocks of 256 KiB are 1 GiB, and each is in three places.
run_large()
{
    python3 - "$simulate" >"$work/out" 2>"$work/errors" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "--ranks=64", "--ppn=8", "--block=256K", "--algorithm=parlogna:radix=8",
                "--distribution=uniform", "--without-native"], check=True)
largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(largest, "MiB at most")
sys.exit(largest > 256)
END
}
# Most systems have one page of zeros for all memory that is read and was never written.
reading_is_free()
{
    python3 - <<'END'
import mmap, sys
resident = lambda: int(open("/proc/self/statm").read().split()[1]) * mmap.PAGESIZE
size = 64 << 20
memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
before = resident()
sum(memory[i] for i in range(0, size, mmap.PAGESIZE))
sys.exit(resident() - before > size // 64)
END
}
if reading_is_free; then
    check "large blocks whose data nobody looks at take no memory" run_large
else
    echo "not tried: large blocks (on this system memory that is only read takes as much)"
fi
finish
