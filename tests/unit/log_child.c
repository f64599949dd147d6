/* SPDX-License-Identifier: BSD-3-Clause */
/* log_child.c: a process that logs, for tests that look at its files. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "json.h"
#include "log_child.h"

static char directory[] = "/tmp/shunt-log-XXXXXX";
char log_path[64], error_path[64];

int make_directory(void **unused)
{
    (void)unused;
    if (!mkdtemp(directory))
        return -1;
    snprintf(log_path, sizeof(log_path), "%s/log", directory);
    snprintf(error_path, sizeof(error_path), "%s/error", directory);
    return 0;
}

int remove_directory(void **unused)
{
    (void)unused;
    unlink(log_path);
    unlink(error_path);
    return rmdir(directory);
}

int remove_files(void **unused)
{
    (void)unused;
    unlink(log_path);
    unlink(error_path);
    return 0;
}

pid_t start(void (*body)(void))
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    const int fd = open(error_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
        _exit(99);
    close(fd);
    body();
    _exit(0);
}

int status_of(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

void in_child(void (*body)(void))
{
    assert_int_equal(status_of(start(body)), 0);
}

/* The whole file in static memory; "" when there is none. */
const char *contents(const char *path)
{
    static char text[2][1 << 22];
    static int turn;
    char *at = text[turn ^= 1];
    FILE *file = fopen(path, "r");
    size_t count = 0;
    if (file) {
        count = fread(at, 1, sizeof(text[0]) - 1, file);
        fclose(file);
    }
    at[count] = '\0';
    return at;
}

int occurrences(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        count++;
    return count;
}

int json_lines(const char *path)
{
    const char *text = contents(path);
    int lines = 0;
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1, lines++)
        assert_true(json_valid(text, (size_t)(end - text)));
    assert_string_equal(text, "");
    return lines;
}

struct shunt_log_options options(void)
{
    return (struct shunt_log_options){
        .level = 2, .file = log_path, .calls_here = true, .size = 1 << 26, .world_size = 4};
}

void open_log(void)
{
    const struct shunt_log_options plain = options();
    shunt_log_open(&plain);
}

void open_json(void)
{
    struct shunt_log_options json = options();
    json.json = true;
    shunt_log_open(&json);
}

void call(uint64_t number)
{
    const struct shunt_record record = {.call = number,
                                        .operation = "alltoall",
                                        .communicator = "world",
                                        .max = 8,
                                        .mean = 8,
                                        .bytes = 32,
                                        .algorithm = "bruck",
                                        .params = "radix=2",
                                        .rule_file = "a.cfg",
                                        .rule_line = 1,
                                        .rule_id = "one",
                                        .seconds = 1e-6};
    shunt_log_call(&record);
}

void calls(uint64_t count)
{
    for (uint64_t i = 1; i <= count; i++)
        call(i);
}

void write_ten(void)
{
    open_log();
    calls(10);
    shunt_log_close();
    calls(1);
    shunt_log_close();
}
