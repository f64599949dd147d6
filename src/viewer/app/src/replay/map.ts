// SPDX-License-Identifier: BSD-3-Clause
// map.ts: what decides which calls: a table's rules (`shunt explain --grid`), the model's winners
// (`shunt predict`) or an MPI library by itself, for the same calls, as cells of one form.
import type { Data, Image } from "../data";
import type { Engine } from "../engine";
import { LIBRARIES } from "./libraries";

export interface Rule {
    file: string;
    line?: number;
    id: string | null;
}

export interface Cell {
    ranks: number;
    nodes: number;
    block: number;
    algorithm: string;
    parameters: string;
    rule: Rule | null;
    said: string; // what else there is to say of the decision
}

export interface Question {
    op: "alltoall" | "alltoallv";
    ppn: string; // ranks of each node; "": all on one node
    most: number; // ranks at most
    blocks: string; // "1-1M"
    oversubscribed: boolean; // more ranks than processors; of rules alone
}

// As the address and the drawing name a cell.
export const keyOf = (cell: Cell) => `${cell.ranks}.${cell.block}`;

// Cells of `second` that decide otherwise than the same cells of `first`, by their names.
export function othersOf(first: readonly Cell[], second: readonly Cell[]): Map<string, Cell> {
    const text = (cell: Cell) => `${cell.algorithm} ${cell.parameters}`;
    const known = new Map(first.map((cell) => [keyOf(cell), text(cell)]));
    const others = second.filter((cell) => {
        const before = known.get(keyOf(cell));
        return before !== undefined && before !== text(cell);
    });
    return new Map(others.map((cell) => [keyOf(cell), cell]));
}

interface GridCell {
    ranks: number;
    nodes: number;
    from: number;
    algorithm: string;
    parameters: string;
    rule: Rule | null;
    reason?: string | null;
    modelled: boolean;
}

interface PredictedCell {
    ranks: number;
    nodes: number;
    block: number;
    choice: { algorithm: string; parameters: string; time_s: number; speedup: number } | null;
}

// 2, 4, 8, ... ranks of one node; or 1, 2, 4, ... nodes.
export function shapeArgs(question: Question): string[] {
    if (question.ppn === "") return ["--nodes=1", `--ranks=2-${Math.max(2, question.most)}`];
    const nodes = Math.max(1, Math.floor(question.most / Number(question.ppn)));
    return [`--ppn=${question.ppn}`, `--nodes=1-${nodes}`];
}

export const MODEL = "model: ";
export const LIBRARY = "library: ";
export const BUILT_IN = "built-in";
export const BUILT_IN_LABEL = "the built-in table";

export const isTable = (source: string) => !source.startsWith(MODEL) && !source.startsWith(LIBRARY);

export interface Source {
    value: string; // in the address, and for mapOf
    label: string;
}

const fileOf = (path: string) => path.split("/").at(-1) ?? path;

// Under the name of its machine, if it has one.
function tableLabel(table: Image): string {
    if (table.path === BUILT_IN) return BUILT_IN_LABEL;
    const file = fileOf(table.path) || table.name;
    return table.machine ? `${table.machine} (${file})` : file;
}

// What has decisions: tables, those of the MPI libraries, models of machines. Two of one label have
// their names behind it.
export function sourcesOf(given: Pick<Data, "tables" | "machines">): Source[] {
    const tables = given.tables.map((one) => ({ value: one.name, label: tableLabel(one) }));
    const hasBuiltIn = given.tables.some((one) => one.path === BUILT_IN);
    const builtIn = hasBuiltIn ? [] : [{ value: BUILT_IN, label: BUILT_IN_LABEL }];
    const others = [
        ...LIBRARIES.map((one) => ({ value: LIBRARY + one.name, label: `${one.name} by itself` })),
        ...given.machines.map((one) => ({ value: MODEL + one.name, label: MODEL + one.name })),
    ];
    return [...tables, ...builtIn, ...others].map((one, i, all) => {
        const twice = all.some((other, k) => k !== i && other.label === one.label);
        return twice ? { ...one, label: `${one.label}, ${one.value}` } : one;
    });
}

const crowd = (question: Question) => [`--oversubscribed=${String(question.oversubscribed)}`];

// The calls are those of any table's map.
function libraryMap(engine: Engine, question: Question, name: string): Cell[] {
    const library = LIBRARIES.find((one) => one.name === name);
    if (!library) throw new Error(`nothing is known of the decisions of ${name}`);
    return mapOf(engine, question, BUILT_IN).map((cell) => ({
        ...cell,
        ...library.choose(question.op, cell.ranks, cell.block),
        rule: null,
    }));
}

// `source` is a table of the page, "built-in", "library: " and an MPI library, or "model: " and a
// machine of the page.
export function mapOf(engine: Engine, question: Question, source: string): Cell[] {
    if (source.startsWith(LIBRARY))
        return libraryMap(engine, question, source.slice(LIBRARY.length));
    const args = [
        `--op=${question.op}`,
        ...shapeArgs(question),
        `--block=${question.blocks}`,
        "--json",
    ];
    if (!source.startsWith(MODEL))
        return engine
            .json<{ cells: GridCell[] }>(["explain", "--grid", ...args, ...crowd(question), source])
            .cells.map((cell) => ({
                ...cell,
                block: cell.from,
                said: cell.modelled ? "the model chose it" : (cell.reason ?? ""),
            }));
    return predicted(engine, source, args);
}

function predicted(engine: Engine, source: string, args: readonly string[]): Cell[] {
    const machine = source.slice(MODEL.length);
    return engine
        .json<{ cells: PredictedCell[] }>(["predict", `--machine=${machine}`, ...args])
        .cells.map((cell) => ({
            ranks: cell.ranks,
            nodes: cell.nodes,
            block: cell.block,
            algorithm: cell.choice?.algorithm ?? "none",
            parameters: cell.choice?.parameters ?? "",
            rule: null,
            said: cell.choice
                ? `predicted ${(cell.choice.time_s * 1e6).toPrecision(3)} µs, ${cell.choice.speedup.toPrecision(3)} times as fast as native`
                : "nothing is allowed",
        }));
}

// The model takes seconds for a call of some hundred ranks: beyond the first number a map is made in
// parts, between which the page answers, and beyond the second it would take longer than anybody
// waits.
const AT_ONCE = 128;
export const MODEL_RANKS = 1024;

export const takesLong = (question: Question, source: string) =>
    source.startsWith(MODEL) && question.most > AT_ONCE;

export interface Part {
    calls: number; // of `of`
    of: number;
    make(): Cell[];
}

function partOf(engine: Engine, question: Question, source: string, cells: readonly Cell[]) {
    const [{ ranks, nodes }] = cells as [Cell];
    const shape =
        question.ppn === ""
            ? ["--nodes=1", `--ranks=${ranks}`]
            : [`--ppn=${question.ppn}`, `--nodes=${nodes}`];
    const blocks = cells.map((one) => one.block).join(",");
    return () =>
        predicted(engine, source, [`--op=${question.op}`, ...shape, `--block=${blocks}`, "--json"]);
}

// The map of a model, the quick calls first; an Error where that would take too long.
export function partsOf(engine: Engine, question: Question, source: string): Part[] {
    if (question.most > MODEL_RANKS)
        throw new Error(
            `the model of ${question.most} ranks takes minutes in a browser: ` +
                `say ${MODEL_RANKS} ranks at most here, or let "shunt predict --html" draw the map`,
        );
    const all = mapOf(engine, question, BUILT_IN).sort((a, b) => a.ranks - b.ranks);
    const parts: Part[] = [];
    for (let at = 0; at < all.length;) {
        // Two calls or three: one alone would be asked in another form.
        const column = all.slice(at).filter((one) => one.ranks === all[at]?.ranks);
        const cells = column.length <= 3 ? column : column.slice(0, 2);
        at += cells.length;
        parts.push({ calls: at, of: all.length, make: partOf(engine, question, source, cells) });
    }
    return parts;
}

interface Explained {
    rule: Rule | null;
    reason?: string | null;
    others: { rule: Rule; reason: string }[];
}

// Why the rules before the one that takes the call do not.
export function reasonsOf(engine: Engine, question: Question, cell: Cell, table: string): string[] {
    const { others } = engine.json<Explained>([
        "explain",
        `--op=${question.op}`,
        `--ranks=${cell.ranks}`,
        `--nodes=${cell.nodes}`,
        `--block=${cell.block}`,
        ...crowd(question),
        "--json",
        table,
    ]);
    const before = others.filter(
        (one) => !cell.rule || (one.rule.line ?? 0) <= (cell.rule.line ?? 0),
    );
    return before.map((one) => `${ruleText(one.rule)}: ${one.reason}`);
}

export function ruleText(rule: Rule | null): string {
    if (!rule) return "no rule";
    const where = rule.line ? `${rule.file}:${rule.line}` : rule.file;
    return rule.id ? `${where} "${rule.id}"` : where;
}

// "radix=2 batch_size=8" as the parameters of a call that is opened.
export function layoutText(cell: Pick<Cell, "ranks" | "nodes">): string {
    return Array.from({ length: cell.nodes }, () => cell.ranks / cell.nodes).join(",");
}

export type Layout = Pick<Question, "op" | "ppn" | "most">;

// Where a table has something to show: the first of these of whose cells a tenth is not native.
const OPS = ["alltoall", "alltoallv"] as const;
const NODES = 512;
const RANKS = 512;
const PPNS = ["", "64", "32", "48", "16", "8", "4"];
const ENOUGH = 0.1;

function shareOf(engine: Engine, layout: Layout, source: string): number {
    const asked = { ...layout, blocks: "1-256K", oversubscribed: false };
    const cells = mapOf(engine, asked, source);
    return cells.filter((one) => one.algorithm !== "native").length / Math.max(1, cells.length);
}

// What the reader has chosen of it stays.
export function firstLayout(
    engine: Engine,
    source: string,
    chosen: { op?: Question["op"] | undefined; ppn?: string | undefined },
): Layout {
    const layouts = (chosen.ppn === undefined ? PPNS : [chosen.ppn]).flatMap((ppn) =>
        (chosen.op ? [chosen.op] : OPS).map((op) => ({
            op,
            ppn,
            most: chosen.ppn === undefined && ppn !== "" ? NODES * Number(ppn) : mostOf(ppn),
        })),
    );
    let [best, share] = [layouts[0] as Layout, 0];
    if (!isTable(source)) return best;
    for (const layout of layouts) {
        const here = shareOf(engine, layout, source);
        if (here > share) [best, share] = [layout, here];
        if (share >= ENOUGH) break;
    }
    return best;
}

// Ranks at most, where nobody says how many.
export function mostOf(ppn: string): number {
    return ppn === "" ? 128 : RANKS;
}
