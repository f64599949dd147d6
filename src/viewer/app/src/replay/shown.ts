// SPDX-License-Identifier: BSD-3-Clause
// shown.ts: a call's replay, made anew when the call changes; or, where the call cannot be, why.
import { shallowRef, watch, type Ref } from "vue";
import type { Engine } from "../engine";
import { scheduleArgs, type Algorithm, type Call } from "./call";
import { offsetsOf, type Offsets } from "./explain";
import { checkCall, checkTaken, Refusal, refusalOf } from "./refusal";
import { replayOf, type Replay } from "./replay";
import type { ScheduleText } from "./schedule";
import { statesOf, type State } from "./states";
import { talliesOf, type Tally } from "./tally";
import { timedReplay, type TimedText } from "./timed";

export interface Shown {
    replay: Replay;
    states: State[];
    tallies: Tally[];
    offsets: Offsets | null;
    counts: number[][] | null;
    elements: number; // bytes of a block, where all are equal
}

// What the engine makes of a call; throws a Refusal.
function asked<T extends ScheduleText>(
    engine: Engine,
    call: Call,
    rows: readonly Algorithm[],
    more: readonly string[] = [],
): { schedule: T; counts: number[][] | null } {
    const row = rows.find((one) => one.algorithm === call.algorithm);
    checkCall(call);
    const { args, texts, counts } = scheduleArgs(call, row);
    try {
        const schedule = engine.json<T>([...args, ...more], texts);
        checkTaken(call, row, schedule.parameters);
        return { schedule, counts };
    } catch (error) {
        throw refusalOf(error, row);
    }
}

export function showCall(engine: Engine, call: Call, rows: readonly Algorithm[]): Shown {
    const { schedule, counts } = asked<ScheduleText>(engine, call, rows);
    if (schedule.block === 0)
        throw new Refusal(
            "block",
            "blocks of 0 bytes are not exchanged at all: say 1 byte or more",
        );
    const replay = replayOf(schedule, counts);
    return {
        replay,
        states: statesOf(replay),
        tallies: talliesOf(replay),
        offsets: offsetsOf(replay),
        counts,
        elements: schedule.block,
    };
}

// Calls against one clock, that of the one that takes longest on the machine; where a call cannot be,
// why.
export function showTimed(
    engine: Engine,
    calls: readonly Call[],
    rows: readonly Algorithm[],
    machine: string,
): { shown: Shown | null; seconds: number; refused: Refusal | null }[] {
    const answers = calls.map((call) => {
        try {
            const { schedule, counts } = asked<TimedText>(engine, call, rows, [
                `--machine=${machine}`,
            ]);
            return { text: schedule, counts, refused: null };
        } catch (error) {
            return { text: null, counts: null, refused: refusalOf(error, undefined) };
        }
    });
    const end = Math.max(...answers.map((one) => one.text?.time_s ?? 0));
    return answers.map(({ text, counts, refused }) => {
        if (!text) return { shown: null, seconds: 0, refused };
        const { replay, states } = timedReplay(text, end, counts);
        const shown = {
            replay,
            states,
            tallies: talliesOf(replay),
            offsets: null,
            counts,
            elements: text.block,
        };
        return { shown, seconds: text.time_s, refused: null };
    });
}

export function useShown(engine: Engine, rows: readonly Algorithm[], call: Ref<Call>) {
    const shown = shallowRef<Shown | null>(null);
    const refused = shallowRef<Refusal | null>(null);
    watch(
        () => JSON.stringify(call.value),
        () => {
            try {
                shown.value = showCall(engine, call.value, rows);
                refused.value = null;
            } catch (error) {
                shown.value = null;
                refused.value = refusalOf(error, undefined);
            }
        },
        { immediate: true },
    );
    return { shown, refused };
}
