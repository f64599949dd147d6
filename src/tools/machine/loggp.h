/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loggp.h: LogGP's parameters from what was measured between two ranks, as the cost model counts
 * (model/machine.h): half a round trip of s bytes is o + L + s * G + o, and one L more above the
 * eager threshold, where a message waits for its receiver's answer. No MPI.
 *
 * Measuring: Kielmann, Bal and Verstoep 2000, "Fast measurement of LogP parameters for message
 * passing platforms", and Hoefler, Lichei and Rehm 2007, "Low-overhead LogGP parameter assessment
 * for modern interconnection networks".
 */
#ifndef SHUNT_TOOLS_MACHINE_LOGGP_H
#define SHUNT_TOOLS_MACHINE_LOGGP_H

#include "model/machine.h"
#include "tools/measure/statistics.h"

enum { MACHINE_POINTS_MOST = 32 };

/* Times in seconds, sizes in bytes. */
struct machine_link_measured {
    struct measure_point half[MACHINE_POINTS_MOST];   /* size, half a round trip; by size */
    int half_count;                                   /* >= 1, of which one is eager */
    double send, receive;                             /* of a processor, per message */
    struct measure_point window[MACHINE_POINTS_MOST]; /* messages in a row, until they are there */
    int window_count;                                 /* >= 1 */
    int64_t eager;                                    /* longest eager message */
};

struct machine_link_fit {
    struct measure_line eager, rendezvous; /* half round trips below and above the threshold */
    int eager_count, rendezvous_count;     /* points of each */
    double start_residual;                 /* of the eager line */
    double residual;                       /* of the whole link, over all sizes */
    double gap_residual;
    bool overlapped; /* o was cut, for both ends' overheads are most of half a round trip */
};

/* Fills latency, overhead, gap, byte and eager; leaves the energies. */
void machine_link_make(const struct machine_link_measured *measured, struct shunt_link *link,
                       struct machine_link_fit *fit);

/* Half a round trip as the model has it, in seconds. */
double machine_link_time(const struct shunt_link *link, double bytes);

#endif
