// SPDX-License-Identifier: BSD-3-Clause
// shown.ts: a call's replay, made anew when the call changes; or, where the call cannot be, why.
import { shallowRef, watch, type Ref } from "vue";
import type { Engine } from "../engine";
import { layoutWrong, scheduleArgs, type Algorithm, type Call } from "./call";
import { offsetsOf, type Offsets } from "./explain";
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

export function showCall(engine: Engine, call: Call, rows: readonly Algorithm[]): Shown {
    const wrong = layoutWrong(call.layout);
    if (wrong) throw new Error(wrong);
    const asked = scheduleArgs(
        call,
        rows.find((one) => one.algorithm === call.algorithm),
    );
    const schedule = engine.json<ScheduleText>(asked.args, asked.texts);
    if (schedule.block === 0)
        throw new Error("blocks of 0 bytes are not exchanged at all: say 1 byte or more");
    const replay = replayOf(schedule);
    return {
        replay,
        states: statesOf(replay),
        tallies: talliesOf(replay),
        offsets: offsetsOf(replay),
        counts: asked.counts,
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
): { shown: Shown | null; seconds: number; refused: string }[] {
    const asked = calls.map((call) => {
        try {
            const wrong = layoutWrong(call.layout);
            if (wrong) throw new Error(wrong);
            const row = rows.find((one) => one.algorithm === call.algorithm);
            const { args, texts, counts } = scheduleArgs(call, row);
            const text = engine.json<TimedText>([...args, `--machine=${machine}`], texts);
            return { text, counts, refused: "" };
        } catch (error) {
            const refused = error instanceof Error ? error.message : String(error);
            return { text: null, counts: null, refused };
        }
    });
    const end = Math.max(...asked.map((one) => one.text?.time_s ?? 0));
    return asked.map(({ text, counts, refused }) => {
        if (!text) return { shown: null, seconds: 0, refused };
        const { replay, states } = timedReplay(text, end);
        const shown = {
            replay,
            states,
            tallies: talliesOf(replay),
            offsets: null,
            counts,
            elements: text.block,
        };
        return { shown, seconds: text.time_s, refused: "" };
    });
}

export function useShown(engine: Engine, rows: readonly Algorithm[], call: Ref<Call>) {
    const shown = shallowRef<Shown | null>(null);
    const refused = shallowRef("");
    watch(
        () => JSON.stringify(call.value),
        () => {
            try {
                shown.value = showCall(engine, call.value, rows);
                refused.value = "";
            } catch (error) {
                shown.value = null;
                refused.value = error instanceof Error ? error.message : String(error);
            }
        },
        { immediate: true },
    );
    return { shown, refused };
}
