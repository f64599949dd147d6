// SPDX-License-Identifier: BSD-3-Clause
// figures.ts: figures and tables that a command has put into the page: of a file (view.schema.json),
// and those of `shunt predict` and `shunt explain --grid`, made of what these print with --json.
import { algorithmColour, algorithmLetter, colourOf, hasColour } from "../colours";
import { DASHES, exactly, short, size, type Line } from "../parts/lines";
import type { Look } from "../parts/tiles";
import { ruleText, type Cell, type Rule } from "./map";

export interface Axis {
    name: string;
    unit?: string; // "s", "B", "J"; of bytes numbers double
}

interface Titled {
    title: string;
    caption?: string;
}

export interface LinesFigure extends Titled {
    kind: "lines";
    x: Axis;
    y: Axis;
    lines: {
        name: string;
        algorithm?: string; // whose colour it has; without it that of its name
        predicted?: boolean; // dashed
        points: [number, number][];
    }[];
}

// Texts are places in the order in which they come, numbers in their own.
export interface Tile {
    x: number | string;
    y: number | string;
    name: string; // of an algorithm, or anything
    text?: string; // in the tile, behind its letter
    hint?: string;
}

export interface TilesFigure extends Titled {
    kind: "tiles";
    x: Axis;
    y: Axis;
    tiles: Tile[];
}

// A part below 0 goes downwards.
export interface BarsFigure extends Titled {
    kind: "bars";
    x: Axis;
    y: Axis;
    bars: { name: string; parts: { name: string; value: number; hint?: string }[] }[];
}

export interface TableFigure extends Titled {
    kind: "table";
    columns: string[];
    rows: (string | number | null)[][];
}

export type Figure = LinesFigure | TilesFigure | BarsFigure | TableFigure;

// Where no name is an algorithm's, each has a colour of its place among them.
export function coloursOf(names: readonly string[]): (name: string) => string {
    const all = [...new Set(names)];
    if (all.some(hasColour)) return algorithmColour;
    return (name) => colourOf(Math.max(0, all.indexOf(name)), all.length);
}

// Lines of one colour have other dashes, and so has what is predicted.
export function linesOf(figure: LinesFigure): Line[] {
    const named = figure.lines.map((line) => line.algorithm ?? line.name);
    const colour = coloursOf(named);
    return figure.lines.map(({ name, predicted, points }, i) => {
        const own = colour(named[i] as string);
        const before = named.slice(0, i).filter((other) => colour(other) === own).length;
        const dash = DASHES[(before + (predicted ? 1 : 0)) % DASHES.length] ?? "";
        return { name, colour: own, dash, points };
    });
}

function placesOf(values: readonly (number | string)[]): (number | string)[] {
    const places = [...new Set(values)];
    return places.every((one) => typeof one === "number") ? places.sort((a, b) => a - b) : places;
}

const placeText = (value: number | string | undefined, unit: string | undefined) =>
    typeof value === "number" ? (unit === "B" ? size(value) : String(value)) : (value ?? "");

// A to Z where two entries are of one algorithm, or of none.
function lettersOf(names: readonly string[]): (name: string) => string {
    const own = names.map(algorithmLetter);
    const tells = names.every(hasColour) && new Set(own).size === names.length;
    return (name) =>
        tells ? algorithmLetter(name) : String.fromCharCode(65 + (names.indexOf(name) % 26));
}

export interface Tiles {
    cells: Cell[];
    names: string[];
    look: Look;
    columns: (number | string)[];
    rows: (number | string)[];
}

// Cells of a map whose ranks and blocks are places of the axes.
export function tilesOf(figure: TilesFigure): Tiles {
    const columns = placesOf(figure.tiles.map((tile) => tile.x));
    const rows = placesOf(figure.tiles.map((tile) => tile.y));
    const names = [...new Set(figure.tiles.map((tile) => tile.name))].sort((a, b) =>
        a.localeCompare(b, "en", { numeric: true }),
    );
    const letter = lettersOf(names);
    const byKey = new Map<string, Tile>();
    const cells = figure.tiles.map((tile) => {
        const [ranks, block] = [columns.indexOf(tile.x), rows.indexOf(tile.y)];
        byKey.set(`${ranks}.${block}`, tile);
        return {
            ...{ ranks, block, nodes: 1, algorithm: tile.name, parameters: "", rule: null },
            said: tile.hint ?? "",
        };
    });
    const column = (x: number) => placeText(columns[x], figure.x.unit);
    const row = (y: number) => placeText(rows[y], figure.y.unit);
    const look: Look = {
        ...{ across: figure.x.name, down: figure.y.name, column, row, letter },
        colour: coloursOf(names),
        text: (cell) => byKey.get(`${cell.ranks}.${cell.block}`)?.text ?? "",
        words: (cell) =>
            `${figure.x.name} ${column(cell.ranks)}, ${figure.y.name} ${row(cell.block)}: ${cell.algorithm}${cell.said ? `; ${cell.said}` : ""}`,
    };
    return { cells, names, look, columns, rows };
}

interface Setting {
    algorithm: string;
    parameters: string;
}

interface Cost {
    time_s: number;
    energy_j: number | null;
    memory: number;
    descriptors: number;
    rounds: number;
    bytes: number;
}

// As predict.schema.json has it.
export interface Predicted {
    form: "grid" | "sweep" | "curves";
    operation: "alltoall" | "alltoallv";
    machine: string;
    counts: string | null;
    distribution: string | null;
    objective: "time" | "energy" | "memory";
    asked: { ranks?: number[]; nodes?: number[]; ppn?: number; block?: number[] };
    cells?: {
        ranks: number;
        nodes: number;
        block: number;
        choice: (Setting & Cost & { speedup: number | null }) | null;
        native_time_s: number | null;
        native_energy_j: number | null;
        left_out: number;
        capped: boolean;
        better?: Setting;
    }[];
    lines?: { candidate: string; points: (Cost & { radix?: number; ranks?: number })[] }[];
    left_out?: number;
}

// As explain-grid.schema.json has it.
export interface Explained {
    operation: "alltoall" | "alltoallv";
    table: string;
    cells: {
        ranks: number;
        nodes: number;
        ppn_max: number;
        from: number;
        to: number | null;
        algorithm: string;
        parameters: string;
        rule: Rule | null;
        modelled: boolean;
    }[];
}

const CALLS = { alltoall: "MPI_Alltoall", alltoallv: "MPI_Alltoallv" } as const;
const nameOf = (one: Setting) => `${one.algorithm} ${one.parameters}`.trim();
const many = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

function callText({ machine, asked, counts, distribution }: Predicted): string {
    const few = asked.block?.length === 1 ? asked.block[0] : undefined;
    const random = distribution !== null && distribution !== "constant";
    const parts = [
        `predicted for ${machine}`,
        asked.ranks?.length === 1 ? many(asked.ranks[0] as number, "rank") : "",
        asked.nodes?.length === 1 ? `on ${many(asked.nodes[0] as number, "node")}` : "",
        asked.ppn === undefined ? "" : `${many(asked.ppn, "rank")} per node`,
        few === undefined ? "" : `blocks of ${random ? "up to " : ""}${size(few)}`,
        random ? `sizes ${distribution}` : "",
        counts === null ? "" : `sizes of ${counts}`,
    ];
    return parts.filter((one) => one !== "").join(", ");
}

type Choice = NonNullable<NonNullable<Predicted["cells"]>[number]["choice"]>;

// How good the choice is in what is to be least.
function gainText(choice: Choice, native: number | null, objective: Predicted["objective"]) {
    if (objective === "memory") return size(choice.memory);
    const gain =
        objective === "time"
            ? choice.speedup
            : native !== null && choice.energy_j
              ? native / choice.energy_j
              : null;
    return gain === null ? "" : `${gain.toFixed(gain < 99.5 ? 1 : 0)}×`;
}

const MEANINGS = {
    time: "3.1×: times as fast as native",
    energy: "3.1×: native takes as many times the energy",
    memory: "64 B: scratch memory of a rank; native has none of ours",
} as const;

const UNKNOWN = "too many messages to predict";
const NONE = "none is within the caps";

function gridTile(predicted: Predicted, across: "ranks" | "nodes", cell: GridCell): Tile {
    const { choice, better } = cell;
    const at = { x: cell[across], y: cell.block };
    if (!choice)
        return {
            ...at,
            name: cell.native_time_s === null ? UNKNOWN : NONE,
            ...(better ? { hint: `the best: ${nameOf(better)}` } : {}),
        };
    const above = better && cell.capped ? `; better, but above the caps: ${nameOf(better)}` : "";
    const gain = gainText(choice, cell.native_energy_j, predicted.objective);
    return {
        ...at,
        name: choice.algorithm,
        text: `${gain}${above ? "!" : ""}`,
        hint: `${nameOf(choice)}, ${short(choice.time_s, "s")}${above}`,
    };
}
type GridCell = NonNullable<Predicted["cells"]>[number];

function gridFigure(predicted: Predicted, cells: GridCell[]): TilesFigure {
    const across = (predicted.asked.nodes?.length ?? 0) > 1 ? "nodes" : "ranks";
    const left = cells.filter((one) => one.left_out > 0 && one.native_time_s !== null).length;
    const notes = [
        callText(predicted),
        MEANINGS[predicted.objective],
        cells.some((one) => one.choice && one.capped)
            ? "!: something better is above the caps"
            : "",
        left > 0 ? `in ${many(left, "call")} some settings have too many messages to predict` : "",
    ];
    return {
        kind: "tiles",
        title: `${CALLS[predicted.operation]}: the algorithm of least ${predicted.objective}`,
        caption: notes.filter((one) => one !== "").join(". "),
        x: { name: across },
        y: { name: "bytes of a block", unit: "B" },
        tiles: cells.map((cell) => gridTile(predicted, across, cell)),
    };
}

const MEASURES = {
    time_s: { name: "time", unit: "s" },
    energy_j: { name: "energy", unit: "J" },
    memory: { name: "memory", unit: "B" },
    descriptors: { name: "descriptors", unit: "B" },
    rounds: { name: "rounds", unit: "" },
    bytes: { name: "bytes sent", unit: "B" },
} as const;
const OF_RADIX = ["time_s", "energy_j", "memory", "rounds", "bytes"] as const;
const OF_RANKS = ["time_s", "energy_j", "descriptors"] as const;

// What is not known of any point has no figure.
function lineFigures(predicted: Predicted, lines: NonNullable<Predicted["lines"]>): LinesFigure[] {
    const across = predicted.form === "sweep" ? "radix" : "ranks";
    const left = predicted.left_out ?? 0;
    const caption = `${callText(predicted)}${left > 0 ? `. Left out: ${many(left, "point")}, which cannot be served or have too many messages` : ""}`;
    return (across === "radix" ? OF_RADIX : OF_RANKS)
        .filter((key) => lines.some((line) => line.points.some((point) => point[key] !== null)))
        .map((key) => ({
            kind: "lines",
            title: `${CALLS[predicted.operation]}: ${MEASURES[key].name} over the ${across}`,
            caption,
            x: { name: across },
            y: MEASURES[key],
            lines: lines.map((line) => ({
                name: line.candidate,
                points: line.points.map((point): [number, number] => [
                    point[across] ?? 0,
                    point[key] ?? 0,
                ]),
            })),
        }));
}

export function predictedFigures(predicted: Predicted): Figure[] {
    if (predicted.cells) return [gridFigure(predicted, predicted.cells)];
    return lineFigures(predicted, predicted.lines ?? []);
}

// "16 bytes to 4 KiB".
function rangeText(from: number, to: number | null): string {
    if (to === null) return `${exactly(from)} and more`;
    return from === to ? exactly(from) : `${exactly(from)} to ${exactly(to)}`;
}

export function explainedFigures({ operation, table, cells }: Explained): Figure[] {
    const shapes = new Set(cells.map((cell) => `${cell.ranks} ${cell.nodes}`));
    const across =
        new Set(cells.map((cell) => cell.ranks)).size === shapes.size ? "ranks" : "nodes";
    const ppn = new Set(cells.map((cell) => cell.ppn_max));
    return [
        {
            kind: "tiles",
            title: `${CALLS[operation]}: the rule that decides`,
            caption: `${table}${ppn.size === 1 ? `, ${many([...ppn][0] as number, "rank")} per node` : ""}`,
            x: { name: across },
            y: { name: "bytes of a block" },
            tiles: cells.map((cell) => ({
                x: cell[across],
                y: rangeText(cell.from, cell.to),
                name: `${nameOf(cell)}, ${cell.modelled ? "the model" : ruleText(cell.rule)}`,
            })),
        },
    ];
}
