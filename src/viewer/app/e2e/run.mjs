// SPDX-License-Identifier: BSD-3-Clause
// run.mjs: the built page in a real browser: every algorithm to its end, steps back, links, keys,
// what is refused, small screens, speed, and maps against the command.
import { statSync } from "node:fs";
import { check, file, finish, open, startBrowser } from "./page.mjs";
import { comparesMaps, playsByTheClock, replaysCalls } from "./maps.mjs";
import { restores, steps } from "./steps.mjs";

const FRAME_MS = 1000 / 60;
const SPREAD = 1.5; // processors of one kind differ by so much from minute to minute, with work beside them
const SLOW = Number(process.env.SHUNT_E2E_SLOW ?? 1); // by how much this machine is slower, or busy

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
        ["#/map?blocks=elephant", /elephant/],
        ["#/map?table=nowhere", /nowhere/],
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

// What a half step takes of the page's processor: script, style, layout and painting. Not the clock,
// which other work on the machine counts in.
async function isQuick(browser) {
    for (const algorithm of ["bruck-basic", "spread-out"]) {
        const page = await open(browser, `#/algorithms?algorithm=${algorithm}&layout=32`);
        await page.waitForSelector("svg.data .chips");
        const session = await page.context().newCDPSession(page);
        await session.send("Performance.enable", { timeDomain: "threadTicks" });
        const taken = async () => {
            const { metrics } = await session.send("Performance.getMetrics");
            return 1000 * metrics.find((one) => one.name === "TaskDuration").value;
        };
        const steps = Number(await page.getByLabel("Position").getAttribute("max"));
        const pass = async () => {
            await page.getByRole("button", { name: "Reset" }).click();
            const before = await taken();
            await page.evaluate(async (count) => {
                const frame = () => new Promise(requestAnimationFrame);
                for (let i = 0; i < count; i++) {
                    document.body.dispatchEvent(
                        new KeyboardEvent("keydown", {
                            key: "ArrowRight",
                            shiftKey: true,
                            bubbles: true,
                        }),
                    );
                    await frame();
                    await frame();
                }
            }, steps);
            return ((await taken()) - before) / steps;
        };
        let least = await pass();
        for (let more = 0; more < 2 && least > FRAME_MS; more++)
            least = Math.min(least, await pass());
        check(
            `a half step of 32 ranks: ${least.toFixed(1)} ms of ${FRAME_MS.toFixed(1)} that a frame has, ${algorithm}`,
            least <= FRAME_MS * SPREAD * SLOW,
        );
        const said = await page.locator("svg.data").getAttribute("aria-label");
        check(
            `${algorithm} on 32 ranks: all blocks are where they belong`,
            said.includes("1024 of 1024"),
            said,
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
    refuses,
    fitsSmallScreens,
    isQuick,
    comparesMaps,
    replaysCalls,
    playsByTheClock,
};
const chosen = process.argv.slice(2);
try {
    for (const [name, part] of Object.entries(parts))
        if (chosen.length === 0 || chosen.includes(name)) await part(browser);
} finally {
    await browser.close();
}
finish();
