// SPDX-License-Identifier: BSD-3-Clause
// state.ts: the state of the page, all of it in the address: #/algorithms?algorithm=bruck&at=7. A
// link that is copied shows the same; going back in the browser goes back in the page.
import { computed, reactive, type ComputedRef } from "vue";
import { data } from "./data";
import { FIRST_CALL, type Call } from "./replay/call";

const { report, predict, explain, figures } = data();
// Views that are there only where the page has something for them, and are what it opens on.
const OWN = {
    report: report !== undefined,
    figures: predict !== undefined || explain !== undefined || figures.length > 0,
} as const;
const ALWAYS = ["home", "algorithms", "compare", "map", "costs", "replay"] as const;
export type Page = keyof typeof OWN | (typeof ALWAYS)[number];
export const PAGES: readonly Page[] = [
    ...(Object.keys(OWN) as (keyof typeof OWN)[]).filter((page) => OWN[page]),
    ...ALWAYS,
];

export interface Link {
    page: Page;
    values: Record<string, string>;
}

export function linkOf(hash: string): Link {
    const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?");
    const page = PAGES.find((one) => one === path) ?? (path === "" ? PAGES[0] : "home") ?? "home";
    return { page, values: Object.fromEntries(new URLSearchParams(query)) };
}

export function hashOf(link: Link): string {
    const query = new URLSearchParams(
        Object.entries(link.values).filter(([, value]) => value !== ""),
    ).toString();
    return `#/${link.page}${query ? `?${query}` : ""}`;
}

export const link = reactive<Link>(linkOf(location.hash));

// Browsers refuse an address that changes more often than some twenty times a second, and it takes
// them longer than a step: while steps are played, the address follows in pauses.
const PAUSE_MS = 300;
let late = 0;

function settle(): void {
    clearTimeout(late);
    late = 0;
    const hash = hashOf(link);
    if (hash !== location.hash) history.replaceState(null, "", hash);
}

function settleSoon(): void {
    if (late === 0) late = window.setTimeout(settle, PAUSE_MS);
}

// A click may follow a link away from here.
addEventListener("click", () => late !== 0 && settle(), true);

addEventListener("hashchange", () => {
    clearTimeout(late);
    late = 0;
    const next = linkOf(location.hash);
    link.page = next.page;
    link.values = next.values;
});

// A new entry of the browser's history; `quiet` replaces the last: for steps and what is typed.
export function go(page: Page, values: Record<string, string>, quiet = false): void {
    const hash = hashOf({ page, values });
    if (hash === hashOf(link)) return;
    if (!quiet) settle(); // what is left behind is what going back comes to
    link.page = page;
    link.values = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
    if (quiet) settleSoon();
    else history.pushState(null, "", hash);
}

export function change(values: Record<string, string>, quiet = true): void {
    go(link.page, { ...link.values, ...values }, quiet);
}

const PARAMETER = "p.";

// The call of a link; `side` is put before the names where a page has two. What is no such word stays
// as it is: whether a call can be is said elsewhere (refusal.ts).
export function callOf(values: Record<string, string>, side = ""): Call {
    const text = (name: keyof Call) => values[side + name] ?? (FIRST_CALL[name] as string);
    const parameters: Record<string, string> = {};
    for (const [name, value] of Object.entries(values))
        if (name.startsWith(side + PARAMETER))
            parameters[name.slice((side + PARAMETER).length)] = value;
    return {
        op: text("op") as Call["op"],
        algorithm: text("algorithm"),
        parameters,
        layout: text("layout"),
        block: text("block"),
        sizes: text("sizes") as Call["sizes"],
        seed: text("seed"),
        counts: text("counts"),
    };
}

// A call that the address says; the same object for as long as it is the same call, so that steps,
// which are in the address too, leave what depends on the call alone.
export function linkedCall(get: () => Call): ComputedRef<Call> {
    return computed<Call>((before) => {
        const now = get();
        return before && JSON.stringify(before) === JSON.stringify(now) ? before : now;
    });
}

// The rank that the reader has chosen, if any.
export function rankOf(values: Record<string, string>, name: string): number | null {
    const value = values[name] ?? "";
    return /^[0-9]+$/.test(value) ? Number(value) : null;
}

// What a link has to say of a call: only what is not as it is at first.
export function valuesOf(call: Call, side = ""): Record<string, string> {
    const values: Record<string, string> = {};
    for (const name of ["op", "algorithm", "layout", "block", "sizes", "seed", "counts"] as const)
        if (call[name] !== FIRST_CALL[name]) values[side + name] = call[name];
    for (const [name, value] of Object.entries(call.parameters))
        if (value !== "") values[`${side}${PARAMETER}${name}`] = value;
    return values;
}
