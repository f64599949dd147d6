// SPDX-License-Identifier: BSD-3-Clause
// board.ts: chips as pixels, for more of them than elements are drawn within a frame. A step changes
// few of them, so only the cells that look different from before are painted again; and where it
// changes thousands, numbers in an array are quicker than calls of a canvas for each. All edges are
// on whole pixels, so that painting a cell leaves its neighbours as they are: the pixels are the same
// whichever way the reader came.
import { parts } from "../colours";
import { placesOf, type Chip, type Grid, type Outline, type Picture } from "./cells";
import type { Replay } from "../replay/replay";

export interface Inks {
    line: string; // around empty places
    mark: string; // around what leaves, and where it goes
    accent: string; // around what has arrived
    ink: string; // of the numbers of what rests
    paper: string; // between the elements of a block, and inside the frame of what has arrived
    chips: readonly string[]; // for each rank that blocks are for
    numbers: readonly string[];
}

// How much of each pixel the ink of a text covers, 0 to 255, for a box of this size.
export type Mask = (text: string, width: number, height: number) => Uint8Array;

export interface Sheet {
    replay: Replay;
    grid: Grid;
    elements: number; // drawn in each chip; 1: no lines
    scale: number; // pixels for each unit of the drawing
    width: number; // pixels of a row
    pixels: Uint32Array; // all rows
    mask: Mask;
}

// As a pixel of ImageData is on little-endian processors.
function pixelOf(colour: string, alpha = 255): number {
    const [red = 0, green = 0, blue = 0] = parts(colour);
    return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

type Box = [x: number, y: number, width: number, height: number];

interface Cell {
    box: Outline; // of the place, in units of the drawing
    empty: boolean; // whether there is a place to be seen without a chip
    chip: Chip | null;
    goal: boolean;
    code: number; // equal codes look the same
    painted: number; // the code that is on the canvas
    picture: number; // the last one that the cell was in
}

const LOOKS = { idle: 0, leaving: 1, moved: 2, arrived: 3, resting: 4, gone: 5 };
const FADED = Math.round(0.22 * 255); // what has moved away; drawings.css has the same
const PALE = Math.round(0.4 * 255); // the ground of what rests; drawings.css has the same
const EMPTY_CODE = 0;
const GOAL = 1;

const keyOf = (x: number, y: number) => y * 8192 + x;

export class Board {
    private readonly cells = new Map<number, Cell>();
    private readonly bitmaps = new Map<number, Uint32Array>();
    private readonly line: number;
    private readonly mark: number;
    private readonly accent: number;
    private readonly paper: number;
    private top = Infinity; // rows that were painted
    private bottom = 0;
    private readonly unit: number; // pixels of a thin line
    private used: Cell[] = []; // by the picture that is shown
    private picture = 0; // how many have been shown

    constructor(
        private readonly sheet: Sheet,
        private readonly inks: Inks,
    ) {
        this.unit = Math.max(1, Math.round(sheet.scale));
        this.line = pixelOf(inks.line);
        this.mark = pixelOf(inks.mark);
        this.accent = pixelOf(inks.accent);
        this.paper = pixelOf(inks.paper);
        for (const box of placesOf(sheet.replay, sheet.grid)) this.cellAt(box, true);
        for (const cell of this.cells.values()) this.paint(cell);
    }

    // Paints what looks different from what is there: how many cells, and which rows they are in.
    show(picture: Picture): { count: number; top: number; bottom: number } {
        const before = this.used;
        this.used = [];
        this.picture++;
        for (const chip of picture.chips) this.put(chip);
        for (const outline of picture.outlines) this.aim(outline);
        for (const cell of before) if (cell.picture !== this.picture) this.use(cell);
        let count = 0;
        for (const cell of this.used) {
            if (cell.code === cell.painted) continue;
            this.paint(cell);
            count++;
        }
        const { top, bottom } = this;
        [this.top, this.bottom] = [Infinity, 0];
        return { count, top, bottom };
    }

    // The cell is part of the picture, or was of the one before; it is empty so far.
    private use(cell: Cell): Cell {
        if (cell.picture === this.picture) return cell;
        [cell.picture, cell.chip, cell.goal, cell.code] = [this.picture, null, false, EMPTY_CODE];
        this.used.push(cell);
        return cell;
    }

    private cellAt(box: Outline, empty: boolean): Cell {
        const key = keyOf(box.x, box.y);
        let cell = this.cells.get(key);
        if (!cell) {
            const code = EMPTY_CODE;
            cell = { box, empty, chip: null, goal: false, code, painted: code, picture: 0 };
            this.cells.set(key, cell);
        }
        return cell;
    }

    private put(chip: Chip): void {
        const full = this.sheet.grid.rowHeight - 2;
        const { x, y, width, height } = chip;
        const top = Math.round(y + height - full);
        const known = this.cells.get(keyOf(x, top));
        const cell = this.use(known ?? this.cellAt({ x, y: top, width, height: full }, false));
        cell.chip = chip;
        cell.code |= ((chip.block + 1) << 4) | (LOOKS[chip.look] << 1);
    }

    private aim(outline: Outline): void {
        const cell = this.use(this.cellAt(outline, true));
        cell.goal = true;
        cell.code |= GOAL;
    }

    // Whole pixels, `more` units wider on every side.
    private pixels(box: Outline, more = 0): Box {
        const { scale } = this.sheet;
        const [left, top] = [
            Math.round((box.x - more) * scale),
            Math.round((box.y - more) * scale),
        ];
        return [
            left,
            top,
            Math.round((box.x + box.width + more) * scale) - left,
            Math.round((box.y + box.height + more) * scale) - top,
        ];
    }

    // Pixel by pixel: most boxes are so narrow that a call of fill() for each row takes longer.
    private fill([x, y, width, height]: Box, pixel: number): void {
        const { pixels, width: stride } = this.sheet;
        for (let row = y * stride + x, last = row + height * stride; row < last; row += stride)
            for (let at = row; at < row + width; at++) pixels[at] = pixel;
    }

    // Within the box.
    private frame([x, y, width, height]: Box, thick: number, pixel: number): void {
        const between = height - 2 * thick;
        this.fill([x, y, width, thick], pixel);
        this.fill([x, y + height - thick, width, thick], pixel);
        this.fill([x, y + thick, thick, between], pixel);
        this.fill([x + width - thick, y + thick, thick, between], pixel);
    }

    // Clears what is between two boxes, one within the other.
    private edge([x, y, width, height]: Box, [left, top, across, down]: Box): void {
        this.fill([x, y, width, top - y], 0);
        this.fill([x, top + down, width, y + height - top - down], 0);
        this.fill([x, top, left - x, down], 0);
        this.fill([left + across, top, x + width - left - across, down], 0);
    }

    private paint(cell: Cell): void {
        const around = this.pixels(cell.box, 1);
        this.top = Math.min(this.top, around[1]);
        this.bottom = Math.max(this.bottom, around[1] + around[3]);
        // A chip that fills its place covers what would be painted below it.
        if (cell.chip?.height === cell.box.height) this.edge(around, this.pixels(cell.box));
        else {
            this.fill(around, 0);
            if (cell.empty) this.frame(this.pixels(cell.box), this.unit, this.line);
        }
        if (cell.chip) this.paintChip(cell.chip);
        if (cell.goal) this.paintGoal(this.pixels(cell.box));
        cell.painted = cell.code;
    }

    private paintChip(chip: Chip): void {
        const [x, y, width, height] = this.pixels(chip);
        const bitmap = this.bitmapOf(chip, width, height);
        const { pixels, width: stride } = this.sheet;
        for (let row = 0, from = 0; row < height; row++)
            for (let at = (y + row) * stride + x, end = at + width; at < end;)
                pixels[at++] = bitmap[from++] ?? 0;
        if (chip.look === "leaving") this.frame(this.pixels(chip, 1), 2 * this.unit, this.mark);
        if (chip.look === "gone") this.frame(this.pixels(chip), this.unit, this.accent);
        if (chip.look === "arrived") {
            // With an edge in the colour of the paper to the inside, so that it is seen on any chip.
            this.frame(this.pixels(chip, 1), 3 * this.unit, this.paper);
            this.frame(this.pixels(chip, 1), 2 * this.unit, this.accent);
        }
    }

    // The inside of a chip, which is painted once and copied from then on.
    private bitmapOf(chip: Chip, width: number, height: number): Uint32Array {
        const away = chip.look === "moved" || chip.look === "gone";
        const alpha = away ? FADED : chip.look === "resting" ? PALE : 255;
        const key = ((chip.block * 256 + alpha) * 4096 + width) * 4096 + height;
        let bitmap = this.bitmaps.get(key);
        if (!bitmap) this.bitmaps.set(key, (bitmap = this.inside(chip, alpha, width, height)));
        return bitmap;
    }

    // The colours of a chip and of its number, and how much of the number's is seen.
    private inksOf(chip: Chip, alpha: number): { ground: string; ink: string; most: number } {
        const target = chip.block % this.sheet.replay.ranks;
        const ground = this.inks.chips[target] ?? "";
        if (chip.look === "resting") return { ground, ink: this.inks.ink, most: 255 };
        return { ground, ink: this.inks.numbers[target] ?? "", most: alpha };
    }

    // Chips whose height leaves room for a number have one.
    private inside(chip: Chip, alpha: number, width: number, height: number): Uint32Array {
        const { replay, mask, elements } = this.sheet;
        const { ground, ink, most } = this.inksOf(chip, alpha);
        const bitmap = new Uint32Array(width * height).fill(pixelOf(ground, alpha));
        if (chip.height >= 8) {
            const [below, above] = [parts(ground), parts(ink)];
            mask(String(Math.floor(chip.block / replay.ranks)), width, height).forEach(
                (cover, at) => {
                    const [red = 0, green = 0, blue = 0] = below.map((one, i) =>
                        Math.round(one + (((above[i] ?? 0) - one) * cover) / 255),
                    );
                    const seen = Math.round(alpha + ((most - alpha) * cover) / 255);
                    bitmap[at] = ((seen << 24) | (blue << 16) | (green << 8) | red) >>> 0;
                },
            );
        }
        for (let i = 1; i < elements; i++) {
            const column = Math.round((width * i) / elements);
            for (let row = 0; row < height; row++)
                bitmap.fill(this.paper, row * width + column, row * width + column + this.unit);
        }
        return bitmap;
    }

    // Dashes along the edges; the place may have a chip that leaves it.
    private paintGoal([x, y, width, height]: Box): void {
        const { unit, mark } = this;
        for (let at = 0; at < width; at += 5 * unit) {
            const long = Math.min(3 * unit, width - at);
            this.fill([x + at, y, long, unit], mark);
            this.fill([x + at, y + height - unit, long, unit], mark);
        }
        for (let at = 0; at < height; at += 5 * unit) {
            const long = Math.min(3 * unit, height - at);
            this.fill([x, y + at, unit, long], mark);
            this.fill([x + width - unit, y + at, unit, long], mark);
        }
    }
}
