// SPDX-License-Identifier: BSD-3-Clause
// maps.mjs: a page with a user's table and log, as `shunt view` writes it: what it shows of cells is
// what `shunt explain` says of them, and of logged calls what the log has. SHUNT names the command, which has a page of its own.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { address, check, misplaced, open } from "./page.mjs";

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

// By the keyboard: one stop of Tab, arrow keys, a link to the cell, Enter; and the model as a layer.
export async function looksAtCells(browser) {
    const page = await open(browser, "#/map?most=32&blocks=1-4K");
    await page.waitForSelector("svg.map .cell");
    await page.locator(".panel .drawing").first().focus();
    await page.keyboard.press("Tab");
    for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    const focused = () => page.evaluate(() => document.activeElement.dataset.cell);
    const [at, stops] = [await focused(), await page.locator('svg.map [tabindex="0"]').count()];
    check("arrow keys move on the map, which is one stop of Tab", at === "8.2" && stops === 1, at);
    await address(page, "cell=8.2");
    const other = await open(browser, new URL(page.url()).hash);
    check(
        "a link restores the cell that is looked at",
        (await other.locator(".looked").textContent()) ===
            (await page.locator(".looked").textContent()) &&
            (await other.locator('[data-cell="8.2"] rect.chosen').count()) === 1,
    );
    await other.close();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".stage");
    check("Enter opens the algorithm of the cell", page.url().includes("block=2"), page.url());
    await page.goBack();
    await page.waitForSelector("svg.map .cell");
    check("and going back looks at the cell again", page.url().includes("cell=8.2"), page.url());
    await page.getByLabel("Layer").selectOption("model");
    const model = await page.locator("svg.map .cell").evaluateAll(wordsOf);
    await page.getByLabel("Layer").selectOption("table");
    const table = await page.locator("svg.map .cell").evaluateAll(wordsOf);
    await page.getByLabel("Layer").selectOption("where they differ");
    const differs = table.filter((words, i) => words !== model[i]).length;
    const drawn = await page.locator("svg.map path.other").count();
    check(
        "where table and model differ, cells have both",
        differs > 0 && drawn === differs,
        `${drawn} of ${differs}`,
    );
    await page.locator("svg.map .cell:not(.same)").first().hover();
    const said = await page.locator(".looked").textContent();
    check("and their words too", /model: .* takes .*predicted/.test(said), said);
    await page.close();
}

const wordsOf = (cells) => cells.map((one) => one.getAttribute("aria-label"));

// A call of a real log, of 6 ranks on nodes of 3, 2 and 1, with the bytes from each rank to each.
export async function replaysCalls(browser) {
    const program = process.env.SHUNT;
    if (!program) {
        console.log("SKIP: calls of a log: SHUNT does not say where the command is");
        return;
    }
    const folder = mkdtempSync(join(tmpdir(), "shunt-replay-"));
    try {
        const written = join(folder, "logged.html");
        const log = fileURLToPath(new URL("job.jsonl", import.meta.url));
        execFileSync(program, ["view", "--log", log, "-o", written]);
        const page = await open(browser, "#/replay", { file: written });
        check(
            "kinds of logged calls are on the nodes that they ran on",
            (await page.locator("main table").textContent()).includes("3,2,1"),
        );
        await page.getByRole("button", { name: /call 2: 6 ranks on nodes of 3,2,1/ }).click();
        await page.waitForSelector("svg.data .chip");
        const sizes = await page.locator('textarea[name="counts"]').inputValue();
        const logged = readFileSync(log, "utf8")
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line))
            .filter((one) => one.event === "call" && one.call === 2)
            .sort((a, b) => a.rank - b.rank)
            .map((one) => one.send_bytes.join(" "));
        check("it is shown with the sizes of the log", sizes === logged.join("\n"), sizes);
        check(
            "and on its nodes",
            (await page.getByLabel("Ranks of each node").inputValue()) === "3,2,1",
        );
        await page.keyboard.press("End");
        await address(page, "at=");
        const lacking = (await misplaced(page, 6)).filter(
            ([rank, source]) => Number(logged[source].split(" ")[rank]) > 0,
        );
        check("each of its blocks arrives", lacking.length === 0, JSON.stringify(lacking));
        await page.close();
    } finally {
        rmSync(folder, { recursive: true });
    }
}

// Two algorithms by the clock of a machine: the quicker one is done while the other is not.
export async function playsByTheClock(browser) {
    const link = "#/compare?clock=time&a.algorithm=pairwise&b.algorithm=bruck";
    const page = await open(browser, link);
    await page.waitForSelector(".takes");
    const widths = await page.$$eval(".takes-bar", (all) =>
        all.map((one) => Number.parseFloat(one.style.width)),
    );
    const least = Math.min(...widths);
    const last = Number(await page.getByLabel("Position").getAttribute("max"));
    await page.close();
    const at = 2 * Math.ceil((least / 100) * (last / 2));
    const later = await open(browser, `${link}&at=${at}`);
    await later.waitForSelector("svg.data .chip");
    const homes = await later.$$eval("svg.data", (all) =>
        all.map((one) => Number(/; ([0-9]+) of/.exec(one.getAttribute("aria-label"))[1])),
    );
    check(
        "by the clock the quicker of two is done first",
        least < 90 && widths.every((one, i) => (homes[i] === 64) === (one === least)),
        `${homes} home at ${at}, of ${widths} percent`,
    );
    await later.close();
}
