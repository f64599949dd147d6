/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Greedy construction: among a few candidates, each filled dimension by dimension with the value
 * that covers most pairs not yet covered, the best becomes the next row.
 */
#include "pairwise.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES 12

struct cover {
    int count;
    const int *size;
    int first[PAIRWISE_DIMENSIONS]; /* number of the first value of a dimension, all values numbered
                                       through */
    int values;
    long left;     /* pairs not yet covered */
    bool *covered; /* values x values, symmetric */
    uint64_t random;
};

uint64_t pairwise_hash(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "pairwise: out of memory\n");
        exit(1);
    }
    return memory;
}

static int draw(struct cover *cover, int below)
{
    cover->random = pairwise_hash(cover->random);
    return (int)(cover->random % (uint64_t)below);
}

static bool *pair(const struct cover *cover, int d, int value, int other_d, int other)
{
    return &cover->covered[(size_t)(cover->first[d] + value) * (size_t)cover->values +
                           (size_t)(cover->first[other_d] + other)];
}

/* How many new pairs `value` of dimension d makes with the dimensions that are already set (row[e]
 * >= 0). */
static int gain(const struct cover *cover, const int *row, int d, int value)
{
    int new_pairs = 0;

    for (int e = 0; e < cover->count; e++) {
        if (e != d && row[e] >= 0 && !*pair(cover, d, value, e, row[e]))
            new_pairs++;
    }
    return new_pairs;
}

/* Fills row, starting from a pair that is not covered; returns the number of new pairs. */
static int candidate(struct cover *cover, int *row)
{
    int order[PAIRWISE_DIMENSIONS] = {0};
    int total = 0;

    for (int d = 0; d < cover->count; d++) {
        row[d] = -1;
        order[d] = d;
    }
    for (int d = cover->count - 1; d > 0; d--) {
        int other = draw(cover, d + 1);
        int swap = order[d];

        order[d] = order[other];
        order[other] = swap;
    }
    for (int i = 0; i < cover->count; i++) {
        int d = order[i], best = -1, start = draw(cover, cover->size[d]);

        for (int step = 0; step < cover->size[d]; step++) {
            int value = (start + step) % cover->size[d];
            int new_pairs = gain(cover, row, d, value);

            if (new_pairs > best) {
                best = new_pairs;
                row[d] = value;
            }
        }
        total += best;
    }
    return total;
}

/* Replaces two dimensions of a row that covers nothing new by a pair that is missing, so that the
 * construction always ends. */
static void plant(const struct cover *cover, int *row)
{
    for (int d = 0; d < cover->count; d++) {
        for (int e = 0; e < d; e++) {
            for (int v = 0; v < cover->size[d]; v++) {
                for (int w = 0; w < cover->size[e]; w++) {
                    if (!*pair(cover, d, v, e, w)) {
                        row[d] = v;
                        row[e] = w;
                        return;
                    }
                }
            }
        }
    }
}

static void mark(struct cover *cover, const int *row)
{
    for (int d = 0; d < cover->count; d++) {
        for (int e = 0; e < d; e++) {
            if (!*pair(cover, d, row[d], e, row[e])) {
                *pair(cover, d, row[d], e, row[e]) = true;
                *pair(cover, e, row[e], d, row[d]) = true;
                cover->left--;
            }
        }
    }
}

int *pairwise_rows(int count, const int *size, uint64_t seed, int *rows)
{
    struct cover cover = {.count = count, .size = size, .random = seed};
    int *all = NULL;
    size_t width = (size_t)count * sizeof *all;

    for (int d = 0; d < count; d++) {
        for (int e = 0; e < d; e++)
            cover.left += (long)size[d] * size[e];
        cover.first[d] = cover.values;
        cover.values += size[d];
    }
    cover.covered =
        need(calloc((size_t)cover.values * (size_t)cover.values + 1, sizeof *cover.covered));
    *rows = 0;
    while (cover.left > 0) {
        int best[PAIRWISE_DIMENSIONS], row[PAIRWISE_DIMENSIONS];
        int best_gain = -1;

        for (int c = 0; c < CANDIDATES; c++) {
            int new_pairs = candidate(&cover, row);

            if (new_pairs > best_gain) {
                best_gain = new_pairs;
                memcpy(best, row, width);
            }
        }
        if (best_gain == 0)
            plant(&cover, best);
        mark(&cover, best);
        all = need(realloc(all, (size_t)(*rows + 1) * width));
        memcpy(all + (size_t)*rows * (size_t)count, best, width);
        (*rows)++;
    }
    free(cover.covered);
    return all;
}
