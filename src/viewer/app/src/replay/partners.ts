// SPDX-License-Identifier: BSD-3-Clause
// partners.ts: who sends to whom in a step, in words: by ranks, by local ranks of a node, or by nodes.
// An algorithm goes one way round: what it sends to p - 6 of 8 is not told as p + 2.
import type { Message, Replay } from "./replay";

export function mod(a: number, b: number): number {
    return ((a % b) + b) % b;
}

export function range(values: number[], noun: string, nouns = `${noun}s`): string {
    const low = Math.min(...values);
    const high = Math.max(...values);
    if (low === high) return `${low} ${low === 1 ? noun : nouns}`;
    return `${low} to ${high} ${nouns}`;
}

// Something that counts round: ranks, the local ranks of a node, nodes.
interface Ring {
    size: number;
    of: (rank: number) => number;
}

interface Rings {
    ranks: Ring;
    locals: Ring | null; // where all nodes are equal
    nodes: Ring;
}

function ringsOf(replay: Replay): Rings {
    const { layout } = replay.schedule;
    const equal = layout.every((one) => one === layout[0]);
    return {
        ranks: { size: replay.ranks, of: (rank) => rank },
        locals: equal ? { size: layout[0] ?? 1, of: (rank) => replay.localOf[rank] ?? 0 } : null,
        nodes: { size: layout.length, of: (rank) => replay.nodeOf[rank] ?? 0 },
    };
}

// How far all of the messages go round the ring, upwards; null: not all alike, or not at all.
function distanceOf(ring: Ring, messages: readonly Message[]): number | null {
    const all = new Set(messages.map((one) => mod(ring.of(one.to) - ring.of(one.from), ring.size)));
    const [distance] = all;
    return all.size === 1 && distance ? distance : null;
}

function maskOf(messages: readonly Message[]): number | null {
    const all = new Set(messages.map((one) => one.to ^ one.from));
    const [mask] = all;
    return all.size === 1 && mask !== undefined ? mask : null;
}

const isInside = (messages: readonly Message[]) => messages.every((one) => !one.between);
const isBetween = (messages: readonly Message[]) => messages.every((one) => one.between);

type Way = 1 | -1;

interface Ways {
    ranks: Way;
    locals: Way;
    nodes: Way;
    mask: boolean; // partners are p xor i
}

// The first step that goes round takes the shorter way; the later ones go the same way, further.
function wayOf(replay: Replay, ring: Ring | null, at: (all: readonly Message[]) => boolean): Way {
    for (const { kind, messages } of ring && ring.size > 2 ? replay.steps : []) {
        const distance =
            kind === "round" && messages.length > 0 && at(messages) && ring
                ? distanceOf(ring, messages)
                : null;
        if (ring && distance !== null) return 2 * distance > ring.size ? -1 : 1;
    }
    return 1;
}

const known = new WeakMap<Replay, Ways>();

function waysOf(replay: Replay): Ways {
    const found = known.get(replay);
    if (found) return found;
    const { ranks, locals, nodes } = ringsOf(replay);
    const ways: Ways = {
        ranks: wayOf(replay, ranks, () => true),
        locals: wayOf(replay, locals, isInside),
        nodes: wayOf(replay, nodes, isBetween),
        mask: replay.steps.some(
            ({ kind, messages }) =>
                kind === "round" &&
                messages.length > 0 &&
                distanceOf(ranks, messages) === null &&
                maskOf(messages) !== null,
        ),
    };
    known.set(replay, ways);
    return ways;
}

// "p − 2", where 6 of 8 upwards is 2 downwards.
function placeText(name: string, distance: number, ring: Ring, way: Way): string {
    const far = way === 1 ? distance : ring.size - distance;
    return `${name} ${way === 1 ? "+" : "−"} ${far} (modulo ${ring.size})`;
}

function goal(replay: Replay, messages: readonly Message[]): string {
    const { ranks, locals, nodes } = ringsOf(replay);
    const ways = waysOf(replay);
    const [mask, distance] = [maskOf(messages), distanceOf(ranks, messages)];
    if (ways.mask && mask !== null) return `p xor ${mask}`;
    if (distance !== null) return placeText("p", distance, ranks, ways.ranks);
    const local = locals && isInside(messages) ? distanceOf(locals, messages) : null;
    if (locals && local !== null)
        return `local rank ${placeText("l", local, locals, ways.locals)} of its node, where l is its own`;
    const node = isBetween(messages) ? distanceOf(nodes, messages) : null;
    if (node !== null) return `node ${placeText("n", node, nodes, ways.nodes)}, where n is its own`;
    const goals = [...new Set(messages.map((one) => one.to))].sort((a, b) => a - b);
    if (goals.length === 1 && messages.length > 1) return `rank ${goals[0]}`;
    if (goals.length === 2 && messages.length > 2) return `rank ${goals[0]} or ${goals[1]}`;
    return "";
}

// "every rank p sends to p − 2 (modulo 8)"; or how many messages how many ranks send.
export function partners(replay: Replay, messages: readonly Message[]): string {
    if (messages.length === 0) return "no rank sends";
    const sent = new Map<number, number>();
    for (const one of messages) sent.set(one.from, (sent.get(one.from) ?? 0) + 1);
    const one = messages.length === sent.size;
    const senders =
        sent.size === replay.ranks ? "every rank" : `${sent.size} of ${replay.ranks} ranks`;
    const sends = sent.size === 1 || sent.size === replay.ranks ? "sends" : "send";
    const to = one ? goal(replay, messages) : "";
    if (to === "") return `${senders} ${sends} ${range([...sent.values()], "message")}`;
    const name = to.startsWith("p ") ? " p" : "";
    if (to.includes(" xor ")) {
        const verb = sends === "sends" ? "exchanges" : "exchange";
        return `${senders}${name} ${verb} with ${to}`;
    }
    return `${senders}${name} ${sends} to ${to}`;
}
