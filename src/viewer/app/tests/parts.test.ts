// SPDX-License-Identifier: BSD-3-Clause
// parts.test.ts: the parts of the page by themselves: the address, words about steps, logs,
// what players and drawings do.
import { mount } from "@vue/test-utils";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { h, nextTick, ref } from "vue";
import { colourOf, inkOn } from "../src/colours";
import type { Engine } from "../src/engine";
import AdjacencyMatrix from "../src/parts/Adjacency.vue";
import ControlsForm from "../src/parts/Controls.vue";
import DataView from "../src/parts/DataView.vue";
import { Board, type Sheet } from "../src/parts/board";
import { gridOf, pictureOf } from "../src/parts/cells";
import ChartView from "../src/parts/Chart.vue";
import PanelView from "../src/parts/Panel.vue";
import { legendHeight, placed } from "../src/parts/legend";
import { exactly, marks, short, size, tick } from "../src/parts/lines";
import { FIRST_CALL, type Algorithm, type Call } from "../src/replay/call";
import { dotsOf, layoutOfKind, wholeCalls, wholeOf } from "../src/replay/logged";
import { usePlayer } from "../src/replay/player";
import { showCall, type Shown } from "../src/replay/shown";
import { callOf, change, go, hashOf, link, linkOf, valuesOf } from "../src/state";
import HomeView from "../src/views/HomeView.vue";
import { shunt } from "./shunt";

let engine: Engine;
let rows: Algorithm[];

beforeAll(async () => {
    engine = await shunt();
    rows = engine.json<{ algorithms: Algorithm[] }>(["algorithms", "--json"]).algorithms;
});

const show = (call: Partial<Call>): Shown => showCall(engine, { ...FIRST_CALL, ...call }, rows);

describe("the address", () => {
    beforeEach(() => go("home", {}));

    it("says the whole state, and nothing that is as it is at first", () => {
        const call: Call = {
            ...FIRST_CALL,
            algorithm: "parlogna",
            op: "alltoallv",
            parameters: { radix: "3", metadata: "" },
            sizes: "own",
            counts: "0 1\n2 3",
        };
        const hash = hashOf({ page: "algorithms", values: { ...valuesOf(call), at: "7" } });
        const read = linkOf(hash);
        expect(read.page).toBe("algorithms");
        expect(read.values["at"]).toBe("7");
        expect(callOf(read.values)).toEqual({ ...call, parameters: { radix: "3" } });
        expect(valuesOf(FIRST_CALL)).toEqual({});
    });

    it("has two calls beside each other", () => {
        const a = { ...FIRST_CALL, algorithm: "pairwise" };
        const values = { ...valuesOf(a, "a."), ...valuesOf(FIRST_CALL, "b.") };
        expect(callOf(values, "a.")).toEqual(a);
        expect(callOf(values, "b.")).toEqual(FIRST_CALL);
    });

    it("follows what is chosen, and a link that is opened", async () => {
        go("map", { op: "alltoallv" });
        change({ ppn: "4" });
        expect(link.values).toEqual({ op: "alltoallv", ppn: "4" });
        // The address follows what is changed quietly, but at once where the reader may leave.
        expect(location.hash).toBe("#/map?op=alltoallv");
        document.body.click();
        expect(location.hash).toBe("#/map?op=alltoallv&ppn=4");
        location.hash = "#/costs?machine=alpha";
        dispatchEvent(new Event("hashchange"));
        await nextTick();
        expect(link.page).toBe("costs");
        expect(link.values).toEqual({ machine: "alpha" });
        expect(linkOf("#/elephant").page).toBe("home");
    });
});

describe("logs", () => {
    const line = (rank: number, bytes: number[]) =>
        JSON.stringify({
            event: "call",
            rank,
            call: 3,
            communicator_id: "c",
            operation: "alltoallv",
            algorithm: "parlogna",
            parameters: "radix=2",
            send_bytes: bytes,
        });

    it("have calls with the sizes of all ranks", () => {
        const { calls, broken } = wholeCalls([
            `${line(1, [3, 4])}\n{"event": "ca`,
            line(0, [1, 2]),
        ]);
        expect(broken).toBe(1);
        expect(calls).toHaveLength(1);
        expect(calls[0]?.counts).toEqual([
            [1, 2],
            [3, 4],
        ]);
        expect(wholeCalls([line(0, [1, 2])]).calls).toEqual([]);
    });

    it("know unequal nodes, of kinds and of whole calls", () => {
        expect(layoutOfKind({ ranks: 6, nodes: 3, layout: [3, 2, 1] })).toBe("3,2,1");
        expect(layoutOfKind({ ranks: 6, nodes: 3 })).toBe("2,2,2");
        expect(layoutOfKind({ ranks: 7, nodes: 3 })).toBe("7");
        const place = JSON.stringify({
            event: "communicator",
            communicator_id: "c",
            layout: [1, 1],
        });
        const { calls } = wholeCalls([[place, line(0, [1, 2]), line(1, [3, 4])].join("\n")]);
        expect(calls[0]?.layout).toBe("1,1");
        const [one] = wholeOf([
            {
                communicator: "row",
                communicator_id: "0c",
                call: 2,
                algorithm: "sloav",
                parameters: "",
                layout: [1, 1],
                send_bytes: [
                    [0, 7],
                    [1, 0],
                ],
            },
        ]);
        expect(one).toMatchObject({ name: "row, call 2", layout: "1,1", algorithm: "sloav" });
    });

    it("are drawn on the map that is about them", () => {
        const kind = {
            operation: "alltoall" as const,
            ranks: 8,
            nodes: 2,
            largest: 64,
            algorithm: "bruck",
            parameters: "",
            calls: 2,
            seconds: 1,
        };
        const question = {
            op: "alltoall" as const,
            most: 64,
            blocks: "1-4K",
            oversubscribed: false,
        };
        expect(dotsOf([kind], { ...question, ppn: "4" })).toHaveLength(1);
        expect(dotsOf([kind], { ...question, ppn: "" })).toHaveLength(0);
    });
});

describe("a player", () => {
    it("steps to whole steps and halves, and stays within", () => {
        const at = ref(0);
        let player: ReturnType<typeof usePlayer> | undefined;
        mount({ setup: () => void (player = usePlayer(ref(3), at, ref(2))), template: "<i />" });
        player?.back();
        expect(at.value).toBe(0);
        player?.half();
        expect(at.value).toBe(1);
        player?.step();
        expect(at.value).toBe(2);
        player?.halfBack();
        player?.back();
        expect(at.value).toBe(0);
        player?.goTo(99);
        expect(at.value).toBe(6);
        player?.reset();
        expect(at.value).toBe(0);
    });
});

describe("drawings", () => {
    it("have a chip for each block, at its place, and say how many are home", () => {
        const { replay, states } = show({ layout: "4" });
        const props = { replay, states, counts: null, elements: 2, chosen: null };
        const first = mount(DataView, { props: { ...props, at: 0 } });
        expect(first.findAll(".chip")).toHaveLength(16);
        expect(first.find("svg").attributes("aria-label")).toContain("0 of 16 blocks");
        const last = mount(DataView, { props: { ...props, at: 2 * replay.steps.length } });
        expect(last.find("svg").attributes("aria-label")).toContain("16 of 16 blocks");
        expect(last.find('[data-place="receive 2 3"]').attributes("data-block")).toBe("14");
    });

    it("let what arrives glide from where it was, on the way forward", async () => {
        const { replay, states } = show({ layout: "4", algorithm: "pairwise" });
        const props = { replay, states, counts: null, elements: 1, chosen: null };
        const view = mount(DataView, { props: { ...props, at: 3 } });
        expect(view.findAll(".glides")).toHaveLength(0);
        await view.setProps({ at: 4 });
        expect(view.find("svg").classes()).toContain("forward");
        expect(view.findAll(".glides")).toHaveLength(4);
        const [edges, frame] = view.findAll("path.arrived");
        expect(edges?.classes()).toContain("edges");
        expect(frame?.attributes("d")).toBe(edges?.attributes("d"));
        // Block 0 > 1 from row 1 of the first column to row 0 of the second's receive buffer.
        const glides = view.find('[data-place="receive 1 0"]').attributes("style") ?? "";
        const box = (place: string) => view.find(`[data-place="${place}"] rect`);
        const [from, to] = [box("send 0 1"), box("receive 1 0")];
        const off = (name: string) => Number(from.attributes(name)) - Number(to.attributes(name));
        expect(glides).toContain(`translate(${off("x")}px, ${off("y")}px)`);
        await view.setProps({ at: 2 });
        expect(view.find("svg").classes()).not.toContain("forward");
    });

    // A board of its own for each: what is painted of a step has to be what is painted of the whole.
    function boardOf({ replay, states, elements }: Shown) {
        const grid = gridOf(replay, states);
        const [width, height] = [Math.round(grid.width), Math.round(grid.height)];
        const pixels = new Uint32Array(width * height);
        const mask = (_: string, wide: number, high: number) => new Uint8Array(wide * high);
        const sheet: Sheet = { replay, grid, elements, scale: 1, width, pixels, mask };
        const board = new Board(sheet, {
            line: "#cccccc",
            mark: "#111111",
            accent: "#0000ff",
            ink: "#1b1f24",
            paper: "#ffffff",
            chips: Array.from({ length: replay.ranks }, (_, rank) => colourOf(rank, replay.ranks)),
            numbers: Array.from({ length: replay.ranks }, () => "#000000"),
        });
        const at = (position: number) =>
            board.show(pictureOf(replay, states, grid, position, () => 1, false));
        return { pixels, at };
    }

    const same = (a: Uint32Array, b: Uint32Array) => a.every((one, i) => one === b[i]);

    it.each(["pairwise", "bruck-basic", "shared-segment"])(
        "paint what a step changes, and leave the rest: %s",
        (algorithm) => {
            const call = show({ algorithm, layout: "17" });
            const stepped = boardOf(call);
            const last = 2 * call.replay.steps.length;
            expect(stepped.at(0).count).toBe(17 * 17);
            for (let position = 1; position <= last; position++) {
                stepped.at(position);
                expect(stepped.at(position).count).toBe(0);
            }
            const whole = boardOf(call);
            whole.at(last);
            expect(same(stepped.pixels, whole.pixels)).toBe(true);
            stepped.at(0);
            expect(same(stepped.pixels, whole.pixels)).toBe(false);
            whole.at(0);
            expect(same(stepped.pixels, whole.pixels)).toBe(true);
        },
    );

    it("paint few cells in a step of few blocks", () => {
        const board = boardOf(show({ algorithm: "pairwise", layout: "17" }));
        board.at(2);
        // Each of 17 ranks marks the block that leaves, and the place that it goes to; what has
        // arrived before is no longer new, nor is the place that it has left.
        expect(board.at(3).count).toBe(4 * 17);
    });

    it("have their legend when they are saved, and only then", async () => {
        const lines = ["one", "another"].map((name) => ({
            name,
            colour: "#0072b2",
            dash: "",
            points: [[1, 1]] as [number, number][],
        }));
        const chart = { lines, xName: "x", yName: "y", unit: "", xBase: 2 };
        let saved = "";
        const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
        const create = URL.createObjectURL;
        URL.revokeObjectURL ??= () => {}; // jsdom has none, and it is called a second later
        URL.createObjectURL = (blob) => {
            const reader = new FileReader();
            reader.onload = () => (saved = String(reader.result));
            reader.readAsText(blob as Blob);
            return "blob:x";
        };
        const panel = mount(PanelView, {
            props: { heading: "Lines", file: "lines" },
            slots: { default: h(ChartView, chart) },
            attachTo: document.body,
        });
        Object.defineProperty(SVGSVGElement.prototype, "viewBox", {
            configurable: true,
            value: { baseVal: { x: 0, y: 0, width: 620, height: 340 } },
        });
        expect(panel.findAll(".entry")).toHaveLength(0);
        await panel.find('[aria-label="Save Lines as SVG"]').trigger("click");
        await vi.waitFor(() => expect(saved).toContain(">another</text>"));
        URL.createObjectURL = create;
        click.mockRestore();
        await nextTick();
        expect(panel.findAll(".entry")).toHaveLength(0);
        panel.unmount();
    });

    it("have legends in as many lines as they need", () => {
        const entries = Array.from({ length: 9 }, (_, i) => ({
            name: `line ${i}`,
            colour: "#000",
        }));
        const all = placed(entries, 300);
        expect(all.every((one) => one.x + 34 + one.name.length * 6.6 <= 300)).toBe(true);
        expect(new Set(all.map((one) => `${one.x} ${one.y}`)).size).toBe(9);
        expect(legendHeight(entries, 300)).toBeGreaterThan(legendHeight(entries, 3000));
        expect(legendHeight([], 300)).toBe(0);
    });

    it("show who sends to whom", () => {
        const { replay } = show({ algorithm: "pairwise", layout: "4" });
        const view = mount(AdjacencyMatrix, { props: { replay, at: 3 } });
        expect(view.attributes("aria-label")).toBe("4 pairs of ranks send now, 0 did earlier");
        expect(view.findAll(".meaning").map((one) => one.text())).toEqual([
            "sends now",
            "sent earlier",
        ]);
    });

    it("tell what a chosen rank sends, receives, and did earlier", () => {
        const { replay } = show({ algorithm: "pairwise", layout: "4" });
        const view = mount(AdjacencyMatrix, { props: { replay, at: 5, chosen: 0 } });
        expect(view.attributes("aria-label")).toMatch(
            /^Rank 0 sends now to 2 and receives from 2; earlier it sent to (1|3) and received from (3|1)\. Of all: 4 pairs/,
        );
        const drawn = (look: string) =>
            (view.find(`path.${look}`).attributes("d")?.match(/M/g) ?? []).length;
        // A square for each that it sends, a frame, with an inner edge, for each that it receives.
        expect([drawn("now.sends"), drawn("now.receives")]).toEqual([1, 2]);
        expect([drawn("earlier.sends"), drawn("earlier.receives")]).toEqual([1, 2]);
        expect([drawn("now.others"), drawn("earlier.others")]).toEqual([2, 2]);
        const meanings = view.findAll(".meaning").map((one) => one.text());
        expect(meanings).toContain("rank 0 receives now");
        expect(meanings).toContain("it sent earlier");
    });

    it("have colours and inks that can be read", () => {
        const colours = Array.from({ length: 32 }, (_, i) => colourOf(i, 32));
        expect(new Set(colours).size).toBe(32);
        expect(inkOn("#ffffff")).toBe("#000000");
        expect(inkOn("#00224e")).toBe("#ffffff");
    });

    it("write numbers for people", () => {
        expect(short(0.0000123, "s")).toBe("12.3 µs");
        expect(short(0)).toBe("0");
        expect([size(65536), size(1000), size(3000)]).toEqual(["64 KiB", "1000 B", "2.93 KiB"]);
        expect([exactly(1), exactly(1536), exactly(3000), exactly(2 ** 21)]).toEqual([
            "1 byte",
            "1.5 KiB",
            "3,000 bytes",
            "2 MiB",
        ]);
        expect([tick(1024, ""), tick(1024, "B"), tick(0.001, "s")]).toEqual([
            "1,024",
            "1 KiB",
            "1 ms",
        ]);
        expect(marks(2, 64, 2)).toEqual([2, 4, 8, 16, 32, 64]);
    });
});

describe("the first view", () => {
    it("has the collectives as a table: those that are routed are those that algorithms serve", () => {
        const home = mount(HomeView, { props: { engine, rows } });
        const lines = home.findAll("table.collectives tbody tr");
        const said = (line: (typeof lines)[number]) =>
            line
                .findAll("th div")
                .map((name) => `${name.text()}: ${line.findAll("td")[3]?.text()}`);
        const all = lines.flatMap(said);
        const served = new Set(rows.flatMap((row) => row.operations));
        expect(all.filter((one) => one.endsWith(": routes it"))).toEqual(
            [...served].map((op) => `MPI_A${op.slice(1)}: routes it`),
        );
        expect(all).toContain("MPI_Ineighbor_alltoallw: passes it through and counts it");
    });
});

describe("the form of a call", () => {
    it("offers the parameters of the algorithm, and an operation that it serves", async () => {
        const form = mount(ControlsForm, { props: { call: { ...FIRST_CALL }, rows } });
        expect(form.find('input[name="radix"]').exists()).toBe(true);
        expect(form.find('option[value="native"]').exists()).toBe(false);
        await form.find('select[name="algorithm"]').setValue("node-pair");
        const [[call]] = form.emitted("change") as [[Call]];
        expect(call.algorithm).toBe("node-pair");
        await form.find('input[name="nodes"]').setValue("3");
        const last = (form.emitted("change") as [Call][]).at(-1);
        expect(last?.[0].layout).toBe("3,3,2");
    });
});
