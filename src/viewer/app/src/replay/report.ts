// SPDX-License-Identifier: BSD-3-Clause
// report.ts: what `shunt report` tells (report.schema.json), and words for parts of it.
import { exactly, short, size } from "../parts/lines";
import { ruleText, type Rule } from "./map";

export type Operation = "alltoall" | "alltoallv";

export interface Gain {
    basis: "unknown" | "measured" | "model" | "same" | "learned";
    speedup?: number;
    low?: number;
    high?: number;
}

export interface Part {
    calls: number;
    bytes: number;
    seconds: number;
}

export interface Group extends Part {
    operation?: Operation;
    from?: number;
    to?: number;
    communicator?: string | null;
    communicator_id?: string;
    rule?: Rule | null;
    reason?: string | null;
    routed: Part;
    gain?: Gain;
}

export interface Row extends Part {
    operation: Operation;
    from?: number;
    to?: number;
    mean?: number;
    communicator: string | null;
    communicator_id?: string;
    ranks?: number;
    nodes?: number;
    algorithm: string;
    parameters: string | null;
    rule: Rule | null;
    reason: string | null;
    gain?: Gain; // of routed calls
    what_if?: {
        algorithm?: string;
        parameters?: string;
        rule?: Rule | null;
        reason?: string;
        gain: Gain;
    };
}

export interface RankTimes {
    rank: number;
    calls: number;
    late: number;
    waited: number;
    came_last: number;
}

export type Worst = { rank: number; seconds: number } | null;

export interface Timeline {
    since_start: number; // seconds, of the first bin
    width: number; // of a bin
    routed_seconds: number[];
    native_seconds: number[];
    warm_up_seconds: number[]; // of the native ones
    lane_ranks: number;
    lane_shares: number[][];
}

export interface Report {
    version: string;
    sums: Part & {
        log: {
            version: string | null;
            ranks?: number;
            job: string | null;
            library: string | null;
            table: string | null;
            machine: string | null;
            command: string | null;
        } | null;
        ranks: number;
        runs?: number;
        routed: Part;
        of_run?: number;
        imbalance?: { most_to_mean: number | null; slowest: { rank: number } };
        uncertainty?: number;
    };
    run: {
        date: string | null;
        elapsed?: number;
        ranks_of_hosts: { host: string; ranks: number }[];
    };
    verdict: string;
    gain?: Gain;
    saved?: number;
    note?: string;
    by_operation: Group[];
    by_size: Group[];
    by_communicator: Group[];
    by_rule: Group[];
    by_site?: (Part & { operation: Operation; site: string | null; symbol: string | null })[];
    latest: RankTimes[];
    waiting: RankTimes[];
    arrivals?: { ranks: number; late_means: Worst[]; wait_means: Worst[] };
    decisions: {
        operation: Operation;
        ranks: number;
        nodes: number;
        from: number;
        algorithm: string;
        parameters: string;
        rule: Rule | null;
    }[];
    timeline?: Timeline;
    unused_rules?: { operation: Operation; rule: Rule }[];
    what_if?: {
        table: string;
        changes: {
            basis: Gain["basis"];
            calls: number;
            seconds: number;
            then_seconds?: number;
        }[];
    };
    rows: Row[];
    beyond?: Part;
}

export const seconds = (value: number) => short(value, "s");
export const percent = (part: number, whole: number) =>
    whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "–";
const times = (value: number) => value.toFixed(value < 9.95 ? 1 : 0);

// A number in the middle would say more than is known where both a gain and a loss are possible.
export function gainText(gain: Gain | undefined): string {
    if (!gain) return "–";
    const { basis, speedup = 0, low = 0, high = 0 } = gain;
    if (basis === "unknown") return "not measured";
    if (basis === "same") return "1 (same)";
    if (basis !== "measured")
        return `${times(speedup)} (${basis === "model" ? "by the model" : "when learned"})`;
    const interval = `${times(low)} to ${times(high)}`;
    return low <= 1 && high >= 1
        ? `not clear: ${interval} (measured)`
        : `${times(speedup)} (${interval}, measured)`;
}

export const fileOf = (path: string) => path.split("/").at(-1) ?? path;

// The rule, or why there is none, or why not what it asks for.
export function whyText({ rule, reason }: Pick<Row, "rule" | "reason">): string {
    const why = reason === "model" ? "the model's choice" : reason;
    if (!rule) return why ?? "no rule matches";
    return `${ruleText({ ...rule, file: fileOf(rule.file) })}${why ? `, but ${why}` : ""}`;
}

export function communicatorText(of: Pick<Group, "communicator" | "communicator_id">): string {
    if (of.communicator === null || of.communicator === undefined) return "further ones";
    return of.communicator || of.communicator_id || "without a name";
}

export const sizesText = ({ from, to = from }: Pick<Group, "from" | "to">) =>
    from === undefined || to === undefined
        ? "not told"
        : from === to
          ? exactly(from)
          : `${exactly(from)} to ${exactly(to)}`;

export function largestText(row: Row): string {
    const mean = row.operation === "alltoallv" && row.mean !== undefined;
    return `${sizesText(row)}${mean ? `, mean ${size(row.mean ?? 0)}` : ""}`;
}

export const doneBy = (row: { algorithm: string; parameters: string | null }) =>
    `${row.algorithm} ${row.parameters ?? ""}`.trim();
