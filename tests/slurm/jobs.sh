#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What has to hold for jobs under Slurm. Run by slurm.sh within a cluster of two hosts of four
# processors; not a test by itself.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
home=$SLURM_TEST_HOME # with what the prologs told
plain=$top_build/tests/preload/plain
shunt=$top_build/src/shunt
# Ranks outnumber processors, and talk over TCP between hosts.
helpers=${yield:+$yield:}$top_build/tests/preload/libshuntleave.so
[ -e "${helpers##*:}" ] || helpers=$yield
preload=$lib:$helpers
export UCX_TLS=tcp,sm,self HOME="$work" XDG_CONFIG_HOME="$work/config"
mkdir -p "$XDG_CONFIG_HOME/shunt"
chmod 755 "$work"
version=$("$shunt" --version | sed 's/^shunt //')
# Two ranks on each host.
four='-N2 -n4 --ntasks-per-node=2'
force=alltoallv=parlogna:radix=2,alltoall=bruck:radix=2

# step COMMAND...: at most a minute; $work/out, $work/err without srun's own lines, $status.
step()
{
    timeout -k 10 60 "$@" >"$work/out" 2>"$work/all" </dev/null
    status=$?
    case $status in 124 | 137) echo "HANG: $*" ;; esac
    grep -v '^srun: ' "$work/all" >"$work/err"
}

# ended WHAT: the program of the tests found its values right, on four ranks.
ended()
{
    if [ "$status" -eq 7 ] && [ "$(cat "$work/out")" = "ranks ${2:-4} wrong 0" ]; then
        pass "$1"
    else
        fail "$1: status $status" "$work/out" "$work/all"
    fi
}

# tells WHAT LINE: it is said once.
tells()
{
    if [ "$(grep -cxF -e "$2" "$work/err")" -eq 1 ]; then
        pass "$1: $2"
    else
        fail "$1: not said once: $2" "$work/out" "$work/all"
    fi
}

# over JOB: it has ended, and will not be begun anew.
over()
{
    ! scontrol -o show job "$1" | grep -qE \
        'JobState=(PENDING|CONFIGURING|RUNNING|SUSPENDED|COMPLETING|REQUEUED|REQUEUE_HOLD)'
}

# job NAME [sbatch option]...: submits standard input, with a line for the shell above it, and
# waits; its output in $work/NAME.out. sbatch --wait asks every few seconds only.
job()
{
    job_name=$1
    shift
    {
        echo '#!/bin/bash'
        cat
    } >"$work/$job_name"
    number=$(sbatch --parsable -o "$work/$job_name.out" -e "$work/$job_name.err" "$@" \
        "$work/$job_name")
    waited=0
    until over "$number"; do
        [ $waited -lt 450 ] || { echo "HANG: job $job_name" && scancel "$number" && break; }
        sleep 0.2
        waited=$((waited + 1))
    done
    status=$(scontrol -o show job "$number" | sed 's/.* ExitCode=\([0-9]*\):.*/\1/')
}

library=$(srun --mpi=pmi2 -n1 env LD_PRELOAD="$preload" SHUNT_LOG=start "$plain" 2>&1 |
    sed -n 's/^shunt .*, \(MPICH .*\)/\1/p')
active="shunt $version: built-in, 4 ranks on 2 nodes, $library"

# Without the library: what the others are held against.
# shellcheck disable=SC2086 # words
step env LD_PRELOAD="$helpers" srun --mpi=pmi2 $four "$plain"
ended "srun --mpi=pmi2 starts ranks of this MPI library"

## Ways to preload.
# shellcheck disable=SC2086 # words
{
    step env LD_PRELOAD="$preload" SHUNT_LOG=start srun --mpi=pmi2 $four "$plain"
    ended "LD_PRELOAD set before srun"
    tells "LD_PRELOAD set before srun" "$active"
    step srun --export="ALL,LD_PRELOAD=$preload,SHUNT_LOG=start" --mpi=pmi2 $four "$plain"
    ended "srun --export=ALL,LD_PRELOAD="
    tells "srun --export=ALL,LD_PRELOAD=" "$active"
    step srun --export="LD_PRELOAD=$preload,SHUNT_LOG=start,UCX_TLS" --mpi=pmi2 $four "$plain"
    ended "srun --export= with these variables alone"
    tells "srun --export= with these variables alone" "$active"
    step env SITE_PRELOAD="$preload" SHUNT_LOG=start srun --mpi=pmi2 $four "$plain"
    ended "the site's task prolog preloads"
    tells "the site's task prolog preloads" "$active"
    step env LD_PRELOAD="$helpers" srun --mpi=pmi2 $four "$shunt" run "$plain"
    ended "srun starts shunt run"
    step env LD_PRELOAD="$helpers" SHUNT_FORCE="$force" SHUNT_VERIFY=1 "$shunt" run \
        srun --mpi=pmi2 $four "$plain"
    ended "shunt run starts srun"
}
check "its ranks route every call" grep -q 'summary of rank 0 of 4: routed 10 of 10 calls' \
    "$work/err"
check "nothing is said of calls that were not routed" \
    [ "$(grep -c 'nothing was routed' "$work/err")" -eq 0 ]

## Launchers, layouts.
# shellcheck disable=SC2086 # words
for layout in '-n5 -N2' '-n8 -N2 --distribution=cyclic' '-n7 -N2 --ntasks-per-node=4' '-n3 -N1'; do
    ranks=${layout%% *}
    step env LD_PRELOAD="$preload" SHUNT_FORCE="$force" SHUNT_VERIFY=1 srun --mpi=pmi2 $layout \
        "$plain"
    ended "srun $layout" "${ranks#-n}"
done
step env LD_PRELOAD="$preload" SHUNT_FORCE="$force" SHUNT_VERIFY=1 srun --mpi=pmi2 -N2 -n12 \
    --overcommit "$plain"
ended "srun --overcommit" 12
step env LD_PRELOAD="$preload" SHUNT_LOG=start salloc -Q -N1 -n1 : -N1 -n3 srun --mpi=pmi2 -n1 \
    "$plain" : -n3 "$plain"
ended "a heterogeneous job of one rank and three"
tells "a heterogeneous job" "$active"

# A user without the rights of root, whose ranks share memory.
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
# shellcheck disable=SC2086 # words
if $user test -r "$lib" -a -x "$plain" 2>/dev/null; then
    # shellcheck disable=SC2086 # words
    step $user env LD_PRELOAD="$preload" SHUNT_VERIFY=1 SHUNT_LOG=summary \
        SHUNT_FORCE=alltoallv=node-pair,alltoall=shared-segment srun -D / --mpi=pmi2 -N1 -n4 "$plain"
    ended "ranks of another user than root"
    check "their calls are routed, through shared memory" grep -q 'routed 10 of 10 calls' "$work/err"
else
    echo "not tried: another user than root (it cannot read $lib)"
fi

# shellcheck disable=SC2086 # words
step env LD_PRELOAD="$preload" SHUNT_LOG=start srun --mpi=none $four "$plain"
check "without PMI ranks are told once that each is alone" \
    [ "$(grep -c 'every process runs alone.*srun started 4 of them' "$work/err")" -eq 1 ]
job hydra -N2 -n4 --ntasks-per-node=2 <<END
LD_PRELOAD=$preload SHUNT_LOG=start SHUNT_FORCE=$force SHUNT_VERIFY=1 $MPIEXEC "$plain"
exit \$?
END
cp "$work/hydra.out" "$work/out" && cp "$work/hydra.err" "$work/all" && cp "$work/all" "$work/err"
ended "mpiexec within a batch job, over its two hosts"
check "mpiexec within a batch job: $(grep '^shunt ' "$work/err")" grep -q \
    ", 4 ranks on several hosts, 2 on this one, $library" "$work/err"
step salloc -Q -N2 -n4 env LD_PRELOAD="$helpers" "$shunt" run srun --mpi=pmi2 "$plain"
ended "salloc, shunt run, srun"
step env SHUNT_LOG=off LD_PRELOAD="$helpers" "$shunt" run sbatch -W -Q -N2 -n4 -o "$work/later.out" \
    --export=ALL,SHUNT_LOG=start --wrap "srun --mpi=pmi2 $plain"
check "shunt run starts sbatch: the job's ranks are preloaded" \
    grep -qxF "$active" "$work/later.out"

## Open MPI, which Slurm starts by PMIx.
other=$work/plain-open-mpi
if ! command -v mpicc.openmpi >/dev/null; then
    echo "not tried: Open MPI (mpicc.openmpi is not installed)"
elif ! srun --mpi=list 2>&1 | grep -q pmix; then
    echo "not tried: Open MPI (this Slurm has no PMIx)"
elif ! mpicc.openmpi -o "$other" "$top/tests/preload/plain.c" "$top/tests/preload/exchange.c"; then
    fail "a program can be compiled with mpicc.openmpi"
else
    export OMPI_MCA_btl=tcp,vader,self OMPI_MCA_btl_vader_single_copy_mechanism=none
    export OMPI_MCA_mpi_yield_when_idle=1
    # shellcheck disable=SC2086 # words
    {
        step env LD_PRELOAD="$helpers" srun --mpi=pmix $four "$other"
        ended "srun --mpi=pmix starts ranks of Open MPI"
        step env LD_PRELOAD="$preload" SHUNT_LOG=start SHUNT_FORCE="$force" SHUNT_VERIFY=1 \
            srun --mpi=pmix $four "$other"
        ended "srun --mpi=pmix, Open MPI under the library"
        check "its nodes are known: $(grep '^shunt ' "$work/err")" grep -q \
            "^shunt $version: .*, 4 ranks on 2 nodes, Open MPI" "$work/err"
        step env LD_PRELOAD="$helpers" SHUNT_FORCE="$force" "$shunt" run srun --mpi=pmix $four \
            "$other"
        ended "shunt run starts srun --mpi=pmix"
        check "ranks of Open MPI route every call" grep -q \
            'summary of rank 0 of 4: routed 10 of 10 calls' "$work/err"
    }
fi

## What keeps LD_PRELOAD from the ranks is said.
# On one host, for nothing helps these ranks.
step "$shunt" run srun --export=NONE --mpi=pmi2 -N1 -n2 "$plain"
check "shunt run srun --export=NONE says that nothing was routed" \
    grep -q 'nothing was routed.*--export=NONE' "$work/err"
job closed -N1 -n2 --export=NONE <<END
"$shunt" run srun --mpi=pmi2 "$plain"
SLURM_EXPORT_ENV=ALL "$shunt" run srun --mpi=pmi2 "$plain"
END
check "in a job of sbatch --export=NONE, steps are without LD_PRELOAD, which is said once" \
    [ "$(grep -c 'nothing was routed.*SLURM_EXPORT_ENV=NONE' "$work/closed.err")" -eq 1 ]
check "SLURM_EXPORT_ENV=ALL, as it says, has them preloaded" \
    [ "$(grep -c "^shunt $version: built-in, 2 ranks on 1 node" "$work/closed.err")" -eq 1 ]

## The decision file of the hosts that the ranks are on.
cat >"$XDG_CONFIG_HOME/shunt/nodes.cfg" <<'END'
schema = 1;
machine = { name = "alpha"; hosts = ( "node[1-2]" ); };
alltoallv = ( { algorithm = "scattered"; } );
END
# shellcheck disable=SC2086 # words
step env LD_PRELOAD="$helpers" "$shunt" run srun --mpi=pmi2 $four "$plain"
tells "the file whose machine.hosts has the nodes" \
    "shunt $version: $XDG_CONFIG_HOME/shunt/nodes.cfg (alpha), 4 ranks on 2 nodes, $library"
check "the host where it was started has another, and it is said whose counts" grep -q \
    "^shunt: table of host login: built-in; the job uses that of its rank 0's host" "$work/err"
rm "$XDG_CONFIG_HOME/shunt/nodes.cfg"

## The log: names by job, step and try; a file of its own for each task of an array.
job logs -N2 -n4 <<END
export LD_PRELOAD=$preload SHUNT_LOG=calls SHUNT_LOG_FILE=$work/steps.%j.%s.%t.%r.jsonl
srun --mpi=pmi2 "$plain"
srun --mpi=pmi2 "$plain"
$MPIEXEC "$plain"
END
for step in 0 1 2; do
    for rank in 0 1 2 3; do
        file=$work/steps.$number.$step.0.$rank.jsonl
        check "step $step, rank $rank has a log, of this job alone" [ "$(grep -c \
            "^{\"event\": \"header\".*\"job\": \"$number\"" "$file" 2>/dev/null)" -eq 1 ]
    done
done
check "shells and launchers in that job wrote none" \
    [ "$(find "$work" -name 'steps.*' | wc -l)" -eq 12 ]
check "the launcher of srun's step is slurm" \
    grep -q '"launcher": "slurm"' "$work/steps.$number.0.0.0.jsonl"
check "that of mpiexec's step is hydra" \
    grep -q '"launcher": "hydra"' "$work/steps.$number.2.0.0.jsonl"
job array --array=1-2 -N1 -n2 <<END
LD_PRELOAD=$preload SHUNT_LOG=calls SHUNT_LOG_FILE=$work/array.%j.jsonl srun --mpi=pmi2 "$plain"
END
check "two tasks of an array have two logs" [ "$(find "$work" -name 'array.*.jsonl' | wc -l)" -eq 2 ]

# A program that makes so many calls, a thousand a second at most.
cat >"$work/calls.c" <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
    static int from[1024], to[1024];
    const struct timespec pause = {.tv_nsec = 1000000};
    MPI_Init(&argc, &argv);
    for (long left = atol(argv[1]); left > 0; left--) {
        MPI_Alltoall(from, 4, MPI_INT, to, 4, MPI_INT, MPI_COMM_WORLD);
        nanosleep(&pause, NULL);
    }
    MPI_Finalize();
    return 0;
}
END
$MPICC -o "$work/calls" "$work/calls.c" || fail "a program can be compiled with $MPICC"
# Waits until rank 0 has logged calls into $1.
cat >"$work/logged" <<'END'
#!/bin/sh
until grep -q '"event": "call"' "$1" 2>/dev/null; do sleep 0.1; done
END
chmod +x "$work/logged"

## A requeued job: what the first try wrote, which did not come to its end, stays.
job requeue -N2 -n4 --requeue --open-mode=append <<END
export LD_PRELOAD=$preload SHUNT_LOG=calls try=\${SLURM_RESTART_COUNT:-0}
SHUNT_LOG_FILE=$work/tries.%j.%t.%r.jsonl srun --mpi=pmi2 -n2 "$work/calls" 30
if [ \$try = 0 ]; then
    SHUNT_LOG_FILE=$work/same.%j.%r.jsonl srun --mpi=pmi2 -n2 "$work/calls" 100000 &
    "$work/logged" $work/same.\$SLURM_JOB_ID.0.jsonl
    scontrol requeue \$SLURM_JOB_ID
    sleep 60
fi
SHUNT_LOG_FILE=$work/same.%j.%r.jsonl srun --mpi=pmi2 -n2 "$work/calls" 30
END
same=$work/same.$number
check "the job was begun anew, and ended well" [ "$status" -eq 0 ]
check "a log of the same name has both tries, one behind the other" \
    [ "$(grep -c '"event": "header"' "$same.0.jsonl")" -eq 2 ]
check "logs with %t in their names have one each" [ "$(grep -c '"event": "header"' \
    "$work/tries.$number.0.0.jsonl" "$work/tries.$number.1.0.jsonl" | grep -c ':1$')" -eq 2 ]
check "that of the second has its calls, and its end" [ "$(grep -cE '"event": "(call|summary)"' \
    "$work/tries.$number.1.0.jsonl")" -eq 31 ]
"$shunt" log --summary "$same".?.jsonl >"$work/out" 2>"$work/err"
status=$?
check "shunt log reads both tries" [ $status -eq 0 ]
check "and says that there are two runs" grep -q '^runs        2 runs' "$work/out"

## A job that is cancelled: the log ends with a whole line, nothing stays on the hosts.
job cancelled -N2 -n4 --ntasks-per-node=2 <<END
export LD_PRELOAD=$preload SHUNT_FORCE=alltoall=node-pair
export SHUNT_LOG=calls SHUNT_LOG_FILE=$work/cut.%r.jsonl
srun --mpi=pmi2 "$work/calls" 100000 &
"$work/logged" $work/cut.0.jsonl
scancel \$SLURM_JOB_ID
wait
END
broken=0
for rank in 0 1 2 3; do
    [ -s "$work/cut.$rank.jsonl" ] && [ -z "$(tail -c 1 "$work/cut.$rank.jsonl" | tr -d '\n')" ] ||
        broken=$((broken + 1))
done
check "logs of a cancelled job end with whole lines" [ $broken -eq 0 ]
check "calls of it went through shared memory" grep -q '"algorithm": "node-pair"' \
    "$work/cut.0.jsonl"
step srun -N2 -n2 ls -A /dev/shm
check "nothing is left in the hosts' /dev/shm" [ ! -s "$work/out" ]

## Prologs, epilogs, shells and other programs see and print what they do without it.
cat >"$work/children" <<END
#!/bin/bash
echo "shell \$0 of \$SLURM_PROCID: \${FROM_PROLOG:-no prolog}"
ls -d / | tr / x; seq 3 | sort -r | tail -n 1; (exit 3); echo "status \$?"
bash -c 'echo bash; false | true; echo "\${PIPESTATUS[*]}"'
python3 -c 'import os, subprocess; print(subprocess.check_output(["echo", "python"]), os.fork() and os.wait()[1])' | sort
squeue -h -o %T -j \$SLURM_JOB_ID; scontrol show hostnames node[1-2]
[ "\$SLURM_PROCID" -gt 0 ] || ls /proc/self/fd | wc -l
END
chmod +x "$work/children"
for way in without with; do
    settings=
    [ $way = without ] || settings="LD_PRELOAD=$preload SHUNT_LOG=calls SHUNT_LOG_FILE=$work/none.%p.jsonl"
    # shellcheck disable=SC2086 # words
    step env PROLOG_SPEAKS=1 $settings srun --label -N2 -n2 "$work/children"
    sort "$work/out" >"$work/children.$way"
    cp "$work/err" "$work/children.$way.err"
    job "batch-$way" -N1 -n1 <<END
$(for setting in $settings; do echo "export $setting"; done)
"$work/children"
srun --mpi=pmi2 -n1 "$plain" children
END
done
check "the task prolog speaks in each task" \
    [ "$(grep -c 'the task prolog speaks' "$work/children.with")" -eq 2 ]
check "shells and their children print the same with the library" \
    cmp "$work/children.without" "$work/children.with"
check "and the same errors" cmp "$work/children.without.err" "$work/children.with.err"
check "a batch script prints the same" cmp "$work/batch-without.out" "$work/batch-with.out"
check "a program's children do as well" [ "$(grep -c 'ranks 1 wrong 0' "$work/batch-with.out")" -eq 1 ]
check "only the MPI program wrote a log" [ "$(find "$work" -name 'none.*' | wc -l)" -eq 1 ]
check "prologs ran on both hosts" [ -s "$home/told/prolog.node1" ] && [ -s "$home/told/prolog.node2" ]
check "and are not preloaded" [ "$(cat "$home"/told/prolog.* "$home"/told/epilog.* |
    grep -vc 'preload <>')" -eq 0 ]
check "task epilogs ran" [ -s "$home/told/task-epilog" ]

## The module file, in a job: by itself it preloads nothing; with its last line it does.
mkdir -p "$work/modules/shunt" "$work/modules/shunt-all"
sed -e "s|@libdir@|$top_build/src|g" -e "s|@bindir@|$top_build/src|g" -e "s|@[a-zA-Z]*@|x|g" \
    "$top/scripts/packaging/modulefile.in" >"$work/modules/shunt/1"
sed 's/^#prepend-path LD_PRELOAD/prepend-path LD_PRELOAD/' "$work/modules/shunt/1" \
    >"$work/modules/shunt-all/1"
found=0
for init in /usr/share/modules/init/bash /usr/share/lmod/lmod/init/bash; do
    [ -e "$init" ] || continue
    found=$((found + 1))
    job loading -N1 -n2 <<END
. $init
module use "$work/modules"
module load shunt
srun --mpi=pmi2 "$plain"
srun --export=ALL,LD_PRELOAD=\$LIBSHUNT,SHUNT_LOG=start --mpi=pmi2 "$plain"
shunt run --log=start srun --mpi=pmi2 "$plain"
module unload shunt
module load shunt-all
SHUNT_LOG=start srun --mpi=pmi2 "$plain"
module unload shunt-all
SHUNT_LOG=start srun --mpi=pmi2 "$plain"
END
    check "$init: every program of the job is right" \
        [ "$(grep -c '^ranks 2 wrong 0$' "$work/loading.out")" -eq 5 ]
    check "$init: three of the five are preloaded, as they ask" \
        [ "$(grep -c "^shunt $version: built-in, 2 ranks on 1 node" "$work/loading.err")" -eq 3 ]
    check "$init: nothing else is said" [ "$(grep -Evc '^srun: |^shunt |^shunt: table of host' \
        "$work/loading.err")" -eq 0 ]
done
[ $found -gt 0 ] || echo "not tried: module files (Debian: environment-modules or lmod)"

## The measuring programs.
step env LD_PRELOAD="$helpers" srun --mpi=pmi2 -N2 -n4 --ntasks-per-node=2 "$shunt" bench --check --repetitions=3 --block=16 \
    --algorithm=parlogna,node-pair
check "shunt bench under srun" grep -q '^ranks     4 on 2 nodes, 2 per node' "$work/out"
step srun --mpi=none -N2 -n4 "$shunt" bench --repetitions=3 --block=16 --algorithm=parlogna
check "shunt bench without PMI says that each is alone" \
    grep -q 'the launcher started 4 processes, but each is alone' "$work/err"
finish
