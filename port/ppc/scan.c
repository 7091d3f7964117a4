/* SPDX-License-Identifier: BSD-2-Clause */
/* The scan reads the instructions around a site. port/README.md 8 */
#include "ppc_port.h"

enum {
	UNKNOWN_BACK = 128
}; /* without a symbol: this far back for an open window. Linux: the same */

bool dp_ppc_in_window(const struct dp_site *site, dp_original_at original_at)
{
	uint32_t at = site->extent, word;
	bool open = false;

	if (site->extent_bytes == 0 || at > site->address)
		at = site->address - UNKNOWN_BACK;
	for (; at != site->address; at += 4) {
		if (!original_at(at, (uint8_t *)&word, 4))
			continue;
		if (dp_ppc_opens_window(word))
			open = true;
		else if (dp_ppc_closes_window(word))
			open = false;
	}
	return open;
}
