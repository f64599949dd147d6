/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tiles.h: a drawing of a table of boxes, each in a colour and with a letter, with labels at two
 * axes and a legend. It knows nothing of what it draws.
 */
#ifndef SHUNT_EXPLAIN_TILES_H
#define SHUNT_EXPLAIN_TILES_H

enum { SHUNT_TILES_TEXT = 640 };

/* Callbacks write into `text`, which has room for SHUNT_TILES_TEXT characters. */
struct shunt_tiles {
    const char *title, *subtitle;
    const char *across, *down; /* names of the axes */
    int columns, rows, entries;
    const void *data; /* handed to the callbacks */
    void (*column)(const void *data, int column, char *text);
    void (*row)(const void *data, int row, char *text);
    /* The entry of the legend that a box belongs to; `text` is shown where the pointer rests. */
    int (*box)(const void *data, int row, int column, char *text);
    void (*entry)(const void *data, int entry, char *text);
    int (*colour)(const void *data, int entry); /* see svg.h; 0 is grey */
    char (*letter)(const void *data, int entry);
};

/* An exit code, after saying what is wrong with the file at `path`. */
int shunt_tiles_draw(const struct shunt_tiles *drawing, const char *path);

#endif
