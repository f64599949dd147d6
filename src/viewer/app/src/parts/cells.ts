// SPDX-License-Identifier: BSD-3-Clause
// cells.ts: what the data view draws: a chip for each block, where it is, and how it looks. Numbers
// in the drawing are its own units; a rank has a column, and its buffers stand below each other.
import type { Move, Replay, Step } from "../replay/replay";
import type { Place } from "../replay/schedule";
import { EMPTY, type State } from "../replay/states";

export type Look = "idle" | "leaving" | "moved" | "arrived";

// A picture has thousands of chips and is made anew for each half step, so it has no strings that
// only drawings with an element for each chip need: placeName makes those.
export interface Chip {
    kind: Kind;
    owner: number; // rank; of shared memory the node
    index: number; // in the buffer
    x: number;
    y: number;
    width: number;
    height: number;
    block: number;
    look: Look;
    glide: [number, number] | null; // of what has just arrived: from there to here
}

export type Kind = "send" | "receive" | "slot" | "shared";

// "receive 3 1": of rank 3, from rank 1; for tests and readers of the drawing.
export function placeName(chip: Chip): string {
    return `${chip.kind} ${chip.owner} ${chip.index}`;
}

export interface Outline {
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

// All places that there are, but those in shared memory.
export function placesOf(replay: Replay, grid: Grid): Outline[] {
    const [width, height] = [grid.columnWidth - 2, grid.rowHeight - 2];
    const column = (x: number, top: number, count: number) =>
        Array.from({ length: count }, (_, i) => ({
            x,
            y: top + i * grid.rowHeight,
            width,
            height,
        }));
    return grid.columns.flatMap((x) => [
        ...column(x, grid.send, replay.ranks),
        ...column(x, grid.slot, replay.slots),
        ...column(x, grid.receive, replay.ranks),
    ]);
}

const CODES: Record<string, number> = { send: 0, receive: 1, slot: 2, shared: 3 };

// A number for each place of a rank, or for each block in a node's memory: where a move begins or
// ends.
function placeKey(owner: number, kind: string, index: number): number {
    return ((CODES[kind] ?? 4) * 256 + owner) * 65536 + index;
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
): Map<number, Point> {
    const origins = new Map<number, Point>();
    for (const move of step?.moves ?? []) {
        if (!arrives(move)) continue;
        const origin = originOf(replay, grid, before, move);
        if (origin) origins.set(targetKey(replay, move), origin);
    }
    return origins;
}

function arrives(move: Move): move is Move & { to: Place } {
    return move.to !== null;
}

function targetKey(replay: Replay, move: Move & { to: Place }): number {
    const { kind, index } = move.to;
    return kind === "shared"
        ? placeKey(replay.nodeOf[move.toRank] ?? 0, kind, move.block)
        : placeKey(move.toRank, kind, index);
}

interface Marks {
    leaving: Set<number>; // places
    arriving: Set<number>;
}

function marksOf(replay: Replay, step: Step | undefined): Marks {
    const marks: Marks = { leaving: new Set(), arriving: new Set() };
    for (const move of step?.moves ?? []) {
        const { kind, index } = move.from;
        marks.leaving.add(
            kind === "shared"
                ? placeKey(replay.nodeOf[move.fromRank] ?? 0, kind, move.block)
                : placeKey(move.fromRank, kind, index),
        );
        if (arrives(move)) marks.arriving.add(targetKey(replay, move));
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
    origins: Map<number, Point>;
    height: (block: number) => number;
    picture: Picture;
}

// `key` is that of marks.
function addChip(
    d: Drawing,
    place: Pick<Chip, "kind" | "owner" | "index">,
    at: [number, number, number],
    block: number,
    key: number,
): void {
    const [x, y, width] = at;
    const look = lookOf(d, place, block, key);
    const from = look === "arrived" ? d.origins.get(key) : undefined;
    const full = d.grid.rowHeight - 2;
    const height = Math.max(2, full * d.height(block));
    d.picture.chips.push({
        ...place,
        x,
        y: y + full - height,
        width: width - 2,
        height,
        block,
        look,
        glide: from ? [from[0] - x, from[1] - y] : null,
    });
}

function lookOf(d: Drawing, place: Pick<Chip, "kind">, block: number, key: number): Look {
    if (d.now.leaving.has(key)) return "leaving";
    if (place.kind === "send") return d.state.left[block] ? "moved" : "idle";
    return d.last.arriving.has(key) ? "arrived" : "idle";
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
    if (block !== undefined && block !== EMPTY)
        addChip(d, { kind, owner: rank, index }, [x, y, grid.columnWidth], block, key);
    if (d.now.arriving.has(key))
        d.picture.outlines.push({
            x,
            y,
            width: grid.columnWidth - 2,
            height: grid.rowHeight - 2,
        });
}

function addRank(d: Drawing, rank: number): void {
    const { grid, replay } = d;
    const x = grid.columns[rank] ?? 0;
    for (let index = 0; index < replay.ranks; index++) {
        addChip(
            d,
            { kind: "send", owner: rank, index },
            [x, grid.send + index * grid.rowHeight, grid.columnWidth],
            rank * replay.ranks + index,
            placeKey(rank, "send", index),
        );
        addPlace(d, rank, "receive", index);
    }
    for (let index = 0; index < replay.slots; index++) addPlace(d, rank, "slot", index);
}

function addShared(d: Drawing, node: number, blocks: readonly number[]): void {
    const { grid, replay } = d;
    const width = grid.columnWidth / grid.sharedColumns;
    blocks.forEach((block, index) => {
        const [x, y] = sharedPlace(replay, grid, node, index);
        const place = { kind: "shared" as const, owner: node, index };
        addChip(d, place, [x, y, width], block, placeKey(node, "shared", block));
    });
}

// At a position (see player.ts). `share` is a block's size as a share of the largest; `glides`: what
// has arrived says where it came from.
export function pictureOf(
    replay: Replay,
    states: readonly State[],
    grid: Grid,
    at: number,
    share: (block: number) => number,
    glides: boolean,
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
            marked || !glides ? undefined : replay.steps[step - 1],
        ),
        height: share,
        picture: { chips: [], outlines: [] },
    };
    for (let rank = 0; rank < replay.ranks; rank++) addRank(drawing, rank);
    drawing.state.shared.forEach((blocks, node) => addShared(drawing, node, blocks));
    return drawing.picture;
}
