// SPDX-License-Identifier: BSD-3-Clause
// tally.ts: what has been sent so far and in total, and who sends to whom in a step.
import type { Replay, Step } from "./replay";

export interface Tally {
    rounds: number;
    steps: number; // of the rounds: a message of each rank; not counted by the clock
    batches: number; // begun
    messages: number; // those of lengths included, of the agreement not
    blocks: number; // sent, forwarded ones included
    bytes: number | null; // in these messages; null: not known
    between: number; // messages between nodes
    copies: number;
    reads: number;
    barriers: number;
    agreement: number; // messages
}

function zero(): Tally {
    return {
        rounds: 0,
        steps: 0,
        batches: 0,
        messages: 0,
        blocks: 0,
        bytes: 0,
        between: 0,
        copies: 0,
        reads: 0,
        barriers: 0,
        agreement: 0,
    };
}

function add(sum: Tally, step: Step): Tally {
    const next = { ...sum, rounds: Math.max(sum.rounds, step.round) };
    if (step.kind === "round") next.steps++;
    next.copies += step.copies;
    next.reads += step.reads;
    next.barriers += step.barriers;
    next.agreement += step.agreed ?? 0;
    if (step.kind === "agreement") {
        next.agreement += step.messages.length;
        return next;
    }
    for (const message of step.messages) {
        next.messages++;
        next.batches = Math.max(next.batches, message.batch ?? 0);
        next.blocks += message.blocks;
        if (message.between) next.between++;
        next.bytes =
            next.bytes === null || message.bytes === null ? null : next.bytes + message.bytes;
    }
    return next;
}

// Number k is what the first k steps did.
export function talliesOf(replay: Replay): Tally[] {
    const sums = [zero()];
    for (const step of replay.steps) sums.push(add(sums[sums.length - 1] as Tally, step));
    return sums;
}

export enum Cell {
    Nothing = 0,
    Earlier = 1,
    Now = 2,
}

// At sender * ranks + receiver: messages of the step, and of all before it.
export function adjacencyOf(replay: Replay, step: number): Uint8Array {
    const cells = new Uint8Array(replay.ranks * replay.ranks);
    replay.steps.slice(0, step + 1).forEach((one, i) => {
        for (const message of one.messages)
            cells[message.from * replay.ranks + message.to] = i === step ? Cell.Now : Cell.Earlier;
    });
    return cells;
}
