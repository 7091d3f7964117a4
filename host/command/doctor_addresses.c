/* SPDX-License-Identifier: BSD-2-Clause */
#include "doctor_addresses.h"

enum {
	WORD = 4
};

struct span {
	uint64_t first, last;
	bool any;
};

static void take(struct span *span, const struct dp_symbol *symbol)
{
	const uint64_t first = symbol->value & ~(uint64_t)(WORD - 1);
	const uint64_t behind = symbol->value + (symbol->bytes > WORD ? symbol->bytes : WORD);
	const uint64_t last = (behind - WORD) & ~(uint64_t)(WORD - 1);

	if (!span->any || first < span->first)
		span->first = first;
	if (!span->any || last > span->last)
		span->last = last;
	span->any = true;
}

static size_t add(uint64_t *addresses, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++)
		if (addresses[i] == address)
			return count;
	addresses[count] = address;
	return count + 1;
}

size_t dph_doctor_addresses(const struct dp_image *image, uint64_t addresses[DPH_DOCTOR_ADDRESSES])
{
	const struct dp_symbol *symbols;
	const size_t there = dp_image_symbols(image, &symbols);
	struct span spans[2] = {{0}};
	size_t count = 0;

	for (size_t i = 0; i < there; i++) {
		if (symbols[i].fixed) /* a number of the linker */
			continue;
		if (symbols[i].kind == DP_SYMBOL_FUNCTION)
			take(&spans[0], &symbols[i]);
		else if (symbols[i].kind == DP_SYMBOL_OBJECT)
			take(&spans[1], &symbols[i]);
	}
	for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
		if (!spans[i].any)
			continue;
		count = add(addresses, count, spans[i].first);
		count = add(addresses, count, spans[i].last);
	}
	return count;
}
