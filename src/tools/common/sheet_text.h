/* SPDX-License-Identifier: BSD-3-Clause */
/* sheet_text.h: of sheet.h, what is between its two files only: rows for people are kept until the
 * last, as the widths of columns depend on all. */
#ifndef SHUNT_TOOLS_COMMON_SHEET_TEXT_H
#define SHUNT_TOOLS_COMMON_SHEET_TEXT_H

#include "tools/common/sheet.h"

bool shunt_field_known(const struct shunt_field *field);
bool shunt_column_in(const struct shunt_column *column, enum shunt_sheet_form form);
enum shunt_unit shunt_column_unit(const struct shunt_column *column);

/* Where memory is short, sheet->cells.cut. */
void shunt_sheet_text_keep(struct shunt_sheet *sheet, const struct shunt_field *row);
/* All that were kept, to sheet->text. */
void shunt_sheet_text_put(struct shunt_sheet *sheet);

#endif
