// SPDX-License-Identifier: BSD-3-Clause
// focus.ts: which step a position is about (player.ts), the same for words, arrows, matrix and digits:
// half-way the one that is marked, after it the one that has just moved. At the beginning it is none.
import type { Replay, Step } from "./replay";

export function focusOf(at: number): number {
    return Math.ceil(at / 2) - 1; // -1: none
}

export function stepAt(replay: Replay, at: number): Step | undefined {
    return replay.steps[focusOf(at)];
}
