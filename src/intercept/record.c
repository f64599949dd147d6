/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c: what a call did becomes a record of the log. */
#include "intercept/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/clock.h"
#include "comm/comm_log.h"
#include "comm/wait.h"
#include "log/log.h"
#include "process/process.h"
#include "route/learned.h"
#include "route/words.h"

/* Blocks that a rank sends in a call. */
static int count_blocks(const struct shunt_comm *comm)
{
    int blocks = comm->size;
    if (!comm->diag.inter)
        return blocks;
    return shunt_pmpi.Comm_remote_size(comm->user, &blocks) == MPI_SUCCESS ? blocks : 0;
}

/* Bytes that this rank sends. O(P), and O(1) for an Alltoall. */
static void measure(const struct shunt_exchange *x, struct shunt_account *account)
{
    const struct shunt_side *side = x->in_place ? &x->recv : &x->send;
    const int blocks = count_blocks(x->comm);
    const int64_t size = shunt_type_size(side->type);
    uint64_t elements = 0;
    int64_t most = 0;
    int filled = 0;
    if (size < 0 || blocks == 0 || (x->op == SHUNT_OP_ALLTOALLV && !side->counts))
        return;
    if (x->op == SHUNT_OP_ALLTOALL) {
        elements = side->count > 0 ? (uint64_t)side->count * (uint64_t)blocks : 0;
        most = side->count > 0 ? side->count : 0;
        filled = side->count > 0 ? blocks : 0;
    }
    for (int p = 0; x->op == SHUNT_OP_ALLTOALLV && p < blocks; p++) {
        const int64_t count = shunt_listed_count(side, p);
        elements += count > 0 ? (uint64_t)count : 0;
        filled += count > 0;
        most = count > most ? count : most;
    }
    account->bytes = elements * (uint64_t)size;
    account->largest = most * size;
    account->filled = size > 0 ? filled : 0;
    account->blocks = blocks;
}

static void list_bytes(const struct shunt_exchange *x, struct shunt_account *account)
{
    const struct shunt_side *side = x->in_place ? &x->recv : &x->send;
    const int64_t size = shunt_type_size(side->type);
    const int P = x->comm->size;
    if (account->filled < 0 || x->comm->diag.inter)
        return;
    account->send_bytes = malloc((size_t)P * sizeof *account->send_bytes);
    for (int p = 0; account->send_bytes && p < P; p++) {
        const int64_t count = shunt_side_count(x, side, p);
        account->send_bytes[p] = count > 0 ? count * size : 0;
    }
}

struct shunt_account shunt_record_begin(struct shunt_exchange *x)
{
    const struct shunt_settings *settings = shunt_process_settings();
    struct shunt_account account = {.filled = -1, .largest = -1};
    measure(x, &account);
    if (settings->log_counts && shunt_log_takes_details())
        list_bytes(x, &account);
    account.begin = shunt_now();
    if (settings->log_phases && shunt_log_takes_details()) {
        x->comm->diag.watch = (struct shunt_stopwatch){.since = account.begin};
        x->comm->diag.stopwatch = &x->comm->diag.watch;
    }
    return account;
}

void shunt_record_drop(const struct shunt_account *account)
{
    free(account->send_bytes);
}

static double seconds_of(int64_t nanoseconds)
{
    return 1e-9 * (double)nanoseconds;
}

/* Bytes of a block in the mean; -1: not known. */
static double mean_of(const struct shunt_exchange *x, const struct shunt_outcome *outcome)
{
    const double ranks = x->comm->size;
    return x->op == SHUNT_OP_ALLTOALL || outcome->largest < 0
               ? (double)outcome->largest
               : (double)outcome->total / ranks / ranks;
}

/* Ends the stopwatch, if one runs: at `end`, as the call. Returns how many phases there are. */
static int list_phases(struct shunt_comm *comm, struct shunt_log_phase *phases, int64_t *end)
{
    static const char *const names[SHUNT_PHASE_COUNT] = {
        [SHUNT_PHASE_OTHER] = "other",         [SHUNT_PHASE_AGREEMENT] = "agreement",
        [SHUNT_PHASE_PREPARE] = "prepare",     [SHUNT_PHASE_METADATA] = "metadata",
        [SHUNT_PHASE_COPY] = "copy",           [SHUNT_PHASE_NODE] = "node",
        [SHUNT_PHASE_REARRANGE] = "rearrange", [SHUNT_PHASE_REMOTE] = "remote"};
    if (!comm->diag.stopwatch) {
        *end = shunt_now();
        return 0;
    }
    shunt_stopwatch_turn(comm->diag.stopwatch, SHUNT_PHASE_OTHER);
    for (int i = 0; i < SHUNT_PHASE_COUNT; i++)
        phases[i] =
            (struct shunt_log_phase){names[i], seconds_of(comm->diag.stopwatch->nanoseconds[i])};
    *end = comm->diag.stopwatch->since;
    comm->diag.stopwatch = NULL;
    return SHUNT_PHASE_COUNT;
}

static int density_of(const struct shunt_exchange *x, const struct shunt_outcome *outcome)
{
    return outcome->blocks < 0 ? -1 : shunt_density((uint64_t)outcome->blocks, x->comm->size);
}

enum { REJECTED_MOST = 16 };

/* The rules before the one that won, with what kept each from matching. */
static int list_rejected(const struct shunt_exchange *x, const struct shunt_outcome *outcome,
                         struct shunt_log_rejected *list, char (*reasons)[160])
{
    const struct shunt_comm *comm = x->comm;
    const bool forced = shunt_comm_forced(comm, x->op); /* whatever the sizes */
    const struct shunt_table *table = forced ? comm->force : comm->table;
    const int64_t largest = forced && outcome->largest < 0 ? 0 : outcome->largest;
    int count = 0;
    if (!table || comm->state != SHUNT_STATE_ROUTED || largest < 0)
        return 0;
    for (uint32_t i = 0; i < table->rule_count[x->op] && count < REJECTED_MOST; i++) {
        const struct shunt_rule *rule = &table->rules[table->rule_first[x->op] + i];
        if (outcome->decision && outcome->decision->rule == rule)
            break;
        if (shunt_rule_matches(table, rule, x->op, &comm->layout, comm->agreed.memory, largest,
                               density_of(x, outcome), reasons[count], sizeof reasons[count]))
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

/* Bytes of scratch and of this rank's part of what its node shares. */
static int64_t memory_of(const struct shunt_comm *comm)
{
    const struct shunt_shared *made = &comm->node.shared;
    const size_t shared =
        made->made ? 2 * made->area_bytes + made->bytes / (size_t)comm->node.ppn : 0;
    return (int64_t)(comm->buffers.scratch_bytes + shared);
}

static int class_of(int status)
{
    int class = MPI_SUCCESS;
    if (status != MPI_SUCCESS)
        shunt_pmpi.Error_class(status, &class);
    return class;
}

void shunt_record(struct shunt_exchange *x, const struct shunt_outcome *outcome,
                  const struct shunt_account *account, int status)
{
    struct shunt_comm *comm = x->comm;
    struct shunt_arithmetic arithmetic;
    int64_t end;
    char params[192] = "", reasons[REJECTED_MOST][160];
    struct shunt_log_rejected rejected[REJECTED_MOST];
    struct shunt_log_phase phases[SHUNT_PHASE_COUNT];
    shunt_arithmetic_enter(&arithmetic);
    const int phase_count = list_phases(comm, phases, &end);
    const struct shunt_rule *rule = outcome->decision ? outcome->decision->rule : NULL;
    const bool followed =
        outcome->decision && strcmp(outcome->algorithm, outcome->decision->algorithm->name) == 0;
    const bool by_model = followed && !outcome->reason && outcome->decision->gain > 0;
    if (followed)
        shunt_params_print(outcome->decision->algorithm, &outcome->decision->params, params,
                           sizeof params);
    const int rejected_count =
        shunt_log_takes_details() ? list_rejected(x, outcome, rejected, reasons) : 0;
    const struct shunt_record r = {
        .arrival = comm->diag.arrival,
        .call = comm->calls + outcome->refused,
        .operation = shunt_op_name(x->op),
        .communicator = shunt_comm_log_name(comm),
        .communicator_id = shunt_comm_log_id(comm),
        .ranks = comm->size,
        .nodes = comm->layout.nodes,
        .ppn = comm->layout.ppn_max,
        .max = outcome->largest,
        .mean = mean_of(x, outcome),
        .filled = account->filled > 0 ? (double)account->filled / account->blocks : account->filled,
        .density = density_of(x, outcome),
        .bytes = account->bytes,
        .algorithm = outcome->algorithm,
        .params = params,
        .rule_file = rule ? shunt_table_string(outcome->decision->table, rule->file) : NULL,
        .rule_line = rule ? rule->line : 0,
        .rule_id = rule ? shunt_table_string(outcome->decision->table, rule->id) : NULL,
        .rest = rule && !outcome->reason && shunt_learned_is_gap(outcome->decision),
        .reason = by_model ? SHUNT_LOG_MODEL : outcome->reason,
        .gain = by_model ? outcome->decision->gain : 0,
        .warmup = outcome->warmup,
        .settled = comm->diag.natives >= SHUNT_LOG_SETTLED,
        .seconds = seconds_of(end - account->begin),
        .native = seconds_of(outcome->native),
        .agreement = outcome->agreement < 0 ? -1 : seconds_of(outcome->agreement),
        .memory = memory_of(comm),
        .error = class_of(status),
        .rejected = rejected,
        .rejected_count = rejected_count,
        .phases = phase_count > 0 ? phases : NULL,
        .phase_count = phase_count,
        .send_bytes = account->send_bytes,
        .largest_sent = account->largest,
        .set_up = seconds_of(outcome->set_up),
        .aside = seconds_of(outcome->aside),
    };
    shunt_log_call(&r);
    comm->diag.natives +=
        status == MPI_SUCCESS && (outcome->native > 0 || !shunt_record_is_routed(&r));
    shunt_arithmetic_leave(&arithmetic);
    shunt_record_drop(account);
}
