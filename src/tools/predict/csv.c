/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.c: see csv.h. */
#include "tools/predict/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "route/words.h"

void shunt_predict_csv_head(const char *rest)
{
    printf("operation,ranks,nodes,ppn_min,ppn_max,block,distribution,%s,machine\n", rest);
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

/* Names may have any character that a description may have in a text. */
void shunt_predict_csv_end(const struct shunt_predict *predict)
{
    fputs(",\"", stdout);
    for (const char *c = predict->machine.name; *c != '\0'; c++) {
        if (*c == '"')
            putchar('"');
        putchar(*c);
    }
    puts("\"");
}
