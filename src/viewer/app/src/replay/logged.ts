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
    calls: number;
    seconds: number;
}

// Those kinds of calls that the map's question is about.
export function dotsOf(kinds: readonly LoggedKind[], question: Question) {
    return kinds
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
            text: `${one.calls} calls of ${one.ranks} ranks, blocks of up to ${one.largest} bytes: ${one.algorithm}`,
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
