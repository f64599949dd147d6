// SPDX-License-Identifier: BSD-3-Clause
// batches.ts: which batch each message belongs to, of algorithms that have at most batch_size
// messages of a rank in flight: a round is a batch, and the next begins when the last is done. Both
// ends of a message count its batch alike, though on unequal nodes they may be in different rounds.
import { parametersOf, type EventText, type ScheduleText } from "./schedule";

export interface Batches {
    most: number; // messages of a rank in flight: batch_size
    count: number;
    of: (rank: number, event: EventText) => number | null; // from 1; null: in no batch
}

// Of ParLinNa the rounds within a node come first, and what is sent in batches goes between nodes.
function firstRounds(schedule: ScheduleText): number[] {
    if (!schedule.algorithm.startsWith("parlinna")) return schedule.schedules.map(() => 0);
    const node = (rank: number | null) => schedule.schedules[rank ?? -1]?.node;
    return schedule.schedules.map((one) =>
        Math.max(
            0,
            ...one.events
                .filter((event) => event.kind === "send" && node(event.peer) === one.node)
                .map((event) => event.round ?? 0),
        ),
    );
}

export function batchesOf(schedule: ScheduleText): Batches | null {
    const most = Number(parametersOf(schedule.parameters).get("batch_size") ?? 0);
    if (most === 0) return null;
    const first = firstRounds(schedule);
    const of = (rank: number, event: EventText) => {
        const batch = (event.part === "round" ? (event.round ?? 0) : 0) - (first[rank] ?? 0);
        return batch > 0 ? batch : null;
    };
    const all = schedule.schedules.flatMap((one) =>
        one.events.map((event) => (event.kind === "send" ? (of(one.rank, event) ?? 0) : 0)),
    );
    return { most, count: Math.max(0, ...all), of };
}
