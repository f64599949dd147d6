/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setup.c: the collective set-up of a communicator.
 *
 * Comes before a call of which rank 0 has said so (warm_up.c). All ranks take every step, and every
 * failure is a flag in the next reduction: they leave together, routed or native. Nothing on the
 * user's communicator is point-to-point, so receives of the application see nothing.
 *
 *   1. by each rank alone, if it has the team that serves this communicator: layout, decisions,
 * memory
 *   2. reduce: did it work everywhere; same version, nobody disabled; has everybody the team
 *   3. if not: make one (make_team.c), then 1 and 2 again
 *   4. find the node's piece of shared memory, which the first rank of the node has taken in step 1
 */
#include "comm/setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/comm_log.h"
#include "comm/decisions.h"
#include "comm/learning.h"
#include "comm/make_team.h"
#include "comm/named.h"
#include "comm/node.h"
#include "comm/team.h"
#include "log/log.h"
#include "process/device.h"
#include "process/process.h"
#include "process/tables.h"

/* What all ranks say in step 2: maxima. The number and place of these is part of the protocol. */
enum {
    SAY_PROTOCOL,
    SAY_PROTOCOL_LEAST, /* negative: the maximum tells the least */
    SAY_REGISTRY,
    SAY_REGISTRY_LEAST,
    SAY_DISABLED,
    SAY_FAILED,
    SAY_NO_TEAM,
    SAY_THREAD_LEVEL,
    SAY_GPU,
    SAY_SMALL_COUNTS,
    SAY_NO_WORLD,
    SAY_SETTINGS,
    SAY_SETTINGS_LEAST,
    SAY_LEARN,
    SAY_LEARN_LEAST,
    SAY_GIVEN,
    SAY_GIVEN_LEAST,
    SAY_TEAMS, /* how many this process has */
    SAY_DUPLICATES,
    SAY_UNMODELLED,
    SAY_MODELLED,
    SAY_MODELLED_LEAST,
    SAY_VERDICTS, /* of each operation, and negative, for all have to know the same */
    SAY_VERDICTS_LEAST = SAY_VERDICTS + SHUNT_OP_COUNT,
    SAY_COUNT = SAY_VERDICTS_LEAST + SHUNT_OP_COUNT
};

/* Native for good, on all ranks. Returns false, for the callers' convenience. */
static bool give_up(struct shunt_comm *comm, const char *reason)
{
    shunt_comm_native(comm, reason);
    return false;
}

/* Odd, so that a single difference can never vanish, and unrelated otherwise. */
static uint64_t pair_key(int from, int to)
{
    const uint64_t pair = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
    return shunt_hash_mix(pair + UINT64_C(0x9e3779b97f4a7c15)) | 1;
}

static void fill_pair_keys(struct shunt_comm *comm)
{
    for (size_t p = 0; p < (size_t)comm->size; p++) {
        comm->buffers.pair_keys[2 * p] = pair_key(comm->rank, (int)p);
        comm->buffers.pair_keys[2 * p + 1] = pair_key((int)p, comm->rank);
    }
}

/* The layout follows from the nodes of the team's ranks. */
static bool build_layout(struct shunt_comm *comm)
{
    const struct shunt_agreed *a = &comm->agreed;
    int *keys = malloc((size_t)comm->size * sizeof *keys);
    if (!keys)
        return false;
    for (int p = 0; p < comm->size; p++)
        keys[p] = comm->team->first_of[shunt_comm_there(comm, p)];
    shunt_layout_clear(&comm->layout);
    const bool built = shunt_layout_from_keys(&comm->layout, comm->size, keys) == 0;
    free(keys);
    if (!built)
        return false;
    int pieces[SHUNT_LAYOUT_MAX];
    for (int64_t i = 0; i < a->layout_count; i++)
        pieces[i] = (int)a->layout[i];
    if (a->layout_count > 0 &&
        shunt_layout_subdivide(&comm->layout, pieces, (int)a->layout_count, a->layout_cyclic != 0))
        return false;
    comm->layout.oversubscribed = comm->team->crowded;
    if (!comm->team->shares && comm->layout.ppn_max > 1)
        comm->layout.segment_block = -1;
    return true;
}

static bool reserve_arrays(struct shunt_comm *comm)
{
    const size_t size = (size_t)comm->size;
    if (comm->buffers.pair_keys)
        return true;
    comm->buffers.pair_keys = calloc(2 * size, sizeof *comm->buffers.pair_keys);
    if (!comm->buffers.pair_keys)
        return false;
    fill_pair_keys(comm);
    return true;
}

/* Whether calls of MPI_Alltoallv may do without the agreement: by the table's word, not where
 * somebody has forced what to do, or wants every routed call verified. */
static bool may_adapt(const struct shunt_comm *comm)
{
    const bool forced = comm->force && comm->force->rule_count[SHUNT_OP_ALLTOALLV] > 0;
    return comm->agrees[SHUNT_OP_ALLTOALLV] && !forced && !comm->agreed.verify && comm->table &&
           comm->table->policy.adapt != 0;
}

/* Decides which calls need no look, and which begin with an agreement. Pure function of agreed
 * things. */
static void settle_operations(struct shunt_comm *comm)
{
    const bool logging = shunt_process_settings()->log != SHUNT_LOG_OFF;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const struct shunt_map *map = &comm->map[op];
        const enum shunt_kind kind = map->decisions[0].algorithm->kind;
        comm->agrees[op] = false;
        comm->calm[op] = (struct shunt_calm){0};
        const bool taught = shunt_learning_teaches(comm, (enum shunt_op)op);
        comm->routes[op] = taught || !shunt_map_all_native(map);
        if (!comm->routes[op]) {
            comm->bypass |= logging ? 0 : 1u << op;
            continue;
        }
        /* A direct exchange of unknown sizes must be able to survive a truncated message: see
         * direct.c. */
        const bool fragile =
            comm->agreed.thread_level >= MPI_THREAD_MULTIPLE || comm->agreed.no_world;
        const bool sizes = shunt_learning_about(comm, (enum shunt_op)op) || map->count > 1 ||
                           map->sparser || shunt_kind_agrees(kind) || !comm->agreed.large_counts ||
                           fragile;
        comm->agrees[op] = comm->agreed.gpu || (op == SHUNT_OP_ALLTOALLV && sizes);
    }
    /* Lessons look at times of calls that send anything themselves. */
    shunt_adapt_begin(&comm->adapt, may_adapt(comm),
                      shunt_learning_teaches(comm, SHUNT_OP_ALLTOALLV) ? 0 : (uint64_t)comm->size);
}

/* Nothing is routed, nor may be. */
static bool needs_nothing(const struct shunt_comm *comm)
{
    return shunt_decisions_none(comm) && !shunt_learning_wanted(comm);
}

/* Step 1, with a team. What this rank says in step 2 is not known yet, so it counts on the
 * usual. */
static bool prepare(struct shunt_comm *comm)
{
    struct shunt_team *team = comm->team;
    comm->agreed = team->agreed;
    if (comm->named)
        shunt_named_apply(comm);
    comm->table = comm->given ? NULL : team->table;
    comm->force = comm->given ? comm->given : team->force;
    comm->private_comm = team->comm;
    comm->waiter.oversubscribed = team->oversubscribed;
    const int64_t tag_index = (int64_t)comm->tag_index * team->size + shunt_comm_there(comm, 0);
    comm->first_tag = (int)(tag_index % team->tag_ranges) * SHUNT_TAGS;
    if (shunt_team_is_stale(team, comm->first_tag) || !build_layout(comm) ||
        !shunt_decisions_build(comm))
        return false;
    if (!shunt_learning_begin(comm))
        return false;
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        comm->known[op] = shunt_learning_known(comm, (enum shunt_op)op);
    if (needs_nothing(comm))
        return true;
    return reserve_arrays(comm) && shunt_node_prepare(comm);
}

/* What libraries that decide together have in common: algorithms, and how the model chooses. */
static int64_t routing_fingerprint(void)
{
    const uint64_t registry = (uint64_t)shunt_registry_fingerprint();
    return (int64_t)(shunt_hash_value(registry, SHUNT_CHOOSE_VERSION) >> 2);
}

/* Of what routes this communicator in place of the team's table. */
static int64_t given_fingerprint(const struct shunt_comm *comm)
{
    uint64_t hash = comm->given ? comm->given->fingerprint : 0;
    if (comm->named)
        hash = shunt_hash_value(hash, shunt_named_hash(comm));
    return (int64_t)(hash >> 1);
}

/* Step 2. */
static bool ask(struct shunt_comm *comm, bool prepared, int64_t *said)
{
    const struct shunt_settings *s = shunt_process_settings();
    const int64_t registry = routing_fingerprint(), settings = shunt_process_settings_hash();
    const int64_t given = given_fingerprint(comm);
    int thread_level = MPI_THREAD_SINGLE, initialized = 0;
    shunt_pmpi.Initialized(&initialized);
    shunt_pmpi.Query_thread(&thread_level);
    memset(said, 0, SAY_COUNT * sizeof *said);
    said[SAY_PROTOCOL] = SHUNT_PROTOCOL;
    said[SAY_PROTOCOL_LEAST] = -SHUNT_PROTOCOL;
    said[SAY_REGISTRY] = registry;
    said[SAY_REGISTRY_LEAST] = -registry;
    said[SAY_DISABLED] = s->disable;
    said[SAY_FAILED] = comm->warm.failed || !prepared;
    said[SAY_NO_TEAM] = !comm->team;
    said[SAY_THREAD_LEVEL] = thread_level;
    said[SAY_GPU] = shunt_device_runtime();
    said[SAY_SMALL_COUNTS] = !shunt_pmpi_has_large_counts();
    said[SAY_NO_WORLD] = !initialized;
    said[SAY_SETTINGS] = settings;
    said[SAY_SETTINGS_LEAST] = -settings;
    said[SAY_LEARN] = s->learn;
    said[SAY_LEARN_LEAST] = -s->learn;
    said[SAY_GIVEN] = given;
    said[SAY_GIVEN_LEAST] = -given;
    said[SAY_TEAMS] = shunt_team_count();
    said[SAY_DUPLICATES] = shunt_process_has_duplicates();
    said[SAY_UNMODELLED] = shunt_decisions_unmodelled(comm);
    said[SAY_MODELLED] = shunt_decisions_modelled(comm);
    said[SAY_MODELLED_LEAST] = -said[SAY_MODELLED];
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        said[SAY_VERDICTS + op] = prepared ? comm->known[op] : 0;
        said[SAY_VERDICTS_LEAST + op] = -said[SAY_VERDICTS + op];
    }
    if (shunt_collective_meet(comm, said, SAY_COUNT) != MPI_SUCCESS)
        return give_up(comm, comm->diag.gave_up ? SHUNT_COMM_ALONE : "the set-up failed");
    if (said[SAY_PROTOCOL] != -said[SAY_PROTOCOL_LEAST] ||
        said[SAY_REGISTRY] != -said[SAY_REGISTRY_LEAST])
        return give_up(comm, "ranks run different versions of libshunt.so");
    if (said[SAY_DISABLED])
        return give_up(comm, "SHUNT_DISABLE is set");
    if (said[SAY_GIVEN] != -said[SAY_GIVEN_LEAST])
        return give_up(comm, "ranks were given different rules");
    if (said[SAY_FAILED])
        return give_up(comm, "the set-up failed on some rank");
    if (said[SAY_GPU] == SHUNT_DEVICE_OPAQUE)
        return give_up(comm, shunt_device_reason());
    comm->agreed.thread_level = said[SAY_THREAD_LEVEL];
    comm->agreed.gpu = said[SAY_GPU];
    comm->agreed.large_counts = !said[SAY_SMALL_COUNTS];
    comm->agreed.no_world = said[SAY_NO_WORLD];
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        if (said[SAY_VERDICTS + op] != -said[SAY_VERDICTS_LEAST + op])
            comm->known[op] = 0;
    if (!said[SAY_NO_TEAM])
        shunt_decisions_settle(comm, said[SAY_UNMODELLED] != 0,
                               said[SAY_MODELLED] != -said[SAY_MODELLED_LEAST]);
    return true;
}

static void forget_team(struct shunt_comm *comm)
{
    shunt_node_close(comm);
    free(comm->rank_there);
    comm->rank_there = NULL;
    comm->private_comm = MPI_COMM_NULL;
    if (comm->team)
        shunt_team_drop(comm->team);
    comm->team = NULL;
}

/* Step 3. */
static bool make_team(struct shunt_comm *comm, const int64_t *said, struct shunt_team_draft *draft)
{
    if (said[SAY_DUPLICATES])
        return give_up(comm, "a rank has called MPI_Comm_idup, under Open MPI");
    if (said[SAY_SETTINGS] != -said[SAY_SETTINGS_LEAST] && comm->rank == 0)
        shunt_log_say("SHUNT_ variables differ between ranks; those of rank 0 of the first "
                      "communicator are used");
    /* Trials are for jobs that were asked for them everywhere. */
    const bool learns = said[SAY_LEARN] == -said[SAY_LEARN_LEAST];
    comm->team = shunt_team_finish(comm, draft, said[SAY_TEAMS], learns);
    return comm->team || give_up(comm, comm->reason);
}

/* Steps 1 and 2 where all have to make the team first. Nothing is left of the draft afterwards.
 */
static bool begin_team(struct shunt_comm *comm)
{
    struct shunt_team_draft draft;
    int64_t said[SAY_COUNT];
    const bool begun = shunt_team_begin(comm, &draft);
    if (ask(comm, begun, said) && make_team(comm, said, &draft))
        return true;
    shunt_team_discard(&draft);
    return false;
}

/* Leaves what step 2 has to say. */
static bool with_team(struct shunt_comm *comm)
{
    int64_t said[SAY_COUNT];
    if (comm->warm.proposed_team != 0) {
        comm->team = shunt_team_find(comm, comm->warm.proposed_team, &comm->rank_there);
        if (!ask(comm, !comm->team || prepare(comm), said))
            return false;
        if (!said[SAY_NO_TEAM])
            return true;
        forget_team(comm); /* with several threads: not everybody had it yet */
    }
    return begin_team(comm) && ask(comm, prepare(comm), said);
}

static void tell_tables(const struct shunt_comm *comm)
{
    const struct shunt_table *tables[] = {comm->table, comm->force};
    for (int t = 0; t < 2; t++)
        if (tables[t])
            shunt_tables_tell(tables[t], true);
}

static void tell_rules(const struct shunt_comm *comm)
{
    const struct shunt_table *tables[] = {comm->table, comm->force};
    for (int t = 0; t < 2; t++) {
        for (uint32_t op = 0; tables[t] && op < SHUNT_OP_COUNT; op++) {
            for (uint32_t i = 0; i < tables[t]->rule_count[op]; i++) {
                const struct shunt_rule *rule = &tables[t]->rules[tables[t]->rule_first[op] + i];
                shunt_log_rule_known(shunt_table_string(tables[t], rule->file), rule->line,
                                     shunt_table_string(tables[t], rule->id),
                                     shunt_op_name((enum shunt_op)op));
            }
        }
    }
}

static void note_lack(struct shunt_comm *comm, enum shunt_lack lack, int64_t block)
{
    const int64_t capacity = comm->node.shared.made ? comm->node.shared.capacity : -1;
    if (lack == SHUNT_LACKS_READING)
        comm->layout.peer_read = false;
    else
        comm->layout.segment_block = capacity < block ? capacity : -1;
}

bool shunt_comm_decide_without(struct shunt_comm *comm, enum shunt_lack lack, int64_t block)
{
    note_lack(comm, lack, block);
    if (comm->release_plans)
        comm->release_plans(comm);
    struct shunt_agreement values = shunt_decisions_say(comm, shunt_decisions_build(comm));
    if (shunt_agree(comm, &values) == MPI_SUCCESS && !(values.flags & SHUNT_FLAG_NO_MEMORY)) {
        shunt_decisions_hear(comm, &values);
        comm->bypass = 0;
        comm->quiet_to = comm->quiet_from - 1;
        settle_operations(comm);
        return true;
    }
    return give_up(comm, "no memory to decide anew without shared memory");
}

void shunt_comm_settle_anew(struct shunt_comm *comm)
{
    settle_operations(comm);
}

static void set_up(struct shunt_comm *comm)
{
    comm->warm.failed = !shunt_named_read(comm) || comm->warm.failed;
    const bool agreed = with_team(comm);
    shunt_named_forget(comm);
    if (!agreed) {
        forget_team(comm);
        return;
    }
    comm->calls_before = comm->calls - 1;
    settle_operations(comm);
    if (needs_nothing(comm))
        shunt_node_close(comm); /* made for what the model chose, which does not count: others may
                                   have made nothing */
    else
        shunt_node_attach(comm);
    comm->state =
        SHUNT_STATE_ROUTED; /* also where nothing is routed: maps know the rules, for the log */
}

void shunt_setup_run(struct shunt_comm *comm)
{
    const int error = errno;
    set_up(comm);
    errno = error;
    if (comm->state != SHUNT_STATE_ROUTED || shunt_process_settings()->log == SHUNT_LOG_OFF)
        return;
    tell_tables(comm);
    if (comm->agreed.learn != SHUNT_LEARNING_SUGGEST)
        shunt_log_suggest_nothing();
    if (shunt_process_settings()->log == SHUNT_LOG_CALLS)
        tell_rules(comm);
    if (comm->state == SHUNT_STATE_ROUTED && !comm->given)
        shunt_comm_log_set_up(comm);
}
