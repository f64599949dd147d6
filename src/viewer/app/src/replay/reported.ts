// SPDX-License-Identifier: BSD-3-Clause
// reported.ts: facts, sums and tables of a report.
import { number, size } from "../parts/lines";
import type { TableFigure } from "./figures";
import { ruleText, type Rule } from "./map";
import {
    communicatorText,
    doneBy,
    fileOf,
    gainText,
    largestText,
    percent,
    seconds,
    sizesText,
    whyText,
    type Group,
    type Operation,
    type RankTimes,
    type Report,
    type Row,
} from "./report";

export function facts(report: Report): [string, string][] {
    const { sums, run } = report;
    const { log } = sums;
    const hosts = run.ranks_of_hosts.map((one) => `${one.host} (${one.ranks})`);
    const runs = (sums.runs ?? 1) > 1 ? ` in ${sums.runs} runs` : "";
    const listed: [string, string | null | undefined][] = [
        ["Program", log?.command],
        ["Date", run.date?.replace("T", " ").replace("Z", " UTC") ?? "not known"],
        [
            "Wall time",
            run.elapsed === undefined
                ? "not known: no rank wrote its summary"
                : `${seconds(run.elapsed)}${runs}`,
        ],
        ["Job", log?.job ?? "none of a batch system"],
        ["Hosts, with their ranks", hosts.length > 0 ? hosts.join(", ") : "not told"],
        ["Ranks", log?.ranks ? `${log.ranks}, ${sums.ranks} of them logged` : null],
        ["MPI library", log?.library],
        ["Table", log?.table],
        ["Machine", log?.machine],
        ["Shunt", log?.version],
        ["Other MPI", "not measured"],
    ];
    return listed.filter((one): one is [string, string] => Boolean(one[1]));
}

export function sums(report: Report): { value: string; says: string }[] {
    const { sums: all, verdict } = report;
    const mean = all.seconds / Math.max(1, all.ranks);
    const words = verdict.trim().split("\n").join("; ");
    const [gain] = words.split(/[,:;]/);
    return [
        all.of_run === undefined
            ? {
                  value: seconds(mean),
                  says: "of a rank in all-to-all; how long the run was is not known",
              }
            : {
                  value: percent(all.of_run, 1),
                  says: `of the run is all-to-all: ${seconds(mean)} of a rank on average`,
              },
        {
            value: percent(all.routed.calls, all.calls),
            says: `of ${number(all.calls)} calls of all ranks routed: ${percent(all.routed.seconds, all.seconds)} of their time, ${percent(all.routed.bytes, all.bytes)} of ${size(all.bytes)} sent`,
        },
        {
            value: gain ?? "",
            says: `gain: ${words}`,
        },
        {
            value: all.imbalance?.most_to_mean?.toFixed(2) ?? "–",
            says: `imbalance: the longest time of a rank in all-to-all over the mean (rank ${all.imbalance?.slowest.rank ?? "not known"})`,
        },
    ];
}

const GROUP_COLUMNS = [
    "Calls of all ranks",
    "Sent",
    "Time of all ranks",
    "Share of that time",
    "Of it, in routed calls",
];
const FASTER = "Times as fast as native";

export function groupTables(report: Report): TableFigure[] {
    const whole = report.sums.seconds;
    const table = (
        title: string,
        first: string,
        groups: readonly Group[],
        name: (group: Group) => string,
    ): TableFigure => ({
        kind: "table",
        title,
        columns: [first, ...GROUP_COLUMNS, FASTER],
        rows: groups.map((group) => [
            name(group),
            number(group.calls),
            size(group.bytes),
            seconds(group.seconds),
            percent(group.seconds, whole),
            percent(group.routed.seconds, group.seconds),
            gainText(group.gain),
        ]),
    });
    const op = (group: Group) => group.operation ?? "";
    const why = (group: Group) =>
        whyText({ rule: group.rule ?? null, reason: group.reason ?? null });
    const tables = [
        table("By operation", "Operation", report.by_operation, op),
        table(
            "By operation and block size",
            "Size of the largest block",
            report.by_size,
            (group) => `${op(group)}, ${sizesText(group)}`,
        ),
        table("By communicator", "Communicator", report.by_communicator, communicatorText),
        table(
            "By operation and rule",
            "Rule",
            report.by_rule,
            (group) => `${op(group)}, ${why(group)}`,
        ),
    ];
    return report.by_site ? [...tables, siteTable(report, report.by_site)] : tables;
}

function siteTable(report: Report, sites: NonNullable<Report["by_site"]>): TableFigure {
    return {
        kind: "table",
        title: "By call site",
        columns: [
            "Call site",
            "Operation",
            "Calls of all ranks",
            "Sent",
            "Time of all ranks",
            "Share of that time",
        ],
        rows: sites.map(({ site, symbol, operation, ...part }) => [
            site === null ? "not known" : [symbol, fileOf(site)].filter(Boolean).join(", "),
            operation,
            number(part.calls),
            size(part.bytes),
            seconds(part.seconds),
            percent(part.seconds, report.sums.seconds),
        ]),
    };
}

export function rankTables({ latest, waiting }: Report): TableFigure[] {
    const table = (title: string, first: string, list: RankTimes[], of: "late" | "waited") => ({
        kind: "table" as const,
        title,
        columns: ["Rank", first, "In all", "Last to come"],
        rows: list.map((rank) => [
            String(rank.rank),
            seconds(rank[of] / rank.calls),
            seconds(rank[of]),
            percent(rank.came_last, rank.calls),
        ]),
    });
    return [
        table("Ranks that arrive late", "Late, on average", latest, "late"),
        table("Ranks that wait", "Waits, on average", waiting, "waited"),
    ];
}

export const unusedText = ({ operation, rule }: { operation: Operation; rule: Rule }) =>
    `${operation}: ${ruleText(rule)}`;

const BASES = {
    same: "done in the same way",
    measured: "measured: like calls of these logs",
    model: "the model of the machine",
    learned: "what rules knew of native calls",
    unknown: "not known",
} as const;

export function changesTable(changes: NonNullable<Report["what_if"]>["changes"]): TableFigure {
    const order = Object.keys(BASES);
    return {
        kind: "table",
        title: "All calls",
        columns: ["What it rests on", "Calls", "Time, as logged", "Time with that table"],
        rows: changes
            .filter((one) => one.calls > 0)
            .sort((a, b) => order.indexOf(a.basis) - order.indexOf(b.basis))
            .map((one) => [
                BASES[one.basis],
                number(one.calls),
                seconds(one.seconds),
                one.then_seconds === undefined ? "–" : seconds(one.then_seconds),
            ]),
    };
}

const ROW_START = ["Communicator", "Operation", "Largest block"];
const rowStart = (row: Row) => [communicatorText(row), row.operation, largestText(row)];

export function thenTable({ rows }: Report): TableFigure {
    return {
        kind: "table",
        title: "Calls that it would do in another way",
        columns: [
            ...ROW_START,
            ...["Time, as logged", "Done by", "That table", "Its rule", "Times as fast as logged"],
        ],
        rows: rows.flatMap((row) => {
            const then = row.what_if;
            if (!then || then.gain.basis === "same") return [];
            const { algorithm, parameters = "", rule = null, reason = null } = then;
            const why =
                algorithm === undefined ? (reason ?? "not known") : whyText({ rule, reason });
            return [
                [
                    ...rowStart(row),
                    seconds(row.seconds),
                    doneBy(row),
                    algorithm === undefined ? "–" : doneBy({ algorithm, parameters }),
                    why,
                    gainText(then.gain),
                ],
            ];
        }),
    };
}

export function kindsTable(title: string, rows: readonly Row[]): TableFigure {
    return {
        kind: "table",
        title,
        columns: [...ROW_START, "Done by", "Rule", "Calls", "Sent", "Time", FASTER],
        rows: rows.map((row) => [
            ...rowStart(row),
            doneBy(row),
            whyText(row),
            number(row.calls),
            size(row.bytes),
            seconds(row.seconds),
            gainText(row.gain),
        ]),
    };
}
