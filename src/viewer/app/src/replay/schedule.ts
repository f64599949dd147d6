// SPDX-License-Identifier: BSD-3-Clause
// schedule.ts: the form of `shunt schedule --json --moves` (schedule.schema.json says more), and
// small things that follow from it alone. Ranks and nodes count from 0, sizes are bytes.

export interface MoveText {
    block_of: number;
    block_for: number;
    out_of: string;
    into: string;
}

export interface EventText {
    kind: string;
    part: "agreement" | "before" | "round" | "reads" | "after";
    round: number | null;
    peer: number | null;
    blocks: number;
    bytes: number | null;
    done_s?: number; // seconds since all ranks began, where a machine is given
    moves: MoveText[];
}

export interface Totals {
    rounds: number;
    messages: number;
    blocks: number;
    bytes?: number;
    copies: number;
    reads: number;
    barriers: number;
    agreement_messages: number;
}

export interface RankText {
    rank: number;
    node: number;
    local_rank: number;
    events: EventText[];
    totals: Totals;
}

export interface ScheduleText {
    version: string;
    operation: "alltoall" | "alltoallv";
    algorithm: string;
    parameters: string;
    ranks: number;
    layout: number[];
    block: number;
    counts: string | null;
    agrees: boolean;
    schedules: RankText[];
}

export type PlaceKind = "send" | "receive" | "slot" | "shared" | "message" | "neighbour";

export interface Place {
    kind: PlaceKind;
    index: number; // 0 where the kind has no number
}

export function placeOf(text: string): Place {
    const [kind, index] = text.split(" ");
    return { kind: kind as PlaceKind, index: Number(index ?? 0) };
}

// "radix=3x5 batch_size=2" as names and values.
export function parametersOf(text: string): Map<string, string> {
    return new Map(
        text
            .split(" ")
            .filter((word) => word.includes("="))
            .map((word) => word.split("=") as [string, string]),
    );
}

// The radix of each digit, lowest first; the last counts for all further ones. Empty: there is none.
export function radicesOf(schedule: ScheduleText): number[] {
    const text = parametersOf(schedule.parameters).get("radix");
    if (text) return text.split("x").map(Number);
    return /bruck|sloav/.test(schedule.algorithm) ? [2] : [];
}

// Digits of an offset below `end`, lowest first.
export function digitsOf(offset: number, radices: readonly number[], end: number): number[] {
    const digits: number[] = [];
    let weight = 1;
    for (let i = 0; weight < end; i++) {
        const radix = radices[Math.min(i, radices.length - 1)] ?? end;
        digits.push(Math.floor(offset / weight) % radix);
        weight *= Math.max(radix, 2);
    }
    return digits;
}

// Steps of a rank's rounds: a round has one for each message that the rank starts in it, and one where
// it starts none.
export function stepsOf(rank: RankText): number {
    const sends = new Map<number, number>();
    for (const { part, round, kind } of rank.events)
        if (part === "round" && round !== null)
            sends.set(round, (sends.get(round) ?? 0) + (kind === "send" ? 1 : 0));
    return [...sends.values()].reduce((sum, many) => sum + Math.max(1, many), 0);
}
