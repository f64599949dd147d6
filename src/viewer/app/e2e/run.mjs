// SPDX-License-Identifier: BSD-3-Clause
// run.mjs: the built page in a real browser: every algorithm to its end, steps back, links, keys,
// what is refused, small screens, speed, and maps against the command.
import { statSync } from "node:fs";
import { check, file, finish, open, SLOW, startBrowser } from "./page.mjs";
import { comparesMaps, looksAtCells, playsByTheClock, replaysCalls } from "./maps.mjs";
import { showsResults } from "./reports.mjs";
import { isQuick, paintsAlike } from "./speed.mjs";
import { isForStudents, restores, saves, savesTables, steps } from "./steps.mjs";
import * as views from "./views.mjs";

async function opens(browser) {
    const page = await open(browser, "#/home");
    const shown = await page.evaluate(
        () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity,
    );
    check(`the page shows within a second (${Math.round(shown)} ms)`, shown < 1000 * SLOW);
    const bytes = statSync(file).size;
    check(`the page has at most 2 MB (${bytes} bytes)`, bytes <= 2 * 1024 * 1024);
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    for (const name of ["Step by step", "Compare", "Decisions", "Costs", "Logged calls"]) {
        await page.getByRole("link", { name, exact: true }).click();
        await page.waitForSelector("main h2");
    }
    check(
        "no view asks the network for anything",
        requests.every((url) => /^(file|data|blob):/.test(url)),
        requests.join(" "),
    );
    await page.close();
}

async function refuses(browser) {
    const cases = [
        ["#/algorithms?algorithm=elephant", /elephant/],
        ["#/algorithms?algorithm=exclusive-or&layout=7", /power of two/],
        ["#/algorithms?p.radix=elephant", /elephant.*not a number/],
        ["#/algorithms?layout=4,x", /no layout.*say the ranks of each node/],
        ["#/algorithms?layout=1", /nobody to exchange with/],
        ["#/algorithms?layout=4000", /too many/],
        ["#/algorithms?block=many", /many/],
        ["#/algorithms?block=0", /1 byte or more/],
        ["#/algorithms?algorithm=shared-segment&layout=4,4", /not all on one node/],
        ["#/algorithms?algorithm=parlogna&op=alltoallv&layout=2&sizes=own&counts=1 2%0A3", /sizes/],
        ["#/algorithms?p.radix=99", /radix 99 is too large here: 8 at most/],
        [
            "#/algorithms?algorithm=node-pair&layout=4,4&p.leaders=9",
            /leaders 9 is too large here: 4 at most/,
        ],
        ["#/algorithms?p.radix=1", /radix 1 is too small, the least is 2/],
        ["#/algorithms?op=allgather", /allgather.*is not alltoall or alltoallv/],
        ["#/map?blocks=elephant", /elephant/],
        ["#/map?table=nowhere", /nowhere/],
        ["#/map?table=library: elephant", /elephant/],
        ["#/map?table=model: polaris-like&ppn=1&most=100000", /takes minutes.*1024 ranks at most/],
    ];
    for (const [hash, words] of cases) {
        const page = await open(browser, hash);
        const said = await page
            .locator("[role=alert]")
            .first()
            .textContent({ timeout: 5000 })
            .catch(() => "");
        check(`${hash} is refused with a word`, words.test(said), said);
        await page.close();
    }
}

// Beside its field, and what was typed stays to be mended.
async function refusesFields(browser) {
    const page = await open(browser, "#/algorithms");
    for (const [name, value, words] of [
        ["radix", "99", /^radix 99 is too large here: 8 at most, which is P/],
        ["ranks", "1", /^"1" is no number of ranks: say 2 to 128/],
        ["nodes", "9", /^8 ranks have room on 1 to 8 nodes, not on "9"/],
        ["sweep-ranks", "0", /^"0" is no number of ranks/],
    ]) {
        const field = page.locator(`[name="${name}"]`);
        const before = await field.inputValue();
        await field.fill(value);
        await field.press("Tab");
        const said = await page
            .locator("label", { has: field })
            .getByRole("alert")
            .textContent({ timeout: 5000 })
            .catch(() => "");
        check(
            `${name} ${value} is refused beside its field`,
            words.test(said) && (await field.inputValue()) === value,
            said,
        );
        await field.fill(before);
        await field.press("Tab");
    }
    check("and what is mended is shown", (await page.getByRole("alert").count()) === 0);
    await page.close();
    const strays = await open(browser, "#/algorithms?at=99&rank=8&speed=3&p.leaders=2");
    const said = (await strays.locator("[role=status]").allTextContents()).join(" ");
    check(
        "what an address asks for and is not there is said",
        /at=99.*0 to 8/.test(said) &&
            /rank=8.*0 to 7/.test(said) &&
            /speed=3/.test(said) &&
            /bruck has no leaders/.test(said),
        said,
    );
    await strays.close();
}

async function fitsSmallScreens(browser) {
    for (const colorScheme of ["light", "dark"])
        for (const hash of [
            "#/home",
            "#/algorithms?layout=16",
            "#/compare",
            "#/map",
            "#/costs",
            "#/replay",
        ]) {
            const page = await open(browser, hash, {
                viewport: { width: 400, height: 800 },
                colorScheme,
            });
            const width = await page.evaluate(() => document.documentElement.scrollWidth);
            check(`${hash} fits 400 pixels, ${colorScheme}`, width <= 400, `${width}`);
            const nameless = await page.$$eval("button, input, select, textarea, a", (all) =>
                all
                    .filter(
                        (one) => !(one.textContent.trim() || one.labels?.length || one.ariaLabel),
                    )
                    .map((one) => one.outerHTML),
            );
            check(
                `everything to be used has a name at ${hash}, ${colorScheme}`,
                nameless.length === 0,
                nameless.join(" "),
            );
            await page.close();
        }
}

const browser = await startBrowser();
// Words behind the command choose: node e2e/run.mjs steps isQuick
const parts = {
    opens,
    steps,
    restores,
    saves,
    savesTables,
    refuses,
    refusesFields,
    isForStudents,
    fitsSmallScreens,
    isQuick,
    paintsAlike,
    comparesMaps,
    looksAtCells,
    replaysCalls,
    playsByTheClock,
    showsResults,
    ...views,
};
// What measures times does so alone, behind the others, of which two run at once: they mostly wait.
const alone = [opens, isQuick, playsByTheClock];
const chosen = process.argv.slice(2);
const wanted = Object.entries(parts)
    .filter(([name]) => chosen.length === 0 || chosen.includes(name))
    .map(([, part]) => part);

async function run(queue) {
    for (let part = queue.shift(); part; part = queue.shift()) await part(browser);
}

try {
    const shared = wanted.filter((part) => !alone.includes(part));
    await Promise.all([run(shared), run(shared)]);
    await run(wanted.filter((part) => alone.includes(part)));
} finally {
    await browser.close();
}
finish();
