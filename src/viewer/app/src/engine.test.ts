// SPDX-License-Identifier: BSD-3-Clause
// engine.test.ts: the engine in the page against the command: the same bytes, for every algorithm.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseData } from "./data";
import { engine, type Answer, type Engine } from "./engine";

// The command of the same build; see vite.config.ts.
const command = process.env["SHUNT"] ?? fileURLToPath(new URL("../../../shunt", import.meta.url));
// No file of this user's or this host's may count.
const environment = { PATH: "/usr/bin:/bin", SHUNT_CONFIG: "" };

let folder: string, page: Engine;

function native(args: readonly string[]): Answer {
    const { status, stdout, stderr } = spawnSync(command, args, {
        encoding: "utf8",
        env: environment,
        cwd: folder,
        maxBuffer: 1 << 28,
    });
    return { status: status ?? -1, out: stdout, err: stderr };
}

function expectSame(args: readonly string[], texts: Record<string, string> = {}) {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    const ours = page.run(args, texts),
        theirs = native(args);
    expect(ours, args.join(" ")).toEqual(theirs);
    return ours;
}

interface Row {
    algorithm: string;
    operations: string[];
}

beforeAll(async () => {
    if (!existsSync(command))
        throw new Error(`${command} is not there: build Shunt, or set SHUNT to the command`);
    folder = mkdtempSync(join(tmpdir(), "shunt-engine-"));
    page = await engine(parseData(""));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function rows(): Row[] {
    return page.json<{ algorithms: Row[] }>(["algorithms", "--json"]).algorithms;
}

const SHAPES = [
    ["--ranks=2"],
    ["--ranks=7"],
    ["--ranks=32"],
    ["--nodes=4", "--ppn=4"],
    ["--nodes=3", "--ppn=5"],
    ["--layout=3,5,1"],
];

describe("the engine prints what the command prints", () => {
    it("lists the same algorithms, in every form", () => {
        for (const form of [[], ["--json"], ["--long"]]) {
            const answer = expectSame(["algorithms", ...form]);
            expect(answer.status).toBe(0);
        }
        expect(rows().length).toBeGreaterThan(10);
    });

    it("makes the same schedules, for every algorithm, operation and shape", () => {
        let made = 0;
        for (const row of rows())
            for (const op of row.operations)
                for (const shape of SHAPES)
                    for (const block of ["1", "512", "64K"]) {
                        const answer = expectSame([
                            "schedule",
                            `--algorithm=${row.algorithm}`,
                            `--op=${op}`,
                            ...shape,
                            `--block=${block}`,
                            "--rank=all",
                            "--json",
                        ]);
                        made += answer.status === 0 ? 1 : 0;
                    }
        expect(made).toBeGreaterThan(200);
    }, 120_000);

    it("takes parameters", () => {
        for (const spelt of [
            "bruck:radix=3",
            "bruck:radix=4x2",
            "bruck-rotated:radix=5",
            "parlogna:radix=sqrt(P)",
            "parlinna-coalesced:radix=2:batch_size=3",
            "parlinna-staggered:radix=2:batch_size=2",
            "scattered:batch_size=5",
        ])
            for (const op of ["alltoall", "alltoallv"])
                expectSame([
                    "schedule",
                    `--algorithm=${spelt}`,
                    `--op=${op}`,
                    "--nodes=4",
                    "--ppn=4",
                    "--rank=all",
                    "--json",
                ]);
    });

    it("reads the sizes of blocks", () => {
        const sizes = "0 1 2\n3 4 5\n6 7 8\n";
        const args = ["schedule", "--op=alltoallv", "--algorithm=parlogna", "--ranks=3"];
        const answer = expectSame([...args, "--counts=sizes", "--rank=all", "--json"], { sizes });
        expect(answer.status).toBe(0);
        expectSame([...args, "--counts=sizes", "--json"], { sizes: "1 2\n" });
    });

    it("sweeps", () => {
        for (const form of [[], ["--csv"]])
            expectSame([
                "schedule",
                "--op=alltoall",
                "--algorithm=bruck",
                "--ranks=64",
                "--sweep=radix",
                ...form,
            ]);
    });

    it("refuses with the same words", () => {
        for (const args of [
            ["schedule"],
            ["schedule", "--op=alltoall", "--algorithm=bruk", "--ranks=8"],
            ["schedule", "--op=alltoall", "--algorithm=bruck:radix=1", "--ranks=8"],
            ["schedule", "--op=alltoall", "--algorithm=bruck", "--ranks=0"],
            ["schedule", "--op=alltoall", "--algorithm=bruck", "--ranks=8", "--rank=9"],
            ["algorithms", "more"],
            ["algorithms", "--jsn"],
        ])
            expect(expectSame(args).status).not.toBe(0);
    });

    it("decides and predicts by the built-in table", () => {
        const shape = ["--nodes=1-16", "--ppn=8"];
        expectSame(["explain", "--grid", "--op=alltoallv", ...shape, "--json", "built-in"]);
        expectSame([
            "explain",
            "--op=alltoall",
            "--block=512",
            "--ranks=64",
            "--nodes=4",
            "--json",
        ]);
    });

    it("says what it has not got", () => {
        expect(page.run(["tune"]).err).toContain('no command "tune"');
        const missing = page.run([
            "explain",
            "--op=alltoall",
            "--block=1",
            "--ranks=2",
            "--nodes=1",
            "x.cfg",
        ]);
        expect(missing.status).not.toBe(0);
        expect(missing.err).toContain("shunt view --table=FILE");
        expect(() => page.json(["schedule"])).toThrow("--op is missing");
    });
});
