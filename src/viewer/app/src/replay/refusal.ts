// SPDX-License-Identifier: BSD-3-Clause
// refusal.ts: why a call cannot be, in plain words, and which field of the form it is about. Nothing
// that the reader asks for is replaced by something else without a word.
import { layoutWrong, type Algorithm, type Call } from "./call";
import { bytesOfText } from "./counts";
import { parametersOf } from "./schedule";

export class Refusal extends Error {
    constructor(
        readonly field: string, // "": of none
        message: string,
    ) {
        super(message);
    }
}

// What is wrong that the engine would not say.
export function checkCall(call: Call): void {
    const wrong = layoutWrong(call.layout);
    if (wrong) throw new Refusal("layout", wrong);
    if (call.op !== "alltoallv") return;
    if (!["equal", "random", "own"].includes(call.sizes))
        throw new Refusal("sizes", `"${call.sizes}" is no way to say sizes: equal, random or own`);
    if (call.sizes !== "random") return;
    if (!/^[0-9]+$/.test(call.seed))
        throw new Refusal("seed", `"${call.seed}" is no seed: say a whole number`);
    if (Number.isNaN(bytesOfText(call.block)))
        throw new Refusal("block", `"${call.block}" is not a size such as 512 or 4K`);
}

const OPTIONS: Record<string, string> = { block: "block", op: "op", counts: "counts" };

// What the command says, without what helps on a command line alone.
export const wordsOf = (said: string) =>
    said.trim().replace(/; (see )?"shunt [a-z]+ --[a-z]+"/g, "");

// The words of the command, without what is about its own options.
export function refusalOf(error: unknown, row: Algorithm | undefined): Refusal {
    if (error instanceof Refusal) return error;
    const words = wordsOf(error instanceof Error ? error.message : String(error)).replace(
        /^shunt( schedule)?: /,
        "",
    );
    const [, option = "", rest = words] = /^--([a-z]+): (.*)$/s.exec(words) ?? [];
    if (option !== "algorithm") return new Refusal(OPTIONS[option] ?? "", rest);
    const said = rest.replace(/^alltoallv?: /, "");
    const name = /^[a-z_]+/.exec(said)?.[0] ?? "";
    if (row && name in row.accepts) return new Refusal(name, said);
    return new Refusal("algorithm", said.replace(/ \("shunt algorithms" lists them\)/, ""));
}

const MEANS: Record<string, string> = {
    P: "P, the number of ranks",
    N: "N, the number of nodes",
    Q: "Q, the ranks of a node",
};

// The engine lowers a number that is too large for a layout, and says what it comes to.
function tooLarge(asked: string, taken: string): boolean {
    const words = asked.split("x");
    const got = taken.split("x").map(bytesOfText);
    return words.some((word, i) => bytesOfText(word) > (got[Math.min(i, got.length - 1)] ?? 0));
}

export function checkTaken(call: Call, row: Algorithm | undefined, parameters: string): void {
    const taken = parametersOf(parameters);
    for (const [name, asked] of Object.entries(call.parameters)) {
        const accepts = row?.accepts[name];
        const got = taken.get(name) ?? "";
        if (!accepts?.max || got === "" || asked === "" || !tooLarge(asked, got)) continue;
        const most = asked.includes("x") ? "" : `, which is ${MEANS[accepts.max] ?? accepts.max}`;
        throw new Refusal(name, `${name} ${asked} is too large here: ${got} at most${most}`);
    }
}

// Parameters of an address that the algorithm has not got: they may be those of another one.
export function strangersOf(call: Call, row: Algorithm | undefined): string[] {
    return Object.entries(call.parameters)
        .filter(([name, value]) => value !== "" && row && !(name in row.accepts))
        .map(([name]) => name);
}
