/* SPDX-License-Identifier: BSD-2-Clause */
/* The reason of a refused object. The feature CHECKS adds the place, and the value found. */
#ifndef DP_VERDICT_H
#define DP_VERDICT_H

#include "dp_build.h"
#include "dp_errors.h"
#include "dp_object.h"
#include "dp_port.h"

#if DP_WITH_CHECKS
/* found: an address, or a number of 32 bits. */
static inline void dp_found(struct dp_verdict *verdict, dp_addr found)
{
	verdict->found = (uint32_t)found;
	if (sizeof(found) > sizeof(uint32_t))
		verdict->found_above = (uint32_t)(found >> 16 >> 16);
}

static inline void dp_at_probe(struct dp_verdict *verdict, unsigned point)
{
	verdict->probe = (uint16_t)point;
}
#else
static inline void dp_found(struct dp_verdict *verdict, dp_addr found)
{
	(void)verdict, (void)found;
}

static inline void dp_at_probe(struct dp_verdict *verdict, unsigned point)
{
	(void)verdict, (void)point;
}
#endif

/* Set the value that a refusal found. returns: the error. */
static inline enum dp_err dp_refuse(struct dp_verdict *verdict, enum dp_err error, dp_addr found)
{
	dp_found(verdict, found);
	return error;
}

/* The same for a probe point. */
static inline enum dp_err dp_refuse_point(struct dp_verdict *verdict, enum dp_err error,
					  unsigned point, dp_addr found)
{
	dp_at_probe(verdict, point);
	return dp_refuse(verdict, error, found);
}

/* Refuse an object that needs a part (DP_PART_NAME) which this build lacks. */
static inline enum dp_err dp_left_out(struct dp_verdict *verdict, unsigned part)
{
	return dp_refuse(verdict, DP_ERR_LEFT_OUT, DP_FOUND_PART + part);
}

#endif
