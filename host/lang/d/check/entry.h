/* SPDX-License-Identifier: BSD-2-Clause */
/* entry(e): the value that e had when the function of the point began. */
#ifndef DPH_D_ENTRY_H
#define DPH_D_ENTRY_H

#include "check.h"

/* Let each entry(e) of the program read a variable of the call, which a clause of its own sets at
 * the function's entry (struct d_entered). Says what cannot be kept. */
void dph_d_entries(struct d_front *d);

/* Check the frame of the call that the point stands in: a node of kind FRAME. */
void dph_d_check_frame(const struct dph_d_check *c, struct d_node *node);

/* Refuse an entry(e) that dph_d_entries has left. */
void dph_d_check_entry(const struct dph_d_check *c, struct d_node *node);

#endif
