/* SPDX-License-Identifier: BSD-2-Clause */
/* A module: position-independent code without data, linked separately. plugins.c loads the module
 * at two places. */
#include "plugin.h"

__attribute__((noinline, noclone)) static uint32_t plugin_mix(uint32_t value, uint32_t step)
{
	uint32_t mixed = value * 1664525u + step;

	return mixed ^ mixed >> 16;
}

__attribute__((section(".text.entry"))) uint32_t plugin_work(struct plugin_state *state)
{
	uint32_t step = ++state->steps;

	state->value = plugin_mix(state->value, step);
	return state->value;
}
