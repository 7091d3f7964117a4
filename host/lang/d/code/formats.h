/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats of the program while they are made: what the host must know to print records. */
#ifndef DPH_D_FORMATS_H
#define DPH_D_FORMATS_H

#include "lang/d/read/front.h"

struct d_format_table {
	struct dph_format_type *types;
	const void **origins; /* types of the firmware that these were made from; null: others */
	size_t type_count, type_capacity, origin_capacity;
	struct dph_format_layout *layouts;
	size_t layout_count, layout_capacity;
	struct dph_format_point *points;
	size_t point_count, point_capacity;
	const char **places; /* of faults: fault_place.c */
	size_t place_count, place_capacity;
	const char **texts; /* that keys name by number */
	size_t text_count, text_capacity;
	struct dph_format_aggregation *aggregations;
	size_t aggregation_count, aggregation_capacity;
	struct dph_format_array *arrays;
	size_t array_count, array_capacity;
	struct dph_format_variable *variables; /* in the pool */
	size_t variable_count;
};

/* The number of a text. */
uint32_t dph_d_text_number(struct d_front *d, const char *text);
/* Name the array that a map keeps. */
void dph_d_name_array(struct d_front *d, const char *name, unsigned map);
void dph_d_formats_free(struct d_format_table *formats);

#endif
