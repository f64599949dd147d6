// SPDX-License-Identifier: BSD-3-Clause
// views.mjs: what all views share (titles, themes, large panels, the tour), maps of MPI libraries and
// of models in parts, the first map of a site's table, and logs of very many nodes.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { button, check, open, SLOW } from "./page.mjs";

const TITLES = {
    home: "All-to-all",
    algorithms: "Step by step",
    compare: "Compare",
    map: "Decisions",
    costs: "Costs",
    replay: "Logged calls",
};

export async function hasTitles(browser) {
    for (const [view, title] of Object.entries(TITLES)) {
        const page = await open(browser, `#/${view}?op=alltoall`);
        const linked = page.locator(".here a, h2 a.title");
        const own = view === "algorithms" ? "bruck: P = 8 ranks, radix 2" : title;
        const top = (await linked.boundingBox()).y;
        check(
            `a link to ${view} shows it, with its title linked at the top`,
            (await linked.textContent()) === own &&
                (await linked.getAttribute("href")) === `#/${view}?op=alltoall` &&
                (await page.title()).startsWith(own) &&
                (await page.title()).includes(title) &&
                (await page.locator("nav [aria-current=page]").textContent()) === title &&
                top < 120,
            `${await linked.textContent()} at ${top}`,
        );
        await page.close();
    }
    const page = await open(browser, "#/home");
    await page.locator("main table.list:not(.collectives) a").last().click();
    await page.waitForSelector(".transport");
    await page.waitForFunction(() => scrollY === 0);
    check("a link at the end of one view leads to the top of another", true);
    await page.close();
}

export async function hasThemes(browser) {
    const page = await open(browser, "#/home", { colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const seen = {};
    for (let i = 0; i < 3; i++) {
        const name = await page.evaluate(() => document.documentElement.dataset.theme);
        seen[name] = await ground();
        await page.getByRole("button", { name: /^Theme/ }).click();
    }
    check(
        "a button shows the page light, dark, or as the system has it",
        seen.system === seen.light && seen.dark !== seen.light,
        JSON.stringify(seen),
    );
    while ((await page.evaluate(() => document.documentElement.dataset.theme)) !== "dark")
        await page.getByRole("button", { name: /^Theme/ }).click();
    await page.reload();
    await page.waitForSelector("main > *");
    check("and remembers it", (await ground()) === seen.dark, await ground());
    await page.close();
}

export async function enlarges(browser) {
    const page = await open(browser, "#/map?most=16&blocks=1-1K");
    await page.waitForSelector("svg.map .cell");
    const before = await page.locator("svg.map").boundingBox();
    await page.getByRole("button", { name: /^Enlarge .*built-in/ }).click();
    const panel = await page.locator(".panel.large").boundingBox();
    const after = await page.locator("svg.map").boundingBox();
    check(
        "a panel is as large as the window",
        panel.width >= 1264 && panel.height >= 890 && after.height > before.height,
        JSON.stringify([panel, after]),
    );
    await page.keyboard.press("Escape");
    check("until Esc", (await page.locator(".panel.large").count()) === 0);
    await page.close();
}

export async function guides(browser) {
    const page = await open(browser, "");
    await page.waitForSelector(".tour");
    let steps = 1;
    let pointed = await page.locator(".toured").count();
    for (; await button(page, "Next").count(); steps++) {
        await button(page, "Next").click();
        await page.waitForSelector(".toured");
        pointed += await page.locator(".toured").count();
    }
    check("a tour points at parts of the page", steps >= 4 && pointed === steps, `${pointed}`);
    await button(page, "Done").click();
    await page.goto(page.url().replace(/#.*/, ""));
    await page.reload();
    await page.waitForSelector("main > *");
    check("and comes once", (await page.locator(".tour").count()) === 0);
    await button(page, "Tour").click();
    check("or when it is asked for", (await page.locator(".tour").count()) === 1);
    await page.keyboard.press("Escape");
    check("and Esc ends it", (await page.locator(".tour").count()) === 0);
    await page.close();
}

const wordsOf = (cells) => cells.map((one) => one.getAttribute("aria-label"));

export async function comparesLibraries(browser) {
    const link = "#/map?op=alltoall&table=library: MPICH&beside=library: Open MPI&most=64";
    const page = await open(browser, link);
    await page.waitForSelector("svg.map .cell");
    const words = await page.locator("svg.map").first().locator(".cell").evaluateAll(wordsOf);
    check(
        "MPICH by itself takes Bruck, scattered and pairwise",
        words.some((one) => /8 ranks, blocks of 256 B: bruck-basic/.test(one)) &&
            words.some((one) => /8 ranks, blocks of 512 B: scattered/.test(one)) &&
            words.some((one) => /8 ranks, blocks of 64 KiB: exclusive-or/.test(one)),
    );
    const text = await page.locator("main").textContent();
    check(
        "and where that is written is said, for both",
        text.includes("MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE 256") &&
            text.includes("coll_tuned_decision_fixed.c"),
    );
    check("there are two maps", (await page.locator("svg.map").count()) === 2);
    await page.close();
}

export async function predictsInParts(browser) {
    const page = await open(browser, "#/home");
    // What was painted on the way: the parts may be done before this process looks.
    await page.evaluate(() => {
        window.told = [];
        new MutationObserver(() => {
            const words = document.querySelector(".growing")?.textContent.trim();
            const cells = document.querySelectorAll("svg.map .cell").length;
            if (words && window.told.at(-1)?.words !== words) window.told.push({ words, cells });
        }).observe(document, { childList: true, subtree: true, characterData: true });
        location.hash = "#/map?op=alltoallv&table=model: polaris-like&ppn=32&most=256&blocks=1-4";
    });
    await page.waitForSelector("svg.map .cell", { timeout: 60000 * SLOW });
    await page.waitForFunction(() => !document.querySelector(".growing"), null, {
        timeout: 60000 * SLOW,
    });
    const cells = await page.locator("svg.map .cell").count();
    const told = await page.evaluate(() => window.told);
    check(
        "a large map of a model comes in parts",
        told.length >= 3 &&
            told.every((one) => /^model: polaris-like: [0-9]+ % of the calls/.test(one.words)) &&
            told.every((one, i) => i === 0 || one.cells > told[i - 1].cells) &&
            cells === 4 * 3,
        `${JSON.stringify(told)}, ${cells} cells`,
    );
    await page.close();
}

// Rules of this table begin at 512 ranks on nodes of 32.
const SITE = `schema = 1;
machine = { name = "Elbe"; };
alltoall = ( { id = "none"; algorithm = "native"; } );
alltoallv = ( { id = "many"; ranks = "512-"; ppn = 32; block = "0-2K"; algorithm = "parlogna"; } );
`;

// A log of rank 0 on 100,000 nodes of unequal size.
function bigLog() {
    const layout = Array.from({ length: 100000 }, (_, node) => 1 + (node % 2));
    const place = { communicator: "big", communicator_id: "0123456789abcdef", ranks: 150000 };
    const lines = [
        { event: "header", schema: 1, rank: 0, ranks: 150000 },
        { event: "communicator", rank: 0, ...place, nodes: 100000, ppn_min: 1, ppn_max: 2, layout },
    ];
    for (let call = 1; call <= 20; call++)
        lines.push({
            ...{ event: "call", rank: 0, ...place, call, operation: "alltoall", nodes: 100000 },
            ...{ ppn_max: 2, largest: 2 ** call, bytes: 9, algorithm: "native", parameters: null },
            seconds: 0.001,
        });
    return lines.map((line) => JSON.stringify(line)).join("\n");
}

export async function showsSites(browser) {
    const program = process.env.SHUNT;
    if (!program) {
        console.log("SKIP: a site's table and log: SHUNT does not say where the command is");
        return;
    }
    const folder = mkdtempSync(join(tmpdir(), "shunt-site-"));
    try {
        const path = (name) => join(folder, name);
        const file = path("site.html");
        writeFileSync(path("site.cfg"), SITE);
        writeFileSync(path("big.jsonl"), bigLog());
        const machines = fileURLToPath(new URL("../../../../conf/machines/", import.meta.url));
        execFileSync(program, [
            ...["view", `--table=${path("site.cfg")}`, "--table=built-in"],
            ...[`--machine=${join(machines, "theta-like.cfg")}`, path("big.jsonl"), "-o", file],
        ]);
        const page = await open(browser, "#/map", { file });
        await page.waitForSelector("svg.map .cell");
        const heading = await page.locator(".panel h3").first().textContent();
        check("a table has its machine's name", heading.startsWith("Elbe (site.cfg)"), heading);
        const names = await page.getByLabel("Decided by").locator("option").allTextContents();
        check(
            "the built-in table is said to be that, and a machine that was given is there",
            names.map((one) => one.trim()).includes("the built-in table") &&
                names.map((one) => one.trim()).includes("model: theta-like"),
            names.join(),
        );
        const words = await page.locator("svg.map .cell").evaluateAll(wordsOf);
        check(
            "the first map is where the table has something to show",
            words.some((one) => one.includes("parlogna")),
            heading,
        );
        await page.close();
        const begin = Date.now();
        const log = await open(browser, "#/replay", { file });
        const text = await log.locator("main table").textContent();
        const took = Date.now() - begin;
        check(
            `a log of 100,000 nodes shows at once (${took} ms), with a word why it is not played`,
            took < 5000 * SLOW && text.includes("above 128 ranks") && text.includes("100000"),
            text.slice(0, 200),
        );
        await log.close();
    } finally {
        rmSync(folder, { recursive: true });
    }
}
