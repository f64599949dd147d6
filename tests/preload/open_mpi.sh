#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The library that routes programs of MPICH routes those of Open MPI: C, the three bindings of
# Fortran, which call PMPI_ names there, and MPI that is loaded with RTLD_LOCAL. Results and status
# are the program's own; other callers of PMPI_ names get the library's own functions.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need_command mpicc.openmpi
need_command mpiexec.openmpi
source=${srcdir:-.}/tests/preload
apps=${srcdir:-.}/tests/apps
MPIEXEC=$top/tests/open-mpi/mpiexec
OPEN_MPI_MPIEXEC=mpiexec.openmpi
export OPEN_MPI_MPIEXEC
mpiexec=$MPIEXEC

mpicc.openmpi -O2 -o "$work/plain" "$source/plain.c" "$source/exchange.c" >"$work/err" 2>&1 || {
    fail "mpicc.openmpi cannot compile the program" "$work/err"
    finish
}
timeout -k 10 60 "$mpiexec" -n 4 "$work/plain" >"$work/out" 2>"$work/err" </dev/null
status=$?
if [ "$status" -ne 7 ] || ! grep -q '^ranks 4 wrong 0$' "$work/out"; then
    cat "$work/out" "$work/err"
    skip "Open MPI does not run here without the library either (status $status)"
fi

# routed: how many calls the summary tells of, "routed of all".
routed()
{
    sed -n 's/.* routed \([0-9]*\) of \([0-9]*\) calls.*/\1 of \2/p' "$work/err"
}

job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_GUARD 0 -genv SHUNT_LOG summary "$work/plain"
if [ "$status" -ne 7 ] || ! grep -q '^ranks 4 wrong 0$' "$work/out"; then
    fail "status $status, expected 7" "$work/out" "$work/err"
elif [ -z "$(routed)" ] || [ "$(routed | cut -d' ' -f1)" -eq 0 ]; then
    fail "nothing was routed" "$work/err"
else
    pass "C is routed: $(routed) calls"
fi

if command -v mpif90.openmpi >/dev/null; then
    for program in fortran_mpifh.f fortran_usempi.f90 fortran_f08.f90; do
        if ! mpif90.openmpi -o "$work/fortran" "$apps/$program" >"$work/err" 2>&1; then
            fail "$program is not compiled" "$work/err"
            continue
        fi
        job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_GUARD 0 -genv SHUNT_LOG summary "$work/fortran"
        count=$(routed | cut -d' ' -f1)
        if [ "$status" -eq 0 ] && [ -n "$count" ] && [ "$count" -gt 0 ] &&
            [ "$(routed)" = "$count of $count" ]; then
            pass "$program is routed: $(routed) calls"
        else
            fail "$program: status $status, routed $(routed)" "$work/out" "$work/err"
        fi
    done
else
    echo "not tried: Fortran (mpif90.openmpi is not installed)"
fi

# Nobody but the bindings is routed by PMPI_ names.
for file in plain exchange; do
    sed 's/MPI_Alltoall/PMPI_Alltoall/' "$source/$file.c" >"$work/$file.c"
done
if mpicc.openmpi -O2 -I"$source" -o "$work/profiling" "$work/plain.c" "$work/exchange.c" \
    >"$work/err" 2>&1; then
    job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_LOG summary "$work/profiling"
    if [ "$status" -eq 7 ] && ! routed | grep -qv '^0 '; then
        pass "a program that calls PMPI_ names gets the library's own functions"
    else
        fail "a program that calls PMPI_ names: status $status, routed $(routed)" "$work/out" \
            "$work/err"
    fi
else
    fail "the program that calls PMPI_ names is not compiled" "$work/err"
fi

# What the library is asked about arguments reaches no error handler of the program: MPI_Alltoall
# raises this error on MPI_COMM_WORLD.
cat >"$work/refused.c" <<'END'
#include <mpi.h>
static int calls;
static void count(MPI_Comm *comm, int *code, ...) { calls++; }
int main(int argc, char **argv)
{
    MPI_Errhandler handler;
    int send = 1, class = MPI_SUCCESS;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Error_class(MPI_Alltoall(&send, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, MPI_COMM_WORLD),
                    &class);
    MPI_Finalize();
    return class == MPI_ERR_ARG ? calls : 9;
}
END
if mpicc.openmpi -o "$work/refused" "$work/refused.c" >"$work/err" 2>&1; then
    job 1 -genv SHUNT_FORCE alltoall=parlogna "$work/refused"
    if [ "$status" -eq 1 ]; then
        pass "a call that is refused reaches the error handler once"
    else
        fail "a call that is refused: status $status, expected 1" "$work/err"
    fi
else
    fail "the program whose call is refused is not compiled" "$work/err"
fi
finish
