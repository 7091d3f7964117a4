/* SPDX-License-Identifier: BSD-2-Clause */
/* Speculations: records wait in buffers of the target, which are a map of the program. */
#ifndef DPH_D_CODE_SPECULATION_H
#define DPH_D_CODE_SPECULATION_H

#include "lower.h"

/* -- id ; speculation() */
void dph_d_lower_speculation(struct d_lower *l, struct d_node *node);
/* id -- ; keep the speculation of the clause. */
void dph_d_speculation_keep(struct d_lower *l);
/* id -- ; commit or discard a speculation: RPN_COMMIT, RPN_DISCARD. */
void dph_d_speculation_do(struct d_lower *l, enum rpn_op op);
/* What the clause logs from here on is a record of its speculation. */
void dph_d_speculation_begin(struct d_lower *l);
/* The record is complete: it leaves the log. */
void dph_d_speculation_end(struct d_lower *l);
/* Refuse a clause whose record has no room in an empty buffer. bytes: of data, at least. */
void dph_d_speculation_fits(struct d_front *d, uint64_t bytes, struct dph_place place);

#endif
