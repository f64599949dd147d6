// SPDX-License-Identifier: BSD-3-Clause
// shots.mjs FOLDER [VIEW...]: for developers: every view as a picture, at 1280 and 400 pixels, light
// and dark, to be looked at. SHUNT_PAGE names the page; with SHUNT, a page with tables and the log of
// this folder is made first.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { file, open, startBrowser } from "./page.mjs";

const [folder = "shots", ...chosen] = process.argv.slice(2);
const VIEWS = {
    home: "#/home",
    steps: "#/algorithms?algorithm=bruck&layout=8&at=3",
    batches: "#/algorithms?algorithm=scattered&layout=8&p.batch_size=3&rank=2&at=4",
    nodes: "#/algorithms?algorithm=node-pair&layout=cyclic:4,4&at=4",
    sizes: "#/algorithms?algorithm=parlogna&op=alltoallv&layout=9&sizes=random&block=64&at=3",
    many: "#/algorithms?algorithm=bruck&layout=32&at=5",
    bars: "#/algorithms?algorithm=spread-out&layout=64&at=2",
    refused: "#/algorithms?layout=4,x",
    compare: "#/compare?a.algorithm=bruck&b.algorithm=pairwise&at=3",
    clock: "#/compare?clock=time&a.algorithm=bruck&b.algorithm=spread-out&a.layout=4,4&b.layout=4,4&at=120",
    map: "#/map?op=alltoallv",
    tables: "#/map?op=alltoallv&table=built-in&beside=model: polaris-like&ppn=4&most=64",
    layers: "#/map?op=alltoallv&layer=differ&cell=32.64",
    libraries: "#/map?table=library: MPICH&beside=library: Open MPI&op=alltoall&ppn=8&most=2048",
    site: "#/map?table=table2",
    costs: "#/costs",
    replay: "#/replay",
};

// The second is one in which nothing but native is on one node.
const polaris = fileURLToPath(new URL("../../../../conf/polaris.cfg", import.meta.url));
const TABLES = ["--table=built-in", `--table=${polaris}`];

mkdirSync(folder, { recursive: true });
let page = file;
if (process.env.SHUNT) {
    page = join(folder, "page.html");
    const log = fileURLToPath(new URL("job.jsonl", import.meta.url));
    execFileSync(process.env.SHUNT, ["view", ...TABLES, "--log", log, "-o", page]);
}
const browser = await startBrowser();
try {
    for (const [name, hash] of Object.entries(VIEWS))
        for (const width of chosen.length === 0 || chosen.includes(name) ? [1280, 400] : [])
            for (const colorScheme of ["light", "dark"]) {
                const viewport = { width, height: 900 };
                const shown = await open(browser, hash, { file: page, viewport, colorScheme });
                // What is calculated once it is seen.
                await shown.evaluate(() => scrollTo(0, document.body.scrollHeight));
                await shown.waitForTimeout(300);
                await shown.evaluate(() => scrollTo(0, 0));
                await shown.waitForTimeout(300);
                const path = join(folder, `${name}-${width}-${colorScheme}.png`);
                await shown.screenshot({ path, fullPage: true });
                await shown.close();
            }
} finally {
    await browser.close();
}
