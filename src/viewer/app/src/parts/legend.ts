// SPDX-License-Identifier: BSD-3-Clause
// legend.ts: where the names of a drawing's legend stand: in lines below it.

export interface Entry {
    name: string;
    colour: string;
    dash?: string; // of a line; without it a filled square
    frame?: string; // the look of a frame round a chip (drawings.css); without it none
}

// What the rings round chips and heads of a data view mean, for files: the page has it as a list.
export const RINGS: readonly Entry[] = [
    { name: "ring: about to move", colour: "none", frame: "leaving" },
    { name: "dashes: where it goes", colour: "none", frame: "goal" },
    { name: "ring: has just arrived", colour: "none", frame: "arrived" },
    { name: "thin ring: has just moved away", colour: "none", frame: "gone" },
];

export interface Placed extends Entry {
    x: number;
    y: number;
}

const LINE = 20;
const SAMPLE = 34; // what shows the look, and the gap behind it
const LETTER = 6.6; // of 12 pixels, on average; nothing is measured, for the drawing is not laid out yet
const GAP = 18;

export function placed(entries: readonly Entry[], width: number): Placed[] {
    let x = 8;
    let y = 0;
    return entries.map((entry) => {
        const wide = SAMPLE + entry.name.length * LETTER + GAP;
        if (x > 8 && x + wide > width) [x, y] = [8, y + LINE];
        const here = { ...entry, x, y };
        x += wide;
        return here;
    });
}

export function legendHeight(entries: readonly Entry[], width: number): number {
    const last = placed(entries, width).at(-1);
    return last ? last.y + LINE + 4 : 0;
}
