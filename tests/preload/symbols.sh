#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the library shows to the processes it is preloaded into: MPI_ symbols and nothing else; and
# what it needs: no MPI, no libconfig.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need_command nm
need_command readelf

nm -D --defined-only "$lib" | awk '{ print $NF }' >"$work/symbols"
sed 's/@.*//' "$work/symbols" | grep -v '^MPI_' >"$work/others"
if [ -s "$work/others" ]; then
    fail "symbols other than MPI_ are exported" "$work/others"
elif grep -q '^MPI_Alltoall@*' "$work/symbols" && grep -q '^MPI_Alltoallv' "$work/symbols"; then
    pass "$(grep -c '^MPI_' "$work/symbols") MPI_ symbols are exported and nothing else"
else
    fail "MPI_Alltoall and MPI_Alltoallv are not exported" "$work/symbols"
fi

nm -D --undefined-only "$lib" | awk '{ print $(NF - 1), $NF }' | grep -E ' P?MPI_' |
    grep -v '^w ' >"$work/strong"
if [ -s "$work/strong" ]; then
    fail "MPI is referred to by symbols that are not weak: a program without MPI would not start" \
        "$work/strong"
else
    pass "all references to MPI are weak"
fi

readelf -d "$lib" | grep NEEDED >"$work/needed"
if grep -E 'lib(mpi|mpich|config|ucp)' "$work/needed" >"$work/others"; then
    fail "the library needs others that a node may not have" "$work/others"
else
    pass "the library needs only$(sed -n 's/.*\[\(.*\)\].*/ \1/p' "$work/needed" | tr -d '\n')"
fi
# What glibc keeps for libraries that are opened while a program runs: 512 bytes for this kind.
thread_bytes=$(($(readelf -lW "$lib" | awk '$1 == "TLS" { print $6 }')))
if [ "$thread_bytes" -le 128 ]; then
    pass "variables of threads take $thread_bytes bytes: it can be opened by a running program"
else
    fail "variables of threads take $thread_bytes bytes"
fi
readelf -d "$lib" | grep -q TEXTREL && fail "the library has text relocations"
finish
