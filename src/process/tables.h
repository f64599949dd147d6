/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.h: the decision tables of this process. */
#ifndef SHUNT_PROCESS_TABLES_H
#define SHUNT_PROCESS_TABLES_H

#include "log/log.h"
#include "route/route.h"
#include <stdbool.h>

enum shunt_table_state { SHUNT_TABLE_NONE, SHUNT_TABLE_READ, SHUNT_TABLE_BAD };

/* The process's table, read from files at most once, or adopted from the first communicator that
 * had one. *state tells. */
const struct shunt_table *shunt_tables_own(enum shunt_table_state *state);
/* Likewise for SHUNT_FORCE. */
const struct shunt_table *shunt_tables_force(enum shunt_table_state *state);
/* For the log: the table that this process has, or would have as rank 0 of a communicator now, that
 * of SHUNT_FORCE where it needs no other; NULL: none. What it has later does not depend on it. */
const struct shunt_table *shunt_tables_look(void);
/* A table received or read before, by fingerprint; NULL when this process has none such. */
const struct shunt_table *shunt_tables_find(uint64_t fingerprint);
/* Takes over a malloc block that holds a valid table; returns the process's copy. Becomes the
 * process's own table if it has none yet. */
const struct shunt_table *shunt_tables_adopt(struct shunt_table *table, bool as_own);

/* One file, whatever hosts it is for; NULL: it is not there, or has no byte but zeros, or *bad: it
 * cannot be read. Kept as long as the process. */
const struct shunt_table *shunt_tables_read(const char *path, bool *bad);

/* Whether the file of what was learned may be used at all; if not, that is said, once. */
bool shunt_tables_trusted(const char *path);

/* What the log says of a table; strings are the table's. */
struct shunt_log_table shunt_tables_describe(const struct shunt_table *table);
/* Tells the log of a table. */
void shunt_tables_tell(const struct shunt_table *table, bool used);
/* Likewise of those that this process has read; reads none. */
void shunt_tables_tell_own(void);

/* The tables that count where this process is rank 0, NULL: none; and the warm-up in calls, -1:
 * until set-up pays. */
void shunt_tables_choose(const struct shunt_table **table, const struct shunt_table **force,
                         enum shunt_table_state *state);
int64_t shunt_tables_warmup(const struct shunt_table *table, const struct shunt_table *force);

#endif
