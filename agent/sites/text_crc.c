/* SPDX-License-Identifier: BSD-2-Clause */
/* Checksums of the text without probes. */
#include "dp_text.h"

#include "dp_crc.h"
#include "dp_watches.h"

bool dp_text_crc(dp_addr address, uint32_t bytes, bool original, uint32_t *crc)
{
	uint8_t buffer[64];
	uint32_t done = 0;

	*crc = 0;
	while (done < bytes) {
		uint32_t piece = bytes - done < sizeof(buffer) ? bytes - done : sizeof(buffer);

		bool whole = original ? dp_text_original(address + done, buffer, piece)
				      : dp_watches_read(address + done, buffer, piece) == piece;

		if (!whole)
			return false;
		*crc = dp_crc32(*crc, buffer, piece);
		done += piece;
	}
	return true;
}
