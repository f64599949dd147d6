/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * segment.h: memory shared by the processes of a node, made once and given out in pieces.
 *
 * One process creates it without a name where the system lets its neighbours open it through /proc,
 * and under a name in /dev/shm for the moment of opening otherwise. Its length is no memory:
 * pieces get theirs when they are given out, so that lack of it is an answer (and not a SIGBUS
 * later). Nor is it address space: its beginning is mapped, for what processes find there, and
 * other pieces by who uses them.
 */
#ifndef SHUNT_SHM_SEGMENT_H
#define SHUNT_SHM_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shunt_areas_table;

struct shunt_segment {
    char *at;     /* of its beginning; NULL: none */
    size_t bytes; /* of all of it */
    int fd;       /* -1: none. The application may close it: it is looked at before it is used */
    uint64_t device, file;
};

/* How others would find the segment of a process, should it be asked to make one. bytes == 0: it
 * cannot. */
struct shunt_segment_offer {
    uint64_t bytes;
    uint64_t nonce; /* stands at its beginning, and in its name if it needs one */
    int32_t pid, fd;
};

/* Where a piece lies, from the beginning of the segment; 0: nowhere. */
typedef uint64_t shunt_piece;
/* Bytes: a piece that is given back keeps its memory where it is smaller, or all of them together
 * have no more. */
enum { SHUNT_SEGMENT_SMALL = 1 << 18, SHUNT_SEGMENT_KEPT = 16 << 20 };
enum { SHUNT_PIECE_HEAD = 24 };

/* What this process could offer. Takes nothing yet. */
struct shunt_segment_offer shunt_segment_offer(void);
/* The creator's part of sharing: keeps its offer, and makes the segment ready to give out pieces.
 */
bool shunt_segment_create(struct shunt_segment *segment, const struct shunt_segment_offer *offer);
/* A neighbour's part, afterwards. */
bool shunt_segment_join(struct shunt_segment *segment, const struct shunt_segment_offer *offer);
/* The same under a name: made by the creator, joined by the others, then the creator takes the name
 * away. */
bool shunt_segment_create_named(struct shunt_segment *segment,
                                const struct shunt_segment_offer *offer);
bool shunt_segment_join_named(struct shunt_segment *segment,
                              const struct shunt_segment_offer *offer);
void shunt_segment_forget_name(const struct shunt_segment_offer *offer);
/* Local. */
void shunt_segment_close(struct shunt_segment *segment);

/* A piece of at least `bytes` bytes, aligned to a page, backed by memory; its contents are
 * undefined. 0: no memory. For what is small: every process has it at segment->at + piece. */
shunt_piece shunt_segment_take(struct shunt_segment *segment, size_t bytes);
/* The same for what is large: it is mapped by each process that uses it. NULL: it cannot be. */
shunt_piece shunt_segment_take_far(struct shunt_segment *segment, size_t bytes);
char *shunt_segment_map(const struct shunt_segment *segment, shunt_piece piece, size_t bytes);
void shunt_segment_unmap(char *at, size_t bytes);
/*
 * Address space alone, for what is large, noted in *piece, which is shared; where that is not 0, it
 * is there already. False: there is none left. Parts of it get their memory one by one: `from` is a
 * place in the segment. False: there is no memory.
 */
bool shunt_segment_take_bare(struct shunt_segment *segment, _Atomic shunt_piece *piece,
                             size_t bytes);
bool shunt_segment_back(const struct shunt_segment *segment, uint64_t from, size_t bytes);
void shunt_segment_give_bare(struct shunt_segment *segment, shunt_piece piece, size_t bytes);
/* The table of the areas that all its processes have in it (areas.h). */
struct shunt_areas_table *shunt_segment_areas(const struct shunt_segment *segment);
/* Gives back what was taken with the same number of bytes, by whichever process. */
void shunt_segment_give(struct shunt_segment *segment, shunt_piece piece, size_t bytes);

/*
 * What a process has taken for `others` is found by them, once by each, under a key that nothing
 * else has; its first SHUNT_PIECE_HEAD bytes are not theirs. The last one to find it takes it off
 * the list; whoever has shown it may take it off before. 0: nothing is shown under this key.
 */
bool shunt_segment_show(struct shunt_segment *segment, shunt_piece piece, uint64_t key,
                        uint32_t others);
shunt_piece shunt_segment_found(struct shunt_segment *segment, uint64_t key);
void shunt_segment_hide(struct shunt_segment *segment, shunt_piece piece);

#endif
