/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.h: which error counts, and calls of the library on the application's communicators whose
 * errors are ours to deal with. */
#ifndef SHUNT_PROCESS_ERRORS_H
#define SHUNT_PROCESS_ERRORS_H

#include <stdbool.h>

#include "pmpi/pmpi.h"

/* A call that failed has done nothing, and what it lacked may be there a moment later; the other
 * ranks count on it. */
#define SHUNT_TWICE(call) ((call) == MPI_SUCCESS ? MPI_SUCCESS : (call))

/* Where every step is taken whatever the ones before said, the first error counts. */
static inline int shunt_error_first(int before, int now)
{
    return before == MPI_SUCCESS ? now : before;
}

/* Whether the program has left errors on `on` to end it. */
bool shunt_errors_are_fatal(MPI_Comm on);

/*
 * Between begin and end, errors on `on` are returned and not handed to its error handler. For
 * single calls: another thread's errors on the same communicator are returned as well, and it sees
 * our handler. One that it sets meanwhile stays.
 */
struct shunt_hush {
    MPI_Comm on;
    MPI_Errhandler saved, ours;
    bool active;
};
void shunt_hush_begin(struct shunt_hush *hush, MPI_Comm on);
/* The same for less, unless other threads may be in MPI: then it does nothing, and the library
 * raises its errors itself. */
void shunt_hush_begin_alone(struct shunt_hush *hush, MPI_Comm on);
void shunt_hush_end(struct shunt_hush *hush);

#endif
