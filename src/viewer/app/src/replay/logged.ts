// SPDX-License-Identifier: BSD-3-Clause
// logged.ts: calls of logs: those that `shunt view` embedded, and those of files that the reader
// opens in the page, with the sizes of their blocks where the log has them.
import type { Question } from "./map";

export interface LoggedKind {
    operation: "alltoall" | "alltoallv";
    ranks?: number;
    nodes?: number;
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

export interface WholeCall {
    name: string; // communicator and number
    operation: string;
    algorithm: string;
    parameters: string;
    counts: number[][];
}

interface Line {
    event?: string;
    rank?: number;
    call?: number;
    communicator_id?: string;
    operation?: string;
    algorithm?: string;
    parameters?: string | null;
    send_bytes?: number[];
}

// Calls of which the log has the sizes of every rank. A line that is no JSON is passed over and
// counted: a log may end in the middle of one.
export function wholeCalls(texts: readonly string[]): { calls: WholeCall[]; broken: number } {
    const found = new Map<string, { line: Line; rows: Map<number, number[]> }>();
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
            if (line.event !== "call" || !line.send_bytes) continue;
            const name = `${line.communicator_id ?? ""} call ${line.call ?? 0}`;
            const known = found.get(name) ?? { line, rows: new Map<number, number[]>() };
            known.rows.set(line.rank ?? rank, line.send_bytes);
            found.set(name, known);
        }
    }
    const calls: WholeCall[] = [];
    for (const [name, { line, rows }] of found) {
        const ranks = line.send_bytes?.length ?? 0;
        const counts = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
        if (counts.length !== ranks || counts.some((row) => row.length !== ranks)) continue;
        calls.push({
            name,
            operation: line.operation ?? "alltoallv",
            algorithm: line.algorithm ?? "native",
            parameters: line.parameters ?? "",
            counts,
        });
    }
    return { calls, broken };
}
