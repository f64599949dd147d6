/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.c: builds the list of rounds and steps of one rank. */
#include "schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more element; returns 0 when memory is short. */
static int grow(void **array, size_t *capacity, size_t used, size_t element)
{
    if (used < *capacity)
        return 1;
    const size_t wanted = *capacity ? *capacity * 2 : 64;
    void *larger = wanted > SIZE_MAX / element ? NULL : realloc(*array, wanted * element);
    if (!larger)
        return 0;
    *array = larger;
    *capacity = wanted;
    return 1;
}

void shunt_schedule_begin(struct shunt_schedule *schedule, int ranks, int rank)
{
    memset(schedule, 0, sizeof *schedule);
    schedule->ranks = ranks;
    schedule->rank = rank;
}

void shunt_schedule_round(struct shunt_schedule *s)
{
    /* A round that stayed without steps is used again. */
    if (s->failed || (s->round_count > 0 && s->round_first[s->round_count - 1] == s->step_count))
        return;
    void *array = s->round_first;
    s->failed =
        !grow(&array, &s->round_capacity, s->round_count + (size_t)1, sizeof *s->round_first);
    s->round_first = array;
    if (!s->failed)
        s->round_first[s->round_count++] = s->step_count;
}

void shunt_schedule_step(struct shunt_schedule *s, int send_to, int recv_from)
{
    if (s->failed)
        return;
    if (s->step_count > 0 && s->step_count > s->round_first[s->round_count - 1]) {
        const struct shunt_step *last = &s->steps[s->step_count - 1];
        if (last->send_count == 0 && last->recv_count == 0)
            s->step_count--;
    }
    void *array = s->steps;
    s->failed = !grow(&array, &s->step_capacity, s->step_count, sizeof *s->steps);
    s->steps = array;
    if (s->failed)
        return;
    const uint32_t here = (uint32_t)s->ref_count;
    s->steps[s->step_count++] = (struct shunt_step){
        .send_to = send_to, .recv_from = recv_from, .send_first = here, .recv_first = here};
}

void shunt_schedule_final(struct shunt_schedule *s)
{
    if (s->failed)
        return;
    s->steps[s->step_count - 1].send_final = 1;
    s->steps[s->step_count - 1].recv_final = 1;
}

/* Few of the references of a schedule need more room. */
static inline void add_ref(struct shunt_schedule *s, shunt_ref ref)
{
    if (s->ref_count == s->ref_capacity || s->ref_count >= UINT32_MAX) {
        void *array = s->refs;
        s->failed = s->ref_count >= UINT32_MAX ||
                    !grow(&array, &s->ref_capacity, s->ref_count, sizeof *s->refs);
        s->refs = array;
        if (s->failed)
            return;
    }
    s->refs[s->ref_count++] = ref;
}

void shunt_schedule_send(struct shunt_schedule *s, shunt_ref ref)
{
    if (s->failed)
        return;
    add_ref(s, ref);
    struct shunt_step *step = &s->steps[s->step_count - 1];
    step->send_count++;
    step->send_home += step->send_final;
    step->recv_first = step->send_first + step->send_count;
}

void shunt_schedule_send_home(struct shunt_schedule *s, shunt_ref ref)
{
    shunt_schedule_send(s, ref);
    if (!s->failed)
        s->steps[s->step_count - 1].send_home++;
}

void shunt_schedule_recv(struct shunt_schedule *s, shunt_ref ref)
{
    if (s->failed)
        return;
    add_ref(s, ref);
    s->steps[s->step_count - 1].recv_count++;
    s->steps[s->step_count - 1].recv_home += !shunt_ref_is_slot(ref) && !shunt_ref_is_store(ref);
}

static void add_copy(struct shunt_schedule *s, struct shunt_copy **copies, size_t *capacity,
                     uint32_t *count, struct shunt_copy copy)
{
    void *array = *copies;
    if (s->failed)
        return;
    s->failed = !grow(&array, capacity, *count, sizeof **copies);
    *copies = array;
    if (!s->failed)
        (*copies)[(*count)++] = copy;
}

void shunt_schedule_before(struct shunt_schedule *s, shunt_ref from, shunt_ref to)
{
    add_copy(s, &s->before, &s->before_capacity, &s->before_count, (struct shunt_copy){from, to});
}

void shunt_schedule_after(struct shunt_schedule *s, shunt_ref from, shunt_ref to)
{
    add_copy(s, &s->after, &s->after_capacity, &s->after_count, (struct shunt_copy){from, to});
}

/* Drops what stayed empty, marks absent sides and messages of arriving blocks alone. */
static void finish_steps(struct shunt_schedule *s)
{
    if (s->step_count > 0) {
        const struct shunt_step *last = &s->steps[s->step_count - 1];
        if (last->send_count == 0 && last->recv_count == 0)
            s->step_count--;
    }
    if (s->round_count > 0 && s->round_first[s->round_count - 1] == s->step_count)
        s->round_count--;
    for (uint32_t i = 0; i < s->step_count; i++) {
        struct shunt_step *step = &s->steps[i];
        if (step->send_count == 0)
            step->send_to = -1;
        if (step->recv_count == 0)
            step->recv_from = -1;
        step->send_final = step->send_home == step->send_count;
        step->recv_final = step->recv_home == step->recv_count;
    }
}

/* Gives back the room that no reference took, up to half of it: schedules last as long as their
 * communicator. */
static void trim_refs(struct shunt_schedule *s)
{
    shunt_ref *exact = realloc(s->refs, (s->ref_count + 1) * sizeof *exact);
    if (!exact)
        return;
    s->refs = exact;
    s->ref_capacity = s->ref_count + 1;
}

int shunt_schedule_end(struct shunt_schedule *s, uint32_t slots)
{
    if (!s->failed) {
        finish_steps(s);
        shunt_schedule_round(
            s); /* makes room for the closing entry also when there is no round at all */
    }
    if (s->failed) {
        shunt_schedule_clear(s);
        return -1;
    }
    s->round_count--;
    s->slots = slots;
    trim_refs(s);
    for (uint32_t k = 0; k < s->round_count; k++) {
        uint32_t sends = 0, recvs = 0;
        for (uint32_t i = s->round_first[k]; i < s->round_first[k + 1]; i++) {
            sends += s->steps[i].send_count;
            recvs += s->steps[i].recv_count;
        }
        const uint32_t steps = s->round_first[k + 1] - s->round_first[k];
        s->max_round_send = sends > s->max_round_send ? sends : s->max_round_send;
        s->max_round_recv = recvs > s->max_round_recv ? recvs : s->max_round_recv;
        s->max_round_steps = steps > s->max_round_steps ? steps : s->max_round_steps;
    }
    return 0;
}

void shunt_schedule_direct(struct shunt_schedule *schedule, int to, int from)
{
    shunt_schedule_step(schedule, to, from);
    shunt_schedule_final(schedule);
    shunt_schedule_send(schedule, (shunt_ref)to);
    shunt_schedule_recv(schedule, (shunt_ref)from);
}

int shunt_schedule_batches(struct shunt_schedule *schedule, int ranks, int rank, int64_t batch)
{
    shunt_schedule_begin(schedule, ranks, rank);
    for (int64_t i = 1; i < ranks; i++) {
        if ((i - 1) % batch == 0)
            shunt_schedule_round(schedule);
        shunt_schedule_direct(schedule, (int)((rank - i + ranks) % ranks),
                              (int)((rank + i) % ranks));
    }
    return shunt_schedule_end(schedule, 0);
}

void shunt_schedule_clear(struct shunt_schedule *schedule)
{
    free(schedule->round_first);
    free(schedule->steps);
    free(schedule->refs);
    free(schedule->before);
    free(schedule->after);
    memset(schedule, 0, sizeof *schedule);
}
