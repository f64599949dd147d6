/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data.h: the data of a page of the viewer, one JSON document as view.schema.json describes it.
 *
 * Tables and descriptions of machines are embedded as their bytes in memory, which the engine in
 * the page (src/viewer/engine/images.c) uses as they are: nothing there has to read files, or could
 * read them otherwise.
 */
#ifndef SHUNT_TOOLS_VIEW_DATA_H
#define SHUNT_TOOLS_VIEW_DATA_H

#include "log/json.h"
#include "model/machine.h"
#include "route/table.h"

/* Begin with {.json.text = &data.text}, as shunt_view_data_begin does; `text` must not move. */
struct shunt_view_data {
    struct shunt_log_text text; /* cut: memory was short */
    struct shunt_json json;
};

/* Whether bytes in memory are here as they are in the page: little-endian, 64-bit numbers at
 * multiples of 8. */
bool shunt_view_portable(void);

void shunt_view_data_begin(struct shunt_view_data *data);
/* Between them: arrays of tables, of machines and of calls, in this order, each begun and closed by
 * whoever fills it. */
void shunt_view_data_end(struct shunt_view_data *data);
void shunt_view_data_clear(struct shunt_view_data *data);

/* name: what commands in the page call it. */
void shunt_view_put_table(struct shunt_view_data *data, const char *name,
                          const struct shunt_table *table);
void shunt_view_put_machine(struct shunt_view_data *data, const char *name, const char *path,
                            const struct shunt_machine *machine);

#endif
