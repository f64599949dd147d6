// SPDX-License-Identifier: BSD-3-Clause
// theme.ts: light or dark, as the reader says or as the system does; and what this browser remembers.
import { ref, watchEffect } from "vue";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

// A browser may keep nothing for files; then nothing is remembered.
export function recall(name: string): string | null {
    try {
        return localStorage.getItem(`shunt-${name}`);
    } catch {
        return null;
    }
}

export function remember(name: string, value: string): void {
    try {
        localStorage.setItem(`shunt-${name}`, value);
    } catch {
        // As above.
    }
}

const kept = recall("theme");
export const theme = ref<Theme>(THEMES.find((one) => one === kept) ?? "system");

// style.css has the colours.
watchEffect(
    () => {
        document.documentElement.dataset["theme"] = theme.value;
        remember("theme", theme.value);
    },
    { flush: "sync" },
);
