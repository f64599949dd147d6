// SPDX-License-Identifier: BSD-3-Clause
// sentences.ts: what sentences about steps say, held against the events that `shunt schedule --json`
// prints: a grammar of all that may be said, in which each rule compares its numbers with the events.
// Nothing of the replay is used here.
import { expect } from "vitest";
import {
    digitsOf,
    parametersOf,
    type EventText,
    type MoveText,
    type ScheduleText,
} from "../src/replay/schedule";

export interface Sent {
    rank: number;
    event: EventText;
    arrival: EventText | undefined; // the same message at its receiver
}

// A step, as its title names it, and what the events have of it.
export interface Told {
    schedule: ScheduleText;
    counts: number[][] | null;
    round: number;
    at: number; // which of its messages a rank sends
    of: number;
    sent: Sent[];
    part: EventText[][]; // of the step's part of the schedule, for each rank
}

type Check = (told: Told, words: string[]) => void;

const mod = (a: number, b: number) => ((a % b) + b) % b;
const moves = (told: Told): MoveText[] => told.sent.flatMap((one) => one.event.moves);
const nodeOf = ({ schedule }: Told, rank: number) => schedule.schedules[rank]?.node;
const localOf = ({ schedule }: Told, rank: number) => schedule.schedules[rank]?.local_rank ?? 0;
const peerOf = (one: Sent) => one.event.peer ?? -1;

function sendersOf(told: Told): Map<number, number> {
    const sent = new Map<number, number>();
    for (const { rank } of told.sent) sent.set(rank, (sent.get(rank) ?? 0) + 1);
    return sent;
}

function span(values: readonly number[]): number[] {
    return [Math.min(...values), Math.max(...values)];
}

// "3 to 5", "3"; sizes: "1.5 KiB to 3 KiB", "3,000 bytes".
const RANGE = "([0-9]+)(?: to ([0-9]+))?";
const SIZE = "([0-9.,]+ (?:byte|bytes|KiB|MiB))";
const SIZES = `${SIZE}(?: to ${SIZE})?`;

function spanOf([low = "", high = ""]: string[]): number[] {
    return [Number(low), Number(high || low)];
}

function bytesOf(text: string): number {
    const [value = "", unit = ""] = text.split(" ");
    const scale = { KiB: 1024, MiB: 1024 ** 2 }[unit] ?? 1;
    return Number(value.replaceAll(",", "")) * scale;
}

function sizesOf([low = "", high = ""]: string[]): number[] {
    return [bytesOf(low), bytesOf(high || low)];
}

function payload(told: Told, event: EventText): number {
    const { counts, schedule } = told;
    const size = (one: MoveText) => counts?.[one.block_of]?.[one.block_for] ?? schedule.block;
    return event.moves.reduce((sum, one) => sum + size(one), 0);
}

// Where a message goes, of the forms that a sentence may have.
function checkGoal(told: Told, text: string): void {
    const { schedule, sent } = told;
    const far = / ([+−]) ([0-9]+) \(modulo ([0-9]+)\)/.exec(text);
    const step = far ? Number(`${far[1] === "−" ? "-" : "+"}${far[2]}`) : NaN;
    const size = Number(far?.[3]);
    for (const one of sent) {
        const peer = peerOf(one);
        if (text.startsWith("p xor ")) expect(peer).toBe(one.rank ^ Number(text.slice(6)));
        else if (text.startsWith("p ")) {
            expect(size).toBe(schedule.ranks);
            expect(peer).toBe(mod(one.rank + step, size));
        } else if (text.startsWith("local rank l ")) {
            expect(size).toBe(schedule.layout[0]);
            expect(localOf(told, peer)).toBe(mod(localOf(told, one.rank) + step, size));
            expect(nodeOf(told, peer)).toBe(nodeOf(told, one.rank));
        } else if (text.startsWith("node n ")) {
            expect(size).toBe(schedule.layout.length);
            expect(nodeOf(told, peer)).toBe(mod((nodeOf(told, one.rank) ?? 0) + step, size));
        } else {
            const [, first, second] = /^rank ([0-9]+)(?: or ([0-9]+))?$/.exec(text) ?? [];
            expect([first, second ?? first].map(Number)).toContain(peer);
        }
    }
    const count = text.startsWith("rank ") ? (text.includes(" or ") ? 2 : 1) : 0;
    if (count > 0) expect(new Set(sent.map(peerOf)).size).toBe(count);
}

function checkSenders(told: Told, who: string): void {
    const senders = sendersOf(told).size;
    const [, some, all] = /^([0-9]+) of ([0-9]+) ranks/.exec(who) ?? [];
    if (who.startsWith("every rank")) expect(senders).toBe(told.schedule.ranks);
    else expect([senders, told.schedule.ranks]).toEqual([Number(some), Number(all)]);
}

// The digit that a sentence names: of all offsets of the blocks, and of no others that are there.
const checkDigit: Check = (told, words) => {
    const [unit = "", x = "", radix = "", z = "", list = "", many = ""] = words;
    const { schedule } = told;
    const place = {
        ranks: (rank: number) => rank,
        nodes: (rank: number) => nodeOf(told, rank) ?? 0,
    };
    const of =
        unit === "local ranks" ? (rank: number) => localOf(told, rank) : place[unit as "ranks"];
    const end =
        { ranks: schedule.ranks, nodes: schedule.layout.length }[unit] ?? schedule.layout[0] ?? 1;
    const radices = (parametersOf(schedule.parameters).get("radix") ?? "2").split("x").map(Number);
    expect(Number(radix)).toBe(radices[Math.min(Number(x), radices.length - 1)]);
    const blocks = moves(told);
    const far = (way: number) =>
        [
            ...new Set(blocks.map((one) => mod(way * (of(one.block_for) - of(one.block_of)), end))),
        ].sort((a, b) => a - b);
    const [one] = told.sent;
    // Blocks go the way that their messages go, by what the digit stands for.
    const [, digit, , stands] = words.slice(5);
    expect(Number(digit)).toBe(Number(z));
    const step = mod(of(peerOf(one as Sent)) - of((one as Sent).rank), end);
    const way = [1, -1].find(
        (sign) =>
            mod(sign * Number(stands), end) === step &&
            far(sign).every((offset) => digitsOf(offset, radices, end)[Number(x)] === Number(z)),
    );
    expect(way, `digit ${x} of ${unit}`).toBeDefined();
    const offsets = far(way ?? 1);
    if (many) expect(offsets.length).toBe(Number(many));
    else expect(offsets).toEqual(list.split(", ").map(Number));
};

const weight = (told: Told, x: number) => {
    const radices = (parametersOf(told.schedule.parameters).get("radix") ?? "2")
        .split("x")
        .map(Number);
    const at = (i: number) => radices[Math.min(i, radices.length - 1)] ?? 2;
    return Array.from({ length: x }, (_, i) => at(i)).reduce((a, b) => a * b, 1);
};

function reaching(told: Told): { there: MoveText[]; waiting: number } {
    const arrived = told.sent.flatMap(({ event, arrival }) =>
        event.moves
            .map((move, i) => ({ move, into: arrival?.moves[i]?.into ?? "" }))
            .filter((one) => one.move.block_for === event.peer),
    );
    return {
        there: arrived.map((one) => one.move),
        waiting: arrived.filter((one) => one.into.startsWith("slot")).length,
    };
}

const between = (told: Told) =>
    told.sent.filter((one) => nodeOf(told, one.rank) !== nodeOf(told, peerOf(one))).length;

function batchOf(told: Told): { batch: number; most: number } {
    const { schedule, round } = told;
    const inside = schedule.schedules.flatMap((one) =>
        one.events
            .filter((event) => event.kind === "send" && schedule.algorithm.startsWith("parlinna"))
            .filter((event) => nodeOf(told, event.peer ?? -1) === one.node)
            .map((event) => event.round ?? 0),
    );
    const most = Number(parametersOf(schedule.parameters).get("batch_size"));
    return { batch: round - Math.max(0, ...inside), most };
}

const copied = ({ part }: Told) =>
    part.flatMap((events) => events.filter((event) => event.kind.startsWith("copy")));
const barriers = ({ part }: Told) =>
    part.flatMap((events) => events.filter((event) => event.kind === "barrier")).length;

// What is copied from where to where; the words are there where there are such moves, and only then.
const COPIES: [string, RegExp, RegExp][] = [
    ["its own block straight to its receive buffer", /^send/, /^receive/],
    ["its blocks into temporary memory", /^send/, /^slot/],
    ["its blocks into the memory that its node shares", /^send/, /^shared/],
    ["what is for it out of the node's shared memory", /^shared/, /^receive/],
    ["what has arrived from temporary memory to its place", /^slot/, /^receive/],
];

const checkCopies: Check = (told, [who = "", things = "", blocks = ""]) => {
    const ranks = told.part.filter((events) => events.some((one) => one.moves.length > 0)).length;
    expect(who).toBe(
        ranks === told.schedule.ranks
            ? "Every rank copies"
            : `${ranks} of ${told.schedule.ranks} ranks copy`,
    );
    const all = copied(told).flatMap((event) => event.moves);
    const wanted = COPIES.filter(([, from, into]) =>
        all.some((one) => from.test(one.out_of) && into.test(one.into)),
    ).map(([text]) => text);
    expect(things.replaceAll(", rotated by its rank", "")).toBe(wanted.join(", and "));
    const number = (text: string) => Number(text.split(" ")[1] ?? 0);
    if (things.includes("rotated")) {
        const turns = told.part.map((events, rank) => {
            const own = events
                .flatMap((event) => event.moves)
                .filter((one) => /slot/.test(one.out_of + one.into));
            const sums = [1, -1].map((way) =>
                own.map((one) =>
                    mod(number(one.into) - way * number(one.out_of), told.schedule.ranks),
                ),
            );
            const same = sums.filter((list) => new Set(list).size === 1).map(([one]) => one ?? 0);
            return { rank, same };
        });
        expect(turns.every((one) => one.same.length > 0)).toBe(true);
        expect(new Set(turns.map((one) => one.same[0])).size).toBe(turns.length);
    }
    expect(Number(blocks)).toBe(copied(told).reduce((sum, one) => sum + one.blocks, 0));
};

const rule = (words: string, check: Check): [RegExp, Check] => [new RegExp(`^ ?${words}`), check];
const WHO = "(every rank|[0-9]+ of [0-9]+ ranks)(?: p)?";
const GOAL = "(p .*?\\)|local rank l .*?\\)|node n .*?\\)|p xor [0-9]+|rank [0-9]+(?: or [0-9]+)?)";
const OWN = "(?: of its node)?(?:, where [ln] is its own)?";
const GOES = `${WHO} (?:sends?|exchanges?)(?: (?:to|with) ${GOAL}${OWN}| ${RANGE} messages?)`;

const checkGoes: Check = (told, [who = "", to = "", ...count]) => {
    checkSenders(told, who);
    if (to) checkGoal(told, to);
    else expect(span([...sendersOf(told).values()])).toEqual(spanOf(count));
};

export const RULES: [RegExp, Check][] = [
    rule(`In this (step|round) ${GOES}\\.`, (told, [turn, ...words]) => {
        expect(turn).toBe(told.of > 1 ? "step" : "round");
        checkGoes(told, words);
    }),
    rule(
        `Each message has ${RANGE} blocks?, ${SIZES}(?:, ${SIZES} of them lengths or padding)?\\.`,
        (told, words) => {
            const full = told.sent.map((one) => one.event).filter((one) => one.blocks > 0);
            expect(spanOf(words.slice(0, 2))).toEqual(span(full.map((one) => one.blocks)));
            expect(sizesOf(words.slice(2, 4))).toEqual(span(full.map((one) => one.bytes ?? NaN)));
            const more = span(full.map((one) => (one.bytes ?? NaN) - payload(told, one)));
            expect(words[4] ? sizesOf(words.slice(4)) : [0, 0]).toEqual(more);
        },
    ),
    rule(
        "It moves the blocks whose offset in (ranks|local ranks|nodes) has digit ([0-9]+) \\(radix ([0-9]+)\\) equal to ([0-9]+)(?:: ([0-9, ]+)| \\(([0-9]+) of them\\))\\. That digit stands for ([0-9]+) · ([0-9^]+) = ([0-9]+) (?:local )?(?:ranks?|nodes?), which they go in this step\\.",
        (told, words) => {
            const [unit = "", x = "", radix = "", z = "", list = "", many = ""] = words;
            const [digit = "", power = "", stands = ""] = words.slice(6);
            const [base = "", exponent = "1"] = power.split("^");
            expect(Number(base) ** Number(exponent)).toBe(weight(told, Number(x)));
            expect(Number(stands)).toBe(Number(digit) * weight(told, Number(x)));
            checkDigit(told, [unit, x, radix, z, list, many, digit, power, stands]);
        },
    ),
    rule("What arrives lies in the shared memory of the receiver's node\\.", (told) => {
        expect(
            told.sent.every((one) => one.arrival?.moves.every((move) => move.into === "shared")),
        ).toBe(true);
    }),
    rule(
        "(All|[0-9]+) of (?:the|([0-9]+)) blocks reach their ranks(?:; ([0-9]+) of these wait in temporary memory to be copied to their places)?(; (?:all|the others) wait there to be sent on)?\\.",
        (told, [some = "", all = "", waiting = "0", onward = ""]) => {
            const { there, waiting: slots } = reaching(told);
            const many = moves(told).length;
            expect(there.length).toBe(some === "All" ? many : Number(some));
            if (all) expect(many).toBe(Number(all));
            expect(Number(waiting || 0)).toBe(slots);
            expect(onward !== "").toBe(there.length < many);
            expect(onward.includes("; all")).toBe(there.length === 0 && many > 0);
        },
    ),
    rule("All of them go between nodes\\.", (told) => expect(between(told)).toBe(told.sent.length)),
    rule("([0-9]+) of ([0-9]+) messages go between nodes\\.", (told, words) => {
        expect(words.map(Number)).toEqual([between(told), told.sent.length]);
    }),
    rule(
        "A rank starts its ([0-9]+) messages of this round one after the other, and waits for all of them only once, at the end of the round: ([0-9]+) steps, one wait\\. This is the message that it starts as number ([0-9]+)\\.",
        (told, words) => {
            expect(words.map(Number)).toEqual([told.of, told.of, told.at]);
        },
    ),
    rule(
        "This is (?:number ([0-9]+) of )?batch ([0-9]+) of [0-9]+: a rank has (?:at most ([0-9]+) messages|one message) each way in flight, and begins the next when these are done\\.",
        (told, [at = "", batch = "", most = "1"]) => {
            const known = batchOf(told);
            expect(at === "" ? 1 : Number(at)).toBe(told.at);
            expect([Number(batch), Number(most || 1)]).toEqual([known.batch, known.most]);
        },
    ),
    rule(
        `Blocks that come next may differ in size, so their lengths go first: ${GOES}\\. Each message has ${SIZES} of lengths\\. No block moves\\.`,
        (told, words) => {
            checkGoes(told, words.slice(0, 4));
            expect(sizesOf(words.slice(4))).toEqual(
                span(told.sent.map((one) => one.event.bytes ?? NaN)),
            );
        },
    ),
    rule(
        "Ranks agree on the largest block, so that all choose the same: ([0-9]+) messages?(?: and ([0-9]+) barriers?, counted per rank)?\\. No block moves\\.",
        (told, [messages, waits = "0"]) => {
            const agreed = told.part.flat().filter((one) => one.kind === "agree").length;
            expect([Number(messages), Number(waits || 0)]).toEqual([agreed, barriers(told)]);
            expect(told.part.flat().every((one) => one.moves.length === 0)).toBe(true);
        },
    ),
    rule(
        "Every rank reads ([0-9]+) blocks? straight from the send buffers of its neighbours, behind a barrier: ([0-9]+) reads and no message\\.",
        (told, words) => {
            const reads = told.part.map((events) =>
                events
                    .filter((one) => one.kind === "read")
                    .reduce((sum, one) => sum + one.blocks, 0),
            );
            expect(span(reads)).toEqual([Number(words[0]), Number(words[0])]);
            expect(reads.reduce((a, b) => a + b, 0)).toBe(Number(words[1]));
        },
    ),
    rule(
        "(Every rank copies|[0-9]+ of [0-9]+ ranks copy) (.*?): ([0-9]+) blocks? in all\\.",
        checkCopies,
    ),
    rule("No block moves\\.", (told) => {
        expect(told.part.flat().every((one) => one.moves.length === 0)).toBe(true);
    }),
    rule("([0-9]+) barriers?, counted per rank\\.", (told, [many]) => {
        expect(Number(many)).toBe(barriers(told));
    }),
    rule(
        "Done: every rank has the block of each of ([0-9]+) ranks, in the order of the ranks\\.",
        (told, [ranks]) => {
            expect(Number(ranks)).toBe(told.schedule.ranks);
        },
    ),
];

// Every word has to be of a rule; says which rules it was.
export function checkWords(told: Told, text: string): number[] {
    const used: number[] = [];
    for (let rest = text; rest !== "";) {
        const at = RULES.findIndex(([words]) => words.test(rest));
        const [words, check] = RULES[at] ?? [];
        expect(words, `no rule for "${rest}"`).toBeDefined();
        const [whole = "", ...groups] = words?.exec(rest) ?? [];
        check?.(told, groups);
        used.push(at);
        rest = rest.slice(whole.length);
    }
    return used;
}
