// SPDX-License-Identifier: BSD-3-Clause
// replay.ts: makes steps of the events of all ranks: what is agreed, what is copied before, each
// round, reads, what is copied after. Nothing of an algorithm is known here: the events say it all.
//
// In a step every rank that waits for nobody carries out its next round: it sends, and it is done
// with the round when all that it receives is there. Where nodes are unequal, ranks may have rounds
// of different number; a message then stays on its way until the other end comes to its round.
//
// In a round a rank may start several messages and wait for all of them once, at its end, as
// spread-out does. They are shown one after the other, in the order in which each rank starts them:
// that is how papers count steps, and what makes P - 1 messages comparable with P - 1 rounds.
import { batchesOf, type Batches } from "./batches";
import { placeOf, type EventText, type Place, type ScheduleText } from "./schedule";

// "time": a piece of time, with whatever happens in it (timed.ts).
export type StepKind = "agreement" | "before" | "lengths" | "round" | "reads" | "after" | "time";

// One block, from a place of one rank to a place of another or of the same. `to` is null while the
// block stays on its way.
export interface Move {
    block: number; // source * ranks + target
    fromRank: number;
    from: Place;
    toRank: number;
    to: Place | null;
}

export interface Message {
    from: number;
    to: number;
    blocks: number;
    bytes: number | null; // null: not known
    payload: number | null; // of them, those of the blocks; the rest are lengths and padding
    between: boolean; // between nodes
    batch: number | null; // from 1; null: in none
}

export interface Step {
    kind: StepKind;
    round: number; // the largest that a rank is in, from 1; 0 outside the rounds
    // Of the round's messages of each rank: which, from 1, and how many the rank that has most has.
    part: { at: number; of: number };
    moves: Move[];
    messages: Message[];
    copies: number; // blocks copied, as the ranks count them
    reads: number;
    barriers: number;
    // Of a piece of time alone: where it is on the clock and when the call ends, in seconds;
    // messages that are on their way in it; and those of the agreement that are sent.
    time?: { from: number; to: number; end: number };
    flying?: Message[];
    agreed?: number;
}

export interface Replay {
    schedule: ScheduleText;
    ranks: number;
    nodeOf: number[];
    localOf: number[];
    order: number[]; // ranks, node after node
    slots: number; // temporary places of the rank that has most
    rounds: number;
    batches: Batches | null;
    steps: Step[];
    counts: number[][] | null; // bytes of each block, at [source][target]; null: all are equal
}

interface Waiting {
    rank: number;
    place: Place;
}

interface Run {
    replay: Replay;
    // Messages that are out, per pair of ranks: the blocks and where they have been.
    wires: Map<number, { block: number; waiting: Waiting; move: Move }[][]>;
    carriers: Map<Move, Message>; // of what is sent
}

function emptyStep(kind: StepKind): Step {
    return {
        ...{ kind, round: 0, part: { at: 1, of: 1 }, moves: [], messages: [] },
        ...{ copies: 0, reads: 0, barriers: 0 },
    };
}

function count(step: Step, event: EventText): void {
    if (event.kind.startsWith("copy")) step.copies += event.blocks;
    if (event.kind === "read") step.reads += event.blocks;
    if (event.kind === "barrier") step.barriers++;
}

// Bytes of the blocks that an event moves.
function payloadOf(replay: Replay, event: EventText): number | null {
    const { counts, schedule } = replay;
    if (!counts) return schedule.counts === null ? event.blocks * schedule.block : null;
    return event.moves.reduce((sum, one) => sum + (counts[one.block_of]?.[one.block_for] ?? 0), 0);
}

export function messageOf(replay: Replay, rank: number, event: EventText): Message {
    const to = event.peer ?? rank;
    return {
        from: rank,
        to,
        blocks: event.blocks,
        bytes: event.bytes,
        payload: payloadOf(replay, event),
        between: replay.nodeOf[rank] !== replay.nodeOf[to],
        batch: replay.batches?.of(rank, event) ?? null,
    };
}

function addMessage(run: Run, step: Step, rank: number, event: EventText): Message {
    const message = messageOf(run.replay, rank, event);
    step.messages.push(message);
    return message;
}

// Moves inside the rank, in its node's memory, and out of the neighbour's.
function addLocal(run: Run, step: Step, rank: number, event: EventText): void {
    for (const text of event.moves) {
        const from = placeOf(text.out_of);
        const neighbour = from.kind === "neighbour";
        step.moves.push({
            block: text.block_of * run.replay.ranks + text.block_for,
            fromRank: neighbour ? (event.peer ?? rank) : rank,
            from: neighbour ? { kind: "send", index: text.block_for } : from,
            toRank: rank,
            to: placeOf(text.into),
        });
    }
}

function addSend(run: Run, step: Step, rank: number, event: EventText): void {
    const ranks = run.replay.ranks;
    const to = event.peer ?? rank;
    const message = addMessage(run, step, rank, event);
    if (event.moves.length === 0) return;
    const parts = event.moves.map((text) => {
        const place = placeOf(text.out_of);
        const block = text.block_of * ranks + text.block_for;
        const move: Move = { block, fromRank: rank, from: place, toRank: to, to: null };
        step.moves.push(move);
        run.carriers.set(move, message);
        return { block, waiting: { rank, place }, move };
    });
    const key = rank * ranks + to;
    const wire = run.wires.get(key) ?? [];
    wire.push(parts);
    run.wires.set(key, wire);
}

// The message that arrives has either been sent in this step, or is on its way since an earlier one.
function addReceive(run: Run, step: Step, rank: number, event: EventText, fresh: Set<Move>): void {
    const parts = run.wires.get((event.peer ?? rank) * run.replay.ranks + rank)?.shift();
    if (!parts) throw new Error(`rank ${rank} receives what rank ${event.peer} has not sent`);
    event.moves.forEach((text, i) => {
        const part = parts[i];
        const to = placeOf(text.into);
        if (!part || part.block !== text.block_of * run.replay.ranks + text.block_for)
            throw new Error(`rank ${rank} receives another block than rank ${event.peer} sent`);
        if (fresh.has(part.move)) part.move.to = to;
        else
            step.moves.push({
                block: part.block,
                fromRank: part.waiting.rank,
                from: { kind: "message", index: 0 },
                toRank: rank,
                to,
            });
    });
}

// What ranks do by themselves: agreement, copies before and after, reads.
function addPart(run: Run, kind: "agreement" | "before" | "reads" | "after"): void {
    const step = emptyStep(kind);
    let any = false;
    for (const one of run.replay.schedule.schedules)
        for (const event of one.events)
            if (event.part === kind) {
                any = true;
                count(step, event);
                if (event.kind === "agree") addMessage(run, step, one.rank, event);
                addLocal(run, step, one.rank, event);
            }
    if (any) run.replay.steps.push(step);
}

// The events of each round of each rank.
function roundsOf(events: EventText[]): EventText[][] {
    const rounds: EventText[][] = [];
    let last = -1;
    for (const event of events) {
        if (event.part !== "round" || event.round === null) continue;
        if (event.round !== last) rounds.push([]);
        last = event.round;
        rounds[rounds.length - 1]?.push(event);
    }
    return rounds;
}

function isThere(run: Run, rank: number, round: EventText[]): boolean {
    const needs = new Map<number, number>();
    for (const event of round)
        if (event.kind === "receive" && event.moves.length > 0 && event.peer !== null)
            needs.set(event.peer, (needs.get(event.peer) ?? 0) + 1);
    for (const [peer, many] of needs)
        if ((run.wires.get(peer * run.replay.ranks + rank)?.length ?? 0) < many) return false;
    return true;
}

function post(run: Run, step: Step, lengths: Step, rank: number, round: EventText[]): void {
    for (const event of round) {
        step.round = Math.max(step.round, event.round ?? 0);
        count(step, event);
        if (event.kind === "send") addSend(run, step, rank, event);
        else if (event.kind === "lengths") addMessage(run, lengths, rank, event);
        else if (event.kind !== "receive") addLocal(run, step, rank, event);
    }
}

// The steps of what all ranks do in a round: one for each message of the rank that has most. What
// ranks copy comes with the first, and what arrives of earlier rounds with the last.
function dealt(run: Run, step: Step): Step[] {
    const sent = new Map<number, number>();
    const turns = new Map<Message, number>();
    for (const message of step.messages) {
        const turn = sent.get(message.from) ?? 0;
        turns.set(message, turn);
        sent.set(message.from, turn + 1);
    }
    const of = Math.max(1, ...sent.values());
    if (of === 1) return [step];
    const steps = Array.from({ length: of }, (_, at) => ({
        ...emptyStep("round"),
        ...{ round: step.round, part: { at: at + 1, of } },
    }));
    const { copies, reads, barriers } = step;
    Object.assign(steps[0] as Step, { copies, reads, barriers });
    for (const [message, turn] of turns) steps[turn]?.messages.push(message);
    for (const move of step.moves) {
        const carrier = run.carriers.get(move);
        const early = move.from.kind === "message" ? of - 1 : 0;
        steps[carrier ? (turns.get(carrier) ?? 0) : early]?.moves.push(move);
    }
    return steps;
}

function addRounds(run: Run): void {
    const all = run.replay.schedule.schedules.map((one) => roundsOf(one.events));
    const at = all.map(() => 0);
    const waits = all.map(() => false);
    while (all.some((rounds, rank) => (at[rank] ?? 0) < rounds.length)) {
        const step = emptyStep("round");
        const lengths = emptyStep("lengths");
        let progress = false;
        all.forEach((rounds, rank) => {
            const round = rounds[at[rank] ?? 0];
            if (!round || waits[rank]) return;
            post(run, step, lengths, rank, round);
            waits[rank] = progress = true;
        });
        const fresh = new Set(step.moves);
        all.forEach((rounds, rank) => {
            const round = rounds[at[rank] ?? 0];
            if (!round || !waits[rank] || !isThere(run, rank, round)) return;
            for (const event of round)
                if (event.kind === "receive" && event.moves.length > 0)
                    addReceive(run, step, rank, event, fresh);
            at[rank] = (at[rank] ?? 0) + 1;
            waits[rank] = false;
            progress = true;
        });
        if (!progress) throw new Error("ranks wait for messages that nobody sends");
        lengths.round = step.round;
        if (lengths.messages.length > 0) run.replay.steps.push(lengths);
        run.replay.steps.push(...dealt(run, step));
    }
}

function slotsOf(schedule: ScheduleText): number {
    let most = -1;
    for (const one of schedule.schedules)
        for (const event of one.events)
            for (const move of event.moves) {
                const place = placeOf(move.into);
                if (place.kind === "slot" && place.index > most) most = place.index;
            }
    return most + 1;
}

const nodeOf = (schedule: ScheduleText, rank: number) => schedule.schedules[rank]?.node ?? 0;

// Of a schedule of all ranks with moves, and the sizes of its blocks where they differ. Throws an
// Error where events do not fit together.
export function replayOf(schedule: ScheduleText, counts: number[][] | null = null): Replay {
    if (schedule.schedules.length !== schedule.ranks)
        throw new Error("a replay needs the schedules of all ranks");
    const replay: Replay = {
        schedule,
        ranks: schedule.ranks,
        nodeOf: schedule.schedules.map((one) => one.node),
        localOf: schedule.schedules.map((one) => one.local_rank),
        order: schedule.schedules
            .map((one) => one.rank)
            .sort((a, b) => nodeOf(schedule, a) - nodeOf(schedule, b) || a - b),
        slots: slotsOf(schedule),
        rounds: Math.max(0, ...schedule.schedules.map((one) => one.totals.rounds)),
        batches: batchesOf(schedule),
        steps: [],
        counts,
    };
    const run: Run = { replay, wires: new Map(), carriers: new Map() };
    addPart(run, "agreement");
    addPart(run, "before");
    addRounds(run);
    addPart(run, "reads");
    addPart(run, "after");
    return replay;
}
