// SPDX-License-Identifier: BSD-3-Clause
// map.ts: what decides which calls: a table's rules (`shunt explain --grid`) or the model's winners
// (`shunt predict`), for the same calls, as cells of one form.
import type { Engine } from "../engine";

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

const crowd = (question: Question) => [`--oversubscribed=${String(question.oversubscribed)}`];

// `source` is a table of the page, "built-in", or "model: " and a machine of the page.
export function mapOf(engine: Engine, question: Question, source: string): Cell[] {
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
