/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c: see options.h. */
#include "tools/common/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "route/settings.h"
#include "route/words.h"
#include "tools/common/fold.h"

/* Options of a command at most: a bit each. */
enum { OPTIONS_MOST = 64, LONG = 256, HELP = LONG + OPTIONS_MOST };

bool shunt_option_refuse(struct shunt_option_value *value, const char *word, const char *format,
                         ...)
{
    va_list arguments;
    int used = snprintf(value->problem, value->capacity, "--%s: \"%s\" ", value->option->name,
                        word ? word : value->text);
    va_start(arguments, format);
    if (used >= 0 && (size_t)used < value->capacity)
        vsnprintf(value->problem + used, value->capacity - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

bool shunt_read_flag(struct shunt_option_value *value)
{
    *(bool *)value->field = true;
    return true;
}

bool shunt_read_text(struct shunt_option_value *value)
{
    *(const char **)value->field = value->text;
    return true;
}

bool shunt_read_file(struct shunt_option_value *value)
{
    *(const char **)value->field = value->text;
    return value->text[0] != '\0' || shunt_option_refuse(value, NULL, "is not the name of a file");
}

bool shunt_read_long(struct shunt_option_value *value)
{
    const struct shunt_option *option = value->option;
    int64_t number = 0;
    const char *rest = shunt_number_read(value->text, &number);
    if (!rest || *rest != '\0' || number < option->least || number > option->most)
        return shunt_option_refuse(value, NULL, "is not a number from %" PRId64 " to %" PRId64,
                                   option->least, option->most);
    *(int64_t *)value->field = number;
    return true;
}

bool shunt_read_number(struct shunt_option_value *value)
{
    int64_t number;
    struct shunt_option_value wide = *value;
    wide.field = &number;
    if (!shunt_read_long(&wide))
        return false;
    *(int *)value->field = (int)number;
    return true;
}

bool shunt_read_size(struct shunt_option_value *value)
{
    char hint[96];
    if (shunt_size_parse(value->text, value->field))
        return true;
    shunt_size_hint(value->text, hint, sizeof hint);
    return shunt_option_refuse(value, NULL, "is not a size such as 512 or 4K%s", hint);
}

/* The place of a word in "time,energy,memory"; -1: it is none of them. */
static int place_of(const char *words, const char *text)
{
    const size_t length = strlen(text);
    for (int place = 0;; place++) {
        const size_t end = strcspn(words, ",");
        if (end == length && strncmp(words, text, end) == 0)
            return place;
        if (words[end] == '\0')
            return -1;
        words += end + 1;
    }
}

/* "time, energy or memory" */
static void join_words(const char *words, char *text, size_t capacity)
{
    size_t used = 0;
    for (const char *next = words; next && used < capacity; words = next) {
        const size_t end = strcspn(words, ",");
        next = words[end] == ',' ? words + end + 1 : NULL;
        used += (size_t)snprintf(text + used, capacity - used, "%.*s%s", (int)end, words,
                                 !next               ? ""
                                 : strchr(next, ',') ? ", "
                                                     : " or ");
    }
}

bool shunt_read_word(struct shunt_option_value *value)
{
    char words[256];
    const int place = place_of(value->option->words, value->text);
    if (place >= 0) {
        *(int *)value->field = place;
        return true;
    }
    join_words(value->option->words, words, sizeof words);
    return shunt_option_refuse(value, NULL, "is not %s", words);
}

bool shunt_read_truth(struct shunt_option_value *value)
{
    int place;
    struct shunt_option_value word = *value;
    word.field = &place;
    if (!shunt_read_word(&word))
        return false;
    *(bool *)value->field = place == 0;
    return true;
}

/* What getopt_long wants, made of the list: `known` has room for all and two more, `letters` for as
 * many letters with a colon each. */
static void translate(const struct shunt_subcommand *command, struct option *known, char *letters)
{
    int i = 0;
    letters += sprintf(letters, "%s:h", command->ordered ? "+" : "");
    for (; i < command->option_count; i++) {
        const struct shunt_option *option = &command->options[i];
        known[i] = (struct option){.name = option->name,
                                   .has_arg = option->argument ? required_argument : no_argument,
                                   .val = LONG + i};
        if (option->letter)
            letters += sprintf(letters, "%c%s", option->letter, option->argument ? ":" : "");
    }
    known[i] = (struct option){.name = "help", .val = HELP};
    known[i + 1] = (struct option){.name = NULL};
}

/* The option that getopt_long tells of by its number or letter; NULL: none. */
static const struct shunt_option *option_of(const struct shunt_subcommand *command, int told)
{
    for (int i = 0; i < command->option_count; i++)
        if (told == LONG + i || told == command->options[i].letter)
            return &command->options[i];
    return NULL;
}

/* Whether several options begin with the word. */
static bool refuse_short(const char *const *names, int count, const char *word, char *problem,
                         size_t capacity)
{
    const size_t length = strcspn(word, "=");
    const char *first = length > 2 && strncmp("--help", word, length) == 0 ? "help" : NULL;
    for (int i = 0; length > 2 && i < count; i++) {
        if (strncmp(word, "--", 2) != 0 || strncmp(names[i], word + 2, length - 2) != 0)
            continue;
        if (first) {
            snprintf(problem, capacity, "%.*s may be --%s or --%s", (int)length, word, first,
                     names[i]);
            return true;
        }
        first = names[i];
    }
    return false;
}

/* Of a word that getopt_long does not take. */
static bool refuse_word(const struct shunt_subcommand *command, bool lacking, const char *word,
                        char *problem, size_t capacity)
{
    const struct shunt_option *option = option_of(command, optopt);
    const char *names[OPTIONS_MOST];
    char hint[128] = "", typed[128];
    if (option && lacking) {
        snprintf(problem, capacity, "--%s lacks its value: --%s=%s", option->name, option->name,
                 option->argument);
        return false;
    }
    if (option && optopt >= LONG) {
        snprintf(problem, capacity, "--%s takes no value", option->name);
        return false;
    }
    for (int i = 0; i < command->option_count; i++)
        names[i] = command->options[i].name;
    if (refuse_short(names, command->option_count, word, problem, capacity))
        return false;
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word, "="), word);
    const char *near = strncmp(typed, "--", 2) == 0
                           ? shunt_nearest(typed + 2, names, (size_t)command->option_count)
                           : NULL;
    if (near)
        snprintf(hint, sizeof hint, " (did you mean \"--%s\"?)", near);
    snprintf(problem, capacity, "%s is not an option%s", typed, hint);
    return false;
}

static bool take(struct shunt_words *words, const struct shunt_option *option, void *options,
                 char *problem, size_t capacity)
{
    struct shunt_option_value value = {.option = option,
                                       .text = option->argument ? optarg : NULL,
                                       .field = (char *)options + option->offset,
                                       .options = options,
                                       .problem = problem,
                                       .capacity = capacity};
    words->given |= UINT64_C(1) << (option - words->command->options);
    return option->read(&value);
}

/* Options and words that have to be there, and words that are too many. */
static bool check_words(const struct shunt_words *words, char *problem, size_t capacity)
{
    const struct shunt_subcommand *command = words->command;
    for (int i = 0; i < command->option_count; i++) {
        if (!command->options[i].required || (words->given & UINT64_C(1) << i) != 0)
            continue;
        snprintf(problem, capacity, "--%s is missing", command->options[i].name);
        return false;
    }
    if (words->count == 0 && command->missing)
        snprintf(problem, capacity, "%s", command->missing);
    else if (command->words_most >= 0 && words->count > command->words_most)
        snprintf(problem, capacity, "\"%s\" is one word too many",
                 words->word[command->words_most]);
    else
        return true;
    return false;
}

bool shunt_options_read(struct shunt_words *words, const struct shunt_subcommand *command,
                        void *options, int argc, char **argv, char *problem, size_t capacity)
{
    struct option known[OPTIONS_MOST + 2];
    char letters[4 + 2 * OPTIONS_MOST];
    int told;
    *words = (struct shunt_words){.command = command};
    translate(command, known, letters);
    opterr = 0;
    optind = 0; /* begins anew, also after another command line */
    while ((told = getopt_long(argc, argv, letters, known, NULL)) != -1) {
        const struct shunt_option *option = option_of(command, told);
        words->help = told == 'h' || told == HELP;
        if (words->help)
            return true;
        if (!option)
            return refuse_word(command, told == ':', argv[optind - 1], problem, capacity);
        if (!take(words, option, options, problem, capacity))
            return false;
    }
    words->word = argv + optind;
    words->count = argc - optind;
    return check_words(words, problem, capacity);
}

bool shunt_given(const struct shunt_words *words, const char *name)
{
    for (int i = 0; i < words->command->option_count; i++)
        if (strcmp(words->command->options[i].name, name) == 0)
            return (words->given & UINT64_C(1) << i) != 0;
    return false;
}

bool shunt_given_both(const struct shunt_words *words, const char *names, const char *pair[2])
{
    int found = 0;
    for (int i = 0; i < words->command->option_count && found < 2; i++)
        if ((words->given & UINT64_C(1) << i) != 0 &&
            place_of(names, words->command->options[i].name) >= 0)
            pair[found++] = words->command->options[i].name;
    return found == 2;
}

/* Columns of "-j, --json" in front of the sentences; what is longer has a line of its own. */
enum { INDENT = 2, GAP = 2, LABEL_MOST = 22, LABEL_ROOM = 128 };

/* Of what snprintf had room for. */
static size_t put_length(int length, size_t capacity)
{
    return (size_t)length < capacity ? (size_t)length : capacity - 1;
}

static int label_of(const struct shunt_option *option, char *text)
{
    char letter[8] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    return snprintf(text, LABEL_ROOM, "%s--%s%s%s", letter, option->name,
                    option->argument ? "=" : "", option->argument ? option->argument : "");
}

static void print_option(const struct shunt_option *option, int width, FILE *stream)
{
    char label[LABEL_ROOM], line[1024];
    const bool fits = label_of(option, label) <= width;
    if (!fits)
        fprintf(stream, "%*s%s\n", INDENT, "", label);
    const int length = snprintf(line, sizeof line, "%*s%-*s%*s%s\n", INDENT, "", width,
                                fits ? label : "", GAP, "", option->about);
    shunt_fold_put(stream, line, put_length(length, sizeof line), INDENT + width + GAP);
}

static void print_options(const struct shunt_subcommand *command, FILE *stream)
{
    char label[LABEL_ROOM];
    int width = 0;
    for (int i = 0; i < command->option_count; i++) {
        const int length = label_of(&command->options[i], label);
        width = length > width && length <= LABEL_MOST ? length : width;
    }
    for (int i = 0; i < command->option_count; i++)
        print_option(&command->options[i], width, stream);
}

/* "usage: " before the first line, and as many blanks before the others. */
static void print_usage(const struct shunt_subcommand *command, FILE *stream)
{
    const char *before = "usage: ";
    for (const char *line = command->usage, *next = line; next; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line[length] == '\n' ? line + length + 1 : NULL;
        fprintf(stream, "%s%.*s\n", before, (int)length, line);
        before = "       ";
    }
}

/* Folded like all text: the lines of a paragraph are no longer than others. */
static void print_text(const char *before, const char *text, FILE *stream)
{
    char line[2048];
    const int length = snprintf(line, sizeof line, "%s%s\n", before, text);
    fputc('\n', stream);
    shunt_fold_put(stream, line, put_length(length, sizeof line), 0);
}

void shunt_help_print(const struct shunt_subcommand *command, FILE *stream)
{
    print_usage(command, stream);
    print_text("", command->about, stream);
    fputc('\n', stream);
    print_options(command, stream);
    if (command->status)
        print_text("exit status: ", command->status, stream);
}

void shunt_options_list(const struct shunt_subcommand *command, FILE *stream)
{
    for (int i = 0; i < command->option_count; i++) {
        const struct shunt_option *option = &command->options[i];
        fprintf(stream, "%s\t%.1s\t%s\t%s\t%s\n", option->name, &option->letter,
                option->argument ? option->argument : "", option->words ? option->words : "",
                option->about);
    }
}
