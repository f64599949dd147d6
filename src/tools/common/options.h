/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h: the options of a command, each described once, in one line of a list. From that list
 * come how they are read (by getopt_long), what is said of mistakes, --help, completion ("shunt
 * help
 * --options") and the options in the manual (scripts/manual).
 */
#ifndef SHUNT_TOOLS_OPTIONS_H
#define SHUNT_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct shunt_option_value;

/* Reads a value into its field. False with the problem described (shunt_option_refuse). */
typedef bool shunt_option_reader(struct shunt_option_value *value);

struct shunt_option {
    const char *name;     /* the long one, without "--" */
    const char *argument; /* what the help calls the value: "FILE"; NULL: a flag */
    const char *about;    /* a sentence without a full stop */
    shunt_option_reader *read;
    size_t offset;       /* of its field in the options of the command */
    int64_t least, most; /* of a number */
    const char *words;   /* "time,energy": all that the value may be; NULL: something else */
    char letter;         /* the short one, or '\0' */
    bool required;
};

struct shunt_option_value {
    const struct shunt_option *option;
    char *text;    /* as it was given, the reader's to change; NULL for a flag */
    void *field;   /* of the option */
    void *options; /* all that the command has */
    char *problem; /* of `capacity` bytes */
    size_t capacity;
};

/* Describes what is wrong: `--block: "8x" is not a size`, for "is not a size". Returns false.
 * `word` is the part of the value that is wrong; NULL: all of it. */
bool shunt_option_refuse(struct shunt_option_value *value, const char *word, const char *format,
                         ...) __attribute__((format(printf, 3, 4)));

/* The readers that several commands need, by the type of their field. */
bool shunt_read_flag(struct shunt_option_value *value);   /* bool */
bool shunt_read_text(struct shunt_option_value *value);   /* const char *: any text */
bool shunt_read_file(struct shunt_option_value *value);   /* const char *: not empty */
bool shunt_read_number(struct shunt_option_value *value); /* int: digits, least to most */
bool shunt_read_long(struct shunt_option_value *value);   /* int64_t: likewise */
bool shunt_read_size(struct shunt_option_value *value);   /* int64_t: bytes, with K, M or G */
bool shunt_read_word(struct shunt_option_value *value);   /* int: the place among the words */
bool shunt_read_truth(struct shunt_option_value *value);  /* bool: true or false */

/* Lines of a list. `type` is the type of the command's options, `field` a member of it. */
#define SHUNT_OPTION(name_, argument_, type, field, read_, about_)                                 \
    .name = (name_), .argument = (argument_), .about = (about_), .read = (read_),                  \
    .offset = offsetof(type, field)
#define SHUNT_FLAG(letter_, name, type, field, about)                                              \
    {                                                                                              \
        SHUNT_OPTION(name, NULL, type, field, shunt_read_flag, about), .letter = (letter_)         \
    }
#define SHUNT_VALUE(name, argument, type, field, read, about)                                      \
    {                                                                                              \
        SHUNT_OPTION(name, argument, type, field, read, about)                                     \
    }
#define SHUNT_REQUIRED(name, argument, type, field, read, about)                                   \
    {                                                                                              \
        SHUNT_OPTION(name, argument, type, field, read, about), .required = true                   \
    }
#define SHUNT_TEXT(name, argument, type, field, about)                                             \
    SHUNT_VALUE(name, argument, type, field, shunt_read_text, about)
#define SHUNT_TEXT_OF(name, argument, type, field, words_, about)                                  \
    {                                                                                              \
        SHUNT_OPTION(name, argument, type, field, shunt_read_text, about), .words = (words_)       \
    }
#define SHUNT_FILE(name, argument, type, field, about)                                             \
    SHUNT_VALUE(name, argument, type, field, shunt_read_file, about)
#define SHUNT_OUTPUT(type, field, about)                                                           \
    {                                                                                              \
        SHUNT_OPTION("output", "FILE", type, field, shunt_read_file, about), .letter = 'o'         \
    }
#define SHUNT_NUMBER(name, argument, type, field, least_, most_, about)                            \
    {                                                                                              \
        SHUNT_OPTION(name, argument, type, field, shunt_read_number, about), .least = (least_),    \
                                                                             .most = (most_)       \
    }
#define SHUNT_LONG(name, argument, type, field, least_, most_, about)                              \
    {                                                                                              \
        SHUNT_OPTION(name, argument, type, field, shunt_read_long, about), .least = (least_),      \
                                                                           .most = (most_)         \
    }
#define SHUNT_SIZE(name, argument, type, field, about)                                             \
    SHUNT_VALUE(name, argument, type, field, shunt_read_size, about)
#define SHUNT_WORD(name, argument, type, field, words_, about)                                     \
    {                                                                                              \
        SHUNT_OPTION(name, argument, type, field, shunt_read_word, about), .words = (words_)       \
    }
#define SHUNT_TRUTH(name, type, field, about)                                                      \
    {                                                                                              \
        SHUNT_OPTION(name, "true", type, field, shunt_read_truth, about), .words = "true,false"    \
    }
#define SHUNT_JSON(type, field, about) SHUNT_FLAG('j', "json", type, field, about)
#define SHUNT_WIDE(type, field, about) SHUNT_FLAG('w', "wide", type, field, about)

struct shunt_words;

/* A command as its user sees it, and what it does. */
struct shunt_subcommand {
    const char *name;
    const char *summary; /* one line, no full stop */
    const char *usage;   /* what follows its name; several ways to use it in several lines */
    const char *about;   /* paragraphs, folded when they are printed */
    const char *status;  /* its exit status, or NULL */
    const struct shunt_option *options;
    int option_count;     /* less than 64 */
    size_t size;          /* bytes of what the options fill */
    const void *defaults; /* so many bytes; NULL: zeros */
    bool ordered;         /* the first word that is no option ends them */
    int words_most;       /* words besides the options; -1: any number */
    const char *missing;  /* said where there is no such word; NULL: there need not be one */
    const char *program;  /* that it becomes, with the same words; NULL: `run` does it */
    /* Returns the exit code. The options are its own to change. */
    int (*run)(void *options, const struct shunt_words *words);
    void (*clear)(void *options); /* releases what readers allocated; or NULL */
};
#define SHUNT_OPTIONS(list) .options = (list), .option_count = (int)(sizeof(list) / sizeof *(list))

/* What else a command line has. */
struct shunt_words {
    const struct shunt_subcommand *command;
    char **word; /* array of count: those that are no options */
    int count;
    uint64_t given; /* a bit for each option, in the order of the list */
    bool help;
};

/* Reads a command line; argv[0] is the subcommand. False with one line in `problem`. */
bool shunt_options_read(struct shunt_words *words, const struct shunt_subcommand *command,
                        void *options, int argc, char **argv, char *problem, size_t capacity);
/* Whether an option was given. */
bool shunt_given(const struct shunt_words *words, const char *name);
/* The name of the first of those ("csv,json") that were given, and of the second; false: there are
 * not two. */
bool shunt_given_both(const struct shunt_words *words, const char *names, const char *pair[2]);

/* The help of a command; its options for completion and manual: a line each of name, letter,
 * argument, words and sentence, between tabs. */
void shunt_help_print(const struct shunt_subcommand *command, FILE *stream);
void shunt_options_list(const struct shunt_subcommand *command, FILE *stream);

#endif
