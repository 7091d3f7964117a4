/* SPDX-License-Identifier: BSD-2-Clause */
/* The readings at the end of a run, live or captured. */
#ifndef DPH_RUN_END_H
#define DPH_RUN_END_H

#include "cmd_stream.h"

#include "dp_rpn.h"

/* The counters of our program's probes, and its variables, when it was stopped. */
struct dph_run_end {
	uint8_t program;
	char name[64];
	uint16_t vars;
	uint64_t words[RPN_VARS_MAX]; /* of the variables */
	size_t word_count;
	const struct dp_image *names;
	struct dp_probe_answer *probes;
	size_t count, capacity;
	uint64_t ran_ms;
};

void dph_run_end_add(struct dph_run_end *end, const struct dp_probe_answer *probe);
void dph_run_end_free(struct dph_run_end *end);

/* Are the variables and arrays of a D program printed? Not where it prints by itself what it wants
 * to be seen. */
bool dph_run_end_named(const struct dph_stream *stream);
/* Print the variables of a D program. Its arrays follow. */
void dph_run_end_tell_named(const struct dph_stream *stream, const struct dph_run_end *end);
/* Print all else. */
void dph_run_end_tell(struct dph_stream *stream, const struct dph_run_end *end);

#endif
