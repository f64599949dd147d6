// SPDX-License-Identifier: BSD-3-Clause
// vite.config.ts: how the page is built. The build of Shunt says by variables where the
// engine and the data are that come with it; without them they are where that build leaves them,
// beside its copy of this folder.
import { fileURLToPath } from "node:url";
import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";
import { engineInside, oneFile } from "./one-file";

const beside = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const enginePath = process.env["SHUNT_ENGINE"] ?? beside("engine.wasm");

export default defineConfig({
    plugins: [vue(), engineInside(enginePath), oneFile(process.env["SHUNT_VIEWER_DATA"])],
    build: {
        target: "es2022",
        cssCodeSplit: false,
        assetsInlineLimit: Number.MAX_SAFE_INTEGER,
        modulePreload: false,
        chunkSizeWarningLimit: 2048,
        reportCompressedSize: false,
        rollupOptions: { output: { inlineDynamicImports: true } },
    },
});
