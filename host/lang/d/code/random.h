/* SPDX-License-Identifier: BSD-2-Clause */
/* rand and random. */
#ifndef DPH_D_RANDOM_H
#define DPH_D_RANDOM_H

#include "lower.h"

void dph_d_check_random(const struct dph_d_check *c, struct d_node *node);
/* Push the number. */
void dph_d_lower_random(struct d_lower *l);
/* Is the call one of them? */
bool dph_d_is_random(const struct d_node *node);

#endif
