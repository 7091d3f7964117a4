/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregations: statements @name[keys] = function(arguments). */
#ifndef DPH_D_AGGREGATION_H
#define DPH_D_AGGREGATION_H

#include "record.h"

/* Is the statement an update of an aggregation? */
bool dph_d_is_aggregation(const struct d_node *node);
/* Check the update and make its code. */
void dph_d_aggregate(struct d_record *record, struct d_node *node);

/* Find an aggregation that an earlier statement updates.
 * index: receives its number in the formats. */
bool dph_d_aggregation_named(const struct d_front *d, const char *name, uint32_t *index);
/* Does the host apply the same functions to the keys? */
bool dph_d_key_functions_agree(const struct dph_format_aggregation *a,
			       const struct dph_format_aggregation *b);
/* Add an aggregation without a map. Returns its number in the formats. */
uint32_t dph_d_add_aggregation(struct d_format_table *formats,
			       const struct dph_format_aggregation *made);
/* Check the value of a function, and set its sign and width in `made`. Returns false: the error is
 * said. */
bool dph_d_check_aggregated(const struct dph_d_check *c, struct d_node *value,
			    struct dph_format_aggregation *made);
/* Do two uses of an aggregation agree?
 * node: the update. Returns false: the error is said. */
bool dph_d_uses_agree(const struct dph_d_check *c, const struct d_node *node,
		      const struct dph_format_aggregation *there,
		      const struct dph_format_aggregation *made);
/* Check the parameters of a distribution, behind its value. Returns false: the error is said. */
bool dph_d_check_scale(const struct dph_d_check *c, struct d_node *arguments,
		       enum dph_aggregate function, int64_t *scale);
/* The increment of a distribution; null: there is none. */
struct d_node *dph_d_increment_of(const struct d_node *call, enum dph_aggregate function);
/* counted.c: is a key of the aggregation a call stack? */
bool dph_d_has_stack_key(const struct d_node *aggregation);
/* Record the keys and the value of an update that the host counts.
 * made: with name and function. there: the aggregation as it is used first; null: here.
 * index: its number in the formats, if it is there. */
void dph_d_count_by_host(struct d_record *record, struct d_node *node,
			 struct dph_format_aggregation *made,
			 const struct dph_format_aggregation *there, uint32_t index);
/* key.c: push the keys of an update.
 * there: the aggregation as it is used first; null: here. made: receives the keys. Returns false:
 * the error is said. */
bool dph_d_lower_keys(struct d_record *record, const struct d_node *aggregation,
		      const struct dph_format_aggregation *there,
		      struct dph_format_aggregation *made);
/* act.c: check an action on aggregations, and record that it is due. */
void dph_d_act(struct d_record *record, struct d_node *node, enum dph_format_action_kind kind);

#endif
