/* SPDX-License-Identifier: BSD-3-Clause */
/* agreement.h: what ranks tell each other before an exchange, and how it is combined. */
#ifndef SHUNT_SHM_AGREEMENT_H
#define SHUNT_SHM_AGREEMENT_H

#include <stdint.h>

struct shunt_agreement {
    int64_t largest;   /* maximum */
    uint64_t total;    /* sum */
    uint64_t checksum; /* sum modulo 2^64 */
    uint64_t blocks;   /* that are not empty: sum */
    uint64_t flags;    /* bitwise or */
};
static inline void shunt_agreement_add(struct shunt_agreement *all,
                                       const struct shunt_agreement *more)
{
    all->largest = more->largest > all->largest ? more->largest : all->largest;
    all->total += more->total;
    all->checksum += more->checksum;
    all->blocks += more->blocks;
    all->flags |= more->flags;
}
enum {
    SHUNT_FLAG_NATIVE = 1,
    SHUNT_FLAG_IN_PLACE = 2,
    SHUNT_FLAG_DEVICE = 4,
    SHUNT_FLAG_NO_MEMORY = 8,
    SHUNT_FLAG_REFUSED = 16,
    SHUNT_FLAG_FAILED = 32,
    SHUNT_FLAG_UNMODELLED = 64,
    SHUNT_FLAG_LEFT = 128 /* a rank has left the communicator: comm/agree.h */
};

#endif
