/* SPDX-License-Identifier: BSD-2-Clause */
/* Find the modules that programs name, and compare their identities with those in the programs. */
#ifndef DP_IDENTITY_H
#define DP_IDENTITY_H

#include "dp_state.h"

enum {
	DP_TEXT_IDENTITY_BYTES = 8 /* of the checksum that stands for a build-id */
};

/* Is the module known by a build-id? */
static inline bool dp_module_stamped(const struct dp_module *module)
{
	return module->build_id != NULL && module->build_id_bytes != 0;
}

/* Is the module the one that the row of the program says the program was built against? */
bool dp_module_matches(const struct dp_agent *agent, const struct dp_program *program,
		       const uint8_t *row, const struct dp_module *module);
/* The identity of a module without a build-id: CRC and length of its text, DP_TEXT_IDENTITY_BYTES.
 * returns: false when the text is not readable. */
bool dp_module_identity(const struct dp_module *module, uint8_t *id);

#endif
