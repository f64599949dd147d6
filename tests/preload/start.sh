#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The line that says what is active: who gets it, once per job, and what it tells. And that it costs
# no log: with SHUNT_LOG=start nothing else is said.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need_command strings
need "$build/plain" "the program of this test"
version=$("$top_build/src/shunt" --version | sed 's/^shunt //')
XDG_CONFIG_HOME=$work/none
export XDG_CONFIG_HOME
# A batch job around the tests is none of theirs.
unset SLURM_STEP_NUM_TASKS SLURM_STEP_NUM_NODES SLURM_PROCID PMI_SIZE PMI_RANK PMIX_RANK

# active: the lines that say what is active.
active()
{
    grep "^shunt $version: " "$work/err"
}

# tells WHAT LINE: the job ended as it should, and this is the one such line.
tells()
{
    if [ "$status" -ne 7 ]; then
        fail "$1: status $status, expected 7" "$work/out" "$work/err"
    elif [ "$(active)" != "shunt $version: $2" ]; then
        fail "$1: it is not said that \"$2\"" "$work/err"
    else
        pass "$1: $2"
    fi
}

# silent WHAT: nothing at all on standard error.
silent()
{
    if [ "$status" -eq 7 ] && [ ! -s "$work/err" ]; then
        pass "$1: nothing is said"
    else
        fail "$1: status $status, or something is said" "$work/err"
    fi
}

if strings "$lib" | grep -q "^shunt $version"; then
    pass "the version is in the library"
else
    fail "the library does not have \"shunt $version\""
fi

job 4 "$build/plain"
silent "preloaded by hand"
job 4 -genv SHUNT_LOG off "$build/plain"
silent "SHUNT_LOG=off"

headers=$(${MPICC:-mpicc.mpich} -show | tr ' ' '\n' | sed -n 's/^-I//p' | head -n 1)
mpich=$(sed -n 's/^#define MPICH_VERSION *"\(.*\)"/MPICH \1/p' "$headers/mpi.h" 2>/dev/null)
[ -n "$mpich" ] || skip "the version of MPICH is not known"
job 4 -genv SHUNT_LOG start "$build/plain"
tells "SHUNT_LOG=start" "built-in, 4 ranks on 1 node, $mpich"
if [ "$(wc -l <"$work/err")" -eq 1 ]; then
    pass "SHUNT_LOG=start says nothing else"
else
    fail "SHUNT_LOG=start says more" "$work/err"
fi
job 4 -genv SHUNT_LOG summary "$build/plain"
tells "SHUNT_LOG=summary" "built-in, 4 ranks on 1 node, $mpich"
if [ "$(said summary)" -ge 1 ] && [ "$(head -n 1 "$work/err")" = "$(active)" ]; then
    pass "the line comes first, the summary later"
else
    fail "the line is not the first one" "$work/err"
fi
job 4 -genv SHUNT_LOG start -genv MPIR_CVAR_NUM_CLIQUES 2 "$build/plain"
tells "two nodes that MPICH pretends" "built-in, 4 ranks on 2 nodes, $mpich"
job 1 -genv SHUNT_LOG start "$build/plain"
tells "one rank" "built-in, 1 rank on 1 node, $mpich"

cat >"$work/site.cfg" <<'END'
schema = 1;
machine = { name = "alpha"; };
alltoallv = ( { algorithm = "scattered"; } );
END
job 2 -genv SHUNT_LOG start -genv SHUNT_CONFIG "$work/site.cfg" "$build/plain"
tells "a file" "$work/site.cfg (alpha), 2 ranks on 1 node, $mpich"
job 2 -genv SHUNT_LOG start -genv SHUNT_FORCE alltoallv=parlogna:radix=2 "$build/plain"
tells "an algorithm for one operation" \
    "SHUNT_FORCE=alltoallv=parlogna:radix=2, otherwise built-in, 2 ranks on 1 node, $mpich"
job 2 -genv SHUNT_LOG start -genv SHUNT_DISABLE 1 "$build/plain"
tells "disabled" "SHUNT_DISABLE: everything is passed through, 2 ranks on 1 node, $mpich"
job 2 -genv SHUNT_LOG start -genv SHUNT_FORCE alltoallv=elephant "$build/plain"
tells "a mistake" "no table that can be used: everything is native, 2 ranks on 1 node, $mpich"

# The level is local: it may differ between ranks.
timeout -k 10 60 "$mpiexec" -genv LD_PRELOAD "$lib${yield:+:$yield}" -n 1 "$build/plain" : \
    -n 1 -env SHUNT_LOG calls "$build/plain" : -n 2 -env SHUNT_LOG start "$build/plain" \
    >"$work/out" 2>"$work/err" </dev/null
status=$?
silent "SHUNT_LOG on other ranks than 0"

# A tool between us and the library does not see what we pass on: said once, and only then.
tool=$top_build/tests/mpi/corrupt.so
if [ -e "$tool" ]; then
    job 4 -genv LD_PRELOAD "$lib:$tool" "$build/plain"
    if [ "$status" -eq 7 ] && [ "$(said "$tool also intercepts MPI_Alltoallv")" -eq 1 ] &&
        [ "$(said '')" -eq 1 ]; then
        pass "a tool that comes after is named once"
    else
        fail "a tool that comes after: status $status" "$work/out" "$work/err"
    fi
fi

# Hosts of their own: nobody has told rank 0 how many there are.
if [ -n "${OPEN_MPI_MPIEXEC:-}" ]; then
    echo "scripts/testbed starts hosts by the launcher of MPICH" >"$work/err"
    status=69
else
    MPIEXEC=$mpiexec "$top/scripts/testbed" --timeout 60 --preload "$lib" --env SHUNT_LOG=start \
        2x2 -- "$build/plain" >"$work/out" 2>"$work/err" </dev/null
    status=$?
fi
if [ $status -eq 69 ]; then
    echo "not tried: several hosts ($(cat "$work/err"))"
else
    tells "several hosts" "built-in, 4 ranks on several hosts, 2 on this one, $mpich"
fi

# Under the launcher of another library every process is rank 0 of 1: one line and one hint. The
# first status that is not 0 would end the others.
if command -v mpiexec.openmpi >/dev/null 2>&1; then
    # shellcheck disable=SC2016 # the inner shell expands it
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout -k 10 60 mpiexec.openmpi \
        --oversubscribe -n 3 -x LD_PRELOAD="$lib" -x SHUNT_LOG=start \
        sh -c '"$0" || exit 0' "$build/plain" \
        >"$work/out" 2>"$work/err" </dev/null
    if ! grep -q '^ranks 1 wrong 0$' "$work/out"; then
        echo "not tried: the launcher of Open MPI does not start it"
    elif [ "$(active | wc -l)" -eq 1 ] &&
        [ "$(said "every process runs alone.* Open MPI's mpiexec started 3 .*$mpich")" -eq 1 ]; then
        pass "ranks that run alone are told so once"
    else
        fail "ranks that run alone are not told so once" "$work/out" "$work/err"
    fi
fi
finish
