/* SPDX-License-Identifier: BSD-3-Clause */
/* question.c: see question.h. */
#include "tools/common/question.h"

#include <inttypes.h>

#include "route/table.h"
#include "tools/common/tool.h"

int shunt_question_place(struct shunt_question *question, bool alone)
{
    const int code =
        shunt_shape_layout(question->asker, &question->shape, alone, &question->layout);
    question->layout.oversubscribed = question->oversubscribed;
    if (code == SHUNT_EXIT_OK && question->rank >= question->layout.ranks)
        return shunt_tool_usage(question->asker, "--rank: there is no rank %d among %d",
                                question->rank, question->layout.ranks);
    return code;
}

void shunt_question_print(const struct shunt_question *question)
{
    const struct shunt_layout *layout = &question->layout;
    printf("%-10s %s, %d rank%s, %d node%s, ", "call", shunt_op_name(question->op), layout->ranks,
           shunt_tool_plural((uint64_t)layout->ranks), layout->nodes,
           shunt_tool_plural((uint64_t)layout->nodes));
    if (layout->ppn_min == layout->ppn_max)
        printf("%d rank%s per node, ", layout->ppn_max,
               shunt_tool_plural((uint64_t)layout->ppn_max));
    else
        printf("%d to %d ranks per node, ", layout->ppn_min, layout->ppn_max);
    if (!shunt_layout_in_blocks(layout))
        printf("dealt in turn, ");
    if (layout->oversubscribed)
        printf("more ranks than processors, ");
    if (question->density > 0 && question->density < SHUNT_DENSITY_FULL)
        printf("%d percent of the blocks not empty, ", question->density);
    if (question->counts)
        printf("blocks of up to %" PRId64 " bytes from %s\n", question->block, question->counts);
    else
        printf("blocks of %" PRId64 " byte%s\n", question->block,
               shunt_tool_plural((uint64_t)question->block));
}

void shunt_question_clear(struct shunt_question *question)
{
    shunt_layout_clear(&question->layout);
}
