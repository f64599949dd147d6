/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c: the columns that say which call a line is about: the same in all forms. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "route/words.h"
#include "tools/predict/predict.h"

struct shunt_place shunt_case_place(const struct shunt_case *c)
{
    return (struct shunt_place){c->layout.ranks, c->layout.nodes, c->layout.ppn_min,
                                c->layout.ppn_max, c->block};
}

void shunt_predict_csv_head(const char *rest)
{
    printf("operation,ranks,nodes,ppn_min,ppn_max,block,distribution,%s\n", rest);
}

void shunt_predict_csv_real(double value)
{
    if (isnan(value))
        putchar(',');
    else
        printf("%.9g,", value);
}

void shunt_predict_csv_place(const struct shunt_predict *predict, const struct shunt_place *place)
{
    printf("%s,%d,%d,%d,%d,%" PRId64 ",%s,", shunt_op_name(predict->op), place->ranks, place->nodes,
           place->ppn_min, place->ppn_max, place->block,
           shunt_predict_distribution(predict) ? shunt_predict_distribution(predict) : "");
}

/* A file says sizes of no distribution. */
const char *shunt_predict_distribution(const struct shunt_predict *predict)
{
    return predict->counts ? NULL : predict->distribution ? predict->distribution : "constant";
}
