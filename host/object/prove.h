/* SPDX-License-Identifier: BSD-2-Clause */
/* The prover bounds the steps and log bytes of a verified program without running the program. */
#ifndef DPH_PROVE_H
#define DPH_PROVE_H

#include <dprobes/host.h>

#define DPH_UNBOUNDED UINT32_MAX /* it depends on data */

struct dph_proof {
	bool loops, calls;  /* some code can run again; some code calls */
	uint32_t steps_max; /* charged to the budget by the most expensive handler */
	uint32_t log_max;   /* user log bytes of the most talkative one */
};

void dph_prove(const struct dp_object_file *object, struct dph_proof *proof);

#endif
