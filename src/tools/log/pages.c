/* SPDX-License-Identifier: BSD-3-Clause */
/* pages.c: see pages.h. */
#include "tools/log/summary.h"

#include <stdlib.h>
#include <string.h>

static int make_room(struct shunt_logs_pages *pages, size_t at)
{
    const size_t room = at + 1 + pages->room / 2;
    if (at < pages->room)
        return 0;
    char **grown = realloc(pages->page, room * sizeof *grown);
    if (!grown)
        return -1;
    memset(grown + pages->room, 0, (room - pages->room) * sizeof *grown);
    pages->page = grown;
    pages->room = room;
    return 0;
}

void *shunt_logs_pages_hold(struct shunt_logs_pages *pages, int rank)
{
    const size_t index = (size_t)rank, at = index / SHUNT_LOGS_PAGE;
    if (rank < 0 || make_room(pages, at) != 0)
        return NULL;
    if (!pages->page[at])
        pages->page[at] = calloc(SHUNT_LOGS_PAGE, pages->size);
    if (!pages->page[at])
        return NULL;
    pages->count = index < pages->count ? pages->count : index + 1;
    return pages->page[at] + index % SHUNT_LOGS_PAGE * pages->size;
}

void *shunt_logs_pages_get(const struct shunt_logs_pages *pages, size_t rank)
{
    const size_t at = rank / SHUNT_LOGS_PAGE;
    char *page = at < pages->room ? pages->page[at] : NULL;
    return page ? page + rank % SHUNT_LOGS_PAGE * pages->size : NULL;
}

void shunt_logs_pages_clear(struct shunt_logs_pages *pages)
{
    for (size_t i = 0; i < pages->room; i++)
        free(pages->page[i]);
    free(pages->page);
    *pages = (struct shunt_logs_pages){.size = pages->size};
}
