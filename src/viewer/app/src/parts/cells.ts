// SPDX-License-Identifier: BSD-3-Clause
// cells.ts: what the data view draws: a chip for each block, where it is, and how it looks. Numbers
// in the drawing are its own units; a rank has a column, and its buffers stand below each other.
import type { Move, Replay, Step } from "../replay/replay";
import type { Place } from "../replay/schedule";
import { EMPTY, type State } from "../replay/states";

// Idle before the first step; from then on what a step does not move is resting, and pale.
export type Look = "idle" | "leaving" | "moved" | "arrived" | "resting" | "gone";

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

// A rank has a column, in which its buffers stand beside each other: what it sends, what waits, what
// it receives. Of many ranks what waits stands below.
export interface Grid {
    width: number;
    height: number;
    columnWidth: number; // of a rank
    chipWidth: number;
    rowHeight: number;
    left: number;
    across: { send: number; slot: number; receive: number }; // from the column's x
    send: number; // tops
    slot: number;
    receive: number;
    shared: number;
    sharedColumns: number; // chips in a row of a node's memory, for each rank of the node
    columns: number[]; // of each rank: x
}

const HEAD = 104;
const GAP = 26;
const NODE_GAP = 14;
const RANK_GAP = 8;
const MOST_BESIDE = 16; // ranks with what waits beside what is sent

// Places of chips in a rank's column.
function columnOf(
    ranks: number,
    slots: number,
): Pick<Grid, "chipWidth" | "across" | "columnWidth"> {
    const beside = ranks <= MOST_BESIDE && slots > 0;
    const buffers = beside ? 3 : 2;
    const wide = ranks <= 8 ? 30 : 20;
    const chipWidth = ranks > MOST_BESIDE ? 15 : buffers === 2 ? Math.round(wide * 1.4) : wide;
    const receive = (buffers - 1) * chipWidth;
    return {
        chipWidth,
        across: { send: 0, slot: beside ? chipWidth : 0, receive },
        columnWidth: buffers * chipWidth + (ranks > MOST_BESIDE ? 4 : RANK_GAP),
    };
}

function columnsOf(replay: Replay, left: number, wide: number): { columns: number[]; end: number } {
    const columns: number[] = [];
    let x = left;
    for (const [place, rank] of replay.order.entries()) {
        const before = replay.order[place - 1];
        if (before !== undefined && replay.nodeOf[rank] !== replay.nodeOf[before]) x += NODE_GAP;
        columns[rank] = x;
        x += wide;
    }
    return { columns, end: x };
}

function sharedRows(replay: Replay, state: readonly State[], sharedColumns: number): number {
    const rows = (state[state.length - 1]?.shared ?? []).map((blocks, node) =>
        Math.ceil(blocks.length / ((replay.schedule.layout[node] ?? 1) * sharedColumns)),
    );
    return Math.max(0, ...rows);
}

export function gridOf(replay: Replay, state: State[]): Grid {
    const { ranks, slots } = replay;
    const rowHeight = ranks <= 8 ? 22 : ranks <= 16 ? 16 : 12;
    const left = 84;
    const { chipWidth, across, columnWidth } = columnOf(ranks, slots);
    const { columns, end } = columnsOf(replay, left, columnWidth);
    const beside = across.slot > 0;
    const slot = beside ? HEAD : HEAD + ranks * rowHeight + GAP;
    const rows = beside ? Math.max(ranks, slots) : ranks;
    const below = beside || slots === 0 ? HEAD + rows * rowHeight : slot + slots * rowHeight;
    const sharedColumns = ranks <= 8 ? 2 : 1;
    const many = sharedRows(replay, state, sharedColumns);
    const shared = below + GAP;
    return {
        ...{ width: end + 8, height: many > 0 ? shared + many * rowHeight + 8 : below + 8 },
        ...{ columnWidth, chipWidth, rowHeight, left, across, columns, sharedColumns },
        ...{ send: HEAD, slot, receive: HEAD, shared },
    };
}

// All places that there are, but those in shared memory.
export function placesOf(replay: Replay, grid: Grid): Outline[] {
    const [width, height] = [grid.chipWidth - 2, grid.rowHeight - 2];
    const { across } = grid;
    const column = (x: number, top: number, count: number) =>
        Array.from({ length: count }, (_, i) => ({
            x,
            y: top + i * grid.rowHeight,
            width,
            height,
        }));
    return grid.columns.flatMap((x) => [
        ...column(x + across.send, grid.send, replay.ranks),
        ...column(x + across.slot, grid.slot, replay.slots),
        ...column(x + across.receive, grid.receive, replay.ranks),
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
    const row = (kind: "send" | "slot" | "receive", index: number): Point => [
        x + grid.across[kind],
        grid[kind] + index * grid.rowHeight,
    ];
    switch (move.from.kind) {
        case "send":
        case "slot":
        case "receive":
            return row(move.from.kind, move.from.index);
        case "message":
            return row("send", -1);
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
    begun: boolean; // there is a step that the drawing is about
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
    const still = d.begun ? "resting" : "idle";
    if (place.kind === "send")
        return !d.state.left[block] ? still : d.last.leaving.has(key) ? "gone" : "moved";
    return d.last.arriving.has(key) ? "arrived" : still;
}

function addPlace(d: Drawing, rank: number, kind: "receive" | "slot", index: number): void {
    const { grid, replay, state } = d;
    const x = (grid.columns[rank] ?? 0) + grid.across[kind];
    const y = grid[kind] + index * grid.rowHeight;
    const key = placeKey(rank, kind, index);
    const block =
        kind === "slot"
            ? state.slot[rank * replay.slots + index]
            : state.receive[rank * replay.ranks + index];
    if (block !== undefined && block !== EMPTY)
        addChip(d, { kind, owner: rank, index }, [x, y, grid.chipWidth], block, key);
    if (d.now.arriving.has(key))
        d.picture.outlines.push({
            x,
            y,
            width: grid.chipWidth - 2,
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
            [x + grid.across.send, grid.send + index * grid.rowHeight, grid.chipWidth],
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
        begun: at > 0,
        height: share,
        picture: { chips: [], outlines: [] },
    };
    for (let rank = 0; rank < replay.ranks; rank++) addRank(drawing, rank);
    drawing.state.shared.forEach((blocks, node) => addShared(drawing, node, blocks));
    return drawing.picture;
}
