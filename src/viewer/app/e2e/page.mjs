// SPDX-License-Identifier: BSD-3-Clause
// page.mjs: what the end-to-end tests share: the browser, the page, and sentences that hold or not.
import { chromium } from "playwright-core";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const file = resolve(process.env.SHUNT_PAGE ?? "dist/index.html");
export const SLOW = Number(process.env.SHUNT_E2E_SLOW ?? 1); // by how much this machine is slower, or busy
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";

let passed = 0;
let failed = 0;

export function check(sentence, holds, detail = "") {
    if (holds) passed++;
    else failed++;
    console.log(
        `${holds ? "ok  " : "FAIL"} ${sentence}${holds || detail === "" ? "" : `: ${detail}`}`,
    );
}

export function finish() {
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed > 0 ? 1 : 0;
}

// Exit status 77 with the reason where the tests cannot run.
export async function startBrowser() {
    for (const [path, name] of [
        [browserPath, "chromium (Debian: chromium; or CHROMIUM says where)"],
        [file, "the page (npm run build; or SHUNT_PAGE says where)"],
    ])
        if (!existsSync(path)) {
            console.log(`SKIP: ${path}: lacking is ${name}`);
            process.exit(77);
        }
    const root = process.getuid?.() === 0;
    return chromium.launch({ executablePath: browserPath, args: root ? ["--no-sandbox"] : [] });
}

// A page at a link; errors of the page are failures.
export async function open(browser, hash, options = {}) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    page.on("pageerror", (error) => check(`no error at ${hash}`, false, error.message));
    await page.goto(pathToFileURL(options.file ?? file).href + hash);
    await page.waitForSelector("main > *");
    return page;
}

// Where every block is and how it looks, as the drawing says.
export function drawing(page) {
    return page.$$eval("svg.data .chip", (chips) =>
        chips
            .map((chip) => `${chip.dataset.place}:${chip.dataset.block}:${chip.classList[1]}`)
            .sort()
            .join("\n"),
    );
}

// The address follows the steps in pauses.
export function address(page, part) {
    return page.waitForURL((url) => url.hash.includes(part), { timeout: 5000 * SLOW });
}

// Blocks that are not where they belong: [rank, source].
export function misplaced(page, ranks) {
    return page.$$eval(
        "svg.data .chip",
        (chips, count) => {
            const at = new Map(
                chips.map((chip) => [chip.dataset.place, Number(chip.dataset.block)]),
            );
            const wrong = [];
            for (let rank = 0; rank < count; rank++)
                for (let source = 0; source < count; source++)
                    if (at.get(`receive ${rank} ${source}`) !== source * count + rank)
                        wrong.push([rank, source]);
            return wrong;
        },
        ranks,
    );
}

export const button = (page, name) => page.getByRole("button", { name, exact: true });
