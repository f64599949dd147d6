/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.h: how ranges, parameter values and names are spelt, in decision files, in SHUNT_FORCE, in
 * messages and in the log.
 *
 * `where` is the beginning of a message, without the colon that follows it: "site.cfg:9: alltoallv
 * rule \"middle\"".
 */
#ifndef SHUNT_ROUTE_WORDS_H
#define SHUNT_ROUTE_WORDS_H

#include "route/table.h"

/* "64-4095", "2-", "-8", "7", also with blanks; with `sizes` both ends are sizes (base/size.h).
 * False: not a range. low > high is a range here; callers judge it. */
bool shunt_range_parse(const char *text, bool sizes, struct shunt_range *range);
/* "64-4095", "2-", "0-8", "7"; "any" for the wildcard. */
void shunt_range_print(struct shunt_range range, char *text, size_t capacity);
/* Likewise, of sizes, as tables write them: "513-8K", "0-512". */
void shunt_range_spell(struct shunt_range range, char *text, size_t capacity);

/*
 * What may have been meant by a text that is no size, or no range: ` (did you mean "1536"?)` for
 * "1.5K", ` (did you mean "1K-8K"?)` for "1K to 8K"; "" when nothing comes to mind.
 */
void shunt_size_hint(const char *text, char *hint, size_t capacity);
void shunt_range_hint(const char *text, bool sizes, char *hint, size_t capacity);

/* A number, "P", "Q", "N", "sqrt(P)" or "sqrt(Q)". */
bool shunt_value_parse(const char *text, struct shunt_value *value);
/* One such value, or several with "x" between them, "4x2x8": at most SHUNT_RADIX_MOST. Returns how
 * many, 0 when it is something else. */
int shunt_values_parse(const char *text, struct shunt_value *values);
/* One value back; for bounds also "P-1", "N-1" and "(N-1)*Q". */
void shunt_value_print(struct shunt_value value, char *text, size_t capacity);

/* For messages: `"fused" or "separate"`, the words of a parameter that is chosen from words. */
void shunt_words_print(enum shunt_param param, char *text, size_t capacity);
/* The word `text` as a value of such a parameter; false with a problem added when it is none of
 * them. */
bool shunt_word_parse(const char *where, enum shunt_param param, const char *text,
                      struct shunt_value *value, struct shunt_diagnostics *diagnostics);

/* "radix=4x2 batch_size=16 metadata=fused"; "" for an algorithm without parameters. */
void shunt_params_print(const struct shunt_algorithm *algorithm, const struct shunt_params *params,
                        char *text, size_t capacity);

/* Writes ` (did you mean "radix"?)`, or nothing when no name is near. */
void shunt_hint_print(const char *word, const char *const *names, size_t count, char *text,
                      size_t capacity);

/* The operation of that name; false when there is none. */
bool shunt_op_parse(const char *name, enum shunt_op *op);

/* The algorithm `name`, which must serve `op`. NULL with a problem added. */
const struct shunt_algorithm *shunt_algorithm_check(const char *where, enum shunt_op op,
                                                    const char *name,
                                                    struct shunt_diagnostics *diagnostics);

/* Gives `rule` these values for `param` if its `algorithm` takes them; adds a problem when not. */
void shunt_param_give(const char *where, struct shunt_rule *rule,
                      const struct shunt_algorithm *algorithm, enum shunt_param param,
                      const struct shunt_value *values, int count,
                      struct shunt_diagnostics *diagnostics);

#endif
