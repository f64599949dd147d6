/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calibrate.h: makes a description agree with exchanges of all ranks. No MPI.
 *
 * Two ranks alone, that send the same bytes again and again, find caches, the memory and the
 * processors as they never are in an exchange: where eight ranks share a processor, what was
 * measured so is off by a factor of ten. What two ranks found is where the search begins.
 */
#ifndef SHUNT_TOOLS_MACHINE_CALIBRATE_H
#define SHUNT_TOOLS_MACHINE_CALIBRATE_H

#include "algorithms/algorithm.h"
#include "model/machine.h"

/* An exchange that was measured: MPI_Alltoall with that row. */
struct machine_exchange {
    const struct shunt_algorithm *algorithm;
    struct shunt_params params;
    int64_t block;  /* bytes */
    double seconds; /* until the last rank was done, usually; > 0 */
};

enum { MACHINE_CALIBRATED_MOST = 16 };

/* What was done. */
struct machine_calibration {
    int count;                                /* of keys */
    const char *key[MACHINE_CALIBRATED_MOST]; /* what was changed: "inside.overhead_us" */
    double before[MACHINE_CALIBRATED_MOST];   /* in the unit of the key */
    double residual;                          /* median of |predicted - measured| / measured */
    int exchanges;                            /* that could be predicted */
};

/*
 * Changes what these exchanges can tell: the links (of rendezvous that between nodes), copies,
 * barriers, reads and turns, so that the sum of their relative deviations (logarithms of predicted
 * / measured) is small. Each number stays as it was unless it helps. Ends after `seconds` at the
 * latest, and one prediction of all.
 */
void machine_calibrate(struct machine_calibration *calibration, struct shunt_machine *machine,
                       const struct shunt_layout *layout, const struct machine_exchange *exchanges,
                       int count, double seconds);

#endif
