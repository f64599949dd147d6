/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h: what became of a call, for the log. Local: adds no communication. */
#ifndef SHUNT_INTERCEPT_RECORD_H
#define SHUNT_INTERCEPT_RECORD_H

#include "execute/exchange.h"

/* What the log wants to know beyond the exchange itself. Strings are constants. */
struct shunt_outcome {
    const struct shunt_decision *decision; /* what was followed, or NULL */
    const char *algorithm;
    const char *reason; /* native although a rule said otherwise, or without a rule */
    int64_t largest;
    uint64_t total; /* bytes of all blocks of an MPI_Alltoallv; where `largest` is known */
    int64_t blocks; /* of all ranks that are not empty; -1: not known */
    /* as in struct shunt_record, but nanoseconds: */
    bool warmup;
    bool refused; /* counts as no call */
    int64_t agreement, native, aside, set_up;
};

/* What is taken down before a call: times by shunt_now, and sizes, for staging changes the send
 * side. */
struct shunt_account {
    int64_t begin;       /* of the exchange, after what set-up took */
    uint64_t bytes;      /* that this rank sends */
    int64_t largest;     /* of its blocks, bytes; -1: not known */
    int filled, blocks;  /* of its blocks, how many are not empty; filled -1: not known */
    int64_t *send_bytes; /* array of P: to each rank; NULL: nobody asked, or not known */
};

/* One call begins. shunt_record frees what is here. */
struct shunt_account shunt_record_begin(struct shunt_exchange *x);
/* It has ended with this code of the library. */
void shunt_record(struct shunt_exchange *x, const struct shunt_outcome *outcome,
                  const struct shunt_account *account, int status);
/* There is nothing left to describe: the communicator is gone. */
void shunt_record_drop(const struct shunt_account *account);

#endif
