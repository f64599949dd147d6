# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Settings of the papers' algorithms that stand for all that were tried: those at which they are best on
# the machines and sizes of the claims. For scripts/papers --quick, and for scripts/fit, which fits to
# the best of them. Sourced.
# shellcheck disable=SC2034 # by those two
best_radices=2,8,32,91,128,P
best_linna=radix=2,32:batch_size=1,8,1024
best_batches=1,2,8,32,256,1024
