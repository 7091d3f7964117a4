/* SPDX-License-Identifier: BSD-2-Clause */
/* The request CORE reads much memory, and answers words that are equal in a row once: the feature
 * HISTORY. PROTOCOL.md 10 */
#include "dp_exchange.h"

#include "dp_fields.h"
#include "dp_halt.h"
#include "dp_lock.h"
#include "dp_memory.h"

#if DP_WITH_HISTORY
enum {
	DP_CORE_BYTES_MAX = DP_PAYLOAD_MAX - 5, /* of runs, behind the numbers of the answer */
	DP_CORE_UNIT = 4,         /* of a word of the answer, whatever words the target has */
	DP_CORE_WORDS_MAX = 1024, /* of a request: it takes a thread that long */
	DP_CORE_RUN = 0x80,       /* the bit of a run in its first byte; else words follow */
	DP_CORE_HEAD = 2,         /* before the word of a run */
	DP_CORE_LEAST = 2         /* equal words that are shorter as a run */
};
_Static_assert(DP_CORE_WORDS_MAX < DP_CORE_RUN << 8, "a run has 15 bits");
_Static_assert((int)DP_CORE_BYTES_MAX <= (int)DP_VAR_BYTES_MAX, "the runs fit ex->words");

/* The answer as far as it was made. */
struct dp_runs {
	struct dp_exchange *ex;
	unsigned literal; /* place of the number of words that are open; DP_CORE_BYTES_MAX: none */
};

static uint8_t *take(struct dp_runs *runs, unsigned bytes)
{
	uint8_t *to = runs->ex->words + runs->ex->tail.count;

	runs->ex->tail.count = (uint8_t)(runs->ex->tail.count + bytes);
	return to;
}

static bool has_room(const struct dp_runs *runs, unsigned bytes)
{
	return runs->ex->tail.count + bytes <= DP_CORE_BYTES_MAX;
}

/* The bytes have the order that they have in memory. */
static void put_word(struct dp_runs *runs, uint32_t word)
{
	((struct dp_packed_u32 *)take(runs, DP_CORE_UNIT))->v = word;
}

/* Append one word that differs from its neighbours. returns: was there room? */
static bool put_literal(struct dp_runs *runs, uint32_t word)
{
	bool open = runs->literal < DP_CORE_BYTES_MAX;

	if (!has_room(runs, DP_CORE_UNIT + !open))
		return false;
	if (!open) {
		runs->literal = runs->ex->tail.count;
		*take(runs, 1) = 0;
	}
	runs->ex->words[runs->literal]++;
	put_word(runs, word);
	return true;
}

static bool put_run(struct dp_runs *runs, uint32_t word, unsigned count)
{
	uint8_t *head;

	if (count < DP_CORE_LEAST)
		return put_literal(runs, word);
	if (!has_room(runs, DP_CORE_HEAD + DP_CORE_UNIT))
		return false;
	head = take(runs, DP_CORE_HEAD);
	head[0] = (uint8_t)(DP_CORE_RUN | count >> 8);
	head[1] = (uint8_t)count;
	put_word(runs, word);
	runs->literal = DP_CORE_BYTES_MAX;
	return true;
}

static bool read_word(dp_addr at, uint32_t *word)
{
	dp_irq irq = dp_mask_take();
	bool read = dp_port_read(at, (uint8_t *)word, DP_CORE_UNIT, 0) == DP_CORE_UNIT;

	dp_mask_give(irq);
	return read;
}

/* Read words until the answer is full, or one cannot be read. A run is in the answer when the word
 * behind it is known. */
static void read_runs(struct dp_exchange *ex, dp_addr at, unsigned words)
{
	struct dp_runs runs = {ex, DP_CORE_BYTES_MAX};
	uint32_t word = 0, next = 0;
	unsigned count = 0;

	for (;;) {
		bool there = ex->n.core.covered + count < words;
		bool read = there && read_word(at, &next);

		if (count > 0 && (!read || next != word)) {
			if (!put_run(&runs, word, count))
				return;
			ex->n.core.covered = (uint16_t)(ex->n.core.covered + count);
			count = 0;
		}
		if (!read) {
			ex->n.core.failed = there;
			return;
		}
		word = next;
		count++;
		at += DP_CORE_UNIT;
	}
}

/* The target is stopped: it goes on, and resets its board. */
static enum dp_err reset(struct dp_agent *agent)
{
	enum dp_err error = DP_ERR_NOT_STOPPED;

#if DP_WITH_HALT
	if (agent->halt.on) {
		error = dp_may(agent, DP_RIGHT_WRITE);
		if (error == DP_ERR_OK && !agent->board->reset)
			error = DP_ERR_NO_RESET;
		if (error == DP_ERR_OK) {
			agent->halt.reset = 1;
			agent->halt.resume = DP_RESUME_REQUEST;
		}
	}
#else
	(void)agent;
#endif
	return error;
}

enum dp_err dp_do_core(struct dp_agent *agent, struct dp_exchange *ex, struct dp_answer *a)
{
	const uint32_t *halves = &DP_ARG(ex, core, address);
	uint64_t address = (uint64_t)halves[0] << 32 | halves[1];
	uint32_t words = DP_ARG(ex, core, words);
	dp_addr last = (dp_addr)(address + (uint64_t)words * DP_CORE_UNIT - 1);

	(void)a;
	ex->n.core.covered = 0;
	ex->n.core.failed = 0;
	if (DP_ARG(ex, core, how) == 1)
		return reset(agent);
	if (DP_ARG(ex, core, how) != 0 || words == 0 || words > DP_CORE_WORDS_MAX ||
	    address % DP_CORE_UNIT != 0 || address != (dp_addr)address || last < address)
		return DP_ERR_BAD_REQUEST;
	ex->tail.bytes = ex->words;
	read_runs(ex, (dp_addr)address, words);
	return DP_ERR_OK;
}
#endif
