/* SPDX-License-Identifier: BSD-2-Clause */
/* The scan finds instruction boundaries and exclusive windows in the function around a site. The
 * port's dp_scan_cpu.h knows the instructions. */
#include "dp_scan.h"

#include "dp_decoder.h"
#include "dp_scan_cpu.h"

/* Read the instruction at an address, a unit at a time until the length is known: the bytes behind
 * the instruction may be unreadable. Returns its length; 0: not readable, or no instruction. */
static unsigned fetch(const struct dp_site *site, dp_addr at, dp_original_at original_at,
		      union dp_scanned *insn)
{
	const unsigned unit = dp_scan_unit(site);
	unsigned bytes = 0, there = 0;

	while (bytes == 0 && there + unit <= sizeof(insn->byte)) {
		if (!original_at(at + there, insn->byte + there, unit))
			return 0;
		there += unit;
		bytes = dp_scan_bytes(site, insn, there);
	}
	if (bytes > there && !original_at(at + there, insn->byte + there, bytes - there))
		return 0;
	return bytes;
}

/* With a known extent the scan steps from instruction to instruction: the extent has no data.
 * Else it only looks for an open window, wherever an instruction could begin. */
enum dp_err dp_scan(const struct dp_site *site, dp_original_at original_at)
{
	const bool exact = dp_scan_varies(site) && site->before != DP_SITE_NO_EXTENT;
	dp_addr at = dp_site_scan_from(site);
	union dp_scanned insn;
	unsigned open = 0;

	insn.word = 0;
	if (exact && !dp_site_extent_known(site))
		return DP_ERR_NOT_BOUNDARY;
	while (at < site->address) {
		const unsigned bytes = fetch(site, at, original_at, &insn);

		if (exact && bytes == 0)
			return DP_ERR_NOT_BOUNDARY;
		if (bytes)
			open = dp_windows_behind(open, dp_scan_window(site, &insn));
		at += exact ? bytes : dp_scan_unit(site);
	}
	if (exact && at != site->address)
		return DP_ERR_NOT_BOUNDARY;
	return open ? DP_ERR_IN_ATOMIC : DP_ERR_OK;
}
