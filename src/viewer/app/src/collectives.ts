// SPDX-License-Identifier: BSD-3-Clause
// collectives.ts: MPI_Alltoall and its relatives: who sends what to whom, and which of them are
// routed. tests/unit/test_lists.sh holds the list against the library's entry points.

export interface Collective {
    names: string[]; // each has a form for large counts too, with _c behind the name
    whom: string;
    what: string;
    ends: string; // when the call is done
    routed: boolean; // or passed on to the MPI library, and counted
}

const ALL = "every rank to every rank of the communicator";
const NEIGHBOURS = "every rank to its neighbours in the communicator's topology";
const EQUAL = "a block for each, all of one size";
const SIZES = "a block for each, of its own size";
const TYPES = "a block for each, of its own size and datatype";
const ANY = `${EQUAL} (v: of its own size; w: and datatype)`;
const RETURNS = "when it returns";
const WAITS = "in a later wait or test";
const STARTS = "prepared once; done in a wait after each start";

export const COLLECTIVES: readonly Collective[] = [
    { names: ["MPI_Alltoall"], whom: ALL, what: EQUAL, ends: RETURNS, routed: true },
    { names: ["MPI_Alltoallv"], whom: ALL, what: SIZES, ends: RETURNS, routed: true },
    { names: ["MPI_Alltoallw"], whom: ALL, what: TYPES, ends: RETURNS, routed: false },
    {
        names: ["MPI_Ialltoall", "MPI_Ialltoallv", "MPI_Ialltoallw"],
        whom: ALL,
        what: ANY,
        ends: WAITS,
        routed: false,
    },
    {
        names: ["MPI_Alltoall_init", "MPI_Alltoallv_init", "MPI_Alltoallw_init"],
        whom: ALL,
        what: ANY,
        ends: STARTS,
        routed: false,
    },
    {
        names: ["MPI_Neighbor_alltoall", "MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallw"],
        whom: NEIGHBOURS,
        what: ANY,
        ends: RETURNS,
        routed: false,
    },
    {
        names: ["MPI_Ineighbor_alltoall", "MPI_Ineighbor_alltoallv", "MPI_Ineighbor_alltoallw"],
        whom: NEIGHBOURS,
        what: ANY,
        ends: WAITS,
        routed: false,
    },
];
