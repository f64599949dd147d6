/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of commands: how the lines of a list are read, what is said of mistakes, what the help
 * and the list for completion print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/common/options.h"

struct sample {
    const char *text, *file;
    int number, word;
    int64_t large, size;
    bool json, truth;
};

static const struct shunt_option list[] = {
    SHUNT_REQUIRED("text", "TEXT", struct sample, text, shunt_read_text, "any text"),
    SHUNT_FILE("file", "FILE", struct sample, file, "a file"),
    SHUNT_OUTPUT(struct sample, file, "the same, by another name"),
    SHUNT_NUMBER("number", "N", struct sample, number, 2, 7, "from 2 to 7"),
    SHUNT_LONG("large", "N", struct sample, large, 0, INT64_MAX, "any number"),
    SHUNT_SIZE("size", "SIZE", struct sample, size, "bytes"),
    SHUNT_WORD("word", "WORD", struct sample, word, "time,energy,memory",
               "what is told in a sentence that is so long that it does not fit into a line of a "
               "hundred columns and has to be folded"),
    SHUNT_TRUTH("truth", struct sample, truth, "true or false"),
    SHUNT_VALUE("a-name-longer-than-the-column", "TEXT", struct sample, text, shunt_read_text,
                "below"),
    SHUNT_JSON(struct sample, json, "for programs"),
};
static const struct sample defaults = {.number = 5};
static const struct shunt_subcommand sample = {.name = "sample",
                                               .usage = "shunt sample WORD\nshunt sample --json",
                                               .about = "Does nothing.",
                                               .status = "0 good",
                                               SHUNT_OPTIONS(list),
                                               .size = sizeof defaults,
                                               .defaults = &defaults,
                                               .words_most = 1};

static char problem[256];

/* Reads "a b c". */
static bool reads(const struct shunt_subcommand *command, struct sample *options,
                  struct shunt_words *words, const char *line)
{
    static char copy[256], name[] = "sample";
    static char *argv[16];
    int argc = 1;
    argv[0] = name;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *rest = copy, *word = strsep(&rest, " "); word; word = strsep(&rest, " "))
        argv[argc++] = word;
    *options = defaults;
    problem[0] = '\0';
    return shunt_options_read(words, command, options, argc, argv, problem, sizeof problem);
}

static void test_values(void **state)
{
    struct sample options;
    struct shunt_words words;
    (void)state;
    assert_true(reads(&sample, &options, &words,
                      "--text=x --size=4K one --word=memory -j --truth=true -o out --large=9"));
    assert_string_equal(options.text, "x");
    assert_string_equal(options.file, "out");
    assert_int_equal(options.number, 5);
    assert_int_equal(options.large, 9);
    assert_int_equal(options.size, 4096);
    assert_int_equal(options.word, 2);
    assert_true(options.json);
    assert_true(options.truth);
    assert_int_equal(words.count, 1);
    assert_string_equal(words.word[0], "one");
    assert_true(shunt_given(&words, "size"));
    assert_false(shunt_given(&words, "number"));
    assert_true(reads(&sample, &options, &words, "--num 7 --tex y"));
    assert_int_equal(options.number, 7);
    assert_int_equal(words.count, 0);
}

static void test_mistakes(void **state)
{
    static const char *const mistakes[][2] = {
        {"--json", "--text is missing"},
        {"--text=x one two", "\"two\" is one word too many"},
        {"--text=x --nubmer=3", "--nubmer is not an option (did you mean \"--number\"?)"},
        {"--text=x --elephant", "--elephant is not an option"},
        {"--text=x --t=y", "--t may be --text or --truth"},
        {"--text=x -e", "-e is not an option"},
        {"--text=x --number", "--number lacks its value: --number=N"},
        {"--text=x -o", "--output lacks its value: --output=FILE"},
        {"--text=x --json=yes", "--json takes no value"},
        {"--text=x --number=8", "--number: \"8\" is not a number from 2 to 7"},
        {"--text=x --number=1", "--number: \"1\" is not a number from 2 to 7"},
        {"--text=x --number=4x", "--number: \"4x\" is not a number from 2 to 7"},
        {"--text=x --number=", "--number: \"\" is not a number from 2 to 7"},
        {"--text=x --number=-3", "--number: \"-3\" is not a number from 2 to 7"},
        {"--text=x --large=9223372036854775808",
         "--large: \"9223372036854775808\" is not a number from 0 to 9223372036854775807"},
        {"--text=x --size=1.5K",
         "--size: \"1.5K\" is not a size such as 512 or 4K (did you mean \"1536\"?)"},
        {"--text=x --word=speed", "--word: \"speed\" is not time, energy or memory"},
        {"--text=x --word=tim", "--word: \"tim\" is not time, energy or memory"},
        {"--text=x --truth=yes", "--truth: \"yes\" is not true or false"},
        {"--text=x --file=", "--file: \"\" is not the name of a file"},
    };
    struct sample options;
    struct shunt_words words;
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_false(reads(&sample, &options, &words, mistakes[i][0]));
        assert_string_equal(problem, mistakes[i][1]);
    }
}

/* What has to be there, what belongs to another program, and help, before all else is looked at. */
static void test_words(void **state)
{
    struct shunt_subcommand other = sample;
    struct sample options;
    struct shunt_words words;
    const char *pair[2];
    (void)state;
    other.missing = "no FILE is named";
    assert_false(reads(&other, &options, &words, "--text=x"));
    assert_string_equal(problem, "no FILE is named");
    other.ordered = true;
    other.words_most = -1;
    assert_true(reads(&other, &options, &words, "--text=x program --elephant --json"));
    assert_int_equal(words.count, 3);
    assert_false(options.json);
    assert_true(reads(&other, &options, &words, "--json --help --elephant"));
    assert_true(words.help);
    assert_true(reads(&sample, &options, &words, "-h"));
    assert_true(words.help);
    assert_true(reads(&sample, &options, &words, "--text=x --size=1 --json"));
    assert_true(shunt_given_both(&words, "file,json,size", pair));
    assert_string_equal(pair[0], "size");
    assert_string_equal(pair[1], "json");
    assert_false(shunt_given_both(&words, "file,json", pair));
}

/* What a function prints, to be freed. */
static char *printed(void (*print)(const struct shunt_subcommand *, FILE *))
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    print(&sample, stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void test_help(void **state)
{
    char *help = printed(shunt_help_print), *options = printed(shunt_options_list);
    (void)state;
    assert_non_null(strstr(help, "usage: shunt sample WORD\n       shunt sample --json\n\nDoes "
                                 "nothing.\n\n  --text=TEXT        any text\n"));
    assert_non_null(strstr(help, "  -o, --output=FILE  the same, by another name\n"));
    assert_non_null(strstr(help, "  --word=WORD        what is told in a sentence that is so long "
                                 "that it does not fit into a line of\n"
                                 "                     a hundred columns and has to be folded\n"));
    assert_non_null(strstr(help, "  --a-name-longer-than-the-column=TEXT\n"
                                 "                     below\n"));
    assert_non_null(strstr(help, "\n\nexit status: 0 good\n"));
    assert_non_null(strstr(options, "word\t\tWORD\ttime,energy,memory\twhat is told"));
    assert_non_null(strstr(options, "\njson\tj\t\t\tfor programs\n"));
    free(help);
    free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
