/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes.c: C++'s operator new and delete with the nodes of lists side by side. Preloaded
 * (scripts/simulate).
 *
 * SimGrid 3.32 has one list of all short messages that are under way, and whenever one has arrived
 * it looks at the whole list. With thousands of ranks these are ten thousands of messages, and
 * with nodes all over the memory of the process nearly all of a simulation's time goes into that.
 * Here nodes lie as they were made, one after the other, and are made again in the order in which
 * they were given back, so that memory is read from end to end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Of a std::list of pointers. */
struct node {
    struct node *next;
    void *others[2];
};

/* Address space; memory is what nodes take of it. */
enum { NODES_MOST = 1 << 26 };
static struct {
    struct node *begin, *unused;
    struct node *first, *last; /* given back; first == NULL: none */
} pool;

static bool in_pool(const void *at)
{
    return pool.begin && (const struct node *)at >= pool.begin &&
           (const struct node *)at < pool.begin + NODES_MOST;
}

static void *take_node(void)
{
    struct node *node = pool.first;
    if (node) {
        pool.first = node->next;
        return node;
    }
    if (!pool.begin) {
        void *at = mmap(NULL, NODES_MOST * sizeof *node, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED)
            abort();
        pool.begin = pool.unused = at;
    }
    return in_pool(pool.unused) ? pool.unused++ : NULL;
}

static void give_node(struct node *node)
{
    node->next = NULL;
    if (pool.first)
        pool.last->next = node;
    else
        pool.first = node;
    pool.last = node;
}

/* The names of C++, by which they take the place of its own: operator new, and delete without and
 * with the number of bytes. */
void *_Znwm(size_t bytes);
void _ZdlPv(void *at);
void _ZdlPvm(void *at, size_t bytes);

void *_Znwm(size_t bytes)
{
    void *at = bytes == sizeof(struct node) ? take_node() : NULL;
    at = at ? at : malloc(bytes ? bytes : 1);
    if (!at)
        abort();
    return at;
}

void _ZdlPv(void *at)
{
    if (in_pool(at))
        give_node(at);
    else
        free(at);
}

void _ZdlPvm(void *at, size_t bytes)
{
    (void)bytes;
    _ZdlPv(at);
}
