/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of the stand-in, one rank: status 7 if its calls did what they have to. */
int MPI_Alltoall(const void *send, int count, void *type, void *recv, int recv_count,
                 void *recv_type, void *comm);

int main(void)
{
    for (int i = 0; i < 20; i++) {
        const int send[2] = {i, -i};
        int recv[2] = {0, 0};
        if (MPI_Alltoall(send, 2, (void *)0x209, recv, 2, (void *)0x209, (void *)0x101) != 0 ||
            recv[0] != i || recv[1] != -i)
            return 1;
    }
    return 7;
}
