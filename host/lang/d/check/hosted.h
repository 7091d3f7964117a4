/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the host computes when it prints a record. */
#ifndef DPH_D_HOSTED_H
#define DPH_D_HOSTED_H

#include "check.h"

/* Check a call of a function of the host. */
void dph_d_check_hosted(const struct dph_d_check *c, struct d_node *node);

#endif
