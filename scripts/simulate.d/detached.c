/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * detached.c: finds a message that is under way without looking at all others. Preloaded
 * (scripts/simulate).
 *
 * SimGrid 3.32 has one list of all short messages that are under way (CommImpl::detach() adds one),
 * and looks at all of it when one has arrived (CommImpl::finish() removes it). With thousands of
 * ranks these are ten thousands of messages, and nearly all of a simulation's time goes into that.
 * Here nodes of that list wait in a table, by message, and are in the list only while they are
 * removed from it. Another SimGrid has its list as it is.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of a std::list of pointers, as libstdc++ has it. */
struct node {
    struct node *next, *previous;
    const void *message;
};

/* Where the code of a function of SimGrid is. */
struct code {
    const char *begin;
    size_t bytes;
};

enum { BUCKETS = 1 << 20, MAJOR = 3, MINOR = 32 };
static struct {
    bool known, wanted;
    struct code detach, finish;
    struct node *list;     /* the list of all, its head */
    struct node **waiting; /* array of BUCKETS: chains by `next` */
} own;

/* The names of C++: List_node_base::_M_hook, which makes a node the one before another, and
 * intrusive_ptr_add_ref of an activity. */
void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct node *node, struct node *before);
void _ZN7simgrid6kernel8activity21intrusive_ptr_add_refEPNS1_12ActivityImplE(const void *activity);

static struct code find(const char *name)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    void *at = dlsym(RTLD_DEFAULT, name);
    if (!at || !dladdr1(at, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
        return (struct code){0};
    return (struct code){at, symbol->st_size};
}

static bool is_in(const struct code *code, const void *address)
{
    return (uintptr_t)address - (uintptr_t)code->begin < code->bytes;
}

static bool is_known_version(void)
{
    int major = 0, minor = 0, patch = 0;
    void *at = dlsym(RTLD_DEFAULT, "sg_version_get");
    void (*version)(int *, int *, int *);
    memcpy(&version, &at, sizeof version);
    if (version)
        version(&major, &minor, &patch);
    return major == MAJOR && minor == MINOR;
}

static void prepare(void)
{
    own.known = true;
    own.detach = find("_ZN7simgrid6kernel8activity8CommImpl6detachEv");
    own.finish = find("_ZN7simgrid6kernel8activity8CommImpl6finishEv");
    own.waiting = calloc(BUCKETS, sizeof *own.waiting);
    own.wanted = own.detach.begin && own.finish.begin && own.waiting && is_known_version();
}

static struct node **bucket_of(const void *message)
{
    const uint64_t hash = (uint64_t)(uintptr_t)message * UINT64_C(0x9E3779B97F4A7C15);
    return &own.waiting[hash >> 44];
}

static void link_before(struct node *node, struct node *before)
{
    node->next = before;
    node->previous = before->previous;
    before->previous->next = node;
    before->previous = node;
}

void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct node *node, struct node *before)
{
    if (!own.known)
        prepare();
    if (!own.wanted || !is_in(&own.detach, __builtin_return_address(0))) {
        link_before(node, before);
        return;
    }
    struct node **bucket = bucket_of(node->message);
    own.list = before;
    node->next = *bucket;
    *bucket = node;
}

/* SimGrid is about to remove the message from the list: now it is there. */
static void bring_back(const void *message)
{
    struct node **at = bucket_of(message);
    while (*at && (*at)->message != message)
        at = &(*at)->next;
    struct node *node = *at;
    if (!node)
        return;
    *at = node->next;
    link_before(node, own.list);
}

void _ZN7simgrid6kernel8activity21intrusive_ptr_add_refEPNS1_12ActivityImplE(const void *activity)
{
    static void (*real)(const void *);
    if (!real) {
        void *at = dlsym(RTLD_NEXT,
                         "_ZN7simgrid6kernel8activity21intrusive_ptr_add_refEPNS1_12ActivityImplE");
        memcpy(&real, &at, sizeof real);
    }
    if (own.wanted && own.list && is_in(&own.finish, __builtin_return_address(0)))
        bring_back(activity);
    real(activity);
}
