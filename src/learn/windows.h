/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows.h: calls that go by a lesson (lessons.h), and what all ranks agree about where a window
 * of them ends; which calls of MPI_Alltoallv need no agreement while something is learned.
 *
 * Calls of MPI_Alltoallv that go natively in a window do so as they would if that won: without an
 * agreement, but for the first one of a run. That these are of the lesson's sizes is a guess, by
 * those before them; where it is wrong, times are of other calls, on all ranks alike. In the
 * longest runs (learn_guard.c) nothing is guessed: a program may go on to other sizes meanwhile.
 *
 * Where an agreement about times fails on any rank, all ranks hear of that and learn no more on
 * this communicator: the table decides.
 */
#ifndef SHUNT_LEARN_WINDOWS_H
#define SHUNT_LEARN_WINDOWS_H

#include "learn/lessons.h"

/* A call went by the lesson's candidate. nanoseconds: as shunt_learn_made has it. Collective where
 * a window ends. An error: this rank cannot know what the others know, who may wait for it. */
int shunt_lessons_made(struct shunt_comm *comm, struct shunt_lesson *lesson, int64_t nanoseconds);

/*
 * A call of MPI_Alltoallv begins that is not in a pause. Returns the lesson in whose run of native
 * calls it is, which goes without an agreement; NULL: it agrees.
 */
struct shunt_lesson *shunt_lessons_arrive(struct shunt_comm *comm);
/* Whether that call is expected to go by `decision`, that of the one before. */
bool shunt_lessons_expect(const struct shunt_comm *comm, const struct shunt_decision *decision);
/* Whether calls of MPI_Alltoallv would need no agreement if those of this lesson went natively. */
bool shunt_lessons_alone(const struct shunt_comm *comm, const struct shunt_lesson *lesson);

/* For MPI_Alltoallv, where nothing but lessons needs an agreement: whether the next call goes
 * without; a call went without. */
bool shunt_lessons_paused(const struct shunt_comm *comm);
void shunt_lessons_slept(struct shunt_comm *comm);

#endif
