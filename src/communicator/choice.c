/* SPDX-License-Identifier: BSD-3-Clause */
/* choice.c: which tables a process would use if it were rank 0, and what they say of the warm-up. */
#include "communicator/comm.h"

void shunt_tables_choose(const struct shunt_table **table, const struct shunt_table **force, enum shunt_table_state *state)
{
    enum shunt_table_state force_state = SHUNT_TABLE_NONE;
    *table = NULL;
    *state = SHUNT_TABLE_NONE;
    *force = shunt_tables_force(&force_state);
    /* With both operations forced no table is needed, nor libconfig. */
    const bool all_forced = *force && (*force)->rule_count[0] && (*force)->rule_count[1];
    if (!all_forced && force_state != SHUNT_TABLE_BAD)
        *table = shunt_tables_own(state);
    if (force_state == SHUNT_TABLE_BAD)
        *state = SHUNT_TABLE_BAD;
    else if (*state == SHUNT_TABLE_BAD && *force && shunt_process_settings()->strict != SHUNT_STRICT_ERROR)
        *state = SHUNT_TABLE_NONE; /* what is forced can still run */
}

int64_t shunt_tables_warmup(const struct shunt_table *table, const struct shunt_table *force)
{
    const struct shunt_settings *s = shunt_process_settings();
    const struct shunt_policy policy = table ? table->policy : shunt_policy_default();
    return s->warmup >= 0 ? s->warmup : force ? 0 : policy.warmup;
}
