/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.h: of one call: which rule takes it, what it costs, and why every other rule does not. */
#ifndef SHUNT_TOOLS_EXPLAIN_ANSWER_H
#define SHUNT_TOOLS_EXPLAIN_ANSWER_H

#include "tools/common/question.h"

/* Prints it, as question->json says. Returns an exit code, after saying what is wrong. */
int shunt_explain_answer(const struct shunt_question *question);

#endif
