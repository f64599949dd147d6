// SPDX-License-Identifier: BSD-3-Clause
// virtual.d.ts: the module that vite.config.ts makes of the engine's file: its bytes in base64.
declare module "virtual:engine" {
    const image: string;
    export default image;
}
