/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of one side of a call: a pattern everywhere, data where the arguments point, and the image
 * that must be there afterwards.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "pairwise.h"

#define GUARD 64 /* bytes before and after everything the arguments can reach */

void *matrix_need(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);

    if (!memory) {
        fprintf(stderr, "matrix: out of memory\n");
        exit(1);
    }
    return memory;
}

/* Bytes made up from a salt: data of a block, or the pattern around it. */
static void fill(unsigned char *bytes, size_t count, uint64_t salt)
{
    for (size_t at = 0; at < count; at += 8) {
        uint64_t word = pairwise_hash(salt + at / 8);

        memcpy(bytes + at, &word, count - at < 8 ? count - at : 8);
    }
}

static uint64_t pair_salt(const struct matrix_case *c, int from, int to)
{
    return pairwise_hash((c->salt + c->turn) ^ ((uint64_t)from << 40) ^ ((uint64_t)to << 20));
}

static void counts_and_places(struct matrix_side *side, const struct matrix_case *c, int me,
                              bool sends)
{
    int ranks = side->ranks, step = ranks > 3 && ranks % 3 != 0 ? 3 : ranks - 1;
    int64_t next = 0, total = 0;

    for (int j = 0; j < ranks; j++) {
        side->count[j] = (sends ? matrix_units(c, ranks, me, j) : matrix_units(c, ranks, j, me)) *
                         side->map.instances;
        total += side->count[j];
    }
    if (!matrix_is_v(c) || c->placement == MATRIX_ASCENDING) {
        for (int j = 0; j < ranks; next += side->count[j], j++)
            side->first[j] = next;
        return;
    }
    if (c->placement == MATRIX_CENTRED)
        next = -total / 2;
    for (int i = 0; i < ranks; i++) {
        /* step and ranks have no common divisor: every j once, in another order on the two sides */
        int j = c->placement == MATRIX_SHUFFLED ? (i * step + me + sends) % ranks : i;

        next += c->placement == MATRIX_GAPPED ? 1 + i % 3 : 1;
        side->first[j] = next;
        next += side->count[j];
        if (c->placement == MATRIX_SHUFFLED && side->count[j] == 0)
            side->first[j] = -77777; /* of no meaning: nothing is there */
    }
}

/* Fills the places of the data in `image` (origin: where the buffer argument points). */
static void write_data(const struct matrix_side *side, const struct matrix_case *c, int me,
                       bool sends, unsigned char *origin)
{
    const struct matrix_map *map = &side->map;

    for (int j = 0; j < side->ranks; j++) {
        size_t bytes = (size_t)side->count[j] * (size_t)map->bytes;
        unsigned char *data = matrix_need(bytes), *next = data;

        fill(data, bytes, sends ? pair_salt(c, me, j) : pair_salt(c, j, me));
        for (int64_t i = 0; i < side->count[j]; i++) {
            unsigned char *at = origin + (side->first[j] + i) * map->extent;

            for (int p = 0; p < map->pieces; next += map->piece[p], p++)
                memcpy(at + map->offset[p], next, (size_t)map->piece[p]);
        }
        free(data);
    }
}

/* Lowest and highest byte offset from the origin that the arguments reach. */
static void reach(const struct matrix_side *side, MPI_Aint *low, MPI_Aint *high)
{
    *low = 0;
    *high = 0;
    for (int j = 0; j < side->ranks; j++) {
        for (int p = 0; p < side->map.pieces && side->count[j] > 0; p++) {
            MPI_Aint from = side->first[j] * side->map.extent + side->map.offset[p];
            MPI_Aint to = (side->first[j] + side->count[j] - 1) * side->map.extent +
                          side->map.offset[p] + side->map.piece[p];

            *low = from < *low ? from : *low;
            *high = to > *high ? to : *high;
        }
    }
}

static size_t origin_of(MPI_Aint low, const struct matrix_map *map)
{
    size_t origin = (size_t)(-low) + GUARD;

    origin += 16 - origin % 16;
    return map->bytes == 1 ? origin + 1 : origin; /* bytes may begin anywhere */
}

void matrix_side_make(struct matrix_side *side, const struct matrix_case *c, int ranks, int me,
                      bool sends)
{
    int shape = sends ? c->send_shape : c->recv_shape;
    bool bottom = sends ? c->send_bottom : c->recv_bottom;
    int64_t columns = 0;
    MPI_Aint low, high;
    size_t origin;

    if (c->in_place)
        bottom = c->recv_bottom;
    if (c->differ)
        shape = matrix_shape_of(matrix_shape_family(shape), shape + me * (sends ? 1 : 2));
    for (int j = 0; j < ranks; j++)
        columns += 2 * (sends ? matrix_units(c, ranks, me, j) : matrix_units(c, ranks, j, me)) + 4;
    matrix_map_make(&side->map, shape, columns);
    side->ranks = ranks;
    side->count = matrix_need((size_t)ranks * sizeof *side->count);
    side->first = matrix_need((size_t)ranks * sizeof *side->first);
    counts_and_places(side, c, me, sends);
    reach(side, &low, &high);
    origin = origin_of(low, &side->map);
    side->bytes = origin + (size_t)high + GUARD;
    side->memory = matrix_need(side->bytes);
    side->expected = matrix_need(side->bytes);
    fill(side->memory, side->bytes, pairwise_hash(c->salt + (sends ? 1 : 2) + 4 * (uint64_t)me));
    if (sends || c->in_place)
        write_data(side, c, me, true, side->memory + origin);
    memcpy(side->expected, side->memory, side->bytes);
    if (!sends)
        write_data(side, c, me, false, side->expected + origin);
    side->argument = side->memory + origin;
    side->type = side->map.type;
    if (bottom) {
        MPI_Aint address;

        MPI_Get_address(side->argument, &address);
        MPI_Type_create_hindexed(1, (int[]){1}, &address, side->map.type, &side->type);
        MPI_Type_commit(&side->type);
        side->argument = MPI_BOTTOM;
    }
}

bool matrix_side_check(const struct matrix_side *side, const char *name, char *text,
                       size_t capacity)
{
    size_t i = 0, wrong = 0;

    if (memcmp(side->memory, side->expected, side->bytes) == 0)
        return true;
    while (side->memory[i] == side->expected[i])
        i++;
    for (size_t j = i; j < side->bytes; j++)
        wrong += side->memory[j] != side->expected[j];
    snprintf(text, capacity, "%s: %zu of %zu bytes wrong, the first at %zu: %02x instead of %02x",
             name, wrong, side->bytes, i, (unsigned)side->memory[i], (unsigned)side->expected[i]);
    return false;
}

void matrix_side_clear(struct matrix_side *side)
{
    if (side->type != side->map.type)
        MPI_Type_free(&side->type);
    matrix_map_clear(&side->map);
    free(side->count);
    free(side->first);
    free(side->memory);
    free(side->expected);
}
