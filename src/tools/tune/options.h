/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h: what `shunt tune` is asked for, from its command line. No MPI. */
#ifndef SHUNT_TUNE_OPTIONS_H
#define SHUNT_TUNE_OPTIONS_H

#include "tools/bench/options.h"

enum { TUNE_LAYOUTS_MOST = 64, TUNE_SECONDS_MOST = 604800 };

struct tune_options {
    struct bench_options cells; /* operations, blocks, distributions, seed */
    bool blocks_given;
    const char *output, *csv, *machine, *algorithms, *validate, *simulated;
    char *csv_owned;  /* OUTPUT.csv, where nothing else was said */
    int layout_count; /* of `layouts`, 0: the whole allocation */
    struct {
        int nodes, ppn;
    } layouts[TUNE_LAYOUTS_MOST];
    bool all_layouts; /* every power of two that the allocation has */
    bool dry_run, resume, force, from_log, json;
    int time_limit;    /* seconds */
    int candidates;    /* at each size */
    char *const *logs; /* array of log_count: what follows --from-log; points into argv */
    int log_count;
};

extern const struct shunt_subcommand shunt_subcommand_tune;

/*
 * Reads the command line; argv[0] is not looked at. False with one line in `diagnostic` when
 * something is wrong. Release with tune_options_clear in any case.
 */
bool tune_options_read(struct tune_options *options, struct shunt_words *words, int argc,
                       char **argv, char *diagnostic, size_t capacity);
void tune_options_clear(struct tune_options *options);

#endif
