// SPDX-License-Identifier: BSD-3-Clause
// data.ts: what `shunt view` has put into the page: decision tables, machine descriptions and
// logged calls. A page as it was built has the descriptions that come with Shunt, and no more.
import { bytesOf } from "./base64";
import type { Files } from "./wasi";

// An image is the bytes that the engine reads (src/viewer/engine/images.c), in base64.
export interface Image {
    name: string; // by which commands of the engine call it
    path: string; // where the command read it
    image: string;
}

// Calls of one kind, of all ranks and files together.
export interface LoggedCall {
    op: "alltoall" | "alltoallv";
    ranks: number;
    nodes: number;
    block: number; // bytes per destination; alltoallv: the largest
    mean: number; // bytes per destination
    algorithm: string;
    parameters: string;
    rule: string; // "site.cfg:9 \"small\"", or why there is none
    calls: number;
    seconds: number; // of all of them
}

export interface Data {
    version: string; // of the command that wrote the page; "": as built
    tables: Image[];
    machines: Image[];
    logs: LoggedCall[];
}

const ELEMENT = "shunt-data";

// The text of the element is made by the command; what is not there is empty.
export function parseData(text: string): Data {
    const given = (text.trim() === "" ? {} : JSON.parse(text)) as Partial<Data>;
    return {
        version: given.version ?? "",
        tables: given.tables ?? [],
        machines: given.machines ?? [],
        logs: given.logs ?? [],
    };
}

let read: Data | undefined;

export function data(): Data {
    read ??= parseData(document.getElementById(ELEMENT)?.textContent ?? "");
    return read;
}

// As the engine wants them: /tables/NAME and /machines/NAME.
export function filesOf(given: Data): Files {
    const files = new Map<string, Uint8Array>();
    for (const table of given.tables) files.set(`tables/${table.name}`, bytesOf(table.image));
    for (const machine of given.machines)
        files.set(`machines/${machine.name}`, bytesOf(machine.image));
    return files;
}
