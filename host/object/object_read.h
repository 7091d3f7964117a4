/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of objects finds sections and runs the agent's verifier. */
#ifndef DPH_OBJECT_READ_H
#define DPH_OBJECT_READ_H

#include "dp_verify.h"
#include <dprobes/host.h>

struct dph_section {
	const uint8_t *data;
	uint32_t count; /* elements */
};

/* A section by kind (enum dp_section); false and empty when the object has none. */
bool dph_section(const struct dp_object_file *object, unsigned kind, struct dph_section *section);

/* Return the target that the object names, with every limit and right. Returns false: unknown
 * CPU. */
bool dph_target_of(const struct dp_object_file *object, struct dp_target *target);

/* The agent's verifier on the travelling part. */
enum dp_err dph_verify(const struct dp_object_file *object, const struct dp_target *target,
		       struct dp_layout *layout, struct dp_verdict *verdict);

/* Put a verdict into a sentence, at the source line where the object knows the line. name: of
 * the object's file. The verdict may come from a target. */
void dph_verdict_message(const struct dp_object_file *object, const struct dp_verdict *verdict,
			 const char *name, struct dp_messages *messages);

#endif
