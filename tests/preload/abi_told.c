/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ABI the library of this program is taken for: that of the stand-in it is linked with. */
#include <stdio.h>

#include "pmpi/library.h"

int PMPI_Alltoallw(void);

int main(void)
{
    static const char *const names[] = {"unknown", "MPICH", "standard", "of Open MPI"};
    struct shunt_library library;
    int (*volatile linked)(void) = PMPI_Alltoallw;
    if (!linked || !shunt_library_find(__builtin_return_address(0), NULL, &library))
        return 1;
    return printf("%s%s\n", names[library.abi], library.open_mpi ? ", it is Open MPI" : "") < 0;
}
