/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/schedule.h"
