#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `shunt run` is not noticed by whoever starts it: status, signals, terminal and standard input are
# the command's. At the end it says when nothing used the library, and why; and nothing where that
# is as it should be.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need "$build/plain" "the program of this test"
shunt=$top_build/src/shunt
XDG_CONFIG_HOME=$work/none
export XDG_CONFIG_HOME
# A batch job around the tests is none of theirs.
unset HYDRA_HOST_FILE HYDRA_LAUNCHER HYDRA_RMK PBS_NODEFILE LSB_HOSTS LSB_DJOB_HOSTFILE
unset PE_HOSTFILE I_MPI_HYDRA_HOST_FILE COBALT_NODEFILE SLURM_JOB_NUM_NODES FLUX_URI
unset SLURM_EXPORT_ENV SRUN_EXPORT_ENV
unset SLURM_PROCID PMI_RANK PMIX_RANK

# run ARGUMENT...: `shunt run`; $work/out, $work/err without the line about the table, $status.
run()
{
    timeout -k 10 60 "$shunt" run "$@" >"$work/out" 2>"$work/all" </dev/null
    status=$?
    grep -v '^shunt: table of ' "$work/all" >"$work/err"
}

# ends WHAT STATUS: and nothing is said.
ends()
{
    if [ "$status" -eq "$2" ] && ! grep -q '^shunt' "$work/err"; then
        pass "$1: status $2, and nothing is said"
    else
        fail "$1: status $status instead of $2, or something is said" "$work/err"
    fi
}

# hints WHAT PATTERN: one line at the end tells why nothing was routed.
hints()
{
    if [ "$(said 'nothing was routed: ')" -eq 1 ] && [ "$(said "$2")" -eq 1 ] &&
        tail -n 1 "$work/err" | grep -q 'nothing was routed'; then
        pass "$1: it is said why nothing was routed"
    else
        fail "$1: no line \"nothing was routed ... $2\"" "$work/out" "$work/err"
    fi
}

# Statuses.
run true
ends "true" 0
run sh -c 'exit 3'
ends "exit 3" 3
# shellcheck disable=SC2016 # the inner shell expands it
for signal in TERM:143 INT:130 KILL:137 HUP:129; do
    run sh -c 'kill -$0 $$' "${signal%:*}"
    ends "a command that SIG${signal%:*} ends" "${signal#*:}"
done
run sh -c 'ulimit -c 0; kill -SEGV $$'
ends "a command that crashes" 139
run "$work/elephant"
if [ "$status" -eq 4 ] && [ "$(said 'cannot start .*elephant: No such file')" -eq 1 ]; then
    pass "a command that cannot be started"
else
    fail "a command that cannot be started: status $status" "$work/err"
fi
# shellcheck disable=SC2016 # the inner shell expands it
read_line=$(echo 'one two' | "$shunt" run sh -c 'read -r a; echo "<$a>"' 2>/dev/null)
if [ "$read_line" = '<one two>' ]; then
    pass "standard input is the command's"
else
    fail "standard input is not the command's"
fi
(trap '' HUP; "$shunt" run sh -c 'kill -HUP $$; exit 6' >/dev/null 2>&1)
if [ $? -eq 6 ]; then
    pass "a signal that was ignored before is still ignored"
else
    fail "SIGHUP is no longer ignored"
fi

# Signals to `shunt run` alone.
# shellcheck disable=SC2016 # the inner shell expands it
cat >"$work/traps" <<'END'
#!/bin/sh
for signal in HUP INT QUIT TERM USR1; do
    # shellcheck disable=SC2064
    trap "echo $signal >>$1.got" $signal
done
trap 'echo TERM >>$1.got; exit 5' TERM
echo $$ >"$1.ready"
while :; do sleep 0.02; done
END
chmod +x "$work/traps"

# begun: waits until the command has set its traps.
begun()
{
    waited=0
    while [ ! -s "$work/job.ready" ] && [ $waited -lt 500 ]; do
        sleep 0.02
        waited=$((waited + 1))
    done
}

# got LINE: waits until the command has got that signal.
got()
{
    waited=0
    while ! grep -qx "$1" "$work/job.got" 2>/dev/null && [ $waited -lt 500 ]; do
        sleep 0.02
        waited=$((waited + 1))
    done
}

# python3 starts it, for a shell ignores SIGINT and SIGQUIT in what it starts in the background, and
# nohup SIGHUP.
if command -v python3 >/dev/null 2>&1; then
    python3 -c 'import os, signal, sys
for s in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT): signal.signal(s, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$shunt" run "$work/traps" "$work/job" >/dev/null 2>&1 &
    job=$!
    begun
    for signal in HUP INT QUIT USR1; do
        kill -$signal $job
        got $signal
    done
    kill -TERM $job
    wait $job
    status=$?
    if [ $status -eq 5 ] && [ "$(tr '\n' ' ' <"$work/job.got")" = 'HUP INT QUIT USR1 TERM ' ]; then
        pass "signals to shunt run reach the command, each once"
    else
        fail "signals to shunt run: status $status instead of 5" "$work/job.got"
    fi
fi
rm -f "$work"/job.*
"$shunt" run "$work/traps" "$work/job" >/dev/null 2>&1 &
job=$!
begun
kill -KILL $job
wait $job 2>/dev/null
# goes_on: it runs, and is not merely not waited for by whoever has it now.
goes_on()
{
    grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$(cat "$work/job.ready")/status" 2>/dev/null
}
waited=0
while goes_on && [ $waited -lt 250 ]; do
    sleep 0.02
    waited=$((waited + 1))
done
if goes_on; then
    fail "after SIGKILL to shunt run the command goes on"
    kill -KILL "$(cat "$work/job.ready")"
else
    pass "after SIGKILL to shunt run nothing is left"
fi

# A terminal: Ctrl-C reaches the command once, Ctrl-Z stops both, and they go on together.
cat >"$work/terminal.py" <<'END'
import os, pty, re, signal, sys, time

shunt, work = sys.argv[1:]


def job(command):
    """The job of a shell: a process group in the foreground of a terminal."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(command[0], command)
    return child


def wait_file(name):
    for _ in range(500):
        if os.path.exists(name) and os.path.getsize(name) > 0:
            return open(name).read()
        time.sleep(0.02)
    raise SystemExit(name + " is missing")


def leader():
    child = job([shunt, "run", work + "/traps", work + "/term"])
    status = os.waitpid(child, os.WUNTRACED)[1]
    assert os.WIFSTOPPED(status), "Ctrl-Z does not stop shunt run: %x" % status
    command = int(wait_file(work + "/term.ready"))
    for _ in range(250):
        status = open("/proc/%d/status" % command).read()
        state = re.search(r"^State:\s+(\S)", status, re.M).group(1)
        if state == "T":
            break
        time.sleep(0.02)
    assert state == "T", "Ctrl-Z does not stop the command: " + state
    os.killpg(child, signal.SIGCONT)
    open(work + "/term.continued", "w").write("1")
    status = os.waitpid(child, os.WUNTRACED)[1]
    assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 5, "status %x" % status


pid, fd = pty.fork()
if pid == 0:
    try:
        leader()
    except BaseException as error:
        open(work + "/term.error", "w").write(str(error))
        os._exit(1)
    os._exit(0)
wait_file(work + "/term.ready")
os.write(fd, b"\x03")
wait_file(work + "/term.got")
time.sleep(0.1)
os.write(fd, b"\x1a")
wait_file(work + "/term.continued")
time.sleep(0.1)
os.kill(int(wait_file(work + "/term.ready")), signal.SIGTERM)
_, status = os.waitpid(pid, 0)
if os.path.exists(work + "/term.error"):
    print(open(work + "/term.error").read())
got = open(work + "/term.got").read().split()
assert got == ["INT", "TERM"], got
sys.exit(os.WEXITSTATUS(status))
END
if command -v python3 >/dev/null 2>&1; then
    if timeout -k 5 60 python3 "$work/terminal.py" "$shunt" "$work" >"$work/out" 2>&1; then
        pass "Ctrl-C reaches the command once; Ctrl-Z stops it and shunt run, and they go on"
    else
        fail "a terminal" "$work/out" "$work/term.got"
    fi
    if python3 -c 'import signal, subprocess, sys
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
def ignore():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
sys.exit(subprocess.call(sys.argv[1:], preexec_fn=ignore))' \
        "$shunt" run sh -c 'exit 0' 2>"$work/err"; then
        pass "SIGCHLD may be ignored by whoever starts it"
    else
        fail "where SIGCHLD is ignored, the status is lost" "$work/err"
    fi
fi

# With the log off it becomes the command.
# shellcheck disable=SC2016 # the inner shell expands it
sh -c 'echo $$; exec "$0" run --log=off sh -c "echo \$\$"' "$shunt" >"$work/numbers"
if [ "$(wc -l <"$work/numbers")" -eq 2 ] && [ "$(uniq "$work/numbers" | wc -l)" -eq 1 ]; then
    pass "with the log off it becomes the command"
else
    fail "with the log off there is one process more"
fi

# Used: nothing is said at the end; the start line is there.
run "$mpiexec" -n 2 "$build/plain"
if [ "$status" -eq 7 ] && grep -q '^shunt [0-9.]*: built-in, 2 ranks' "$work/err" &&
    [ "$(said 'nothing was routed')" -eq 0 ]; then
    pass "a program that calls: what is active is said, and no more"
else
    fail "a program that calls: status $status" "$work/out" "$work/err"
fi
run --log=off "$mpiexec" -n 2 "$build/plain"
ends "the log is off" 7

# Loaded, and no call. An interpreter that loads MPI later has it at its end.
cat >"$work/idle.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
END
if ${MPICC:-mpicc.mpich} -o "$work/idle" "$work/idle.c" >"$work/err" 2>&1; then
    run "$mpiexec" -n 2 "$work/idle"
    hints "no call" 'was loaded with an MPI library on this host, and no call of .* came to it'
    run "$work/idle"
    hints "no call, without a launcher" 'no call of .* came to it'
    timeout 60 "$mpiexec" -n 3 "$shunt" run "$work/idle" >"$work/out" 2>"$work/err" </dev/null
    if [ "$(said 'nothing was routed')" -eq 1 ] && [ "$(said 'table of host')" -eq 1 ]; then
        pass "started by the launcher, it speaks once"
    else
        fail "started by the launcher, it does not speak once" "$work/err"
    fi
    # The pipe has standard error. Its other end is closed when the program has run, and then the
    # command ends, so that something is to be said.
    # shellcheck disable=SC2016 # the script expands it
    printf '#!/bin/sh\n: >"%s/$1"\nwhile [ ! -e "%s/$2" ]; do sleep 0.02; done\n' "$work" "$work" \
        >"$work/meets"
    chmod +x "$work/meets"
    # shellcheck disable=SC2016,SC2069 # the inner shell expands it
    { { timeout 60 "$shunt" run sh -c '"$0"; "$1" ran closed' "$work/idle" "$work/meets"
        echo $? >"$work/code"; } 2>&1 >"$work/out" |
        { timeout 60 "$work/meets" reads ran; exec <&-; : >"$work/closed"; }; } 2>/dev/null
    if [ "$(cat "$work/code")" = 0 ]; then
        pass "the status is the command's where nobody reads what is said"
    else
        fail "nobody reads what is said: status $(cat "$work/code")"
    fi
    run --log=off "$mpiexec" -n 2 "$work/idle"
    ends "no call and no log" 0
fi
if [ -e "$build/host" ] && [ -e "$build/plugin.so" ]; then
    run "$mpiexec" -n 2 "$build/host" "$build/plugin.so" inside
    if [ "$status" -eq 0 ] && [ "$(said 'nothing was routed')" -eq 0 ]; then
        pass "MPI that is loaded later is noticed"
    else
        fail "MPI that is loaded later: status $status" "$work/err"
    fi
fi

# Not loaded.
run "$mpiexec" -n 2 env -u LD_PRELOAD "$build/plain"
hints "a wrapper without LD_PRELOAD" 'likely cause is "LD_PRELOAD" in the command.*libshunt.so'
run "$mpiexec" -n 2 -genv LD_PRELOAD "$yield" "$build/plain"
hints "an option of the launcher" 'likely cause is "LD_PRELOAD" in the command'
printf '#!/bin/sh\nunset LD_PRELOAD\nexec "%s"\n' "$build/plain" >"$work/wrapper"
chmod +x "$work/wrapper"
run "$mpiexec" -n 2 "$work/wrapper"
hints "a script" 'something on the way dropped or replaced LD_PRELOAD'
run env -u LD_PRELOAD "$build/plain"
hints "a program without a launcher" 'likely cause is "LD_PRELOAD"'
echo 'int main(void) { return 0; }' >"$work/static.c"
echo 'int PMPI_Alltoall(void); int PMPI_Alltoall(void) { return 0; } int main(void) { return 0; }' \
    >"$work/inside.c"
compiler=${CC:-cc}
if $compiler -static -o "$work/static" "$work/static.c" 2>/dev/null; then
    run "$mpiexec" -n 2 "$work/static"
    hints "a static program" 'static is linked statically'
    run "$work/static"
    ends "a static program that nobody took for one of MPI" 0
fi
if $compiler -o "$work/inside" "$work/inside.c" 2>/dev/null; then
    run "$work/inside"
    hints "a program with MPI inside" 'inside has the MPI library in itself'
fi
if command -v mpicc.openmpi >/dev/null 2>&1 &&
    mpicc.openmpi -o "$work/open" "$work/idle.c" >/dev/null 2>&1; then
    run "$work/open"
    hints "Open MPI, no call" 'no call of .* came to it'
fi
# Its Fortran programs name its bindings alone.
printf 'use mpi_f08\ncall MPI_Init()\ncall MPI_Finalize()\nend\n' >"$work/f08.f90"
printf "include 'mpif.h'\ncall MPI_Init(i)\ncall MPI_Finalize(i)\nend\n" >"$work/mpifh.f90"
for way in f08 mpifh; do
    if mpif90.openmpi -o "$work/$way" "$work/$way.f90" >/dev/null 2>&1; then
        run "$work/$way"
        hints "Open MPI's Fortran, $way, no call" 'no call of .* came to it'
    fi
done

# Files that it names are those of the folder where it starts, wherever the program goes.
mkdir "$work/a 50%" "$work/elsewhere"
printf '#!/bin/sh\ncd "%s" && exec "%s"\n' "$work/elsewhere" "$build/plain" >"$work/goes"
chmod +x "$work/goes"
(
    cd "$work/a 50%" || exit
    run --log-file=option.log "$mpiexec" -n 1 "$work/goes"
    export SHUNT_LOG_FILE=variable.%r.log
    run "$mpiexec" -n 1 "$work/goes"
)
if [ -s "$work/a 50%/option.log" ] && [ -s "$work/a 50%/variable.0.log" ]; then
    pass "a log without a folder lies where shunt run was started"
else
    ls "$work/a 50%" "$work/elsewhere" >"$work/out"
    fail "a log without a folder does not lie where shunt run was started" "$work/out" "$work/err"
fi

# srun, which passes on the variables that it is told to, or all of them.
mkdir "$work/slurm"
cat >"$work/slurm/srun" <<'END'
#!/bin/sh
list=${SRUN_EXPORT_ENV:-${SLURM_EXPORT_ENV:-ALL}}
while :; do
    case $1 in
    --export=*) list=${1#--export=} ;;
    --export) list=$2 && shift ;;
    -*) ;;
    *) break ;;
    esac
    shift
done
case ,$list, in *,ALL,* | *,LD_PRELOAD[,=]*) ;; *) unset LD_PRELOAD ;; esac
exec "$@"
END
chmod +x "$work/slurm/srun"
for way in --export=NONE '--export HOME,PATH' --export=SHUNT_LOG=start,ALLES; do
    # shellcheck disable=SC2086 # words
    run "$work/slurm/srun" -n1 $way "$build/plain"
    hints "srun $way" 'with --export=[^ ]* srun keeps LD_PRELOAD from the ranks; .*--export=ALL'
done
SLURM_EXPORT_ENV=NONE
export SLURM_EXPORT_ENV
run "$work/slurm/srun" -n1 "$build/plain"
hints "srun in a job of sbatch --export=NONE" 'with SLURM_EXPORT_ENV=NONE srun keeps LD_PRELOAD'
run "$work/slurm/srun" -n1 hostname
ends "srun of a program without MPI" 0
for way in --export=ALL --export=HOME,LD_PRELOAD --export=ALL,OMP_NUM_THREADS=1; do
    run "$work/slurm/srun" -n1 "$way" "$build/plain"
    if [ "$status" -eq 7 ] && [ "$(said 'nothing was routed')" -eq 0 ]; then
        pass "srun $way: nothing is said"
    else
        fail "srun $way: status $status" "$work/err"
    fi
done
unset SLURM_EXPORT_ENV

# Open MPI's launcher, which passes on to other hosts what -x names, by section of its line.
mkdir "$work/launchers"
cat >"$work/launchers/orterun" <<'END'
#!/bin/sh
for word; do printf '<%s>' "$word"; done
END
chmod +x "$work/launchers/orterun"
cp "$work/launchers/orterun" "$work/launchers/mpiexec"
cp "$work/launchers/orterun" "$work/launchers/mpirun.openmpi"
unset OMPI_MCA_mca_base_env_list SHUNT_CONFIG

# passes WHAT LAUNCHER WORDS ARGUMENT...: with these words the launcher is started.
passes()
{
    passes_what=$1 passes_words=$3
    passes_launcher=$work/launchers/$2
    shift 3
    env -u SHUNT_GUARD SHUNT_LOG=off SHUNT_FORCE=alltoall=bruck "$shunt" run "$passes_launcher" \
        "$@" >"$work/out" 2>"$work/err"
    # Three variables in any order.
    sed 's/></ /g; s/[<>]//g' "$work/out" |
        sed -E 's/(-x (LD_PRELOAD|SHUNT_LOG|SHUNT_FORCE) ){3}/-x ALL /g' >"$work/words"
    if [ "$(cat "$work/words")" = "$passes_words" ]; then
        pass "Open MPI's launcher, $passes_what"
    else
        fail "Open MPI's launcher, $passes_what" "$work/words" "$work/err"
    fi
}
passes "ranks on this host" orterun '-n 2 true' -n 2 true
passes "other hosts" orterun '-x ALL --host a,b -n 2 true' --host a,b -n 2 true
passes "other hosts, by another name" mpirun.openmpi '-x ALL -H a -n 2 true' -H a -n 2 true
passes "two sections" orterun '-x ALL -hostfile f -n 1 true : -x ALL -n 1 false' \
    -hostfile f -n 1 true : -n 1 false
passes "a launcher that need not be Open MPI's" mpiexec '--host a -n 2 true' --host a -n 2 true
passes "LD_PRELOAD that is passed on otherwise" orterun '-x LD_PRELOAD=o --host a true' \
    -x LD_PRELOAD=o --host a true
passes "variables that are passed on otherwise" orterun '--mca mca_base_env_list A --host a true' \
    --mca mca_base_env_list A --host a true

# Itself, with a host that is one by name only, where ranks find nothing but what it passes on.
if command -v mpiexec.openmpi >/dev/null 2>&1; then
    cat >"$work/agent" <<'END'
#!/bin/sh
shift
exec env -i PATH="$PATH" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 sh -c "$*"
END
    chmod +x "$work/agent"
    # shellcheck disable=SC2016 # the script expands it
    printf '#!/bin/sh\necho "<$LD_PRELOAD> <$SHUNT_FORCE>"\n' >"$work/far"
    chmod +x "$work/far"
    for launcher in mpiexec.openmpi "$(readlink -f "$(command -v mpiexec.openmpi)")"; do
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout -k 10 60 \
            "$shunt" run --force=alltoall=bruck "$launcher" --host another:2 \
            --mca plm_rsh_agent "$work/agent" -n 1 "$work/far" : -n 1 "$work/far" >"$work/out" 2>"$work/err" </dev/null
        if [ "$(grep -c "^<$lib> <alltoall=bruck>\$" "$work/out")" -eq 2 ]; then
            pass "$(basename "$launcher") brings the library to ranks on other hosts"
        elif grep -q '^<' "$work/out"; then
            fail "$(basename "$launcher") brings no library to other hosts" "$work/out" "$work/err"
        else
            echo "not tried: $(basename "$launcher") starts no rank on another host"
        fi
    done
fi

# No false alarm.
printf '#!/bin/sh\necho Submitted batch job 7\n' >"$work/sbatch"
printf '#!/bin/sh\n"%s" -n 1 true\n' "$mpiexec" >"$work/job.sh"
chmod +x "$work/sbatch" "$work/job.sh"
run "$work/sbatch" "$work/job.sh"
ends "a job that runs later" 0
run sh "$work/job.sh"
ends "a script" 0
run "$mpiexec" -n 2 hostname
ends "a program without MPI under a launcher" 0
cp "$work/wrapper" "$work/apptainer"
run "$mpiexec" -n 1 "$work/apptainer"
if [ "$status" -eq 7 ] && [ "$(said 'nothing was routed')" -eq 0 ]; then
    pass "a container: nothing is said"
else
    fail "a container: status $status" "$work/err"
fi
run "$mpiexec" -n 1 "$work/elephant"
if [ "$status" -ne 0 ] && [ "$(said 'nothing was routed')" -eq 0 ]; then
    pass "a program that is not there: that is the launcher's to tell"
else
    fail "a program that is not there: status $status" "$work/err"
fi
for variable in PBS_NODEFILE=/nowhere HYDRA_LAUNCHER=fork; do
    timeout 60 env "$variable" "$shunt" run "$mpiexec" -n 1 "$work/wrapper" >"$work/out" \
        2>"$work/err" </dev/null
    if [ "$(said 'nothing was routed')" -eq 0 ]; then
        pass "ranks that may be on other hosts: nothing is said, $variable"
    else
        fail "ranks that may be on other hosts, $variable" "$work/err"
    fi
done
run "$mpiexec" -hosts localhost -n 1 "$work/wrapper"
if [ "$(said 'nothing was routed')" -eq 0 ]; then
    pass "ranks on hosts that are named: nothing is said"
else
    fail "ranks on hosts that are named" "$work/err"
fi
# What is wrong in the environment is said once: by shunt run, or else by the library.
SHUNT_FORSE=x
export SHUNT_FORSE
run "$mpiexec" -n 2 -genv SHUNT_MEMRY 1 "$build/plain"
unset SHUNT_FORSE
if [ "$(said 'unknown variable SHUNT_FORSE')" -eq 1 ] &&
    [ "$(said 'unknown variable SHUNT_MEMRY')" -eq 1 ]; then
    pass "unknown variables are told once"
else
    fail "unknown variables are not told once" "$work/err"
fi
# A job that begins when shunt run is gone finds its variable.
_SHUNT_RUN=1.2.0123456789abcdef LD_PRELOAD=$lib "$build/plain" >"$work/out" 2>&1
if [ "$(cat "$work/out")" = 'ranks 1 wrong 0' ]; then
    pass "a variable that leads nowhere does no harm"
else
    fail "a variable that leads nowhere"
fi
finish
