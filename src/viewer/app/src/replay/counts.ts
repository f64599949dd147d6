// SPDX-License-Identifier: BSD-3-Clause
// counts.ts: sizes of blocks by chance, the same for the same seed; input, and no algorithm.

// mulberry32: numbers from 0 (included) to 1, good enough for pictures.
function numbers(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}

// Each size from 0 to `most` bytes is as likely as any other.
export function randomCounts(ranks: number, most: number, seed: number): number[][] {
    const next = numbers(seed);
    return Array.from({ length: ranks }, () =>
        Array.from({ length: ranks }, () => Math.floor(next() * (most + 1))),
    );
}

// 4K as 4096, as the command reads sizes; NaN: no size.
export function bytesOfText(text: string): number {
    const [, digits = "", unit = ""] = /^([0-9]+)([KMG]?)$/i.exec(text.trim()) ?? [];
    if (digits === "") return NaN;
    return Number(digits) * 1024 ** " KMG".indexOf(unit.toUpperCase() || " ");
}
