/* SPDX-License-Identifier: BSD-2-Clause */
/* A CPU with text in flash and a Flash Patch and Breakpoint unit, for the demo kernel on a board
 * that has neither. The registers are those of tests/port/fpb_model.h. Where the model says that
 * the CPU fetches a word of the table, this word is in the memory, and loads of the agent get the
 * word that the firmware has there. The agent's stores to text fail. SConstruct puts these
 * functions into the place of the port's. */
#include "fpb_model.h"

#include <stddef.h>

extern uint8_t __text_start[], __text_end[];

bool __real_dprobes_core_access_load(uint32_t address, unsigned width, void *to);
bool __real_dprobes_core_access_store(uint32_t address, unsigned width, const void *from);

/* The words that comparators replace. */
static struct laid {
	uint32_t address; /* 0: none */
	uint32_t original;
} laid[MODEL_COMPARATORS_MAX];

static volatile uint32_t *word_at(uint32_t address)
{
	return (volatile uint32_t *)(uintptr_t)address;
}

/* The word that comparator n replaces; 0: none. */
static uint32_t replaced_by(unsigned n)
{
	if (!model.enabled || !(model.comp[n] & MODEL_COMP_ENABLE) || model.comp[n] >> 30 != 0)
		return 0;
	return model.comp[n] & MODEL_COMP_WORD;
}

static void let_the_cpu_fetch(void)
{
	for (unsigned n = 0; n < model.code; n++) {
		uint32_t address = replaced_by(n);

		if (laid[n].address != 0 && laid[n].address != address) {
			*word_at(laid[n].address) = laid[n].original;
			laid[n].address = 0;
		}
		if (address == 0)
			continue;
		if (laid[n].address == 0)
			laid[n] = (struct laid){address, *word_at(address)};
		*word_at(address) = *word_at(model_table() + 4 * n);
	}
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

uint32_t unit_get(uint32_t address)
{
	if (model.code == 0)
		model_power_on(0, 6, 2, true);
	return model_is_register(address) ? model_read(address) : *word_at(address);
}

void unit_set(uint32_t address, uint32_t value)
{
	if (model_is_register(address))
		model_write(address, value);
	else
		*word_at(address) = value;
	let_the_cpu_fetch();
}

/* A load of data. */
bool __wrap_dprobes_core_access_load(uint32_t address, unsigned width, void *to)
{
	bool loaded = __real_dprobes_core_access_load(address, width, to);

	for (unsigned n = 0; loaded && n < model.code; n++)
		for (unsigned i = 0; laid[n].address != 0 && i < width; i++)
			if (address + i - laid[n].address < 4)
				((uint8_t *)to)[i] =
					((uint8_t *)&laid[n]
						 .original)[address + i - laid[n].address];
	return loaded;
}

bool __wrap_dprobes_core_access_store(uint32_t address, unsigned width, const void *from)
{
	if (address - (uint32_t)(uintptr_t)__text_start <
	    (uint32_t)(uintptr_t)(__text_end - __text_start))
		return false;
	return __real_dprobes_core_access_store(address, width, from);
}
