#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The three Fortran bindings: each program checks every element it receives.
# shellcheck source=tests/apps/common.sh
. "${srcdir:-.}/tests/apps/common.sh"

parts=3
for binding in mpifh usempi f08; do
    need tests/apps/fortran_$binding \
        "configure did not find MPICH's Fortran wrapper (Debian: gfortran and libmpich-dev)"
    # shellcheck disable=SC2034 # read by common.sh
    case $binding in mpifh) part=0 ;; usempi) part=1 ;; f08) part=2 ;; esac
    same_under_shim $binding tests/apps/fortran_$binding
    grep -q OK "$work/$binding.native" || fail "fortran_$binding said nothing"
done
need_shim
finish
