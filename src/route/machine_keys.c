/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_keys.c: the keys of a machine description. */
#include "route/machine_keys.h"

#include <string.h>

#define AT(member) offsetof(struct shunt_machine, member)
#define TIME(name, member, power, required, of, meaning)                                           \
    {                                                                                              \
        name, SHUNT_MACHINE_REAL, power, AT(member), required, of, meaning, NULL                   \
    }
#define NUMBER(name, kind, member, meaning)                                                        \
    {                                                                                              \
        name, kind, 0, AT(member), false, NULL, meaning, NULL                                      \
    }
#define WORD(name, member, words, meaning)                                                         \
    {                                                                                              \
        name, SHUNT_MACHINE_WORD, 0, AT(member), false, NULL, meaning, words                       \
    }
#define LINK(group, level)                                                                         \
    TIME(group ".latency_us", link[level].latency, -6, true, NULL,                                 \
         "from one end to the other, processors apart"),                                           \
        TIME(group ".overhead_us", link[level].overhead, -6, true, NULL,                           \
             "of a processor per message, at each end"),                                           \
        TIME(group ".overhead_byte_ns", link[level].overhead_byte, -9, false, NULL,                \
             "and per byte of it"),                                                                \
        TIME(group ".gap_us", link[level].gap, -6, false, NULL,                                    \
             "between two messages that a rank sends"),                                            \
        TIME(group ".byte_ns", link[level].byte, -9, true, NULL, "per byte"),                      \
        NUMBER(group ".eager", SHUNT_MACHINE_SIZE, link[level].eager,                              \
               "longer messages wait for their receiver"),                                         \
        TIME(group ".message_pj", link[level].message_energy, -12, false, NULL,                    \
             "energy of a message"),                                                               \
        TIME(group ".byte_nj", link[level].byte_energy, -9, false, NULL, "energy of a byte"),      \
        TIME(group ".rendezvous_us", link[level].rendezvous, -6, false, NULL,                      \
             "of a processor per longer message, at each end")

static const char *const power_words[] = {
    [SHUNT_POWER_JOB] = "job", [SHUNT_POWER_CARD] = "card", NULL};
static const char *const alltoallv_words[] = {[SHUNT_NATIVE_SCATTERED] = "scattered",
                                              [SHUNT_NATIVE_PAIRWISE] = "pairwise",
                                              [SHUNT_NATIVE_LINEAR] = "linear",
                                              NULL};

static const struct shunt_machine_key keys[] = {
    LINK("inside", SHUNT_LEVEL_INSIDE),
    LINK("between", SHUNT_LEVEL_BETWEEN),
    TIME("copy.block_ns", copy_block, -9, true, NULL, "per block"),
    TIME("copy.byte_ns", copy_byte, -9, true, NULL, "per byte"),
    TIME("read.block_ns", read_block, -9, false, "copy.block_ns", "per block"),
    TIME("read.byte_ns", read_byte, -9, false, "copy.byte_ns", "per byte"),
    TIME("match_ns", match, -9, false, NULL, "per posted receive that a message passes"),
    TIME("type.message_ns", type_message, -9, false, NULL, "per message, at each end"),
    TIME("type.block_ns", type_block, -9, false, NULL, "and per block of it"),
    TIME("type.byte_ns", type_byte, -9, false, NULL, "and per byte"),
    NUMBER("type.long", SHUNT_MACHINE_SIZE, type_long, "none of this from such blocks on"),
    TIME("barrier.start_us", barrier_start, -6, false, "inside.latency_us", "however many ranks"),
    TIME("barrier.rank_us", barrier_rank, -6, false, "inside.overhead_us", "and per rank"),
    NUMBER("fitted", SHUNT_MACHINE_FLAG, fitted, "to exchanges of all ranks, by shunt machine"),
    NUMBER("processors", SHUNT_MACHINE_COUNT, processors, "of a node; 0: one for each rank"),
    NUMBER("sharing", SHUNT_MACHINE_COUNT, sharing, "nodes that share these processors"),
    TIME("turn_us", turn, -6, false, NULL, "until a rank that waited has a processor again"),
    NUMBER("card.count", SHUNT_MACHINE_COUNT, cards, "of a node"),
    TIME("card.message_ns", card_message, -9, false, NULL, "of a card per message; 0: no limit"),
    TIME("card.byte_ns", card_byte, -9, false, NULL, "of a card per byte; 0: no limit"),
    NUMBER("card.offload", SHUNT_MACHINE_FLAG, offload, "cards take messages in by themselves"),
    TIME("network.latency_us", network_latency, -6, false, NULL, "that it adds to a message"),
    TIME("network.byte_ns", network_byte, -9, false, NULL, "of a node per byte; 0: no limit"),
    NUMBER("network.nodes", SHUNT_MACHINE_COUNT, network_nodes, "not so for as many and fewer"),
    NUMBER("native.short", SHUNT_MACHINE_SIZE, native_short, "blocks up to this: Bruck"),
    NUMBER("native.medium", SHUNT_MACHINE_SIZE, native_medium, "longer blocks: pairwise"),
    NUMBER("native.ranks", SHUNT_MACHINE_COUNT, native_ranks, "fewer than this: no Bruck"),
    NUMBER("native.throttle", SHUNT_MACHINE_COUNT, native_throttle, "messages in flight"),
    WORD("native.alltoallv", native_alltoallv, alltoallv_words,
         "\"scattered\", \"pairwise\" or \"linear\""),
    TIME("energy.static_w", static_power, 0, false, NULL, "power drawn while a call runs"),
    WORD("energy.per", power, power_words, "whose power that is: \"job\" or \"card\""),
    NUMBER("descriptor", SHUNT_MACHINE_SIZE, descriptor, "bytes of a message in a schedule"),
};
#define KEY_COUNT (sizeof keys / sizeof keys[0])
_Static_assert(sizeof(enum shunt_power) == sizeof(unsigned) &&
                   sizeof(enum shunt_native_alltoallv) == sizeof(unsigned),
               "words are numbers of one size");
_Static_assert(KEY_COUNT <= SHUNT_MACHINE_KEY_MOST, "too many keys");

static const struct shunt_machine_group groups[] = {
    {"inside", "messages between ranks of a node"},
    {"between", "messages between nodes"},
    {"copy", "copies within a node's memory"},
    {"read", "reads from the memory of a neighbour"},
    {"type", "what messages through a derived datatype take longer"},
    {"barrier", "of the ranks of a node"},
    {"", ""},
    {"card", "the network cards of a node, which share the work"},
    {"network", "between nodes, where all of them send"},
    {"native", "which algorithm the MPI library takes when"},
    {"energy", "besides that of messages"},
};

const struct shunt_machine_key *shunt_machine_key(size_t index)
{
    return index < KEY_COUNT ? &keys[index] : NULL;
}

const struct shunt_machine_group *shunt_machine_group(size_t index)
{
    return index < sizeof groups / sizeof groups[0] ? &groups[index] : NULL;
}

const char *shunt_machine_key_word(const struct shunt_machine_key *key)
{
    const char *dot = strchr(key->name, '.');
    return dot ? dot + 1 : key->name;
}

int shunt_machine_key_within(const struct shunt_machine_key *key, const char *group)
{
    const size_t length = (size_t)(shunt_machine_key_word(key) - key->name);
    return length == 0 ? group[0] == '\0'
                       : strlen(group) + 1 == length && memcmp(key->name, group, length - 1) == 0;
}

const char *shunt_machine_word(const struct shunt_machine_key *key, size_t value)
{
    size_t count = 0;
    while (key->words[count])
        count++;
    return value < count ? key->words[value] : NULL;
}

const char *shunt_machine_word_of(const struct shunt_machine *machine,
                                  const struct shunt_machine_key *key)
{
    unsigned value;
    memcpy(&value, (const char *)machine + key->offset, sizeof value);
    return shunt_machine_word(key, value);
}

bool shunt_machine_words_known(const struct shunt_machine *machine)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (keys[i].words && !shunt_machine_word_of(machine, &keys[i]))
            return false;
    return true;
}

void shunt_machine_preset(struct shunt_machine *machine)
{
    memset(machine, 0, sizeof *machine);
    machine->link[SHUNT_LEVEL_INSIDE].eager = machine->link[SHUNT_LEVEL_BETWEEN].eager = INT64_MAX;
    machine->type_long = INT64_MAX;
    machine->cards = 1;
    /* As MPICH has it where nobody sets its control variables. */
    machine->native_short = 256;
    machine->native_medium = 32768;
    machine->native_ranks = 8;
    machine->native_throttle = 32;
    machine->power = SHUNT_POWER_CARD;
    machine->descriptor = 32; /* Hoefler and Moor 2014, section 4.2 */
}

void shunt_machine_copy(struct shunt_machine *to, const struct shunt_machine *from)
{
    static const size_t sizes[] = {[SHUNT_MACHINE_REAL] = sizeof(double),
                                   [SHUNT_MACHINE_COUNT] = sizeof(int32_t),
                                   [SHUNT_MACHINE_SIZE] = sizeof(int64_t),
                                   [SHUNT_MACHINE_FLAG] = sizeof(bool),
                                   [SHUNT_MACHINE_WORD] = sizeof(unsigned)};
    memset(to, 0, sizeof *to);
    memcpy(to->name, from->name, strnlen(from->name, sizeof to->name - 1));
    memcpy(to->library, from->library, strnlen(from->library, sizeof to->library - 1));
    for (size_t i = 0; i < KEY_COUNT; i++)
        memcpy(shunt_machine_value(to, &keys[i]), (const char *)from + keys[i].offset,
               sizes[keys[i].kind]);
}
