/* SPDX-License-Identifier: BSD-2-Clause */
/* A feature's part of start and poll. agent.c walks the features without their names. */
#ifndef DP_FEATURES_H
#define DP_FEATURES_H

#include "dp_state.h"

/* Any member may be null. */
struct dp_feature {
	/* Is there the memory that the feature needs? returns: DP_ERR_OK or NO_SPACE. */
	enum dp_err (*accept)(const struct dp_memory *memory);
	/* The agent starts: tables are empty, the port is attached. Thread, interrupts masked. */
	void (*start)(struct dp_agent *agent);
	/* dp_poll runs. Thread. */
	void (*poll)(struct dp_agent *agent);
};

/* In storm.c, integrity.c, status_lines.c and stop.c; others add nothing here. */
extern const struct dp_feature dp_feature_storm, dp_feature_integrity, dp_feature_stream,
	dp_feature_d;

#endif
