// @vitest-environment jsdom
// SPDX-License-Identifier: BSD-3-Clause
// figures.test.ts: figures of shunt predict and explain, held against what these print, and of files.
import { mount } from "@vue/test-utils";
import { beforeAll, describe, expect, it } from "vitest";
import { algorithmColour } from "../src/colours";
import type { Engine } from "../src/engine";
import FigureView from "../src/parts/Figure.vue";
import { evenMarks } from "../src/parts/lines";
import {
    explainedFigures,
    linesOf,
    predictedFigures,
    tilesOf,
    type Explained,
    type Figure,
    type LinesFigure,
    type Predicted,
    type TilesFigure,
} from "../src/replay/figures";
import { shunt } from "./shunt";

let engine: Engine;
beforeAll(async () => {
    engine = await shunt();
});

const predict = (...args: string[]) =>
    engine.json<Predicted>(["predict", "--machine=hoefler-moor-2014", ...args, "--json"]);
const drawing = (figure: Figure) => mount(FigureView, { props: { figure } });

describe("figures of shunt predict", () => {
    const grid = ["--op=alltoall", "--ranks=4,16", "--ppn=2", "--block=8-4K"];

    it("have a tile for each call, small blocks on top, with its gain", () => {
        const predicted = predict(...grid);
        const [figure] = predictedFigures(predicted) as [TilesFigure];
        expect(figure.tiles).toHaveLength(predicted.cells?.length ?? 0);
        const { cells, rows, columns } = tilesOf(figure);
        expect(columns).toEqual([4, 16]);
        expect(rows).toEqual([...rows].sort((a, b) => Number(a) - Number(b)));
        const shown = drawing(figure);
        const tops = shown.findAll("svg.map .cell rect").map((one) => Number(one.attributes("y")));
        cells.forEach((cell, i) =>
            expect(tops[i]).toBe(
                (tops[0] as number) +
                    cell.block *
                        (((tops.at(-1) as number) - (tops[0] as number)) / (rows.length - 1)),
            ),
        );
        const first = predicted.cells?.[0];
        expect(figure.tiles[0]?.text).toBe(`${(first?.choice?.speedup ?? 0).toFixed(1)}×`);
        expect(figure.caption).toContain("3.1×: times as fast as native");
        expect(shown.find("svg.map .cell rect").attributes("fill")).toBe(
            algorithmColour(first?.choice?.algorithm ?? ""),
        );
    });

    it("say what would be better without the caps, and where nothing is within them", () => {
        const [capped] = predictedFigures(predict(...grid, "--memory-at-most=0"));
        const tiles = (capped as TilesFigure).tiles;
        expect(tiles.some((tile) => tile.text?.endsWith("!"))).toBe(true);
        expect(
            tiles.some((tile) => /; better, but above the caps: [a-z]/.test(tile.hint ?? "")),
        ).toBe(true);
        expect(capped?.caption).toContain("!: something better is above the caps");
        const [none] = predictedFigures(predict(...grid, "--energy-at-most=1nJ"));
        expect((none as TilesFigure).tiles[0]?.name).toBe("none is within the caps");
        expect((none as TilesFigure).tiles[0]?.hint).toMatch(/^the best: [a-z]/);
    });

    it("show what is to be least", () => {
        const energy = predict(...grid, "--objective=energy");
        const [figure] = predictedFigures(energy) as [TilesFigure];
        const cell = energy.cells?.[0];
        const gain = (cell?.native_energy_j ?? 0) / (cell?.choice?.energy_j ?? 1);
        expect(figure.tiles[0]?.text).toBe(`${gain.toFixed(1)}×`);
        const [memory] = predictedFigures(predict(...grid, "--objective=memory"));
        expect((memory as TilesFigure).tiles[0]?.text).toMatch(/ B$|KiB$/);
    });

    it("are lines of each number over the radix, and over the ranks", () => {
        const radix = ["--ranks=48", "--ppn=1", "--block=8", "--sweep=radix", "--algorithm=bruck"];
        const sweep = predictedFigures(predict("--op=alltoall", ...radix)) as LinesFigure[];
        expect(sweep.map((one) => one.y.name)).toEqual([
            "time",
            "energy",
            "memory",
            "rounds",
            "bytes sent",
        ]);
        expect(sweep[0]?.lines[0]?.points.map(([x]) => x)).toEqual(
            Array.from({ length: 47 }, (_, i) => i + 2),
        );
        const ranks = ["--op=alltoall", "--ranks=2-256", "--ppn=1", "--block=8", "--curves"];
        const curves = predictedFigures(predict(...ranks)) as LinesFigure[];
        expect(curves.map((one) => one.y.name)).toEqual(["time", "energy", "descriptors"]);
        const shown = drawing(curves[0] as LinesFigure);
        expect(shown.findAll("svg.chart path.line")).toHaveLength(3);
        expect(shown.text()).toContain("bruck:radix=sqrt(P)");
        expect(shown.text()).toContain(
            "predicted for hoefler-moor-2014, 1 rank per node, blocks of 8 B",
        );
    });
});

describe("figures of shunt explain --grid", () => {
    it("have a tile for each call and an entry for each rule", () => {
        const explained = engine.json<Explained>([
            ...[
                "explain",
                "--grid",
                "--op=alltoall",
                "--nodes=1-4",
                "--ppn=4",
                "--json",
                "built-in",
            ],
        ]);
        const [figure] = explainedFigures(explained) as [TilesFigure];
        const shown = drawing(figure);
        expect(shown.findAll("svg.map .cell")).toHaveLength(explained.cells.length);
        const rules = new Set(
            explained.cells.map((one) => JSON.stringify([one.algorithm, one.parameters, one.rule])),
        );
        expect(shown.findAll(".legend li")).toHaveLength(rules.size);
        expect(shown.text()).toContain("built-in:");
        // Entries of one algorithm have its colour, and a letter of their own.
        const { names, look } = tilesOf(figure);
        expect(new Set(names.map(look.letter)).size).toBe(names.length);
        for (const name of names) expect(look.colour(name)).toBe(algorithmColour(name));
    });
});

describe("figures of a file", () => {
    const axes = { x: { name: "ranks" }, y: { name: "time", unit: "s" } };

    it("tell lines of one colour apart by dashes, and what is predicted", () => {
        const points: [number, number][] = [
            [2, 1],
            [4, 2],
        ];
        const lines = linesOf({
            ...{ kind: "lines", title: "Times", ...axes },
            lines: [
                { name: "bruck:radix=2", points },
                { name: "bruck:radix=8", points },
                { name: "own", algorithm: "parlogna", predicted: true, points },
                { name: "something else", points },
            ],
        });
        expect(lines[0]?.colour).toBe(lines[1]?.colour);
        expect(lines[0]?.dash).not.toBe(lines[1]?.dash);
        expect(lines[2]?.colour).toBe(algorithmColour("parlogna"));
        expect(lines[2]?.dash).not.toBe("");
        expect(new Set(lines.map((one) => one.colour)).size).toBe(3);
    });

    it("are tiles at numbers and texts, in their orders, with letters and a legend", () => {
        const figure: TilesFigure = {
            ...{ kind: "tiles", title: "Radices", ...axes },
            tiles: [
                { x: 16, y: "many", name: "radix 8" },
                { x: 4, y: "few", name: "radix 16", hint: "so it is" },
            ],
        };
        const { columns, rows, names, look } = tilesOf(figure);
        expect([columns, rows, names]).toEqual([
            [4, 16],
            ["many", "few"],
            ["radix 8", "radix 16"],
        ]);
        expect(names.map(look.letter)).toEqual(["A", "B"]);
        expect(look.colour("radix 8")).not.toBe(look.colour("radix 16"));
        const shown = drawing(figure);
        expect(shown.findAll(".legend li").map((one) => one.text())).toEqual([
            "A radix 8",
            "B radix 16",
        ]);
        expect(shown.html()).toContain("ranks 4, time few: radix 16; so it is");
    });

    it("are bars of parts, upwards and downwards", () => {
        const shown = drawing({
            ...{ kind: "bars", title: "Parts", ...axes },
            bars: [
                {
                    name: "a",
                    parts: [
                        { name: "copy", value: 1 },
                        { name: "wait", value: 2 },
                        { name: "less", value: -1 },
                    ],
                },
            ],
        });
        const boxes = shown.findAll("svg.stacks > rect").map((one) => ({
            top: Number(one.attributes("y")),
            high: Number(one.attributes("height")),
        }));
        expect(boxes).toHaveLength(3);
        const [copy, wait, less] = boxes as [Box, Box, Box];
        type Box = { top: number; high: number };
        expect(wait.high).toBeCloseTo(2 * copy.high);
        expect(wait.top + wait.high).toBeCloseTo(copy.top);
        expect(less.top).toBeCloseTo(copy.top + copy.high);
        expect(shown.text()).toContain("copy");
    });

    it("are tables, with numbers at the right and no cell too few", () => {
        const shown = drawing({
            kind: "table",
            title: "All",
            columns: ["who", "calls", "why"],
            rows: [
                ["a", 12, "because"],
                ["b", "3 ms", null],
            ],
        });
        expect(shown.findAll("tbody tr").map((row) => row.findAll("th, td").length)).toEqual([
            3, 3,
        ]);
        expect(shown.findAll("tbody td.words")).toHaveLength(2);
        expect(shown.find("caption").text()).toBe("All");
    });
});

describe("marks of an axis that adds up", () => {
    it("are round, and within its ends", () => {
        expect(evenMarks(0, 42)).toEqual([0, 10, 20, 30, 40]);
        expect(evenMarks(-0.002, 0.002).map((one) => Number(one.toPrecision(3)))).toEqual([
            -0.002, -0.001, 0, 0.001, 0.002,
        ]);
        expect(evenMarks(3, 3)).toEqual([]);
    });
});
