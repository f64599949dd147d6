/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The datatypes of the matrix: for each shape a table row that says where its bytes are, and the
 * MPI calls that should mean the same.
 */
#include <stdio.h>
#include <stdlib.h>

#include "matrix.h"
#include "mpi4.h"

enum {
    INT_PLAIN,
    INT_CONTIGUOUS,
    INT_DUP,
    INT_VECTOR,
    INT_RESIZED,
    INT_NEGATIVE,
    INT_LOWERED,
    INT_DISPLACED,
    INT_SWAPPED,
    INT_STRUCT,
    INT_SUBARRAY,
    INT_COLUMN,
    INT_NESTED,
    INT_LARGE,
    INT_LARGE_DUP,
    INT_LARGE_VECTOR,
    BYTE_PLAIN,
    BYTE_RESIZED,
    BYTE_DISPLACED,
    BYTE_DUP,
    PAIR_PLAIN,
    PAIR_SWAPPED,
    PAIR_PACKED,
    EMPTY,
    EMPTY_EXTENT
};

struct row {
    const char *name;
    enum matrix_family family;
    int instances, bytes, pieces;
    int piece[MATRIX_PIECES];
    int offset[MATRIX_PIECES];
    int extent;
};

static const struct row rows[MATRIX_SHAPES] = {
    [INT_PLAIN] = {"MPI_INT", MATRIX_INTS, 2, 4, 1, {4}, {0}, 4},
    [INT_CONTIGUOUS] = {"contiguous", MATRIX_INTS, 1, 8, 1, {8}, {0}, 8},
    [INT_DUP] = {"dup of contiguous", MATRIX_INTS, 1, 8, 1, {8}, {0}, 8},
    [INT_VECTOR] = {"vector", MATRIX_INTS, 1, 8, 2, {4, 4}, {0, 12}, 16},
    [INT_RESIZED] = {"resized to 20", MATRIX_INTS, 1, 8, 1, {8}, {0}, 20},
    [INT_NEGATIVE] = {"negative lower bound", MATRIX_INTS, 1, 8, 2, {4, 4}, {-8, 4}, 16},
    [INT_LOWERED] = {"resized to lower bound -4", MATRIX_INTS, 1, 8, 1, {8}, {0}, 12},
    [INT_DISPLACED] = {"size = extent, lower bound 4", MATRIX_INTS, 1, 8, 1, {8}, {4}, 8},
    [INT_SWAPPED] = {"hindexed {4,0}", MATRIX_INTS, 1, 8, 2, {4, 4}, {4, 0}, 8},
    [INT_STRUCT] = {"struct", MATRIX_INTS, 1, 8, 2, {4, 4}, {0, 8}, 12},
    [INT_SUBARRAY] = {"subarray", MATRIX_INTS, 1, 8, 2, {4, 4}, {8, 24}, 32},
    [INT_COLUMN] = {"interleaved column",
                    MATRIX_INTS,
                    1,
                    8,
                    2,
                    {4, 4},
                    {0, 0},
                    4}, /* second offset: 4 * columns */
    [INT_NESTED] = {"contiguous of hindexed {4,0}", MATRIX_INTS, 1, 8, 2, {4, 4}, {4, 0}, 8},
    [INT_LARGE] = {"contiguous, large count", MATRIX_INTS, 1, 8, 1, {8}, {0}, 8},
    [INT_LARGE_DUP] = {"dup of contiguous, large count", MATRIX_INTS, 1, 8, 1, {8}, {0}, 8},
    [INT_LARGE_VECTOR] = {"vector, large count", MATRIX_INTS, 1, 8, 2, {4, 4}, {0, 12}, 16},
    [BYTE_PLAIN] = {"MPI_BYTE", MATRIX_BYTES, 1, 1, 1, {1}, {0}, 1},
    [BYTE_RESIZED] = {"byte resized to 3", MATRIX_BYTES, 1, 1, 1, {1}, {0}, 3},
    [BYTE_DISPLACED] = {"byte with lower bound 2", MATRIX_BYTES, 1, 1, 1, {1}, {2}, 1},
    [BYTE_DUP] = {"dup of MPI_BYTE", MATRIX_BYTES, 1, 1, 1, {1}, {0}, 1},
    [PAIR_PLAIN] = {"MPI_DOUBLE_INT", MATRIX_PAIRS, 1, 12, 2, {8, 4}, {0, 8}, 16},
    [PAIR_SWAPPED] = {"int before double", MATRIX_PAIRS, 1, 12, 2, {8, 4}, {8, 0}, 16},
    [PAIR_PACKED] = {"packed double and int", MATRIX_PAIRS, 1, 12, 1, {12}, {0}, 12},
    [EMPTY] = {"contiguous of 0", MATRIX_NOTHING, 1, 0, 0, {0}, {0}, 0},
    [EMPTY_EXTENT] = {"size 0, extent 24", MATRIX_NOTHING, 1, 0, 0, {0}, {0}, 24},
};

const char *matrix_shape_name(int shape)
{
    return rows[shape].name;
}

enum matrix_family matrix_shape_family(int shape)
{
    return rows[shape].family;
}

int matrix_shape_of(enum matrix_family family, int variant)
{
    int first = 0, count = 0;

    while (rows[first].family != family)
        first++;
    while (first + count < MATRIX_SHAPES && rows[first + count].family == family)
        count++;
    return first + variant % count;
}

static MPI_Datatype resized(MPI_Datatype type, MPI_Aint lower, MPI_Aint extent)
{
    MPI_Datatype result;

    MPI_Type_create_resized(type, lower, extent, &result);
    MPI_Type_free(&type);
    return result;
}

static MPI_Datatype two_ints(void)
{
    MPI_Datatype type;

    MPI_Type_contiguous(2, MPI_INT, &type);
    return type;
}

static MPI_Datatype hindexed(MPI_Aint first, MPI_Aint second)
{
    MPI_Datatype type;

    MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){first, second}, MPI_INT, &type);
    return type;
}

static MPI_Datatype structure(MPI_Aint first_at, MPI_Datatype first, MPI_Aint second_at,
                              MPI_Datatype second)
{
    MPI_Datatype type;

    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){first_at, second_at},
                           (MPI_Datatype[]){first, second}, &type);
    return type;
}

static MPI_Datatype duplicate(MPI_Datatype type, bool free_it)
{
    MPI_Datatype result;

    MPI_Type_dup(type, &result);
    if (free_it)
        MPI_Type_free(&type);
    return result;
}

static MPI_Datatype displaced(MPI_Aint by, MPI_Datatype type, bool free_it)
{
    MPI_Datatype result;

    MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){by}, type, &result);
    if (free_it)
        MPI_Type_free(&type);
    return result;
}

static MPI_Datatype vector(int stride)
{
    MPI_Datatype type;

    MPI_Type_vector(2, 1, stride, MPI_INT, &type);
    return type;
}

static MPI_Datatype contiguous(int count, MPI_Datatype type, bool free_it)
{
    MPI_Datatype result;

    MPI_Type_contiguous(count, type, &result);
    if (free_it)
        MPI_Type_free(&type);
    return result;
}

/* MPI_Type_get_envelope knows nothing of types that were made by the large-count constructors. */
static MPI_Datatype two_ints_large(void)
{
    MPI_Datatype type;

    if (!has_mpi4())
        return two_ints();
    MPI_Type_contiguous_c(2, MPI_INT, &type);
    return type;
}

static MPI_Datatype vector_large(void)
{
    MPI_Datatype type;

    if (!has_mpi4())
        return vector(3);
    MPI_Type_vector_c(2, 1, 3, MPI_INT, &type);
    return type;
}

static MPI_Datatype subarray(void)
{
    MPI_Datatype type;

    MPI_Type_create_subarray(2, (int[]){2, 4}, (int[]){2, 1}, (int[]){0, 2}, MPI_ORDER_C, MPI_INT,
                             &type);
    return type;
}

static MPI_Datatype derived_type(int shape, int columns)
{
    switch (shape) {
    case INT_CONTIGUOUS:
        return two_ints();
    case INT_DUP:
        return duplicate(two_ints(), true);
    case INT_VECTOR:
        return vector(3);
    case INT_RESIZED:
        return resized(two_ints(), 0, 20);
    case INT_NEGATIVE:
        return hindexed(-8, 4);
    case INT_LOWERED:
        return resized(two_ints(), -4, 12);
    case INT_DISPLACED:
        return displaced(4, two_ints(), true);
    case INT_SWAPPED:
        return hindexed(4, 0);
    case INT_STRUCT:
        return structure(0, MPI_INT, 8, MPI_INT);
    case INT_SUBARRAY:
        return subarray();
    case INT_COLUMN:
        return resized(vector(columns), 0, 4);
    case INT_NESTED:
        return contiguous(1, hindexed(4, 0), true);
    case INT_LARGE:
        return two_ints_large();
    case INT_LARGE_DUP:
        return duplicate(two_ints_large(), true);
    case INT_LARGE_VECTOR:
        return vector_large();
    case BYTE_RESIZED:
        return resized(duplicate(MPI_BYTE, false), 0, 3);
    case BYTE_DISPLACED:
        return displaced(2, MPI_BYTE, false);
    case BYTE_DUP:
        return duplicate(MPI_BYTE, false);
    case PAIR_SWAPPED:
        return structure(8, MPI_DOUBLE, 0, MPI_INT);
    case PAIR_PACKED:
        return resized(structure(0, MPI_DOUBLE, 8, MPI_INT), 0, 12);
    case EMPTY:
        return contiguous(0, MPI_INT, false);
    case EMPTY_EXTENT:
        return resized(contiguous(0, MPI_INT, false), 0, 24);
    default:
        return MPI_DATATYPE_NULL;
    }
}

/*
 * Receiving into a type without data that has an extent, MPICH 4.2.1 and 5.0.2 themselves divide by
 * its size, 0; 4.0.2 does not.
 */
static bool empty_extent_is_deadly(void)
{
    static int deadly = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int major, minor, length;

    if (deadly < 0) {
        MPI_Get_library_version(text, &length);
        deadly = sscanf(text, "MPICH Version: %d.%d", &major, &minor) == 2 &&
                 (major > 4 || (major == 4 && minor > 0));
    }
    return deadly != 0;
}

void matrix_map_make(struct matrix_map *map, int shape, int64_t columns)
{
    const struct row *row;

    if (shape == EMPTY_EXTENT && empty_extent_is_deadly())
        shape = EMPTY;
    row = &rows[shape];
    map->instances = row->instances;
    map->bytes = row->bytes;
    map->pieces = row->pieces;
    map->extent = row->extent;
    for (int i = 0; i < MATRIX_PIECES; i++) {
        map->piece[i] = row->piece[i];
        map->offset[i] = row->offset[i];
    }
    if (shape == INT_COLUMN)
        map->offset[1] = 4 * columns;
    map->derived = shape != INT_PLAIN && shape != BYTE_PLAIN && shape != PAIR_PLAIN;
    if (map->derived) {
        map->type = derived_type(shape, (int)columns);
        MPI_Type_commit(&map->type);
    } else {
        map->type = shape == INT_PLAIN ? MPI_INT : shape == BYTE_PLAIN ? MPI_BYTE : MPI_DOUBLE_INT;
    }
}

void matrix_map_clear(struct matrix_map *map)
{
    if (map->derived)
        MPI_Type_free(&map->type);
}
