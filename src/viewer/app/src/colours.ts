// SPDX-License-Identifier: BSD-3-Clause
// colours.ts: colours of blocks, that people with any kind of colour vision tell apart: the block for
// a rank has the colour of that rank, so at the end every receive buffer has one colour. And colours
// of algorithms, which all views have from here.

// Okabe and Ito's, without black.
const FEW = [
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#f0e442",
    "#8a8a8a",
];

// Points of the map "cividis", which grows lighter evenly and has no red and green.
const MANY = [
    "#00224e",
    "#123570",
    "#3b496c",
    "#575d6d",
    "#707173",
    "#8a8678",
    "#a59c74",
    "#c3b369",
    "#e1cc55",
    "#fee838",
];

// Red, green and blue of "#rrggbb", 0 to 255.
export function parts(colour: string): number[] {
    return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

function between(share: number): string {
    const at = share * (MANY.length - 1);
    const i = Math.min(Math.floor(at), MANY.length - 2);
    const low = parts(MANY[i] as string);
    const high = parts(MANY[i + 1] as string);
    const mixed = low.map((value, k) => Math.round(value + ((high[k] ?? 0) - value) * (at - i)));
    return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

export function colourOf(index: number, count: number): string {
    if (count <= FEW.length) return FEW[index % FEW.length] as string;
    return between(count < 2 ? 0 : index / (count - 1));
}

// Black or white, whichever is easier to read on the colour.
export function inkOn(colour: string): string {
    const [red = 0, green = 0, blue = 0] = parts(colour).map((value) => {
        const share = value / 255;
        return share <= 0.04 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000000" : "#ffffff";
}

// An algorithm has one colour in all views, light and dark, and a letter, for nobody tells two dozen
// colours apart. Those that tables name most often have the colours that are furthest apart.
const ALGORITHMS: Readonly<Record<string, string>> = {
    native: "#8a8a8a",
    "spread-out": "#e69f00",
    scattered: "#785a1e",
    pairwise: "#87005a",
    linear: "#f0c3ff",
    "exclusive-or": "#ff0fff",
    bruck: "#0072b2",
    "bruck-basic": "#3c2d96",
    "bruck-modified": "#0000ff",
    "bruck-basic-dt": "#7878ff",
    "bruck-modified-dt": "#9600ff",
    "bruck-zero-copy": "#5ae1b4",
    "two-phase-bruck": "#78b400",
    sloav: "#4b3c4b",
    "padded-bruck": "#00f000",
    "padded-alltoall": "#875a96",
    parlogna: "#009e73",
    "parlinna-coalesced": "#d9c400",
    "parlinna-staggered": "#b40000",
    "parlinna-shared": "#ff0069",
    "shared-segment": "#56b4e9",
    "peer-read": "#d55e00",
    "node-pair": "#cc79a7",
    "node-bruck": "#004b00",
};
// For algorithms that this list does not know yet.
const SPARE = ["#c30fa5", "#b4b4a5", "#968700", "#ff9696"];

// "bruck:radix=2" and "bruck radix=2, and why" are bruck.
const plain = (name: string) => name.split(/[:, ]/)[0] ?? "";

export function algorithmColour(candidate: string): string {
    const name = plain(candidate);
    const known = ALGORITHMS[name];
    if (known) return known;
    const sum = [...name].reduce((all, one) => all + one.charCodeAt(0), 0);
    return SPARE[sum % SPARE.length] as string;
}

export const hasColour = (candidate: string) => plain(candidate) in ALGORITHMS;

// Calls by how they were done, and ranks that arrive late or wait.
export const KINDS: Readonly<Record<string, string>> = {
    routed: "#0072b2",
    native: "#8a8a8a",
    "native, before set-up": "#e69f00",
    late: "#d55e00",
    waits: "#56b4e9",
};

// "" for native, whose grey is enough; "*" for what the list does not know.
export function algorithmLetter(candidate: string): string {
    const at = Object.keys(ALGORITHMS).indexOf(plain(candidate));
    return at < 0 ? "*" : at === 0 ? "" : String.fromCharCode(96 + at);
}
