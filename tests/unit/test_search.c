/* SPDX-License-Identifier: BSD-3-Clause */
/* test_search.c: which decision file a host chooses, and what is said of those it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "decision_files.h"
#include "route/hosts.h"
#include "route/parse.h"

/* What a search of the folders user and system says. */
struct found {
    enum shunt_parse_outcome outcome;
    struct shunt_table *table;
    struct shunt_diagnostics diagnostics, notes, findings;
};

static struct found search_as(const char *config, const char *host, bool by_name)
{
    char user[128], system[128];
    snprintf(user, sizeof user, "%s/user", folder);
    snprintf(system, sizeof system, "%s/system", folder);
    struct found found = {0};
    const struct shunt_parse_request request = {.config = config,
                                                .host = host,
                                                .user_dir = user,
                                                .system_dir = system,
                                                .by_name = by_name,
                                                .notes = &found.notes,
                                                .findings = &found.findings};
    found.outcome = shunt_parse_search(&request, &found.table, &found.diagnostics);
    assert_int_equal(found.table != NULL, found.outcome == SHUNT_PARSE_FOUND);
    if (!config && found.outcome != SHUNT_PARSE_NOTHING)
        assert_true(shunt_parse_needed(&request));
    return found;
}

static struct found search(const char *host)
{
    return search_as(NULL, host, false);
}

static void clear(struct found *found)
{
    free(found->table);
    shunt_diagnostics_clear(&found->diagnostics);
    shunt_diagnostics_clear(&found->notes);
    shunt_diagnostics_clear(&found->findings);
}

/* No problem, nothing skipped; rules are named by the full name of the file. */
static void finds(const char *host, const char *machine, const char *file)
{
    struct found found = search(host);
    expect(&found.diagnostics, (const char *const[]){NULL}, 1);
    expect(&found.notes, (const char *const[]){NULL}, 1);
    if (!file) {
        assert_int_equal(found.outcome, SHUNT_PARSE_NOTHING);
    } else {
        assert_int_equal(found.outcome, SHUNT_PARSE_FOUND);
        assert_string_equal(shunt_table_string(found.table, found.table->machine), machine);
        assert_string_equal(shunt_table_string(found.table, found.table->rules[0].file),
                            path_of(file));
    }
    clear(&found);
}

#define MACHINE(name, hosts)                                                                       \
    "schema = 1; machine = { name = \"" name "\"; hosts = " hosts "; }; alltoall = ( { " NATIVE    \
    " } );"

static void search_order(void **state)
{
    (void)state;
    finds("node1", "", NULL); /* no folders at all */
    assert_int_equal(mkdir(path_of("user"), 0700), 0);
    assert_int_equal(mkdir(path_of("system"), 0700), 0);
    write_text("system/a.cfg", MACHINE("all", "( \"*\" )"));
    write_text("system/b.cfg", MACHINE("late", "\"node*\""));
    write_text("user/m.cfg", MACHINE("mine", "[ \"node[1-3]\", \"login\" ]"));
    write_text("user/n.cfg", "schema = 1; machine = { name = \"no hosts\"; };");
    write_text("user/not-a-table.txt", "$");
    write_text("user/.hidden.cfg", "$");
    finds("node1", "mine", "user/m.cfg");
    finds("node1.example.org", "mine", "user/m.cfg");
    finds("login", "mine", "user/m.cfg");
    finds("node4", "all", "system/a.cfg");
    finds(NULL, "", NULL);
    struct found named = search_as(path_of("system/b.cfg"), "elsewhere", true);
    assert_non_null(named.table);
    assert_string_equal(shunt_table_string(named.table, named.table->machine), "late");
    assert_int_equal(named.findings.count, 0);
    clear(&named);
}

static void search_meets_bad_files(void **state)
{
    (void)state;
    char expected[256];
    assert_int_equal(mkdir(path_of("user"), 0700), 0);
    /* A mistake in a file for another machine is none of ours; one in ours ends the search, so that
     * nobody measures the wrong table. */
    write_text("user/a.cfg", "schema = 1; elephant = 1; machine = { hosts = ( \"other\" ); };");
    write_text("user/b.cfg", "schema = 1; elephant = 1; machine = { hosts = ( \"node1\" ); };");
    struct found found = search("node1");
    assert_int_equal(found.outcome, SHUNT_PARSE_INVALID);
    snprintf(expected, sizeof expected, "%s/user/b.cfg:1: unknown key \"elephant\"", folder);
    expect(&found.diagnostics, (const char *const[]){expected}, 1);
    expect(&found.notes, (const char *const[]){NULL}, 1);
    clear(&found);
    finds("node2", "", NULL);
}

/* What cannot be parsed is skipped with a note, and the search goes on to user/z.cfg; `note` comes
 * after the folder. */
static void skips(const char *name, const char *text, const char *note)
{
    char expected[512], path[128];
    snprintf(path, sizeof path, "user/%s", name);
    if (text)
        write_text(path, text);
    struct found found = search("node1.example.org");
    snprintf(expected, sizeof expected,
             "%s/user/%s (skipped: it does not seem to be meant for host node1.example.org)",
             folder, note);
    expect(&found.diagnostics, (const char *const[]){NULL}, 1);
    expect(&found.notes, (const char *const[]){expected}, 1);
    assert_int_equal(found.outcome, SHUNT_PARSE_FOUND);
    assert_string_equal(shunt_table_string(found.table, found.table->machine), "mine");
    clear(&found);
    assert_int_equal(unlink(path_of(path)), 0);
}

/* What cannot be parsed, but names this host, ends the search. */
static void stops(const char *text, const char *diagnostic)
{
    char expected[512];
    write_text("user/a.cfg", text);
    struct found found = search("node1.example.org");
    snprintf(expected, sizeof expected, "%s/user/a.cfg:%s", folder, diagnostic);
    assert_int_equal(found.outcome, SHUNT_PARSE_INVALID);
    expect(&found.diagnostics, (const char *const[]){expected}, 1);
    expect(&found.notes, (const char *const[]){NULL}, 1);
    clear(&found);
    assert_int_equal(unlink(path_of("user/a.cfg")), 0);
}

#define OPEN "\nalltoall = ( {"
#define OPENED "the \"{\" opened here is never closed"

static void files_that_cannot_be_parsed(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path_of("user"), 0700), 0);
    write_text("user/z.cfg", MACHINE("mine", "\"node*\""));
    skips("a.cfg", HEAD "machine = { hosts = \"other\"; };" OPEN, "a.cfg:3: " OPENED);
    skips("a.cfg", HEAD OPEN, "a.cfg:3: " OPENED);
    skips("a.cfg", HEAD "// machine = { hosts = \"node1\"; };" OPEN, "a.cfg:3: " OPENED);
    skips("a.cfg", HEAD "name = \"machine = { hosts = node1\";" OPEN, "a.cfg:3: " OPENED);
    skips("a.cfg", HEAD "machine = { }; hosts = \"node1\";" OPEN, "a.cfg:3: " OPENED);
    skips("a.cfg", HEAD "machine = { name = \"node1\"; hosts = 3, \"node1\"; };",
          "a.cfg:2: a string where none is expected: is \"=\" or a comma missing before it?");
    skips("a.cfg", "", "a.cfg: cannot be read: is empty");
    assert_int_equal(mkfifo(path_of("user/a.cfg"), 0600), 0);
    skips("a.cfg", NULL, "a.cfg: cannot be read: is a pipe; it must be a regular file");
    stops(HEAD "machine = { hosts = \"node1\"; };" OPEN, "3: " OPENED);
    stops(HEAD "machine = { name = \"x\"; hosts = [ \"a\", # b\n \"node[1-3]\" ] };" OPEN,
          "4: " OPENED);
    stops(HEAD "machine : { hosts : ( \"login\", \"node1.example.*\"\n",
          "2: the \"(\" opened here is never closed");
    /* The mistake comes first. */
    stops(HEAD "policy = { memory = \"1; };\nmachine = { hosts = \"node1\"; };",
          "2: the quotes opened in this line are not closed");
    stops(HEAD "policy { };\nmachine = { hosts = \"node1\"; };",
          "2: syntax error in or before: policy { };");
    /* The hosts are in an included file, which comes before the mistake. */
    write_text("user/hosts.inc", "machine = { hosts = \"node1\"; };");
    stops(HEAD "@include \"hosts.inc\"\nalltoall = ( {", "3: " OPENED);
}

static void findings_on_hosts(void **state)
{
    (void)state;
    char expected[2][512];
    assert_int_equal(mkdir(path_of("user"), 0700), 0);
    write_text("user/a.cfg", HEAD "alltoall = ( { " NATIVE " } );");
    write_text("user/b.cfg", HEAD "machine = { hosts = ( ); };");
    write_text("user/c.cfg", HEAD "machine = { hosts = ( \"node1\",\n\"login{1,2}\" ); };");
    struct found found = search("node1");
    assert_int_equal(found.outcome, SHUNT_PARSE_FOUND);
    static const char no_hosts[] = "no host will ever choose this file: it has no machine.hosts; "
                                   "add them, or name the file in SHUNT_CONFIG";
    char third[256];
    snprintf(expected[0], sizeof expected[0], "%s/user/a.cfg: %s", folder, no_hosts);
    snprintf(expected[1], sizeof expected[1], "%s/user/b.cfg: %s", folder, no_hosts);
    snprintf(third, sizeof third,
             "%s/user/c.cfg:3: machine: hosts: \"login{1,2}\" can never match: braces are not "
             "understood: write \"login[1,2]\", or one "
             "string per name",
             folder);
    expect(&found.findings, (const char *const[]){expected[0], expected[1], third}, 3);
    clear(&found);
    /* Asked for by its path: it lies where hosts choose, unless it is known to be used by its name;
     * elsewhere it needs no hosts. */
    found = search_as(path_of("user/a.cfg"), "node1", false);
    expect(&found.findings, (const char *const[]){expected[0]}, 1);
    clear(&found);
    found = search_as(path_of("user/a.cfg"), "node1", true);
    assert_int_equal(found.findings.count, 0);
    clear(&found);
    write_text("site.cfg", HEAD);
    found = search_as(path_of("site.cfg"), "node1", false);
    assert_int_equal(found.findings.count, 0);
    clear(&found);
}

static void user_folder_is(const char *xdg, const char *home, const char *expected)
{
    char xdg_entry[64], home_entry[64];
    char *environment[] = {xdg_entry, home_entry, NULL};
    struct shunt_parse_path path;
    snprintf(xdg_entry, sizeof xdg_entry, "XDG_CONFIG_HOME=%s", xdg);
    snprintf(home_entry, sizeof home_entry, "HOME=%s", home);
    shunt_parse_here(&path, NULL, environment);
    assert_null(path.request.config);
    if (!expected)
        assert_null(path.request.user_dir);
    else
        assert_string_equal(path.request.user_dir, expected);
}

/* The same for the library and for the command: only absolute folders count. */
static void only_absolute_folders_count(void **state)
{
    (void)state;
    struct shunt_parse_path path;
    user_folder_is("/x", "/h", "/x/shunt");
    user_folder_is("x", "/h", "/h/.config/shunt");
    user_folder_is("", "/h", "/h/.config/shunt");
    user_folder_is("x", "h", NULL);
    shunt_parse_here(&path, "site.cfg", NULL);
    assert_string_equal(path.request.config, "site.cfg");
    assert_null(path.request.user_dir);
    assert_non_null(path.request.system_dir);
    assert_non_null(path.request.host);
}

/* Whether the parser is needed: told without it. */
static void nothing_to_read(void **state)
{
    (void)state;
    struct shunt_parse_request request = {
        .host = "node1", .user_dir = folder, .system_dir = "/nowhere"};
    assert_false(shunt_parse_needed(&request));
    write_text(".hidden.cfg", "$");
    write_text("notes.txt", "$");
    assert_false(shunt_parse_needed(&request));
    write_text("any.cfg", "$");
    assert_true(shunt_parse_needed(&request));
    request.user_dir = NULL;
    assert_false(shunt_parse_needed(&request));
    request.system_dir = folder;
    assert_true(shunt_parse_needed(&request));
    request.host = NULL;
    assert_false(shunt_parse_needed(&request));
    request.config = "missing.cfg";
    assert_true(shunt_parse_needed(&request));
}

static void module_points_to_search(void **state)
{
    (void)state;
    shunt_parse_search_fn search_function = shunt_parse_search;
    const struct shunt_parse_request request = {0};
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = NULL;
    assert_int_equal(search_function(&request, &table, &diagnostics), SHUNT_PARSE_NOTHING);
    assert_null(table);
    assert_int_equal(diagnostics.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(module_points_to_search),
        WITH_FOLDER(search_order),
        WITH_FOLDER(search_meets_bad_files),
        WITH_FOLDER(files_that_cannot_be_parsed),
        WITH_FOLDER(findings_on_hosts),
        WITH_FOLDER(nothing_to_read),
        cmocka_unit_test(only_absolute_folders_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
