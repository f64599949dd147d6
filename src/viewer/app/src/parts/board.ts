// SPDX-License-Identifier: BSD-3-Clause
// board.ts: chips as pixels, for more of them than elements are drawn within a frame. A step changes
// few of them, so only the cells that look different from before are painted again. All edges are on
// whole pixels, so that painting a cell leaves its neighbours as they are: the pixels are the same
// whichever way the reader came.
import { placesOf, type Chip, type Grid, type Outline, type Picture } from "./cells";
import type { Replay } from "../replay/replay";

// What of a canvas is used; tests have one of their own.
export type Brush = Pick<
    CanvasRenderingContext2D,
    | "fillStyle"
    | "globalAlpha"
    | "font"
    | "textAlign"
    | "textBaseline"
    | "fillRect"
    | "clearRect"
    | "fillText"
>;

export interface Inks {
    line: string; // around empty places
    mark: string; // around what leaves, and where it goes
    accent: string; // around what has arrived
    paper: string; // between the elements of a block
    chips: readonly string[]; // for each rank that blocks are for
    numbers: readonly string[];
}

export interface Sheet {
    replay: Replay;
    grid: Grid;
    elements: number; // drawn in each chip; 1: no lines
    scale: number; // pixels for each unit of the drawing
}

interface Cell {
    box: Outline; // of the place, in units of the drawing
    empty: boolean; // whether there is a place to be seen without a chip
    chip: Chip | null;
    goal: boolean;
    code: number; // equal codes look the same
    painted: number; // the code that is on the canvas
    picture: number; // the last one that the cell was in
}

const LOOKS = { idle: 0, leaving: 1, moved: 2, arrived: 3 };
const FADED = 0.22; // what has moved away; drawings.css has the same
const EMPTY_CODE = 0;
const GOAL = 1;

const keyOf = (x: number, y: number) => y * 8192 + x;

export class Board {
    private readonly cells = new Map<number, Cell>();
    private used: Cell[] = []; // by the picture that is shown
    private picture = 0; // how many have been shown

    constructor(
        private readonly brush: Brush,
        private readonly sheet: Sheet,
        private readonly inks: Inks,
    ) {
        for (const box of placesOf(sheet.replay, sheet.grid)) this.cellAt(box, true);
        for (const cell of this.cells.values()) this.paint(cell);
        // Setting a font takes as long as writing ten numbers.
        brush.font = `${(0.95 * (sheet.grid.rowHeight - 2) * sheet.scale).toFixed(1)}px system-ui, sans-serif`;
        brush.textAlign = "center";
        brush.textBaseline = "middle";
    }

    // Paints what looks different from what is there. Returns the number of cells that were painted.
    show(picture: Picture): number {
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
        return count;
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
        const cell = this.use(this.cellAt({ x, y: top, width, height: full }, false));
        cell.chip = chip;
        cell.code |= ((chip.block + 1) << 3) | (LOOKS[chip.look] << 1);
    }

    private aim(outline: Outline): void {
        const cell = this.use(this.cellAt(outline, true));
        cell.goal = true;
        cell.code |= GOAL;
    }

    // Whole pixels, `more` units wider on every side.
    private pixels(box: Outline, more = 0): [number, number, number, number] {
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

    private frame([x, y, width, height]: [number, number, number, number], thick: number): void {
        this.brush.fillRect(x, y, width, thick);
        this.brush.fillRect(x, y + height - thick, width, thick);
        this.brush.fillRect(x, y, thick, height);
        this.brush.fillRect(x + width - thick, y, thick, height);
    }

    private paint(cell: Cell): void {
        const { brush, inks } = this;
        const unit = Math.max(1, Math.round(this.sheet.scale));
        brush.clearRect(...this.pixels(cell.box, 1));
        brush.fillStyle = inks.line;
        if (cell.empty) this.frame(this.pixels(cell.box), unit);
        if (cell.chip) this.paintChip(cell.chip, unit);
        if (cell.goal) this.paintGoal(cell.box, unit);
        cell.painted = cell.code;
    }

    private paintChip(chip: Chip, unit: number): void {
        const { brush, inks } = this;
        const target = chip.block % this.sheet.replay.ranks;
        brush.globalAlpha = chip.look === "moved" ? FADED : 1;
        brush.fillStyle = inks.chips[target] ?? "";
        brush.fillRect(...this.pixels(chip));
        this.paintNumber(chip, inks.numbers[target] ?? "");
        brush.globalAlpha = 1;
        for (let i = 1; i < this.sheet.elements; i++) {
            const [x, y, , height] = this.pixels({
                ...chip,
                x: chip.x + (chip.width * i) / this.sheet.elements,
            });
            brush.fillStyle = inks.paper;
            brush.fillRect(x, y, unit, height);
        }
        if (chip.look !== "leaving" && chip.look !== "arrived") return;
        brush.fillStyle = chip.look === "leaving" ? inks.mark : inks.accent;
        this.frame(this.pixels(chip, 1), 2 * unit);
    }

    // Chips whose height leaves room for a number have one.
    private paintNumber(chip: Chip, ink: string): void {
        if (chip.height < 8) return;
        const [x, y, width, height] = this.pixels(chip);
        const { brush, sheet } = this;
        brush.fillStyle = ink;
        brush.fillText(
            String(Math.floor(chip.block / sheet.replay.ranks)),
            x + width / 2,
            y + height / 2 + 0.5,
        );
    }

    // Dashes along the edges; the place may have a chip that leaves it.
    private paintGoal(box: Outline, unit: number): void {
        const { brush } = this;
        const [x, y, width, height] = this.pixels(box);
        brush.fillStyle = this.inks.mark;
        for (let at = 0; at < width; at += 5 * unit) {
            const long = Math.min(3 * unit, width - at);
            brush.fillRect(x + at, y, long, unit);
            brush.fillRect(x + at, y + height - unit, long, unit);
        }
        for (let at = 0; at < height; at += 5 * unit) {
            const long = Math.min(3 * unit, height - at);
            brush.fillRect(x, y + at, unit, long);
            brush.fillRect(x + width - unit, y + at, unit, long);
        }
    }
}
