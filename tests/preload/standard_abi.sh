#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A library of the standard ABI that is made from MPICH, and says so, is not taken for MPICH: it is
# known by the name of the library that has its PMPI_ names, or by MPI_Abi_get_version. One line says
# so, and the program runs as it is.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need_command cc
mpicc=${MPICC:-mpicc.mpich}
need_command "$mpicc"
source=${srcdir:-.}/tests/preload

# stand_in NAME FLAG...: makes a program and its MPI library, whose PMPI_ names are in lib$NAME.so.
stand_in()
{
    name=$1
    shift
    {
        "$mpicc" -fPIC -I"$top/src" -c -o "$work/library.o" "$source/abi_library.c" \
            && cc -fPIC "$@" -c -o "$work/world.o" "$source/abi_world.c" \
            && cc -shared -Wl,-soname,"lib$name.so" -o "$work/lib$name.so" "$work/library.o" \
                "$work/world.o" \
            && cc -shared -fPIC -Wl,-soname,libmpi_abi.so.1 -o "$work/libmpi_abi.so.1" \
                "$source/abi_names.c" -L"$work" -l"$name" -Wl,-rpath,"$work" \
            && cc -o "$work/program" "$source/abi_program.c" "$work/libmpi_abi.so.1" -L"$work" \
                -l"$name" -Wl,-rpath,"$work"
    } >"$work/err" 2>&1
}

# run [LIBRARY]: its status is left in $status.
run()
{
    env ${1:+"LD_PRELOAD=$1"} timeout -k 10 60 "$work/program" >"$work/out" 2>"$work/err"
    status=$?
}

# runs SENTENCE NAME FLAG...
runs()
{
    what=$1
    shift
    if ! stand_in "$@"; then
        fail "$what: cannot be made" "$work/err"
        return
    fi
    run ''
    [ $status -eq 7 ] || fail "$what: status $status without the library" "$work/err"
    run "$lib"
    if [ $status -ne 7 ]; then
        fail "$what: status $status, expected 7" "$work/err"
    elif [ "$(said 'the standard MPI ABI')" -ne 1 ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
        fail "$what: not one line that says so" "$work/err"
    else
        pass "$what: the program runs as it is, and one line says so"
    fi
}

runs "libpmpi_abi" pmpi_abi
runs "a library that says that it has the standard ABI" pmpi_other -DABI_VERSION

# MPICH's own, where its compiler wrapper is installed.
if command -v mpicc_abi >/dev/null; then
    mpicc_abi -o "$work/plain" "$source/plain.c" "$source/exchange.c" >"$work/err" 2>&1
    job 2 "$work/plain"
    if [ "$status" -eq 7 ] && [ "$(said 'the standard MPI ABI')" -eq 1 ]; then
        pass "MPICH's libmpi_abi: the program runs as it is, and one line says so"
    else
        fail "MPICH's libmpi_abi: status $status, expected 7 and one line" "$work/out" "$work/err"
    fi
fi
finish
