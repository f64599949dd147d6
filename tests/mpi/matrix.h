/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h: the parts of the test "never a wrong byte".
 *
 * A case is one call of one of the four entry points on one communicator. Its data come in units,
 * the smallest piece both sides' datatypes can describe; a shape is one way to describe a unit by
 * datatypes. Where every byte belongs is computed here from plain tables of offsets, never by
 * asking MPI.
 */
#ifndef SHUNT_TESTS_MATRIX_H
#define SHUNT_TESTS_MATRIX_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a unit consists of. Shapes of one family have equal type signatures. */
enum matrix_family {
    MATRIX_INTS,   /* two MPI_INT */
    MATRIX_BYTES,  /* one MPI_BYTE */
    MATRIX_PAIRS,  /* one MPI_DOUBLE and one MPI_INT */
    MATRIX_NOTHING /* no data: types of size 0 with counts that are not 0 */
};

#define MATRIX_SHAPES 25
#define MATRIX_FAMILY_MOST 16 /* shapes of the largest family */
#define MATRIX_PIECES 2

/* A datatype and where its bytes lie. Piece i of an instance that starts at a is at a + offset[i],
 * in the order of the data. */
struct matrix_map {
    MPI_Datatype type;
    bool derived;  /* type must be freed */
    int instances; /* per unit */
    int bytes;     /* of data per instance */
    int pieces;
    int piece[MATRIX_PIECES]; /* bytes of each */
    MPI_Aint offset[MATRIX_PIECES];
    MPI_Aint extent;
};

const char *matrix_shape_name(int shape);
enum matrix_family matrix_shape_family(int shape);
/* Shape number `variant` (any number, taken modulo) of the family. */
int matrix_shape_of(enum matrix_family family, int variant);
/* `columns`: for the shape that interleaves instances, how many instances there are room for. */
void matrix_map_make(struct matrix_map *map, int shape, int64_t columns);
void matrix_map_clear(struct matrix_map *map);

enum matrix_op { MATRIX_ALLTOALL, MATRIX_ALLTOALL_C, MATRIX_ALLTOALLV, MATRIX_ALLTOALLV_C };
enum matrix_counts {
    MATRIX_UNIFORM,
    MATRIX_RAGGED,
    MATRIX_SPARSE,
    MATRIX_ONE_LARGE,
    MATRIX_ONE_SENDER,
    MATRIX_COUNTS
};
enum matrix_placement {
    MATRIX_ASCENDING,
    MATRIX_GAPPED,
    MATRIX_SHUFFLED,
    MATRIX_CENTRED,
    MATRIX_PLACEMENTS
};

struct matrix_case {
    int number;
    enum matrix_op op;
    bool in_place;
    int comm; /* index of communicator */
    int units;
    int send_shape, recv_shape; /* of rank 0 */
    bool differ;                /* other ranks use other shapes of the family */
    bool send_bottom, recv_bottom;
    enum matrix_counts counts;
    enum matrix_placement placement;
    uint64_t salt;
    uint64_t turn; /* changes the data, and nothing else */
};

/* Whether the operation takes counts per peer. */
static inline bool matrix_is_v(const struct matrix_case *c)
{
    return c->op >= MATRIX_ALLTOALLV;
}

enum { MATRIX_COMM_WORLD, MATRIX_COMM_PARITY, MATRIX_COMM_REVERSED, MATRIX_COMM_DUP, MATRIX_COMMS };

/* Fills text with what the case is, in words. */
void matrix_describe(const struct matrix_case *c, char *text, size_t capacity);
/* Units that rank `from` sends to rank `to`. In place: symmetric. */
int64_t matrix_units(const struct matrix_case *c, int ranks, int from, int to);

/* Lists of cases. Each adds to the list; all ranks make the same ones. */
struct matrix_list {
    int count, capacity;
    struct matrix_case *cases;
};
void matrix_list_pairwise(struct matrix_list *list, int ranks, uint64_t seed);
void matrix_list_full(struct matrix_list *list, int ranks);
void matrix_list_random(struct matrix_list *list, int ranks, uint64_t seed, int count);

/* One side of one call on one rank: memory with guard bytes everywhere, the arguments, and what the
 * memory must be afterwards. */
struct matrix_side {
    struct matrix_map map;
    int ranks;
    int64_t *count, *first; /* arrays of ranks, in instances */
    size_t bytes;
    unsigned char *memory;   /* what MPI sees */
    unsigned char *expected; /* the same after the call */
    void *argument;          /* buffer argument */
    MPI_Datatype type;       /* datatype argument */
};

/* Arguments, memory before the call and after it: of the send side of rank `me` when `sends`, else
 * of its receive side. */
void matrix_side_make(struct matrix_side *side, const struct matrix_case *c, int ranks, int me,
                      bool sends);
/* Compares; on a difference says where and returns false. */
bool matrix_side_check(const struct matrix_side *side, const char *name, char *text,
                       size_t capacity);
void matrix_side_clear(struct matrix_side *side);

/* Counts and displacements of one side as the calls want them: ints, and for large counts. */
struct matrix_vectors {
    int ranks;
    int *counts, *places;
    MPI_Count *large_counts;
    MPI_Aint *large_places;
};

/* One call on one rank: both sides, and what belongs to them. */
struct matrix_call {
    const struct matrix_case *c;
    struct matrix_side send, recv;
    struct matrix_vectors from, to;
};

enum { MATRIX_TEXT = 1200 }; /* bytes that a sentence of matrix_call_check needs at most */

void matrix_call_make(struct matrix_call *call, const struct matrix_case *c, MPI_Comm comm);
/* Makes it, or begins its nonblocking form. Returns what MPI returns. */
int matrix_call_run(const struct matrix_call *call, MPI_Comm comm);
int matrix_call_begin(const struct matrix_call *call, MPI_Comm comm, MPI_Request *request);
/* After a call that returned `error`: whether that is success, every byte of both sides is what it
 * must be, and the arguments are as they were; if not, `text` says what is wrong. */
bool matrix_call_check(const struct matrix_call *call, int error, char *text, size_t capacity);
void matrix_call_clear(struct matrix_call *call);

/* malloc or the end of the program. */
void *matrix_need(size_t bytes);

#endif
