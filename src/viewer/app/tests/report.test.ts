// @vitest-environment jsdom
// SPDX-License-Identifier: BSD-3-Clause
// report.test.ts: a page with a report opens on it, and shows its sums, tables and drawings.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { mount, type VueWrapper } from "@vue/test-utils";
import { beforeAll, describe, expect, it } from "vitest";
import { KINDS } from "../src/colours";
import type { Engine } from "../src/engine";
import Lanes from "../src/parts/Lanes.vue";
import { arrivalsFigure, decisionFigures, sharesFigure, sizesFigures } from "../src/replay/plots";
import { gainText, type Report, type Timeline } from "../src/replay/report";
import { groupTables, kindsTable, sums, thenTable } from "../src/replay/reported";
import { shunt } from "./shunt";

const LOG = join(process.cwd(), "e2e", "job.jsonl");
const MARKUP = "</script><b>&amp;";

let report: Report;
let engine: Engine;
let page: VueWrapper;
let state: typeof import("../src/state");

beforeAll(async () => {
    engine = await shunt();
    const program = process.env["SHUNT"] ?? "shunt";
    const asked = ["report", "--json", "--table=built-in", LOG];
    const done = spawnSync(program, asked, { encoding: "utf8", maxBuffer: 1 << 28 });
    report = JSON.parse(done.stdout) as Report;
    const shown = { ...report, note: MARKUP };
    document.body.innerHTML = `<script id="shunt-data" type="application/json"></script>`;
    const element = document.getElementById("shunt-data") as HTMLElement;
    element.textContent = JSON.stringify({ version: "0", report: shown });
    state = await import("../src/state");
    const { default: ReportView } = await import("../src/views/ReportView.vue");
    page = mount(ReportView, { props: { engine, rows: [] } });
});

describe("a page with a report", () => {
    it("opens on it, and has no view for figures, of which there are none", () => {
        expect(state.link.page).toBe("report");
        expect(state.PAGES[0]).toBe("report");
        expect(state.PAGES).not.toContain("figures");
    });

    it("begins with facts and how it is read, and has a heading for each part", () => {
        const headings = page.findAll("h2").map((one) => one.text());
        expect(headings).toEqual([
            "What all-to-all did in this run",
            "How to read it",
            "When",
            "Block sizes",
            "What took the time",
            "The table, and the calls",
            "Who arrives late, who waits",
            "Rules that no call followed",
            "What another table would have done",
            "All kinds of calls",
        ]);
        expect(page.find("dl.facts").text()).toContain("paths graph");
        expect(page.find("dl.facts").text()).toContain("MPICH 4.0.2");
    });

    it("has the sums of the command", () => {
        const [time, routed, gain] = sums(report);
        expect(time?.says).toContain("of a rank");
        expect(routed?.value).toBe(
            `${((100 * report.sums.routed.calls) / report.sums.calls).toFixed(1)} %`,
        );
        expect(gain?.says).toContain(report.verdict.split("\n")[0]);
    });

    it("has all groups and kinds of calls in its tables", () => {
        const text = page.text();
        for (const table of groupTables(report)) {
            expect(text).toContain(table.title);
            expect(table.rows.every((row) => row.length === table.columns.length)).toBe(true);
        }
        const kinds = kindsTable("", report.rows);
        expect(kinds.rows).toHaveLength(report.rows.length);
        const last = page.findAll("table").at(-1);
        expect(last?.findAll("tbody tr")).toHaveLength(Math.min(20, report.rows.length));
        for (const row of thenTable(report).rows) expect(text).toContain(String(row[5]));
    });

    it("shows texts of the run as texts", () => {
        expect(page.text()).toContain(MARKUP);
        expect(page.find("b > b").exists()).toBe(false);
    });

    it("has drawings with names, for who does not see them, and no number that is none", () => {
        const drawings = page.findAll(".panel svg:not(.legend svg)");
        expect(drawings.length).toBeGreaterThan(3);
        for (const one of drawings) expect(one.attributes("aria-label")).toBeTruthy();
        expect(page.html()).not.toMatch(/="-?(NaN|Infinity)/);
    });
});

describe("kinds of calls", () => {
    it("are folded behind the first twenty", async () => {
        const row = report.rows[0] as Report["rows"][number];
        const rows = Array.from({ length: 23 }, (_, i) => ({ ...row, communicator: `c${i}` }));
        const data = await import("../src/data");
        const own = data.data();
        own.report = { ...report, rows };
        const { default: ReportView } = await import("../src/views/ReportView.vue");
        const many = mount(ReportView, { props: { engine, rows: [] } });
        const folded = many.find("details");
        expect(folded.find("summary").text()).toBe("3 more kinds of calls");
        expect(folded.findAll("tbody tr")).toHaveLength(3);
        own.report = report;
    });
});

describe("gains in words", () => {
    it("say no more than is known", () => {
        expect(gainText(undefined)).toBe("–");
        expect(gainText({ basis: "unknown" })).toBe("not measured");
        expect(gainText({ basis: "same", speedup: 1 })).toBe("1 (same)");
        expect(gainText({ basis: "model", speedup: 12.34 })).toBe("12 (by the model)");
        const measured = { basis: "measured", speedup: 3.04, low: 2.8, high: 3.2 } as const;
        expect(gainText(measured)).toBe("3.0 (2.8 to 3.2, measured)");
        expect(gainText({ ...measured, low: 0.9 })).toBe("not clear: 0.9 to 3.2 (measured)");
    });
});

describe("drawings of a report", () => {
    const timeline: Timeline = {
        since_start: 0.5,
        width: 0.1,
        routed_seconds: [0.1, 0],
        native_seconds: [0.05, 0.2],
        warm_up_seconds: [0.01, 0.2],
        lane_ranks: 1,
        lane_shares: [
            [1, 0],
            [0.25, 0.3],
        ],
    };

    it("stack shares of the ranks' time", () => {
        const sums = { ...report.sums, ranks: 2 };
        const bars = sharesFigure({ ...report, sums, timeline })?.bars ?? [];
        const parts = bars.map((bar) => bar.parts.map((one) => [one.name, Math.round(one.value)]));
        expect(parts).toEqual([
            [
                ["routed", 50],
                ["native", 20],
                ["native, before set-up", 5],
            ],
            [["native, before set-up", 100]],
        ]);
        expect(Object.keys(KINDS)).toEqual(expect.arrayContaining(["routed", "native"]));
    });

    it("have a line for each rank, the stronger, the more of the time", () => {
        const shown = mount(Lanes, { props: { timeline } });
        const boxes = shown.findAll("rect").map((one) => Number(one.attributes("fill-opacity")));
        expect(boxes).toEqual([1, 0.4]);
        expect(shown.text()).toContain("rank 1, 500 ms to 700 ms: up to 40 %");
    });

    it("have late ranks upwards, and those that wait downwards", () => {
        const arrivals = {
            ranks: 2,
            late_means: [{ rank: 1, seconds: 0.002 }, null],
            wait_means: [
                { rank: 0, seconds: 0.001 },
                { rank: 2, seconds: 0.003 },
            ],
        };
        const bars = arrivalsFigure({ ...report, arrivals })?.bars ?? [];
        expect(bars.map((bar) => bar.name)).toEqual(["0", "2"]);
        expect(bars.map((bar) => bar.parts.map((one) => one.value))).toEqual([
            [0.002, -0.001],
            [-0.003],
        ]);
        expect(bars[0]?.parts[0]?.hint).toBe("rank 1 comes 2 ms after the first, on average");
    });

    it("count calls by size, and tell of those whose size is not known", () => {
        const row = {
            ...(report.rows[0] as Report["rows"][number]),
            ...{ operation: "alltoall" as const, from: 512, to: 1023, calls: 28 },
        };
        const native = { ...row, calls: 14 };
        delete native.gain;
        const unknown: typeof native & { from?: number; to?: number } = { ...native, calls: 5 };
        delete (unknown as { from?: number }).from;
        const routed = { ...row, gain: { basis: "unknown" as const } };
        const figures = sizesFigures({ ...report, rows: [routed, native, unknown] });
        expect(figures).toHaveLength(1);
        expect(figures[0]?.bars).toEqual([
            {
                name: "512 B",
                parts: [
                    { name: "routed", value: 28, hint: "28 calls routed" },
                    { name: "native", value: 14, hint: "14 calls native" },
                ],
            },
        ]);
        expect(figures[0]?.caption).toMatch(/: 5$/);
    });

    it("have the calls on the table of the job, at their ranks and size", () => {
        const one = { operation: "alltoall", ranks: 2, nodes: 1, parameters: "", rule: null };
        const decisions = [
            { ...one, from: 0, algorithm: "bruck" },
            { ...one, from: 4097, algorithm: "spread-out" },
        ] as Report["decisions"];
        const row = {
            ...(report.rows[0] as Report["rows"][number]),
            ...{ operation: "alltoall" as const, from: 512, to: 1023, ranks: 2, nodes: 1 },
            ...{ calls: 28, seconds: 0.021, gain: { basis: "unknown" as const } },
        };
        const [shown] = decisionFigures({ ...report, decisions, rows: [row] });
        const at = (y: string) => shown?.figure.tiles.find((tile) => tile.y === y)?.name;
        expect([at("512 B"), at("2 KiB"), at("4,097 bytes")]).toEqual([
            "bruck",
            "bruck",
            "spread-out",
        ]);
        expect(shown?.calls).toEqual([
            {
                ...{ x: "2 on one node", y: "512 B", seconds: 0.021 },
                text: "512 bytes to 1,023 bytes: 28 routed calls, 0 native, 21 ms",
            },
        ]);
    });
});
