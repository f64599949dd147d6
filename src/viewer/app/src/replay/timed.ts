// SPDX-License-Identifier: BSD-3-Clause
// timed.ts: a call against a clock: what the model says of when each event is done, as a replay whose
// steps are equal pieces of time. Two calls with one clock can be played side by side.
//
// A message that is there is unpacked when its rank goes on, behind what the rank itself does in that
// round. The order within a piece is kept: states are those at the end of each.
import { messageOf, replayOf, type Message, type Move, type Replay, type Step } from "./replay";
import { placeOf, type EventText, type RankText, type ScheduleText } from "./schedule";
import { copyOf, firstState, movedAll, type State } from "./states";

export const PIECES = 200;

export interface TimedText extends ScheduleText {
    machine: string;
    time_s: number;
}

interface Happening {
    time: number;
    index: number; // among the events of the rank
    rank: number;
    event: EventText;
    moves: Move[];
    message: Message | null;
}

const isReceive = (event: EventText) => event.kind.endsWith("receive");
const isSend = (event: EventText) => ["send", "lengths", "agree"].includes(event.kind);
const doneOf = (event: EventText) => event.done_s ?? 0;

// When the rank goes on behind the round of event `at`: its last own event there, and where that is.
function endOfRound(events: EventText[], at: number): { time: number; index: number } {
    const round = (one: EventText) => `${one.part} ${one.round}`;
    let last = at;
    for (let i = at; i < events.length; i++) {
        const one = events[i] as EventText;
        if (round(one) !== round(events[at] as EventText)) break;
        if (isSend(one) || isReceive(one)) last = i;
    }
    let time = 0;
    for (let i = 0; i <= last; i++) {
        const one = events[i] as EventText;
        if (!isReceive(one)) time = doneOf(one);
    }
    return { time, index: last + 0.5 };
}

function movesOf(replay: Replay, rank: number, event: EventText): Move[] {
    return event.moves.map((text) => {
        const block = text.block_of * replay.ranks + text.block_for;
        const from = placeOf(text.out_of);
        if (isSend(event))
            return { block, fromRank: rank, from, toRank: event.peer ?? rank, to: null };
        const to = placeOf(text.into);
        const peer = event.peer ?? rank;
        if (isReceive(event))
            return { block, fromRank: peer, from: { kind: "message", index: 0 }, toRank: rank, to };
        return from.kind === "neighbour"
            ? {
                  block,
                  fromRank: peer,
                  from: { kind: "send", index: text.block_for },
                  toRank: rank,
                  to,
              }
            : { block, fromRank: rank, from, toRank: rank, to };
    });
}

function happeningsOf(replay: Replay, one: RankText): Happening[] {
    return one.events.map((event, at) => {
        const moves = movesOf(replay, one.rank, event);
        const message = isSend(event) ? messageOf(replay, one.rank, event) : null;
        const own = { time: doneOf(event), index: at, rank: one.rank, event, moves, message };
        if (!isReceive(event)) return own;
        const end = endOfRound(one.events, at);
        return { ...own, time: Math.max(own.time, end.time), index: end.index };
    });
}

// Messages of which the sender and the receiver are known, with the time at both ends.
function flightsOf(all: Happening[]): { message: Message; from: number; to: number }[] {
    const sent = new Map<string, Happening[]>();
    for (const one of all)
        if (one.message && one.event.kind === "send") {
            const key = `${one.rank} ${one.event.peer}`;
            sent.set(key, [...(sent.get(key) ?? []), one]);
        }
    const flights: { message: Message; from: number; to: number }[] = [];
    for (const one of all)
        if (one.event.kind === "receive") {
            const out = sent.get(`${one.event.peer} ${one.rank}`)?.shift();
            if (out?.message)
                flights.push({ message: out.message, from: out.time, to: doneOf(one.event) });
        }
    return flights;
}

function emptyPiece(from: number, to: number, end: number): Step {
    return {
        kind: "time",
        round: 0,
        part: { at: 1, of: 1 },
        moves: [],
        messages: [],
        copies: 0,
        reads: 0,
        barriers: 0,
        time: { from, to, end },
        flying: [],
    };
}

function note(step: Step, one: Happening): void {
    step.moves.push(...one.moves);
    if (one.event.part === "round") step.round = Math.max(step.round, one.event.round ?? 0);
    if (one.event.kind.startsWith("copy")) step.copies += one.event.blocks;
    if (one.event.kind === "read") step.reads += one.event.blocks;
    if (one.event.kind === "barrier") step.barriers++;
    if (one.message && one.event.kind !== "agree") step.messages.push(one.message);
    if (one.event.kind === "agree") step.agreed = (step.agreed ?? 0) + 1;
}

// What happens at one time may be told in an order in which it cannot be: then it comes behind.
// Returns what cannot be yet.
function carryOut(replay: Replay, state: State, todo: Happening[]): Happening[] {
    let left = todo;
    for (let before = Infinity; left.length > 0 && left.length < before;) {
        before = left.length;
        left = left.filter((one) => !movedAll(replay, state, one.moves));
    }
    return left;
}

// `end`: of the clock, in seconds, no less than the call's own.
export function timedReplay(
    schedule: TimedText,
    end: number,
    counts: number[][] | null = null,
): { replay: Replay; states: State[] } {
    const plain = replayOf(schedule, counts);
    const replay: Replay = { ...plain, steps: [] };
    const all = schedule.schedules
        .flatMap((one) => happeningsOf(replay, one))
        .sort((a, b) => a.time - b.time || a.index - b.index || a.rank - b.rank);
    const flights = flightsOf(all);
    const states: State[] = [firstState(replay)];
    let late: Happening[] = [];
    let at = 0;
    for (let piece = 1; piece <= PIECES; piece++) {
        const [from, to] = [
            ((piece - 1) / PIECES) * end,
            piece === PIECES ? Infinity : (piece / PIECES) * end,
        ];
        const step = emptyPiece(from, (piece / PIECES) * end, schedule.time_s);
        const first = at;
        while (at < all.length && (all[at] as Happening).time <= to) at++;
        const now = all.slice(first, at);
        for (const one of now) note(step, one);
        const state = copyOf(states[states.length - 1] as State);
        late = carryOut(replay, state, [...late, ...now]);
        step.flying = flights
            .filter((one) => one.from <= (piece / PIECES) * end && one.to > from)
            .map((one) => one.message);
        replay.steps.push(step);
        states.push(state);
    }
    if (late.length > 0) throw new Error("times of events do not fit together");
    return { replay, states };
}
