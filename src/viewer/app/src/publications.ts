// SPDX-License-Identifier: BSD-3-Clause
// publications.ts: the papers that `shunt algorithms` names as sources, and where they are. Of a
// paper that has no link here none is known.

export interface Publication {
    authors: string;
    title: string;
    where: string;
    link?: string;
    known: RegExp; // in the source of an algorithm
}

const DOI = "https://doi.org/";

export const PUBLICATIONS: readonly Publication[] = [
    {
        authors: "Fan, Gilray, Pascucci, Huang, Micinski, Kumar",
        title: "Optimizing the Bruck Algorithm for Non-uniform All-to-all Communication",
        where: "HPDC'22",
        link: `${DOI}10.1145/3502181.3531468`,
        known: /HPDC'22/,
    },
    {
        authors: "Fan, Kumar",
        title: "Parameterized Radix-r Bruck Algorithm for All-to-all Communication",
        where: "SC'22, research poster",
        known: /Radix-r/,
    },
    {
        authors: "Fan, Domke, Ba, Kumar",
        title: "Parameterized Algorithms for Non-uniform All-to-all",
        where: "HPDC'25",
        link: `${DOI}10.1145/3731545.3731590`,
        known: /HPDC'25/,
    },
    {
        authors: "Träff, Rougier, Hunold",
        title: "Implementing a Classic: Zero-copy All-to-all Communication with MPI Datatypes",
        where: "ICS'14",
        link: `${DOI}10.1145/2597652.2597662`,
        known: /ICS'14/,
    },
    {
        authors: "Xu, Venkata, Graham, Wang, Liu, Yu",
        title: "SLOAVx: Scalable LOgarithmic AlltoallV Algorithm for Hierarchical Multicore Systems",
        where: "CCGrid'13",
        link: "https://ieeexplore.ieee.org/document/6546114",
        known: /SLOAVx/,
    },
    {
        authors: "Netterville, Fan, Kumar, Gilray",
        title: "A Visual Guide to MPI All-to-all",
        where: "HiPCW 2022",
        link: "https://ieeexplore.ieee.org/document/10056562",
        known: /Visual Guide/,
    },
    {
        authors: "Hoefler, Moor",
        title: "Energy, Memory, and Runtime Tradeoffs for Implementing Collective Communication Operations",
        where: "Supercomputing Frontiers and Innovations 1 (2), 2014",
        known: /Hoefler/,
    },
];

// Those that an algorithm comes from.
export function publicationsOf(source: string): Publication[] {
    return PUBLICATIONS.filter((one) => one.known.test(source));
}
