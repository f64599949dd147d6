// SPDX-License-Identifier: BSD-3-Clause
// cells.ts: what the data view draws: a chip for each block, where it is, and how it looks. Numbers
// in the drawing are its own units; a rank has a column, and its buffers stand below each other.
import type { Move, Replay, Step } from "../replay/replay";
import { EMPTY, type State } from "../replay/states";

export type Look = "idle" | "leaving" | "moved" | "arrived";

export interface Chip {
    key: string;
    place: string; // "receive 3 1": of rank 3, from rank 1; for tests and readers of the drawing
    x: number;
    y: number;
    width: number;
    height: number;
    block: number;
    look: Look;
    glide: [number, number] | null; // of what has just arrived: from there to here
}

export interface Outline {
    key: string;
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface Grid {
    width: number;
    height: number;
    columnWidth: number;
    rowHeight: number;
    left: number;
    send: number; // tops
    slot: number;
    receive: number;
    shared: number;
    sharedColumns: number; // chips in a row of a node's memory, for each rank of the node
    columns: number[]; // of each rank: x
}

const HEAD = 92;
const GAP = 26;
const NODE_GAP = 14;

export function gridOf(replay: Replay, state: State[]): Grid {
    const ranks = replay.ranks;
    const columnWidth = ranks <= 8 ? 72 : ranks <= 16 ? 46 : 32;
    const rowHeight = ranks <= 8 ? 22 : ranks <= 16 ? 16 : 12;
    const left = 78;
    const columns: number[] = [];
    let x = left;
    for (const [place, rank] of replay.order.entries()) {
        const before = replay.order[place - 1];
        if (before !== undefined && replay.nodeOf[rank] !== replay.nodeOf[before]) x += NODE_GAP;
        columns[rank] = x;
        x += columnWidth;
    }
    const slot = HEAD + ranks * rowHeight + GAP;
    const receive = slot + (replay.slots > 0 ? replay.slots * rowHeight + GAP : 0);
    const shared = receive + ranks * rowHeight + GAP;
    const end = state[state.length - 1];
    const sharedColumns = ranks <= 8 ? 2 : 1;
    const rows = Math.max(
        0,
        ...(end?.shared ?? []).map((blocks, node) =>
            Math.ceil(blocks.length / ((replay.schedule.layout[node] ?? 1) * sharedColumns)),
        ),
    );
    const height = shared + (rows > 0 ? rows * rowHeight + 8 : -GAP + 8);
    const grid = { width: x + 8, height, columnWidth, rowHeight, left, columns, sharedColumns };
    return { ...grid, send: HEAD, slot, receive, shared };
}

const CODES: Record<string, number> = { send: 0, receive: 1, slot: 2 };

// A number for each place of a rank: where a move begins or ends.
function placeKey(rank: number, kind: string, index: number): number {
    return ((CODES[kind] ?? 3) * 256 + rank) * 65536 + index;
}

// Where a block was before the move, and so where it glides from; null: nowhere in the drawing.
function originOf(replay: Replay, grid: Grid, before: State | undefined, move: Move): Point | null {
    const x = grid.columns[move.fromRank] ?? 0;
    const row = (top: number, index: number): Point => [x, top + index * grid.rowHeight];
    switch (move.from.kind) {
        case "send":
            return row(grid.send, move.from.index);
        case "slot":
            return row(grid.slot, move.from.index);
        case "receive":
            return row(grid.receive, move.from.index);
        case "message":
            return row(grid.send - grid.rowHeight, 0);
        case "shared": {
            const node = replay.nodeOf[move.fromRank] ?? 0;
            const at = before?.shared[node]?.indexOf(move.block) ?? -1;
            return at < 0 ? null : sharedPlace(replay, grid, node, at);
        }
        default:
            return null;
    }
}

type Point = [number, number];

function sharedPlace(replay: Replay, grid: Grid, node: number, at: number): Point {
    const columns = (replay.schedule.layout[node] ?? 1) * grid.sharedColumns;
    const left = grid.columns[replay.nodeOf.indexOf(node)] ?? 0;
    return [
        left + (at % columns) * (grid.columnWidth / grid.sharedColumns),
        grid.shared + Math.floor(at / columns) * grid.rowHeight,
    ];
}

// Of the places that the last step has filled: where their blocks came from.
function originsOf(
    replay: Replay,
    grid: Grid,
    before: State | undefined,
    step: Step | undefined,
): Map<string, Point> {
    const origins = new Map<string, Point>();
    for (const move of step?.moves ?? []) {
        const origin = move.to && originOf(replay, grid, before, move);
        if (!move.to || !origin) continue;
        const node = replay.nodeOf[move.toRank];
        const { kind, index } = move.to;
        origins.set(
            kind === "shared" ? `shared ${node} ${move.block}` : `${kind} ${move.toRank} ${index}`,
            origin,
        );
    }
    return origins;
}

interface Marks {
    leaving: Set<number>; // places
    arriving: Set<number>;
    leavingShared: Set<string>; // node and block
    arrivingShared: Set<string>;
}

function marksOf(replay: Replay, step: Step | undefined): Marks {
    const marks: Marks = {
        leaving: new Set(),
        arriving: new Set(),
        leavingShared: new Set(),
        arrivingShared: new Set(),
    };
    for (const move of step?.moves ?? []) {
        if (move.from.kind === "shared")
            marks.leavingShared.add(`${replay.nodeOf[move.fromRank]}.${move.block}`);
        else marks.leaving.add(placeKey(move.fromRank, move.from.kind, move.from.index));
        if (move.to?.kind === "shared")
            marks.arrivingShared.add(`${replay.nodeOf[move.toRank]}.${move.block}`);
        else if (move.to) marks.arriving.add(placeKey(move.toRank, move.to.kind, move.to.index));
    }
    return marks;
}

export interface Picture {
    chips: Chip[];
    outlines: Outline[]; // places where marked blocks go
}

interface Drawing {
    replay: Replay;
    grid: Grid;
    state: State;
    now: Marks; // marked to move
    last: Marks; // moved by the step before
    origins: Map<string, Point>;
    height: (block: number) => number;
    picture: Picture;
}

function addChip(
    d: Drawing,
    place: string,
    at: [number, number, number],
    block: number,
    look: Look,
    origin = place,
): void {
    const [x, y, width] = at;
    const from = look === "arrived" ? d.origins.get(origin) : undefined;
    const full = d.grid.rowHeight - 2;
    const height = Math.max(2, full * d.height(block));
    const key = `${x}.${y}`;
    d.picture.chips.push({
        key,
        place,
        x,
        y: y + full - height,
        width: width - 2,
        height,
        block,
        look,
        glide: from ? [from[0] - x, from[1] - y] : null,
    });
}

function addPlace(d: Drawing, rank: number, kind: "receive" | "slot", index: number): void {
    const { grid, replay, state } = d;
    const x = grid.columns[rank] ?? 0;
    const y = (kind === "slot" ? grid.slot : grid.receive) + index * grid.rowHeight;
    const key = placeKey(rank, kind, index);
    const block =
        kind === "slot"
            ? state.slot[rank * replay.slots + index]
            : state.receive[rank * replay.ranks + index];
    if (block !== undefined && block !== EMPTY) {
        const look = d.now.leaving.has(key)
            ? "leaving"
            : d.last.arriving.has(key)
              ? "arrived"
              : "idle";
        addChip(d, `${kind} ${rank} ${index}`, [x, y, grid.columnWidth], block, look);
    }
    if (d.now.arriving.has(key))
        d.picture.outlines.push({
            key: String(key),
            x,
            y,
            width: grid.columnWidth - 2,
            height: grid.rowHeight - 2,
        });
}

function addRank(d: Drawing, rank: number): void {
    const { grid, replay, state } = d;
    const x = grid.columns[rank] ?? 0;
    for (let index = 0; index < replay.ranks; index++) {
        const block = rank * replay.ranks + index;
        const leaving = d.now.leaving.has(placeKey(rank, "send", index));
        const look = leaving ? "leaving" : state.left[block] ? "moved" : "idle";
        addChip(
            d,
            `send ${rank} ${index}`,
            [x, grid.send + index * grid.rowHeight, grid.columnWidth],
            block,
            look,
        );
        addPlace(d, rank, "receive", index);
    }
    for (let index = 0; index < replay.slots; index++) addPlace(d, rank, "slot", index);
}

function addShared(d: Drawing, node: number, blocks: readonly number[]): void {
    const { grid, replay } = d;
    const width = grid.columnWidth / grid.sharedColumns;
    blocks.forEach((block, i) => {
        const leaving = d.now.leavingShared.has(`${node}.${block}`);
        const arrived = d.last.arrivingShared.has(`${node}.${block}`);
        const [x, y] = sharedPlace(replay, grid, node, i);
        addChip(
            d,
            `shared ${node} ${i}`,
            [x, y, width],
            block,
            leaving ? "leaving" : arrived ? "arrived" : "idle",
            `shared ${node} ${block}`,
        );
    });
}

// At a position (see player.ts). `share` is a block's size as a share of the largest.
export function pictureOf(
    replay: Replay,
    states: readonly State[],
    grid: Grid,
    at: number,
    share: (block: number) => number,
): Picture {
    const step = Math.floor(at / 2);
    const marked = at % 2 === 1;
    const drawing: Drawing = {
        replay,
        grid,
        state: states[step] as State,
        now: marksOf(replay, marked ? replay.steps[step] : undefined),
        last: marksOf(replay, marked ? undefined : replay.steps[step - 1]),
        origins: originsOf(
            replay,
            grid,
            states[step - 1],
            marked ? undefined : replay.steps[step - 1],
        ),
        height: share,
        picture: { chips: [], outlines: [] },
    };
    for (let rank = 0; rank < replay.ranks; rank++) addRank(drawing, rank);
    drawing.state.shared.forEach((blocks, node) => addShared(drawing, node, blocks));
    return drawing.picture;
}
