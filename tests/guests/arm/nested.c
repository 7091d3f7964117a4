/* SPDX-License-Identifier: BSD-2-Clause */
/* Not common/handlers.c: each state is tried in each variant, not in passes. */
#include "nested.h"

#include "out.h"
#include "twice.h"

unsigned nested;
uint32_t frame_at;
extern char callee[], callee_by_svc[];

static void program(struct dp_frame *frame)
{
	uint32_t word;
	dp_word value[DP_REG_WORDS_MAX];

	/* A bad address in the handler must leave the abort registers alone. */
	if (dp_port_read(HOLE, &word, 4, 4) != 0 ||
	    dp_port_read((uint32_t)(uintptr_t)data, &word, 4, 4) != 4 || word != data[0])
		failed++;
	for (uint16_t i = 0; i < 16; i++)
		if (dp_port_reg_get(frame, DP_CONTEXT_R, i, 0, value) != 1 ||
		    value[0] != frame->r[i])
			failed++;
}

static void nested_hit(void)
{
	char *const called = nested & 1 ? callee_by_svc : callee;

	nested++;
	if (((uint32_t(*)(uint32_t))(uintptr_t)called)(nested) != nested + 1)
		failed++;
}

void handle_hit(struct dp_site *s, struct dp_frame *frame, bool fires)
{
	if (s != &site[0])
		return;
	frame_at = (uint32_t)(uintptr_t)frame;
	if (variant == WATCH)
		nested_hit();
	if (variant == LOST)
		(void)*(volatile uint32_t *)HOLE;
	if (fires && variant != QUIET)
		program(frame);
}

void handle_fault(struct dp_frame *frame)
{
	if (variant != QUIET)
		program(frame);
}

bool wants_end(void)
{
	return variant == WATCH;
}

bool is_fault_of(const struct dp_frame *frame, dp_addr address)
{
	return dp_port_pc(frame) == address;
}

void probe_callee(void)
{
	uint32_t begin = (uint32_t)(uintptr_t)callee;
	enum dp_refusal why;

	if (is_left_out(false))
		return;
	for (unsigned i = SITES; i < ALL_SITES; i++) {
		place(&site[i], begin + 4 * (i - SITES), begin);
		expect("callee", prepare_placed(&site[i], &why) == DP_ERR_OK && arm(&site[i]));
	}
}

void unprobe_callee(void)
{
	if (is_left_out(false))
		return;
	for (unsigned i = SITES; i < ALL_SITES; i++) {
		expect("callee restored", disarm(&site[i]));
		release(&site[i]);
	}
	dp_port_quiescent();
}

bool callee_was_hit(void)
{
	unsigned each = is_left_out(false) ? 0 : nested;

	for (unsigned i = SITES; i < ALL_SITES; i++)
		if (hits[i] != each)
			return false;
	return nested != 0;
}
