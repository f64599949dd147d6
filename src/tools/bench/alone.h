/* SPDX-License-Identifier: BSD-3-Clause */
/* alone.h: a measuring program of one rank, and whether that was meant. */
#ifndef SHUNT_BENCH_ALONE_H
#define SHUNT_BENCH_ALONE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this process, the only one of its job, was started without a launcher, or by that of
 * another MPI library; then `diagnostic` says what to do. `library`: the MPI library's name. */
bool bench_is_astray(const char *library, char *diagnostic, size_t capacity);

#endif
