/* SPDX-License-Identifier: BSD-3-Clause */
/* test_parse.c: the text of decision files, right and wrong; every message word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "decision_files.h"
#include "route/builtin.h"
#include "route/parse.h"

#define IN_RULE(keys) HEAD "alltoallv = ( { " keys " } );"
#define RULE "t.cfg:2: alltoallv rule 1: "
#define BAD_MAX 4

struct bad {
    const char *text;
    const char *diagnostics[BAD_MAX];
};

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
        {IN_RULE(NATIVE "block = 1K - 8 KiB;"),
         {"t.cfg:2: 1K - 8 KiB needs quotes: \"1K - 8 KiB\""}},
        {IN_RULE(NATIVE "memory = 8 MB /* much */;"), {"t.cfg:2: 8 MB needs quotes: \"8 MB\""}},
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
        {HEAD "policy = { no_match = \"modle\"; };",
         {"t.cfg:2: policy: no_match: \"modle\" is not \"native\" or \"model\" (did you mean "
          "\"model\"?)"}},
        {HEAD "policy = { adapt = 1; };",
         {"t.cfg:2: policy: adapt: expected true or false, found a number"}},
        {HEAD "policy = { no_match = 1; };",
         {"t.cfg:2: policy: no_match: expected \"native\" or \"model\", found a number"}},
        {HEAD "policy = { margin = 0.5; };",
         {"t.cfg:2: policy: margin: must be 1 at least, and at most 1e12"}},
        {HEAD "policy = { margin = \"3\"; };",
         {"t.cfg:2: policy: margin: expected a number such as 3 or 2.5, found a string"}},
        {HEAD "policy = { objective = { time = -1; }; };",
         {"t.cfg:2: policy.objective: time: must be 0 at least, and at most 1e12"}},
        {HEAD "policy = { objective = { tiem = 1; }; };",
         {"t.cfg:2: policy.objective: unknown key \"tiem\" (did you mean \"time\"?)"}},
        {HEAD "policy = { objective = { time = 0; }; };",
         {"t.cfg:2: policy: objective: all weights are 0: give one of them a number above"}},
        {HEAD "policy = { objective = { tiem = 1; time = 1; }; };",
         {"t.cfg:2: policy.objective: unknown key \"tiem\" (did you mean \"time\"?)"}},
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
        {IN_RULE(NATIVE "ranks = \"1K-\";"),
         {RULE "ranks: \"1K-\" is not " RANGE " (did you mean \"1024-\"?)"}},
        {IN_RULE(NATIVE "block = \"1K..8K\";"),
         {RULE "block: \"1K..8K\" is not " SIZES " (did you mean \"1K-8K\"?)"}},
        {IN_RULE(NATIVE "memory = \"1.5K\";"),
         {RULE "memory: \"1.5K\" is not a size such as 4096 or \"4K\" (did you mean \"1536\"?)"}},
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
    assert_string_equal(diagnostics.text[50],
                        "t.cfg: too many problems, the others are not listed");
    shunt_diagnostics_clear(&diagnostics);
}

/* The problems that are found behind the parser are limited, too: 60 rules with one each. */
static void no_file_has_more_than_fifty_problems(void **state)
{
    (void)state;
    char text[8192] = "schema = 1;\nalltoall = (\n";
    struct shunt_diagnostics diagnostics = {0};
    for (int i = 0; i < 60; i++)
        sprintf(text + strlen(text), "%s{ algorithm = \"native\"; odd = 1; }", i > 0 ? ",\n" : "");
    strcat(text, ");\n");
    assert_null(shunt_parse_text(text, "t.cfg", &diagnostics));
    assert_int_equal(diagnostics.count, 51);
    assert_string_equal(diagnostics.text[50],
                        "t.cfg: too many problems, the others are not listed");
    assert_null(shunt_parse_text("odd = 1;", "u.cfg", &diagnostics)); /* each file has its own */
    assert_int_equal(diagnostics.count, 53);
    shunt_diagnostics_clear(&diagnostics);
}

enum { NUMBERS = 400000 };
static char long_text[8 * NUMBERS];

/* Processor time of reading so many numbers, and half as many names. */
static clock_t time_to_read(int numbers, struct shunt_diagnostics *diagnostics)
{
    char *at = long_text + sprintf(long_text, "schema=1;hosts=[");
    for (int i = 0; i < numbers; i++)
        at += sprintf(at, "%d,", i % 10);
    strcpy(at, "1];");
    const clock_t start = clock();
    assert_null(shunt_parse_text(long_text, "numbers.cfg", diagnostics));
    at = long_text + sprintf(long_text, "schema=1;");
    for (int i = 0; i < numbers / 2; i++)
        at += sprintf(at, "k%d=1;", i);
    assert_null(shunt_parse_text(long_text, "names.cfg", diagnostics));
    return clock() - start;
}

/* Four times as much takes about four times as long; quadratic it takes sixteen times. Under the
 * sanitizer and valgrind each longer list is a copy, so that times say nothing of the reader. */
static void a_long_file_is_read_in_time(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    const int numbers = getenv("SHUNT_TEST_THIN") ? NUMBERS / 20 : NUMBERS;
    const clock_t some = time_to_read(numbers / 4, &diagnostics),
                  all = time_to_read(numbers, &diagnostics);
    if (numbers == NUMBERS)
        assert_true(all < 9 * some);
    else
        print_message("times are not compared: SHUNT_TEST_THIN is set\n");
    assert_string_equal(diagnostics.text[diagnostics.count - 1],
                        "names.cfg:1: more than 256 names in one group: not a decision file");
    shunt_diagnostics_clear(&diagnostics);
}

static void a_file_with_everything_is_read(void **state)
{
    (void)state;
    static const char text[] =
        "# comment\r\n"
        "schema = 1; // another\n"
        "/* and\n another */ machine = { name = \"here\"; hosts = [ \"a*\", \"b\" ]; };\n"
        "policy = { warmup = 0; max_communicators = 7; memory = \"1G\"; guard = false; adapt = "
        "false; no_match = "
        "\"model\"; "
        "margin = 4; objective = \"energy\"; };\n"
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
    assert_int_equal(table->policy.no_match, SHUNT_NO_MATCH_MODEL);
    assert_int_equal(table->policy.guard, 0);
    assert_int_equal(table->policy.adapt, 0);
    assert_true(table->policy.margin == 4);
    assert_true(table->policy.objective[SHUNT_OBJECTIVE_TIME] == 0);
    assert_true(table->policy.objective[SHUNT_OBJECTIVE_ENERGY] == 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_of_syntax_are_named),
        cmocka_unit_test(mistakes_of_the_top_level_are_named),
        cmocka_unit_test(mistakes_in_rules_are_named),
        cmocka_unit_test(radix_lists_are_read),
        cmocka_unit_test(all_mistakes_are_named_in_one_go),
        cmocka_unit_test(a_file_of_another_kind_is_left_early),
        cmocka_unit_test(no_file_has_more_than_fifty_problems),
        cmocka_unit_test(a_long_file_is_read_in_time),
        cmocka_unit_test(a_file_with_everything_is_read),
        cmocka_unit_test(the_built_in_table_is_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
