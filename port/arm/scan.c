/* SPDX-License-Identifier: BSD-2-Clause */
/* The scan finds instruction boundaries (Thumb) and exclusive windows in the function around a
 * site. port/README.md 8 */
#include "arm_scan.h"

#include "arm_port.h"

struct scan {
	uint32_t at;
	uint32_t insn;
	unsigned bytes;
	bool open; /* a load-exclusive without its store-exclusive */
};

static void note_window(struct scan *s, bool thumb)
{
	int window = dp_arm_window(s->insn, thumb);

	if (window)
		s->open = window > 0;
}

static bool fetch(struct scan *s, bool thumb, dp_original_at original_at)
{
	union {
		uint16_t half[2];
		uint8_t byte[4];
	} memory;

	if (!original_at(s->at, memory.byte, 2))
		return false;
	s->insn = memory.half[0];
	s->bytes = thumb ? dp_thumb_bytes(s->insn) : 4;
	if (s->bytes == 2)
		return true;
	if (!original_at(s->at + 2, memory.byte + 2, 2))
		return false;
	s->insn = thumb ? s->insn << 16 | memory.half[1] : s->insn | (uint32_t)memory.half[1] << 16;
	return true;
}

/* Step from instruction to instruction up to the site: the extent has no data. */
static enum dp_err scan_thumb(const struct dp_site *site, dp_original_at original_at,
			      struct scan *s)
{
	for (; s->at < site->address; s->at += s->bytes) {
		if (!fetch(s, true, original_at))
			return DP_ERR_NOT_BOUNDARY;
		note_window(s, true);
	}
	return s->at == site->address ? DP_ERR_OK : DP_ERR_NOT_BOUNDARY;
}

/* Only look for an open window, at every step a Thumb instruction could begin. */
static void scan_back(const struct dp_site *site, dp_original_at original_at, struct scan *s)
{
	bool thumb = dp_arm_is_thumb(site);

	for (; s->at < site->address; s->at += thumb ? 2 : 4) {
		if (fetch(s, thumb, original_at))
			note_window(s, thumb);
	}
}

enum dp_err dp_arm_scan(const struct dp_site *site, dp_original_at original_at)
{
	enum dp_err error = DP_ERR_OK;
	struct scan s; /* filled one by one: an initialiser becomes a call to memset */

	s.at = dp_site_scan_from(site);
	s.insn = 0;
	s.bytes = 0;
	s.open = false;
	if (!dp_arm_is_thumb(site) || site->before == DP_SITE_NO_EXTENT)
		scan_back(site, original_at, &s);
	else if (dp_site_extent_known(site))
		error = scan_thumb(site, original_at, &s);
	else
		error = DP_ERR_NOT_BOUNDARY;
	return error == DP_ERR_OK && s.open ? DP_ERR_IN_ATOMIC : error;
}
