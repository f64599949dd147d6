/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.c: writes what SimGrid is to know of a machine: `simulate-platform MACHINE RANKS PPN
 * FOLDER native|routed` makes FOLDER/platform.xml and FOLDER/hosts, and prints options of smpirun.
 *
 * The description is that of the cost model (shunt-machine(5)): latency and the bandwidth of one
 * message for both levels. What ranks of a node share (cards, memory) and overheads are charged
 * beside SimGrid (ranks.c); but for the library's own collectives, of which nothing is seen but
 * what SimGrid does: these get the overhead between nodes, or the time of the cards where that is
 * longer when all ranks of the node send at once.
 */
#include <stdlib.h>
#include <string.h>

#include "route/machine.h"
#include "tools/common/tool.h"

static FILE *create(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        shunt_tool_say("simulate: %s cannot be written", path);
    return file;
}

static bool write_platform(const char *folder, const struct shunt_machine *m, int nodes, int ppn)
{
    const struct shunt_link *inside = &m->link[SHUNT_LEVEL_INSIDE],
                            *between = &m->link[SHUNT_LEVEL_BETWEEN];
    const double least = 1e-15; /* seconds per byte where a description has none */
    FILE *file = create(folder, "platform.xml");
    if (!file)
        return false;
    fprintf(
        file,
        "<?xml version='1.0'?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n"
        "<cluster id=\"%s\" prefix=\"n\" suffix=\"\" radical=\"0-%d\" speed=\"1Gf\" core=\"%d\"\n"
        " bw=\"%.17gBps\" lat=\"0s\" sharing_policy=\"FATPIPE\"\n"
        " bb_bw=\"%.17gBps\" bb_lat=\"%.17gs\" bb_sharing_policy=\"FATPIPE\"\n"
        " loopback_bw=\"%.17gBps\" loopback_lat=\"%.17gs\"/>\n"
        "</platform>\n",
        "machine", nodes - 1, ppn, 1 / least, 1 / (between->byte > least ? between->byte : least),
        shunt_machine_latency(m, SHUNT_LEVEL_BETWEEN, nodes),
        1 / (inside->byte > least ? inside->byte : least), inside->latency);
    return fclose(file) == 0;
}

static bool write_hosts(const char *folder, int nodes, int ppn)
{
    FILE *file = create(folder, "hosts");
    for (int n = 0; file && n < nodes; n++)
        for (int i = 0; i < ppn; i++)
            fprintf(file, "n%d\n", n);
    return file && fclose(file) == 0;
}

/* Overheads of the library's own messages, as SMPI takes them: "SIZE:SECONDS:SECONDS PER BYTE". */
static void print_overheads(const struct shunt_machine *m, int nodes, int ppn)
{
    const struct shunt_link *l = &m->link[SHUNT_LEVEL_BETWEEN];
    const double start = l->overhead > l->gap ? l->overhead : l->gap,
                 card = ppn * m->card_message / m->cards,
                 byte = ppn * shunt_machine_card_byte(m, nodes) / m->cards;
    const double meets = byte > l->overhead_byte ? (start - card) / (byte - l->overhead_byte) : -1;
    if (card >= start && byte >= l->overhead_byte)
        printf("--cfg=smpi/ois:0:%.17g:%.17g --cfg=smpi/os:0:%.17g:%.17g\n", card, byte, card,
               byte);
    else if (meets > 0)
        printf("--cfg=smpi/ois:0:%.17g:%.17g;%.0f:%.17g:%.17g "
               "--cfg=smpi/os:0:%.17g:%.17g;%.0f:%.17g:%.17g\n",
               start, l->overhead_byte, meets, card, byte, start, l->overhead_byte, meets, card,
               byte);
    else
        printf("--cfg=smpi/ois:0:%.17g:%.17g --cfg=smpi/os:0:%.17g:%.17g\n", start,
               l->overhead_byte, start, l->overhead_byte);
    printf("--cfg=smpi/or:0:%.17g:%.17g\n", l->overhead, l->overhead_byte);
}

static void print_options(const struct shunt_machine *m, int nodes, int ppn, bool native)
{
    const int64_t eager = m->link[SHUNT_LEVEL_BETWEEN].eager;
    const long long limit = eager < INT32_MAX ? (long long)eager : INT32_MAX;
    printf("--cfg=smpi/async-small-thresh:%lld --cfg=smpi/send-is-detached-thresh:%lld\n",
           limit + 1, limit + 1);
    if (native)
        print_overheads(m, nodes, ppn);
}

static int refuse(const char *what)
{
    shunt_tool_say("simulate: %s; see scripts/simulate --help", what);
    return SHUNT_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_machine machine;
    if (argc != 6)
        return refuse("MACHINE RANKS PPN FOLDER native|routed are expected");
    const long ranks = strtol(argv[2], NULL, 10), ppn = strtol(argv[3], NULL, 10);
    const bool found = shunt_machine_find(&machine, argv[1], &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        shunt_tool_say("simulate: %s", diagnostics.text[i]);
    shunt_diagnostics_clear(&diagnostics);
    if (!found)
        return SHUNT_EXIT_USAGE;
    if (ppn < 1 || ranks < ppn || ranks > 1 << 20 || ranks % ppn != 0)
        return refuse("ranks have to be some times the ranks of a node, and at most 2^20");
    if (machine.processors > 0 && ppn > machine.processors)
        return refuse("the machine has fewer processors than ranks on a node: ranks that take "
                      "turns cannot be simulated");
    print_options(&machine, (int)(ranks / ppn), (int)ppn, strcmp(argv[5], "native") == 0);
    return write_platform(argv[4], &machine, (int)(ranks / ppn), (int)ppn) &&
                   write_hosts(argv[4], (int)(ranks / ppn), (int)ppn)
               ? SHUNT_EXIT_OK
               : SHUNT_EXIT_IO;
}
