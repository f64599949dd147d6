/* SPDX-License-Identifier: BSD-3-Clause */
/* operation.h: the MPI functions that can be routed. */
#ifndef SHUNT_ALGORITHMS_OPERATION_H
#define SHUNT_ALGORITHMS_OPERATION_H

enum shunt_op { SHUNT_OP_ALLTOALL, SHUNT_OP_ALLTOALLV, SHUNT_OP_COUNT };

/* For masks of operations. */
#define SHUNT_OP_BIT(op) (1u << (op))
#define SHUNT_OP_BOTH (SHUNT_OP_BIT(SHUNT_OP_ALLTOALL) | SHUNT_OP_BIT(SHUNT_OP_ALLTOALLV))

/* "alltoall", "alltoallv": as written in tables, FORCE and records. */
const char *shunt_op_name(enum shunt_op op);

#endif
