// SPDX-License-Identifier: BSD-3-Clause
// page.test.ts: what views share: colours of algorithms, themes, panels, the tour, publications; and
// rows of logged calls.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mount } from "@vue/test-utils";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nextTick } from "vue";
import { algorithmColour, algorithmLetter, parts } from "../src/colours";
import type { Engine } from "../src/engine";
import PanelView from "../src/parts/Panel.vue";
import TourView from "../src/parts/Tour.vue";
import { publicationsOf } from "../src/publications";
import type { Algorithm } from "../src/replay/call";
import { callsText, nodesText, rowsOf, sizesText, type LoggedKind } from "../src/replay/logged";
import { go, link } from "../src/state";
import { recall, theme } from "../src/theme";
import { shunt } from "./shunt";

const SOURCES = join(process.cwd(), "src");

let engine: Engine;
let rows: Algorithm[];

beforeAll(async () => {
    engine = await shunt();
    rows = engine.json<{ algorithms: Algorithm[] }>(["algorithms", "--json"]).algorithms;
});

// How bright a colour is, and how far two are apart, in OKLab.
const linear = (value: number) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const light = (colour: string) => parts(colour).map((value) => linear(value / 255)) as number[];
function lab(colour: string): number[] {
    const [r = 0, g = 0, b = 0] = light(colour);
    const l = Math.cbrt(0.41222 * r + 0.53633 * g + 0.05145 * b);
    const m = Math.cbrt(0.2119 * r + 0.6807 * g + 0.1074 * b);
    const s = Math.cbrt(0.08831 * r + 0.28172 * g + 0.62998 * b);
    return [
        0.21045 * l + 0.79362 * m - 0.00407 * s,
        1.978 * l - 2.42859 * m + 0.45059 * s,
        0.0259 * l + 0.78277 * m - 0.80868 * s,
    ];
}
const apart = (a: string, b: string) =>
    Math.hypot(...lab(a).map((value, i) => value - (lab(b)[i] ?? 0)));
function contrast(a: string, b: string): number {
    const [low = 0, high = 0] = [a, b]
        .map(light)
        .map(([r = 0, g = 0, b = 0]) => 0.2126 * r + 0.7152 * g + 0.0722 * b)
        .sort((one, other) => one - other);
    return (high + 0.05) / (low + 0.05);
}

describe("colours of algorithms", () => {
    it("are one for each, letters too, and none is another's", () => {
        const names = rows.map((row) => row.algorithm);
        const colours = names.map(algorithmColour);
        expect(new Set(colours).size).toBe(names.length);
        expect(new Set(names.map(algorithmLetter)).size).toBe(names.length);
        for (const [i, one] of colours.entries())
            for (const other of colours.slice(0, i))
                expect(apart(one, other)).toBeGreaterThan(0.08);
        expect(algorithmColour("bruck:radix=2")).toBe(algorithmColour("bruck"));
        expect(algorithmColour("ring")).toMatch(/^#[0-9a-f]{6}$/);
    });

    it("are seen on light and on dark ground", () => {
        const style = readFileSync(join(SOURCES, "style.css"), "utf8");
        const grounds = new Set(
            [...style.matchAll(/--panel: (#[0-9a-f]{6})/g)].map((one) => one[1]),
        );
        expect(grounds.size).toBe(2);
        for (const row of rows)
            for (const ground of grounds)
                expect(contrast(algorithmColour(row.algorithm), ground ?? "")).toBeGreaterThan(1.3);
    });

    it("come from one function in all views that draw algorithms", () => {
        const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" });
        const using = (word: RegExp) =>
            files.filter(
                (one) =>
                    /\.vue$|^(parts|replay)\/.*\.ts$/.test(one) &&
                    word.test(readFileSync(join(SOURCES, one), "utf8")),
            );
        const drawn = using(/\balgorithmColour\b/);
        // Maps have theirs by tiles.ts, figures of commands and files by figures.ts.
        expect(drawn).toEqual(
            expect.arrayContaining([
                "parts/tiles.ts",
                "replay/figures.ts",
                "parts/Curves.vue",
                "views/CostsView.vue",
                "views/MapView.vue",
            ]),
        );
        // The colours of blocks are for blocks, and for figures without an algorithm.
        const blocks = using(/\bcolourOf\b/);
        expect(drawn.filter((one) => blocks.includes(one))).toEqual(["replay/figures.ts"]);
        expect(using(/\blook\.colour\b/)).toContain("parts/AreaMap.vue");
        // Nobody but colours.ts has a palette; greys and the like of single marks are no algorithm's.
        expect(using(/\[\s*"#[0-9a-f]{6}"/)).toEqual([]);
    });
});

describe("the page", () => {
    beforeEach(() => go("home", {}));

    it("has the theme that is chosen, and remembers it", () => {
        theme.value = "dark";
        expect(document.documentElement.dataset["theme"]).toBe("dark");
        expect(recall("theme")).toBe("dark");
        theme.value = "system";
        expect(document.documentElement.dataset["theme"]).toBe("system");
    });

    it("shows a panel as large as the window, until Escape", async () => {
        const panel = mount(PanelView, { props: { heading: "Lines", file: "lines" } });
        await panel.find('[aria-label="Enlarge Lines"]').trigger("click");
        expect(panel.classes()).toContain("large");
        dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
        await nextTick();
        expect(panel.classes()).toContain("large");
        dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
        await nextTick();
        expect(panel.classes()).not.toContain("large");
        expect(panel.find('[aria-label="Enlarge Lines"]').exists()).toBe(true);
    });

    it("has a tour for who comes the first time, which can be skipped", async () => {
        localStorage.removeItem("shunt-tour");
        history.replaceState(null, "", location.pathname);
        const first = mount(TourView);
        await nextTick();
        expect(first.find("[role=dialog]").text()).toContain("1 of");
        await first.find("button.main").trigger("click");
        await first.find("button.main").trigger("click");
        expect(first.find("[role=dialog]").text()).toContain("3 of");
        expect(link.page).toBe("algorithms");
        const skip = first.findAll("button").find((one) => one.text() === "Skip");
        await skip?.trigger("click");
        expect(first.find("[role=dialog]").exists()).toBe(false);
        first.unmount();
        history.replaceState(null, "", location.pathname);
        const second = mount(TourView);
        await nextTick();
        expect(second.find("[role=dialog]").exists()).toBe(false);
        second.vm.begin();
        await nextTick();
        expect(second.find("[role=dialog]").exists()).toBe(true);
        second.unmount();
        // Nobody who follows a link to something is held up.
        localStorage.removeItem("shunt-tour");
        location.hash = "#/map?op=alltoallv";
        const linked = mount(TourView);
        await nextTick();
        expect(linked.find("[role=dialog]").exists()).toBe(false);
        linked.unmount();
    });

    it("links the papers of every algorithm that comes from one", () => {
        for (const row of rows.filter((one) => /Fan|Traeff|Xu/.test(one.source)))
            expect(publicationsOf(row.source).length).toBeGreaterThan(0);
        const sloav = publicationsOf(rows.find((one) => one.algorithm === "sloav")?.source ?? "");
        expect(sloav.map((one) => one.where)).toEqual(["HPDC'22", "CCGrid'13"]);
        expect(sloav[0]?.link).toBe("https://doi.org/10.1145/3502181.3531468");
        expect(publicationsOf("this project")).toEqual([]);
    });
});

describe("logged calls", () => {
    const kind = (more: Partial<LoggedKind>): LoggedKind => ({
        ...{ operation: "alltoallv", ranks: 4, nodes: 1, algorithm: "parlogna" },
        ...{ parameters: "radix=2", rule: null, reason: null, calls: 4, seconds: 1 },
        ...more,
    });

    it("are one row each, however the ranks' own sizes differ", () => {
        // Two calls of one size and one of another; ranks send more and less.
        const list = [
            kind({ largest: 200, mean: 10, calls: 5, seconds: 5 }),
            kind({ largest: 210, mean: 50, calls: 3, seconds: 3 }),
            kind({ largest: 4000, mean: 900, calls: 4, seconds: 9 }),
        ];
        const rows = rowsOf(list);
        expect(rows.map((row) => [callsText(row), row.largest, row.smallest])).toEqual([
            ["1 call", 4000, 4000],
            ["2 calls", 210, 200],
        ]);
        expect(rows[1]?.mean).toBe(25);
    });

    it("have sizes of native calls, of which each rank has its own", () => {
        const native = { algorithm: "native", parameters: null, reason: "warm-up" };
        const rows = rowsOf([
            kind({ ...native, largest: 8, calls: 1, mean: 2 }),
            kind({ ...native, largest: 1000, calls: 2, mean: 300 }),
            kind({ ...native, largest: 64, calls: 1, mean: 20 }),
        ]);
        expect(rows.map((row) => [callsText(row), row.smallest, row.largest])).toEqual([
            ["1 call", 8, 1000],
        ]);
        // Other reasons, other nodes: other calls.
        expect(rowsOf([kind(native), kind({ ...native, reason: null })])).toHaveLength(2);
        expect(rowsOf([kind({}), kind({ nodes: 2 })])).toHaveLength(2);
    });

    it("of a log of some ranks are told apart by size, and said to be of single ranks", () => {
        const rows = rowsOf([kind({ largest: 8, calls: 3 }), kind({ largest: 99, calls: 2 })]);
        expect(rows.map(callsText).sort()).toEqual([
            "2 calls of single ranks",
            "3 calls of single ranks",
        ]);
    });

    it("have few nodes as a list, and thousands as a number", () => {
        expect(nodesText({ nodes: 3, layout: [3, 2, 1] })).toBe("3,2,1");
        expect(nodesText({ nodes: 5 })).toBe("5");
        expect(nodesText({})).toBe("?");
        const many = Array.from({ length: 100000 }, (_, i) => 1 + (i % 2));
        expect(nodesText({ nodes: 100000, layout: many })).toBe("100000, unequal");
        expect(
            sizesText([
                [0, 5],
                [224, 3],
            ]),
        ).toBe("0 to 224 bytes");
        expect(
            sizesText([
                [5, 5],
                [5, 5],
            ]),
        ).toBe("5 bytes");
    });
});
