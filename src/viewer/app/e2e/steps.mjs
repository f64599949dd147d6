// SPDX-License-Identifier: BSD-3-Clause
// steps.mjs: algorithms from the first step to the last and back, by buttons and by keys.
import { readFileSync } from "node:fs";
import { address, button, check, drawing, misplaced, open } from "./page.mjs";

// A layout for each algorithm; families differ in what they move blocks through.
const CASES = [
    ["spread-out", "6"],
    ["scattered", "6", "&p.batch_size=2"],
    ["pairwise", "5"],
    ["linear", "5"],
    ["exclusive-or", "8"],
    ["bruck", "7", "&p.radix=3"],
    ["bruck-basic", "6"],
    ["bruck-modified", "7"],
    ["bruck-basic-dt", "8"],
    ["bruck-modified-dt", "5"],
    ["bruck-zero-copy", "8"],
    ["two-phase-bruck", "6", "&op=alltoallv"],
    ["sloav", "6", "&op=alltoallv"],
    ["padded-bruck", "6", "&op=alltoallv"],
    ["parlogna", "9", "&op=alltoallv&p.metadata=separate&p.radix=3"],
    ["parlinna-coalesced", "3,3", "&op=alltoallv"],
    ["parlinna-staggered", "2,3", "&op=alltoallv"],
    ["parlinna-shared", "2,2,2"],
    ["shared-segment", "6"],
    ["peer-read", "5"],
    ["node-pair", "3,2", "&op=alltoallv&p.leaders=2"],
    ["node-bruck", "2,2,2"],
];

const ranksOf = (layout) => layout.split(",").reduce((sum, one) => sum + Number(one), 0);
const position = async (page) => Number(await page.getByLabel("Position").inputValue());
const last = async (page) => Number(await page.getByLabel("Position").getAttribute("max"));

async function toTheEnd(browser, [algorithm, layout, more = ""]) {
    const page = await open(browser, `#/algorithms?algorithm=${algorithm}&layout=${layout}${more}`);
    await page.waitForSelector("svg.data .chip");
    const ranks = ranksOf(layout);
    const end = await last(page);
    const seen = [];
    while ((await position(page)) < end && seen.length <= end) {
        seen.push(await drawing(page));
        await button(page, "Step ▶").click();
    }
    const wrong = await misplaced(page, ranks);
    check(
        `${algorithm} on ${layout}: each block is where it belongs after ${seen.length} steps`,
        wrong.length === 0 && seen.length > 0,
        JSON.stringify(wrong),
    );
    check(
        `${algorithm}: the words say that it is done`,
        (await page.locator(".explanation h3").textContent()).includes("Done"),
    );
    let restored = true;
    for (const before of seen.reverse()) {
        await button(page, "◀ Back").click();
        restored &&= (await drawing(page)) === before;
    }
    check(
        `${algorithm}: every step back restores what was there`,
        restored && (await position(page)) === 0,
    );
    await page.close();
}

export async function steps(browser) {
    for (const one of CASES) await toTheEnd(browser, one);
    const page = await open(browser, "#/home");
    const names = await page.$$eval("table.list th a", (all) =>
        all.map((one) => one.textContent.trim()),
    );
    const lacking = names.filter((name) => !CASES.some(([algorithm]) => algorithm === name));
    check(
        "every algorithm of the registry that has a schedule is stepped through",
        names.length > 20 && lacking.length === 0,
        lacking.join(" "),
    );
    await page.close();
}

export async function restores(browser) {
    const page = await open(browser, "#/algorithms");
    await page.getByLabel("Algorithm").selectOption("parlogna");
    await page.getByLabel("Operation").selectOption("alltoallv");
    await page.getByLabel("Nodes").fill("2");
    await page.getByLabel("Nodes").press("Tab");
    await page.getByLabel("Sizes").selectOption("random");
    await page.getByLabel("Bytes per block").fill("64");
    await page.getByLabel("Bytes per block").press("Tab");
    await page.locator("h2").click();
    for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowRight"])
        await page.keyboard.press(key);
    check(
        "keys step, and with shift half a step",
        (await position(page)) === 5,
        String(await position(page)),
    );
    await address(page, "at=5");
    const [before, url] = [await drawing(page), page.url()];
    const other = await open(browser, new URL(url).hash);
    check(
        "a link restores the call and the place in it",
        (await drawing(other)) === before && before !== "",
    );
    await other.close();
    await page.keyboard.press("Home");
    check("Home goes to the beginning", (await position(page)) === 0);
    await button(page, "▶ Play").click();
    await page.waitForFunction(
        () => Number(document.querySelector("input[type=range]").value) >= 2,
    );
    await button(page, "■ Stop").click();
    const stopped = await position(page);
    await page.waitForTimeout(1200);
    check(
        "Play goes on by itself, and Stop stops it",
        stopped >= 2 && (await position(page)) === stopped,
    );
    await button(page, "Reset").click();
    check("Reset goes to the beginning", (await position(page)) === 0);
    await page.goBack();
    check(
        "going back in the browser undoes the last choice",
        (await page.getByLabel("Bytes per block").inputValue()) === "1",
    );
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: /Save Data.* as SVG/ }).click();
    check("a drawing is saved as a file", (await saved).suggestedFilename().endsWith(".svg"));
    await page.close();
}

// What a student sees at 1280 x 800, after a link to the middle of a call.
export async function isForStudents(browser) {
    const viewport = { width: 1280, height: 800 };
    const page = await open(browser, "#/algorithms?p.radix=3&at=4", { viewport });
    await page.waitForSelector("svg.data .chip");
    const inside = (one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
    };
    const title = page.locator("h2");
    check(
        "the title names algorithm, P and radix, is a link, and is seen",
        /bruck: P = 8 ranks, radix 3/.test(await title.textContent()) &&
            (await title.evaluate(inside)) &&
            (await title.locator("a").getAttribute("href")).includes("at=4"),
        await title.textContent(),
    );
    const [last] = await page.$$('[data-place="send 7 7"]');
    const [place] = await page.$$("svg.data path.place");
    check(
        "send and receive buffers are beside each other on the screen",
        (await last.evaluate(inside)) && (await place.evaluate(inside)),
    );
    const rows = await page.locator("svg.data text.row").allTextContents();
    check(
        "beside the rows are their indices in digits of the radix",
        rows[5].replace(/\s+/g, "") === "512" && rows[7].replace(/\s+/g, "") === "721",
        JSON.stringify(rows),
    );
    for (const spot of ["h2", ".panel .drawing"]) {
        const before = await position(page);
        await page
            .locator(spot)
            .first()
            .click({ position: { x: 400, y: 5 } });
        await page.keyboard.press("Space");
        const [at, y] = [await position(page), await page.evaluate(() => scrollY)];
        check(
            `Space steps and does not scroll, from ${spot}`,
            at === before + 2 && y === 0,
            `${before} to ${at}, ${y}`,
        );
    }
    check("the keys are shown", (await page.locator(".keys").textContent()).includes("Space"));
    const [resting, moved] = await page.evaluate(() =>
        [".chip.resting rect", ".chip.arrived rect"].map((name) => {
            const found = document.querySelector(`svg.data ${name}`);
            return found && getComputedStyle(found).fillOpacity;
        }),
    );
    check("blocks of the step are full, idle ones pale", resting < 0.5 && moved === "1");
    await page.close();
    const spread = await open(browser, "#/algorithms?algorithm=spread-out&at=7", { viewport });
    const said = await spread.locator(".explanation").textContent();
    check(
        "spread-out has P - 1 steps",
        /Step 3 of 7.*p − 3 \(modulo 8\).*one wait/.test(said),
        said,
    );
    await spread.close();
}

// Tables and lists are saved as drawings: each of their words at its place.
export async function savesTables(browser) {
    const page = await open(browser, "#/algorithms?algorithm=bruck&layout=8&at=3");
    for (const [name, part] of [
        ["All ranks together", ".counters"],
        ["Offsets in ranks, digits of radix 2", ".digits"],
    ]) {
        const download = page.waitForEvent("download");
        await page.getByRole("button", { name: `Save ${name} as SVG` }).click();
        const text = readFileSync(await (await download).path(), "utf8");
        const words = (await page.locator(part).innerText()).split(/\s+/).join("");
        const [seen, outside] = await page.evaluate((source) => {
            const { documentElement: svg } = new DOMParser().parseFromString(source, "text/xml");
            const all = [...svg.querySelectorAll("text")];
            const within = (one, key, size) =>
                Number(one.getAttribute(key)) >= 0 &&
                Number(one.getAttribute(key)) < Number(svg.getAttribute(size));
            return [
                all.map((one) => one.textContent).join(""),
                all.filter((one) => !within(one, "x", "width") || !within(one, "y", "height"))
                    .length,
            ];
        }, text);
        check(
            `"${name}" is saved with all of its words`,
            seen.split(/\s+/).join("") === words && words !== "" && outside === 0,
            `${outside} outside; ${seen} of ${words}`,
        );
        const picture = page.waitForEvent("download");
        await page.getByRole("button", { name: `Save ${name} as PNG` }).click();
        const bytes = readFileSync(await (await picture).path());
        check(
            `and as PNG: "${name}"`,
            bytes.length > 1000 && bytes.toString("latin1", 1, 4) === "PNG",
        );
    }
    await page.close();
}

// Of 32 ranks, whose chips are pixels on the page.
export async function saves(browser) {
    const page = await open(browser, "#/algorithms?algorithm=pairwise&layout=32&at=4");
    await page.waitForSelector("canvas.board");
    const head = (one) => one.getByRole("button", { name: /^rank 5, node 0/ });
    await head(page).click();
    await address(page, "rank=5");
    const other = await open(browser, new URL(page.url()).hash);
    check(
        "a link restores the rank whose messages alone are drawn",
        (await head(other).getAttribute("aria-pressed")) === "true" &&
            (await other.locator("svg.data path.arc").count()) === 2,
    );
    await other.close();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /Save Data.* as SVG/ }).click();
    const text = readFileSync(await (await download).path(), "utf8");
    const chips = (text.match(/data-block=/g) ?? []).length;
    // Every block is in its send buffer, moved or not; two steps have brought each rank two blocks.
    check("a saved drawing has every chip as an element", chips === 32 * 32 + 32 * 2, `${chips}`);
    check(
        "and the page has them as pixels again",
        (await page.locator("svg.data .chip").count()) === 0,
    );
    await page.close();
}
