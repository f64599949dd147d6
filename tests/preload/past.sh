#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls that never come to a preloaded library: MPI that is called through the handle of dlopen, or
# opened with RTLD_DEEPBIND, and a tool within the program. `shunt run` says what it knows, and not
# that there was no call. Programs with the address sanitizer, which wants to be first: it says how.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
shunt=$top_build/src/shunt
export XDG_CONFIG_HOME="$work/none"
unset PBS_NODEFILE LSB_HOSTS PE_HOSTFILE SLURM_JOB_NUM_NODES SLURM_PROCID PMI_RANK PMIX_RANK
mpicc=${MPICC:-mpicc.mpich}
needed='past all preloaded libraries'

# run ARGUMENT...: `shunt run`; $work/out, $work/err, $status.
run()
{
    timeout -k 10 60 "$shunt" run "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

# known WHAT: the program called (it prints so), and what is said does not deny it.
known()
{
    if [ "$status" -eq 0 ] && grep -q called "$work/out" && [ "$(said 'nobody called')" -eq 0 ] &&
        [ "$(said "nothing was routed: .*no call .* came to it.*$needed")" -eq 1 ]; then
        pass "$1: what is known is said"
    else
        fail "$1: status $status" "$work/out" "$work/err"
    fi
}

cat >"$work/exchange.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int exchange(void);
int exchange(void)
{
    int out[64] = {0}, in[64];
    MPI_Init(NULL, NULL);
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return puts("called") < 0;
}
END
cat >"$work/open.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
int main(int argc, char **argv)
{
    int (*exchange)(void) = NULL;
    const int deep = argc > 2 ? RTLD_DEEPBIND : 0;
    void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | deep);
    void *symbol = handle ? dlsym(handle, "exchange") : NULL;
    memcpy(&exchange, &symbol, sizeof symbol);
    return symbol ? exchange() : 2;
}
END
# The handle of the library itself.
cat >"$work/handle.c" <<'END'
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
static void *handle;
/* Those of Open MPI are variables of the library. */
#ifdef OMPI_MAJOR_VERSION
#define INT ((MPI_Datatype)dlsym(handle, "ompi_mpi_int"))
#define WORLD ((MPI_Comm)dlsym(handle, "ompi_mpi_comm_world"))
#else
#define INT MPI_INT
#define WORLD MPI_COMM_WORLD
#endif
static void find(const char *name, void *function)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
}
int main(int argc, char **argv)
{
    int out[64] = {0}, in[64];
    int (*init)(int *, char ***), (*finalize)(void);
    int (*alltoall)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
    handle = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!handle)
        return 2;
    find("MPI_Init", &init);
    find("MPI_Alltoall", &alltoall);
    find("MPI_Finalize", &finalize);
    init(NULL, NULL);
    alltoall(out, 1, INT, in, 1, INT, WORLD);
    finalize();
    return puts("called") < 0;
}
END
# A tool that is linked into the program.
cat >"$work/tool.c" <<'END'
#include <mpi.h>
int MPI_Alltoall(const void *out, int count, MPI_Datatype type, void *in, int received,
                 MPI_Datatype as, MPI_Comm comm)
{
    return PMPI_Alltoall(out, count, type, in, received, as, comm);
}
int exchange(void);
int main(void)
{
    return exchange();
}
END
cc=${CC:-cc}
include=$($mpicc -show -c x.c | tr ' ' '\n' | grep '^-I' | tr '\n' ' ')
# shellcheck disable=SC2086 # words
if ! { $mpicc -fPIC -shared -o "$work/exchange.so" "$work/exchange.c" &&
    $cc -o "$work/open" "$work/open.c" -ldl &&
    $cc $include -o "$work/handle" "$work/handle.c" -ldl &&
    $mpicc -o "$work/tool" "$work/tool.c" "$work/exchange.c"; } >"$work/err" 2>&1; then
    fail "the programs of this test" "$work/err"
    finish
fi
mpi=$(ldd "$work/exchange.so" | sed -n 's,.* => \(/[^ ]*/libmpi[^ ]*\) .*,\1,p' | head -n 1)
run "$mpiexec" -n 2 "$work/handle" "$mpi"
known "MPI that is called through its handle"
run "$mpiexec" -n 2 "$work/open" "$work/exchange.so" deep
known "MPI that is opened with RTLD_DEEPBIND"
run "$mpiexec" -n 2 "$work/tool"
known "a tool within the program"
run "$mpiexec" -n 2 "$work/open" "$work/exchange.so"
if [ "$status" -eq 0 ] && [ "$(said 'nothing was routed')" -eq 0 ]; then
    pass "MPI that is opened without it: nothing is said"
else
    fail "MPI that is opened without RTLD_DEEPBIND: status $status" "$work/out" "$work/err"
fi

# The address sanitizer.
sed 's/^int exchange(void)$/int main(void)/' "$work/exchange.c" | grep -v '^int exchange(void);' \
    >"$work/sane.c"
asan=$($cc -print-file-name=libasan.so 2>/dev/null)
export ASAN_OPTIONS=detect_leaks=0
case $asan in
/*)
    if MPICH_CC=$cc OMPI_CC=$cc $mpicc -fsanitize=address -o "$work/sane" "$work/sane.c" >"$work/err" 2>&1 &&
        timeout 60 "$mpiexec" -n 1 "$work/sane" >"$work/out" 2>&1; then
        run "$mpiexec" -n 2 "$work/sane"
        if [ "$status" -ne 0 ] &&
            [ "$(said 'nothing was routed: .*sane has the address sanitizer.*libasan.so')" -eq 1 ]; then
            pass "a program with the address sanitizer: it is said what helps"
        else
            fail "a program with the address sanitizer: status $status" "$work/out" "$work/err"
        fi
        run "$mpiexec" -n 2 env LD_PRELOAD="$asan:$lib" "$work/sane"
        check "and it does" [ "$status" -eq 0 ]
        export LD_PRELOAD="$asan"
        run "$mpiexec" -n 2 "$work/sane"
        unset LD_PRELOAD
        if [ "$status" -eq 0 ] && grep -q called "$work/out" &&
            [ "$(said 'nothing was routed')" -eq 0 ]; then
            pass "the runtime of a sanitizer that was preloaded stays the first library"
        else
            fail "a runtime that was preloaded: status $status" "$work/out" "$work/err"
        fi
    fi
    ;;
esac
finish
