// SPDX-License-Identifier: BSD-3-Clause
// states.ts: which block is where after each step. All states are computed at once and kept, so
// that a step back is as quick and as right as one forward.
import type { Move, Replay, Step } from "./replay";

export const EMPTY = -1;

// Places hold blocks (source * ranks + target) or EMPTY.
export interface State {
    left: Uint8Array; // at the block's number: 1 once it has left the user's send buffer
    receive: Int32Array; // at rank * ranks + index of the receive block
    slot: Int32Array; // at rank * slots + number of the slot
    shared: number[][]; // of each node, in the order in which blocks were written
    flying: number[]; // blocks on their way
}

export function firstState(replay: Replay): State {
    return {
        left: new Uint8Array(replay.ranks * replay.ranks),
        receive: new Int32Array(replay.ranks * replay.ranks).fill(EMPTY),
        slot: new Int32Array(replay.ranks * replay.slots).fill(EMPTY),
        shared: replay.schedule.layout.map(() => []),
        flying: [],
    };
}

export function copyOf(state: State): State {
    return {
        left: state.left.slice(),
        receive: state.receive.slice(),
        slot: state.slot.slice(),
        shared: state.shared.map((blocks) => blocks.slice()),
        flying: state.flying.slice(),
    };
}

function wrong(move: Move): never {
    throw new Error(
        `block ${move.block} is not where rank ${move.fromRank} takes it from (${move.from.kind})`,
    );
}

// The array that has the place, and where in it; null: it is none of those that arrays have.
function arrayOf(replay: Replay, state: State, move: Move): [Int32Array, number] | null {
    const { kind, index } = move.from;
    if (kind === "slot") return [state.slot, move.fromRank * replay.slots + index];
    if (kind === "receive") return [state.receive, move.fromRank * replay.ranks + index];
    return null;
}

function isThere(replay: Replay, state: State, move: Move): boolean {
    const array = arrayOf(replay, state, move);
    if (array) return array[0][array[1]] === move.block;
    if (move.from.kind === "send")
        return move.block === move.fromRank * replay.ranks + move.from.index;
    if (move.from.kind === "shared")
        return !!state.shared[replay.nodeOf[move.fromRank] ?? 0]?.includes(move.block);
    return state.flying.includes(move.block);
}

// A block that is taken out of shared memory or read from a neighbour stays there as well.
function take(replay: Replay, state: State, move: Move): void {
    if (!isThere(replay, state, move)) wrong(move);
    const array = arrayOf(replay, state, move);
    if (array) array[0][array[1]] = EMPTY;
    else if (move.from.kind === "send") state.left[move.block] = 1;
    else if (move.from.kind !== "shared") state.flying.splice(state.flying.indexOf(move.block), 1);
}

function put(replay: Replay, state: State, move: Move): void {
    const { ranks, slots, nodeOf } = replay;
    const place = move.to;
    if (!place) state.flying.push(move.block);
    else if (place.kind === "shared") {
        const blocks = state.shared[nodeOf[move.toRank] ?? 0];
        if (blocks && !blocks.includes(move.block)) blocks.push(move.block);
    } else {
        const array = place.kind === "slot" ? state.slot : state.receive;
        array[move.toRank * (place.kind === "slot" ? slots : ranks) + place.index] = move.block;
    }
}

function after(replay: Replay, state: State, step: Step): State {
    const next = copyOf(state);
    // What a round sends is what earlier rounds left; only then does anything arrive.
    for (const move of step.moves) take(replay, next, move);
    for (const move of step.moves) put(replay, next, move);
    return next;
}

// Makes the moves, where all of their blocks are there; false: not all are, and nothing has changed.
export function movedAll(replay: Replay, state: State, moves: readonly Move[]): boolean {
    if (!moves.every((move) => isThere(replay, state, move))) return false;
    for (const move of moves) take(replay, state, move);
    for (const move of moves) put(replay, state, move);
    return true;
}

// State k is that before step k; there is one more than there are steps.
export function statesOf(replay: Replay): State[] {
    const states = [firstState(replay)];
    for (const step of replay.steps)
        states.push(after(replay, states[states.length - 1] as State, step));
    return states;
}

// Blocks that are not where they belong, or [] when the exchange is done. `needed` says which
// blocks have data; without it all do.
export function misplaced(replay: Replay, state: State, needed?: (block: number) => boolean) {
    const wrongOnes: number[] = [];
    for (let source = 0; source < replay.ranks; source++)
        for (let target = 0; target < replay.ranks; target++) {
            const block = source * replay.ranks + target;
            if (needed && !needed(block)) continue;
            if (state.receive[target * replay.ranks + source] !== block) wrongOnes.push(block);
        }
    return wrongOnes;
}
