/* SPDX-License-Identifier: BSD-3-Clause */
/* list.h: the list of algorithms with one row more; found before that of src where a test wants it.
 */
#include "../../../src/algorithms/list.h"
ALGORITHM(ring)
