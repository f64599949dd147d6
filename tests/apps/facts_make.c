/* SPDX-License-Identifier: BSD-3-Clause */
/* facts_make.c: the facts of a program that nobody wrote, of any size. */
#include <stdbool.h>

#include "facts.h"

#define MODULE 256 /* functions that call each other */
#define AHEAD 6    /* how far in its module a function calls, at most */
#define SHARED 16  /* modules for each function that all of them may call */

/* Numbers of a function's variables, from its first one on. */
enum {
    RESULT,
    CONTEXT,              /* a parameter that a module's functions hand on */
    PARAMETER,            /* another */
    LOCALS,               /* pointers */
    OBJECTS = LOCALS + 7, /* two of the heap and one that lives in the function */
    VARIABLES = OBJECTS + 3
};

struct maker {
    struct facts *facts;
    uint64_t random;
    uint32_t functions;
    bool failed;
};

static void say(struct maker *maker, enum fact_kind kind, uint32_t p, uint32_t q)
{
    if (!maker->failed && facts_add(maker->facts, kind, p, q) != 0)
        maker->failed = true;
}

/* A variable of the function whose number there is at least `from` and less than `to`. */
static uint32_t any(struct maker *maker, uint32_t function, uint32_t from, uint32_t to)
{
    return function * VARIABLES + from + random_below(&maker->random, to - from);
}

static void call(struct maker *maker, uint32_t caller, uint32_t callee)
{
    say(maker, FACT_COPY, callee * VARIABLES + PARAMETER, any(maker, caller, PARAMETER, OBJECTS));
    if (random_below(&maker->random, 4) == 0)
        say(maker, FACT_COPY, any(maker, caller, LOCALS, OBJECTS), callee * VARIABLES + RESULT);
}

/* What a function does besides calling others: its local variables in turn get the address of an
 * object, or what an earlier one has or points to. */
static void body(struct maker *maker, uint32_t function)
{
    uint32_t first = function * VARIABLES, object = OBJECTS;
    for (uint32_t p = LOCALS; p < OBJECTS; p++) {
        if (p < LOCALS + 2 || (object < VARIABLES && random_below(&maker->random, 4) == 0))
            say(maker, FACT_ADDRESS, first + p, first + object++);
        else
            say(maker, random_below(&maker->random, 4) > 0 ? FACT_COPY : FACT_LOAD, first + p,
                any(maker, function, PARAMETER, p));
    }
    say(maker, FACT_STORE, any(maker, function, PARAMETER, OBJECTS),
        any(maker, function, LOCALS, OBJECTS));
    say(maker, FACT_COPY, first + RESULT, any(maker, function, LOCALS, OBJECTS));
    /* Few look at what the module shares. */
    if (random_below(&maker->random, 32) == 0)
        say(maker, FACT_STORE, first + CONTEXT, any(maker, function, LOCALS, OBJECTS));
    if (random_below(&maker->random, 32) == 0)
        say(maker, FACT_LOAD, any(maker, function, LOCALS, OBJECTS), first + CONTEXT);
}

int facts_make(struct facts *facts, uint64_t functions, uint64_t seed)
{
    *facts = (struct facts){0};
    struct maker maker = {facts, hash64(seed), (uint32_t)functions, false};
    uint32_t shared = maker.functions / MODULE / SHARED + 1;
    for (uint32_t f = 0; f < maker.functions; f++) {
        uint32_t last = f / MODULE * MODULE + MODULE - 1, first = f * VARIABLES;
        if (last >= maker.functions)
            last = maker.functions - 1;
        if (f % MODULE == 0)
            say(&maker, FACT_ADDRESS, first + CONTEXT, first + OBJECTS);
        body(&maker, f);
        if (f < last) {
            say(&maker, FACT_COPY, first + VARIABLES + CONTEXT, first + CONTEXT);
            call(&maker, f, f + 1);
        }
        uint32_t far = f + 2 + random_below(&maker.random, AHEAD);
        if (far <= last)
            call(&maker, f, far);
        /* What all may call takes a pointer and gives none back, as what frees or prints does. */
        say(&maker, FACT_COPY,
            (maker.functions + random_below(&maker.random, shared)) * VARIABLES + PARAMETER,
            any(&maker, f, PARAMETER, OBJECTS));
    }
    facts_sort(facts);
    return maker.failed ? -1 : 0;
}
