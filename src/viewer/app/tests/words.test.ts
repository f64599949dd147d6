// SPDX-License-Identifier: BSD-3-Clause
// words.test.ts: the words about steps: that they are about the step of the drawing, and have its own
// numbers.
import { wordsOf } from "../src/replay/refusal";
import { mount } from "@vue/test-utils";
import { beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../src/engine";
import AdjacencyMatrix from "../src/parts/Adjacency.vue";
import DataView from "../src/parts/DataView.vue";
import { FIRST_CALL, type Algorithm, type Call } from "../src/replay/call";
import { explain, sayAt, titleOf } from "../src/replay/explain";
import { stepAt } from "../src/replay/focus";
import { showCall, type Shown } from "../src/replay/shown";
import { shunt } from "./shunt";

let engine: Engine;
let rows: Algorithm[];

beforeAll(async () => {
    engine = await shunt();
    rows = engine.json<{ algorithms: Algorithm[] }>(["algorithms", "--json"]).algorithms;
});

const show = (call: Partial<Call>): Shown => showCall(engine, { ...FIRST_CALL, ...call }, rows);

describe("words about steps", () => {
    it("have the step's own numbers", () => {
        const { replay, offsets } = show({ layout: "8" });
        expect(titleOf(replay, replay.steps[1])).toBe("Round 1 of 3: data");
        const words = explain(replay, offsets, replay.steps[1]);
        expect(words).toContain("every rank p sends to p − 1 (modulo 8)");
        expect(words).toContain("4 blocks, 4 bytes");
        expect(words).toContain("digit 0 (radix 2) equal to 1: 1, 3, 5, 7");
        expect(words).toContain("8 of 32 blocks reach their ranks; the others wait there");
        expect(titleOf(replay, undefined)).toBe("Before the call");
    });

    it("are about the step that is marked, or has just moved, at every position", () => {
        const { replay, offsets } = show({ layout: "8" });
        const said = Array.from({ length: 9 }, (_, at) => sayAt(replay, offsets, at));
        expect(said.map((one) => `${one.title}, ${one.state}`)).toEqual([
            "Before the call, ",
            "Before the rounds, marked, not yet moved",
            "Before the rounds, moved",
            "Round 1 of 3: data, marked, not yet moved",
            "Round 1 of 3: data, moved",
            "Round 2 of 3: data, marked, not yet moved",
            "Round 2 of 3: data, moved",
            "Round 3 of 3: data, marked, not yet moved",
            "Round 3 of 3: data, moved. Done",
        ]);
        expect(said[0]?.words).toContain("Next: Before the rounds");
        expect(said[8]?.words).toContain("p − 4 (modulo 8)");
        expect(said[8]?.words).toContain("Done: every rank has the block of each of 8 ranks");
        // Arrows and matrix are about the same messages as the words.
        for (let at = 0; at <= 8; at++) {
            const step = stepAt(replay, at);
            const wanted = (step?.messages ?? []).map(
                (one) => `rank ${one.from} to rank ${one.to}`,
            );
            const { states } = show({ layout: "8" });
            const props = { replay, states, counts: null, elements: 1, chosen: null, at };
            const arrows = mount(DataView, { props }).findAll("path.arc title");
            expect(arrows.map((one) => one.text().split(",")[0])).toEqual(wanted);
            const matrix = mount(AdjacencyMatrix, { props: { replay, at } });
            expect(matrix.attributes("aria-label")).toMatch(
                new RegExp(`^${wanted.length} pairs of ranks send now`),
            );
        }
    });

    it("have the way round that the algorithm goes, not the shorter one", () => {
        const { replay, offsets } = show({ layout: "8", parameters: { radix: "7" } });
        const rounds = replay.steps.filter((step) => step.kind === "round");
        const ways = rounds.map((step) => /to (p . \d+)/.exec(explain(replay, offsets, step))?.[1]);
        expect(ways).toEqual([1, 2, 3, 4, 5, 6, 7].map((far) => `p − ${far}`));
        const spread = show({ layout: "8", algorithm: "spread-out" });
        const steps = spread.replay.steps.filter((step) => step.kind === "round");
        expect(steps.map((step) => titleOf(spread.replay, step))).toEqual(
            [1, 2, 3, 4, 5, 6, 7].map((at) => `Step ${at} of 7: data`),
        );
        const words = explain(spread.replay, null, steps[5]);
        expect(words).toContain("every rank p sends to p − 6 (modulo 8)");
        expect(words).toContain("7 steps, one wait");
    });

    it("know that what bruck-basic's last round brings has yet to be copied", () => {
        const { replay, offsets } = show({ layout: "8", algorithm: "bruck-basic" });
        const words = replay.steps.slice(-2).map((step) => explain(replay, offsets, step));
        expect(words[0]).toContain("p + 4 (modulo 8)");
        expect(words[0]).toContain(
            "All of the blocks reach their ranks; 32 of these wait in temporary memory to be copied",
        );
        expect(words[1]).toBe(
            "Every rank copies what has arrived from temporary memory to its place, rotated by its rank: 56 blocks in all.",
        );
    });

    it("tell what of a message is not blocks", () => {
        const call = { op: "alltoallv", sizes: "own", counts: "1 2\n3 4", layout: "2" } as const;
        const { replay, offsets } = show({ ...call, algorithm: "padded-bruck" });
        expect(explain(replay, offsets, replay.steps.at(-1))).toContain(
            "1 block, 4 bytes, 1 byte to 2 bytes of them lengths or padding",
        );
        const large = show({ layout: "2", block: "3K" });
        expect(explain(large.replay, null, large.replay.steps.at(-1))).toContain("1 block, 3 KiB.");
    });

    it("do not say of all ranks what leaders alone do", () => {
        const { replay, offsets } = show({ algorithm: "node-pair", layout: "4,4" });
        const round = replay.steps.find((step) => step.kind === "round");
        expect(explain(replay, offsets, round)).toContain(
            "In this round 2 of 8 ranks p send to p + 4 (modulo 8). ",
        );
    });

    it.each([
        ["scattered", "6", 3, ["1 of 3", "2 of 3", "3 of 3"]],
        ["parlinna-coalesced", "2,2,2,2", 2, ["1 of 2", "2 of 2"]],
        ["parlinna-staggered", "2,2,2", 2, ["1 of 2", "2 of 2"]],
        ["parlinna-shared", "2,2,2,2", 2, ["1 of 2", "2 of 2"]],
    ])("say which batch a message belongs to: %s", (algorithm, layout, count, wanted) => {
        const { replay, tallies } = show({ algorithm, layout, parameters: { batch_size: "2" } });
        const rounds = replay.steps.filter((one) => one.kind === "round");
        const said = rounds.map((step) => /, batch (.*)$/.exec(titleOf(replay, step))?.[1]);
        // A step for each message of a rank: the batches come in their order, each in one piece.
        const batches = said.filter((one) => one !== undefined);
        expect(batches.filter((one, i) => one !== batches[i - 1])).toEqual(wanted);
        expect(tallies.at(-1)?.batches).toBe(count);
        // No more in flight than batch_size.
        const sent = new Map<string, number>();
        for (const { messages } of rounds)
            for (const one of messages.filter((message) => message.batch !== null)) {
                const key = `${one.from} in ${one.batch}`;
                sent.set(key, (sent.get(key) ?? 0) + 1);
            }
        if (algorithm !== "parlinna-staggered")
            expect(Math.max(0, ...sent.values())).toBeLessThanOrEqual(2);
        for (const { messages } of rounds) {
            const senders = messages.map((one) => one.from);
            expect(new Set(senders).size).toBe(senders.length);
            // Rounds within a node are no batches.
            if (algorithm.startsWith("parlinna"))
                expect(messages.every((one) => one.between === (one.batch !== null))).toBe(true);
        }
        expect(explain(replay, null, rounds.at(-1))).toContain("at most 2 messages each way");
    });

    it("know no batches where there are none", () => {
        const { replay } = show({ algorithm: "spread-out", layout: "6" });
        expect(titleOf(replay, replay.steps.at(-1))).not.toContain("batch");
    });

    it("name both ends of an exchange", () => {
        const { replay, offsets } = show({ algorithm: "exclusive-or", layout: "8" });
        expect(explain(replay, offsets, replay.steps[3])).toContain("p exchanges with p xor 3");
    });

    it("know offsets of nodes and of local ranks", () => {
        expect(show({ algorithm: "node-bruck", layout: "2,2,2,2" }).offsets?.unit).toBe("nodes");
        expect(show({ algorithm: "parlinna-coalesced", layout: "4,4" }).offsets?.unit).toBe(
            "local ranks",
        );
        expect(show({ algorithm: "spread-out", layout: "8" }).offsets).toBeNull();
    });
});

describe("what the command says", () => {
    it("is told without what helps on a command line", () => {
        expect(
            wordsOf('shunt predict: --block: "x" is no size; see "shunt predict --help"\n'),
        ).toBe('shunt predict: --block: "x" is no size');
    });
});
