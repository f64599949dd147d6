// SPDX-License-Identifier: BSD-3-Clause
// explain.ts: the current step in words, with its own numbers. Everything said is read off the
// moves and messages of the step; where ranks do different things, it is said of a range.
import { exactly, short } from "../parts/lines";
import { stepAt } from "./focus";
import { mod, partners, range } from "./partners";
import type { Message, Move, Replay, Step } from "./replay";
import { digitsOf, radicesOf } from "./schedule";

// The offset of a block: how far it has to go, in ranks, local ranks or nodes, and which way.
export interface Offsets {
    unit: "ranks" | "local ranks" | "nodes";
    end: number; // offsets are below
    radices: number[];
    offset: (block: number) => number;
}

function candidates(replay: Replay, radices: number[]): Offsets[] {
    const { ranks, nodeOf, localOf, schedule } = replay;
    const source = (block: number) => Math.floor(block / ranks);
    const node = (rank: number) => nodeOf[rank] ?? 0;
    const local = (rank: number) => localOf[rank] ?? 0;
    const list: Offsets[] = [];
    for (const sign of [1, -1]) {
        const add = (unit: Offsets["unit"], end: number, of: (rank: number) => number) =>
            list.push({
                unit,
                end,
                radices,
                offset: (block) => mod(sign * (of(source(block)) - of(block % ranks)), end),
            });
        add("ranks", ranks, (rank) => rank);
        if (schedule.layout.length > 1) {
            add("nodes", schedule.layout.length, node);
            const q = schedule.layout[0] ?? 1;
            if (schedule.layout.every((one) => one === q)) add("local ranks", q, local);
        }
    }
    return list;
}

// The one digit, not zero, that all blocks of these have in common: [digit, value], or null.
export function commonDigit(offsets: Offsets, blocks: Iterable<number>): [number, number] | null {
    let common: number[] | null = null;
    for (const block of blocks) {
        const digits = digitsOf(offsets.offset(block), offsets.radices, offsets.end);
        common = common ? common.map((one, i) => (one === digits[i] ? one : 0)) : digits;
    }
    const at = common?.findIndex((one) => one > 0) ?? -1;
    return common && at >= 0 ? [at, common[at] ?? 0] : null;
}

// By which offsets the exchange goes, if it goes by any: those whose digits tell what each message
// carries, in every round that moves blocks within their reach.
export function offsetsOf(replay: Replay): Offsets | null {
    const radices = radicesOf(replay.schedule);
    if (radices.length === 0) return null;
    const inside =
        replay.schedule.layout.length > 1 && replay.schedule.algorithm.startsWith("parlinna");
    const fits = (offsets: Offsets) =>
        replay.steps.every((step) => {
            const moves = new Map<string, number[]>();
            for (const move of step.kind === "round" ? step.moves : []) {
                if (move.fromRank === move.toRank) continue;
                if (inside && replay.nodeOf[move.fromRank] !== replay.nodeOf[move.toRank]) continue;
                const key = `${move.fromRank} ${move.toRank}`;
                moves.set(key, [...(moves.get(key) ?? []), move.block]);
            }
            return [...moves.values()].every((blocks) => commonDigit(offsets, blocks) !== null);
        });
    return (
        candidates(replay, radices).find(
            (one) => inside === (one.unit === "local ranks") && fits(one),
        ) ?? null
    );
}

// "4 blocks, 14 bytes, 2 of them lengths or padding".
function carried(messages: Message[]): string {
    const full = messages.filter((one) => one.blocks > 0);
    if (full.length === 0) return "";
    const blocks = range(
        full.map((one) => one.blocks),
        "block",
    );
    return ` Each message has ${blocks}${bytesText(full)}.`;
}

function exactRange(values: number[]): string {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return low === high ? exactly(low) : `${exactly(low)} to ${exactly(high)}`;
}

function bytesText(messages: Message[]): string {
    const bytes = messages.flatMap((one) => one.bytes ?? []);
    if (bytes.length < messages.length) return "";
    const more = messages.flatMap((one) =>
        one.payload === null ? [] : (one.bytes ?? 0) - one.payload,
    );
    const extra =
        more.length === messages.length && Math.max(...more) > 0
            ? `, ${exactRange(more)} of them lengths or padding`
            : "";
    return `, ${exactRange(bytes)}${extra}`;
}

function places(messages: Message[]): string {
    const between = messages.filter((one) => one.between).length;
    if (between === 0 || messages.length === 0) return "";
    if (between === messages.length) return " All of them go between nodes.";
    return ` ${between} of ${messages.length} messages go between nodes.`;
}

// Of which radix the digit is, and what 1 of it stands for: r and r^x.
function weightOf(
    offsets: Offsets,
    digit: number,
): { radix: number; weight: number; text: string } {
    const { radices } = offsets;
    const radixAt = (i: number) => radices[Math.min(i, radices.length - 1)] ?? 2;
    let weight = 1;
    for (let i = 0; i < digit; i++) weight *= radixAt(i);
    const text = radices.length === 1 ? `${radixAt(0)}^${digit}` : String(weight);
    return { radix: radixAt(digit), weight, text };
}

const UNITS: Record<Offsets["unit"], [string, string]> = {
    ranks: ["rank", "ranks"],
    "local ranks": ["local rank", "local ranks"],
    nodes: ["node", "nodes"],
};

function digitText(offsets: Offsets | null, step: Step): string {
    const blocks = step.moves.filter((one) => one.fromRank !== one.toRank).map((one) => one.block);
    if (!offsets || blocks.length === 0) return "";
    const digit = commonDigit(offsets, blocks);
    if (!digit) return "";
    const far = [...new Set(blocks.map(offsets.offset))].sort((a, b) => a - b);
    const list = far.length <= 12 ? `: ${far.join(", ")}` : ` (${far.length} of them)`;
    const [x, z] = digit;
    const { radix, weight, text } = weightOf(offsets, x);
    return ` It moves the blocks whose offset in ${offsets.unit} has digit ${x} (radix ${radix}) equal to ${z}${list}. That digit stands for ${z} · ${text} = ${range([z * weight], ...UNITS[offsets.unit])}, which they go in this step.`;
}

// Where the blocks that go to another rank are then: in their places, at their ranks but not yet in
// their places, on their way, or with a rank that sends them on.
function arriving(replay: Replay, step: Step): string {
    const away = step.moves.filter((one) => one.fromRank !== one.toRank);
    if (away.length === 0) return "";
    if (away.some((one) => one.to?.kind === "shared"))
        return " What arrives lies in the shared memory of the receiver's node.";
    const there = away.filter((one) => one.to && one.toRank === one.block % replay.ranks);
    const home = there.filter((one) => one.to?.kind === "receive").length;
    const flying = away.filter((one) => !one.to).length;
    const onward = away.length - there.length - flying;
    const parts: string[] = [];
    if (there.length === away.length) parts.push("All of the blocks reach their ranks");
    else parts.push(`${there.length} of ${away.length} blocks reach their ranks`);
    if (home < there.length)
        parts.push(
            `${there.length - home} of these wait in temporary memory to be copied to their places`,
        );
    if (onward > 0)
        parts.push(`${onward === away.length ? "all" : "the others"} wait there to be sent on`);
    if (flying > 0) parts.push(`${flying} stay on their way until their ranks come to that round`);
    return ` ${parts.join("; ")}.`;
}

// Whether places move round by the rank's number, either way: to = ±from ± rank + c (modulo P).
function isRotation(replay: Replay, moves: readonly Move[]): boolean {
    const rest = (one: Move, a: number, b: number) =>
        mod((one.to?.index ?? 0) - a * one.from.index - b * one.toRank, replay.ranks);
    return (
        new Set(moves.map((one) => one.toRank)).size > 1 &&
        [1, -1].some((a) =>
            [1, -1].some((b) => new Set(moves.map((one) => rest(one, a, b))).size === 1),
        )
    );
}

const LOCAL: [from: string, to: string, text: string][] = [
    ["send", "receive", "its own block straight to its receive buffer"],
    ["send", "slot", "its blocks into temporary memory"],
    ["send", "shared", "its blocks into the memory that its node shares"],
    ["shared", "receive", "what is for it out of the node's shared memory"],
    ["slot", "receive", "what has arrived from temporary memory to its place"],
];

function local(replay: Replay, step: Step): string {
    const parts = LOCAL.flatMap(([from, to, text]) => {
        const moves = step.moves.filter(
            (one) => one.from.kind === from && one.to?.kind === to && one.fromRank === one.toRank,
        );
        const turned = [from, to].includes("slot") && isRotation(replay, moves);
        return moves.length > 0 ? `${text}${turned ? ", rotated by its rank" : ""}` : [];
    });
    const ranks = new Set(step.moves.map((one) => one.toRank)).size;
    const who =
        ranks === replay.ranks ? "Every rank copies" : `${ranks} of ${replay.ranks} ranks copy`;
    const waits =
        step.barriers > 0 ? ` ${range([step.barriers], "barrier")}, counted per rank.` : "";
    if (ranks === 0) return `No block moves.${waits}`;
    return `${who} ${parts.join(", and ")}: ${range([step.copies], "block")} in all.${waits}`;
}

function piece(replay: Replay, step: Step): string {
    const { from = 0, end = 0 } = step.time ?? {};
    if (from >= end) return `All ranks are done since ${short(end, "s")}.`;
    const flying = step.flying?.length ?? 0;
    const words = [
        `${flying === 0 ? "No message is" : flying === 1 ? "1 message is" : `${flying} messages are`} on the way`,
        `${step.messages.length === 0 ? "none" : step.messages.length} sent in this time`,
    ];
    if (step.copies > 0)
        words.push(`${range([step.copies], "block")} copied by ${replay.ranks} ranks`);
    return `${words.join(", ")}.`;
}

// "batch 2 of 5"; on unequal nodes a step may have messages of several.
export function batchText(replay: Replay, messages: readonly Message[]): string {
    const batches = messages.flatMap((one) => one.batch ?? []);
    if (!replay.batches || batches.length === 0) return "";
    const [low, high] = [Math.min(...batches), Math.max(...batches)];
    const which = low === high ? `batch ${low}` : `batches ${low} to ${high}`;
    return `${which} of ${replay.batches.count}`;
}

function batchWords(replay: Replay, step: Step): string {
    const text = batchText(replay, step.messages);
    if (text === "") return "";
    const most = replay.batches?.most ?? 0;
    const { at, of } = step.part;
    const which = of > 1 ? `number ${at} of ` : "";
    return ` This is ${which}${text}: a rank has ${most === 1 ? "one message" : `at most ${most} messages`} each way in flight, and begins the next when these are done.`;
}

// A round in which ranks start several messages is shown in steps; where it is the only one, the steps
// are what there is to count.
function turnOf(replay: Replay, step: Step): string {
    const { at, of } = step.part;
    if (of === 1) return `Round ${step.round} of ${replay.rounds}`;
    if (replay.rounds === 1) return `Step ${at} of ${of}`;
    return `Round ${step.round} of ${replay.rounds}, step ${at} of ${of}`;
}

function titled(replay: Replay, step: Step, what: string): string {
    const batch = batchText(replay, step.messages);
    return `${turnOf(replay, step)}: ${what}${batch ? `, ${batch}` : ""}`;
}

// Batches say it in their own words.
function waits(replay: Replay, { part: { at, of }, messages }: Step): string {
    if (of === 1 || batchText(replay, messages) !== "") return "";
    return ` A rank starts its ${of} messages of this round one after the other, and waits for all of them only once, at the end of the round: ${of} steps, one wait. This is the message that it starts as number ${at}.`;
}

export function titleOf(replay: Replay, step: Step | undefined): string {
    switch (step?.kind) {
        case undefined:
            return "Before the call";
        case "time":
            return `${short(step.time?.to ?? 0, "s")} of ${short(step.time?.end ?? 0, "s")}`;
        case "agreement":
            return "Agreement about sizes";
        case "before":
            return "Before the rounds";
        case "lengths":
            return titled(replay, step, "lengths");
        case "round":
            return titled(replay, step, "data");
        case "reads":
            return "Reads from neighbours";
        case "after":
            return "After the rounds";
    }
}

function lengths(replay: Replay, { messages }: Step): string {
    const bytes = messages.flatMap((one) => one.bytes ?? []);
    const size =
        bytes.length === messages.length && bytes.length > 0
            ? ` Each message has ${exactRange(bytes)} of lengths.`
            : "";
    return `Blocks that come next may differ in size, so their lengths go first: ${partners(replay, messages)}.${size} No block moves.`;
}

function agreement(step: Step): string {
    const barriers =
        step.barriers > 0 ? ` and ${range([step.barriers], "barrier")}, counted per rank` : "";
    return `Ranks agree on the largest block, so that all choose the same: ${range([step.messages.length], "message")}${barriers}. No block moves.`;
}

export function explain(replay: Replay, offsets: Offsets | null, step: Step | undefined): string {
    if (!step)
        return `Every rank p has a block for each of ${replay.ranks} ranks in its send buffer, in the order of the ranks.`;
    switch (step.kind) {
        case "time":
            return piece(replay, step);
        case "agreement":
            return agreement(step);
        case "lengths":
            return lengths(replay, step);
        case "round":
            return `In this ${step.part.of > 1 ? "step" : "round"} ${partners(replay, step.messages)}.${carried(step.messages)}${digitText(offsets, step)}${arriving(replay, step)}${places(step.messages)}${waits(replay, step)}${batchWords(replay, step)}`;
        case "reads":
            return `Every rank reads ${range([replay.ranks - 1], "block")} straight from the send buffers of its neighbours, behind a barrier: ${step.reads} reads and no message.`;
        default:
            return local(replay, step);
    }
}

export interface Said {
    title: string;
    state: string; // of its blocks
    words: string;
}

// What there is to say at a position: of the step that the drawing is about, too.
export function sayAt(replay: Replay, offsets: Offsets | null, at: number): Said {
    const step = stepAt(replay, at);
    const words = explain(replay, offsets, step);
    if (!step) {
        const next = replay.steps[0] ? ` Next: ${titleOf(replay, replay.steps[0])}.` : "";
        return { title: titleOf(replay, step), state: "", words: words + next };
    }
    const isEnd = at >= 2 * replay.steps.length;
    const moved = at % 2 === 1 ? "marked, not yet moved" : "moved";
    return {
        title: titleOf(replay, step),
        state: isEnd ? "moved. Done" : moved,
        words: isEnd
            ? `${words} Done: every rank has the block of each of ${replay.ranks} ranks, in the order of the ranks.`
            : words,
    };
}
