/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * summary.h: `shunt log --summary`: what calls add up to over all ranks.
 *
 * Memory goes with the number of ranks, not of calls: arrivals are put in order by communicator,
 * operation and call (sort.h), so that one call is looked at a time.
 */
#ifndef SHUNT_TOOLS_LOG_SUMMARY_H
#define SHUNT_TOOLS_LOG_SUMMARY_H

#include "log/json.h"
#include "tools/log/view.h"

/* pages.c: an array by ranks that takes memory for those which occur: a short log may name any
 * rank.
 */
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

/* One rank in one call, as it is sorted: by communicator; operation and call; time. */
struct shunt_logs_arrival {
    uint64_t bytes;
    double seconds, agreement;
    int rank;      /* -1: unknown */
    int ranks;     /* of the communicator */
    uint32_t name; /* of the communicator, in the list of names; 0: none */
    bool timed, routed, failed;
};

/* What one rank did. */
struct shunt_logs_rank {
    bool seen, has_summary;
    uint64_t runs;                      /* that its logs have: files are appended to */
    struct shunt_logs_sums all, routed; /* of its summaries */
    double elapsed;
    struct shunt_log_estimate estimate;         /* sums of what its summaries say */
    struct shunt_logs_sums calls, calls_routed; /* of calls that no summary counts yet */
};

struct shunt_logs_ranks {
    struct shunt_logs_pages rank; /* of struct shunt_logs_rank */
};

/* NULL: memory is short, or the rank is not known. */
struct shunt_logs_rank *shunt_logs_rank(struct shunt_logs_ranks *ranks, int rank);
void shunt_logs_rank_add(struct shunt_logs_rank *rank, const struct shunt_logs_arrival *arrival);
void shunt_logs_rank_end(struct shunt_logs_rank *rank, const struct shunt_logs_event *summary);
/* What no summary has counted is of a run that ended without one. */
void shunt_logs_rank_begin(struct shunt_logs_rank *rank);
/* Sums over ranks. */
struct shunt_logs_totals {
    uint64_t ranks, with_summary;
    uint64_t runs; /* most that a rank has; 0: no log tells */
    struct shunt_logs_sums all, routed;
    double elapsed, elapsed_seconds;    /* of ranks that tell how long they ran */
    double longest;                     /* the longest that a rank ran, all runs together */
    struct shunt_log_estimate estimate; /* as of a rank; asked 0: no summary says anything */
    int slowest, quickest;              /* ranks; -1 without any */
    double most, least;                 /* their times */
};
struct shunt_logs_totals shunt_logs_ranks_add_up(struct shunt_logs_ranks *ranks);
/* The longest time of a rank over the mean; 1 where there was none. Totals of one rank at least. */
double shunt_logs_imbalance(const struct shunt_logs_totals *totals);
/* For people. */
void shunt_logs_ranks_print(struct shunt_logs_ranks *ranks, struct shunt_log_text *text);

/* The calls of one operation on one communicator. */
struct shunt_logs_section {
    uint64_t id;
    bool alltoallv;
    uint32_t name;
    int ranks;
    uint64_t calls, arrivals;
    double seconds; /* of all ranks */
    /* Of calls on which two ranks at least tell when they came: latest minus earliest. */
    uint64_t compared, incomplete;
    double skew, skew_most;
    int last; /* rank that came last most often, -1: none did */
    uint64_t last_calls;
};

/* Sections that are told one by one, those with the longest time. */
#define SHUNT_LOGS_SECTIONS 20

/* A rank that came to a call. */
struct shunt_logs_come {
    double time; /* seconds since 1970 */
    int rank;    /* -1: unknown */
};

/* What is kept of a rank. */
struct shunt_logs_seen {
    uint64_t stamp;   /* of the call it was last seen in */
    uint64_t section; /* about which `last` is */
    uint64_t last;    /* how often it came last */
};

struct shunt_logs_sections {
    struct shunt_logs_section now, top[SHUNT_LOGS_SECTIONS], rest;
    size_t top_count;
    uint64_t rest_count;
    bool open; /* `now` has begun */
    /* The call at hand. */
    uint64_t call, stamp;
    double first, latest;
    int come, latest_rank, timed;
    uint64_t section;             /* how many have begun */
    struct shunt_logs_pages seen; /* of struct shunt_logs_seen */
    /* Told of each call, the arrivals in the order of time: array of `count`, of those that have
     * one. NULL: nobody asks. */
    void (*met)(void *context, const struct shunt_logs_come *come, int count);
    void *context;
    struct shunt_logs_come *arrived; /* array of arrived_room, owned */
    size_t arrived_room;
};

/* Arrivals in the order of the sort. False: memory is short. */
bool shunt_logs_sections_add(struct shunt_logs_sections *sections, const struct shunt_sort_key *key,
                             const struct shunt_logs_arrival *arrival);
/* No more arrivals. */
void shunt_logs_sections_end(struct shunt_logs_sections *sections);
/* `names`: names of communicators. `uncertainty`: of clocks, seconds. */
void shunt_logs_sections_print(const struct shunt_logs_sections *sections, char *const *names,
                               double uncertainty, bool wide, struct shunt_log_text *text);
/* Members of an object that is open. */
void shunt_logs_sections_json(const struct shunt_logs_sections *sections, char *const *names,
                              struct shunt_json *json);
void shunt_logs_sections_clear(struct shunt_logs_sections *sections);

/* Names of communicators that are told; later ones go by their identifiers alone. */
#define SHUNT_LOGS_NAMES 65536

struct shunt_logs_summary {
    const struct shunt_logs_options *options;
    struct shunt_logs_progress progress;
    struct shunt_sort *sort;
    struct shunt_logs_ranks ranks;
    struct shunt_logs_sections sections;
    char **names; /* array of SHUNT_LOGS_NAMES, the first NULL; owned */
    uint32_t name_count;
    uint32_t *places; /* by hash, 2 * SHUNT_LOGS_NAMES of them */
    bool started;
    double start, uncertainty;
    bool narrowed;              /* summaries of ranks do not tell what is asked for */
    bool headed;                /* a header has been seen: it is in `text` */
    struct shunt_log_text text; /* the output; grows */
    struct shunt_json json;     /* into it, where that is asked for */
};

/* Returns an exit code, after telling that memory is short. Release with shunt_logs_summary_clear
 * in any case. */
int shunt_logs_summary_open(struct shunt_logs_summary *summary,
                            const struct shunt_logs_options *options);
/* For shunt_logs_reader. The context is the summary. */
int shunt_logs_summary_event(void *context, const struct shunt_logs_event *event, const char *line,
                             size_t length);
/* No more events: adds up what there is. Returns an exit code, after telling of errors. */
int shunt_logs_summary_finish(struct shunt_logs_summary *summary);
/* The same, and prints it. */
int shunt_logs_summary_print(struct shunt_logs_summary *summary, struct shunt_logs_out *out);
void shunt_logs_summary_clear(struct shunt_logs_summary *summary);

/* summary_json.c: one document, in this order: its beginning, the first header (NULL: there was
 * none), all else. */
void shunt_logs_summary_json_begin(struct shunt_json *json);
void shunt_logs_summary_json_header(struct shunt_json *json, const struct shunt_logs_event *header);
void shunt_logs_summary_json(struct shunt_json *json, struct shunt_logs_summary *summary);

#endif
