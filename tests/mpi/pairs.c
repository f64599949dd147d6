/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs SIZE...: for shell scripts, prints a covering array of dimensions with that many values
 * each, one row of values per line. pairs --all SIZE...: prints every combination instead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pairwise.h"

static void print_row(const int *row, int count)
{
    for (int d = 0; d < count; d++)
        printf("%d%c", row[d], d + 1 < count ? ' ' : '\n');
}

static void print_all(const int *size, int count)
{
    int row[PAIRWISE_DIMENSIONS] = {0};
    int d;

    do {
        print_row(row, count);
        for (d = count - 1; d >= 0 && ++row[d] == size[d]; d--)
            row[d] = 0;
    } while (d >= 0);
}

int main(int argc, char **argv)
{
    int size[PAIRWISE_DIMENSIONS];
    int all = argc > 1 && strcmp(argv[1], "--all") == 0;
    int count = argc - 1 - all;

    if (count < 2 || count > PAIRWISE_DIMENSIONS) {
        fprintf(stderr, "usage: pairs [--all] SIZE SIZE... (2 to %d sizes)\n", PAIRWISE_DIMENSIONS);
        return 2;
    }
    for (int d = 0; d < count; d++) {
        size[d] = atoi(argv[1 + all + d]);
        if (size[d] < 1) {
            fprintf(stderr, "pairs: %s is not a size\n", argv[1 + all + d]);
            return 2;
        }
    }
    if (all) {
        print_all(size, count);
    } else {
        int rows;
        int *row = pairwise_rows(count, size, 1, &rows);

        for (int i = 0; i < rows; i++)
            print_row(row + (size_t)i * (size_t)count, count);
        free(row);
    }
    return 0;
}
