// SPDX-License-Identifier: BSD-3-Clause
// shunt.ts: what tests ask of Shunt: the engine of the page; or the command that SHUNT names, which
// prints the same.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, Engine } from "../src/engine";
import { wordsOf } from "../src/replay/refusal";

class Command implements Engine {
    constructor(private readonly program: string) {}

    run(args: readonly string[], texts: Readonly<Record<string, string>> = {}): Answer {
        const folder = mkdtempSync(join(tmpdir(), "shunt-page-"));
        for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
        const done = spawnSync(this.program, [...args], {
            cwd: folder,
            encoding: "utf8",
            maxBuffer: 1 << 28,
        });
        rmSync(folder, { recursive: true });
        return { status: done.status ?? 1, out: done.stdout, err: done.stderr };
    }

    json<T>(args: readonly string[], texts: Readonly<Record<string, string>> = {}): T {
        const answer = this.run(args, texts);
        if (answer.status !== 0) throw new Error(wordsOf(answer.err));
        return JSON.parse(answer.out) as T;
    }
}

export async function shunt(): Promise<Engine> {
    const program = process.env["SHUNT"];
    if (program) return new Command(program);
    return (await import("../src/engine")).engine();
}
