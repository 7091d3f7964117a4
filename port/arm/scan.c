/* SPDX-License-Identifier: BSD-2-Clause */
/* The scan finds instruction boundaries (Thumb) and exclusive windows in the function around a
 * site. port/README.md 8 */
#include "arm_scan.h"

#include "arm_port.h"

enum {
	/* Without a symbol: this far back for an open window. Linux does the same. */
	UNKNOWN_BACK = 128,
	/* A site this far into its function is as without a symbol: the host says where it begins,
	 * and interrupts are masked. */
	FUNCTION_MAX = 0x8000,
};

struct scan {
	uint32_t at;
	uint32_t insn;
	unsigned bytes;
	uint32_t pool, pool_end; /* literals that loads so far refer to; pool = ~0: none */
	bool open;               /* a load-exclusive without its store-exclusive */
};

/* Does the instruction open a window (bit 20: a load) or close one? */
static void note_window(struct scan *s, bool thumb)
{
	uint32_t insn = s->insn;
	bool load = insn >> 20 & 1, exclusive;

	if (!thumb)
		exclusive = (insn & 0x0f800ff0) == 0x01800f90;
	else if (load && (insn & 0xfff00000) == 0xe8500000)
		exclusive = (insn & 0xf00) == 0xf00;
	else
		exclusive = (insn & 0xfff00000) == 0xe8400000 || (insn & 0xffe000c0) == 0xe8c00040;
	if (exclusive)
		s->open = load;
	else if (insn == (thumb ? 0xf3bf8f2f : 0xf57ff01f)) /* clrex */
		s->open = false;
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
	s->bytes = thumb ? dp_arm_thumb_bytes(s->insn) : 4;
	if (s->bytes == 2)
		return true;
	if (!original_at(s->at + 2, memory.byte + 2, 2))
		return false;
	s->insn = thumb ? s->insn << 16 | memory.half[1] : s->insn | (uint32_t)memory.half[1] << 16;
	return true;
}

/* Remember the literal that this instruction loads, as data. */
static void note_literal(struct scan *s)
{
	uint32_t base = (s->at + 4) & ~3u, insn = s->insn, offset, size = 4;

	if (s->bytes == 2 && (insn & 0xf800) == 0x4800) {
		offset = 4 * (insn & 0xff);
	} else if (s->bytes == 4 && (insn & 0xfe9f0000) == 0xf89f0000) { /* ldr.w, ldrb.w ... */
		offset = insn & 0xfff;
	} else if (s->bytes == 4 &&
		   ((insn & 0xff7f0000) == 0xe95f0000 ||  /* ldrd */
		    (insn & 0xff3f0e00) == 0xed1f0a00) && /* vldr */
		   (insn & 0x00800000)) {
		offset = 4 * (insn & 0xff);
		size = 8;
	} else {
		return;
	}
	if (base + offset < s->pool)
		s->pool = base + offset;
	if (base + offset + size > s->pool_end)
		s->pool_end = base + offset + size;
}

/* End of the table behind tbb, tbh [pc, ..]: the place of the table's nearest target. */
static uint32_t table_end(const struct scan *s, dp_original_at original_at)
{
	uint32_t width = s->insn & 0x10 ? 2 : 1, begin = s->at + 4, end = ~0u, at;
	uint8_t b[2] = {0, 0};

	for (at = begin; at < end; at += width) {
		if (!original_at(at, b, width))
			break;
		if (begin + 2 * (b[0] | (uint32_t)b[1] << 8) < end)
			end = begin + 2 * (b[0] | (uint32_t)b[1] << 8);
	}
	return (at + 1) & ~1u;
}

/* Step from instruction to instruction up to the site. Literal pools are data: skipped. */
static enum dp_err scan_thumb(const struct dp_site *site, dp_original_at original_at,
			      struct scan *s)
{
	while (s->at < site->address) {
		if (s->at >= s->pool) {
			s->at = s->pool_end > s->at ? s->pool_end : s->at;
			s->pool = ~0u;
			s->pool_end = 0;
			continue;
		}
		if (!fetch(s, true, original_at))
			return DP_ERR_OK; /* not known */
		note_window(s, true);
		note_literal(s);
		if (s->bytes == 4 && (s->insn & 0xffffffe0) == 0xe8dff000)
			s->at = table_end(s, original_at);
		else
			s->at += s->bytes;
	}
	/* Inside a pool, or behind its beginning: data. */
	return s->at == site->address && s->at < s->pool ? DP_ERR_OK : DP_ERR_NOT_BOUNDARY;
}

/* Without a symbol: only look for an open window, at every step a Thumb instruction could begin. */
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

	s.at = site->extent;
	s.insn = 0;
	s.bytes = 0;
	s.pool = ~0u;
	s.pool_end = 0;
	s.open = false;
	if (site->extent_bytes == 0 || site->address - s.at > FUNCTION_MAX) {
		s.at = site->address > UNKNOWN_BACK ? site->address - UNKNOWN_BACK : 0;
		scan_back(site, original_at, &s);
	} else if (dp_arm_is_thumb(site)) {
		error = scan_thumb(site, original_at, &s);
	} else {
		scan_back(site, original_at, &s);
	}
	return error == DP_ERR_OK && s.open ? DP_ERR_IN_ATOMIC : error;
}
