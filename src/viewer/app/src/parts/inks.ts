// SPDX-License-Identifier: BSD-3-Clause
// inks.ts: chips as a few paths, one for each colour, with their numbers drawn as strokes: for so
// many chips that an element for each would not be drawn within a frame.
import type { Chip } from "./cells";

// Each digit in a box of 3 x 6.
const DIGITS = [
    "h3v6h-3z",
    "m1.5 0v6",
    "h3v3h-3v3h3",
    "h3v6h-3m0-3h3",
    "v3h3m0-3v6",
    "m3 0h-3v3h3v3h-3",
    "m3 0h-3v6h3v-3h-3",
    "h3v6",
    "h3v6h-3zm0 3h3",
    "m3 3h-3v-3h3v6h-3",
];
const WIDTH = 3;
const HEIGHT = 6;
const GAP = 1.6;

export function numberPath(value: number, x: number, y: number): string {
    const digits = [...String(value)].map(Number);
    const width = digits.length * WIDTH + (digits.length - 1) * GAP;
    return digits
        .map(
            (digit, i) => `M${x - width / 2 + i * (WIDTH + GAP)} ${y - HEIGHT / 2}${DIGITS[digit]}`,
        )
        .join("");
}

export interface Ink {
    key: string;
    path: string;
    numbers: string;
    target: number; // whose colour it has
    moved: boolean;
}

// Chips whose height leaves room for a number get one.
export function inksOf(chips: readonly Chip[], ranks: number): Ink[] {
    const inks = new Map<
        string,
        { path: string[]; numbers: string[]; target: number; moved: boolean }
    >();
    for (const chip of chips) {
        const target = chip.block % ranks;
        const moved = chip.look === "moved";
        const key = `${target}${moved ? "m" : ""}`;
        let ink = inks.get(key);
        if (!ink) inks.set(key, (ink = { path: [], numbers: [], target, moved }));
        ink.path.push(`M${chip.x} ${chip.y}h${chip.width}v${chip.height}h${-chip.width}z`);
        if (chip.height > HEIGHT + 1)
            ink.numbers.push(
                numberPath(
                    Math.floor(chip.block / ranks),
                    chip.x + chip.width / 2,
                    chip.y + chip.height / 2,
                ),
            );
    }
    return [...inks]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, ink]) => ({
            ...ink,
            key,
            path: ink.path.join(""),
            numbers: ink.numbers.join(""),
        }));
}
