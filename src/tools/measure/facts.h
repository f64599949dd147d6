/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.h: what measured figures depend on, and what is told with them: the machine, its nodes, and
 * the MPI library. */
#ifndef SHUNT_MEASURE_FACTS_H
#define SHUNT_MEASURE_FACTS_H

#include <stdbool.h>

#include "log/json.h"

enum { MEASURE_HOST_ROOM = 256 };

/* Where the ranks of a job are: nodes are numbered in the order of their first rank. */
struct measure_nodes {
    int ranks, count, ppn_min, ppn_max; /* count: of nodes */
    int *node_of, *local_of;            /* arrays of ranks, owned: the node, and the number on it */
    int *ppn;                           /* array of count, owned */
};
/* As they would be, without MPI: `count` of `ppn` ranks each. */
void measure_nodes_make(struct measure_nodes *nodes, int count, int ppn);
void measure_nodes_clear(struct measure_nodes *nodes);

struct measure_facts {
    char processor[128], library[128], date[32];
    char helper[128];                  /* what is preloaded under UCX, or "" */
    char host[MEASURE_HOST_ROOM];      /* of this rank, or "" */
    char hosts[MEASURE_HOST_ROOM + 1]; /* a pattern for those of all ranks; "": there is none */
    const char *test_layout;           /* SHUNT_TEST_LAYOUT, or "" */
    int processors;                    /* that the ranks of this rank's node may use */
    struct measure_nodes nodes;
    bool oversubscribed; /* some node has more ranks than processors */
    bool groups;         /* ranks of a node are scheduling groups of their own: yields do little */
    bool yields;         /* the helper, or the library, gives the processor up while it waits */
    const char *remedy;  /* what to do that it does */
};

/* The first line of a file, with its newline. False: there is none that can be read. */
bool measure_line_read(const char *path, char *line, int capacity);

/* Processes of this host that run or could, but for this one; 0: not known. */
int measure_running(void);

/* Collective over MPI_COMM_WORLD. */
void measure_facts_find(struct measure_facts *facts);
void measure_facts_clear(struct measure_facts *facts);

/* From the processor to the command, as members of an object. `processors`: of a node.
 * `test_layout`: algorithms are measured, which follow it. */
void measure_facts_json(struct shunt_json *json, const struct measure_facts *facts, int processors,
                        bool test_layout, const char *command);

#endif
