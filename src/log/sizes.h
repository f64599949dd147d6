/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sizes.h: calls counted by size, and some of their times: for the histogram of the summary and for
 * its estimate of the gain. Finding a cell that exists allocates nothing.
 *
 * Sizes are told apart by powers of two: class 0 has blocks of 0 bytes, class c those of 2^(c-1) to
 * 2^c - 1 bytes.
 */
#ifndef SHUNT_LOG_SIZES_H
#define SHUNT_LOG_SIZES_H

#include "log/record.h"
#include "log/set.h"
#include "log/text.h"

enum { SHUNT_LOG_CLASS_UNKNOWN = -1 };

/* Of a size in bytes; negative: unknown. */
int shunt_log_class(int64_t bytes);
/* Bytes, both inclusive; -1 for the unknown class. */
int64_t shunt_log_class_from(int class);
int64_t shunt_log_class_to(int class);
/* "64 B - 128 B", for people. */
void shunt_log_class_put(struct shunt_log_text *text, int class);

enum shunt_log_kind {
    SHUNT_LOG_ROUTED,
    SHUNT_LOG_NATIVE,
    SHUNT_LOG_WARM_UP, /* native, before set-up */
    SHUNT_LOG_TURN,    /* native, in turn with routed calls, to compare times */
    SHUNT_LOG_EARLY,   /* likewise, before native calls were settled: slower than a long run's */
    SHUNT_LOG_KINDS
};
enum shunt_log_kind shunt_log_kind(const struct shunt_record *record);

/* A random choice of as many as there is room for, each with the same chance: its median is close
 * to that of all, and exact while all are in it. */
enum { SHUNT_LOG_SAMPLES = 32 };
struct shunt_log_sample {
    uint64_t offered;
    uint64_t events; /* calls: several ranks may tell of the same one */
    float seconds[SHUNT_LOG_SAMPLES];
};

/* told: another rank has told of the same call. */
void shunt_log_sample_add(struct shunt_log_sample *sample, double seconds, bool told);
/* How many it holds. */
int shunt_log_sample_kept(const struct shunt_log_sample *sample);

/* What tells cells apart. */
struct shunt_log_cell_key {
    const struct shunt_log_entry *entry; /* not ours */
    int ranks;
    short size; /* class of the record's `max`, of `largest_sent` where that is unknown */
    short sent; /* class of `largest_sent` */
    short kind; /* enum shunt_log_kind */
};

struct shunt_log_cell {
    struct shunt_log_cell_key key;
    uint64_t calls, bytes;
    double seconds;
    /* The exchange alone, without calls that failed and the first one of each communicator, which
     * has to connect. */
    struct shunt_log_sample took;
    bool verified; /* SHUNT_VERIFY made the library's exchange as well */
};

/* No more cells than SHUNT_LOG_CELLS_MAX: the calls of further ones are in `other`. */
#define SHUNT_LOG_CELLS_MAX 1024
struct shunt_log_sizes {
    struct shunt_log_cell **slots; /* open addressing, a power of two */
    size_t capacity, count;
    struct shunt_log_cell other;
};

/* A call that was added to `entry`. */
void shunt_log_sizes_add(struct shunt_log_sizes *sizes, const struct shunt_log_entry *entry,
                         const struct shunt_record *record);
/* The cells, at the front of the slots and in the order of `compare` (pointers to pointers to
 * cells). Nothing can be added afterwards. */
void shunt_log_sizes_sort(struct shunt_log_sizes *sizes,
                          int (*compare)(const void *, const void *));
void shunt_log_sizes_clear(struct shunt_log_sizes *sizes);

#endif
