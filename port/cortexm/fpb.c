/* SPDX-License-Identifier: BSD-2-Clause */
/* Traps in flash, by the Flash Patch and Breakpoint unit. A comparator replaces a word, so two
 * instructions in one word share it. The trap has the length of the instruction, as in memory
 * (patch.c): of an instruction in two words only the first half is replaced, which does outside of
 * IT blocks. */
#include "cortexm_fpb.h"

#include "cortexm_traps.h"
#include "dp_errors.h"
#include "dprobes_cpu.h"
#include "thumb/thumb_decode.h"

#if DP_CORTEXM_WITH_FPB
/* C1.11.3: the unit */
#define DP_FP_CTRL         0xe0002000u
#define DP_FP_KEY          0x00000002u /* else a write is ignored */
#define DP_FP_ENABLE       0x00000001u
#define DP_FP_REVISION(c)  ((c) >> 28)
#define DP_FP_CODE(c)      (((c) >> 4 & 15) | ((c) >> 8 & 0x70))
#define DP_FP_LITERAL(c)   ((c) >> 8 & 15)
#define DP_FP_CODE_REDUCED 2 /* comparators of a unit without remap: DDI 0337 7.3.1 */
/* C1.11.4: the table. Reads have its upper bits, which are fixed, as RMPSPT. */
#define DP_FP_REMAP  0xe0002004u
#define DP_FP_RMPSPT 0x20000000u
/* C1.11.5: a comparator. REPLACE 0: the word comes from the table. */
#define DP_FP_COMP(n)     (0xe0002008u + 4u * (n))
#define DP_FP_COMP_ENABLE 0x00000001u
#define DP_FP_REPLACE(c)  ((c) >> 30)
#define DP_FP_COMPARED    0xdffffffdu /* bits that read as written */
#define DP_CODE_REGION    0x20000000u /* its end */
enum {
	DP_IT_REACH = 7 /* halfwords before the last instruction of a block */
};

/* --- the unit --- */

static bool is_on(unsigned n)
{
	return dp_unit_get(DP_FP_COMP(n)) & DP_FP_COMP_ENABLE;
}

static bool is_remap(uint32_t comparator)
{
	return (comparator & DP_FP_COMP_ENABLE) && DP_FP_REPLACE(comparator) == 0;
}

static unsigned lack_of(uint32_t control, uint32_t table)
{
	if (DP_FP_CODE(control) == 0)
		return DP_LACKS_UNIT;
	if (DP_FP_REVISION(control) != 0)
		return DP_LACKS_VERSION;
	if (DP_FP_CODE(control) <= DP_FP_CODE_REDUCED)
		return DP_LACKS_PATCH;
	if (!(dp_unit_get(DP_FP_REMAP) & DP_FP_RMPSPT))
		return DP_LACKS_REMAP;
	if (DP_FP_CODE(control) + DP_FP_LITERAL(control) > DP_FPB_WORDS)
		return DP_LACKS_SMALL;
	if (table - DP_FP_RMPSPT >= DP_FP_RMPSPT || table % DP_FPB_TABLE_BYTES != 0)
		return DP_LACKS_TABLE;
	return DP_LACKS_NOTHING;
}

/* Does a comparator use another table, or the table for data? The unit has one address of a table.
 * Literal comparators stand behind those of code. */
static bool table_is_used(uint32_t control, uint32_t table)
{
	unsigned code = DP_FP_CODE(control);
	bool ours = dp_unit_get(DP_FP_REMAP) == table;

	for (unsigned n = 0; n < code + DP_FP_LITERAL(control); n++)
		if (n < code ? is_remap(dp_unit_get(DP_FP_COMP(n))) && !ours : is_on(n))
			return true;
	return false;
}

void dp_fpb_attach(struct dp_fpb *fpb, uint32_t table)
{
	uint32_t control = dp_unit_get(DP_FP_CTRL);
	unsigned count = DP_FP_CODE(control);

	fpb->lacks = (uint8_t)lack_of(control, table);
	if (fpb->lacks == DP_LACKS_NOTHING && table_is_used(control, table))
		fpb->lacks = DP_LACKS_OWNER;
	if (fpb->lacks != DP_LACKS_NOTHING)
		return;
	for (unsigned n = 0; n < count; n++)
		if (is_remap(dp_unit_get(DP_FP_COMP(n))))
			dp_unit_set(DP_FP_COMP(n), 0);
	fpb->table = table;
	fpb->count = (uint8_t)(count < DP_FPB_CODE ? count : DP_FPB_CODE);
	dp_fpb_publish();
}

/* --- the word of a comparator --- */

static uint32_t address_of(uint32_t site)
{
	return site & ~1u;
}

static uint32_t word_of(uint32_t site)
{
	return site & ~3u;
}

/* A site of the comparator; 0: it has none. */
static uint32_t any_site(const struct dp_fpb *fpb, unsigned n)
{
	return fpb->site[n] != 0 ? fpb->site[n] : fpb->site[n + DP_FPB_CODE];
}

/* The comparator whose word it is; count: none. */
static unsigned comparator_of(const struct dp_fpb *fpb, uint32_t word)
{
	unsigned n = 0;

	while (n < fpb->count && (any_site(fpb, n) == 0 || word_of(any_site(fpb, n)) != word))
		n++;
	return n;
}

/* Is the whole word one instruction? */
static bool is_whole(uint32_t site)
{
	return (site & 3) == 1;
}

/* Lay the trap of the site over the word. */
static uint32_t with_trap(uint32_t word, uint32_t site)
{
	const uint32_t wide = DP_ARM_TRAP_THUMB32;

	if (site == 0)
		return word;
	if (site & 2)
		return (word & 0xffff) | DP_ARM_TRAP_THUMB << 16;
	if (is_whole(site))
		return wide << 16 | wide >> 16;
	return (word & 0xffff0000u) | DP_ARM_TRAP_THUMB;
}

static uint32_t word_with_traps(const struct dp_fpb *fpb, unsigned n, uint32_t word)
{
	return with_trap(with_trap(word, fpb->site[n]), fpb->site[n + DP_FPB_CODE]);
}

/* --- IT blocks --- */

static bool half_at(uint32_t address, uint32_t *half)
{
	uint32_t word = 0;

	if (!dp_fpb_text(address & ~3u, &word))
		return false;
	*half = address & 2 ? word >> 16 : word & 0xffff;
	return true;
}

/* Is the instruction one of the block that would begin behind `it`?  DDI 0403E A7.7.38 */
static bool is_in_block(uint32_t it, uint32_t mask, uint32_t address)
{
	unsigned instructions = 4u - (unsigned)__builtin_ctz(mask);
	uint32_t half = 0;

	for (it += 2; instructions > 0 && it < address; instructions--) {
		if (!half_at(it, &half))
			return false;
		it += dp_thumb_bytes(half);
	}
	return instructions > 0 && it == address;
}

/* May the instruction be in an IT block? The second half of an instruction of 4 bytes may look like
 * an IT instruction: then the answer is true too. */
static bool may_be_in_block(uint32_t address)
{
	uint32_t half = 0;

	for (unsigned back = 1; back <= DP_IT_REACH && half_at(address - 2 * back, &half); back++)
		if (half >> 8 == 0xbf && (half & 15) != 0 &&
		    is_in_block(address - 2 * back, half & 15, address))
			return true;
	return false;
}

/* --- places --- */

/* Does the word have another trap than over the instruction, and room for this one? */
static bool shares(const struct dp_fpb *fpb, unsigned n, uint32_t address, unsigned bytes)
{
	uint32_t asked = address | (bytes == 4);

	for (; n < DP_FPB_PLACES; n += DP_FPB_CODE) {
		uint32_t other = fpb->site[n];

		if (other != 0 && other != asked && (is_whole(other) || is_whole(asked)))
			return false;
	}
	return true;
}

enum dp_fpb_answer dp_fpb_can(const struct dp_fpb *fpb, unsigned place, uint32_t address,
			      unsigned bytes)
{
	unsigned n = place % DP_FPB_CODE, has = comparator_of(fpb, word_of(address));

	if (n >= fpb->count || address >= DP_CODE_REGION ||
	    (bytes == 4 && (address & 2) && may_be_in_block(address)))
		return DP_FPB_NO;
	if (has < fpb->count) /* a site is there, and may be this one */
		return n == has && shares(fpb, n, address, bytes) ? DP_FPB_YES : DP_FPB_NO;
	if (place >= DP_FPB_CODE) /* counted in place of the first one, where that is free */
		return fpb->site[n] == 0 && fpb->site[place] != 0 ? DP_FPB_YES : DP_FPB_NO;
	if (any_site(fpb, n) == 0)
		return is_on(n) ? DP_FPB_TAKEN : DP_FPB_YES;
	return fpb->site[n] != 0 ? DP_FPB_YES : DP_FPB_TAKEN;
}

static bool switch_on(struct dp_fpb *fpb)
{
	if (!(dp_unit_get(DP_FP_CTRL) & DP_FP_ENABLE)) {
		fpb->enabled = true;
		dp_unit_set(DP_FP_CTRL, DP_FP_KEY | DP_FP_ENABLE);
	}
	return dp_unit_get(DP_FP_CTRL) & DP_FP_ENABLE;
}

/* The unit was off before the agent's first comparator: off behind its last one. */
static void switch_off(struct dp_fpb *fpb)
{
	uint32_t control = dp_unit_get(DP_FP_CTRL);

	for (unsigned n = 0; n < DP_FP_CODE(control) + DP_FP_LITERAL(control); n++)
		if (is_on(n))
			return;
	if (fpb->enabled)
		dp_unit_set(DP_FP_CTRL, DP_FP_KEY);
	fpb->enabled = false;
}

/* The table has the word before the comparator is on. A table of somebody else stays. */
bool dp_fpb_arm(struct dp_fpb *fpb, unsigned place, uint32_t address, unsigned bytes)
{
	unsigned n = place % DP_FPB_CODE;
	bool first = any_site(fpb, n) == 0;
	uint32_t word = 0;

	if (n >= fpb->count || !dp_fpb_text(word_of(address), &word) || (first && is_on(n)) ||
	    table_is_used(dp_unit_get(DP_FP_CTRL), fpb->table))
		return false;
	fpb->site[place] = address | (bytes == 4);
	fpb->word[n] = word;
	dp_unit_set(fpb->table + 4 * n, word_with_traps(fpb, n, word));
	if (first) {
		dp_unit_set(DP_FP_REMAP, fpb->table);
		dp_fpb_publish();
		dp_unit_set(DP_FP_COMP(n), word_of(address) | DP_FP_COMP_ENABLE);
	}
	if (switch_on(fpb) && dp_fpb_holds(fpb, place)) {
		dp_fpb_publish();
		return true;
	}
	dp_fpb_disarm(fpb, place);
	return false;
}

/* Does the comparator serve the word of the site, by the agent's table? */
static bool serves(const struct dp_fpb *fpb, unsigned n, uint32_t site)
{
	return dp_unit_get(DP_FP_REMAP) == fpb->table &&
	       (dp_unit_get(DP_FP_COMP(n)) & DP_FP_COMPARED) == (word_of(site) | DP_FP_COMP_ENABLE);
}

/* A comparator that a debugger has taken meanwhile stays the debugger's. The other site of the word
 * stays armed, also while the word cannot be read. */
void dp_fpb_disarm(struct dp_fpb *fpb, unsigned place)
{
	unsigned n = place % DP_FPB_CODE;
	uint32_t was = fpb->site[place], word = 0;

	if (was == 0)
		return;
	fpb->site[place] = 0;
	if (any_site(fpb, n) != 0) {
		if (!dp_fpb_text(word_of(was), &word))
			word = fpb->word[n];
		dp_unit_set(fpb->table + 4 * n, word_with_traps(fpb, n, word));
	} else if (serves(fpb, n, was)) {
		dp_unit_set(DP_FP_COMP(n), 0);
		switch_off(fpb);
	}
	dp_fpb_publish();
}

bool dp_fpb_holds(const struct dp_fpb *fpb, unsigned place)
{
	unsigned n = place % DP_FPB_CODE;
	uint32_t site = fpb->site[place], word = 0;

	return site != 0 && (dp_unit_get(DP_FP_CTRL) & DP_FP_ENABLE) && serves(fpb, n, site) &&
	       dp_fpb_text(word_of(site), &word) &&
	       dp_unit_get(fpb->table + 4 * n) == word_with_traps(fpb, n, word);
}

bool dp_fpb_traps(const struct dp_fpb *fpb, uint32_t address)
{
	for (unsigned i = 0; i < DP_FPB_PLACES; i++)
		if (fpb->site[i] != 0 && address_of(fpb->site[i]) == address)
			return true;
	return false;
}
#endif
