// SPDX-License-Identifier: BSD-3-Clause
// call.ts: the call that is shown: what the reader chose, the options of `shunt schedule` that say
// so, and the rows of `shunt algorithms --json`. Whether a choice is possible says the engine.
import type { Engine } from "../engine";
import { bytesOfText, randomCounts } from "./counts";
import { parametersOf, type ScheduleText } from "./schedule";

export interface Accepts {
    min?: number;
    max?: string; // a formula of P, N and Q
    list?: boolean;
    words?: string[];
    default: string;
}

export interface Algorithm {
    algorithm: string;
    alias?: string;
    operations: string[];
    accepts: Record<string, Accepts>;
    summary: string;
    when: string;
    source: string;
}

export type Sizes = "equal" | "random" | "own";

export interface Call {
    op: "alltoall" | "alltoallv";
    algorithm: string;
    parameters: Record<string, string>; // "" or absent: the preset
    layout: string; // as the command's --layout: "8", "4,4", "4x8,3", "cyclic:4x8"
    block: string; // bytes; with sizes that differ, of the largest
    sizes: Sizes;
    seed: string;
    counts: string; // own sizes: a line per rank
}

export const FIRST_CALL: Call = {
    op: "alltoall",
    algorithm: "bruck",
    parameters: {},
    layout: "8",
    block: "1",
    sizes: "equal",
    seed: "1",
    counts: "",
};

// Algorithms whose messages Shunt knows: the others are the MPI library's own.
export function hasSchedule(row: Algorithm): boolean {
    return row.algorithm !== "native" && row.algorithm !== "padded-alltoall";
}

const CYCLIC = "cyclic:";

export function isCyclic(text: string): boolean {
    return text.startsWith(CYCLIC);
}

// The same nodes, filled one after the other or dealt to in turn.
export function placed(text: string, cyclic: boolean): string {
    return (cyclic ? CYCLIC : "") + (isCyclic(text) ? text.slice(CYCLIC.length) : text);
}

// Ranks of each node.
export function layoutOf(text: string): number[] {
    return placed(text, false)
        .split(",")
        .flatMap((word) => {
            const [nodes, ranks] = word.includes("x")
                ? word.split("x").map(Number)
                : [1, Number(word)];
            return Array.from({ length: Math.min(nodes ?? 1, MOST_RANKS + 1) }, () => ranks ?? 0);
        });
}

export function ranksOf(text: string): number {
    return layoutOf(text).reduce((sum, ranks) => sum + ranks, 0);
}

// The most ranks whose data are followed: the replay keeps every state.
export const MOST_RANKS = 128;

// What is wrong with a layout that the engine would not say, or "".
export function layoutWrong(text: string): string {
    if (!/^(cyclic:)?[0-9]+(x[0-9]+)?(,[0-9]+(x[0-9]+)?)*$/.test(text) || !ranksOf(text))
        return `"${text}" is no layout: say the ranks of each node, such as 8 or 4,4 or 4x8, or cyclic:4,4`;
    if (layoutOf(text).some((ranks) => ranks < 1))
        return `"${text}" is no layout: a node has 1 rank or more`;
    if (ranksOf(text) < 2) return "one rank has nobody to exchange with: say 2 ranks or more";
    if (ranksOf(text) > MOST_RANKS)
        return `${ranksOf(text)} ranks are too many to follow each block: say ${MOST_RANKS} at most`;
    return "";
}

// Parameters that the algorithm does not have are left out: they may be those of another one.
export function algorithmText(call: Call, row: Algorithm | undefined): string {
    const given = Object.entries(call.parameters).filter(
        ([name, value]) => value !== "" && (!row || name in row.accepts),
    );
    return [call.algorithm, ...given.map(([name, value]) => `${name}=${value}`)].join(":");
}

export interface Asked {
    args: string[];
    texts: Record<string, string>;
    counts: number[][] | null; // bytes of each block, at [source][target]; null: all are equal
}

function countsOf(call: Call): number[][] | null {
    if (call.op !== "alltoallv" || call.sizes === "equal") return null;
    if (call.sizes === "random")
        return randomCounts(ranksOf(call.layout), bytesOfText(call.block), Number(call.seed));
    return call.counts
        .split("\n")
        .map((line) => line.replace(/#.*/, "").trim())
        .filter((line) => line !== "")
        .map((line) => line.split(/[\s,]+/).map(Number));
}

export function scheduleArgs(call: Call, row: Algorithm | undefined): Asked {
    const counts = countsOf(call);
    const text =
        call.sizes === "own" ? call.counts : counts?.map((line) => line.join(" ")).join("\n");
    const args = [
        "schedule",
        `--algorithm=${algorithmText(call, row)}`,
        `--op=${call.op}`,
        `--layout=${call.layout}`,
        counts ? "--counts=sizes" : `--block=${call.block}`,
        "--rank=all",
        "--json",
        "--moves",
    ];
    return { args, texts: counts ? { sizes: `${text ?? ""}\n` } : {}, counts };
}

// An algorithm's parameters for fewer ranks than they were chosen for: the engine lowers what is too
// large there.
export function fitted(
    engine: Engine,
    call: Pick<Call, "algorithm" | "op" | "layout">,
    parameters: string,
): Record<string, string> {
    const algorithm = [call.algorithm, ...parameters.split(" ").filter(Boolean)].join(":");
    const answer = engine.run([
        ...["schedule", `--algorithm=${algorithm}`, `--op=${call.op}`],
        ...[`--layout=${call.layout}`, "--rank=0", "--json"],
    ]);
    const taken =
        answer.status === 0 ? (JSON.parse(answer.out) as ScheduleText).parameters : parameters;
    const given = parametersOf(parameters);
    return Object.fromEntries([...parametersOf(taken)].filter(([name]) => given.has(name)));
}
