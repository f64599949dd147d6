/* SPDX-License-Identifier: BSD-3-Clause */
/* decimal.c: decimal numbers of 15 digits. */
#include "route/decimal.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = DBL_DIG };

/* (-)d.dddd * 10^exponent, without the point and without zeros at the end; 0 is "0". */
struct decimal {
    const char *sign;
    char digits[DIGITS + 1];
    int exponent;
};

static struct decimal decimal_of(double value)
{
    struct decimal decimal = {.sign = value < 0 ? "-" : ""};
    char text[64];
    int used = 0;
    /* The point is the locale's: everything between the digits is skipped. */
    snprintf(text, sizeof text, "%.*e", DIGITS - 1, value);
    const char *end = strchr(text, 'e');
    for (const char *at = text; end && at < end && used < DIGITS; at++)
        if (*at >= '0' && *at <= '9')
            decimal.digits[used++] = *at;
    while (used > 1 && decimal.digits[used - 1] == '0')
        decimal.digits[--used] = '\0';
    decimal.exponent = end ? (int)strtol(end + 1, NULL, 10) : 0;
    return decimal;
}

static int is_finite(double value)
{
    return value >= -DBL_MAX && value <= DBL_MAX;
}

double shunt_decimal_scale(double value, int power)
{
    char text[64];
    if (value == 0)
        return 0;
    if (!is_finite(value))
        return value;
    const struct decimal decimal = decimal_of(value);
    /* An integer and an exponent, so that strtod needs no point. */
    snprintf(text, sizeof text, "%s%se%d", decimal.sign, decimal.digits,
             decimal.exponent + power - (int)strlen(decimal.digits) + 1);
    return strtod(text, NULL);
}

/* Beyond these a number is easier to read with an exponent; and libconfig wants an L behind a
 * larger integer. */
enum { LEAST_PLAIN = -4, MOST_PLAIN = 8 };

void shunt_decimal_print(double value, int power, char *text, size_t capacity)
{
    if (value == 0 || !is_finite(value)) {
        snprintf(text, capacity, "%s", value == 0 ? "0" : "1e999");
        return;
    }
    const struct decimal decimal = decimal_of(value);
    const int exponent = decimal.exponent + power, count = (int)strlen(decimal.digits);
    const char *digits = decimal.digits;
    if (exponent < LEAST_PLAIN || exponent > MOST_PLAIN)
        snprintf(text, capacity, "%s%.1s%s%se%d", decimal.sign, digits, count > 1 ? "." : "",
                 digits + 1, exponent);
    else if (exponent < 0)
        snprintf(text, capacity, "%s0.%.*s%s", decimal.sign, -exponent - 1, "0000", digits);
    else if (count <= exponent + 1)
        snprintf(text, capacity, "%s%s%.*s", decimal.sign, digits, exponent + 1 - count,
                 "00000000");
    else
        snprintf(text, capacity, "%s%.*s.%s", decimal.sign, exponent + 1, digits,
                 digits + exponent + 1);
}
