// SPDX-License-Identifier: BSD-3-Clause
// colours.ts: colours that people with any kind of colour vision tell apart. The block for a rank
// has the colour of that rank: at the end every receive buffer has one colour.

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
