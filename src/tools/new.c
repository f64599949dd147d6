/* SPDX-License-Identifier: BSD-3-Clause */
/* new.c: `shunt new`: a commented start of a decision file for a machine. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "config.h"
#include "route/host.h"
#include "route/parse.h"
#include "tools/common/tool.h"

/* No host name is longer, and no node has as many ranks. */
enum { HOST_MOST = 255, PPN_MOST = 100000 };

struct start {
    char host[HOST_MOST + 1];    /* as it can stand in a comment */
    char pattern[HOST_MOST + 2]; /* of the machine's hosts; "" when none can be guessed */
    char name[HOST_MOST + 1];    /* of the machine, and of the file */
    int ppn;
};

static void guess(struct start *start, const char *host)
{
    size_t used = 0;
    for (const char *at = host; *at != '\0'; at++)
        start->host[used++] = *at > ' ' && *at < 0x7f ? *at : '?';
    start->host[used] = '\0';
    shunt_host_pattern(host, start->pattern, sizeof start->pattern);
    shunt_host_machine(start->pattern, start->name, sizeof start->name);
}

/* A path in a comment: it must not end its line. */
static void print_place(const char *what, const char *folder, const char *name)
{
    printf("#    %s ", what);
    for (const char *at = folder; *at != '\0'; at++)
        putchar((unsigned char)*at < ' ' || *at == 0x7f ? '?' : *at);
    printf("/%s.cfg\n", name);
}

static void print_head(const struct start *start)
{
    struct shunt_parse_path path;
    shunt_parse_here(&path, NULL, shunt_environment());
    printf("# A start of a decision file for the machine of host %s, with %d rank%s on each node.\n"
           "# Made by \"shunt new\" of " PACKAGE_STRING ". shunt.cfg(5) explains every key.\n"
           "#\n"
           "# As it stands, every call is native. To find out what is faster here:\n"
           "#\n",
           start->host[0] != '\0' ? start->host : "(no name)", start->ppn,
           shunt_tool_plural((uint64_t)start->ppn));
    printf("# 1. Measure, on as many nodes as jobs have, first on one:\n"
           "#    mpiexec -n %d shunt bench --op=alltoall,alltoallv --block=64,1K,16K "
           "--algorithm=native,shared-segment,peer-read\n"
           "#    mpiexec -n %d -ppn %d shunt bench --op=alltoall,alltoallv --block=64,1K,16K "
           "--algorithm=native,node-pair,parlogna\n",
           start->ppn, 4 * start->ppn, start->ppn);
    printf(
        "# 2. Write a rule for what was faster, with the conditions under which it was measured: "
        "below, take away\n"
        "#    the # before a rule and change it.\n"
        "# 3. Look for mistakes, see the rules in a table, and ask which of them takes a call:\n"
        "#    shunt check %s.cfg\n"
        "#    shunt show %s.cfg\n"
        "#    shunt explain --op=alltoallv --nodes=4 --ppn=%d --block=1K %s.cfg\n",
        start->name, start->name, start->ppn, start->name);
    printf("# 4. Try it with one job:\n"
           "#    shunt run --config=%s.cfg mpiexec -n %d ./app\n"
           "# 5. Install it, so that jobs on these hosts find it:\n",
           start->name, 4 * start->ppn);
    if (path.request.user_dir)
        print_place("for yourself: ", path.request.user_dir, start->name);
    print_place("for everybody:", path.request.system_dir, start->name);
}

static void print_machine(const struct start *start)
{
    fputs("\nschema = 1;\n\n"
          "# Hosts of rank 0 that choose this file by themselves: Slurm's lists of hosts, or "
          "patterns "
          "as in the shell.\n"
          "# Are these all compute nodes, and no others? \"shunt check --host=NAME FILE\" tells.\n",
          stdout);
    if (start->pattern[0] != '\0')
        printf("machine = { name = \"%s\"; hosts = ( \"%s\" ); };\n", start->name, start->pattern);
    else
        printf("machine = { name = \"%s\"; };\n"
               "# No pattern could be made from the host's name: add one to the group.\n"
               "# hosts = ( \"node[001-064]\" );\n",
               start->name);
    fputs("\n# Scratch memory of a rank for one communicator.\n"
          "# Add no_match = \"model\"; to let calls of MPI_Alltoall that no rule takes be routed "
          "by the "
          "cost model, where it\n"
          "# predicts native to take several times as long. For that, the machine needs a "
          "description: model = \"NAME\";\n"
          "# in the group above, from \"shunt machine\". What MPI_Alltoallv really moves is not "
          "known "
          "beforehand: it\n"
          "# stays native without a rule.\n"
          "policy = { memory = \"256M\"; };\n",
          stdout);
}

static void print_rules(const struct start *start)
{
    const int ppn = start->ppn, leaders = ppn < 4 ? ppn : 4;
    printf("\n# The first rule that matches takes the call. block: bytes for each other rank.\n"
           "alltoall = (\n"
           "  # { id = \"one node\"; nodes = 1; block = \"0-16K\"; algorithm = \"shared-segment\"; "
           "},\n"
           "  # { id = \"one node, large\"; nodes = 1; block = \"16385-\"; algorithm = "
           "\"peer-read\"; },\n"
           "  # { id = \"small\"; nodes = \"2-\"; ppn = %d; block = \"0-1K\"; algorithm = "
           "\"node-pair\"; leaders = 1; },\n"
           "  # { id = \"middle\"; nodes = \"2-\"; ppn = %d; block = \"1025-32K\"; algorithm = "
           "\"node-pair\"; leaders = %d; },\n"
           "  # { id = \"other nodes, small\"; nodes = \"2-\"; block = \"0-256\"; algorithm = "
           "\"bruck\"; radix = 2; },\n"
           "  { id = \"rest\"; algorithm = \"native\"; }\n"
           ");\n\n",
           ppn, ppn, leaders);
    printf("# Of alltoallv, block is the largest block of the call.\n"
           "alltoallv = (\n"
           "  # { id = \"one node\"; nodes = 1; block = \"0-16K\"; algorithm = \"shared-segment\"; "
           "},\n"
           "  # { id = \"small\"; nodes = \"2-\"; ppn = %d; block = \"0-1K\"; algorithm = "
           "\"node-pair\"; leaders = 1; },\n"
           "  # { id = \"middle\"; nodes = \"2-\"; ppn = %d; block = \"1025-32K\"; algorithm = "
           "\"node-pair\"; leaders = %d; },\n"
           "  # { id = \"other nodes, small\"; nodes = \"2-\"; block = \"0-512\"; algorithm = "
           "\"parlogna\"; radix = \"sqrt(P)\"; },\n"
           "  { id = \"rest\"; algorithm = \"native\"; }\n"
           ");\n",
           ppn, ppn, leaders);
}

/* Processors of this machine: what a node has, if nodes are like it. */
static int processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > PPN_MOST ? PPN_MOST : (int)count;
}

struct new
{
    const char *host; /* NULL: this one */
    int ppn;          /* 0: as many as this machine has processors */
};

static int run(void *options, const struct shunt_words *words)
{
    const struct new *asked = options;
    struct shunt_parse_path path;
    struct start start = {.ppn = asked->ppn > 0 ? asked->ppn : processors()};
    shunt_parse_here(&path, NULL, shunt_environment());
    const char *host = asked->host ? asked->host : path.request.host ? path.request.host : "";
    if (strlen(host) > HOST_MOST)
        return shunt_tool_usage(words->command, "--host: no host has a name of more than %d bytes",
                                HOST_MOST);
    guess(&start, host);
    print_head(&start);
    print_machine(&start);
    print_rules(&start);
    return SHUNT_EXIT_OK;
}

static const struct shunt_option list[] = {
    SHUNT_TEXT("host", "NAME", struct new, host, "for the machine of that host instead"),
    SHUNT_NUMBER("ppn", "Q", struct new, ppn, 1, PPN_MOST,
                 "ranks on a node; default: the processors of this machine"),
};

const struct shunt_subcommand shunt_subcommand_new = {
    .name = "new",
    .summary = "write a commented start of a decision file for this machine",
    .usage = "shunt new [--host=NAME] [--ppn=Q] >FILE",
    .about = "Writes a commented start of a decision file to standard output: for the hosts whose "
             "names differ from this one's by the number at the end, with rules to choose from, "
             "and with the commands that measure, check and install.",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct new),
    .run = run,
};
