/* SPDX-License-Identifier: BSD-2-Clause */
/* rand and random. */
#ifndef DPH_D_RANDOM_H
#define DPH_D_RANDOM_H

#include "lower.h"

/* Push the number. */
void dph_d_lower_random(struct d_lower *l, struct d_node *node);

#endif
