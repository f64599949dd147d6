/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * site.h: where in the program a call is made: SHUNT_LOG_SITES=1.
 *
 * Found by unwinding the stack where a record is written, so that calls without a log know nothing
 * of it. Not thread safe: the caller holds the lock of the log.
 */
#ifndef SHUNT_LOG_SITE_H
#define SHUNT_LOG_SITE_H

/* Strings stay until the process ends. */
struct shunt_log_site {
    const char *address; /* "/home/me/app+0x11e3": where the call returns to, in its module */
    const char *symbol;  /* the function, or NULL: the module does not tell its name */
};

/* Loads what unwinding needs, which should not happen in a call. */
void shunt_log_site_prepare(void);

/* The innermost place on the stack that is neither Shunt's nor the MPI library's, whose wrappers
 * for Fortran lie between. NULL: there is none, or memory is short. */
const struct shunt_log_site *shunt_log_site_find(void);

#endif
