#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which ABI an MPI library is taken for: by functions that programs of one ABI alone need, and by
# MPI_Abi_get_version; not by the name of its file, nor by what it says of itself, which may be said
# of a library behind it. Whether it is Open MPI is told besides. With one that tells nothing the
# program runs as it is, and one line says so.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need_command cc
source=${srcdir:-.}/tests/preload

# stand_in NAME TEXT FLAG...: makes a program and its MPI library, whose PMPI_ names are in
# lib$NAME.so, and which says that it is TEXT.
stand_in()
{
    name=$1
    text=$2
    shift 2
    {
        cc -fPIC -I"$top/src" -I"$top/src/pmpi/standard" -c -o "$work/library.o" \
            "$source/abi_library.c" \
            && cc -fPIC -DVERSION_TEXT="\"$text\"" "$@" -c -o "$work/world.o" \
                "$source/abi_world.c" \
            && cc -shared -Wl,-soname,"lib$name.so" -o "$work/lib$name.so" "$work/library.o" \
                "$work/world.o" \
            && cc -shared -fPIC -Wl,-soname,libmpi_names.so -o "$work/libmpi_names.so" \
                "$source/abi_names.c" -L"$work" -l"$name" -Wl,-rpath,"$work" \
            && cc -o "$work/program" "$source/abi_program.c" "$work/libmpi_names.so" -L"$work" \
                -l"$name" -Wl,-rpath,"$work" \
            && cc -D_GNU_SOURCE -I"$top/src" -o "$work/told" "$source/abi_told.c" \
                "$top/src/pmpi/library.c" -L"$work" -l"$name" -Wl,-rpath,"$work" -ldl
    } >"$work/err" 2>&1
}

# is ABI NAME TEXT FLAG...
is()
{
    abi=$1
    shift
    if ! stand_in "$@"; then
        fail "$*: cannot be made" "$work/err"
    elif [ "$("$work/told" 2>&1)" = "$abi" ]; then
        pass "$*: $abi"
    else
        fail "$*: $("$work/told" 2>&1), expected $abi"
    fi
}

is standard pmpi_abi "MPICH Version:      5.0.2" -DABI_VERSION=1
is standard mpi_other "MPICH Version:      5.0.2" -DABI_VERSION=1
is "standard, it is Open MPI" mpi_other "Open MPI v6.0" -DABI_VERSION=1 -DNAME=ompi_mpi_comm_world
is "standard, it is Open MPI" mpi_other "Open MPI v7.0" -DABI_VERSION=1 \
    -DNAME=ompi_mpi_comm_world -DFORTRAN
is "of Open MPI, it is Open MPI" mpi_abi_none "Open MPI v6.0" -DABI_VERSION=-1 \
    -DNAME=ompi_mpi_comm_world -DFORTRAN
is MPICH mpi_abi_none "MPICH Version:      5.0.2" -DABI_VERSION=-1 -DNAME=MPIR_Dup_fn -DFORTRAN
is MPICH mpi_other "Another MPI" -DNAME=MPIR_Dup_fn
is unknown mpi_abi "MPICH Version:      4.0.2"

# run [LIBRARY]: its status is left in $status.
run()
{
    env ${1:+"LD_PRELOAD=$1"} timeout -k 10 60 "$work/program" >"$work/out" 2>"$work/err"
    status=$?
}

run ''
[ $status -eq 7 ] || fail "status $status without the library" "$work/err"
run "$lib"
if [ $status -ne 7 ]; then
    fail "a library of an unknown ABI: status $status, expected 7" "$work/err"
elif [ "$(said 'none of the ABIs')" -ne 1 ] || [ "$(wc -l <"$work/err")" -ne 1 ]; then
    fail "a library of an unknown ABI: not one line that says so" "$work/err"
else
    pass "a library of an unknown ABI: the program runs as it is, and one line says so"
fi
finish
