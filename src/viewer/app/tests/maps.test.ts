// SPDX-License-Identifier: BSD-3-Clause
// maps.test.ts: maps of decisions: their cells, layers, keys, and what of them is in the address.
import { mount } from "@vue/test-utils";
import { beforeAll, describe, expect, it } from "vitest";
import { nextTick } from "vue";
import type { Engine } from "../src/engine";
import AreaMap from "../src/parts/AreaMap.vue";
import type { Algorithm } from "../src/replay/call";
import { LIBRARIES } from "../src/replay/libraries";
import {
    firstLayout,
    LIBRARY,
    mapOf,
    MODEL,
    MODEL_RANKS,
    othersOf,
    partsOf,
    reasonsOf,
    ruleText,
    sourcesOf,
    takesLong,
    type Cell,
} from "../src/replay/map";
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

    it("have small blocks on top, as the command prints and draws them", () => {
        const props = { cells: few, names: ["bruck"], dots: [], differs: new Set<string>() };
        const map = mount(AreaMap, { props: { ...props, chosen: null } });
        const y = (cell: string) => Number(map.find(`[data-cell="${cell}"] rect`).attributes("y"));
        expect(y("2.1")).toBeLessThan(y("2.2"));
        const ticks = map.findAll("text.side").map((one) => one.text());
        expect(ticks).toEqual(["1 B", "2 B"]);
    });

    it("are called by their machines, and the built-in one by what it is", () => {
        const image = (name: string, path: string, machine?: string) => ({
            ...{ name, path, image: "" },
            ...(machine ? { machine } : {}),
        });
        const labels = (...tables: ReturnType<typeof image>[]) =>
            sourcesOf({ tables, machines: [image("alpha", "alpha.cfg")] }).map((one) => one.label);
        expect(labels()).toEqual([
            "the built-in table",
            "MPICH by itself",
            "Open MPI by itself",
            "model: alpha",
        ]);
        expect(labels(image("user", "/etc/elbe.cfg", "Elbe")).slice(0, 2)).toEqual([
            "Elbe (elbe.cfg)",
            "the built-in table",
        ]);
        const both = labels(image("user", "/a/my.cfg"), image("table2", "/b/my.cfg"));
        expect(both.slice(0, 2)).toEqual(["my.cfg, user", "my.cfg, table2"]);
        expect(labels(image("user", "built-in")).filter((one) => /built-in/.test(one))).toEqual([
            "the built-in table",
        ]);
    });

    // Rules for 32 ranks on each of many nodes, and for nothing else.
    const far = {
        run: () => ({ status: 1, out: "", err: "" }),
        json: (args: readonly string[]) => {
            const ours = args.includes("--op=alltoallv") && args.includes("--ppn=32");
            const algorithm = ours ? "parlogna" : "native";
            return { cells: [{ ranks: 64, nodes: 2, from: 1, algorithm, parameters: "" }] };
        },
    } as Engine;

    it("begin where something is not native, unless the reader has said where", () => {
        expect(firstLayout(engine, "built-in", {})).toEqual({ op: "alltoall", ppn: "", most: 128 });
        const found = { op: "alltoallv", ppn: "32", most: 32 * 512 };
        expect(firstLayout(far, "user", {})).toEqual(found);
        expect(firstLayout(far, "user", { op: "alltoall" }).op).toBe("alltoall");
        expect(firstLayout(far, "user", { ppn: "" }).ppn).toBe("");
        expect(firstLayout(far, `${MODEL}alpha`, {}).ppn).toBe("");
    });

    it("of a model are made in parts, or refused with a word where that takes minutes", () => {
        const cells = [1, 2, 4, 8, 16].flatMap((block) =>
            [2, 512].map((ranks) => ({ ranks, block })),
        );
        const asked: string[][] = [];
        const slow = {
            run: () => ({ status: 1, out: "", err: "" }),
            json: (args: readonly string[]) => {
                if (args[0] === "predict") asked.push([...args]);
                const nodes = 1;
                return {
                    cells: cells.map((one) => ({ ...one, nodes, from: one.block, choice: null })),
                };
            },
        } as Engine;
        const large = { ...question, ppn: "", most: 512 };
        expect(takesLong(large, `${MODEL}alpha`)).toBe(true);
        expect(takesLong(large, "built-in")).toBe(false);
        expect(takesLong({ ...large, most: 128 }, `${MODEL}alpha`)).toBe(false);
        const parts = partsOf(slow, large, `${MODEL}alpha`);
        expect(asked).toEqual([]); // nothing is predicted before its turn
        expect(parts.map((one) => one.calls)).toEqual([2, 5, 7, 10]);
        expect(parts.every((one) => one.of === 10)).toBe(true);
        parts.forEach((one) => one.make());
        const of = (name: string) =>
            asked.map((args) => args.find((one) => one.startsWith(name))?.slice(name.length));
        expect(of("--ranks=")).toEqual(["2", "2", "512", "512"]);
        expect(of("--block=")).toEqual(["1,2", "4,8,16", "1,2", "4,8,16"]);
        expect(() => partsOf(slow, { ...large, most: 100000 }, `${MODEL}alpha`)).toThrow(
            new RegExp(`100000 ranks takes minutes.*${MODEL_RANKS} ranks at most`),
        );
    });

    const chosen = (library: string, op: "alltoall" | "alltoallv", ranks: number, block: number) =>
        LIBRARIES.find((one) => one.name === library)?.choose(op, ranks, block);

    it("have what MPICH chooses: Bruck to 256 bytes from 8 ranks, scattered to 32 KiB, pairwise", () => {
        const taken = (ranks: number, block: number) =>
            chosen("MPICH", "alltoall", ranks, block)?.algorithm;
        expect([1, 256, 257, 32768, 32769].map((block) => taken(8, block))).toEqual([
            "bruck-basic",
            "bruck-basic",
            "scattered",
            "scattered",
            "exclusive-or",
        ]);
        expect([1, 256, 32769].map((block) => taken(7, block))).toEqual([
            "scattered",
            "scattered",
            "pairwise",
        ]);
        expect(chosen("MPICH", "alltoallv", 64, 1)?.algorithm).toBe("scattered");
        expect(chosen("MPICH", "alltoallv", 64, 1)?.parameters).toBe("batch_size=32");
        expect(chosen("MPICH", "alltoallv", 4, 1 << 20)?.parameters).toBe("batch_size=3");
    });

    it("have what Open MPI chooses by its fixed decision", () => {
        const taken = (ranks: number, block: number) =>
            /"(.*)"/.exec(chosen("Open MPI", "alltoall", ranks, block)?.said ?? "")?.[1];
        expect([1, 2, 3, 4, 1 << 20].map((block) => taken(2, block))).toEqual([
            "pairwise",
            "two_proc",
            "two_proc",
            "pairwise",
            "pairwise",
        ]);
        expect([3, 4, 511, 512, 8191, 8192].map((block) => taken(16, block))).toEqual([
            "linear_sync",
            "modified_bruck",
            "modified_bruck",
            "linear_sync",
            "linear_sync",
            "linear",
        ]);
        expect([1, 511, 512, 524287, 524288].map((block) => taken(63, block))).toEqual([
            "modified_bruck",
            "modified_bruck",
            "linear",
            "linear",
            "linear_sync",
        ]);
        expect([2047, 2048, 65536].map((block) => taken(5000, block))).toEqual([
            "modified_bruck",
            "linear_sync",
            "linear_sync",
        ]);
        const v = (ranks: number) => chosen("Open MPI", "alltoallv", ranks, 1)?.algorithm;
        expect([3, 4, 63, 64, 127, 128, 255, 256, 1023, 1024].map(v)).toEqual([
            ...["pairwise", "linear", "linear", "pairwise", "pairwise"],
            ...["linear", "linear", "pairwise", "pairwise", "linear"],
        ]);
    });

    it("have libraries for the same calls as tables, by algorithms that there are", () => {
        const names = new Set(rows.map((row) => row.algorithm));
        for (const { name } of LIBRARIES)
            for (const op of ["alltoall", "alltoallv"] as const) {
                const cells = mapOf(engine, { ...question, op }, LIBRARY + name);
                const calls = mapOf(engine, { ...question, op }, "built-in");
                const key = (cell: Cell) => `${cell.ranks} ${cell.nodes} ${cell.block}`;
                expect(cells.map(key)).toEqual(calls.map(key));
                for (const cell of cells) {
                    expect(names).toContain(cell.algorithm);
                    expect(
                        rows.find((row) => row.algorithm === cell.algorithm)?.operations,
                    ).toContain(op);
                }
            }
        expect(() => mapOf(engine, question, `${LIBRARY}elephant`)).toThrow(/elephant/);
    });

    it("refuse what the command refuses, in its words", () => {
        expect(() => mapOf(engine, { ...question, blocks: "elephant" }, "built-in")).toThrow(
            /elephant/,
        );
    });
});
