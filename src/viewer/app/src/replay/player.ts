// SPDX-License-Identifier: BSD-3-Clause
// player.ts: where in a replay the reader is. Position 2k is the state before step k; at 2k + 1 the
// blocks that step k moves are marked. The last position is the end.
import { computed, onUnmounted, ref, watch, type Ref } from "vue";

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 60] as const; // half steps in a second
const EARLY_MS = 5; // frames are not quite regular

export function usePlayer(steps: Ref<number>, at: Ref<number>, speed: Ref<number>) {
    const playing = ref(false);
    const last = computed(() => 2 * steps.value);
    let frame = 0;
    let due = 0; // when the next half step is to come

    function goTo(position: number): void {
        at.value = Math.max(0, Math.min(last.value, Math.round(position)));
    }

    function stop(): void {
        playing.value = false;
    }

    // Half steps come with the screen's frames, one in each at most: none is passed over.
    function onFrame(now: number): void {
        frame = requestAnimationFrame(onFrame);
        if (now < due - EARLY_MS) return;
        due = Math.max(due, now - EARLY_MS) + 1000 / speed.value;
        goTo(at.value + 1);
        if (at.value >= last.value) stop();
    }

    function play(): void {
        if (at.value >= last.value) goTo(0);
        playing.value = last.value > 0;
    }

    watch([playing, speed], () => {
        cancelAnimationFrame(frame);
        due = performance.now() + 1000 / speed.value;
        if (playing.value) frame = requestAnimationFrame(onFrame);
    });
    watch(last, () => goTo(at.value));
    onUnmounted(() => cancelAnimationFrame(frame));

    return {
        playing,
        last,
        goTo,
        play,
        stop,
        // Whole steps: to the end of this one, to the beginning of this or the one before.
        step: () => goTo(2 * Math.floor(at.value / 2) + 2),
        back: () => goTo(2 * Math.ceil(at.value / 2) - 2),
        half: () => goTo(at.value + 1),
        halfBack: () => goTo(at.value - 1),
        reset: () => {
            stop();
            goTo(0);
        },
    };
}

export type Player = ReturnType<typeof usePlayer>;
