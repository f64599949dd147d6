/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h: what became of a call, for the log. Local: adds no communication. */
#ifndef SHUNT_INTERCEPT_RECORD_H
#define SHUNT_INTERCEPT_RECORD_H

#include "execute/exchange.h"

/* What the log wants to know beyond the exchange itself. Strings are constants. */
struct shunt_outcome {
    const struct shunt_decision *decision; /* the rule that was followed, or NULL */
    const char *algorithm;
    const char *reason; /* native although a rule said otherwise, or without a rule */
    int64_t largest;
    double mean;
    double agreement;
};

/* Bytes that this rank sends. Before the exchange, for staging changes the send side. */
uint64_t shunt_record_bytes(const struct shunt_exchange *x);
/* One call that took so many seconds, ended with this code of the library, and sent so many bytes.
 */
void shunt_record(struct shunt_exchange *x, const struct shunt_outcome *outcome, double seconds,
                  int status, uint64_t bytes);

#endif
