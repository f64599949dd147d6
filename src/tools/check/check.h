/* SPDX-License-Identifier: BSD-3-Clause */
/* check.h: what `shunt check` looks for besides mistakes. Private to that command. */
#ifndef SHUNT_TOOLS_CHECK_H
#define SHUNT_TOOLS_CHECK_H

#include "log/json.h"
#include "route/coverage.h"
#include "tools/common/tool.h"

struct shunt_check_options {
    const char *host;       /* NULL: this one */
    struct shunt_box space; /* calls that are looked at for gaps and overlaps */
    bool complete;          /* calls that no rule takes are findings */
    bool overlaps;
    bool json;
};

/* Tells of one operation what no rule takes, and with `overlaps` what two could take; on `out`, or
 * the gaps as findings. */
bool shunt_check_coverage(const struct shunt_table *table, enum shunt_op op,
                          const struct shunt_check_options *options,
                          struct shunt_diagnostics *findings);
/* The same as an element of an array. */
bool shunt_check_coverage_json(const struct shunt_table *table, enum shunt_op op,
                               const struct shunt_check_options *options, struct shunt_json *json,
                               struct shunt_diagnostics *findings);

/* Whether a file that was named is the one for a host. */
struct shunt_chosen {
    char *pattern;   /* of machine.hosts, that matches; NULL: none; a malloc block */
    char text[1200]; /* in words, without the file */
    bool chosen;     /* a job whose rank 0 runs there uses it without being told */
};
void shunt_check_chosen(struct shunt_chosen *chosen, const char *path, const char *host);

#endif
