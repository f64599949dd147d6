// SPDX-License-Identifier: BSD-3-Clause
// reports.mjs: pages that the command writes with results in them: of report, predict, explain --grid
// and of a file of figures; each opens on them, light and dark, on large and on small screens.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, open } from "./page.mjs";

const LOG = fileURLToPath(new URL("job.jsonl", import.meta.url));
const CALLS = ["--op=alltoallv", "--ranks=4,16", "--ppn=4", "--block=8-4K"];
const FIGURES = [
    {
        kind: "bars",
        title: "Parts of a call",
        x: { name: "" },
        y: { name: "time", unit: "s" },
        bars: [{ name: "bruck", parts: [{ name: "copy", value: 0.5 }] }],
    },
    {
        kind: "table",
        title: "A table",
        columns: ["who", "what"],
        rows: Array.from({ length: 30 }, (_, i) => [`row ${i}`, "words ".repeat(60)]),
    },
];

// [name, words of the command but the file, heading, drawings and tables at least]
const PAGES = [
    ["report", ["report", "--table=built-in", LOG], "What all-to-all did in this run", 4, 7],
    ["predict", ["predict", "--machine=polaris-like", ...CALLS], "Figures", 1, 0],
    [
        "curves",
        [
            "predict",
            "--machine=hoefler-moor-2014",
            "--op=alltoall",
            "--ranks=2-64",
            "--ppn=1",
        ].concat(["--block=8", "--curves"]),
        "Figures",
        3,
        0,
    ],
    ["explain", ["explain", "--grid", ...CALLS.slice(0, 3), "built-in"], "Figures", 1, 0],
];

// What is wider than its box and cannot be scrolled in it.
const wide = (all) =>
    all
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
        .filter((one) => !one.closest(".scroll, .drawing"))
        .map((one) => one.outerHTML.slice(0, 100));

async function looksAt(browser, name, file, [heading, drawings, tables]) {
    for (const [width, colorScheme] of [
        [1280, "light"],
        [400, "dark"],
    ]) {
        const page = await open(browser, "", {
            file,
            colorScheme,
            viewport: { width, height: 900 },
        });
        const at = `the page of ${name}, ${width} pixels, ${colorScheme}`;
        const title = await page.locator("main h2").first().textContent();
        check(`${at} opens on its results`, title === heading, title);
        const shown = await page.locator("main .panel .drawing > svg").count();
        const listed = await page.locator("main table caption").count();
        check(
            `${at} has its drawings and tables`,
            shown >= drawings && listed >= tables,
            `${shown} drawings, ${listed} tables`,
        );
        const outside = await page.$$eval("main *", wide);
        check(`${at} has nothing wider than its box`, outside.length === 0, outside[0]);
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        check(
            `${at} has its ground`,
            (ground === "rgb(255, 255, 255)") === (colorScheme === "light"),
        );
        await page.close();
    }
}

export async function showsResults(browser) {
    const program = process.env.SHUNT;
    if (!program) {
        console.log("SKIP: pages of results: SHUNT does not say where the command is");
        return;
    }
    const folder = mkdtempSync(join(tmpdir(), "shunt-results-"));
    try {
        for (const [name, words, ...wanted] of PAGES) {
            const file = join(folder, `${name}.html`);
            execFileSync(program, [...words, `--html=${file}`]);
            await looksAt(browser, name, file, wanted);
        }
        const figures = join(folder, "figures.json");
        const file = join(folder, "figures.html");
        writeFileSync(figures, JSON.stringify(FIGURES));
        execFileSync(program, ["view", "--table=built-in", `--figures=${figures}`, "-o", file]);
        await looksAt(browser, "a file of figures", file, ["Figures", 1, 1]);
        await savesFigure(browser, file);
        await tellsOfTiles(browser, join(folder, "predict.html"));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

async function savesFigure(browser, file) {
    const page = await open(browser, "", { file });
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save Parts of a call as SVG" }).click();
    const name = (await download).suggestedFilename();
    check("a figure is saved as SVG", name === "parts-of-a-call.svg", name);
    await page.close();
}

async function tellsOfTiles(browser, file) {
    const page = await open(browser, "", { file });
    await page.locator("svg.map .cell").first().hover();
    const says = await page.locator(".looked").textContent();
    check("a tile that is pointed at says what it is", /^ranks 4, .*8 B: /.test(says), says);
    await page.close();
}
