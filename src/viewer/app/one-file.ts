// SPDX-License-Identifier: BSD-3-Clause
// one-file.ts: Vite plugins that make the page one file which needs nothing else: the engine as
// text, and scripts, styles and data inside the HTML.
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const ENGINE = "virtual:engine";

// `import image from "virtual:engine"`: the bytes of the file in base64.
export function engineInside(path: string): Plugin {
    return {
        name: "shunt-engine",
        resolveId: (id) => (id === ENGINE ? `\0${ENGINE}` : undefined),
        load(id) {
            if (id !== `\0${ENGINE}`) return undefined;
            this.addWatchFile(path);
            return `export default ${JSON.stringify(readFileSync(path).toString("base64"))};`;
        },
    };
}

// What a text may be inside a script: "</script" would end it.
export function scriptSafe(text: string): string {
    return text.replace(/<(?=[/!])/g, "\\u003c");
}

// The browser itself keeps the page to what is inside it.
const POLICY =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; " +
    "img-src data: blob:";

// Puts the one script and the one style sheet into the page, and data where it is given.
export function oneFile(dataPath: string | undefined): Plugin {
    return {
        name: "shunt-one-file",
        enforce: "post",
        apply: "build",
        transformIndexHtml: (html) =>
            html
                .replace(
                    /<meta charset="utf-8" ?\/?>/,
                    (tag) =>
                        `${tag}\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
                )
                .replace(
                    /(<script type="application\/json" id="shunt-data">)(<\/script>)/,
                    (_all, begin: string, end: string) =>
                        begin + (dataPath ? scriptSafe(readFileSync(dataPath, "utf8")) : "") + end,
                ),
        generateBundle(_options, bundle) {
            const page = bundle["index.html"];
            if (page?.type !== "asset") throw new Error("the build has no index.html");
            let html = String(page.source);
            for (const [name, part] of Object.entries(bundle)) {
                if (part === page) continue;
                const put = (tag: RegExp, text: string) => {
                    if (!tag.test(html)) throw new Error(`index.html does not name ${name}`);
                    html = html.replace(tag, () => text);
                };
                const quoted = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
                if (part.type === "chunk")
                    put(
                        new RegExp(`<script[^>]*src="[^"]*${quoted}"[^>]*></script>`),
                        `<script type="module">${part.code.replace(/<\/(?=script)/gi, "<\\/")}</script>`,
                    );
                else if (name.endsWith(".css"))
                    put(
                        new RegExp(`<link[^>]*href="[^"]*${quoted}"[^>]*>`),
                        `<style>${String(part.source)}</style>`,
                    );
                else throw new Error(`${name} would be a file of its own`);
                Reflect.deleteProperty(bundle, name);
            }
            page.source = html;
        },
    };
}
