// SPDX-License-Identifier: BSD-3-Clause
// data.ts: what `shunt view` has put into the page: decision tables, machine descriptions,
// logged calls, figures and a report. A page as it was built has the descriptions that come with Shunt, and no more.
import { bytesOf } from "./base64";
import type { Explained, Figure, Predicted } from "./replay/figures";
import type { Report } from "./replay/report";
import type { Files } from "./wasi";

// The form is that of src/tools/view/view.schema.json. An image is the bytes that the engine reads (src/viewer/engine/images.c), in base64.
export interface Image {
    name: string; // by which commands of the engine call it
    path: string; // where the command read it
    machine?: string; // of a table: the machine that it is for, where it names one
    image: string;
}

export interface Rule {
    file: string;
    line?: number;
    id: string | null;
}

// Calls of one kind, of all ranks and files together; what the log does not tell is not there.
export interface LoggedCalls {
    operation: "alltoall" | "alltoallv";
    ranks?: number;
    nodes?: number;
    ppn_max?: number;
    layout?: number[]; // ranks of each node, where they are unequal
    largest?: number; // bytes of the largest block
    mean?: number; // bytes of an average block
    algorithm: string;
    parameters: string | null;
    rule: Rule | null;
    reason: string | null; // why there is no rule, or why not what it asks for
    calls: number;
    bytes: number; // sent, by all ranks
    seconds: number; // of all calls of all ranks
}

// A call of MPI_Alltoallv with the bytes from each rank to each.
export interface WholeLogged {
    communicator: string;
    communicator_id: string;
    call: number;
    algorithm: string;
    parameters: string;
    layout?: number[];
    send_bytes: number[][];
}

export interface Sums {
    calls: number;
    bytes: number;
    seconds: number;
}

export interface Data {
    version: string; // of the command that wrote the page; "": as built
    tables: Image[];
    machines: Image[];
    logs: LoggedCalls[]; // those that took longest first
    whole: WholeLogged[];
    beyond: Sums; // calls of kinds for which there was no room
    figures: Figure[]; // of a file
    predict?: Predicted | undefined; // what these commands print with --json
    explain?: Explained | undefined;
    report?: Report | undefined;
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
        whole: given.whole ?? [],
        beyond: given.beyond ?? { calls: 0, bytes: 0, seconds: 0 },
        figures: given.figures ?? [],
        predict: given.predict,
        explain: given.explain,
        report: given.report,
    };
}

let read: Data | undefined;

// Where there is no such element, as in tests before they put one, nothing is kept.
export function data(): Data {
    const element = document.getElementById(ELEMENT);
    if (!read && !element) return parseData("");
    read ??= parseData(element?.textContent ?? "");
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
