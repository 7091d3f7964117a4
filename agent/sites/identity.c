/* SPDX-License-Identifier: BSD-2-Clause */
/* Find the modules that programs name, and compare their identities with those in the programs. */
#include "dp_identity.h"

#include "dp_bytes.h"
#include "dp_memory.h"
#include "dp_module_names.h"
#include "dp_object.h"
#include "dp_text.h"

bool dp_module_identity(const struct dp_module *module, uint8_t *id)
{
	uint32_t crc;
	bool readable = dp_text_crc(module->base, (uint32_t)module->bytes, true, &crc);

	dp_put_u32(id, crc);
	dp_put_u32(id + 4, (uint32_t)module->bytes);
	return readable;
}

bool dp_module_matches(const struct dp_agent *agent, const struct dp_program *program,
		       const uint8_t *row, const struct dp_module *module)
{
	bool stamped = dp_module_stamped(module);
	uint8_t id[DP_TEXT_IDENTITY_BYTES];

	if (row[DP_MOD_IDENTITY] != (stamped ? DP_IDENTITY_BUILD_ID : DP_IDENTITY_TEXT_CRC))
		return program->options & DP_COMMIT_NO_IDENTITY;
	if (stamped)
		return dp_equal(row + DP_MOD_ID, module->build_id, module->build_id_bytes);
	if (dp_is_image(agent, module))
		return dp_equal(row + DP_MOD_ID, agent->identity, sizeof(id));
	return dp_module_identity(module, id) && dp_equal(row + DP_MOD_ID, id, sizeof(id));
}
