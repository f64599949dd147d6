// SPDX-License-Identifier: BSD-3-Clause
// vitest.config.ts: how the page's parts are tested; apart, because a build needs no vitest.
import { defineConfig, mergeConfig } from "vitest/config";
import build from "./vite.config";

export default mergeConfig(
    build,
    defineConfig({
        test: {
            environment: "jsdom",
            include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
        },
    }),
);
