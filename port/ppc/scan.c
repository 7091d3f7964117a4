/* SPDX-License-Identifier: BSD-2-Clause */
/* The scan reads the instructions around a site. port/README.md 8 */
#include "ppc_port.h"

bool dp_ppc_in_window(const struct dp_site *site, dp_original_at original_at)
{
	uint32_t at = dp_site_scan_from(site), word;
	bool open = false;

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
