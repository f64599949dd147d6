#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the library shows to the processes it is preloaded into: MPI_ symbols, the PMPI_ names that
# the Fortran bindings of Open MPI call, and nothing else; a back end shows one symbol. And what they
# need: no MPI, no libconfig.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need_command nm
need_command readelf

nm -D --defined-only "$lib" | awk '{ print $NF }' >"$work/symbols"
sed 's/@.*//' "$work/symbols" |
    grep -vE '^(MPI_.*|PMPI_(Alltoallv?(_c)?|Comm_idup(_with_info)?))$' >"$work/others"
if [ -s "$work/others" ]; then
    fail "symbols other than MPI_ are exported" "$work/others"
elif grep -q '^MPI_Alltoall@*' "$work/symbols" && grep -q '^MPI_Alltoallv' "$work/symbols"; then
    pass "$(grep -c '^MPI_' "$work/symbols") MPI_ symbols are exported and nothing else"
else
    fail "MPI_Alltoall and MPI_Alltoallv are not exported" "$work/symbols"
fi

for object in "$lib" "$(dirname "$lib")"/shunt-*.so; do
    name=$(basename "$object")
    [ "$name" != shunt-table.so ] || continue
    [ "$object" = "$lib" ] || check "$name shows one symbol" \
        [ "$(nm -D --defined-only "$object" | awk '{ print $NF }')" = shunt_back_end ]
    nm -D --undefined-only "$object" | awk '{ print $(NF - 1), $NF }' | grep -E ' (P?MPI_|ompi_)' \
        >"$work/strong"
    if [ -s "$work/strong" ]; then
        fail "$name refers to MPI: a program without MPI would not start" "$work/strong"
    else
        pass "$name does not refer to MPI"
    fi
    readelf -d "$object" | grep NEEDED >"$work/needed"
    if grep -E 'lib(mpi|mpich|config|ucp)' "$work/needed" >"$work/others"; then
        fail "$name needs others that a node may not have" "$work/others"
    else
        pass "$name needs only$(sed -n 's/.*\[\(.*\)\].*/ \1/p' "$work/needed" | tr -d '\n')"
    fi
    # What glibc keeps for libraries that are opened while a program runs: 512 bytes for this kind.
    thread_bytes=$(($(readelf -lW "$object" | awk '$1 == "TLS" { print $6; exit }' | grep . || echo 0)))
    if [ "$thread_bytes" -le 128 ]; then
        pass "variables of threads take $thread_bytes bytes: a running program can open $name"
    else
        fail "$name: variables of threads take $thread_bytes bytes"
    fi
    if readelf -d "$object" | grep -q TEXTREL; then
        fail "$name has text relocations"
    fi
done
finish
