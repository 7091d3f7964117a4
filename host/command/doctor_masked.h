/* SPDX-License-Identifier: BSD-2-Clause */
/* The time that a hit masks interrupts, from the records of probes on two neighbouring
 * instructions: between the two are one whole hit and one instruction. */
#ifndef DPH_DOCTOR_MASKED_H
#define DPH_DOCTOR_MASKED_H

#include <dprobes/host.h>

struct dph_masked {
	struct dp_records *records;
	uint32_t first_ticks; /* of the last hit of the first instruction */
	bool first_hit;
	unsigned pairs;
	uint32_t least; /* ticks; an interrupt between the two makes a pair longer */
};

/* Begin to read records of a session. dph_masked_end frees. Returns false: the line failed. */
bool dph_masked_begin(struct dph_masked *masked, struct dp_session *session);
void dph_masked_line(struct dph_masked *masked, const struct dp_frame_in *frame);
void dph_masked_end(struct dph_masked *masked);

/* Write a program with a probe on the first two instructions of a function. Returns false where the
 * image does not show the second one. */
bool dph_masked_program(const struct dp_image *image, const char *function, char *text,
			size_t room);

#endif
