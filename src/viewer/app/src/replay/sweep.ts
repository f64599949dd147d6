// SPDX-License-Identifier: BSD-3-Clause
// sweep.ts: an algorithm over its radix: what one rank sends (`shunt schedule --sweep`), how long a
// call takes on a described machine (`shunt predict --sweep`), and what follows from both in words.
import type { Engine } from "../engine";
import { number, short, size } from "../parts/lines";
import { layoutWrong, ranksOf, type Algorithm, type Call } from "./call";
import { bytesOfText } from "./counts";

// Where both messages and bytes count: what the radix is for.
export const SWEEP_RANKS = "64";
export const SWEEP_BLOCK = "1K";
export const MOST_SWEPT = 4096;
export const MOST_TIMED = 128; // ranks; the model runs a call for each radix

export interface Asked {
    call: Call;
    row: Algorithm;
    ranks: number;
    block: string;
    machine: string; // "": none
}

export interface Counted {
    radix: number;
    rounds: number;
    messages: number;
    blocks: number;
}

export interface Timed {
    radix: number;
    seconds: number;
}

// Of what the radix is at most: ranks, nodes, or ranks of a node.
const most = (row: Algorithm) => row.accepts["radix"]?.max ?? "P";

// A call's own layout where that has as many ranks; else nodes of one rank, or one node where radices
// are of the ranks of a node.
function shapeArgs({ call, row, ranks }: Asked): string[] {
    const own = layoutWrong(call.layout) === "" && ranksOf(call.layout) === ranks;
    if (own) return [`--layout=${call.layout}`];
    return [`--ranks=${ranks}`, `--nodes=${most(row) === "Q" ? 1 : ranks}`];
}

export function countSweep(
    engine: Engine,
    asked: Asked,
): { csv: string; table: Counted[]; refused: string } {
    const answer = engine.run([
        ...["schedule", `--algorithm=${asked.call.algorithm}`, `--op=${asked.call.op}`],
        ...[...shapeArgs(asked), "--sweep=radix", "--csv"],
    ]);
    if (answer.status !== 0) return { csv: "", table: [], refused: answer.err.trim() };
    const lines = answer.out.trim().split("\n").slice(1);
    const table = lines.map((line) => {
        const [radix = 0, rounds = 0, messages = 0, blocks = 0] = line.split(",").map(Number);
        return { radix, rounds, messages, blocks };
    });
    return { csv: answer.out, table, refused: "" };
}

export function timeSweep(engine: Engine, asked: Asked): { times: Timed[]; refused: string } {
    const { call, ranks, block, machine } = asked;
    if (machine === "") return { times: [], refused: "" };
    if (ranks > MOST_TIMED)
        return { times: [], refused: `times are predicted for up to ${MOST_TIMED} ranks` };
    try {
        const answer = engine.json<{
            lines: { points: { radix: number; time_s: number }[] }[];
        }>([
            ...["predict", `--machine=${machine}`, `--op=${call.op}`, `--block=${block}`],
            ...[...shapeArgs(asked), `--algorithm=${call.algorithm}`, "--sweep=radix", "--json"],
        ]);
        const points = answer.lines[0]?.points ?? [];
        return {
            times: points.map((one) => ({ radix: one.radix, seconds: one.time_s })),
            refused: "",
        };
    } catch (error) {
        return { times: [], refused: error instanceof Error ? error.message : String(error) };
    }
}

export function rootOf(table: readonly Counted[]): number {
    return Math.sqrt(table.at(-1)?.radix ?? 1);
}

const sends = (row: Counted) =>
    `${number(row.messages)} ${row.messages === 1 ? "message" : "messages"} of a rank with ${number(row.blocks)} blocks in all`;

// What the counts say: the two ends, and between them.
export function countWords(table: readonly Counted[], letter: string): string {
    const [first, last] = [table[0], table.at(-1)];
    if (!first || !last || table.length < 3) return "";
    const root = rootOf(table);
    const middle = table.reduce((a, b) =>
        Math.abs(b.radix - root) < Math.abs(a.radix - root) ? b : a,
    );
    return `Radix ${first.radix}: ${sends(first)}, for most blocks are sent on several times. Radix ${last.radix}: ${sends(last)}, straight to their ranks. Near the square root of ${letter}, radix ${middle.radix}: ${sends(middle)}; no block is sent more than about twice.`;
}

// Of the radices between the two ends.
function verdict(best: number, root: number, isEnd: boolean): string {
    if (!isEnd && best >= root / 2 && best <= root * 2)
        return "The minimum lies near the square root: there neither messages nor blocks are many.";
    return best < root
        ? "With blocks as small as these the number of messages decides; larger blocks move the minimum towards the square root."
        : "With blocks as large as these the number of bytes decides; smaller blocks move the minimum towards the square root.";
}

export function timeWords(
    times: readonly Timed[],
    { block, machine }: Asked,
    table: readonly Counted[],
    letter: string,
): string {
    if (times.length < 3) return "";
    const best = times.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    const [root, end] = [rootOf(table), table.at(-1)?.radix ?? 1];
    const rooted = `${Number.isInteger(root) ? "" : "about "}${Number(root.toPrecision(2))}`;
    return `On ${machine}, with blocks of ${size(bytesOfText(block))}, radix ${best.radix} takes least, ${short(best.seconds, "s")}; the square root of ${letter} = ${end} is ${rooted}. ${verdict(best.radix, root, best === times[0] || best === times.at(-1))}`;
}
