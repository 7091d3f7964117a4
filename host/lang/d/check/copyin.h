/* SPDX-License-Identifier: BSD-2-Clause */
/* copyin(address, n): n bytes of memory. */
#ifndef DPH_D_COPYIN_H
#define DPH_D_COPYIN_H

#include "check.h"

/* Check the call: it becomes an array of n bytes in memory. */
void dph_d_check_copyin(const struct dph_d_check *c, struct d_node *node);

#endif
