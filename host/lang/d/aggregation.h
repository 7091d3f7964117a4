/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations: statements @name[keys] = function(arguments). */
#ifndef DPH_D_AGGREGATION_H
#define DPH_D_AGGREGATION_H

#include "record.h"

/* Is the statement an update of an aggregation? */
bool dph_d_is_aggregation(const struct d_node *node);
/* Check the update and make its code. */
void dph_d_aggregate(struct d_lower *l, struct d_node *node);

/* A string constant, or a part of the probe's name: the target keeps its number. Null: another node. */
const char *dph_d_text_of(const struct dph_d_check *c, const struct d_node *node);
/* The number of a text. */
uint32_t dph_d_text_number(struct d_front *d, const char *text);

#endif
