/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's interpreter, seen through the reference's structs, once per word size and byte
 * order; and one question: do the two agree? */
#ifndef SUBJECT_H
#define SUBJECT_H

#include "dp_errors.h"
#include "reference.h"

/* Run the handler at `entry` in the agent's interpreter: what ref_run does to m and m->world. */
typedef void subject_run(struct ref_machine *m, unsigned entry);
subject_run subject_run_32le, subject_run_32be, subject_run_64le, subject_run_64be;

/* A probe object and what it runs in. */
struct subject_case {
	const uint8_t *object; /* 4-byte aligned */
	uint32_t bytes;
	const struct ref_world *world;
	uint64_t stack_seed;
	unsigned hits;
};

/* Both sides after a case. */
struct subject_outcome {
	enum dp_err refused; /* by the verifier, at code offset `where`; else DP_ERR_OK */
	uint32_t where;
	struct ref_program program;
	unsigned entry;
	unsigned hit; /* the last one that ran, from 1 */
	struct ref_machine reference, agent;
	struct ref_world reference_world, agent_world;
};

/* Verify, then run both, hit by hit. Returns null, or the name of the first thing that differs. A
 * refused object is no difference. The program's code stays in the object. */
const char *subject_compare(const struct subject_case *input, struct subject_outcome *outcome);

#endif
