// SPDX-License-Identifier: BSD-3-Clause
// logged.ts: calls of logs: those that `shunt view` embedded, and those of files that the reader
// opens in the page, with the sizes of their blocks where the log has them.
import type { WholeLogged } from "../data";
import { layoutText, type Question } from "./map";

export interface LoggedKind {
    operation: "alltoall" | "alltoallv";
    ranks?: number;
    nodes?: number;
    layout?: number[];
    largest?: number;
    mean?: number;
    algorithm: string;
    parameters: string | null;
    rule?: { file: string; line?: number; id: string | null } | null;
    reason?: string | null;
    calls: number; // of single ranks
    seconds: number;
}

// A row of the page: calls of all their ranks together. `whole` says that: the log has each call as
// often as it has ranks.
export interface LoggedRow extends LoggedKind {
    smallest?: number | undefined; // the least of the largest blocks
    whole: boolean;
}

function alike(kind: LoggedKind): string {
    const { operation, ranks, nodes, layout, algorithm, parameters, rule, reason } = kind;
    return JSON.stringify([operation, ranks, nodes, layout, algorithm, parameters, rule, reason]);
}

// As the command does: powers of two.
const sizeClass = (kind: LoggedKind) =>
    kind.largest === undefined ? "?" : String(Math.floor(Math.log2(Math.max(1, kind.largest))));

function gathered(kinds: readonly LoggedKind[], key: (kind: LoggedKind) => string) {
    const groups = new Map<string, LoggedKind[]>();
    for (const kind of kinds) groups.set(key(kind), [...(groups.get(key(kind)) ?? []), kind]);
    return [...groups.values()];
}

const sum = (kinds: readonly LoggedKind[], of: (kind: LoggedKind) => number) =>
    kinds.reduce((all, one) => all + of(one), 0);

function isWhole(kinds: readonly LoggedKind[]): boolean {
    const ranks = kinds[0]?.ranks ?? 0;
    return ranks > 0 && sum(kinds, (one) => one.calls) % ranks === 0;
}

function rowOf(kinds: readonly LoggedKind[]): LoggedRow {
    const first = kinds[0] as LoggedKind;
    const sizes = kinds.flatMap((one) => (one.largest === undefined ? [] : [one.largest]));
    const calls = sum(kinds, (one) => one.calls);
    const row: LoggedRow = {
        ...first,
        calls,
        seconds: sum(kinds, (one) => one.seconds),
        whole: isWhole(kinds),
    };
    if (kinds.every((one) => one.mean !== undefined))
        row.mean = sum(kinds, (one) => (one.mean ?? 0) * one.calls) / Math.max(1, calls);
    if (sizes.length > 0)
        Object.assign(row, { largest: Math.max(...sizes), smallest: Math.min(...sizes) });
    return row;
}

// One call is in one row. A log has a line of each rank, and the command adds up those that are
// alike for a rank: by what the rank sends, and where the ranks did not agree on the largest block,
// as in native calls, by its own. So rows are by the largest block where that parts whole calls from
// each other, and else together.
export function rowsOf(kinds: readonly LoggedKind[]): LoggedRow[] {
    return gathered(kinds, alike)
        .flatMap((group) => {
            const classes = gathered(group, sizeClass);
            return isWhole(group) && !classes.every(isWhole) ? [group] : classes;
        })
        .map(rowOf)
        .sort((a, b) => b.seconds - a.seconds);
}

// "3,2,1", or how many nodes: nobody reads a list of thousands, and no browser shows many of them.
const LISTED = 16;

export function nodesText(kind: Pick<LoggedKind, "nodes" | "layout">): string {
    const { nodes, layout } = kind;
    if (!layout) return nodes === undefined ? "?" : String(nodes);
    if (layout.length <= LISTED) return layout.join(",");
    return `${layout.length}, unequal`;
}

export function callsText(row: LoggedRow): string {
    const count = row.whole ? row.calls / (row.ranks ?? 1) : row.calls;
    return `${count} ${count === 1 ? "call" : "calls"}${row.whole ? "" : " of single ranks"}`;
}

// Those kinds of calls that the map's question is about.
export function dotsOf(kinds: readonly LoggedKind[], question: Question) {
    return rowsOf(kinds)
        .filter(
            (one) =>
                one.operation === question.op &&
                one.ranks !== undefined &&
                one.largest !== undefined &&
                (question.ppn === ""
                    ? (one.nodes ?? 1) === 1
                    : one.ranks === Number(question.ppn) * (one.nodes ?? 1)),
        )
        .map((one) => ({
            ranks: one.ranks ?? 1,
            block: one.largest ?? 1,
            text: `${callsText(one)} of ${one.ranks} ranks, blocks of up to ${one.largest} bytes: ${one.algorithm}`,
        }));
}

// As the log has the nodes; else of equal size, where that can be; else one.
export function layoutOfKind(kind: Pick<LoggedKind, "ranks" | "nodes" | "layout">): string {
    const ranks = kind.ranks ?? 2;
    if (kind.layout?.reduce((sum, one) => sum + one, 0) === ranks) return kind.layout.join(",");
    const nodes = kind.nodes && ranks % kind.nodes === 0 ? kind.nodes : 1;
    return layoutText({ ranks, nodes });
}

export interface WholeCall {
    name: string; // communicator and number
    operation: string;
    algorithm: string;
    parameters: string;
    layout: string;
    counts: number[][];
}

// "0 to 224 bytes": of the blocks of a call with all its sizes.
export function sizesText(counts: readonly (readonly number[])[]): string {
    const least = Math.min(...counts.map((row) => Math.min(...row)));
    const most = Math.max(...counts.map((row) => Math.max(...row)));
    return least === most ? `${most} bytes` : `${least} to ${most} bytes`;
}

const nameOf = (communicator: string, id: string, call: number) =>
    `${communicator || id || "a communicator"}, call ${call}`;

// Those that `shunt view` has put into the page.
export function wholeOf(embedded: readonly WholeLogged[]): WholeCall[] {
    return embedded.map((one) => ({
        name: nameOf(one.communicator, one.communicator_id, one.call),
        operation: "alltoallv",
        algorithm: one.algorithm,
        parameters: one.parameters,
        layout: layoutOfKind({ ranks: one.send_bytes.length, layout: one.layout ?? [] }),
        counts: one.send_bytes,
    }));
}

interface Line {
    event?: string;
    rank?: number;
    call?: number;
    communicator?: string;
    communicator_id?: string;
    layout?: number[];
    operation?: string;
    algorithm?: string;
    parameters?: string | null;
    send_bytes?: number[];
}

// Calls of which the log has the sizes of every rank. A line that is no JSON is passed over and
// counted: a log may end in the middle of one.
export function wholeCalls(texts: readonly string[]): { calls: WholeCall[]; broken: number } {
    const found = new Map<string, { line: Line; rows: Map<number, number[]> }>();
    const layouts = new Map<string, number[]>();
    let broken = 0;
    for (const text of texts) {
        let rank = 0;
        for (const one of text.split("\n")) {
            if (one.trim() === "") continue;
            let line: Line;
            try {
                line = JSON.parse(one) as Line;
            } catch {
                broken++;
                continue;
            }
            if (line.event === "header") rank = line.rank ?? 0;
            if (line.event === "communicator" && line.layout)
                layouts.set(line.communicator_id ?? "", line.layout);
            if (line.event !== "call" || !line.send_bytes) continue;
            const name = `${line.communicator_id ?? ""} call ${line.call ?? 0}`;
            const known = found.get(name) ?? { line, rows: new Map<number, number[]>() };
            known.rows.set(line.rank ?? rank, line.send_bytes);
            found.set(name, known);
        }
    }
    const calls: WholeCall[] = [];
    for (const { line, rows } of found.values()) {
        const ranks = line.send_bytes?.length ?? 0;
        const counts = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
        if (counts.length !== ranks || counts.some((row) => row.length !== ranks)) continue;
        calls.push({
            name: nameOf(line.communicator ?? "", line.communicator_id ?? "", line.call ?? 0),
            operation: line.operation ?? "alltoallv",
            algorithm: line.algorithm ?? "native",
            parameters: line.parameters ?? "",
            layout: layoutOfKind({ ranks, layout: layouts.get(line.communicator_id ?? "") ?? [] }),
            counts,
        });
    }
    return { calls, broken };
}
