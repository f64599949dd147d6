/* SPDX-License-Identifier: BSD-3-Clause */
/* process.h: what is known once per process. */
#ifndef SHUNT_PROCESS_PROCESS_H
#define SHUNT_PROCESS_PROCESS_H

#include "route/settings.h"
#include <stdbool.h>
#include <stdint.h>

/* Settings of this process, read at first use, of the environment that libshunt.so was loaded with.
 */
const struct shunt_settings *shunt_process_settings(void);
bool shunt_process_first_of_job(void);
int shunt_process_world_rank(void);
/* Ranks of the world; 0 without a world (Sessions). */
int shunt_process_world_size(void);
/* Whether calls of this rank are recorded, by the settings. */
bool shunt_process_records_calls(void);
/* SHUNT_WATCHDOG in nanoseconds; 0: off. */
int64_t shunt_process_watchdog(void);
/* Hash of the settings that should be equal on all ranks. */
int64_t shunt_process_settings_hash(void);
/* A number that no other communicator or team of the job has: positive. */
int64_t shunt_process_new_id(void);

/* Whether this process has ever called MPI_Comm_idup where that matters (comm/lifetime.h). */
void shunt_process_note_duplicate(void);
bool shunt_process_has_duplicates(void);

#endif
