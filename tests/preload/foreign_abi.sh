#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Preloaded under an MPI library of another ABI (Open MPI): one line from one rank; results and
# status are the program's own.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need_command mpicc.openmpi
need_command mpiexec.openmpi
source=${srcdir:-.}/tests/preload

mpicc.openmpi -O2 -o "$work/plain" "$source/plain.c" "$source/exchange.c" >"$work/err" 2>&1 || {
    fail "mpicc.openmpi cannot compile the program" "$work/err"
    finish
}

# openmpi PRELOAD
openmpi()
{
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout -k 10 60 mpiexec.openmpi \
        --oversubscribe -n 2 --mca btl self,vader ${1:+-x LD_PRELOAD="$1"} \
        "$work/plain" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

openmpi ''
if [ "$status" -ne 7 ] || ! grep -q '^ranks 2 wrong 0$' "$work/out"; then
    cat "$work/out" "$work/err"
    skip "Open MPI does not run here without the library either (status $status)"
fi
openmpi "$lib"
if [ "$status" -ne 7 ] || ! grep -q '^ranks 2 wrong 0$' "$work/out"; then
    fail "status $status, expected 7" "$work/out" "$work/err"
elif [ "$(grep -c '^shunt: ' "$work/err")" -ne 1 ]; then
    fail "$(grep -c '^shunt: ' "$work/err") lines, expected 1" "$work/err"
else
    pass "Open MPI's program runs as it is, and one line says so: $(cat "$work/err")"
fi
finish
