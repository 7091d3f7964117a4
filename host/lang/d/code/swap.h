/* SPDX-License-Identifier: BSD-2-Clause */
/* htons, htonl, htonll, ntohs, ntohl, ntohll. */
#ifndef DPH_D_SWAP_H
#define DPH_D_SWAP_H

#include "lower.h"

/* Push the number. */
void dph_d_lower_swap(struct d_lower *l, struct d_node *node);

#endif
