#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The sources build on newer systems than this one: MPI_Count is another type than int64_t in the
# headers of some MPICH, <stdlib.h> of glibc 2.43 declares call_once of <threads.h>, cmocka 2
# deprecates checks that earlier ones have, and MPICH 5 no longer lets gfortran take arguments that
# do not fit.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
mpicc=${MPICC:-mpicc.mpich}
need_command "$mpicc"
[ -f "$top_build/config.h" ] || skip "$top_build is not a build folder"

# compiles FLAG...: what is said of it is left in err.
compiles()
{
    "$mpicc" -std=c11 -fsyntax-only -Wall -Werror -D_GNU_SOURCE -DHAVE_CONFIG_H "$@" \
        -I"$top_build" -I"$top_build/src" -I"$top/src" >"$work/err" 2>&1
}

# free SENTENCE PATTERN FOLDER: no source has any of these names.
free()
{
    if grep -rnE --include='*.[ch]' "$2" "$3" >"$work/err"; then
        fail "$1" "$work/err"
    else
        pass "$1"
    fi
}

free "nothing has a name of <threads.h>" \
    '\b(call_once|once_flag|(mtx|cnd|thrd|tss)_[a-z]+)\b' "$top/src"
free "no unit test has a check that cmocka 2 deprecates" \
    '\bassert_(not_)?in_range\(' "$top/tests/unit"

echo '#include <mpi.h>' >"$work/empty.c"
header=$("$mpicc" -M -E "$work/empty.c" | tr ' ' '\n' | grep '/mpi\.h$' | head -n 1)
[ -n "$header" ] || skip "there is no mpi.h"
mkdir "$work/include"
from=long to='long long'
grep -q '^typedef long MPI_Count;' "$header" || from='long long' to=long
sed "s/^typedef $from MPI_Count;/typedef $to MPI_Count;/" "$header" >"$work/include/mpi.h"
cmp -s "$header" "$work/include/mpi.h" && skip "MPI_Count is neither long nor long long"
grep -rlE --include='*.c' 'MPI_Count|\.[A-Z][a-z]+_c\(' "$top/src" >"$work/files"
wrong='' count=0
while read -r file && [ -z "$wrong" ]; do
    compiles "$file" || continue # it needs what this system has not, such as SimGrid
    count=$((count + 1))
    compiles -I"$work/include" -I"$(dirname "$header")" "$file" || wrong=$file
done <"$work/files"
if [ -n "$wrong" ]; then
    fail "where MPI_Count is $to: $wrong" "$work/err"
else
    check "$count sources compile where MPI_Count is $to" [ "$count" -gt 0 ]
fi

fortran=$top/tests/apps/fortran_mpifh.f
if ! command -v gfortran >/dev/null || [ ! -f "$(dirname "$header")/mpif.h" ]; then
    echo "no gfortran, or no mpif.h"
elif gfortran -w -fsyntax-only -I"$(dirname "$header")" "$fortran" >"$work/err" 2>&1; then
    pass "Fortran passes to each procedure what other calls of it pass"
else
    fail "$fortran needs -fallow-argument-mismatch" "$work/err"
fi
finish
