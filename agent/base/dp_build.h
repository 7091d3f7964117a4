/* SPDX-License-Identifier: BSD-2-Clause */
/* Which features and parts this build has, and the features' part of start and poll, which agent.c
 * walks without their names.  dp_config.h, protocol/features.def, protocol/parts.def
 * A feature varies by file: sources.mk lists the files under its name. Where code must vary inside
 * a file, a header has an empty function in the place of the feature's. */
#ifndef DP_BUILD_H
#define DP_BUILD_H

#include "dp_config.h"
#include "dp_errors.h"

/* DP_IF(DP_WITH_NAME, code,): only with the feature, where no function can stand. */
#define DP_IF(with, ...)  DP_IF_(with, __VA_ARGS__)
#define DP_IF_(with, ...) DP_IF_##with(__VA_ARGS__)
#define DP_IF_1(...)      __VA_ARGS__
#define DP_IF_0(...)

/* Tables lie deep in the agent. The address of an entry in a register of its own puts the
 * members in reach of short instructions. Each use states the gain. */
#define DP_NEAR(pointer) __asm__("" : "+r"(pointer))

/* Out of line, so that the common way through the caller saves no register: a hit that only counts
 * takes 11 instructions less on MIPS, 17 less on PowerPC; a poll that rests 20 less (MIPS). */
#define DP_APART __attribute__((__noinline__))

/* DP_HAS_NAME: is the part in this build? */
enum {
	DP_WITH_ALWAYS = 1,
	DP_HAS_CORE = 1, /* of no part: rpn_ops.def */
#define DP_PART(number, name, feature, sentence) DP_HAS_##name = DP_WITH_##feature,
#include "parts.def"
};

/* HELLO's parts and more_parts. A table of more than 31 + 32 parts does not compile. */
enum {
#define DP_PART(number, name, feature, sentence) +((number) < 32 ? 1 << (number) % 32 : 0)
	DP_PARTS_ALL = 0
#include "parts.def"
		,
#define DP_PART(number, name, feature, sentence)                                                   \
	+((number) < 32 ? DP_HAS_##name << (number) % 32 : 0)
	DP_PARTS = 0
#include "parts.def"
		,
#define DP_PART(number, name, feature, sentence)                                                   \
	+((number) < 32 ? 0 : DP_HAS_##name << (number) % 32)
	DP_MORE_PARTS = 0
#include "parts.def"
		,
};

/* Bit n: phase n (DP_PHASE_*) is offered. */
#define DP_BUILD_PHASES (DP_PORT_PHASES | (unsigned)DP_RETURNS << DP_PHASE_RETURNED)

struct dp_agent;
struct dp_memory;

/* Any member may be null. */
struct dp_feature {
	/* Is there the memory that the feature needs? returns: DP_ERR_OK or NO_SPACE. */
	enum dp_err (*accept)(const struct dp_memory *memory);
	/* The agent starts: tables are empty, the port is attached. Thread, interrupts masked. */
	void (*start)(struct dp_agent *agent);
	/* dp_poll runs. Thread. */
	void (*poll)(struct dp_agent *agent);
};

/* In storm.c, integrity.c, status_lines.c, stop.c, timer_run.c, embed.c and speculate.c; others add
 * nothing here. */
extern const struct dp_feature dp_feature_storm, dp_feature_integrity, dp_feature_stream,
	dp_feature_d, dp_feature_timers, dp_feature_history, dp_feature_speculate;

#endif
