/* SPDX-License-Identifier: BSD-3-Clause */
/* data.c: see data.h. */
#include "tools/view/data.h"

#include <stddef.h>
#include <stdlib.h>

#include "config.h"

bool shunt_view_portable(void)
{
    struct number {
        char before;
        int64_t value;
    };
    struct fraction {
        char before;
        double value;
    };
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1 && offsetof(struct number, value) == 8 &&
           offsetof(struct fraction, value) == 8;
}

/* A malloc block, or NULL. */
static char *base64(const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc((count + 2) / 3 * 4 + 1), *at = text;
    for (size_t i = 0; text && i < count; i += 3) {
        const size_t left = count - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0);
        *at++ = digits[three >> 18];
        *at++ = digits[three >> 12 & 63];
        *at++ = '=';
        *at++ = '=';
        if (left > 1)
            at[-2] = digits[three >> 6 & 63];
        if (left > 2)
            at[-1] = digits[three & 63];
    }
    if (text)
        *at = '\0';
    return text;
}

/* machine: the one that a table is for; NULL or empty: it names none. */
static void put_image(struct shunt_view_data *data, const char *name, const char *path,
                      const char *machine, const void *bytes, size_t count)
{
    char *text = base64(bytes, count);
    shunt_json_line(&data->json);
    shunt_json_object(&data->json);
    shunt_json_put_string(&data->json, SHUNT_KEY_NAME, name);
    shunt_json_put_string(&data->json, SHUNT_KEY_PATH, path);
    if (machine && machine[0] != '\0')
        shunt_json_put_string(&data->json, SHUNT_KEY_MACHINE, machine);
    shunt_json_put_string(&data->json, SHUNT_KEY_IMAGE, text);
    shunt_json_close(&data->json);
    data->text.cut |= !text;
    free(text);
}

void shunt_view_data_begin(struct shunt_view_data *data)
{
    *data = (struct shunt_view_data){.text = {.grows = true}, .json = {.whole = true}};
    data->json.text = &data->text;
    shunt_json_object(&data->json);
    shunt_json_put_string(&data->json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
}

void shunt_view_data_end(struct shunt_view_data *data)
{
    shunt_json_close(&data->json);
}

void shunt_view_data_clear(struct shunt_view_data *data)
{
    free(data->text.bytes);
    data->text = (struct shunt_log_text){.grows = true};
}

void shunt_view_put_table(struct shunt_view_data *data, const char *name,
                          const struct shunt_table *table)
{
    put_image(data, name, shunt_table_string(table, table->source),
              shunt_table_string(table, table->machine), table, (size_t)table->bytes);
}

void shunt_view_put_machine(struct shunt_view_data *data, const char *name, const char *path,
                            const struct shunt_machine *machine)
{
    put_image(data, name, path, NULL, machine, sizeof *machine);
}
