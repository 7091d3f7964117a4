/* SPDX-License-Identifier: BSD-2-Clause */
/* The maps of a stored program, behind its variables. For store.c alone. */
#ifndef DP_MAP_STORE_H
#define DP_MAP_STORE_H

#include "dp_build.h"
#include "dp_clock.h"
#include "dp_long.h"
#include "dp_map.h"
#include "dp_verify.h"

#if DP_WITH_COUNTS
static inline void dp_store_describe_maps(const struct dp_agent *agent, struct dp_program *program,
					  const struct dp_layout *layout)
{
	program->maps = (uint8_t)layout->map_count;
	program->map_rows = layout->map_count ? (uint16_t)layout->maps : 0;
#if DP_WITH_D
	dp_ns_scale(dp_tick_hz(agent), &program->view);
#else
	(void)agent;
#endif
}

static inline uint32_t dp_store_map_bytes(const struct dp_program *program)
{
	return program->maps ? dp_maps_bytes(program->object + program->map_rows, program->maps)
			     : 0;
}

/* at: cleared. */
static inline void dp_store_place_maps(struct dp_program *program, uint8_t *at)
{
	if (program->maps == 0)
		return;
	program->view.maps = (struct dp_map *)(void *)at;
	dp_maps_place(program->object + program->map_rows, program->maps, program->view.maps);
}
#else
static inline void dp_store_describe_maps(const struct dp_agent *agent, struct dp_program *program,
					  const struct dp_layout *layout)
{
	(void)agent, (void)program, (void)layout;
}

static inline uint32_t dp_store_map_bytes(const struct dp_program *program)
{
	(void)program;
	return 0;
}

static inline void dp_store_place_maps(struct dp_program *program, uint8_t *at)
{
	(void)program, (void)at;
}
#endif

#endif
