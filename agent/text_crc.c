/* SPDX-License-Identifier: BSD-2-Clause */
/* Checksums of text as it was before probes. */
#include "dp_bytes.h"
#include "dp_core.h"
#include "dp_crc.h"

static uint16_t armed_within(const struct dp_agent *agent, dp_addr address, uint32_t bytes)
{
	uint16_t sites = 0;

	for (unsigned i = 0; i < DP_MAX_PROBES; i++)
		if (agent->site[i].armed && agent->site[i].address - address < bytes)
			sites++;
	return sites;
}

bool dp_text_crc(const struct dp_agent *agent, dp_addr address, uint32_t bytes, bool original,
		 uint32_t *crc, uint16_t *sites)
{
	uint8_t buffer[64];
	uint32_t done = 0;

	*crc = 0;
	while (done < bytes) {
		uint32_t piece = bytes - done < sizeof(buffer) ? bytes - done : sizeof(buffer);

		dp_irq irq = dp_port_mask(); /* a hit may disarm between the read and the overlay */
		bool whole = original ? dp_text_original(address + done, buffer, piece)
				      : dp_port_read(address + done, buffer, piece, 0) == piece;

		dp_port_unmask(irq);
		if (!whole)
			return false;
		*crc = dp_crc32(*crc, buffer, piece);
		done += piece;
	}
	if (sites)
		*sites = armed_within(agent, address, bytes);
	return true;
}

#if DP_WITH_IDENTITY
bool dp_module_identity(const struct dp_agent *agent, const struct dp_module *module, uint8_t *id)
{
	uint32_t crc;
	bool readable = dp_text_crc(agent, module->base, (uint32_t)module->bytes, true, &crc, NULL);

	dp_put_u32(id, crc);
	dp_put_u32(id + 4, (uint32_t)module->bytes);
	return readable;
}
#endif
