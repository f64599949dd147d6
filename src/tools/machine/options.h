/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h: what `shunt machine` is asked for, from its command line. No MPI. */
#ifndef SHUNT_TOOLS_MACHINE_OPTIONS_H
#define SHUNT_TOOLS_MACHINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/common/options.h"

enum { MACHINE_SECONDS_MOST = 3600, MACHINE_NAME_MOST = 63 };

struct machine_options {
    const char *output;      /* of the description; "-" for stdout, as NULL */
    const char *name;        /* of the machine; NULL: from the hosts */
    const char *energy_from; /* name or path of a description; NULL: none */
    int time_limit;          /* seconds */
    bool json, force;
};

extern const struct shunt_subcommand shunt_subcommand_machine;

/* Reads the command line; argv[0] is not looked at. False with one line in `diagnostic` when
 * something is wrong. */
bool machine_options_read(struct machine_options *options, struct shunt_words *words, int argc,
                          char **argv, char *diagnostic, size_t capacity);

#endif
