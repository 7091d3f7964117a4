/* SPDX-License-Identifier: BSD-2-Clause */
/* htons, htonl, htonll, ntohs, ntohl, ntohll. */
#ifndef DPH_D_SWAP_H
#define DPH_D_SWAP_H

#include "lower.h"

void dph_d_check_swap(const struct dph_d_check *c, struct d_node *node);
/* Push the number. */
void dph_d_lower_swap(struct d_lower *l, struct d_node *node);
/* Is the call one of them? */
bool dph_d_is_swap(const struct d_node *node);

#endif
