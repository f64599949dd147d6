// SPDX-License-Identifier: BSD-3-Clause
// libraries.ts: what MPI libraries choose by themselves, as they document it, for maps beside those
// of tables: for a call that Shunt leaves native, and as Netterville et al., figure 2, draw it. An
// algorithm of a library stands under the name of the one of Shunt that sends the same messages.

export interface Choice {
    algorithm: string;
    parameters: string;
    said: string; // what the library calls it, and why it takes it
}

type Op = "alltoall" | "alltoallv";

export interface Library {
    name: string;
    source: string; // where that is written
    choose(op: Op, ranks: number, block: number): Choice;
}

const alone: Choice = { algorithm: "native", parameters: "", said: "one rank: a copy" };

// MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE, _MEDIUM_MSG_SIZE and _THROTTLE, as they are when nobody sets
// them; below eight ranks nothing is short.
const SHORT = 256;
const MEDIUM = 32768;
const THROTTLE = 32;
const FEW = 8;

function scattered(ranks: number, why: string): Choice {
    return {
        algorithm: "scattered",
        parameters: `batch_size=${Math.min(THROTTLE, ranks - 1)}`,
        said: `"scattered", ${THROTTLE} messages at a time: ${why}`,
    };
}

function mpich(op: Op, ranks: number, block: number): Choice {
    if (ranks < 2) return alone;
    if (op === "alltoallv") return scattered(ranks, "every call that is not in place");
    if (block <= SHORT && ranks >= FEW)
        return {
            algorithm: "bruck-basic",
            parameters: "radix=2",
            said: `"brucks": up to ${SHORT} bytes on ${FEW} ranks or more`,
        };
    if (block <= MEDIUM) return scattered(ranks, `up to ${MEDIUM} bytes`);
    const even = (ranks & (ranks - 1)) === 0; // a power of two
    return {
        algorithm: even ? "exclusive-or" : "pairwise",
        parameters: "",
        said: `"pairwise": above ${MEDIUM} bytes${even ? "; partners by exclusive or on powers of two" : ""}`,
    };
}

// Open MPI's fixed decision: with fewer ranks than that, "a 8K b" is a for blocks below 8 KiB and b
// for all others.
const ALLTOALL: readonly [number, string][] = [
    [3, "pair 2 two 4 pair 16 two 64 pair 256 two 4K pair 32K sync 256K two 1M pair"],
    [8, "sync 8K linear 16K sync 64K linear 512K pair 1M linear"],
    [16, "sync 256K linear"],
    [32, "sync 4 bruck 512 sync 8K linear 32K sync 256K linear 512K sync"],
    [64, "bruck 512 linear 512K sync"],
    [128, "bruck 1K linear 2K sync 4K linear 256K pair"],
    [256, "bruck 1K sync 2K linear 256K pair"],
    [512, "bruck 1K sync 8K linear 32K pair"],
    [1024, "bruck 512 sync 8K linear 16K sync 128K linear 256K pair"],
    [2048, "bruck 512 sync 1K linear 2K sync 16K linear 256K sync"],
    [4096, "bruck 1K sync 4K linear 8K sync 128K linear"],
    [Infinity, "bruck 2K sync 8K linear 16K sync 32K linear 64K sync"],
];
const ALLTOALLV: readonly [number, string][] = [
    [4, "pair"],
    [64, "linear"],
    [128, "pair"],
    [256, "linear"],
    [1024, "pair"],
    [Infinity, "linear"],
];

const OPEN_MPI: Readonly<Record<string, [string, string, string]>> = {
    linear: ["linear", "", "linear"],
    pair: ["pairwise", "", "pairwise"],
    bruck: ["bruck-basic", "radix=2", "modified_bruck"],
    sync: ["spread-out", "", "linear_sync"],
    two: ["pairwise", "", "two_proc"],
};

function bytesOf(word: string): number {
    return parseInt(word, 10) * (word.endsWith("M") ? 2 ** 20 : word.endsWith("K") ? 2 ** 10 : 1);
}

// The word of "a 8K b" for a block.
function wordFor(sizes: string, block: number): string {
    const words = sizes.split(" ");
    let at = 0;
    while (at + 1 < words.length && block >= bytesOf(words[at + 1] as string)) at += 2;
    return words[at] as string;
}

function openMpi(op: Op, ranks: number, block: number): Choice {
    if (ranks < 2) return alone;
    const rows = op === "alltoall" ? ALLTOALL : ALLTOALLV;
    const at = rows.findIndex(([below]) => ranks < below);
    const word = wordFor(rows[at]?.[1] ?? "linear", block);
    const [algorithm = "", parameters = "", name = ""] = OPEN_MPI[word] ?? [];
    const from = at > 0 ? (rows[at - 1]?.[0] ?? 2) : 2;
    const to = (rows[at]?.[0] ?? Infinity) - 1;
    const range = to === Infinity ? `${from} ranks or more` : `${from} to ${to} ranks`;
    return { algorithm, parameters, said: `"${name}": by the thresholds for ${range}` };
}

export const LIBRARIES: readonly Library[] = [
    {
        name: "MPICH",
        source:
            "MPICH 4, src/mpi/coll/coll_selection.json and maint/tuning/coll/mpir/generic.json " +
            "(MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE 256, MPIR_CVAR_ALLTOALL_MEDIUM_MSG_SIZE 32768, " +
            "MPIR_CVAR_ALLTOALL_THROTTLE 32). A device may choose otherwise, and so may a vendor's build",
        choose: mpich,
    },
    {
        name: "Open MPI",
        source:
            "Open MPI 4.1 and 5.0, ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, the fixed decision of " +
            "coll/tuned. Other components (han, hcoll, ucc) may come before it",
        choose: openMpi,
    },
];
