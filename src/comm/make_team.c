/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_team.c: making a team.
 *
 * Made in few steps, each of which all ranks take whatever failed before; the last one tells
 * whether all went well everywhere:
 *   1. gather a record per rank (node, processors, offer of a segment), and broadcast rank 0's
 * settings meanwhile
 *   2. broadcast its tables, if they are not the ones that every process has
 *   3. the first of each node makes a segment; create the private communicator
 *   4. map the node's segment; reduce: did everything work everywhere
 *   5. only where a segment could not be opened without a name: once more with one
 */
#include "comm/make_team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arithmetic.h"
#include "comm/clocks.h"
#include "comm/collective.h"
#include "log/log.h"
#include "process/errors.h"
#include "process/group.h"
#include "process/identity.h"
#include "process/process.h"
#include "process/tables.h"
#include "route/builtin.h"

bool shunt_team_begin(const struct shunt_comm *comm, struct shunt_team_draft *draft)
{
    const size_t size = (size_t)comm->size;
    *draft = (struct shunt_team_draft){.team = calloc(1, sizeof *draft->team),
                                       .records = calloc(size, sizeof *draft->records)};
    struct shunt_team *team = draft->team;
    if (!team)
        return false;
    *team = (struct shunt_team){.comm = MPI_COMM_NULL,
                                .group = MPI_GROUP_NULL,
                                .rank = comm->rank,
                                .size = comm->size,
                                .users = 1,
                                .segment = {.fd = -1},
                                .first_of = calloc(size, sizeof *team->first_of)};
    pthread_mutex_init(&team->lock, NULL);
    if (!draft->records || !team->first_of)
        return false;
    struct shunt_team_record *record = &draft->records[comm->rank];
    record->offer = shunt_segment_offer();
    record->node = shunt_identity_node();
    record->seat = shunt_identity_seat();
    return true;
}

void shunt_team_discard(struct shunt_team_draft *draft)
{
    if (draft->team)
        shunt_team_free(draft->team);
    free(draft->records);
    *draft = (struct shunt_team_draft){0};
}

/*
 * SHUNT_STRICT=error. The problems have been printed; launchers drop what is still on its way when
 * a job is aborted, so they get a moment to pass it on.
 */
static void end_job(const struct shunt_comm *comm)
{
    const struct timespec moment = {.tv_sec = 0, .tv_nsec = 500000000};
    fprintf(stderr,
            "shunt: the decision table is not usable: the job ends, as SHUNT_STRICT=error asks\n");
    fflush(stderr);
    nanosleep(&moment, NULL);
    shunt_pmpi.Abort(comm->user, 3);
}

/* What rank 0 decides for all. */
static void fill_settings(const struct shunt_comm *comm, struct shunt_team *team)
{
    const struct shunt_settings *s = shunt_process_settings();
    struct shunt_agreed *a = &team->agreed;
    enum shunt_table_state state;
    shunt_tables_choose(&team->table, &team->force, &state);
    const struct shunt_policy policy = team->table ? team->table->policy : shunt_policy_default();
    a->warmup = shunt_tables_warmup(team->table, team->force);
    a->memory = s->memory >= 0 ? s->memory : policy.memory;
    a->max_communicators = policy.max_communicators;
    a->verify = s->verify;
    a->learn = s->learn >= 0 ? s->learn : policy.learn;
    a->guard = s->guard >= 0 ? s->guard : policy.guard;
    a->table_state = state;
    a->table_everywhere = team->table == shunt_builtin_table();
    a->table_bytes = team->table ? team->table->bytes : 0;
    a->table_fingerprint = team->table ? team->table->fingerprint : 0;
    a->force_bytes = team->force ? team->force->bytes : 0;
    a->force_fingerprint = team->force ? team->force->fingerprint : 0;
    a->log_calls = s->log == SHUNT_LOG_CALLS;
    a->clock_base = shunt_log_clock_base();
    a->layout_count = s->layout_count;
    a->layout_cyclic = s->layout_cyclic;
    for (int i = 0; i < s->layout_count; i++)
        a->layout[i] = s->layout[i];
    if (state == SHUNT_TABLE_BAD && s->strict == SHUNT_STRICT_ERROR)
        end_job(comm);
    if (state == SHUNT_TABLE_BAD && s->strict == SHUNT_STRICT_WARN)
        shunt_log_say("the decision table is not usable: everything stays native "
                      "(SHUNT_STRICT=error would end the job instead)");
}

/* Step 1. */
static bool gather(struct shunt_comm *comm, struct shunt_team_draft *draft)
{
    struct shunt_team *team = draft->team;
    if (comm->rank == 0)
        fill_settings(comm, team);
    team->agreed.id = comm->proposed_id;
    MPI_Request requests[2];
    const int bytes = (int)sizeof *draft->records;
    int status[2];
    struct shunt_hush hush;
    shunt_hush_begin_alone(&hush, comm->user);
    status[0] =
        SHUNT_TWICE(shunt_pmpi.Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, draft->records, bytes,
                                          MPI_BYTE, comm->user, &requests[0]));
    shunt_hush_end(&hush);
    status[1] = shunt_collective_begin_broadcast(comm, &team->agreed, (int)sizeof team->agreed,
                                                 &requests[1]);
    for (int i = 0; i < 2; i++)
        status[i] = shunt_collective_wait(comm, status[i], &requests[i]);
    return status[0] == MPI_SUCCESS && status[1] == MPI_SUCCESS;
}

/* Tables have some numbers with a point. */
static bool is_valid(const struct shunt_table *table, size_t bytes)
{
    struct shunt_arithmetic arithmetic;
    shunt_arithmetic_enter(&arithmetic);
    const bool valid = shunt_table_valid(table, bytes);
    shunt_arithmetic_leave(&arithmetic);
    return valid;
}

/* A table of rank 0, `capacity` being memory for it elsewhere. NULL: something failed here;
 * everybody takes part all the same. */
static const struct shunt_table *share_table(struct shunt_comm *comm,
                                             const struct shunt_table *have, uint64_t bytes,
                                             bool as_own, struct shunt_table *capacity)
{
    void *buffer = comm->rank == 0 ? (void *)(uintptr_t)have : capacity;
    if (shunt_collective_broadcast(comm, buffer, bytes) != MPI_SUCCESS ||
        (comm->rank != 0 && !is_valid(capacity, bytes))) {
        free(capacity);
        return NULL;
    }
    if (comm->rank != 0)
        return shunt_tables_adopt(capacity, as_own);
    free(capacity); /* rank 0 needs none */
    return have;
}

/* Step 2. False: a table is lacking here. Tables that come from files are sent; whether that is so,
 * all know from step 1. */
static bool learn_tables(struct shunt_comm *comm, struct shunt_team *team)
{
    const struct shunt_agreed *a = &team->agreed;
    const bool share[2] = {a->table_bytes && !a->table_everywhere, a->force_bytes != 0};
    const uint64_t bytes[2] = {a->table_bytes, a->force_bytes};
    struct shunt_table *capacity[2] = {NULL, NULL};
    if (comm->rank != 0 && a->table_everywhere)
        team->table = shunt_builtin_table();
    if (!share[0] && !share[1])
        return true;
    int64_t failed = 0;
    for (int i = 0; i < 2; i++) {
        if (comm->rank != 0 && share[i])
            capacity[i] = malloc(bytes[i]);
        failed |= comm->rank != 0 && share[i] && !capacity[i];
    }
    if (shunt_collective_max(comm, &failed, 1) != MPI_SUCCESS || failed) {
        free(capacity[0]);
        free(capacity[1]);
        return false;
    }
    if (share[0])
        team->table = share_table(comm, team->table, bytes[0], true, capacity[0]);
    if (share[1])
        team->force = share_table(comm, team->force, bytes[1], false, capacity[1]);
    return (!share[0] || team->table) && (!share[1] || team->force);
}

/* Step 3. The same group in the same order, and none of the user's attributes. */
static bool create_private(const struct shunt_comm *comm, struct shunt_team *team)
{
    struct shunt_hush hush;
    shunt_hush_begin_alone(&hush, comm->user);
    int status = SHUNT_TWICE(shunt_pmpi.Comm_group(comm->user, &team->group));
    if (status != MPI_SUCCESS)
        team->group = MPI_GROUP_NULL; /* the others wait in vain: MPI cannot even tell who
                                            belongs to a communicator */
    if (status == MPI_SUCCESS)
        status = SHUNT_TWICE(shunt_pmpi.Comm_create(comm->user, team->group, &team->comm));
    shunt_hush_end(&hush);
    if (status == MPI_SUCCESS)
        status = SHUNT_TWICE(shunt_pmpi.Comm_set_errhandler(team->comm, MPI_ERRORS_RETURN));
    if (status == MPI_SUCCESS)
        return true;
    team->comm = MPI_COMM_NULL;
    return false;
}

/* The first of each node makes its memory before step 3, in which everybody waits for everybody. */
static void create_segment(struct shunt_team *team, const struct shunt_team_draft *draft)
{
    if (draft->shared && draft->here > 0 && team->first_of[team->rank] == team->rank)
        shunt_segment_create(&team->segment, &draft->offer);
}

/* Step 4. Whether this process has the memory of its node, or needs none. */
static bool map_segment(struct shunt_team *team, const struct shunt_team_draft *draft)
{
    if (!draft->shared)
        return true;
    return team->first_of[team->rank] == team->rank
               ? team->segment.at != NULL
               : shunt_segment_join(&team->segment, &draft->offer);
}

/*
 * Step 5. The first of each node makes an object with a name, all say whether they have come so
 * far, the others open it, and all say so again. Returns whether all have it.
 */
static bool map_named(struct shunt_comm *comm, struct shunt_team *team,
                      const struct shunt_team_draft *draft)
{
    const struct shunt_segment_offer *offer = &draft->offer;
    const bool creates = team->first_of[team->rank] == team->rank;
    shunt_segment_close(&team->segment);
    int64_t failed = creates && !shunt_segment_create_named(&team->segment, offer);
    const bool created = creates && !failed;
    int status = shunt_collective_max(comm, &failed, 1);
    if (status == MPI_SUCCESS && !failed) {
        failed = !creates && !shunt_segment_join_named(&team->segment, offer);
        status = shunt_collective_max(comm, &failed, 1);
    }
    if (created)
        shunt_segment_forget_name(offer);
    return status == MPI_SUCCESS && !failed;
}

static bool is_there(void *context, int rank, int there)
{
    (void)context;
    (void)rank;
    return there != MPI_UNDEFINED;
}

/* Whether all processes of the team belong to this one's MPI_COMM_WORLD, as far as this rank can
 * tell. *all: and that to it. */
static bool within_world(const struct shunt_team *team, bool *all)
{
    int initialized = 0, size = 0;
    MPI_Group world = MPI_GROUP_NULL;
    *all = false;
    if (shunt_pmpi.Initialized(&initialized) != MPI_SUCCESS || !initialized ||
        team->agreed.no_world || shunt_pmpi.Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return false;
    const bool within = shunt_pmpi.Group_size(world, &size) == MPI_SUCCESS &&
                        shunt_group_translate(team->group, team->size, world, is_there, NULL);
    shunt_pmpi.Group_free(&world);
    *all = within && size == team->size;
    return within;
}

/*
 * Teams besides MPI_COMM_WORLD's that last. Programs that use rows and columns of a grid alone
 * have few, and many communicators of each; what a program makes time and again must not stay, nor
 * what joins it with processes that it has started.
 */
enum { LASTING = 4 };

static bool may_last(struct shunt_team *team)
{
    return within_world(team, &team->world) &&
           (team->world || shunt_team_lasting_count() < LASTING);
}

/* What all ranks say at the end. */
enum { SAY_FAILED, SAY_UNMAPPED, SAY_PASSES, SAY_COUNT };

static bool conclude(struct shunt_comm *comm, struct shunt_team *team,
                     const struct shunt_team_draft *draft, bool good)
{
    const bool mapped = good && map_segment(team, draft);
    int64_t said[SAY_COUNT];
    said[SAY_FAILED] = !good;
    said[SAY_UNMAPPED] = !mapped;
    said[SAY_PASSES] = !good || !may_last(team);
    if (shunt_collective_max(comm, said, SAY_COUNT) != MPI_SUCCESS || said[SAY_FAILED])
        return false;
    team->shares = !said[SAY_UNMAPPED];
    team->lasts = !said[SAY_PASSES];
    if (!team->shares && draft->shared)
        team->shares = map_named(comm, team, draft);
    if (!team->shares)
        shunt_segment_close(&team->segment);
    return true;
}

/* How many communicators can have tags of their own. */
static int find_tag_ranges(void)
{
    int *most = NULL, found = 0;
    const int status = shunt_pmpi.Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found);
    const int last =
        status == MPI_SUCCESS && found && most ? *most : 32767; /* every library allows that */
    return last / SHUNT_TAGS;
}

struct shunt_team *shunt_team_finish(struct shunt_comm *comm, struct shunt_team_draft *draft,
                                     int64_t most, bool learns)
{
    struct shunt_team *team = draft->team;
    const char *reason = NULL;
    bool good = gather(comm, draft);
    shunt_team_read_records(draft);
    team->id = team->agreed.id;
    team->agreed.thread_level = comm->agreed.thread_level;
    team->agreed.large_counts = comm->agreed.large_counts;
    team->agreed.no_world = comm->agreed.no_world;
    team->agreed.gpu = comm->agreed.gpu;
    if (!learns)
        team->agreed.learn = SHUNT_LEARNING_OFF;
    if (good && team->agreed.table_state == SHUNT_TABLE_BAD && !comm->given)
        reason = "no usable decision table";
    else if (good && most >= team->agreed.max_communicators)
        reason = "policy.max_communicators is reached";
    if (!reason) {
        good = learn_tables(comm, team) && good;
        create_segment(team, draft);
        good = create_private(comm, team) && good;
        team->tag_ranges = comm->agreed.no_world ? 32767 / SHUNT_TAGS : find_tag_ranges();
        if (!conclude(comm, team, draft, good && draft->here > 0))
            reason = "the set-up failed";
    }
    if (reason) {
        comm->reason = reason;
        return NULL;
    }
    if (team->segment.at)
        team->areas = (struct shunt_areas){.table = shunt_segment_areas(&team->segment),
                                           .places = team->here,
                                           .place = shunt_team_place(team, team->rank)};
    *draft = (struct shunt_team_draft){0};
    if (team->lasts && team->world && team->agreed.log_calls)
        shunt_team_compare_clocks(comm, team);
    if (team->lasts)
        team->users++;
    shunt_team_add(team);
    return team;
}
