/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notice.h: how `shunt run` hears whether anybody loaded libshunt.so, and called.
 *
 * `shunt run` has a piece of memory without a name in any folder; its address, in a variable of the
 * environment, is "process.descriptor.token". A process that loads the library opens it through
 * /proc and sets a byte. So nothing is left behind, however anything ends, and nothing can fill up.
 * Processes on other hosts and in other process namespaces do not reach it, nor does a job that
 * starts when `shunt run` is gone: then nothing happens, for the token is not there.
 */
#ifndef SHUNT_BASE_NOTICE_H
#define SHUNT_BASE_NOTICE_H

#include <stdbool.h>

/* Not one of the settings: nobody sets it by hand, so it has not their prefix. */
#define SHUNT_NOTICE_VARIABLE "_SHUNT_RUN"

enum shunt_notice {
    SHUNT_NOTICE_LOADED, /* by a process with an MPI library */
    SHUNT_NOTICE_CALLED, /* a function that is intercepted */
    SHUNT_NOTICE_COUNT
};

enum { SHUNT_NOTICE_ADDRESS_MAX = 64 };

/* Makes the memory. Returns its descriptor and the address, or -1: then do without. */
int shunt_notice_make(char *address);
/* Whether somebody gave that notice. */
bool shunt_notice_given(int descriptor, enum shunt_notice notice);

/* What `shunt run` has said about the environment the library need not say again: a list of hashes
 * of the sentences, in a variable of its own. */
#define SHUNT_TOLD_VARIABLE "_SHUNT_TOLD"
enum { SHUNT_TOLD_MAX = 1024 };
/* Adds a sentence to a list of at most SHUNT_TOLD_MAX bytes; without room it may be said again. */
void shunt_told_add(char *list, const char *sentence);
/* Whether it is in the list, which may be NULL. */
bool shunt_told_has(const char *list, const char *sentence);

/* Gives a notice to that address, if somebody is there. Leaves errno as it is. */
void shunt_notice_give(const char *address, enum shunt_notice notice);

#endif
