/* SPDX-License-Identifier: BSD-3-Clause */
/* test_parse.c: decision files, right and wrong; every message word by word. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "route/builtin.h"
#include "route/hostlist.h"
#include "route/hosts.h"
#include "route/parse.h"

#define HEAD "schema = 1;\n"
#define IN_RULE(keys) HEAD "alltoallv = ( { " keys " } );"
#define RULE "t.cfg:2: alltoallv rule 1: "
#define NATIVE "algorithm = \"native\";"
#define BAD_MAX 4

struct bad {
    const char *text;
    const char *diagnostics[BAD_MAX];
};

static void expect(const struct shunt_diagnostics *diagnostics, const char *const *expected,
                   size_t most)
{
    for (size_t i = 0; i < most && expected[i]; i++) {
        assert_true(i < diagnostics->count);
        assert_string_equal(diagnostics->text[i], expected[i]);
    }
    size_t count = 0;
    while (count < most && expected[count])
        count++;
    for (size_t i = count; i < diagnostics->count; i++)
        print_error("not expected: %s\n", diagnostics->text[i]);
    assert_int_equal(diagnostics->count, count);
}

static void check_bad(const struct bad *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct shunt_diagnostics diagnostics = {0};
        assert_null(shunt_parse_text(cases[i].text, "t.cfg", &diagnostics));
        expect(&diagnostics, cases[i].diagnostics, BAD_MAX);
        shunt_diagnostics_clear(&diagnostics);
    }
}

#define CHECK_BAD(cases) check_bad((cases), sizeof(cases) / sizeof((cases)[0]))

static void mistakes_of_syntax_are_named(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {HEAD "alltoallv = ( { algorithm = native; } );",
         {"t.cfg:2: native needs quotes: \"native\""}},
        {IN_RULE(NATIVE "block = 4K;"), {"t.cfg:2: 4K needs quotes: \"4K\""}},
        {IN_RULE(NATIVE "ranks = 64-4095;"), {"t.cfg:2: 64-4095 needs quotes: \"64-4095\""}},
        {IN_RULE("algorithm = \"parlogna\"; radix = sqrt(P);"),
         {"t.cfg:2: sqrt(P) needs quotes: \"sqrt(P)\""}},
        {HEAD "alltoallv = ( { " NATIVE " }, );", {"t.cfg:2: trailing comma before \")\""}},
        {HEAD "machine = { hosts = [ \"a\", ]; };", {"t.cfg:2: trailing comma before \"]\""}},
        {HEAD "alltoallv = ( { " NATIVE " }\n { " NATIVE " } );",
         {"t.cfg:3: a comma is missing between two rules: \"}, {\""}},
        {IN_RULE(NATIVE "memory = 3000000000;"),
         {"t.cfg:2: 3000000000 is too large for a plain number: write \"3000000000\" or "
          "3000000000L"}},
        {IN_RULE(NATIVE "memory = 0xFFFFFFFF;"),
         {"t.cfg:2: 4294967295 is too large for a plain number: write \"4294967295\" or "
          "4294967295L"}},
        {IN_RULE(NATIVE "memory = 99999999999999999999L;"),
         {"t.cfg:2: 99999999999999999999L is too large"}},
        {HEAD ";", {"t.cfg:2: needless \";\""}},
        {HEAD "$", {"t.cfg:2: unexpected \"$\""}},
        {HEAD "\x01", {"t.cfg:2: unexpected byte 0x01"}},
        {HEAD "machine = { name = \xe2\x80\x9c"
              "x\xe2\x80\x9d; };",
         {"t.cfg:2: unexpected byte 0xe2 outside of quotes and comments (are the quotes plain "
          "ones?)",
          "t.cfg:2: x needs quotes: \"x\"",
          "t.cfg:2: unexpected byte 0xe2 outside of quotes and comments (are the quotes plain "
          "ones?)"}},
        {HEAD "/* a\nb", {"t.cfg:2: the comment that begins here is never closed"}},
        {HEAD "machine = { name = \"x; };\n",
         {"t.cfg:2: the quotes opened in this line are not closed"}},
        {HEAD "\nalltoallv = (\n", {"t.cfg:3: the \"(\" opened here is never closed"}},
        {HEAD "\nalltoallv = ( {\n );", {"t.cfg:4: \")\" does not close the \"{\" of line 3"}},
        {HEAD "machine = { name \"x\"; };",
         {"t.cfg:2: a string where none is expected: is \"=\" or a comma missing before it?"}},
        {HEAD "}", {"t.cfg:2: \"}\" closes nothing"}},
        {HEAD "a = ((((((((((((((((((1))))))))))))))))));",
         {"t.cfg:2: brackets are nested too deeply"}},
        {HEAD "policy = { warmup 3; };",
         {"t.cfg:2: syntax error in or before: policy = { warmup 3; };"}},
        {HEAD "schema = 1;", {"t.cfg:2: duplicate setting name in or before: schema = 1;"}},
        {HEAD "@include \"x.cfg\"\n",
         {"t.cfg:2: @include is not possible in a text without a folder"}},
        {HEAD "a = 1; @include \"x.cfg\"\n",
         {"t.cfg:2: \"@\" begins only a line like @include \"file\"",
          "t.cfg:2: unknown key \"a\""}},
        {HEAD "@includes\n", {"t.cfg:2: \"@\" begins only a line like @include \"file\""}},
    };
    CHECK_BAD(cases);
}

static void mistakes_of_the_top_level_are_named(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"", {"t.cfg:1: no \"schema\": add the line \"schema = 1;\""}},
        {"schema = 2;",
         {"t.cfg:1: schema 2 is newer than this version of Shunt, which reads 1: use a newer "
          "Shunt"}},
        {"schema = 0;", {"t.cfg:1: schema 0 does not exist: write 1"}},
        {"schema = \"1\";", {"t.cfg:1: schema: expected a number, found a string"}},
        {"schema = 1.0;", {"t.cfg:1: schema: expected a number, found a floating-point number"}},
        {HEAD "alltoalv = ();",
         {"t.cfg:2: unknown key \"alltoalv\" (did you mean \"alltoallv\"?)"}},
        {HEAD "elephant = 1;", {"t.cfg:2: unknown key \"elephant\""}},
        {HEAD "alltoall = { };",
         {"t.cfg:2: alltoall: expected a list ( ) of rules, found a group { }"}},
        {HEAD "alltoall = [ ];",
         {"t.cfg:2: alltoall: expected a list ( ) of rules, found an array [ ]"}},
        {HEAD "alltoall = ( 3 );",
         {"t.cfg:2: alltoall rule 1: expected a group { }, found a number"}},
        {HEAD "machine = 3;", {"t.cfg:2: machine: expected a group { }, found a number"}},
        {HEAD "machine = { nam = \"x\"; };",
         {"t.cfg:2: machine: unknown key \"nam\" (did you mean \"name\"?)"}},
        {HEAD "machine = { name = 3; };",
         {"t.cfg:2: machine: name: expected a string, found a number"}},
        {HEAD "machine = { hosts = true; };",
         {"t.cfg:2: machine: hosts: expected a list of strings such as ( \"node*\", \"login1\" ), "
          "found a truth value"}},
        {HEAD "machine = { hosts = ( 3 ); };",
         {"t.cfg:2: machine: hosts: every element must be a string such as \"node*\""}},
        {HEAD "policy = ( );", {"t.cfg:2: policy: expected a group { }, found a list ( )"}},
        {HEAD "policy = { warm_up = 3; };",
         {"t.cfg:2: policy: unknown key \"warm_up\" (did you mean \"warmup\"?)"}},
        {HEAD "policy = { warmup = -1; };",
         {"t.cfg:2: policy: warmup: -1 is negative (large numbers need quotes or an L)"}},
        {HEAD "policy = { warmup = \"2\"; };",
         {"t.cfg:2: policy: warmup: expected a number, found a string"}},
        {HEAD "policy = { memory = \"4Q\"; };",
         {"t.cfg:2: policy: memory: \"4Q\" is not a size such as 4096 or \"4K\""}},
        {HEAD "policy = { memory = 1.5; };",
         {"t.cfg:2: policy: memory: expected a size such as 4096 or \"4K\", found a floating-point "
          "number"}},
    };
    CHECK_BAD(cases);
}

#define RANGE "a number or a range such as \"8-64\", \"8-\" or \"-64\""
#define SIZES "a size or a range such as \"513-8K\", \"8K-\" or \"-512\""

static void mistakes_in_rules_are_named(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {IN_RULE(""), {RULE "no \"algorithm\""}},
        {IN_RULE("algorithm = 3;"), {RULE "algorithm: expected a string, found a number"}},
        {IN_RULE("algorithm = \"parlona\";"),
         {RULE "unknown algorithm \"parlona\" (did you mean \"parlogna\"?)"}},
        {IN_RULE("algorithm = \"elephant\";"),
         {RULE "unknown algorithm \"elephant\" (\"shunt algorithms\" lists them)"}},
        {IN_RULE("algorithm = \"bruck\";"), {RULE "algorithm \"bruck\" does not serve alltoallv"}},
        {IN_RULE(NATIVE "radix = 2;"), {RULE "algorithm \"native\" takes no radix"}},
        {IN_RULE("algorithm = \"parlogna\"; radix = 1;"),
         {RULE "radix 1 is too small, the least is 2"}},
        {IN_RULE("algorithm = \"parlogna\"; radix = -2;"),
         {RULE "radix: -2 is negative (large numbers need quotes or an L)"}},
        {IN_RULE("algorithm = \"parlogna\"; radix = \"sqrt(N)\";"),
         {RULE
          "radix: \"sqrt(N)\" is not a number, \"P\", \"Q\", \"N\", \"sqrt(P)\" or \"sqrt(Q)\""}},
        {IN_RULE("algorithm = \"parlogna\"; radix = 2.5;"),
         {RULE "radix: expected a number, \"P\", \"Q\", \"N\", \"sqrt(P)\" or \"sqrt(Q)\", found a "
               "floating-point number"}},
        {IN_RULE("algorithm = \"parlogna\"; radix = [ ];"),
         {RULE "radix: a list has 1 to 8 values, this one 0"}},
        {IN_RULE("algorithm = \"parlogna\"; radix = [ 2, 2, 2, 2, 2, 2, 2, 2, 2 ];"),
         {RULE "radix: a list has 1 to 8 values, this one 9"}},
        {IN_RULE("algorithm = \"parlogna\"; radix = ( 4, -2 );"),
         {RULE "radix: -2 is negative (large numbers need quotes or an L)"}},
        {IN_RULE("algorithm = \"parlogna\"; radix = [ 4, 1 ];"),
         {RULE "radix 1 is too small, the least is 2"}},
        {IN_RULE("algorithm = \"parlogna\"; radix = ( \"Q\", \"M\" );"),
         {RULE "radix: \"M\" is not a number, \"P\", \"Q\", \"N\", \"sqrt(P)\" or \"sqrt(Q)\""}},
        {IN_RULE("algorithm = \"parlogna\"; radix = ( 2, ( 3 ) );"),
         {RULE "radix: expected a number, \"P\", \"Q\", \"N\", \"sqrt(P)\" or \"sqrt(Q)\", found a "
               "list ( )"}},
        {IN_RULE("algorithm = \"parlogna\"; radix = \"4x\";"),
         {RULE "radix: \"4x\" is not a number, \"P\", \"Q\", \"N\", \"sqrt(P)\" or \"sqrt(Q)\""}},
        {IN_RULE("algorithm = \"parlinna-staggered\"; batch_size = [ 2, 3 ];"),
         {RULE "batch_size takes one value, not 2"}},
        {IN_RULE("algorithm = \"parlogna\"; metadata = \"seperate\";"),
         {RULE
          "metadata: \"seperate\" is not \"fused\" or \"separate\" (did you mean \"separate\"?)"}},
        {IN_RULE("algorithm = \"parlogna\"; metadata = 1;"),
         {RULE "metadata: expected \"fused\" or \"separate\", found a number"}},
        {IN_RULE("algorithm = \"node-pair\"; fragment = \"P\";"),
         {RULE "fragment: \"P\" is not a size such as 4096 or \"4K\""}},
        {IN_RULE("algorithm = \"node-pair\"; fragment = 100;"),
         {RULE "fragment 100 is too small, the least is 1024"}},
        {IN_RULE("algorithm = \"node-pair\"; leaders = \"4K\";"),
         {RULE "leaders: \"4K\" is not a number, \"P\", \"Q\", \"N\", \"sqrt(P)\" or \"sqrt(Q)\""}},
        {IN_RULE("algorithm = \"two-phase-bruck\"; metadata = \"separate\";"),
         {RULE "algorithm \"two-phase-bruck\" takes no metadata"}},
        {IN_RULE(NATIVE "radx = 2;"), {RULE "unknown key \"radx\" (did you mean \"radix\"?)"}},
        {IN_RULE(NATIVE "ranks = \"4-2\";"),
         {RULE "ranks: \"4-2\" is empty: its lower end is above its upper end"}},
        {IN_RULE(NATIVE "ranks = \"1K-\";"), {RULE "ranks: \"1K-\" is not " RANGE}},
        {IN_RULE(NATIVE "nodes = true;"), {RULE "nodes: expected " RANGE ", found a truth value"}},
        {IN_RULE(NATIVE "ppn = -8;"),
         {RULE "ppn: -8 is negative (\"up to 8\" is \"-8\" in quotes; large numbers need quotes or "
               "an L)"}},
        {IN_RULE(NATIVE "block = \"4X\";"), {RULE "block: \"4X\" is not " SIZES}},
        {IN_RULE(NATIVE "block = 1.5;"),
         {RULE "block: expected " SIZES ", found a floating-point number"}},
        {IN_RULE(NATIVE "memory = \"lots\";"),
         {RULE "memory: \"lots\" is not a size such as 4096 or \"4K\""}},
        {IN_RULE(NATIVE "id = 3;"), {RULE "id: expected a string, found a number"}},
        {IN_RULE(NATIVE "id = \"a\\nb\";"), {RULE "id holds a control character"}},
        {HEAD "alltoall = ( { id = \"a\"; " NATIVE " },\n{ id = \"a\"; " NATIVE " } );",
         {"t.cfg:3: alltoall rule 2: id \"a\" is already used in line 2"}},
        {HEAD "alltoallv = ( { id = \"middle\";\n\nradx = 3; " NATIVE " } );",
         {"t.cfg:4: alltoallv rule \"middle\": unknown key \"radx\" (did you mean \"radix\"?)"}},
    };
    CHECK_BAD(cases);
}

static void all_mistakes_are_named_in_one_go(void **state)
{
    (void)state;
    static const struct bad cases[] = {
        {"schema = 1;\npolcy = { };\nalltoallv = (\n { algorithm = native; block = 4K; },\n "
         "{ " NATIVE " radix = 3 }\n,);",
         {"t.cfg:4: native needs quotes: \"native\"", "t.cfg:4: 4K needs quotes: \"4K\"",
          "t.cfg:6: trailing comma before \")\"",
          "t.cfg:2: unknown key \"polcy\" (did you mean \"policy\"?)"}},
    };
    struct shunt_diagnostics diagnostics = {0};
    assert_null(shunt_parse_text(cases[0].text, "t.cfg", &diagnostics));
    assert_int_equal(diagnostics.count, 5);
    for (size_t i = 0; i < BAD_MAX; i++)
        assert_string_equal(diagnostics.text[i], cases[0].diagnostics[i]);
    assert_string_equal(diagnostics.text[4],
                        "t.cfg:5: alltoallv rule 2: algorithm \"native\" takes no radix");
    shunt_diagnostics_clear(&diagnostics);
}

static void a_file_of_another_kind_is_left_early(void **state)
{
    (void)state;
    char text[4001];
    struct shunt_diagnostics diagnostics = {0};
    memset(text, '$', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_null(shunt_parse_text(text, "t.cfg", &diagnostics));
    assert_int_equal(diagnostics.count, 51);
    assert_string_equal(diagnostics.text[50], "t.cfg:1: too many problems, not read further");
    shunt_diagnostics_clear(&diagnostics);
}

static void a_file_with_everything_is_read(void **state)
{
    (void)state;
    static const char text[] =
        "# comment\r\n"
        "schema = 1; // another\n"
        "/* and\n another */ machine = { name = \"here\"; hosts = [ \"a*\", \"b\" ]; };\n"
        "policy = { warmup = 0; max_communicators = 7; memory = \"1G\"; };\n"
        "alltoall = ( );\n"
        "alltoallv : (\n"
        "  { id = \"a\"; ranks = \"64-4095\"; nodes = \"2-\"; ppn = \"-8\"; block = \"513-8K\"; "
        "memory = 3000000000L;\n"
        "    algorithm = \"parlinna-coalesced\"; radix = \"sqrt(Q)\", batch_size = 8; metadata = "
        "\"separate\" },\n"
        "  { block = 7, nodes = 1; algorithm = \"par\" \"logna\"; radix = \"4\" }\n"
        ");";
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *table = shunt_parse_text(text, "dir/t.cfg", &diagnostics);
    expect(&diagnostics, (const char *const[]){NULL}, 1);
    assert_non_null(table);
    assert_true(shunt_table_valid(table, table->bytes));
    assert_string_equal(shunt_table_string(table, table->machine), "here");
    assert_string_equal(shunt_table_string(table, table->source), "dir/t.cfg");
    assert_int_equal(table->policy.warmup, 0);
    assert_int_equal(table->policy.max_communicators, 7);
    assert_int_equal(table->policy.memory, 1 << 30);
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALL], 0);
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALLV], 2);
    const struct shunt_rule *a = &table->rules[0], *b = &table->rules[1];
    assert_string_equal(shunt_table_string(table, a->id), "a");
    assert_string_equal(shunt_table_string(table, a->file), "dir/t.cfg");
    assert_int_equal(a->line, 8);
    assert_int_equal(b->line, 10);
    assert_int_equal(a->ranks.low, 64);
    assert_int_equal(a->ranks.high, 4095);
    assert_int_equal(a->nodes.high, INT64_MAX);
    assert_int_equal(a->ppn.low, 0);
    assert_int_equal(a->ppn.high, 8);
    assert_int_equal(a->block.high, 8192);
    assert_int_equal(a->memory, INT64_C(3000000000));
    assert_int_equal(a->present, 7);
    assert_int_equal(a->given[SHUNT_PARAM_METADATA].number, SHUNT_METADATA_SEPARATE);
    assert_int_equal(a->given[SHUNT_PARAM_RADIX].formula, SHUNT_FORMULA_SQRT_Q);
    assert_int_equal(a->given[SHUNT_PARAM_BATCH_SIZE].number, 8);
    assert_string_equal(shunt_table_string(table, b->id), "");
    assert_string_equal(shunt_registry_row(b->algorithm)->name, "parlogna");
    assert_int_equal(b->block.low, 7);
    assert_int_equal(b->block.high, 7);
    assert_int_equal(b->memory, INT64_MAX);
    assert_int_equal(b->given[SHUNT_PARAM_RADIX].number, 4);
    free(table);
}

/* A radix per digit: an array of numbers, an array or list with formulas, or as in SHUNT_FORCE. */
static void radix_lists_are_read(void **state)
{
    (void)state;
    static const char *const spellings[] = {"[4, 2, 8]", "(4, 2, 8)",     "(\"4\", 2, 8)",
                                            "\"4x2x8\"", "(4, 2, \"Q\")", "[\"4\", \"2\", \"Q\"]"};
    struct shunt_layout layout;
    assert_int_equal(shunt_layout_blocks(&layout, 64, 8), 0);
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        char text[160], radix[32];
        struct shunt_diagnostics diagnostics = {0};
        snprintf(text, sizeof text,
                 "schema = 1; alltoallv = ({ algorithm = \"parlogna\"; radix = %s; });",
                 spellings[i]);
        struct shunt_table *table = shunt_parse_text(text, "t.cfg", &diagnostics);
        expect(&diagnostics, (const char *const[]){NULL}, 1);
        assert_non_null(table);
        assert_true(shunt_table_valid(table, table->bytes));
        const struct shunt_rule *rule = &table->rules[0];
        const struct shunt_params params = shunt_params_evaluate(
            shunt_registry_row(rule->algorithm), rule->present, rule->given, &layout);
        shunt_param_print(&params, SHUNT_PARAM_RADIX, radix, sizeof radix);
        assert_string_equal(radix, "4x2x8");
        free(table);
    }
    shunt_layout_clear(&layout);
}

/* A folder for files, made anew for each test. */
static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/shunt-parse-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text, size_t length)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}

/* `expected` comes after the folder. */
static void file_is_bad(const char *name, const char *expected)
{
    struct shunt_diagnostics diagnostics = {0};
    char line[512];
    assert_null(shunt_parse_file(path_of(name), &diagnostics));
    assert_int_equal(diagnostics.count, 1);
    snprintf(line, sizeof line, "%s/%s", folder, expected);
    assert_string_equal(diagnostics.text[0], line);
    shunt_diagnostics_clear(&diagnostics);
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    write_text("empty.cfg", "");
    write_file("binary.cfg",
               "\x7f"
               "ELF\0",
               5);
    assert_int_equal(mkdir(path_of("folder.cfg"), 0700), 0);
    file_is_bad("missing.cfg", "missing.cfg: cannot be read: No such file or directory");
    file_is_bad("folder.cfg", "folder.cfg: cannot be read: is a directory");
    file_is_bad("empty.cfg", "empty.cfg: cannot be read: is empty");
    file_is_bad("binary.cfg", "binary.cfg: cannot be read: is not a text file: it holds NUL bytes");
    write_text("secret.cfg", HEAD);
    assert_int_equal(chmod(path_of("secret.cfg"), 0), 0);
    if (access(path_of("secret.cfg"), R_OK) != 0) /* root reads everything */
        file_is_bad("secret.cfg", "secret.cfg: cannot be read: Permission denied");
    /* Nobody writes into the pipe: opening it must not wait. */
    assert_int_equal(mkfifo(path_of("pipe.cfg"), 0600), 0);
    assert_int_equal(symlink("/dev/zero", path_of("device.cfg")), 0);
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", path_of("socket.cfg"));
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    file_is_bad("pipe.cfg", "pipe.cfg: cannot be read: is a pipe; it must be a regular file");
    file_is_bad("device.cfg", "device.cfg: cannot be read: is a device; it must be a regular file");
    file_is_bad("socket.cfg", "socket.cfg: cannot be read: is a socket; it must be a regular file");
    close(listener);
    char *large = malloc((4 << 20) + 1);
    assert_non_null(large);
    memset(large, ' ', (4 << 20) + 1);
    write_file("large.cfg", large, (4 << 20) + 1);
    free(large);
    file_is_bad("large.cfg",
                "large.cfg: cannot be read: is larger than 4 MiB: not a decision file");
}

static void includes_are_relative_to_the_including_file(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    assert_int_equal(mkdir(path_of("sub"), 0700), 0);
    write_text("top.cfg",
               "schema = 1;\nalltoallv = (\n@include \"sub/rules.cfg\"\n,\n{ id = \"own\"; " NATIVE
               " } );");
    write_text("sub/rules.cfg",
               "\n{ id = \"first\"; " NATIVE " },\n  @include \"more.cfg\" # here\n");
    write_text("sub/more.cfg", "{ id = \"second\"; " NATIVE " }"); /* no newline at the end */
    struct shunt_table *table = shunt_parse_file(path_of("top.cfg"), &diagnostics);
    expect(&diagnostics, (const char *const[]){NULL}, 1);
    assert_non_null(table);
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALLV], 3);
    static const char *const names[] = {"sub/rules.cfg", "sub/more.cfg", "top.cfg"};
    static const int lines[] = {2, 1, 5};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(shunt_table_string(table, table->rules[i].file), path_of(names[i]));
        assert_int_equal(table->rules[i].line, lines[i]);
    }
    free(table);
}

static void includes_that_fail(void **state)
{
    (void)state;
    char expected[512];
    write_text("top.cfg", "schema = 1;\n@include \"missing.cfg\"\n");
    snprintf(expected, sizeof expected,
             "top.cfg:2: included file %s/missing.cfg cannot be read: No such file or directory",
             folder);
    file_is_bad("top.cfg", expected);
    write_text("self.cfg", "@include \"self.cfg\"\n");
    file_is_bad("self.cfg", "self.cfg:1: too many files are included: does one include itself?");
    write_text("outer.cfg", "schema = 1;\n@include \"inner.cfg\"\n");
    write_text("inner.cfg", "# one\n\npolcy = 3;\n");
    file_is_bad("outer.cfg", "inner.cfg:3: unknown key \"polcy\" (did you mean \"policy\"?)");
    write_text("open.cfg", "schema = 1;\nalltoall = (\n@include \"close.cfg\"\n");
    write_text("close.cfg", "{ " NATIVE " }\n]\n");
    file_is_bad("open.cfg", "close.cfg:2: \"]\" does not close the \"(\" of line 2");
}

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

/* No problem, nothing skipped. */
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
        assert_string_equal(shunt_table_string(found.table, found.table->rules[0].file), file);
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
    finds("node1", "mine", "m.cfg");
    finds("node1.example.org", "mine", "m.cfg");
    finds("login", "mine", "m.cfg");
    finds("node4", "all", "a.cfg");
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

static void names(bool expected, const char *text, const char *host)
{
    if (shunt_hostlist_names(text, host) != expected)
        print_error("%s against %s\n", text, host);
    assert_int_equal(shunt_hostlist_names(text, host), expected);
}

static void host_lists_name_the_hosts_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *text, *in[4], *out[5];
    } cases[] = {
        {"node[001-064,100]",
         {"node001", "node010", "node064", "node100"},
         {"node1", "node065", "node0001", "node", "node0100"}},
        {"node[8-12]", {"node8", "node9", "node12"}, {"node08", "node7", "node13", "node1"}},
        {"n[98-102]x", {"n98x", "n102x"}, {"n98", "n098x", "n103x"}},
        {"r[1-2]n[01-16]", {"r1n01", "r2n16"}, {"r3n01", "r1n1", "r1n17", "r12n01"}},
        {"[1-2][3-4]", {"13", "24"}, {"1", "33", "134"}},
        {"[1,3]-gpu", {"1-gpu", "3-gpu"}, {"2-gpu", ",-gpu"}},
        {"a,node[1-3,7],b*", {"a", "node7", "b", "bcd"}, {"node4", "ab", ",", "a,node7"}},
        {"rack?-[1-10]*",
         {"racka-1", "racka-10.x", "rackb-2-12"},
         {"rack-1", "racka-x", "racka-12"}},
        {"*[1-64]", {"n1", "node64", "x-9"}, {"n65", "n", "n064"}},
        /* As in the shell. */
        {"login[12]", {"login1", "login2"}, {"login12", "login3"}},
        {"n[!3-5]", {"n1", "n9"}, {"n4"}},
        {"n[ab1-3]", {"na", "n2"}, {"n4", "n-"}},
        {"n[[:digit:]]", {"n4"}, {"nn", "n44"}},
        {"n[]1-3]", {"n1"}, {"n4"}},
        {"n\\[1-3]", {"n[1-3]"}, {"n1"}},
        {"node*", {"node", "node1.example.org"}, {"nod", "anode"}},
        {"", {""}, {"a"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t j = 0; j < 4 && cases[i].in[j]; j++)
            names(true, cases[i].text, cases[i].in[j]);
        for (size_t j = 0; j < 5 && cases[i].out[j]; j++)
            names(false, cases[i].text, cases[i].out[j]);
    }
}

/* Patterns whose parts can be laid on a name in very many ways. */
static void host_lists_take_no_time(void **state)
{
    (void)state;
    char host[256], text[512], *at = text;
    memset(host, '1', sizeof host - 1);
    host[sizeof host - 1] = '\0';
    for (int i = 0; i < 60; i++)
        at += sprintf(at, "[1-9]1*");
    strcpy(at, "x");
    const clock_t begin = clock();
    names(false, text, host);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC <
                5); /* a millisecond; there are some 10^40 ways */
}

static void impossible(const char *text, const char *expected)
{
    char reason[160] = "";
    assert_int_equal(shunt_hostlist_possible(text, reason, sizeof reason), !expected);
    assert_string_equal(reason, expected ? expected : "");
}

static void hosts_that_cannot_be_are_found(void **state)
{
    (void)state;
    impossible("node[001-064,100],login*,a.b-c_d,n[!a-c]?,[]a],x[[:alpha:]]", NULL);
    impossible("login{1,2}",
               "braces are not understood: write \"login[1,2]\", or one string per name");
    impossible("a[1-", "its \"[\" is never closed");
    impossible("a,,b", "a name is empty");
    impossible("", "a name is empty");
    impossible("node 1", "no host name has a \" \"");
    impossible("node\\d+", "no host name has a \"+\"");
    impossible("n\xc3\xb6", "no host name has a byte 0xc3");
    impossible("n[5-3]", "the range 5-3 is empty");
    impossible("n[1-3,064-001]", "the range 064-001 is empty");
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

static void the_built_in_table_is_the_file(void **state)
{
    (void)state;
    const char *top = getenv("abs_top_srcdir");
    const struct shunt_table *builtin = shunt_builtin_table();
    struct shunt_diagnostics diagnostics = {0};
    char path[4096], text[65536];
    snprintf(path, sizeof path, "%s/conf/default.cfg", top ? top : "..");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    assert_int_equal(fclose(file), 0);
    struct shunt_table *table = shunt_parse_text(text, "built-in", &diagnostics);
    assert_non_null(table);
    assert_true(shunt_table_valid(builtin, builtin->bytes));
    assert_string_equal(shunt_table_string(builtin, builtin->source), "built-in");
    assert_int_equal((uintptr_t)builtin % _Alignof(struct shunt_table), 0);
    assert_int_equal(builtin->bytes, table->bytes);
    assert_memory_equal(builtin, table, table->bytes);
    assert_ptr_equal(builtin, shunt_builtin_table());
    free(table);
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

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_of_syntax_are_named),
        cmocka_unit_test(mistakes_of_the_top_level_are_named),
        cmocka_unit_test(mistakes_in_rules_are_named),
        cmocka_unit_test(radix_lists_are_read),
        cmocka_unit_test(all_mistakes_are_named_in_one_go),
        cmocka_unit_test(a_file_of_another_kind_is_left_early),
        cmocka_unit_test(a_file_with_everything_is_read),
        cmocka_unit_test(module_points_to_search),
        WITH_FOLDER(files_that_cannot_be_read),
        WITH_FOLDER(includes_are_relative_to_the_including_file),
        WITH_FOLDER(includes_that_fail),
        WITH_FOLDER(search_order),
        WITH_FOLDER(search_meets_bad_files),
        WITH_FOLDER(files_that_cannot_be_parsed),
        WITH_FOLDER(findings_on_hosts),
        WITH_FOLDER(nothing_to_read),
        cmocka_unit_test(host_lists_name_the_hosts_they_say),
        cmocka_unit_test(host_lists_take_no_time),
        cmocka_unit_test(hosts_that_cannot_be_are_found),
        cmocka_unit_test(only_absolute_folders_count),
        cmocka_unit_test(the_built_in_table_is_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
