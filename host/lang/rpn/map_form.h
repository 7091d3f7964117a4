/* SPDX-License-Identifier: BSD-2-Clause */
/* `map = count 1 64`: how RPN programs write the rows of the section MAPS. */
#ifndef DPH_RPN_MAP_FORM_H
#define DPH_RPN_MAP_FORM_H

#include "ir/probe_program.h"

struct dph_map_field {
	const char *name; /* null: the end of a list */
	size_t member;    /* offset in struct dph_map */
	unsigned shift;   /* of the number in the member */
	uint32_t max;
	const char *range;
	bool is_signed;
};

struct dph_map_form {
	const char *name;
	unsigned kind;
	uint32_t a;
	unsigned values; /* of this kind; 0: a field says it */
	struct dph_map_field field[5];
};

enum {
	DPH_MAP_FORMS = DP_MAP_KINDS + 2 /* a scale has three */
};
extern const struct dph_map_form dph_map_forms[DPH_MAP_FORMS];

/* The number of a field. */
uint32_t dph_map_number(const struct dph_map *map, const struct dph_map_field *field);
void dph_map_set_number(struct dph_map *map, const struct dph_map_field *field, uint32_t number);

/* The row of an object's section MAPS. */
struct dph_map dph_map_of_row(const uint8_t *row);

#endif
