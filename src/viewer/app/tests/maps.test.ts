// SPDX-License-Identifier: BSD-3-Clause
// maps.test.ts: maps of decisions: their cells, layers, keys, and what of them is in the address.
import { mount } from "@vue/test-utils";
import { beforeAll, describe, expect, it } from "vitest";
import { nextTick } from "vue";
import type { Engine } from "../src/engine";
import AreaMap from "../src/parts/AreaMap.vue";
import type { Algorithm } from "../src/replay/call";
import { mapOf, othersOf, reasonsOf, ruleText, type Cell } from "../src/replay/map";
import { change, go, link } from "../src/state";
import MapView from "../src/views/MapView.vue";
import { shunt } from "./shunt";

let engine: Engine;
let rows: Algorithm[];

beforeAll(async () => {
    engine = await shunt();
    rows = engine.json<{ algorithms: Algorithm[] }>(["algorithms", "--json"]).algorithms;
});

describe("maps", () => {
    const question = {
        op: "alltoallv" as const,
        ppn: "",
        most: 64,
        blocks: "1-4K",
        oversubscribed: false,
    };

    it("have the rule of each cell, and why others do not take it", () => {
        const cells = mapOf(engine, question, "built-in");
        expect(cells.length).toBe(6 * 13);
        const cell = cells.find((one) => one.ranks === 16 && one.block === 512);
        expect(cell?.algorithm).toBe("shared-segment");
        expect(ruleText(cell?.rule ?? null)).toMatch(/^built-in:[0-9]+ "/);
        if (cell) expect(reasonsOf(engine, question, cell, "built-in").length).toBeGreaterThan(0);
        expect(ruleText(null)).toBe("no rule");
    });

    const cellOf = (ranks: number, block: number, algorithm: string, parameters = ""): Cell => ({
        ...{ ranks, nodes: 1, block, algorithm, parameters, rule: null, said: "" },
    });
    const few = [2, 4, 8].flatMap((ranks) =>
        [1, 2].map((block) => cellOf(ranks, block, "bruck", "radix=2")),
    );

    it("know which cells another layer decides otherwise", () => {
        const model = [
            cellOf(2, 1, "bruck", "radix=2"),
            cellOf(4, 1, "bruck", "radix=4"),
            cellOf(8, 2, "linear"),
            cellOf(16, 1, "linear"), // which the first layer has not got
        ];
        expect([...othersOf(few, model).keys()]).toEqual(["4.1", "8.2"]);
    });

    it("are one stop of Tab, in which arrow keys move, and Enter opens", async () => {
        const map = mount(AreaMap, {
            props: {
                ...{ cells: few, names: ["bruck"], dots: [], chosen: null },
                ...{
                    differs: new Set<string>(),
                    others: new Map([["4.2", cellOf(4, 2, "linear")]]),
                },
            },
            attachTo: document.body,
        });
        const stops = () => map.findAll('[tabindex="0"]').map((one) => one.attributes("data-cell"));
        const at = () => document.activeElement?.getAttribute("data-cell");
        expect(stops()).toEqual(["2.1"]);
        map.find<SVGGElement>('[data-cell="2.1"]').element.focus();
        const press = async (key: string) => {
            await map.find(`[data-cell="${at()}"]`).trigger("keydown", { key });
            const looks = map.emitted("look") as [Cell][];
            await map.setProps({ chosen: looks.at(-1)?.[0] ?? null });
        };
        await press("ArrowRight");
        await press("ArrowDown");
        expect(at()).toBe("4.2");
        expect(stops()).toEqual(["4.2"]);
        await press("ArrowDown");
        await press("End");
        expect(at()).toBe("8.2");
        await press("Enter");
        expect((map.emitted("open") as [Cell][])[0]?.[0]).toEqual(few[5]);
        // The other layer is seen and told.
        expect(map.findAll("path.other")).toHaveLength(1);
        expect(map.find('[data-cell="4.2"]').attributes("aria-label")).toContain(
            "the model: linear",
        );
        expect(map.findAll(".same")).toHaveLength(5);
        map.unmount();
    });

    it("have the layer and the cell that is looked at in the address", async () => {
        const element = document.createElement("script");
        element.id = "shunt-data";
        element.type = "application/json";
        element.textContent = JSON.stringify({ machines: [{ name: "alpha" }] });
        document.body.append(element);
        const cell = { ranks: 4, nodes: 1, from: 64, block: 64, parameters: "", rule: null };
        let made = 0;
        const fake = {
            run: () => ({ status: 1, out: "", err: "" }),
            json: (args: readonly string[]) => {
                if (args[0] === "schedule" || !args.some((one) => one.startsWith("--block=")))
                    return { schedules: [] };
                if (!args.includes("--grid") && args[0] === "explain") return { others: [] };
                made++;
                const choice = { algorithm: "linear", parameters: "", time_s: 1e-6, speedup: 2 };
                return args[0] === "predict"
                    ? { cells: [{ ...cell, choice }] }
                    : { cells: [{ ...cell, algorithm: "pairwise", modelled: false }] };
            },
        } as Engine;
        go("map", { layer: "differ", cell: "4.64" });
        const view = mount(MapView, { props: { engine: fake, rows } });
        expect(view.find(".looked h3").text()).toContain("pairwise");
        expect(view.find(".looked").text()).toContain("model: alpha takes linear");
        expect(view.find(".differ-legend").text()).toContain("1 of 1");
        change({ cell: "" });
        await nextTick();
        expect(view.find(".looked h3").exists()).toBe(false);
        const before = made;
        await view.find('[data-cell="4.64"]').trigger("pointerenter");
        expect(link.values["cell"]).toBe("4.64");
        expect(view.find(".looked h3").exists()).toBe(true);
        expect(made).toBe(before); // no map is made anew for a look
        await view.find('select[name="layer"]').setValue("model");
        expect(link.values).toEqual({ layer: "model" });
        expect(view.find('[data-cell="4.64"]').attributes("aria-label")).toContain("linear");
        await view.find('select[name="layer"]').setValue("table");
        await view.find('select[name="layer"]').setValue("model");
        expect(made).toBe(before);
        view.unmount();
        element.remove();
        go("home", {});
    });

    it("refuse what the command refuses, in its words", () => {
        expect(() => mapOf(engine, { ...question, blocks: "elephant" }, "built-in")).toThrow(
            /elephant/,
        );
    });
});
