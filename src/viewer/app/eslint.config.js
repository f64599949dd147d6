// SPDX-License-Identifier: BSD-3-Clause
// eslint.config.js: what is wrong or doubtful in the page's code; form is prettier's.
import vue from "eslint-plugin-vue";
import ts from "typescript-eslint";

export default ts.config(
    { ignores: ["dist/", "node_modules/"] },
    ...ts.configs.strict,
    ...vue.configs["flat/essential"],
    { files: ["**/*.vue"], languageOptions: { parserOptions: { parser: ts.parser } } },
    {
        rules: {
            eqeqeq: "error",
            // No part has the name of an element of HTML.
            "vue/multi-word-component-names": "off",
            "vue/no-v-html": "error",
            "max-lines": ["error", 450],
        },
    },
);
