// SPDX-License-Identifier: BSD-3-Clause
// main.ts: starts the page.
import { createApp } from "vue";
import App from "./App.vue";
import "./style.css";
import "./drawings.css";

createApp(App).mount("#app");
