/* SPDX-License-Identifier: BSD-3-Clause */
/* event.c: the lines of the log that are about no call. */
#include "log/event.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "config.h"
#include "log/json.h"

/* The words of the command line with spaces between; "" where the system does not tell. */
static void find_command(char *command, size_t capacity)
{
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t count = fd >= 0 ? read(fd, command, capacity - 1) : 0;
    size_t length = count > 0 ? (size_t)count : 0;
    if (fd >= 0)
        close(fd);
    while (length > 0 && command[length - 1] == '\0')
        length--;
    for (size_t i = 0; i < length; i++)
        if (command[i] == '\0')
            command[i] = ' ';
    command[length] = '\0';
}

void shunt_log_header_fill(struct shunt_log_header *header, int rank, int ranks,
                           const char *library)
{
    *header = (struct shunt_log_header){.rank = rank,
                                        .ranks = ranks,
                                        .process = getpid(),
                                        .date = time(NULL),
                                        .launcher = shunt_environment_launcher()};
    const char *job = shunt_environment_job(); /* which the program may change */
    if (job)
        strncat(header->job, job, sizeof header->job - 1);
    if (library)
        strncat(header->library, library, sizeof header->library - 1);
    if (gethostname(header->host, sizeof header->host - 1) != 0)
        header->host[0] = '\0';
    header->host[sizeof header->host - 1] = '\0';
    find_command(header->command, sizeof header->command);
}

/* "2026-11-22T08:00:00Z" */
static const char *print_date(time_t date, char *printed, size_t capacity)
{
    struct tm parts;
    if (!gmtime_r(&date, &parts) || strftime(printed, capacity, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        printed[0] = '\0';
    return printed;
}

static const char *or_null(const char *string)
{
    return string && string[0] != '\0' ? string : NULL;
}

/* BEFORE and the string, if there is one. */
static void put_fact(struct shunt_log_text *text, const char *before, const char *string)
{
    if (!or_null(string))
        return;
    shunt_log_text_string(text, before);
    shunt_log_text_plain(text, string);
}

static void put_number(struct shunt_log_text *text, const char *before, int64_t number)
{
    shunt_log_text_string(text, before);
    shunt_log_text_unsigned(text, (uint64_t)number);
}

/* ", table /etc/shunt/alpha.cfg (alpha, 0123456789abcdef)" */
static void put_table_human(struct shunt_log_text *text, const struct shunt_log_table *table)
{
    put_fact(text, ", table ", table->source);
    shunt_log_text_string(text, " (");
    if (or_null(table->machine)) {
        shunt_log_text_plain(text, table->machine);
        shunt_log_text_string(text, ", ");
    }
    shunt_log_text_hexadecimal(text, table->fingerprint);
    shunt_log_text_string(text, ")");
}

static void put_table_json(struct shunt_json *json, const struct shunt_log_table *table)
{
    shunt_json_put_string(json, SHUNT_KEY_TABLE, table->source);
    shunt_json_put_string(json, SHUNT_KEY_MACHINE, or_null(table->machine));
    shunt_json_put_hexadecimal(json, SHUNT_KEY_FINGERPRINT, table->fingerprint);
}

void shunt_log_header_human(struct shunt_log_text *text, const struct shunt_log_header *header)
{
    char date[32];
    put_number(text, "shunt: log schema ", SHUNT_LOG_SCHEMA);
    shunt_log_text_string(text, ", shunt " PACKAGE_VERSION);
    put_fact(text, ", ", header->library);
    if (header->rank >= 0)
        put_number(text, ", rank ", header->rank);
    if (header->rank >= 0 && header->ranks > 0)
        put_number(text, " of ", header->ranks);
    put_fact(text, ", host ", header->host);
    put_number(text, ", process ", header->process);
    put_fact(text, ", job ", header->job);
    put_fact(text, ", launcher ", header->launcher);
    if (header->table_known)
        put_table_human(text, &header->table);
    put_fact(text, ", ", print_date(header->date, date, sizeof date));
    put_fact(text, ", command: ", header->command);
    shunt_log_text_put(text, "\n", 1);
}

void shunt_log_header_json(struct shunt_log_text *text, const struct shunt_log_header *header)
{
    char date[32];
    struct shunt_json json = {.text = text};
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_EVENT, "header");
    shunt_json_put_unsigned(&json, SHUNT_KEY_SCHEMA, SHUNT_LOG_SCHEMA);
    shunt_json_put_string(&json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    shunt_json_put_string(&json, SHUNT_KEY_HOST, header->host);
    shunt_json_put_known(&json, SHUNT_KEY_PROCESS, header->process);
    shunt_json_put_string(&json, SHUNT_KEY_JOB, or_null(header->job));
    shunt_json_put_string(&json, SHUNT_KEY_LAUNCHER, header->launcher);
    shunt_json_put_string(&json, SHUNT_KEY_LIBRARY, or_null(header->library));
    shunt_json_put_known(&json, SHUNT_KEY_RANK, header->rank);
    shunt_json_put_known(&json, SHUNT_KEY_RANKS, header->ranks > 0 ? header->ranks : -1);
    if (header->table_known)
        put_table_json(&json, &header->table);
    shunt_json_put_string(&json, SHUNT_KEY_ORIGIN, "1970-01-01T00:00:00Z");
    shunt_json_put_string(&json, SHUNT_KEY_DATE, print_date(header->date, date, sizeof date));
    shunt_json_put_string(&json, SHUNT_KEY_COMMAND, header->command);
    shunt_json_close(&json);
    shunt_log_text_put(text, "\n", 1);
}

/* Ranks of the nodes, equal ones together: "56 56 56 8" is "3x56,8". */
static void put_layout_human(struct shunt_log_text *text, const int *first, int nodes)
{
    for (int node = 0; node < nodes;) {
        const int ranks = first[node + 1] - first[node];
        int alike = 1;
        while (node + alike < nodes && first[node + alike + 1] - first[node + alike] == ranks)
            alike++;
        shunt_log_text_string(text, node > 0 ? "," : "");
        if (alike > 1)
            put_number(text, "", alike);
        put_number(text, alike > 1 ? "x" : "", ranks);
        node += alike;
    }
}

void shunt_log_communicator_human(struct shunt_log_text *text,
                                  const struct shunt_log_communicator *communicator)
{
    shunt_log_text_string(text, "shunt: communicator ");
    shunt_log_text_hexadecimal(text, communicator->id);
    if (or_null(communicator->name)) {
        put_fact(text, " (", communicator->name);
        shunt_log_text_string(text, ")");
    }
    put_number(text, " P=", communicator->ranks);
    put_number(text, " N=", communicator->nodes);
    put_number(text, " Q=", communicator->ppn_max);
    shunt_log_text_string(text, ", layout ");
    put_layout_human(text, communicator->node_first, communicator->nodes);
    if (communicator->oversubscribed)
        shunt_log_text_string(text, ", oversubscribed");
    if (communicator->table)
        put_table_human(text, communicator->table);
    shunt_log_text_put(text, "\n", 1);
}

void shunt_log_communicator_json(struct shunt_log_text *text,
                                 const struct shunt_log_communicator *communicator, int rank,
                                 int64_t time)
{
    struct shunt_json json = {.text = text};
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_EVENT, "communicator");
    shunt_json_put_known(&json, SHUNT_KEY_RANK, rank);
    if (time >= 0)
        shunt_json_put_nanoseconds(&json, SHUNT_KEY_TIME, time);
    shunt_json_put_string(&json, SHUNT_KEY_COMMUNICATOR, communicator->name);
    shunt_json_put_hexadecimal(&json, SHUNT_KEY_COMMUNICATOR_ID, communicator->id);
    shunt_json_put_known(&json, SHUNT_KEY_RANKS, communicator->ranks);
    shunt_json_put_known(&json, SHUNT_KEY_NODES, communicator->nodes);
    shunt_json_put_known(&json, SHUNT_KEY_PPN_MIN, communicator->ppn_min);
    shunt_json_put_known(&json, SHUNT_KEY_PPN_MAX, communicator->ppn_max);
    shunt_json_put_flag(&json, SHUNT_KEY_OVERSUBSCRIBED, communicator->oversubscribed);
    shunt_json_put_array(&json, SHUNT_KEY_LAYOUT);
    for (int node = 0; node < communicator->nodes; node++)
        shunt_json_integer(&json,
                           communicator->node_first[node + 1] - communicator->node_first[node]);
    shunt_json_close(&json);
    if (communicator->table)
        put_table_json(&json, communicator->table);
    shunt_json_close(&json);
    shunt_log_text_put(text, "\n", 1);
}

void shunt_log_clock_human(struct shunt_log_text *text, int64_t offset, int64_t uncertainty)
{
    shunt_log_text_string(text, "shunt: clock: date and times are those of rank 0");
    if (offset != 0 || uncertainty != 0) {
        shunt_log_text_string(text, " with ");
        shunt_log_text_nanoseconds(text, offset, 9);
        shunt_log_text_string(text, " s added, right to within ");
        shunt_log_text_nanoseconds(text, uncertainty, 9);
        shunt_log_text_string(text, " s");
    }
    shunt_log_text_put(text, "\n", 1);
}

void shunt_log_clock_json(struct shunt_log_text *text, int rank, int64_t offset,
                          int64_t uncertainty)
{
    struct shunt_json json = {.text = text};
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_EVENT, "clock");
    shunt_json_put_known(&json, SHUNT_KEY_RANK, rank);
    shunt_json_put_nanoseconds(&json, SHUNT_KEY_OFFSET, offset);
    shunt_json_put_nanoseconds(&json, SHUNT_KEY_UNCERTAINTY, uncertainty);
    shunt_json_close(&json);
    shunt_log_text_put(text, "\n", 1);
}

void shunt_log_cap_human(struct shunt_log_text *text, int64_t size)
{
    shunt_log_text_string(text, "shunt: the log has reached its cap of ");
    shunt_log_text_bytes(text, (uint64_t)size);
    shunt_log_text_string(
        text, " (SHUNT_LOG_SIZE): further calls are not logged, only counted in the summary\n");
}

void shunt_log_cap_json(struct shunt_log_text *text, int rank, int64_t size)
{
    struct shunt_json json = {.text = text};
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_EVENT, "cap");
    shunt_json_put_known(&json, SHUNT_KEY_RANK, rank);
    shunt_json_put_known(&json, SHUNT_KEY_SIZE, size);
    shunt_json_close(&json);
    shunt_log_text_put(text, "\n", 1);
}
