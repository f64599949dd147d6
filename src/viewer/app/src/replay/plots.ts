// SPDX-License-Identifier: BSD-3-Clause
// plots.ts: figures of a report: ranks, sizes, the run over time, and the table with its calls.
import { exactly, number, size } from "../parts/lines";
import type { BarsFigure, Tile, TilesFigure } from "./figures";
import {
    seconds,
    sizesText,
    whyText,
    type Operation,
    type Report,
    type Row,
    type Worst,
} from "./report";

// Upwards how late the rank comes, downwards how long it waits.
export function arrivalsFigure({ arrivals }: Report): BarsFigure | null {
    if (!arrivals) return null;
    const part = (name: "late" | "waits", worst: Worst | undefined, sign: number) =>
        worst
            ? [
                  {
                      name,
                      value: sign * worst.seconds,
                      hint:
                          name === "late"
                              ? `rank ${worst.rank} comes ${seconds(worst.seconds)} after the first, on average`
                              : `rank ${worst.rank} waits ${seconds(worst.seconds)}, on average`,
                  },
              ]
            : [];
    return {
        kind: "bars",
        title: "Late and waiting ranks",
        caption: `Upwards: comes so long after the first rank, on average; downwards: waits so long for the last one.${arrivals.ranks > 1 ? ` The worst of ${arrivals.ranks} ranks each.` : ""}`,
        x: { name: arrivals.ranks > 1 ? "rank, and those after it" : "rank" },
        y: { name: "seconds of a call", unit: "s" },
        bars: arrivals.late_means.map((late, i) => ({
            name: String(i * arrivals.ranks),
            parts: [...part("late", late, 1), ...part("waits", arrivals.wait_means[i], -1)],
        })),
    };
}

// Powers of two, as the classes of the report; 0 is one of its own.
const classOf = (bytes: number) => (bytes < 1 ? 0 : Math.floor(Math.log2(bytes)) + 1);
const leastOf = (one: number) => (one === 0 ? 0 : 2 ** (one - 1));

export function sizesFigures(report: Report): BarsFigure[] {
    return (["alltoall", "alltoallv"] as const).flatMap((operation) => {
        const rows = report.rows.filter((row) => row.operation === operation);
        const told = rows.filter((row) => row.from !== undefined);
        if (told.length === 0) return [];
        const places = told.map((row) => classOf(row.from ?? 0));
        const [first, last] = [Math.min(...places), Math.max(...places)];
        const calls = (place: number, routed: boolean) =>
            told
                .filter((row, i) => places[i] === place && (row.gain !== undefined) === routed)
                .reduce((sum, row) => sum + row.calls, 0);
        const unknown = rows.reduce(
            (sum, row) => sum + (row.from === undefined ? row.calls : 0),
            0,
        );
        const bars = Array.from({ length: last - first + 1 }, (_, i) => {
            const parts = (["routed", "native"] as const)
                .map((name) => ({ name, value: calls(first + i, name === "routed") }))
                .filter((one) => one.value > 0)
                .map((one) => ({ ...one, hint: `${number(one.value)} calls ${one.name}` }));
            return { name: size(leastOf(first + i)), parts };
        });
        return [
            {
                kind: "bars",
                title: `Calls of ${operation} by size of the largest block`,
                caption:
                    unknown > 0
                        ? `Besides calls of which the log does not tell the largest block, as before set-up: ${number(unknown)}`
                        : "",
                x: { name: "bytes, this and up to twice as many" },
                y: { name: "calls" },
                bars,
            },
        ];
    });
}

// What part of their time ranks were in calls, of each bin.
export function sharesFigure({ timeline, sums: all }: Report): BarsFigure | null {
    if (!timeline) return null;
    const whole = timeline.width * Math.max(1, all.ranks);
    return {
        kind: "bars",
        title: "Share of the ranks' time in all-to-all",
        x: { name: "time since the start", unit: "s" },
        y: { name: "share", unit: "%" },
        bars: timeline.routed_seconds.map((routed, i) => {
            const before = timeline.warm_up_seconds[i] ?? 0;
            const parts: [string, number][] = [
                ["routed", routed],
                ["native", (timeline.native_seconds[i] ?? 0) - before],
                ["native, before set-up", before],
            ];
            return {
                name: String(timeline.since_start + i * timeline.width),
                parts: parts
                    .filter(([, value]) => value > 0)
                    .map(([name, value]) => ({ name, value: (100 * value) / whole })),
            };
        }),
    };
}

const shapeText = (ranks: number, nodes: number) =>
    nodes === 1 ? `${ranks} on one node` : `${ranks} on ${nodes} nodes`;

export interface Called {
    x: string;
    y: string;
    text: string;
    seconds: number;
}

// What the table of the job says for the calls of an operation, and where in it the calls are.
export function decisionFigures(
    report: Report,
): { operation: Operation; figure: TilesFigure; calls: Called[] }[] {
    return (["alltoall", "alltoallv"] as const).flatMap((operation) => {
        const decisions = report.decisions.filter((one) => one.operation === operation);
        const rows = report.rows.filter(
            (row) => row.operation === operation && row.from !== undefined && row.ranks,
        );
        if (decisions.length === 0) return [];
        const most = Math.max(12, ...rows.map((row) => classOf(row.from ?? 0)));
        const shapes = [...new Set(decisions.map((one) => shapeText(one.ranks, one.nodes)))];
        const tiles = shapes.flatMap((shape) => {
            const own = decisions.filter((one) => shapeText(one.ranks, one.nodes) === shape);
            return bordersOf(decisions, most).map((from): Tile => {
                const one = own.filter((other) => other.from <= from).at(-1) ?? own[0];
                return {
                    ...{ x: shape, y: borderText(from), name: one?.algorithm ?? "native" },
                    hint: one ? `${one.parameters} ${whyText({ ...one, reason: null })}` : "",
                };
            });
        });
        const calls = calledOf(rows, new Set(shapes));
        return [
            {
                operation,
                figure: {
                    kind: "tiles",
                    title: `The table for ${operation}, and its calls`,
                    x: { name: "ranks" },
                    y: { name: "bytes of the largest block, from here on" },
                    tiles,
                },
                calls,
            },
        ];
    });
}

// Where a decision begins within a class, its first size is told exactly.
const borderText = (from: number) => (leastOf(classOf(from)) === from ? size(from) : exactly(from));

function bordersOf(decisions: Report["decisions"], most: number): number[] {
    const end = leastOf(most + 2);
    const classes = Array.from({ length: most + 1 }, (_, i) => leastOf(i));
    const borders = decisions.map((one) => one.from).filter((from) => from < end);
    return [...new Set([...classes, ...borders])].sort((a, b) => a - b);
}

function calledOf(rows: readonly Row[], shapes: ReadonlySet<string>): Called[] {
    const found = new Map<string, { called: Called; routed: number; native: number }>();
    for (const row of rows) {
        const x = shapeText(row.ranks ?? 0, row.nodes ?? 1);
        const y = size(row.from ?? 0);
        if (!shapes.has(x)) continue;
        const one = found.get(`${x} ${y}`) ?? {
            ...{ called: { x, y, text: "", seconds: 0 }, routed: 0, native: 0 },
        };
        one[row.gain ? "routed" : "native"] += row.calls;
        one.called.seconds += row.seconds;
        one.called.text = `${sizesText(row)}: ${number(one.routed)} routed calls, ${number(one.native)} native, ${seconds(one.called.seconds)}`;
        found.set(`${x} ${y}`, one);
    }
    return [...found.values()].map((one) => one.called);
}
