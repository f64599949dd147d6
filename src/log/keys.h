/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keys.h: every key that the JSON of the log and of the programs uses, with its unit and meaning.
 * The same thing has the same key everywhere. Names that are data (of MPI functions, parameters and
 * phases) are no keys.
 */
#ifndef SHUNT_LOG_KEYS_H
#define SHUNT_LOG_KEYS_H

/* How values are written: numbers with a fraction with as many digits as their unit is worth. */
enum shunt_unit {
    SHUNT_JSON_TEXT,
    SHUNT_JSON_FLAG,
    SHUNT_JSON_COUNT,
    SHUNT_JSON_BYTES,
    SHUNT_JSON_SECONDS,
    SHUNT_JSON_MICROSECONDS,
    SHUNT_JSON_JOULES,
    SHUNT_JSON_SHARE, /* 0 to 1 */
    SHUNT_JSON_MIXED, /* that of the object around it */
    SHUNT_JSON_OBJECT,
    SHUNT_JSON_LIST
};

/* X(NAME, key, unit, meaning) */
#define SHUNT_KEYS(X)                                                                              \
    /* calls */                                                                                    \
    X(EVENT, "event", TEXT,                                                                        \
      "what a line of the log tells: header, communicator, clock, call, cap, summary")             \
    X(CALL, "call", COUNT, "number of the call on its communicator, from 1")                       \
    X(OPERATION, "operation", TEXT, "alltoall or alltoallv")                                       \
    X(OPERATIONS, "operations", LIST, "those that an algorithm serves")                            \
    X(COMMUNICATOR, "communicator", TEXT, "its name")                                              \
    X(COMMUNICATOR_ID, "communicator_id", TEXT,                                                    \
      "the same on all its ranks: 16 hexadecimal digits")                                          \
    X(RANK, "rank", COUNT, "in MPI_COMM_WORLD, or the one that was asked about")                   \
    X(RANKS, "ranks", COUNT, "of the communicator, or of the job")                                 \
    X(NODES, "nodes", COUNT, "that the ranks are on")                                              \
    X(PPN_MIN, "ppn_min", COUNT, "ranks of the node with the fewest")                              \
    X(PPN_MAX, "ppn_max", COUNT, "ranks of the node with the most")                                \
    X(BLOCK, "block", BYTES, "per destination, as asked for; alltoallv: of the largest")           \
    X(DENSITY, "density", COUNT, "blocks of all ranks that are not empty, in percent, rounded up") \
    X(LARGEST, "largest", BYTES, "of the largest block that there was")                            \
    X(MEAN, "mean", MIXED, "bytes of an average block; in an object about ranks, of these")        \
    X(BYTES, "bytes", BYTES, "sent by this rank; in a schedule, in its messages")                  \
    X(TIME, "time", SECONDS, "when the rank arrived at the call, since the origin of the clock")   \
    X(FILLED, "filled", SHARE, "of the blocks that this rank sends, those that are not empty")     \
    X(SEND_BYTES, "send_bytes", LIST, "bytes to each rank")                                        \
    X(SITE, "site", TEXT,                                                                          \
      "where in the program the call was made: module, plus the address that it returns to")       \
    X(SYMBOL, "symbol", TEXT, "function of the site, where its module tells")                      \
    X(PHASES, "phases", OBJECT, "seconds of the call by what they went into")                      \
    X(NATIVE, "native", SECONDS, "of the library's own exchange, made to compare")                 \
    X(SECONDS, "seconds", SECONDS, "of whole calls")                                               \
    X(AGREEMENT, "agreement", SECONDS, "of the agreement about sizes within them")                 \
    X(MEMORY, "memory", BYTES, "scratch of this rank for the communicator")                        \
    X(ERROR, "error", COUNT, "MPI error class, 0 for success")                                     \
    /* decisions */                                                                                \
    X(TABLE, "table", TEXT, "where the table came from")                                           \
    X(ALGORITHM, "algorithm", TEXT, "its name")                                                    \
    X(ALIAS, "alias", TEXT, "another name of it")                                                  \
    X(PARAMETERS, "parameters", TEXT, "with their values: radix=4 batch_size=16")                  \
    X(ACCEPTS, "accepts", OBJECT, "parameters, and which values each may have")                    \
    X(RULE, "rule", OBJECT, "file, line, id; null where none matched")                             \
    X(FILE, "file", TEXT, "of the rule")                                                           \
    X(LINE, "line", COUNT, "of the rule in its file")                                              \
    X(ID, "id", TEXT, "name of the rule")                                                          \
    X(REASON, "reason", TEXT, "why not what a rule or an option asked for")                        \
    X(LIMITED, "limited", FLAG, "whether the model used up the work that it may take")             \
    X(PREDICTED_GAIN, "predicted_gain", MIXED,                                                     \
      "where the model chose: native's predicted cost over that of its choice")                    \
    X(REJECTED, "rejected", LIST, "rules that were passed over: rule, reason")                     \
    X(REJECTED_OMITTED, "rejected_omitted", COUNT, "those that did not fit into the line")         \
    X(OTHERS, "others", LIST, "all rules but the one that won: rule, reason")                      \
    /* the log as a whole */                                                                       \
    X(SCHEMA, "schema", COUNT, "of the log: 1")                                                    \
    X(VERSION, "version", TEXT, "of Shunt")                                                        \
    X(HOST, "host", TEXT, "that the rank runs on")                                                 \
    X(JOB, "job", TEXT, "its number in the batch system, or null")                                 \
    X(LAUNCHER, "launcher", TEXT, "that started the rank, or null")                                \
    X(PROCESS, "process", COUNT, "identifier of the process")                                      \
    X(MACHINE, "machine", TEXT, "name that the table gives the machine")                           \
    X(FINGERPRINT, "fingerprint", TEXT, "of the table: 16 hexadecimal digits")                     \
    X(ORIGIN, "origin", TEXT, "from when times count")                                             \
    X(OFFSET, "offset", SECONDS, "added to this rank's clock, so that it agrees with rank 0's")    \
    X(UNCERTAINTY, "uncertainty", SECONDS, "of the offset")                                        \
    X(SIZE, "size", BYTES, "cap of the log")                                                       \
    X(CALLS, "calls", COUNT, "all of them, or of one kind")                                        \
    X(ERRORS, "errors", COUNT, "calls that returned one")                                          \
    X(NO_RULE, "no_rule", COUNT, "calls without a rule, those of the warm-up apart")               \
    X(TABLES, "tables", LIST, "all that the process has, where there are several")                 \
    X(ELAPSED, "elapsed", SECONDS, "of the run, since the library was loaded")                     \
    X(ASIDE, "aside", SECONDS,                                                                     \
      "of the calls, what was not their exchange: checking, what rank 0 says before set-up")       \
    X(SET_UP, "set_up", SECONDS, "of setting communicators up, besides the calls")                 \
    X(ROUTED, "routed", OBJECT, "calls that Shunt carried out: calls, bytes, seconds")             \
    X(ESTIMATE, "estimate", OBJECT,                                                                \
      "of the gain: speedup, the native calls it rests on, compared, saved")                       \
    X(SETTLED, "settled", FLAG, "of a native call made to compare: 64 came before it")             \
    X(NOT_MEASURED, "not_measured", TEXT, "why: few native calls, or SHUNT_VERIFY verified all")   \
    X(SAVED, "saved", SECONDS, "by routed calls, less set-up; negative: lost")                     \
    X(SAVED_LOW, "saved_low", SECONDS, "the least that it may be")                                 \
    X(SAVED_HIGH, "saved_high", SECONDS, "the most that it may be")                                \
    X(COMPARED, "compared", COUNT, "routed calls that have native ones to compare with")           \
    X(LEFT_NATIVE, "left_native", LIST, "native calls by reason; null: a rule with conditions")    \
    X(SIZES, "sizes", LIST, "calls by operation and size of the largest block: from, to")          \
    X(FROM, "from", BYTES, "the smallest size")                                                    \
    X(TO, "to", BYTES, "the largest size")                                                         \
    X(MOVES, "moves", LIST, "of an event: block_of, block_for, out_of, into")                      \
    X(BLOCK_OF, "block_of", COUNT, "rank that had the block at first")                             \
    X(BLOCK_FOR, "block_for", COUNT, "rank that it is for")                                        \
    X(OUT_OF, "out_of", TEXT, "place that it leaves: send 3, slot 5, shared, message, neighbour")  \
    X(INTO, "into", TEXT, "place that it takes: receive 3, slot 5, shared, message")               \
    X(MISSED, "missed", COUNT, "calls that are not in the figures: the log was busy")              \
    X(DONE, "done", LIST,                                                                          \
      "calls by operation, algorithm, parameters, rule and reason; of a size by algorithm")        \
    X(UNUSED_RULES, "unused_rules", LIST, "rules that no call followed: operation, rule")          \
    X(RULES_LEFT, "rules_left", LIST,                                                              \
      "rules that did not win where they were used: which, for which calls, times, since when")    \
    X(SINCE, "since", COUNT, "number of the first call of the communicator without that rule")     \
    X(SUGGESTION, "suggestion", OBJECT, "native calls without a rule that took longest; or null")  \
    X(NOT_ROUTED, "not_routed", OBJECT, "calls of functions that Shunt leaves alone")              \
    X(HINT, "hint", TEXT, "why there may have been no call")                                       \
    /* logs of all ranks, added up */                                                              \
    X(LOG, "log", OBJECT, "of which job: the first header; null without one")                      \
    X(WITH_SUMMARY, "with_summary", COUNT, "ranks whose own summaries were added up")              \
    X(RUNS, "runs", COUNT, "of the program, most of any rank: logs are appended to")               \
    X(OF_RUN, "of_run", SHARE, "of the run that calls took, over ranks that tell how long it was") \
    X(IMBALANCE, "imbalance", OBJECT, "most_to_mean, slowest, quickest: by the time in calls")     \
    X(MOST_TO_MEAN, "most_to_mean", MIXED, "the longest time of a rank over the mean")             \
    X(SLOWEST, "slowest", OBJECT, "rank with the longest time: rank, seconds")                     \
    X(QUICKEST, "quickest", OBJECT, "rank with the shortest time: rank, seconds")                  \
    X(COMMUNICATORS, "communicators", LIST, "calls by communicator and operation")                 \
    X(INCOMPLETE, "incomplete", COUNT, "calls that not all ranks logged")                          \
    X(SKEW, "skew", OBJECT, "seconds from the first arrival to the last: calls, mean, most")       \
    X(LAST, "last", OBJECT, "rank that came last most often: rank, calls")                         \
    X(OMITTED, "omitted", OBJECT, "what has no entry of its own: sections, calls, seconds")        \
    X(SECTIONS, "sections", COUNT, "communicators and operations")                                 \
    /* reports */                                                                                  \
    X(SUMS, "sums", OBJECT, "of the logs, as log-summary.schema.json describes them")              \
    X(GAIN, "gain", OBJECT, "how many times as fast, and what that rests on")                      \
    X(BASIS, "basis", TEXT, "of a gain: measured, model, same or unknown")                         \
    X(BY_OPERATION, "by_operation", LIST, "calls added up")                                        \
    X(BY_SIZE, "by_size", LIST, "calls added up, by operation and size of the largest block")      \
    X(BY_COMMUNICATOR, "by_communicator", LIST, "calls added up")                                  \
    X(BY_SITE, "by_site", LIST, "calls added up, by operation and where they were made")           \
    X(RUN, "run", OBJECT, "which run it was: date, elapsed, ranks_of_hosts, other_mpi")            \
    X(RANKS_OF_HOSTS, "ranks_of_hosts", LIST, "hosts with their ranks: host, ranks")               \
    X(OTHER_MPI, "other_mpi", SECONDS, "in other functions of MPI; null: not measured")            \
    X(BY_RULE, "by_rule", LIST, "calls added up, by operation and rule, or why there is none")     \
    X(ROWS, "rows", LIST, "calls by operation, size, communicator, algorithm, rule and reason")    \
    X(BEYOND, "beyond", OBJECT, "calls of kinds that have no row")                                 \
    X(LATEST, "latest", LIST, "ranks that arrive late, the worst first")                           \
    X(WAITING, "waiting", LIST, "ranks that wait for others, the longest first")                   \
    X(LATE, "late", SECONDS, "from the first rank's arrival to its own, over all calls")           \
    X(WAITED, "waited", SECONDS, "from its arrival to that of the last rank, over all calls")      \
    X(CAME_LAST, "came_last", COUNT, "calls to which the rank was the last to come")               \
    X(TIMELINE, "timeline", OBJECT, "seconds in calls, of all ranks, in bins of time")             \
    X(WIDTH, "width", SECONDS, "of a bin")                                                         \
    X(ROUTED_SECONDS, "routed_seconds", LIST, "in routed calls, by bin")                           \
    X(NATIVE_SECONDS, "native_seconds", LIST, "in native calls, by bin")                           \
    X(WARM_UP_SECONDS, "warm_up_seconds", LIST, "of the native ones: before set-up")               \
    X(SINCE_START, "since_start", SECONDS, "of the first bin, since the run began")                \
    X(LANE_RANKS, "lane_ranks", COUNT, "ranks of a lane of the timeline")                          \
    X(LANE_SHARES, "lane_shares", LIST, "of the time of a lane's ranks, by bin: in calls")         \
    X(ARRIVALS, "arrivals", OBJECT, "all ranks, of many the worst of each group")                  \
    X(LATE_MEANS, "late_means", LIST, "the latest rank of each group: seconds of an average call") \
    X(WAIT_MEANS, "wait_means", LIST, "the one that waits longest, likewise")                      \
    X(DECISIONS, "decisions", LIST, "of the job's table for its calls: from which size on what")   \
    X(VERDICT, "verdict", TEXT, "what routing gained, in words")                                   \
    X(ADVICE, "advice", TEXT, "whether to use the table that was measured, and why")               \
    X(WHAT_IF, "what_if", OBJECT, "what another table would have done")                            \
    X(CHANGES, "changes", LIST, "calls by what is known of their time with that table")            \
    X(THEN_SECONDS, "then_seconds", SECONDS, "that they would have taken")                         \
    /* schedules */                                                                                \
    X(LAYOUT, "layout", LIST, "ranks of each node")                                                \
    X(COUNTS, "counts", TEXT, "file with the bytes of each block; null: all have the same")        \
    X(AGREES, "agrees", FLAG, "whether ranks agree about sizes in the call")                       \
    X(SCHEDULES, "schedules", LIST, "of one rank, or of all: rank, node, local_rank, events")      \
    X(NODE, "node", COUNT, "of the rank, from 0")                                                  \
    X(LOCAL_RANK, "local_rank", COUNT, "of the rank on its node, from 0")                          \
    X(EVENTS, "events", LIST, "what the rank does, in order")                                      \
    X(KIND, "kind", TEXT, "of an event: copy, send, barrier and so on")                            \
    X(PART, "part", TEXT, "of the call, in which the event is: agreement, round and so on")        \
    X(ROUND, "round", COUNT, "of the event, from 1; null outside the rounds")                      \
    X(PEER, "peer", COUNT, "rank of the other end of a message; null where there is none")         \
    X(TOTALS, "totals", OBJECT, "sums over the events")                                            \
    X(SCHEDULE, "schedule", OBJECT, "what one rank does; null: the MPI library's own")             \
    X(ROUNDS, "rounds", COUNT, "of the schedule")                                                  \
    X(MESSAGES, "messages", COUNT, "that the rank sends, those with lengths alone included")       \
    X(BLOCKS, "blocks", COUNT, "in these messages")                                                \
    X(COPIES, "copies", COUNT, "blocks that the rank copies in memory")                            \
    X(READS, "reads", COUNT, "blocks that it reads from a neighbour's memory")                     \
    X(BARRIERS, "barriers", COUNT, "of the node")                                                  \
    X(AGREEMENT_MESSAGES, "agreement_messages", COUNT, "sent to agree about sizes")                \
    X(MESSAGES_OF_ALL, "messages_of_all", OBJECT, "messages over all ranks: least, mean, most")    \
    X(BYTES_OF_ALL, "bytes_of_all", OBJECT, "bytes over all ranks: least, mean, most")             \
    X(LEAST, "least", MIXED, "of all ranks")                                                       \
    X(MOST, "most", MIXED, "of all ranks")                                                         \
    /* algorithms */                                                                               \
    X(ALGORITHMS, "algorithms", LIST, "all that there are")                                        \
    X(MIN, "min", COUNT, "the smallest value of a parameter")                                      \
    X(MAX, "max", TEXT, "the largest one, a formula of P, N and Q")                                \
    X(LIST, "list", FLAG, "whether each digit may have a value of its own")                        \
    X(DEFAULT, "default", TEXT, "the value without one in the rule")                               \
    X(WORDS, "words", LIST, "the values of a parameter that is no number")                         \
    X(SUMMARY, "summary", TEXT, "what the algorithm does")                                         \
    X(WHEN, "when", TEXT, "when to use it")                                                        \
    X(SOURCE, "source", TEXT, "where it was published")                                            \
    /* where and env */                                                                            \
    X(FOLDERS, "folders", LIST, "those that are searched, in order: folder, state, files")         \
    X(FOLDER, "folder", TEXT, "its path")                                                          \
    X(FILES, "files", LIST, "decision files, in order")                                            \
    X(STATE, "state", TEXT, "what became of a folder or file: searched, used, other, ...")         \
    X(PATTERNS, "patterns", TEXT, "hosts of a decision file; the one that matches, if one does")   \
    X(LEARNED, "learned", TEXT, "path of the rules that were learned; null: none yet")             \
    X(LIBSHUNT, "libshunt", TEXT, "path of libshunt.so; null: not found")                          \
    X(MODULE, "module", TEXT, "path of what reads decision files; null: not found")                \
    X(BENCH, "bench", TEXT, "path of the measuring program; null: not found")                      \
    X(SETTINGS, "settings", LIST, "those of Shunt: name, value, from and others")                  \
    X(NAME, "name", TEXT, "of a variable")                                                         \
    X(VALUE, "value", TEXT, "that counts, or that is not understood")                              \
    X(SET_BY, "set_by", TEXT, "environment, default, not understood or unknown")                   \
    X(EXPECTS, "expects", TEXT, "which values a variable may have")                                \
    X(MEANING, "meaning", TEXT, "of a variable, in one line")                                      \
    /* view */                                                                                     \
    X(PATH, "path", TEXT, "of the file that something was read from")                              \
    X(IMAGE, "image", TEXT, "bytes of a table or of a machine's description in memory, base64")    \
    X(MACHINES, "machines", LIST, "descriptions of machines: name, path, image")                   \
    X(WHOLE, "whole", LIST, "logged calls of which the bytes of all ranks are known")              \
    X(LOGS, "logs", LIST, "calls of logs by kind: those that took longest first")                  \
    X(FIGURES, "figures", LIST, "lines, tiles, bars and tables of a file")                         \
    X(REPORT, "report", OBJECT, "what shunt report --json prints")                                 \
    X(PREDICT, "predict", OBJECT, "what shunt predict --json prints")                              \
    X(EXPLAIN, "explain", OBJECT, "what shunt explain --grid --json prints")                       \
    /* measurements */                                                                             \
    X(PROCESSOR, "processor", TEXT, "model of the processors")                                     \
    X(PROCESSORS, "processors", COUNT, "that the ranks of the first node may use")                 \
    X(LIBRARY, "library", TEXT, "the MPI library and its version")                                 \
    X(OVERSUBSCRIBED, "oversubscribed", FLAG, "whether a node has more ranks than processors")     \
    X(OWN_GROUPS, "own_groups", FLAG, "whether each rank is a scheduling group")                   \
    X(TEST_LAYOUT, "test_layout", TEXT, "SHUNT_TEST_LAYOUT")                                       \
    X(HELPER, "helper", TEXT, "what is preloaded under the MPI library")                           \
    X(YIELDS, "yields", FLAG, "whether that gives the processor up while waiting")                 \
    X(DATE, "date", TEXT, "of the measurement")                                                    \
    X(COMMAND, "command", TEXT, "the command line")                                                \
    X(REPETITIONS, "repetitions", COUNT, "of each call")                                           \
    X(WARM_UP, "warm_up", COUNT,                                                                   \
      "repetitions before the ones that count; in a summary, calls before set-up")                 \
    X(INNER, "inner", COUNT, "calls in a repetition")                                              \
    X(SKEW_US, "skew_us", MICROSECONDS, "by how much ranks arrive late at most")                   \
    X(SEED, "seed", COUNT, "of the random numbers")                                                \
    X(CASES, "cases", LIST, "one for each operation, distribution and size")                       \
    X(DISTRIBUTION, "distribution", TEXT, "of the sizes of blocks")                                \
    X(CANDIDATES, "candidates", LIST, "algorithms that were measured")                             \
    X(US, "us", OBJECT, "time of a call: median, low, high")                                       \
    X(SPEEDUP, "speedup", OBJECT,                                                                  \
      "against the library's own: median, low, high; a number in estimates, predictions")          \
    X(LOWER_BOUND_RATIO, "lower_bound_ratio", OBJECT,                                              \
      "time over that of the lower bound: median, low, high")                                      \
    X(MEDIAN, "median", MIXED, "of the repetitions")                                               \
    X(LOW, "low", MIXED, "lower end of its interval")                                              \
    X(HIGH, "high", MIXED, "upper end of its interval")                                            \
    X(WRONG, "wrong", COUNT, "calls with a wrong byte")                                            \
    X(PHASES_US, "phases_us", OBJECT, "what the time of a call went into")                         \
    X(TIMES_US, "times_us", LIST, "of each repetition")                                            \
    X(CANDIDATE, "candidate", TEXT, "as --algorithm takes it: name:parameter=value")               \
    X(WINNER, "winner", TEXT, "the fastest candidate, native unless clearly faster")               \
    X(MODE, "mode", TEXT, "of calls that were measured: back-to-back or single; null: neither")    \
    X(BUILT_IN, "built_in", MIXED, "speedup of what the built-in table takes")                     \
    X(BUSY, "busy", FLAG, "whether native's times spread, as on a busy machine")                   \
    X(LOSES, "loses", FLAG, "whether it is surely slower than native")                             \
    X(WARNINGS, "warnings", LIST, "texts: what makes the figures doubtful")                        \
    X(MEASURES, "measures", LIST, "numbers of a machine: name, value, unit, residual, samples")    \
    X(UNIT, "unit", TEXT, "of a value")                                                            \
    X(RESIDUAL, "residual", SHARE, "by which measurements deviate from it, median")                \
    X(SAMPLES, "samples", COUNT, "measurements behind a value; 0: it was not measured")            \
    X(NOTE, "note", TEXT, "how a value came about")                                                \
    /* predictions */                                                                              \
    X(FORM, "form", TEXT, "call, grid, sweep or curves")                                           \
    X(OBJECTIVE, "objective", MIXED,                                                               \
      "what is to be least: time, energy or memory; of a policy: weights of the three")            \
    X(ENERGY_AT_MOST_J, "energy_at_most_j", JOULES, "that the choice may take")                    \
    X(MEMORY_AT_MOST, "memory_at_most", BYTES, "of scratch that the choice may need")              \
    X(CHOICE, "choice", OBJECT, "the best that is allowed; null: none is")                         \
    X(LEFT_OUT, "left_out", COUNT, "settings with too many messages to predict")                   \
    X(CAPPED, "capped", FLAG, "something better than the choice is above the caps, or all is")     \
    X(BETTER, "better", OBJECT, "that, the best of it")                                            \
    X(LEFT, "left", LIST, "the settings that are left out, and why")                               \
    X(ASKED, "asked", OBJECT, "the calls that the question is about")                              \
    X(PREDICTIONS, "predictions", LIST, "what the algorithms cost, the best first")                \
    X(PLACE, "place", COUNT, "among all settings, from 1")                                         \
    X(TIME_S, "time_s", SECONDS, "until the last rank is done")                                    \
    X(DONE_S, "done_s", SECONDS, "when an event is done, since all ranks began")                   \
    X(ENERGY_J, "energy_j", JOULES, "of the whole job: static and dynamic")                        \
    X(DYNAMIC_ENERGY_J, "dynamic_energy_j", JOULES, "of messages and bytes alone")                 \
    X(DESCRIPTORS, "descriptors", BYTES, "of an offloaded schedule: the most of any rank")         \
    X(REMOTE_MESSAGES, "remote_messages", COUNT, "between nodes")                                  \
    X(REMOTE_BYTES, "remote_bytes", BYTES, "in messages between nodes")                            \
    X(METHOD, "method", TEXT, "exact: all ranks were run; symmetric: those of one node")           \
    X(PARETO, "pareto", FLAG, "whether nothing beats it in time, energy and memory at once")       \
    X(ALLOWED, "allowed", FLAG, "whether it takes no more energy and memory than it may")          \
    X(NATIVE_TIME_S, "native_time_s", SECONDS, "of native")                                        \
    X(NATIVE_ENERGY_J, "native_energy_j", JOULES, "of native")                                     \
    X(CELLS, "cells", LIST, "calls of a grid, each with its choice and native")                    \
    X(LINES, "lines", LIST, "of a sweep or of curves: one for each algorithm")                     \
    X(POINTS, "points", LIST, "of a line: radix or ranks, and the cost there")                     \
    X(RADIX, "radix", COUNT, "of the algorithm")                                                   \
    X(PREDICTED, "predicted", OBJECT, "costs of the rule's choice and of the best, by the model")  \
    X(BEST, "best", OBJECT, "what takes the least time")                                           \
    /* decision files */                                                                           \
    X(MODEL, "model", OBJECT,                                                                      \
      "of a table: its machine description, by the keys of its file; null: none")                  \
    X(POLICY, "policy", OBJECT, "of a table: warmup, memory, no_match and others")                 \
    X(WARMUP, "warmup", COUNT, "calls that stay native; null: until set-up pays")                  \
    X(MAX_COMMUNICATORS, "max_communicators", COUNT, "private ones of a process at most")          \
    X(NO_MATCH, "no_match", TEXT, "what becomes of calls that no rule takes: native, model")       \
    X(LEARN, "learn", TEXT, "what is done where no rule takes a call: off, suggest, on")           \
    X(GUARD, "guard", FLAG, "a rule that does not win where it is used is left")                   \
    X(ADAPT, "adapt", FLAG, "calls may be native without an agreement for a while")                \
    X(MARGIN, "margin", MIXED, "by which the model has to see native beaten, at the worst")        \
    X(RULES, "rules", LIST, "of a table, in their order; measured: for a decision file")           \
    X(CONDITIONS, "conditions", OBJECT, "ranges: low, high, which is null without an upper end")   \
    X(PPN, "ppn", OBJECT, "range of ranks on a node, every node's")                                \
    X(FINDINGS, "findings", LIST, "what is wrong or cannot be meant: kind, file, line, text")      \
    X(TEXT, "text", TEXT, "a finding in words; of a rule: as a decision file has it")              \
    X(COVERAGE, "coverage", LIST, "for each operation: gaps, overlaps, complete")                  \
    X(GAPS, "gaps", LIST, "conditions of calls that no rule takes")                                \
    X(OVERLAPS, "overlaps", LIST, "pairs of rules for the same calls: rules, conditions")          \
    X(COMPLETE, "complete", FLAG, "whether all of them are told")                                  \
    X(FIRST, "first", OBJECT, "of two tables: which it is; in a difference, what it decides")      \
    X(SECOND, "second", OBJECT, "the other one, likewise")                                         \
    X(DIFFERENCES, "differences", LIST, "calls about which two tables decide differently")         \
    X(EVERYWHERE, "everywhere", FLAG, "all such calls that were looked at differ so; false: some") \
    X(EXAMPLE, "example", OBJECT, "one such call")                                                 \
    X(MODELLED, "modelled", FLAG, "whether the model chose, as no rule took the call")             \
    X(HOSTS, "hosts", LIST, "patterns of hosts")                                                   \
    X(CHOSEN, "chosen", FLAG, "whether a job on the host finds the file by itself")                \
    X(MATCHED, "matched", TEXT, "the pattern that matched the host; null: none")

#define SHUNT_KEY_ENUM(name, key, unit, meaning) SHUNT_KEY_##name,
enum shunt_key { SHUNT_KEYS(SHUNT_KEY_ENUM) SHUNT_KEY_COUNT };
#undef SHUNT_KEY_ENUM

#endif
