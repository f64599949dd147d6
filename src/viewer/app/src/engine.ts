// SPDX-License-Identifier: BSD-3-Clause
// engine.ts: the command `shunt` inside the page: its own C code, compiled to WebAssembly. Each
// call is a process of its own, so that what it prints depends on its arguments alone.
import image from "virtual:engine";
import { bytesOf } from "./base64";
import { data, filesOf, type Data } from "./data";
import { wordsOf } from "./replay/refusal";
import { runProgram, type Files } from "./wasi";

export interface Answer {
    status: number; // 0, or an exit code of the command
    out: string;
    err: string;
}

export interface Engine {
    // args are those of the command line behind "shunt". Tables and machines are those of the page,
    // by name: ["explain", ..., "user"]; without a table the page's table "user", or else the
    // built-in one. `texts` are files more, by the names that args call them: ["--counts=sizes"].
    run(args: readonly string[], texts?: Readonly<Record<string, string>>): Answer;
    // The same, for output in JSON; throws an Error with the command's words where it fails.
    json<T>(args: readonly string[], texts?: Readonly<Record<string, string>>): T;
}

class Shunt implements Engine {
    constructor(
        private readonly module: WebAssembly.Module,
        private readonly files: Files,
    ) {}

    run(args: readonly string[], texts: Readonly<Record<string, string>> = {}): Answer {
        const files = new Map(this.files);
        for (const [name, text] of Object.entries(texts))
            files.set(name.replace(/^\/+/, ""), new TextEncoder().encode(text));
        return runProgram(this.module, ["shunt", ...args], files);
    }

    json<T>(args: readonly string[], texts: Readonly<Record<string, string>> = {}): T {
        const answer = this.run(args, texts);
        if (answer.status !== 0)
            throw new Error(wordsOf(answer.err) || `shunt ended with status ${answer.status}`);
        return JSON.parse(answer.out) as T;
    }
}

let compiled: Promise<WebAssembly.Module> | undefined;

// The engine with what the page has embedded, or with other data.
export async function engine(given: Data = data()): Promise<Engine> {
    compiled ??= WebAssembly.compile(bytesOf(image));
    return new Shunt(await compiled, filesOf(given));
}
