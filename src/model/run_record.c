/* SPDX-License-Identifier: BSD-3-Clause */
/* run_record.c: what is noted of a run where somebody asks when things happened. */
#include <stdlib.h>

#include "model/run_state.h"

bool shunt_run_record_prepare(struct shunt_run *run)
{
    struct shunt_run_record *record = run->record;
    const struct shunt_program *p = run->program;
    const size_t ranks = (size_t)p->period + 1;
    record->first_word = calloc(ranks, sizeof *record->first_word);
    record->first_send = calloc(ranks, sizeof *record->first_send);
    if (!record->first_word || !record->first_send)
        return false;
    for (int i = 0; i < p->period; i++) {
        record->first_word[i + 1] = record->first_word[i] + p->rank[i].words + 1;
        record->first_send[i + 1] = record->first_send[i] + p->rank[i].sends;
    }
    record->begun = calloc(record->first_word[p->period], sizeof *record->begun);
    record->sent = calloc(record->first_send[p->period] + 1, sizeof *record->sent);
    return record->begun && record->sent;
}

void shunt_run_note(struct shunt_run *run, uint32_t rank)
{
    const struct shunt_run_rank *r = &run->rank[rank];
    const size_t word = (size_t)(r->at - run->program->rank[rank].word);
    run->record->begun[run->record->first_word[rank] + word] = r->clock;
}

void shunt_run_note_send(struct shunt_run *run, uint32_t rank)
{
    const struct shunt_run_rank *r = &run->rank[rank];
    run->record->sent[run->record->first_send[rank] + r->sent] = r->clock;
}

/* What the run has kept of receives is all that there is to know of them. */
void shunt_run_record_end(struct shunt_run *run)
{
    run->record->first_receive = run->first;
    run->record->arrived = run->arrival;
    run->first = NULL;
    run->arrival = NULL;
}

void shunt_run_record_clear(struct shunt_run_record *record)
{
    free(record->first_word);
    free(record->first_send);
    free(record->first_receive);
    free(record->begun);
    free(record->sent);
    free(record->arrived);
    *record = (struct shunt_run_record){0};
}
