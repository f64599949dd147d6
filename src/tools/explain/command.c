/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: `shunt explain --grid`, from its options to its forms. */
#include "tools/explain/grid.h"

int shunt_explain_grid(struct shunt_explain_grid *grid)
{
    int code = shunt_explain_grid_fill(grid);
    if (code == SHUNT_EXIT_OK && grid->html)
        code = shunt_explain_grid_html(grid);
    if (code == SHUNT_EXIT_OK)
        code = shunt_explain_grid_print(grid);
    shunt_explain_grid_clear(grid);
    return code;
}
