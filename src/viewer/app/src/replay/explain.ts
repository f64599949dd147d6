// SPDX-License-Identifier: BSD-3-Clause
// explain.ts: the current step in words, with its own numbers. Everything said is read off the
// moves and messages of the step; where ranks do different things, it is said of a range.
import type { Message, Replay, Step } from "./replay";
import { short } from "../parts/lines";
import { digitsOf, radicesOf } from "./schedule";

// The offset of a block: how far it has to go, in ranks, local ranks or nodes, and which way.
export interface Offsets {
    unit: "ranks" | "local ranks" | "nodes";
    end: number; // offsets are below
    radices: number[];
    offset: (block: number) => number;
}

function mod(a: number, b: number): number {
    return ((a % b) + b) % b;
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

function range(values: number[], noun: string, nouns = `${noun}s`): string {
    const low = Math.min(...values);
    const high = Math.max(...values);
    if (low === high) return `${low} ${low === 1 ? noun : nouns}`;
    return `${low} to ${high} ${nouns}`;
}

// "rank p sends to p - 2", where that is so of all; else how many messages a rank sends.
function partners(replay: Replay, messages: Message[]): string {
    const distances = new Set(messages.map((one) => mod(one.to - one.from, replay.ranks)));
    const [distance] = distances;
    const all = new Set(messages.map((one) => one.from)).size === replay.ranks;
    if (all && distances.size === 1 && distance !== undefined) {
        if (2 * distance > replay.ranks)
            return `every rank p sends to p − ${replay.ranks - distance} (modulo ${replay.ranks})`;
        return `every rank p sends to p + ${distance} (modulo ${replay.ranks})`;
    }
    const masks = new Set(messages.map((one) => one.to ^ one.from));
    const [mask] = masks;
    if (all && masks.size === 1 && mask !== undefined)
        return `every rank p exchanges with p xor ${mask}`;
    const sent = new Map<number, number>();
    for (const one of messages) sent.set(one.from, (sent.get(one.from) ?? 0) + 1);
    const senders = all
        ? "every rank sends"
        : `${sent.size} of ${replay.ranks} ranks ${sent.size === 1 ? "sends" : "send"}`;
    return `${senders} ${range([...sent.values()], "message")}`;
}

function carried(messages: Message[]): string {
    const withBlocks = messages.filter((one) => one.blocks > 0);
    if (withBlocks.length === 0) return "";
    const bytes = withBlocks.map((one) => one.bytes);
    const known = bytes.every((one): one is number => one !== null);
    const size = known ? `, ${range(bytes as number[], "byte")}` : "";
    return ` Each message has ${range(
        withBlocks.map((one) => one.blocks),
        "block",
    )}${size}.`;
}

function places(messages: Message[]): string {
    const between = messages.filter((one) => one.between).length;
    if (between === 0 || messages.length === 0) return "";
    if (between === messages.length) return " All of them go between nodes.";
    return ` ${between} of ${messages.length} messages go between nodes.`;
}

function digitText(offsets: Offsets | null, step: Step): string {
    const blocks = step.moves.filter((one) => one.fromRank !== one.toRank).map((one) => one.block);
    if (!offsets || blocks.length === 0) return "";
    const digit = commonDigit(offsets, blocks);
    if (!digit) return "";
    const far = [...new Set(blocks.map(offsets.offset))].sort((a, b) => a - b);
    const list = far.length <= 12 ? `: ${far.join(", ")}` : ` (${far.length} of them)`;
    const radix = offsets.radices[Math.min(digit[0], offsets.radices.length - 1)];
    return ` It moves the blocks whose offset in ${offsets.unit} has digit ${digit[0]} (radix ${radix}) equal to ${digit[1]}${list}.`;
}

function arriving(replay: Replay, step: Step): string {
    const away = step.moves.filter((one) => one.fromRank !== one.toRank);
    if (away.length === 0) return "";
    const home = away.filter(
        (one) => one.to?.kind === "receive" && one.toRank === one.block % replay.ranks,
    ).length;
    if (away.some((one) => one.to?.kind === "shared"))
        return " What arrives lies in the shared memory of the receiver's node.";
    if (home === away.length) return " All of the blocks reach their ranks.";
    return ` ${home} of ${away.length} blocks reach their ranks; the others wait there to be sent on.`;
}

function local(replay: Replay, step: Step): string {
    const kinds = new Set(step.moves.map((one) => `${one.from.kind}>${one.to?.kind}`));
    const parts: string[] = [];
    if (kinds.has("send>receive")) parts.push("its own block straight to its receive buffer");
    if (kinds.has("send>slot")) parts.push("its blocks into temporary memory, rotated by its rank");
    if (kinds.has("send>shared")) parts.push("its blocks into the memory that its node shares");
    if (kinds.has("shared>receive")) parts.push("what is for it out of the node's shared memory");
    if (kinds.has("slot>receive"))
        parts.push("what has arrived from temporary memory to its place");
    return `Every rank copies ${parts.join(", and ")}: ${step.copies} blocks in all, of ${replay.ranks} ranks.`;
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
    return ` This is ${text}: a rank has ${most === 1 ? "one message" : `at most ${most} messages`} each way in flight, and begins the next when these are done.`;
}

function titled(replay: Replay, step: Step, what: string): string {
    const batch = batchText(replay, step.messages);
    return `Round ${step.round} of ${replay.rounds}: ${what}${batch ? `, ${batch}` : ""}`;
}

export function titleOf(replay: Replay, step: Step | undefined): string {
    switch (step?.kind) {
        case undefined:
            return "Done";
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

export function explain(replay: Replay, offsets: Offsets | null, step: Step | undefined): string {
    if (!step)
        return `Every rank has the block of each of ${replay.ranks} ranks, in the order of the ranks.`;
    switch (step.kind) {
        case "time":
            return piece(replay, step);
        case "agreement":
            return `Ranks agree on the largest block, so that all choose the same: ${range([step.messages.length], "message")}${step.barriers > 0 ? ` and ${range([step.barriers], "barrier")}, counted per rank` : ""}. No block moves.`;
        case "lengths":
            return `The blocks that come next differ in size, so ${partners(replay, step.messages)} the lengths first. No block moves.`;
        case "round":
            return `In this round ${partners(replay, step.messages)}.${carried(step.messages)}${digitText(offsets, step)}${arriving(replay, step)}${places(step.messages)}${batchWords(replay, step)}`;
        case "reads":
            return `Every rank reads ${range([replay.ranks - 1], "block")} straight from the send buffers of its neighbours, behind a barrier: ${step.reads} reads and no message.`;
        default:
            return local(replay, step);
    }
}
