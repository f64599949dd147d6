/* SPDX-License-Identifier: BSD-3-Clause */
/* room.c: see room.h. */
#include "base/room.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { ENOUGH = 256 << 10, OWN = 1 << 20, GUARD = 64 << 10 };

/* This thread's stack: its lowest address and its end; 0: not asked yet. */
static __thread uintptr_t lowest, highest;

/* The first thread's stack begins near what the kernel has put there for the program. Half a
 * millisecond is what pthread_getattr_np takes for it, which reads all mappings. */
static void look_at_first(void)
{
    struct rlimit limit;
    const uintptr_t top = (uintptr_t)getauxval(AT_RANDOM);
    if (top == 0 || getrlimit(RLIMIT_STACK, &limit) != 0)
        return;
    lowest = limit.rlim_cur < top ? top - (uintptr_t)limit.rlim_cur : 1;
    highest = top;
}

static void look(void)
{
    pthread_attr_t attributes;
    void *from = NULL;
    size_t bytes = 0;
    if (syscall(SYS_gettid) == getpid()) {
        look_at_first();
        return;
    }
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &from, &bytes) == 0) {
        lowest = (uintptr_t)from;
        highest = lowest + bytes;
    }
    pthread_attr_destroy(&attributes);
}

/* Elsewhere the program has made the stack itself, and nobody knows how large it is. */
static bool is_enough(void)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (highest == 0)
        look();
    return here > lowest && here < highest && here - lowest >= ENOUGH;
}

struct run {
    void (*function)(void *);
    void *context;
    ucontext_t back, there;
};

/* makecontext passes ints: an address comes in two of them. */
static void begin(unsigned high, unsigned low)
{
    struct run *run = (void *)((uintptr_t)high << 16 << 16 | low); /* NOLINT(*-int-to-ptr) */
    run->function(run->context);
}

static void run_on(struct run *run, char *stack)
{
    const uintptr_t from = lowest, to = highest, address = (uintptr_t)run;
    run->there.uc_stack.ss_sp = stack + GUARD;
    run->there.uc_stack.ss_size = OWN;
    run->there.uc_link = &run->back;
    makecontext(&run->there, (void (*)(void))begin, 2, (unsigned)(address >> 16 >> 16),
                (unsigned)address);
    lowest = (uintptr_t)stack + GUARD;
    highest = lowest + OWN;
    swapcontext(&run->back, &run->there);
    lowest = from;
    highest = to;
}

void shunt_room_run(void (*function)(void *), void *context)
{
    if (is_enough()) {
        function(context);
        return;
    }
    char *stack =
        mmap(NULL, GUARD + OWN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) { /* NOLINT(performance-no-int-to-ptr) */
        function(context);
        return;
    }
    struct run run = {.function = function, .context = context};
    if (mprotect(stack + GUARD, OWN, PROT_READ | PROT_WRITE) == 0 && getcontext(&run.there) == 0)
        run_on(&run, stack);
    else
        function(context);
    munmap(stack, GUARD + OWN);
}
