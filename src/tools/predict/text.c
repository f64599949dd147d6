/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: names, times, energies and sizes for people. */
#include "tools/predict/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "log/text.h"
#include "route/words.h"

void shunt_predict_name(const struct shunt_candidate *candidate, char *text, size_t capacity)
{
    const size_t used = (size_t)snprintf(text, capacity, "%s ", candidate->algorithm->name);
    if (used >= capacity)
        return;
    shunt_params_print(candidate->algorithm, &candidate->params, text + used, capacity - used);
    if (text[used] == '\0')
        text[used - 1] = '\0';
}

void shunt_seconds_print(double seconds, char *text, size_t capacity)
{
    struct shunt_log_text printed = {.bytes = text, .capacity = capacity - 1};
    shunt_log_text_seconds(&printed, seconds);
    text[printed.used] = '\0';
}

/* Three digits, as times have them. */
void shunt_joules_print(double joules, char *text, size_t capacity)
{
    static const char *const units[] = {"nJ", "uJ", "mJ", "J", "kJ"};
    const int last = (int)(sizeof units / sizeof units[0]) - 1;
    int unit = 0;
    double value = joules * 1e9;
    if (isnan(joules)) {
        snprintf(text, capacity, "-");
        return;
    }
    if (!(joules > 0)) {
        snprintf(text, capacity, "0 J");
        return;
    }
    for (; unit < last && value >= 999.5; unit++)
        value /= 1000;
    snprintf(text, capacity, "%.*f %s",
             value < 9.995   ? 2
             : value < 99.95 ? 1
                             : 0,
             value, units[unit]);
}

void shunt_volume_print(int64_t bytes, char *text, size_t capacity)
{
    if (bytes == INT64_MAX)
        snprintf(text, capacity, ">8 EiB");
    else
        shunt_bytes_print((uint64_t)bytes, text, capacity);
}
