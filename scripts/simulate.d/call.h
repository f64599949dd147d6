/* SPDX-License-Identifier: BSD-3-Clause */
/* call.h: what is to be simulated, and one call of it: sizes, buffers, contents, and what the cost
 * model says of it. */
#ifndef SHUNT_SIMULATE_CALL_H
#define SHUNT_SIMULATE_CALL_H

#include "model/machine.h"
#include "tools/bench/options.h"

enum { SIMULATE_BLOCKS_MOST = 64 };

/* The command line. One for all ranks. */
struct simulate_asked {
    bool read; /* by a rank that came before */
    int code;  /* what came of it: an exit code, said */
    struct shunt_machine machine;
    enum shunt_op op;
    bool random; /* sizes between 0 and twice the block, as in the papers; false: all alike */
    bool check;
    int ranks, ppn, blocks;
    int64_t block[SIMULATE_BLOCKS_MOST];     /* bytes; random: the mean */
    const char *algorithm;                   /* as it was asked for */
    struct bench_options options;            /* of which only the selection is used */
    const struct bench_selection *selection; /* NULL: native */
};

/* Returns the exit code. */
int simulate_read(struct simulate_asked *asked, int argc, char **argv, int ranks);

/* Sizes are the same for all calls of the same size, on every machine. */
struct simulate_call {
    enum shunt_op op;
    int ranks;
    int64_t block, largest;
    int *sent, *received; /* arrays of rows, bytes: what a rank sends, or receives; NULL: all are
                             `largest` */
    size_t stride;        /* between the rows of two ranks; 0: one row is that of all */
    int *displs;          /* array of P, of both sides */
    char *buffers;        /* both, of all ranks; NULL: each has its own */
    double predicted;     /* seconds, by the cost model; negative: it is too large for it */
};

void simulate_call_make(struct simulate_call *call, const struct simulate_asked *asked,
                        int64_t block);
void simulate_call_clear(struct simulate_call *call);

/* Buffers of a rank: its own, with contents, to be freed at *send, where data are looked at;
 * otherwise those of the call. */
void simulate_buffers(const struct simulate_call *call, int rank, char **send, char **recv);
/* Whether every byte is where it belongs, and none was written elsewhere. */
bool simulate_right(const struct simulate_call *call, int rank, const char *send, const char *recv);

/* Seconds that the cost model takes the call for; negative: it is too large for it. */
double simulate_predict(const struct simulate_asked *asked, const struct simulate_call *call);

#endif
