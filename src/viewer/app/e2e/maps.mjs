// SPDX-License-Identifier: BSD-3-Clause
// maps.mjs: a page with a user's table and log, as `shunt view` writes it: what it shows of cells is
// what `shunt explain` says of them. SHUNT names the command, which has a page of its own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, open } from "./page.mjs";

const CELLS = 50;
const TABLE = `schema = 1;
alltoall = (
  { id = "tiny"; ranks = "2-16"; block = "0-32"; algorithm = "bruck"; radix = 2; },
  { id = "small"; nodes = 1; block = "33-2K"; algorithm = "shared-segment"; },
  { id = "middle"; ranks = "32-"; block = "0-4K"; algorithm = "parlogna"; radix = "sqrt(P)"; },
  { id = "rest"; block = "64K-"; algorithm = "pairwise"; }
);
alltoallv = ( { id = "all"; algorithm = "parlogna"; radix = 4; } );
`;

function said(program, table, cell, op) {
    const [ranks, block] = cell.split(".");
    const args = [
        "explain",
        `--op=${op}`,
        `--ranks=${ranks}`,
        "--nodes=1",
        `--block=${block}`,
        "--json",
        table,
    ];
    return JSON.parse(execFileSync(program, args, { encoding: "utf8" }));
}

export async function comparesMaps(browser) {
    const program = process.env.SHUNT;
    if (!program) {
        console.log("SKIP: maps against the command: SHUNT does not say where that is");
        return;
    }
    const folder = mkdtempSync(join(tmpdir(), "shunt-maps-"));
    try {
        const table = join(folder, "mine.cfg");
        const written = join(folder, "mine.html");
        writeFileSync(table, TABLE);
        execFileSync(program, ["view", `--table=${table}`, "-o", written]);
        const page = await open(browser, "#/map?op=alltoall", { file: written });
        await page.waitForSelector("svg.map .cell");
        const cells = await page.$$eval("svg.map .cell", (all) =>
            all.map((one) => one.dataset.cell),
        );
        let right = 0;
        for (let i = 0; i < CELLS; i++) {
            const cell = cells[Math.floor(Math.random() * cells.length)];
            await page.locator(`svg.map [data-cell="${cell}"]`).first().focus();
            const text = await page.locator(".looked").textContent();
            const { algorithm, rule } = said(program, table, cell, "alltoall");
            const wanted = rule ? `:${rule.line} "${rule.id}"` : "no rule";
            const ok = text.includes(algorithm) && text.includes(wanted);
            if (ok) right++;
            else
                console.log(
                    `     ${cell}: the page says "${text}", the command ${algorithm} by ${wanted}`,
                );
        }
        check(`the rules of ${CELLS} cells are those that shunt explain names`, right === CELLS);
        await page.locator('svg.map [data-cell="8.16"]').click();
        await page.waitForSelector("svg.data .chip");
        check(
            "a click on a cell opens its algorithm with its parameters",
            /algorithm=bruck|p\.radix=2/.test(page.url()) &&
                (await page.getByLabel("Bytes per block").inputValue()) === "16",
            page.url(),
        );
        await page.close();
    } finally {
        rmSync(folder, { recursive: true });
    }
}
