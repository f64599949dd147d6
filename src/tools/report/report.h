/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h: what the parts of `shunt report` share: the calls of a log by kind, in bounded memory,
 * and what follows from them. Times are in seconds, of all ranks together unless it says otherwise;
 * sizes in bytes.
 *
 * The sums over ranks, the shares of the run and the skews are those of `shunt log --summary`
 * (tools/log/summary.h); what is added here is by operation, size, communicator and rule.
 */
#ifndef SHUNT_TOOLS_REPORT_REPORT_H
#define SHUNT_TOOLS_REPORT_REPORT_H

#include "log/estimate.h"
#include "log/rows.h"
#include "model/machine.h"
#include "route/route.h"
#include "tools/log/options.h"
#include "tools/log/source.h"
#include "tools/log/summary.h"
#include "tools/report/whole.h"

/* options.c */
struct shunt_report_options {
    const char *html;              /* file, or NULL */
    const char *table, *config;    /* --table, --config; NULL: not given */
    const char *machine;           /* a description or its name, or NULL */
    struct shunt_logs_options log; /* files and memory */
    bool json, csv, wide;
};

/* Does what the options say; returns the exit code. */
int shunt_report_run(const struct shunt_report_options *options);

/* What decides besides the size of blocks. */
struct shunt_report_shape {
    int ranks, nodes, ppn; /* ppn: the most on a node; 0: not known */
    int *sizes;            /* array of nodes: ranks of each, owned; NULL: not known */
    bool placed;           /* `layout` is there */
    struct shunt_layout layout;
    /* What tables give it, [operation]; `mapped` says whether it is there. */
    struct shunt_map used[SHUNT_OP_COUNT], other[SHUNT_OP_COUNT];
    bool used_mapped[SHUNT_OP_COUNT], other_mapped[SHUNT_OP_COUNT];
};

struct shunt_report_communicator {
    uint64_t id; /* 0: none was logged */
    char *name;  /* owned; NULL: further communicators, all in one */
    int ranks, nodes, ppn;
    int *sizes; /* array of nodes, or NULL; owned */
};

/* What a figure rests on. */
enum shunt_report_source {
    SHUNT_REPORT_UNKNOWN,
    SHUNT_REPORT_MEASURED, /* calls of the same log */
    SHUNT_REPORT_MODEL,    /* of the machine that was named, or the choice that was logged */
    SHUNT_REPORT_SAME,     /* nothing would change */
    SHUNT_REPORT_LEARNED   /* what the rule knows of native calls; of gains against native alone */
};
/* "unknown", "measured", "model", "same", "learned". */
const char *shunt_report_source_name(enum shunt_report_source source);

/* So many times as fast as something else. */
struct shunt_report_gain {
    enum shunt_report_source source;
    double speedup, low, high; /* low and high: of what was measured, otherwise 0 */
    uint64_t native, compared; /* calls that it rests on, as in struct shunt_log_estimate */
};

/* What another table would have done with calls. */
struct shunt_report_then {
    const struct shunt_decision *decision; /* NULL: the call does not ask a table */
    struct shunt_report_gain gain;         /* over what was done */
    double seconds;                        /* unknown: negative */
    const char *why;                       /* unknown: why */
};

/* Calls of one kind: operation, algorithm, parameters, rule and reason (cell.key.entry), size,
 * communicator. */
struct shunt_report_row {
    struct shunt_log_cell cell; /* key.ranks is the place of the shape once all is read */
    int teller;                 /* the rank whose calls are counted: others tell of the same */
    enum shunt_op op;
    uint32_t communicator; /* place in the list */
    uint32_t segment;      /* of the sizes between conditions of the other table */
    int ranks, nodes, ppn; /* that the calls themselves tell; only where communicators are pooled */
    uint32_t shape;
    int64_t block_low, block_high; /* of the largest blocks; -1: unknown */
    int density_low, density_high; /* percent; of calls that do not tell, 0 to 100 */
    double mean;                   /* sum over the calls that tell an average block */
    uint64_t mean_calls, errors;
    double logged_gain;                 /* of the model's choice, 0: not told */
    double learned_native;              /* seconds of a native call by its rule, 0: not told */
    struct shunt_report_gain gain;      /* against native; of routed calls */
    double predicted, predicted_native; /* seconds of a call by the model; 0: unknown */
    struct shunt_report_then then;
};

enum { SHUNT_REPORT_ROWS = 8192, SHUNT_REPORT_COMMUNICATORS = 1024, SHUNT_REPORT_SEGMENTS = 512 };

struct shunt_report_calls {
    struct shunt_log_set kinds;    /* of what was done: strings of the rows */
    struct shunt_report_row *rows; /* array of SHUNT_REPORT_ROWS, owned */
    uint32_t count;
    uint32_t *places;                                /* by hash: 2 * SHUNT_REPORT_ROWS, place + 1 */
    struct shunt_log_part beyond;                    /* calls for which there was no row left */
    double cost;                                     /* seconds: sum of shunt_record_cost */
    bool oversubscribed;                             /* some communicator is */
    struct shunt_report_communicator *communicators; /* array of COMMUNICATORS; the first: pooled */
    uint32_t communicator_count, *communicator_places;
    struct shunt_report_shape *shapes; /* array of shape_count, owned */
    uint32_t shape_count;
    int64_t segment[SHUNT_REPORT_SEGMENTS]; /* sizes at which segments begin, ascending */
    size_t segment_count;
    /* Arrays of count, owned: the longest first; those that the estimate takes for like ones
     * together. */
    struct shunt_report_row **by_time, **by_like;
};

/* calls.c: all that may fail return false when memory is short. */
bool shunt_report_calls_open(struct shunt_report_calls *calls);
void shunt_report_calls_clear(struct shunt_report_calls *calls);
/* Sizes at which the rules of a table begin and end: rows lie on one side of each. */
void shunt_report_calls_split(struct shunt_report_calls *calls, const struct shunt_table *table);
bool shunt_report_calls_add(struct shunt_report_calls *calls, const struct shunt_logs_event *event);
bool shunt_report_calls_communicator(struct shunt_report_calls *calls,
                                     const struct shunt_logs_event *event);
/* No more calls: finds shapes, and the order by time. */
bool shunt_report_calls_finish(struct shunt_report_calls *calls);
/* shapes.c: likewise, and the communicators' shapes with their layouts. */
bool shunt_report_shapes_find(struct shunt_report_calls *calls);
void shunt_report_shapes_clear(struct shunt_report_calls *calls);
static inline bool shunt_report_row_routed(const struct shunt_report_row *row)
{
    return row->cell.key.kind == SHUNT_LOG_ROUTED;
}
static inline const char *shunt_report_row_text(const struct shunt_report_row *row,
                                                enum shunt_log_field field)
{
    return row->cell.key.entry->key.field[field];
}

/* timeline.c: how much of the time of ranks went into calls, and when. */
enum { SHUNT_REPORT_BINS = 192, SHUNT_REPORT_LANES = 48 };
struct shunt_report_timeline {
    bool started;
    double origin, width; /* of the first bin: since 1970; of a bin */
    int used;             /* bins up to the last that has something */
    int per_lane, lanes;  /* ranks of a lane; lanes up to the last */
    double kind[SHUNT_LOG_KINDS][SHUNT_REPORT_BINS];
    double lane[SHUNT_REPORT_LANES][SHUNT_REPORT_BINS];
};
void shunt_report_timeline_add(struct shunt_report_timeline *timeline,
                               const struct shunt_logs_event *call, enum shunt_log_kind kind);

/* arrivals.c: who arrives late, and who waits. */
struct shunt_report_rank {
    uint64_t calls; /* that can be compared: two ranks tell when they came */
    uint64_t last;  /* in which it was the last to come */
    double late;    /* sum of the times since the first rank came */
    double waited;  /* sum of the times until the last rank came */
};
struct shunt_report_arrivals {
    struct shunt_logs_pages rank; /* of struct shunt_report_rank */
    bool short_of_memory;
};
/* NULL: nothing is known of that rank. */
const struct shunt_report_rank *shunt_report_rank(const struct shunt_report_arrivals *arrivals,
                                                  size_t rank);
void shunt_report_arrivals_met(void *context, const struct shunt_logs_come *come, int count);
/* The ranks with the most of it, by `late` or else by `waited`; none has nothing. Returns how many
 * there are in `list`, an array of `most`. */
size_t shunt_report_arrivals_worst(const struct shunt_report_arrivals *arrivals, bool late,
                                   int *list, size_t most);

/* facts.c: which run it was. */
struct shunt_report_facts {
    double began;               /* the date of the earliest header, since 1970; 0: none tells */
    struct shunt_log_set hosts; /* ID: its name; `calls`: its ranks, of the first run */
    struct shunt_log_set sites; /* calls by OPERATION, FILE (address) and ID (symbol) */
    struct shunt_log_part further_hosts, further_sites; /* for which the sets had no room */
    bool sited;                                         /* some call tells where it was made */
};
/* rank: that of the header, which counts its runs; NULL: not known. */
void shunt_report_facts_header(struct shunt_report_facts *facts,
                               const struct shunt_logs_event *header,
                               const struct shunt_logs_rank *rank);
void shunt_report_facts_call(struct shunt_report_facts *facts, const struct shunt_record *record);
/* No more events: the slots of the sets have `count` entries then, hosts by name and sites by
 * time. */
void shunt_report_facts_finish(struct shunt_report_facts *facts);
void shunt_report_facts_clear(struct shunt_report_facts *facts);

/* Rows with something in common. */
struct shunt_report_group {
    const struct shunt_report_row *first; /* of the rows: what they have in common */
    struct shunt_log_part all, routed;
    struct shunt_report_gain gain;
};

struct shunt_report {
    const struct shunt_report_options *options;
    struct shunt_logs_summary summary;
    struct shunt_logs_totals totals;
    struct shunt_report_calls calls;
    struct shunt_report_group all; /* calls */
    struct shunt_log_estimate verdict;
    struct shunt_report_timeline timeline;
    struct shunt_report_arrivals arrivals;
    struct shunt_report_facts facts;
    struct shunt_whole whole; /* for the page */
    /* Of the first header; owned, NULL: not told. */
    char *version, *job, *library, *source, *machine_name, *fingerprint, *command;
    int ranks;
    /* tables.c */
    struct shunt_table *used, *other; /* owned; NULL: none, or it is not there */
    char used_note[1024];             /* why there is none, or what is doubtful; "" */
    bool has_machine;
    struct shunt_machine machine;
    struct shunt_log_set unused; /* rules that summaries call unused, with the number of these */
    uint64_t unused_told;        /* summaries that tell of rules */
};

/* tables.c: reads --table and --machine, before the logs; an exit code. */
int shunt_report_tables_open(struct shunt_report *report);
/* Reads the table of the job, if it can be had. */
void shunt_report_tables_find(struct shunt_report *report);
/* What rules that were learned know of native calls, for the rows that followed them. */
void shunt_report_tables_learned(struct shunt_report *report);
/* What tables give each shape. False: memory is short. */
bool shunt_report_tables_map(struct shunt_report *report);
void shunt_report_tables_event(struct shunt_report *report, const struct shunt_logs_event *summary);

/* A rule that no call followed. */
struct shunt_report_unused {
    const char *operation, *file, *id;
    int line;
};
/* From the summaries of ranks, or, without any, from the table of the job and the calls. The list
 * is a malloc block; NULL with *count 0, also where memory is short. *known: whether anything is
 * known of rules. */
struct shunt_report_unused *shunt_report_unused_find(const struct shunt_report *report,
                                                     size_t *count, bool *known);

/* groups.c */
enum shunt_report_by {
    SHUNT_REPORT_BY_OPERATION,
    SHUNT_REPORT_BY_SIZE, /* and operation */
    SHUNT_REPORT_BY_COMMUNICATOR,
    SHUNT_REPORT_BY_RULE, /* or why there is none, and operation */
    SHUNT_REPORT_BY_COUNT
};
struct shunt_report_groups {
    struct shunt_report_group *group; /* array of count, owned */
    size_t count;
};
/* Sizes in their order, all else by time. False: memory is short. Release in any case. */
bool shunt_report_groups_make(struct shunt_report_groups *groups, const struct shunt_report *report,
                              enum shunt_report_by by);
void shunt_report_groups_clear(struct shunt_report_groups *groups);
/* The verdict, and the gain of each row. False: memory is short. */
bool shunt_report_gains(struct shunt_report *report);
/* The estimate of src/log over `rows`, with all native calls like them; cost: seconds. False:
 * memory is short. */
bool shunt_report_estimate(const struct shunt_report_calls *calls,
                           struct shunt_report_row *const *rows, size_t count, double cost,
                           struct shunt_log_estimate *estimate);
/* The rows like that one: `count` of them from calls->by_like[result] on. */
size_t shunt_report_alike(const struct shunt_report_calls *calls,
                          const struct shunt_report_row *row, size_t *count);
/* 0: like ones. */
int shunt_report_likeness(const struct shunt_report_row *a, const struct shunt_report_row *b);

/* model.c: what the model says of the rows that took the longest: their calls, and native ones. */
void shunt_report_predict(struct shunt_report *report);
/* Seconds of a call of a row's size by a decision; 0: the model does not know. */
double shunt_report_predict_decision(const struct shunt_report *report,
                                     const struct shunt_report_row *row,
                                     const struct shunt_algorithm *algorithm,
                                     const struct shunt_params *params);
/* Rows that the model is asked about: that takes time. */
enum { SHUNT_REPORT_PREDICTED = 400 };

/* what_if.c: what --table would have done: fills `then` of each row. False: memory is short. */
bool shunt_report_what_if(struct shunt_report *report);
/* By what the figures rest on, [enum shunt_report_source]. */
struct shunt_report_change {
    uint64_t calls;
    double seconds, then; /* as logged, and then; unknown: as logged */
};
void shunt_report_changes(const struct shunt_report *report, struct shunt_report_change change[4]);
/* "bruck radix=4"; the rule, or why there is none. */
void shunt_report_then_print(const struct shunt_report *report,
                             const struct shunt_report_then *then, char *algorithm, char *rule,
                             size_t capacity);

/* words.c: for people. */
void shunt_report_put_size(struct shunt_log_text *text, const struct shunt_report_row *row);
/* With the mean of an MPI_Alltoallv, by which like calls are told apart. */
void shunt_report_put_sizes(struct shunt_log_text *text, const struct shunt_report_row *row);
/* Bytes of an average block. */
double shunt_report_mean(const struct shunt_report_row *row);
void shunt_report_put_communicator(struct shunt_log_text *text, const struct shunt_report *report,
                                   const struct shunt_report_row *row);
void shunt_report_put_algorithm(struct shunt_log_text *text, const struct shunt_report_row *row);
/* The rule, or why there is none. */
void shunt_report_put_rule(struct shunt_log_text *text, const struct shunt_report_row *row);
void shunt_report_put_group(struct shunt_log_text *text, const struct shunt_report *report,
                            enum shunt_report_by by, const struct shunt_report_row *row);
/* Measured, and its interval holds both a gain and a loss. */
static inline bool shunt_report_unsure(const struct shunt_report_gain *gain)
{
    return gain->source == SHUNT_REPORT_MEASURED && gain->low <= 1 && gain->high >= 1;
}
/* "3.6 (3.1 to 4.0, measured)", "not clear: 0.9 to 1.2 (measured)", "not measured". */
void shunt_report_put_gain(struct shunt_log_text *text, const struct shunt_report_gain *gain);
/* "3.0 (2.8-3.2)", "(0.8-1.2)" where that is not sure, "2.1 by the model": for tables. */
void shunt_report_put_speedup(struct shunt_log_text *text, const struct shunt_report_gain *gain);
/* Lines: what the summary of a rank says of its calls, of all that are in the log. */
void shunt_report_put_verdict(struct shunt_log_text *text, const struct shunt_report *report,
                              const char *first, const char *next);

/* facts.c: likewise. The date as ISO 8601 has it, or "2026-11-22 08:00:00 UTC". */
void shunt_report_put_date(struct shunt_log_text *text, const struct shunt_report_facts *facts,
                           bool iso);
void shunt_report_put_wall_time(struct shunt_log_text *text, const struct shunt_report *report);
/* "2 with 3 to 5 ranks each: n1 3, n2 5". */
void shunt_report_put_hosts(struct shunt_log_text *text, const struct shunt_report_facts *facts);
/* "transpose, app+0x11e3". */
void shunt_report_put_site(struct shunt_log_text *text, const struct shunt_log_entry *site);
#define SHUNT_REPORT_NO_JOB "none of a batch system"
/* The log has no times of other functions. */
#define SHUNT_REPORT_OTHER_MPI "not measured"

/* rows.c: rows in JSON where there is any, into an object that is open; otherwise at the end of a
 * text: kinds of calls, the longest first, as CSV; groups of them and call sites for people. An
 * exit code; false: memory is short. */
int shunt_report_kinds_put(const struct shunt_report *report, struct shunt_log_text *text,
                           struct shunt_json *json);
bool shunt_report_groups_put(const struct shunt_report *report, enum shunt_report_by by,
                             struct shunt_log_text *text, struct shunt_json *json);
void shunt_report_sites_put(const struct shunt_report *report, struct shunt_log_text *text,
                            struct shunt_json *json);
/* text.c: "1,180 calls, 3.10 s of all ranks", and the end of the line. */
void shunt_report_put_further(struct shunt_log_text *text, const struct shunt_log_part *rest);

/* The forms: an exit code. */
int shunt_report_text(struct shunt_report *report, struct shunt_logs_out *out);
int shunt_report_csv(struct shunt_report *report, struct shunt_logs_out *out);
int shunt_report_json(struct shunt_report *report, struct shunt_logs_out *out);
int shunt_report_html(struct shunt_report *report, const char *path);
/* What --json prints, as a value. False: memory is short. */
bool shunt_report_object(struct shunt_json *json, struct shunt_report *report);
/* embed.c: logged calls in the data of a page (view.schema.json). */
void shunt_report_embed(struct shunt_json *json, const struct shunt_report_calls *calls,
                        const struct shunt_whole *whole);

#endif
