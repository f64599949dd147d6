// SPDX-License-Identifier: BSD-3-Clause
// player.ts: where in a replay the reader is. Position 2k is the state before step k; at 2k + 1 the
// blocks that step k moves are marked. The last position is the end.
import { computed, onUnmounted, ref, watch, type Ref } from "vue";

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 60] as const; // half steps in a second

export function usePlayer(steps: Ref<number>, at: Ref<number>, speed: Ref<number>) {
    const playing = ref(false);
    const last = computed(() => 2 * steps.value);
    let timer = 0;

    function goTo(position: number): void {
        at.value = Math.max(0, Math.min(last.value, Math.round(position)));
    }

    function stop(): void {
        playing.value = false;
    }

    function tick(): void {
        goTo(at.value + 1);
        if (at.value >= last.value) stop();
    }

    function play(): void {
        if (at.value >= last.value) goTo(0);
        playing.value = last.value > 0;
    }

    watch([playing, speed], () => {
        clearInterval(timer);
        if (playing.value) timer = window.setInterval(tick, 1000 / speed.value);
    });
    watch(last, () => goTo(at.value));
    onUnmounted(() => clearInterval(timer));

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
