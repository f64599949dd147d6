// SPDX-License-Identifier: BSD-3-Clause
// tiles.ts: how the cells of a map look and what is said of them: of decisions, unless a figure says
// otherwise.
import { algorithmColour, algorithmLetter } from "../colours";
import type { Cell } from "../replay/map";
import { size } from "./lines";

export interface Look {
    across: string; // names of the axes
    down: string;
    column(ranks: number): string; // labels
    row(block: number): string;
    colour(name: string): string;
    letter(name: string): string;
    text(cell: Cell): string; // behind the letter
    words(cell: Cell): string;
}

export const DECISIONS: Look = {
    across: "ranks",
    down: "bytes per block",
    column: String,
    row: size,
    colour: algorithmColour,
    letter: algorithmLetter,
    text: () => "",
    words: (cell) =>
        `${cell.ranks} ranks, blocks of ${size(cell.block)}: ${cell.algorithm} ${cell.parameters}`,
};
