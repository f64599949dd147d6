// SPDX-License-Identifier: BSD-3-Clause
// lines.ts: numbers for people, and marks on axes.

export interface Line {
    name: string;
    colour: string;
    dash: string;
    points: [number, number][];
    open?: () => void; // what a click on its name opens
}

// 0.0000123 as 12.3 µ.
export function short(value: number, unit = ""): string {
    if (value === 0) return unit ? `0 ${unit}` : "0";
    const steps: [number, string][] = [
        [1e12, "T"],
        [1e9, "G"],
        [1e6, "M"],
        [1e3, "k"],
        [1, ""],
        [1e-3, "m"],
        [1e-6, "µ"],
        [1e-9, "n"],
    ];
    const [scale, prefix] = steps.find(([one]) => Math.abs(value) >= one) ?? [1e-12, "p"];
    const digits = String(Number((value / scale).toPrecision(3)));
    const word = `${prefix}${unit}`;
    return word ? `${digits} ${word}` : digits;
}

const UNITS: [number, string][] = [
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
];

export function number(value: number): string {
    return value.toLocaleString("en", { maximumFractionDigits: 20 });
}

// 65536 as 64 KiB, with three digits: everywhere on the page a kilobyte has 1024 bytes.
export function size(bytes: number): string {
    const [scale, name] = UNITS.find(([one]) => bytes >= one) ?? [1, "B"];
    return `${Number((bytes / scale).toPrecision(3))} ${name}`;
}

// 3072 as 3 KiB, and 3000 as 3,000 bytes: what sentences say is exact.
export function exactly(bytes: number): string {
    const [scale, name] = UNITS.find(([one]) => bytes >= one && (bytes * 2) % one === 0) ?? [1, ""];
    if (name) return `${number(bytes / scale)} ${name}`;
    return `${number(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;
}

// What stands at an axis: all axes of the page write numbers alike.
export function tick(value: number, unit: string): string {
    if (unit === "B") return size(value);
    return unit === "" && value >= 1 ? number(value) : short(value, unit);
}

// Places of marks between two positive numbers, on a scale that multiplies.
export function marks(low: number, high: number, base: number): number[] {
    const first = Math.ceil(Math.log(low) / Math.log(base) - 1e-9);
    const last = Math.floor(Math.log(high) / Math.log(base) + 1e-9);
    const every = Math.max(1, Math.ceil((last - first + 1) / 8));
    const list: number[] = [];
    for (let i = first; i <= last; i += every) list.push(base ** i);
    return list;
}

// Places of marks at an axis of numbers in which nothing doubles: 1, 10, 100, or 1, 2, 5, 10, ...
export function decimalMarks(low: number, high: number): number[] {
    const sets = [[1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]];
    const powers = marks(low / 10, high, 10);
    const lists = sets.map((set) =>
        powers
            .flatMap((power) => set.map((one) => one * power))
            .filter((one) => one >= low * (1 - 1e-9) && one <= high * (1 + 1e-9)),
    );
    return lists.find((list) => list.length > 2) ?? lists[2] ?? [];
}

// Places of marks at an axis that adds up: multiples of 1, 2 or 5 times a power of ten.
export function evenMarks(low: number, high: number, most = 6): number[] {
    const least = (high - low) / most;
    if (!(least > 0)) return [];
    const power = 10 ** Math.floor(Math.log10(least));
    const step = power * ([1, 2, 5].find((one) => one * power >= least * (1 - 1e-9)) ?? 10);
    const first = Math.ceil(low / step - 1e-9);
    const count = Math.floor(high / step + 1e-9) - first + 1;
    return Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * step);
}

// Lines are told apart by colour and by dashes.
export const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
