/* SPDX-License-Identifier: BSD-3-Clause */
/* nominate.h: who is measured: all that the registry has for a layout and a size, in the order of
 * what the model predicts, without what it predicts to be hopeless. No MPI. */
#ifndef SHUNT_TUNE_NOMINATE_H
#define SHUNT_TUNE_NOMINATE_H

#include "model/machine.h"
#include "tools/tune/cell.h"

struct tune_field {
    const struct shunt_machine *machine;
    const struct shunt_layout *layout;
    int64_t memory;    /* bytes of scratch that a rank may take */
    const char *names; /* algorithms that are wanted, with commas between; NULL: all */
    int most;          /* candidates, native not counted; 1 to TUNE_NOMINATED_MOST */
    const char *also;  /* one more, as SHUNT_FORCE spells it; or NULL */
};

enum { TUNE_NOMINATED_MOST = 32, TUNE_NOMINATED = 16 };

/*
 * Of each algorithm its best setting, then the best of all others; but nothing that is predicted to
 * take TUNE_UNLIKELY times native's time, and no further setting that is predicted to take twice
 * the best one's. What the built-in table takes is always among them, where it is wanted. False
 * when memory is short.
 */
bool tune_nominate_all(const struct tune_field *field, enum shunt_op op, int64_t block,
                       struct tune_entries *entries);
#define TUNE_UNLIKELY 8.0

#endif
