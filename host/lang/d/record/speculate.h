/* SPDX-License-Identifier: BSD-2-Clause */
/* The actions speculate, commit and discard. */
#ifndef DPH_D_RECORD_SPECULATE_H
#define DPH_D_RECORD_SPECULATE_H

#include "record.h"

void dph_d_speculate(struct d_record *record, struct d_node *node);
void dph_d_commit(struct d_record *record, struct d_node *node);
void dph_d_discard(struct d_record *record, struct d_node *node);

#endif
