#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fourier transform: right against a serial one, and bit for bit the same under the preload.
# shellcheck source=tests/apps/common.sh
. "${srcdir:-.}/tests/apps/common.sh"
fft=tests/apps/fft
# shellcheck disable=SC2034 # read by common.sh
operations=alltoallv
need $fft "configure did not find FFTW (Debian: libfftw3-dev)"

# Five repeats: Shunt starts to route after the first calls of a communicator.
parts=3 part=0
same_under_shim n1 $fft --size n1 --repeat 5
part=1
same_under_shim n2 $fft --size n2 --repeat 5
# Blocks of different sizes: with every line.
# shellcheck disable=SC2034 # read by common.sh
parts=1 part=0
same_under_shim 37x53 $fft --size 37x53 --repeat 5
need_shim
finish
