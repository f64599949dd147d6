#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs whose MPI functions are not those of the MPI library that the library could serve: serial
# stand-ins, with and without a real MPI library beside them, and a library with handles of its own
# in front of a real one. They run as they do without the library, and one line says so where
# somebody asks. A library that is called before our constructors have run is routed all the same,
# and a back end that is missing is named.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
mpicc=${MPICC:-mpicc}
need_command "$mpicc"

cat >"$work/serial.h" <<'END'
int MPI_Alltoall(const void *send, int count, long type, void *recv, int rcount, long rtype,
                 long comm);
int MPI_Comm_idup(long comm, long *to, long *request);
END
cat >"$work/serial.c" <<'END'
#include <string.h>
#include "serial.h"
int MPI_Alltoall(const void *send, int count, long type, void *recv, int rcount, long rtype,
                 long comm)
{
    memcpy(recv, send, (size_t)count * sizeof(int));
    return comm == 77 && type == 1 && rtype == 1 && count == rcount ? 0 : 3;
}
int MPI_Comm_idup(long comm, long *to, long *request)
{
    *to = comm + 1;
    *request = 0;
    return 0;
}
END
# 7: the stand-in did its work. Where it is ALONE nobody has the large-count form.
cat >"$work/uses.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include "serial.h"
#ifndef ALONE
#define ALONE 0
#endif
int go(void);
int go(void)
{
    long to = 0, request = 1;
    int (*large)(int) = ALONE ? (int (*)(int))dlsym(RTLD_DEFAULT, "MPI_Alltoall_c") : 0;
    for (int i = 0; i < 3; i++) {
        int send[2] = {i, 6}, recv[2] = {-1, -1};
        if (MPI_Alltoall(send, 2, 1, recv, 2, 1, 77) != 0 || recv[0] != i || recv[1] != 6)
            return 1;
    }
    if (MPI_Comm_idup(77, &to, &request) != 0 || to != 78 || request != 0)
        return 2;
    return large && large(0) == 0 ? 3 : 7;
}
END
cat >"$work/real.c" <<'END'
#include <mpi.h>
int go(void);
int go(void)
{
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (!initialized)
        MPI_Init(0, 0);
    for (int i = 0; i < 3; i++) {
        int recv = -1;
        if (MPI_Alltoall(&i, 1, MPI_INT, &recv, 1, MPI_INT, MPI_COMM_WORLD) || recv != i)
            return 1;
    }
    return 7;
}
END
# Handles of its own in front of the real library, whose PMPI_ names it calls.
cat >"$work/facade.c" <<'END'
#include <mpi.h>
int MPI_Alltoall(const void *send, int count, MPI_Datatype type, void *recv, int rcount,
                 MPI_Datatype rtype, MPI_Comm comm)
{
    if ((long)comm != 77 || (long)type != 1 || (long)rtype != 1)
        return 3;
    return PMPI_Alltoall(send, count, MPI_INT, recv, rcount, MPI_INT, MPI_COMM_WORLD);
}
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *to, MPI_Request *request)
{
    *(long *)to = (long)comm + 1;
    *(long *)request = 0;
    return 0;
}
END
cat >"$work/begins.c" <<'END'
#include <mpi.h>
__attribute__((constructor)) static void begin(void) { MPI_Init(0, 0); }
END
cat >"$work/main.c" <<'END'
int go(void);
int main(void) { return go(); }
END
cat >"$work/opens.c" <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
    int result = 9;
    for (int i = 1; i < argc; i++) {
        void *plugin = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        int (*go)(void) = plugin ? (int (*)(void))dlsym(plugin, "go") : 0;
        result = go ? go() : 8;
        if (result != 7)
            break;
    }
    return result;
}
END
# A constructor of a library that is linked: before those of libshunt.so.
cat >"$work/early.c" <<'END'
#include <mpi.h>
#include <stdlib.h>
int go(void);
__attribute__((constructor)) static void early(void)
{
    if (go() != 7)
        abort();
}
END
cc=${CC:-cc}
shared="-shared -fPIC"
linked="-L$work -Wl,-rpath,$work -Wl,--no-as-needed"
# shellcheck disable=SC2086 # lists of options
{
    cd "$work" && $cc $shared -o libserial.so serial.c \
        && $cc $shared -o plugin.so uses.c $linked -lserial \
        && $cc -DALONE=1 -o program main.c uses.c $linked -lserial \
        && $mpicc -o beside main.c uses.c $linked -lserial && $cc -o opens opens.c -ldl \
        && $mpicc $shared -o real.so real.c && $mpicc -w $shared -o libfacade.so facade.c \
        && $mpicc -w $shared -o libbegins.so begins.c \
        && $cc -o front main.c uses.c $linked -lfacade -lbegins \
        && $mpicc $shared -o libearly.so early.c real.c && $mpicc -o after main.c $linked -learly
} >"$work/err" 2>&1 || {
    fail "the programs cannot be made" "$work/err"
    finish
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# same LINES VARIABLE WHAT PROGRAM...: status 7, and as many lines of the library.
same()
{
    lines=$1 variable=$2 what=$3
    shift 3
    env "$variable" LD_PRELOAD="$lib" timeout -k 10 60 "$@" >"$work/out" 2>"$work/err"
    status=$?
    if [ $status -eq 7 ] && [ "$(said 'the program runs as it is')" -eq "$lines" ] &&
        { [ "$lines" -gt 0 ] || [ ! -s "$work/err" ]; }; then
        pass "$what, $variable"
    else
        fail "$what, $variable: status $status, expected 7 and $lines lines" "$work/out" "$work/err"
    fi
}

for variable in LC_ALL=C SHUNT_LOG=off SHUNT_LOG=summary SHUNT_FORCE=alltoall=bruck; do
    case $variable in LC_ALL=C | SHUNT_LOG=off) lines=0 ;; *) lines=1 ;; esac
    same "$lines" "$variable" "a serial stand-in that is linked" "$work/program"
    same "$lines" "$variable" "a serial stand-in of a plugin" "$work/opens" "$work/plugin.so"
done
same 0 LC_ALL=C "a serial stand-in before a real library" "$work/beside"
same 0 LC_ALL=C "plugins of both" "$work/opens" "$work/plugin.so" "$work/real.so" "$work/plugin.so"
same 0 LC_ALL=C "plugins of both, the real one first" "$work/opens" "$work/real.so" \
    "$work/plugin.so"
same 0 LC_ALL=C "a library with handles of its own" "$work/front"

same 0 LC_ALL=C "a constructor that calls before ours have run" "$work/after"
env SHUNT_LOG=start LD_PRELOAD="$lib" timeout -k 10 60 "$work/after" >"$work/out" 2>"$work/err"
status=$?
if [ $status -eq 7 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
    [ "$(said 'nothing is routed')" -eq 0 ]; then
    pass "a constructor that calls before ours have run: the back end is found"
else
    fail "a constructor that calls before ours have run: status $status" "$work/err"
fi

# Named by a relative path, from a folder that the program leaves; and without the back ends.
cat >"$work/leaves.c" <<'END'
#include <unistd.h>
int go(void);
int main(void) { return chdir("/") ? 1 : go(); }
END
mkdir "$work/ours"
cp "$(dirname "$lib")"/*.so "$work/ours"
$mpicc -o "$work/leaves" "$work/leaves.c" "$work/real.c" 2>"$work/err"
leaves()
{
    (cd "$work" && SHUNT_LOG=$1 LD_PRELOAD=ours/libshunt.so timeout -k 10 60 ./leaves) \
        >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq 7 ] && [ "$(wc -l <"$work/err")" -eq 1 ]
}
if leaves start && [ "$(said 'nothing is routed')" -eq 0 ]; then
    pass "the back end is found after the program has left its folder"
else
    fail "the program left its folder: status $status" "$work/err"
fi
rm "$work"/ours/shunt-*.so
if leaves off && [ "$(said 'nothing is routed in this process')" -eq 1 ]; then
    pass "a back end that is missing is named in one line"
else
    fail "a back end that is missing: status $status" "$work/err"
fi
finish
