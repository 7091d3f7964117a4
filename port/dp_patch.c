/* SPDX-License-Identifier: BSD-2-Clause */
/* The patcher arms and disarms sites. */
#include "dp_patch.h"

#include "dp_access.h"
#include "dp_access_cpu.h"
#include "dp_agent.h"
#include "dp_slots.h"
#include "dp_watch.h"

#if DP_PORT_TRAP_STORES > 1
/* The widest aligned access by which the bytes can be moved, in equal pieces. */
static unsigned piece_of(dp_addr address, unsigned bytes)
{
	unsigned both = (unsigned)address | bytes | DP_PORT_ACCESS_MAX;

	return both & -both;
}

bool dp_patch_read(dp_addr address, union dp_code *code, unsigned bytes)
{
	unsigned piece = piece_of(address, bytes);

	for (unsigned i = 0; i < bytes; i += piece)
		if (!dp_access_load(address + i, piece, &code->byte[i]))
			return false;
	return true;
}

/* Store every piece or none: a piece may be in another page. Interrupts are masked: on one CPU no
 * other code runs between the stores. */
static bool store(dp_addr address, const union dp_code *code, unsigned bytes)
{
	unsigned piece = piece_of(address, bytes), done = 0;
	dp_irq irq = dp_port_mask();
	union dp_code was;
	bool ok = dp_patch_read(address, &was, bytes);

	for (; ok && done < bytes; done += piece)
		ok = dp_access_store(address + done, piece, &code->byte[done]);
	for (unsigned i = 0; !ok && i + piece < done; i += piece)
		dp_access_store(address + i, piece, &was.byte[i]);
	dp_port_unmask(irq);
	return ok;
}
#else
bool dp_patch_read(dp_addr address, union dp_code *code, unsigned bytes)
{
	return dp_access_load(address, bytes, code);
}

static bool store(dp_addr address, const union dp_code *code, unsigned bytes)
{
	return dp_access_store(address, bytes, code);
}
#endif

void dp_patch_publish(uintptr_t address, size_t bytes)
{
	const struct dp_board *board = dp_access_board();

	dp_port_text_written(address, bytes);
	if (board->text_sync != NULL)
		board->text_sync((dp_addr)address, bytes);
}

static bool same(const uint8_t *a, const uint8_t *b, unsigned bytes)
{
	while (bytes > 0 && *a == *b)
		a++, b++, bytes--;
	return bytes == 0;
}

static bool same_code(const union dp_code *a, const union dp_code *b, unsigned bytes)
{
	if (bytes == 4)
		return a->word == b->word;
	return bytes == 2 ? a->half[0] == b->half[0] : same(a->byte, b->byte, bytes);
}

bool dp_patch_write(dp_addr address, const union dp_code *code, unsigned bytes, enum dp_means means)
{
	const struct dp_board *board = dp_access_board();
	union dp_code now;
	bool written = means == DP_MEANS_BOARD && board->text_write != NULL
			       ? board->text_write(address, code, bytes)
			       : store(address, code, bytes);

	if (!written)
		return false;
	dp_patch_publish((uintptr_t)address, bytes);
	return dp_patch_read(address, &now, bytes) && same_code(&now, code, bytes);
}

bool dp_patch_word(dp_addr address, uint32_t word)
{
	const union dp_code code = {.word = word};

	return dp_patch_write(address, &code, 4, dp_board_means(dp_access_board()));
}

/* --- sites --- */

/* What a site may hold, and what it holds. */
struct look {
	union dp_code trap, original, there;
	unsigned bytes; /* of the trap */
};

#if DP_PORT_TRAP_STORES > 1 && DP_WITH_INTEGRITY
/* A reset between two stores leaves a part of the trap: each piece is the trap's or the
 * original's. Only a site of before a warm restart is not armed. */
static bool is_torn(const struct dp_site *site, const struct look *at)
{
	unsigned piece = piece_of(site->address, at->bytes), old = 0, i = 0;

	for (; !site->armed && i < at->bytes; i += piece) {
		bool original = same(&at->there.byte[i], &at->original.byte[i], piece);

		if (!original && !same(&at->there.byte[i], &at->trap.byte[i], piece))
			return false;
		old += original;
	}
	return old > 0 && old * piece < i;
}
#else
static bool is_torn(const struct dp_site *site, const struct look *at)
{
	(void)site;
	(void)at;
	return false;
}
#endif

enum held {
	DP_HOLDS_TRAP,
	DP_HOLDS_ORIGINAL,
	DP_HOLDS_OTHER
};

static enum held look(const struct dp_site *site, struct look *at)
{
	at->there.word = 0;
	at->bytes = dp_patch_trap(site, &at->trap);
	dp_port_insn_bytes(site, at->original.byte);
	if (!dp_patch_read(site->address, &at->there, at->bytes))
		return DP_HOLDS_OTHER;
	if (same_code(&at->there, &at->trap, at->bytes) || is_torn(site, at))
		return DP_HOLDS_TRAP;
	return same_code(&at->there, &at->original, at->bytes) ? DP_HOLDS_ORIGINAL : DP_HOLDS_OTHER;
}

bool dp_port_is_armed(const struct dp_site *site, uint32_t *found)
{
	struct look at;
	enum held held = look(site, &at);

	*found = dp_patch_number(site, &at.there, at.bytes);
	return held == DP_HOLDS_TRAP;
}

enum dp_err dp_port_arm(const struct dp_site *site)
{
	union dp_code trap;
	unsigned bytes = dp_patch_trap(site, &trap);

	if (!dp_patch_write(site->address, &trap, bytes, site->means))
		return DP_ERR_NOT_PATCHABLE;
	dp_slots_armed(dp_slots_pool(), site->port.slot);
	return DP_ERR_OK;
}

#if DP_PORT_COMPARATORS > 0
void dp_port_arm_compared(const struct dp_site *site)
{
	dp_slots_armed(dp_slots_pool(), site->port.slot);
}
#endif

enum dp_err dp_port_disarm(const struct dp_site *site)
{
	struct look at;
	enum held held = look(site, &at);

	if (held != DP_HOLDS_TRAP)
		return held == DP_HOLDS_ORIGINAL ? DP_ERR_OK : DP_ERR_FOREIGN_BREAK;
	return dp_patch_write(site->address, &at.original, at.bytes, site->means)
		       ? DP_ERR_OK
		       : DP_ERR_NOT_PATCHABLE;
}
