#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Debian's mpi4py: an interpreter without MPI that opens an extension module with RTLD_LOCAL; the
# MPI library is Open MPI's. Its calls are routed.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need_command mpiexec.openmpi
python=/usr/bin/python3
"$python" -c 'import mpi4py' 2>/dev/null || skip "$python has no mpi4py"
extension=$("$python" -c \
    'import importlib.util; print(importlib.util.find_spec("mpi4py.MPI").origin)')
ldd "$extension" 2>/dev/null | grep -q 'libmpi\.so\.40' ||
    skip "mpi4py ($extension) is not linked with Open MPI"

cat >"$work/exchange.py" <<'END'
from array import array
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
wrong = 0
for i in range(5):
    out = array("i", [rank * 100 + peer + i for peer in range(size)])
    into = array("i", [-1] * size)
    comm.Alltoall([out, MPI.INT], [into, MPI.INT])
    wrong += list(into) != [peer * 100 + rank + i for peer in range(size)]
    into = array("i", [-1] * size)
    ones = [1] * size
    comm.Alltoallv([out, ones, MPI.INT], [into, ones, MPI.INT])
    wrong += list(into) != [peer * 100 + rank + i for peer in range(size)]
    wrong += comm.alltoall(["%d %d" % (rank, peer) for peer in range(size)]) != ["%d %d" % (peer, rank) for peer in range(size)]
wrong = comm.allreduce(wrong)
if rank == 0:
    print("ranks", size, "wrong", wrong)
# Not with 7, as other tests: at another status than 0 Open MPI's launcher ends the other rank, and
# what that had to say is lost.
raise SystemExit(0 if wrong == 0 else 1)
END

# openmpi PRELOAD
openmpi()
{
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout -k 10 60 mpiexec.openmpi \
        --oversubscribe -n 2 --mca btl self,vader \
        ${1:+-x LD_PRELOAD="$1" -x SHUNT_WARMUP=0 -x SHUNT_LOG=summary} \
        "$python" "$work/exchange.py" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

openmpi ''
if [ "$status" -ne 0 ] || ! grep -q '^ranks 2 wrong 0$' "$work/out"; then
    cat "$work/out" "$work/err"
    skip "mpi4py does not run here without the library either (status $status)"
fi
openmpi "$lib"
if [ "$status" -ne 0 ] || ! grep -q '^ranks 2 wrong 0$' "$work/out"; then
    fail "status $status, expected 0" "$work/out" "$work/err"
elif [ "$(said 'summary of rank 0 of 2: routed [1-9]')" -ne 1 ]; then
    fail "nothing was routed" "$work/err"
else
    pass "mpi4py is right and routed: $(grep -o 'routed [0-9]* of [0-9]* calls' "$work/err")"
fi
finish
