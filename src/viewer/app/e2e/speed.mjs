// SPDX-License-Identifier: BSD-3-Clause
// speed.mjs: steps of 32 ranks: that each fits into a frame, and that what is painted of a step is
// what is painted of the whole drawing.
import { button, check, open, SLOW } from "./page.mjs";

const FRAME_MS = 1000 / 60;
const RANKS = 32;
// Many steps, many blocks in a step, temporary memory, shared memory, and sizes that differ.
const CALLS = [
    "algorithm=pairwise",
    "algorithm=spread-out",
    "algorithm=bruck-basic",
    "algorithm=shared-segment",
    "algorithm=parlogna&op=alltoallv&sizes=random&block=64",
];

// Half steps by the key, each in a frame of its own.
function halfSteps(page, count) {
    return page.evaluate(async (many) => {
        const frame = () => new Promise(requestAnimationFrame);
        for (let i = 0; i < many; i++) {
            document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key: "ArrowRight", shiftKey: true, bubbles: true }),
            );
            await frame();
            await frame();
        }
    }, count);
}

// Milliseconds of processor that threads of the page spend in a trace: its main thread (script,
// style, layout, painting) and those that make pixels of what was painted.
function spent(trace) {
    const events = JSON.parse(trace).traceEvents;
    const main = new Set(
        events
            .filter((one) => one.name === "thread_name" && one.args.name === "CrRendererMain")
            .map((one) => `${one.pid} ${one.tid}`),
    );
    const sum = (chosen) => chosen.reduce((total, one) => total + (one.tdur ?? 0), 0) / 1000;
    return {
        main: sum(
            events.filter((one) => one.name === "RunTask" && main.has(`${one.pid} ${one.tid}`)),
        ),
        raster: sum(events.filter((one) => one.name === "RasterTask")),
    };
}

// What a half step takes of the processor, by the clocks of its threads, which do not go on while
// other work of the machine is carried out; frames by the wall's clock would count that in. The
// threads work side by side, so each has a frame for itself. The trace itself is in it.
export async function isQuick(browser) {
    for (const call of CALLS) {
        const page = await open(browser, `#/algorithms?${call}&layout=${RANKS}`);
        await page.waitForSelector("canvas.board");
        const steps = Number(await page.getByLabel("Position").getAttribute("max"));
        const pass = async () => {
            await button(page, "Reset").click();
            await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
            await browser.startTracing(page, {
                categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "cc"],
            });
            await halfSteps(page, steps);
            const { main, raster } = spent((await browser.stopTracing()).toString());
            return { main: main / steps, raster: raster / steps };
        };
        // The first pass compiles; and what else the machine does empties the caches of the
        // processor, so the best of a few passes counts.
        let [main, raster] = [Infinity, Infinity];
        for (let i = 0; i < 8 && (i < 2 || main > FRAME_MS); i++) {
            const one = await pass();
            [main, raster] = [Math.min(main, one.main), Math.min(raster, one.raster)];
        }
        check(
            `a half step of ${RANKS} ranks: ${main.toFixed(1)} and ${raster.toFixed(1)} ms of ${FRAME_MS.toFixed(1)} that a frame has, ${call}`,
            main > 0 && main <= FRAME_MS * SLOW && raster <= FRAME_MS * SLOW,
        );
        const said = await page.locator(".explanation h3").textContent();
        check(`${call} on ${RANKS} ranks comes to its end`, said.includes("Done"), said);
        await page.close();
    }
}

const pixels = (page) => page.locator("canvas.board").evaluate((one) => one.toDataURL());

export async function paintsAlike(browser) {
    for (const call of CALLS) {
        const page = await open(browser, `#/algorithms?${call}&layout=${RANKS}`);
        await page.waitForSelector("canvas.board");
        await page.waitForTimeout(200);
        const first = await pixels(page);
        const half = Math.min(3, Number(await page.getByLabel("Position").getAttribute("max")));
        await halfSteps(page, half);
        const stepped = await pixels(page);
        const other = await open(browser, `#/algorithms?${call}&layout=${RANKS}&at=${half}`);
        await other.waitForSelector("canvas.board");
        await other.waitForTimeout(200);
        check(
            `steps paint what a link to them paints, ${call}`,
            stepped !== first && stepped === (await pixels(other)),
        );
        await other.close();
        for (let i = 0; i < half; i++) await page.keyboard.press("Shift+ArrowLeft");
        await page.evaluate(() => new Promise(requestAnimationFrame));
        check(`and steps back restore the pixels, ${call}`, (await pixels(page)) === first);
        await page.close();
    }
}
