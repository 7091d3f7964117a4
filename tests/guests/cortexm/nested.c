/* SPDX-License-Identifier: BSD-2-Clause */
/* A callback of the board that has probes in it, and what else a handler does. */
#include "handlers.h"

#include "oracle.h"

/* start.S: the callback; its instructions, as places without the bit of Thumb. */
extern uint32_t callee(uint32_t x);
extern uint32_t callee_first(uint32_t x), callee_second(uint32_t x), callee_third(uint32_t x);

uint32_t (*const callbacks[NESTED_SITES])(uint32_t) = {callee_first, callee_second, callee_third};
static unsigned called;

/* Each of its instructions is hit at each call. */
bool callback_is_right(unsigned which)
{
	uint32_t result = callee(which);

	called++;
	for (unsigned i = SITES; i < ALL_SITES; i++)
		if (hits[i] != called)
			return false;
	return result == which + 1;
}

/* A bad address in the handler must leave the fault status alone. */
bool handler_is_right(struct dp_frame *frame, unsigned which)
{
	uint32_t word;
	dp_word value[DP_REG_WORDS_MAX];

	(void)which;
	if (dp_port_read(HOLE, &word, 4, 4) != 0 ||
	    dp_port_read((uint32_t)(uintptr_t)data, &word, 4, 4) != 4 || word != data[0])
		return false;
	for (uint16_t i = 0; i < 16; i++)
		if (dp_port_reg_get(frame, DP_CONTEXT_R, i, 0, value) != 1 ||
		    value[0] != frame->r[i])
			return false;
	return true;
}
