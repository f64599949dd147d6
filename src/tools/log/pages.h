/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.h: an array by ranks that takes memory for those which occur: a short log may name any
 * rank.
 */
#ifndef SHUNT_LOG_PAGES_H
#define SHUNT_LOG_PAGES_H

#include <stddef.h>

enum { SHUNT_LOGS_PAGE = 16 }; /* elements */

struct shunt_logs_pages {
    size_t size;  /* of an element, in bytes; set by the user, all else zero */
    size_t count; /* the highest rank that is held, and one */
    size_t room;  /* pages that `page` has */
    char **page;  /* owned; NULL: none of its ranks is held */
};

/* The element of a rank, zeroed when it is new. It stays where it is. NULL: memory is short, or the
 * rank is negative. */
void *shunt_logs_pages_hold(struct shunt_logs_pages *pages, int rank);
/* The element if it or a neighbour is held, or NULL. */
void *shunt_logs_pages_get(const struct shunt_logs_pages *pages, size_t rank);
void shunt_logs_pages_clear(struct shunt_logs_pages *pages);

#endif
