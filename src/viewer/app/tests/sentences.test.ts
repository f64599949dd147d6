// SPDX-License-Identifier: BSD-3-Clause
// sentences.test.ts: every sentence that the page says of a step, of every algorithm on 2 to 9 ranks,
// against the events of `shunt schedule --json`, which the page's engine prints too.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine as start, type Engine } from "../src/engine";
import { parseData } from "../src/data";
import { FIRST_CALL, hasSchedule, type Algorithm, type Call } from "../src/replay/call";
import { sayAt } from "../src/replay/explain";
import type { EventText, RankText } from "../src/replay/schedule";
import { showCall, type Shown } from "../src/replay/shown";
import { checkWords, RULES, type Sent, type Told } from "./sentences";

let engine: Engine;
let rows: Algorithm[];
const used = new Set<number>();

beforeAll(async () => {
    // The engine of the page: it prints what the command prints (engine.test.ts), and there are
    // thousands of calls.
    engine = await start(parseData(""));
    rows = engine.json<{ algorithms: Algorithm[] }>(["algorithms", "--json"]).algorithms;
});

// One node, and nodes of equal size, where there are any: rounds of equal number are at one time there.
const LAYOUTS: Record<number, string[]> = {
    4: ["2,2"],
    6: ["3,3", "2,2,2"],
    8: ["4,4", "2,2,2,2", "cyclic:4,4"],
    9: ["3,3,3"],
};
const PARAMETERS: Record<string, string>[] = [
    { radix: "3" },
    { radix: "2x3" },
    { batch_size: "2" },
    { metadata: "separate" },
    { leaders: "2" },
];

function callsOf(row: Algorithm, ranks: number): Call[] {
    const fits = ([name, value]: [string, string]) =>
        name in row.accepts && (row.accepts[name]?.list || !value.includes("x"));
    const choices = PARAMETERS.filter((one) => Object.entries(one).every(fits));
    // Sizes that differ with each parameter, equal ones without any.
    const kinds = (row.operations as Call["op"][]).flatMap((op): Partial<Call>[] => {
        const parameters = [{}, ...choices];
        if (op === "alltoall") return parameters.map((one) => ({ op, parameters: one }));
        const random = parameters.map((one) => ({ op, parameters: one, sizes: "random" as const }));
        return [{ op, parameters: {} }, ...random];
    });
    return [String(ranks), ...(LAYOUTS[ranks] ?? [])].flatMap((layout) =>
        kinds.map((kind) => ({
            ...{ ...FIRST_CALL, algorithm: row.algorithm, layout },
            ...{ block: kind.sizes ? "2000" : "1K", ...kind },
        })),
    );
}

const inRound = (event: EventText, kind: string, round: number) =>
    event.part === "round" && event.round === round && event.kind === kind;

// Of each message the event at its other end: both ranks have the messages of a pair in one order.
function arrivalOf(schedules: readonly RankText[], one: RankText, event: EventText) {
    const sends = one.events.filter(({ kind, peer }) => kind === "send" && peer === event.peer);
    const receives = schedules[event.peer ?? -1]?.events.filter(
        ({ kind, peer }) => kind === "receive" && peer === one.rank,
    );
    return receives?.[sends.indexOf(event)];
}

const PARTS: Record<string, EventText["part"]> = {
    "Agreement about sizes": "agreement",
    "Before the rounds": "before",
    "Reads from neighbours": "reads",
    "After the rounds": "after",
};

const TITLE =
    /^(?:Round (\d+) of (\d+)(?:, step (\d+) of (\d+))?|Step (\d+) of (\d+)): (data|lengths)(?:, .*)?$/;

// What the events have of the step that a title names.
function toldOf({ replay, counts }: Shown, title: string): Told {
    const { schedule } = replay;
    const { schedules } = schedule;
    const named = PARTS[title];
    if (named) {
        const part = schedules.map(({ events }) => events.filter((one) => one.part === named));
        return { schedule, counts, round: 0, at: 1, of: 1, sent: [], part };
    }
    const found = TITLE.exec(title);
    expect(found, title).not.toBeNull();
    const [, round = "1", rounds, first, most, at = first ?? "1", of = most ?? "1", what] =
        found ?? [];
    const kind = what === "data" ? "send" : "lengths";
    const events = schedules.map((one) =>
        one.events.filter((event) => inRound(event, kind, Number(round))),
    );
    const total = Math.max(...schedules.map((one) => one.totals.rounds));
    expect(total).toBe(Number(rounds ?? 1));
    if (kind === "send") expect(Math.max(1, ...events.map((one) => one.length))).toBe(Number(of));
    const sent = events.flatMap((list, rank) => {
        const chosen = kind === "send" ? list.slice(Number(at) - 1, Number(at)) : list;
        const one = schedules[rank] as RankText;
        return chosen.map((event): Sent => ({
            rank,
            event,
            arrival: arrivalOf(schedules, one, event),
        }));
    });
    return {
        schedule,
        counts,
        round: Number(round),
        at: Number(at),
        of: Number(of),
        sent,
        part: [],
    };
}

function checkCall(shown: Shown): number {
    const { replay, offsets } = shown;
    let count = 0;
    for (let at = 1; at <= 2 * replay.steps.length; at++) {
        const { title, words } = sayAt(replay, offsets, at);
        for (const one of checkWords(toldOf(shown, title), words)) used.add(one);
        count++;
    }
    return count;
}

describe("every sentence about a step", () => {
    it.each([2, 3, 4, 5, 6, 7, 8, 9])(
        "says what the events of %i ranks have",
        async (ranks) => {
            let said = 0;
            const silent: string[] = [];
            for (const row of rows.filter(hasSchedule)) {
                const before = said;
                await new Promise((done) => setTimeout(done)); // so that the runner hears of us
                for (const call of callsOf(row, ranks)) {
                    let shown: Shown;
                    try {
                        shown = showCall(engine, call, rows);
                    } catch (error) {
                        expect(String(error)).toMatch(/cannot serve this layout|too large here/);
                        continue;
                    }
                    const name = JSON.stringify(call);
                    try {
                        said += checkCall(shown);
                    } catch (error) {
                        throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
                    }
                }
                if (said === before) silent.push(row.algorithm);
            }
            // One algorithm serves powers of two alone.
            expect(silent).toEqual([2, 4, 8].includes(ranks) ? [] : ["exclusive-or"]);
            expect(said).toBeGreaterThan(200);
        },
        240_000,
    );

    afterAll(() => {
        // A rule that no sentence follows tests nothing.
        const unused = RULES.filter((_, i) => !used.has(i)).map(([words]) => words.source);
        expect(unused).toEqual([]);
    });
});
