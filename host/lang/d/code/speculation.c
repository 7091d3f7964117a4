/* SPDX-License-Identifier: BSD-2-Clause */
/* The code of speculations. */
#include "speculation.h"

#include "dp_object.h"

/* The bytes of a buffer: the next power of two. */
static unsigned buffer_bytes(const struct d_front *d)
{
	unsigned bytes = DP_SPEC_BYTES_MIN;
	while (bytes < d->spec_size)
		bytes *= 2;
	return bytes;
}

/* The map of the buffers. */
static unsigned map_of(struct d_lower *l)
{
	struct d_front *d = l->d;
	const struct dph_map map = {.kind = DP_MAP_SPECULATION,
				    .values = DP_MAP_HOLDS_SPECULATION,
				    .places = 1,
				    .a = buffer_bytes(d),
				    .b = d->spec_buffers |
					 (d->spec_ring ? DP_SPEC_RING : DP_SPEC_FILL) << 8};
	if (d->spec_map)
		return d->spec_map - 1;
	if (d->program->map_count >= DPH_MAX_MAPS) {
		dph_d_error(d, D_HERE_LIMIT, l->code->place,
			    "the program has more aggregations and arrays than an agent's %d",
			    (int)DPH_MAX_MAPS);
		return 0;
	}
	d->spec_map = (unsigned)dph_ir_map(d->program, &map) + 1;
	return d->spec_map - 1;
}

void dph_d_lower_speculation(struct d_lower *l, struct d_node *node)
{
	(void)node;
	dph_d_emit(l->code, RPN_PUSH_SPEC, map_of(l));
}

void dph_d_speculation_keep(struct d_lower *l)
{
	dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, D_TEMP_SPEC));
}

void dph_d_speculation_do(struct d_lower *l, enum rpn_op op)
{
	dph_d_emit(l->code, op, map_of(l));
}

void dph_d_speculation_begin(struct d_lower *l)
{
	dph_d_emit(l->code, RPN_PUSH_LP, 0);
	dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, D_TEMP_SPEC_LOGGED));
}

void dph_d_speculation_end(struct d_lower *l)
{
	dph_d_emit(l->code, RPN_PUSH_LV_N, dph_d_temp(l, D_TEMP_SPEC_LOGGED));
	dph_d_emit(l->code, RPN_PUSH_LV_N, dph_d_temp(l, D_TEMP_SPEC));
	dph_d_emit(l->code, RPN_LOG_SPEC, map_of(l));
}

void dph_d_speculation_fits(struct d_front *d, uint64_t bytes, struct dph_place place)
{
	const unsigned most = buffer_bytes(d) - DP_SPEC_HEAD_BYTES;
	if (bytes > most)
		dph_d_error(d, D_HERE_LIMIT, place,
			    "the clause records %llu bytes or more, and a speculation has room for "
			    "%u; record less, or use a larger buffer: -x specsize=%u",
			    (unsigned long long)bytes, most, 2 * buffer_bytes(d));
}
