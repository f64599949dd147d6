// SPDX-License-Identifier: BSD-3-Clause
// replay.test.ts: every algorithm of the registry on several layouts, step by step to the end:
// each block ends where it belongs, and what is counted is what the command counts.
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../src/engine";
import { gridOf } from "../src/parts/cells";
import {
    FIRST_CALL,
    hasSchedule,
    layoutOf,
    layoutWrong,
    placed,
    scheduleArgs,
    type Algorithm,
    type Call,
} from "../src/replay/call";
import { replayOf, type Replay } from "../src/replay/replay";
import { digitsOf, radicesOf, type ScheduleText, type Totals } from "../src/replay/schedule";
import { explain, titleOf } from "../src/replay/explain";
import { showCall, showTimed, type Shown } from "../src/replay/shown";
import { misplaced, statesOf, type State } from "../src/replay/states";
import { adjacencyOf, Cell, talliesOf, type Tally } from "../src/replay/tally";
import { PIECES } from "../src/replay/timed";
import { shunt } from "./shunt";

let engine: Engine;
let rows: Algorithm[];

beforeAll(async () => {
    engine = await shunt();
    rows = engine.json<{ algorithms: Algorithm[] }>(["algorithms", "--json"]).algorithms;
});

function scheduleOf(change: Partial<Call>): { schedule: ScheduleText; counts: number[][] | null } {
    const asked = scheduleArgs({ ...FIRST_CALL, ...change }, undefined);
    return { schedule: engine.json<ScheduleText>(asked.args, asked.texts), counts: asked.counts };
}

function checkTotals(schedule: ScheduleText, replay: Replay): void {
    const tally = talliesOf(replay)[replay.steps.length];
    const sum = (name: keyof Totals) =>
        schedule.schedules.reduce((total, one) => total + (one.totals[name] ?? 0), 0);
    expect(tally?.messages).toBe(sum("messages"));
    expect(tally?.blocks).toBe(sum("blocks"));
    expect(tally?.copies).toBe(sum("copies"));
    expect(tally?.reads).toBe(sum("reads"));
    expect(tally?.barriers).toBe(sum("barriers"));
    expect(tally?.agreement).toBe(sum("agreement_messages"));
    if (tally?.bytes !== null) expect(tally?.bytes).toBe(sum("bytes"));
}

const layouts = ["2", "7", "8", "2,2,2,2", "3,1,5", "cyclic:2,1,3"];

describe("every algorithm", () => {
    it.each(layouts)(
        "brings each block to its place on %s",
        (layout) => {
            let shown = 0;
            for (const row of rows.filter(hasSchedule))
                for (const op of row.operations as Call["op"][]) {
                    for (const sizes of op === "alltoallv"
                        ? (["equal", "random"] as const)
                        : ["equal" as const]) {
                        const call = { op, algorithm: row.algorithm, layout, block: "9", sizes };
                        const asked = scheduleArgs({ ...FIRST_CALL, ...call }, row);
                        const answer = engine.run(asked.args, asked.texts);
                        if (answer.status !== 0) {
                            expect(answer.err, row.algorithm).toMatch(/cannot serve this layout/);
                            continue;
                        }
                        const schedule = JSON.parse(answer.out) as ScheduleText;
                        const replay = replayOf(schedule);
                        const states = statesOf(replay);
                        const needed = (block: number) =>
                            !asked.counts ||
                            (asked.counts[Math.floor(block / replay.ranks)]?.[
                                block % replay.ranks
                            ] ?? 0) > 0;
                        const last = states[states.length - 1];
                        expect(
                            last && misplaced(replay, last, needed),
                            `${row.algorithm} ${op}`,
                        ).toEqual([]);
                        expect(last?.flying).toEqual([]);
                        const first = states[0];
                        expect(first && misplaced(replay, first).length).toBe(replay.ranks ** 2);
                        checkTotals(schedule, replay);
                        shown++;
                    }
                }
            expect(shown).toBeGreaterThan(30);
        },
        120_000,
    );

    it.each([
        "bruck:radix=3",
        "bruck:radix=2x4",
        "parlogna:radix=3:metadata=separate:batch_size=1",
    ])("with parameters: %s", (algorithm) => {
        const op = algorithm.startsWith("bruck") ? "alltoall" : "alltoallv";
        const replay = replayOf(scheduleOf({ algorithm, op, layout: "13" }).schedule);
        const states = statesOf(replay);
        const last = states[replay.steps.length];
        expect(last && misplaced(replay, last)).toEqual([]);
    });
});

describe("a call by the clock", () => {
    // The command finds descriptions of machines; the engine of tests has none.
    const machine = "hoefler-moor-2014";

    it.skipIf(!process.env["SHUNT"])(
        "ends as it ends step by step, for every algorithm",
        () => {
            let shown = 0;
            for (const row of rows.filter(hasSchedule))
                for (const layout of ["3,1,4", "cyclic:2,3"])
                    for (const op of row.operations as Call["op"][]) {
                        const call = {
                            ...FIRST_CALL,
                            algorithm: row.algorithm,
                            op,
                            layout,
                            block: "900",
                        };
                        const fast = { ...FIRST_CALL, algorithm: "spread-out", op, layout };
                        const [timed] = showTimed(engine, [call, fast], rows, machine);
                        if (!timed?.shown) {
                            expect(timed?.refused?.message).toMatch(/cannot serve this layout/);
                            continue;
                        }
                        const { replay, states, tallies } = timed.shown;
                        const last = states[replay.steps.length];
                        const name = `${row.algorithm} ${op} ${layout}`;
                        expect(last && misplaced(replay, last), name).toEqual([]);
                        expect(last?.flying, name).toEqual([]);
                        const steps = showCall(engine, call, rows);
                        const {
                            rounds,
                            steps: started,
                            ...sums
                        } = tallies[replay.steps.length] as Tally;
                        expect(steps.tallies[steps.replay.steps.length], name).toMatchObject(sums);
                        expect(started).toBe(0); // a clock has no steps
                        expect(rounds).toBeLessThanOrEqual(steps.replay.rounds);
                        shown++;
                    }
            expect(shown).toBeGreaterThan(40);
        },
        60_000,
    );

    it.skipIf(!process.env["SHUNT"])("goes on in its own time", () => {
        const calls = ["pairwise", "bruck"].map((algorithm) => ({ ...FIRST_CALL, algorithm }));
        const [slow, fast] = showTimed(engine, calls, rows, machine);
        if (!slow?.shown || !fast?.shown) throw new Error("nothing is shown");
        const atHalf = (one: Shown) =>
            misplaced(one.replay, one.states[PIECES / 2] as State).length;
        expect(slow.seconds).toBeGreaterThan(fast.seconds);
        expect(slow.shown.replay.steps.length).toBe(PIECES);
        expect(atHalf(slow.shown)).toBeGreaterThan(atHalf(fast.shown));
        expect(titleOf(slow.shown.replay, slow.shown.replay.steps[99])).toMatch(/s of .*s$/);
        expect(explain(fast.shown.replay, null, fast.shown.replay.steps[PIECES - 1])).toMatch(
            /done since/,
        );
    });

    it("says what is wrong with one side alone", () => {
        const calls = [
            { ...FIRST_CALL, layout: "1" },
            { ...FIRST_CALL, algorithm: "elephant" },
        ];
        const both = showTimed(engine, calls, rows, machine);
        expect(both.map((one) => [one.refused?.field, one.refused?.message])).toEqual([
            ["layout", expect.stringMatching(/nobody/)],
            ["algorithm", 'unknown algorithm "elephant"'],
        ]);
    });
});

describe("a replay", () => {
    it("has lengths in a step of their own where they travel apart", () => {
        const kinds = replayOf(
            scheduleOf({ algorithm: "two-phase-bruck", op: "alltoallv", layout: "4" }).schedule,
        ).steps.map((step) => step.kind);
        expect(kinds).toEqual(["agreement", "before", "lengths", "round", "round"]);
    });

    it("tells messages between nodes from those within", () => {
        const replay = replayOf(scheduleOf({ algorithm: "spread-out", layout: "2,2" }).schedule);
        const tally = talliesOf(replay)[replay.steps.length];
        expect(tally?.messages).toBe(12);
        expect(tally?.between).toBe(8);
    });

    it("has ranks that are dealt to nodes in turn, and their columns node after node", () => {
        const replay = replayOf(
            scheduleOf({ algorithm: "node-pair", layout: "cyclic:2,3" }).schedule,
        );
        expect(replay.nodeOf).toEqual([0, 1, 0, 1, 1]);
        expect(replay.order).toEqual([0, 2, 1, 3, 4]);
        const { columns } = gridOf(replay, statesOf(replay));
        expect([...columns].sort((a, b) => a - b)).toEqual(
            replay.order.map((rank) => columns[rank]),
        );
    });

    it("marks who sends to whom, now and earlier", () => {
        const replay = replayOf(scheduleOf({ algorithm: "pairwise", layout: "4" }).schedule);
        const cells = adjacencyOf(replay, 2);
        expect(cells[0 * 4 + 1]).toBe(Cell.Earlier);
        expect(cells[0 * 4 + 2]).toBe(Cell.Now);
        expect(cells[0 * 4 + 3]).toBe(Cell.Nothing);
    });

    it("refuses events that do not fit together", () => {
        const { schedule } = scheduleOf({ algorithm: "pairwise", layout: "3" });
        const event = schedule.schedules[0]?.events.find((one) => one.kind === "send");
        if (event?.moves[0]) event.moves[0].block_for = 0;
        expect(() => replayOf(schedule)).toThrow(/another block/);
        expect(() => replayOf({ ...schedule, schedules: [] })).toThrow(/all ranks/);
    });

    it("refuses a block that is taken from where it is not", () => {
        const { schedule } = scheduleOf({ algorithm: "bruck-basic", layout: "4" });
        const replay = replayOf(schedule);
        const move = replay.steps[0]?.moves.find((one) => one.to?.kind === "slot");
        if (move?.to) move.to.index = 99;
        expect(() => statesOf(replay)).toThrow(/is not where/);
    });
});

describe("a call", () => {
    it("writes offsets in digits of its radices", () => {
        expect(digitsOf(11, [2], 16)).toEqual([1, 1, 0, 1]);
        expect(digitsOf(11, [3, 5], 15)).toEqual([2, 3]);
        const { schedule } = scheduleOf({ algorithm: "bruck:radix=3x5", layout: "15" });
        expect(radicesOf(schedule)).toEqual([3, 5]);
    });

    it("has a layout that can be shown", () => {
        expect(layoutWrong("4,4")).toBe("");
        expect(layoutWrong("cyclic:2x4,3")).toBe("");
        expect(layoutOf("cyclic:2x4,3")).toEqual([4, 4, 3]);
        expect(placed("cyclic:2x4", false)).toBe("2x4");
        expect(layoutWrong("2x0")).toMatch(/no layout/);
        expect(layoutWrong("99999999x99999999")).toMatch(/too many/);
        expect(layoutWrong("4,4:cyclic")).toMatch(/no layout/);
        expect(layoutWrong("4,,4")).toMatch(/no layout/);
        expect(layoutWrong("0")).toMatch(/no layout/);
        expect(layoutWrong("1")).toMatch(/nobody/);
        expect(layoutWrong("4096")).toMatch(/too many/);
    });

    it("leaves out parameters of another algorithm", () => {
        const row = rows.find((one) => one.algorithm === "pairwise");
        const call = { ...FIRST_CALL, algorithm: "pairwise", parameters: { radix: "4" } };
        expect(scheduleArgs(call, row).args).toContain("--algorithm=pairwise");
    });

    it("has the same sizes for the same seed", () => {
        const call: Call = { ...FIRST_CALL, op: "alltoallv", sizes: "random", block: "64" };
        expect(scheduleArgs(call, undefined).texts).toEqual(scheduleArgs(call, undefined).texts);
        expect(scheduleArgs(call, undefined).texts).not.toEqual(
            scheduleArgs({ ...call, seed: "2" }, undefined).texts,
        );
    });
});
