// SPDX-License-Identifier: BSD-3-Clause
// seen.ts: whether the reader has come to a part of the page, so that what takes long to calculate is
// not calculated before.
import { onMounted, onUnmounted, ref, type Ref } from "vue";

export function useSeen(part: Ref<HTMLElement | undefined>): Ref<boolean> {
    const seen = ref(typeof IntersectionObserver === "undefined");
    if (seen.value) return seen;
    const observer = new IntersectionObserver((all) => {
        if (!all.some((one) => one.isIntersecting)) return;
        seen.value = true;
        observer.disconnect();
    });
    onMounted(() => part.value && observer.observe(part.value));
    onUnmounted(() => observer.disconnect());
    return seen;
}
