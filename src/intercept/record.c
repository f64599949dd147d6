/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c: what a call did becomes a record of the log. */
#include "intercept/record.h"

#include <stdio.h>
#include <string.h>

#include "communicator/process.h"
#include "log/log.h"
#include "route/words.h"

/* Bytes this rank sends; logging only. */
uint64_t shunt_record_bytes(const struct shunt_exchange *x)
{
    const struct shunt_side *side = x->in_place ? &x->recv : &x->send;
    const int64_t size = shunt_type_size(side->type);
    uint64_t total = 0;
    if (size < 0 || x->comm->size == 0 || (x->op == SHUNT_OP_ALLTOALLV && !side->counts))
        return 0;
    for (int p = 0; p < x->comm->size; p++) {
        const int64_t count = shunt_side_count(x, side, p);
        total += count > 0 ? (uint64_t)(count * size) : 0;
    }
    return total;
}

enum { REJECTED_MOST = 16 };

/* The rules before the one that won, with what kept each from matching; for the call log only. */
static int list_rejected(const struct shunt_exchange *x, const struct shunt_outcome *outcome,
                         struct shunt_log_rejected *list, char (*reasons)[160])
{
    const struct shunt_comm *comm = x->comm;
    const struct shunt_table *table =
        comm->force && comm->force->rule_count[x->op] ? comm->force : comm->table;
    int count = 0;
    if (!table || comm->state != SHUNT_STATE_ROUTED || outcome->largest < 0)
        return 0;
    for (uint32_t i = 0; i < table->rule_count[x->op] && count < REJECTED_MOST; i++) {
        const struct shunt_rule *rule = &table->rules[table->rule_first[x->op] + i];
        if (outcome->decision && outcome->decision->rule == rule)
            break;
        if (shunt_rule_matches(table, rule, x->op, &comm->layout, comm->agreed.memory,
                               outcome->largest, reasons[count], sizeof reasons[count]))
            continue;
        list[count] =
            (struct shunt_log_rejected){.rule_file = shunt_table_string(table, rule->file),
                                        .rule_id = shunt_table_string(table, rule->id),
                                        .rule_line = rule->line,
                                        .reason = reasons[count]};
        count++;
    }
    return count;
}

void shunt_record(struct shunt_exchange *x, const struct shunt_outcome *outcome, double seconds,
                  int status, uint64_t bytes)
{
    struct shunt_comm *comm = x->comm;
    char params[192] = "", reasons[REJECTED_MOST][160];
    struct shunt_log_rejected rejected[REJECTED_MOST];
    int error_class = MPI_SUCCESS, rejected_count = 0;
    if (status != MPI_SUCCESS)
        shunt_pmpi.Error_class(status, &error_class);
    const struct shunt_rule *rule = outcome->decision ? outcome->decision->rule : NULL;
    if (outcome->decision && strcmp(outcome->algorithm, outcome->decision->algorithm->name) == 0)
        shunt_params_print(outcome->decision->algorithm, &outcome->decision->params, params,
                           sizeof params);
    if (shunt_process_settings()->log == SHUNT_LOG_CALLS)
        rejected_count = list_rejected(x, outcome, rejected, reasons);
    const struct shunt_record r = {
        .call = comm->calls,
        .operation = shunt_op_name(x->op),
        .communicator = shunt_comm_describe(comm),
        .communicator_id = comm->id,
        .ranks = comm->size,
        .nodes = comm->layout.nodes,
        .ppn = comm->layout.ppn_max,
        .max = outcome->largest,
        .mean = outcome->mean,
        .bytes = bytes,
        .algorithm = outcome->algorithm,
        .params = params,
        .rule_file = rule ? shunt_table_string(outcome->decision->table, rule->file) : NULL,
        .rule_line = rule ? rule->line : 0,
        .rule_id = rule ? shunt_table_string(outcome->decision->table, rule->id) : NULL,
        .reason = outcome->reason,
        .seconds = seconds,
        .agreement = outcome->agreement,
        .memory =
            (int64_t)(comm->scratch_bytes + (comm->node.shared.data
                                                 ? comm->node.shared.bytes / (size_t)comm->node.ppn
                                                 : 0)),
        .error = error_class,
        .rejected = rejected,
        .rejected_count = rejected_count,
    };
    shunt_log_call(&r);
}
