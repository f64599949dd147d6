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
    ["--layout=cyclic:2x4,3"],
];

// Rules of many conditions, so that cells fall to different ones.
const MINE = `schema = 1;
alltoall = (
  { id = "few"; ranks = "2-16"; block = "0-1K"; algorithm = "bruck"; radix = "sqrt(P)"; },
  { id = "one node"; nodes = 1; algorithm = "shared-segment"; },
  { id = "large"; block = "64K-"; algorithm = "pairwise"; },
  { id = "many nodes"; nodes = "8-"; algorithm = "node-pair"; }
);
alltoallv = (
  { id = "small"; block = "0-512"; algorithm = "parlogna"; radix = (4, 2); },
  { id = "</script>"; ppn = "8-"; block = "513-32K"; algorithm = "parlinna-coalesced"; radix = 2; },
  { id = "rest"; algorithm = "scattered"; batch_size = 7; }
);
`;

function dataOf(page: Answer): string {
    expect(page.status, page.err).toBe(0);
    const text = /<script type="application\/json" id="shunt-data">(.*?)<\/script>/s.exec(
        page.out,
    )?.[1];
    if (text === undefined) throw new Error("the page has no data");
    return text;
}

// Numbers below `limit`, the same in every run (mulberry32).
function generator(seed: number): (limit: number) => number {
    return (limit) => {
        seed = (seed + 0x6d2b79f5) | 0;
        let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
    };
}

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

    it("decides by the user's tables, and predicts on the user's machines, as the command does", async () => {
        writeFileSync(join(folder, "mine.cfg"), MINE);
        const embedded = await engine(
            parseData(dataOf(native(["view", "--table=mine.cfg", "--table=built-in", "-o", "-"]))),
        );
        const random = generator(20_261_122);
        const rules = new Set<string>();
        for (let cell = 0; cell < 50; cell++) {
            const args = [
                "explain",
                `--op=${random(2) === 0 ? "alltoall" : "alltoallv"}`,
                `--nodes=${1 + random(20)}`,
                `--ppn=${1 + random(40)}`,
                `--block=${random(2 ** (1 + random(20)))}`,
                "--json",
            ];
            const theirs = native([...args, "mine.cfg"]);
            expect(theirs.status).toBe(0);
            expect(embedded.run([...args, "user"]), args.join(" ")).toEqual(theirs);
            expect(embedded.run(args)).toEqual(theirs);
            expect(embedded.run([...args, "table2"])).toEqual(native([...args, "built-in"]));
            rules.add((JSON.parse(theirs.out) as { rule: { id: string } | null }).rule?.id ?? "");
        }
        expect(rules.size).toBeGreaterThan(4);
        for (const rest of [
            ["--ranks=32", "--nodes=4", "--block=512"],
            ["--ranks=8-64", "--ppn=8", "--block=64,4K"],
            ["--ranks=2-64", "--ppn=1", "--block=64", "--curves"],
        ])
            for (const op of ["alltoall", "alltoallv"]) {
                const args = ["predict", `--op=${op}`, ...rest, "--machine=polaris-like", "--json"];
                const theirs = native(args);
                expect(theirs.status, theirs.err).toBe(0);
                expect(embedded.run(args), args.join(" ")).toEqual(theirs);
            }
        const unknown = embedded.run([
            "predict",
            "--machine=elephant",
            "--op=alltoall",
            "--ranks=2",
            "--nodes=1",
            "--block=1",
        ]);
        expect(unknown.err).toContain("fugaku-like");
    }, 120_000);

    it("refuses a damaged image", async () => {
        const damaged = parseData(dataOf(native(["view", "--table=built-in", "-o", "-"])));
        for (const table of damaged.tables) table.image = table.image.replace(/.{8}$/, "AAAAAAAA");
        const answer = (await engine(damaged)).run([
            "explain",
            "--op=alltoall",
            "--block=1",
            "--ranks=2",
            "--nodes=1",
        ]);
        expect(answer.status).not.toBe(0);
        expect(answer.err).toContain("write the page again");
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
        expect(() => page.json(["schedule"])).toThrow("--algorithm is missing");
    });
});
