/* SPDX-License-Identifier: BSD-2-Clause */
/* The symbol cover cuts the addresses into stretches that belong to one symbol each. */
#include "symbol_cover.h"

#include "base/pool.h"
#include "base/sorted.h"

#include <stdlib.h>
#include <string.h>

/* The last address of a symbol; a damaged file may name one beyond the address space. */
static uint64_t last_of(const struct dp_symbol *symbol)
{
	const uint64_t last = symbol->value + (symbol->bytes - 1);
	return last < symbol->value ? UINT64_MAX : last;
}

/* The symbol that counts comes after the symbols that also cover its addresses. */
static int by_weight(const void *a, const void *b)
{
	const struct dp_symbol *x = *(const struct dp_symbol *const *)a,
			       *y = *(const struct dp_symbol *const *)b;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	if (x->local != y->local)
		return x->local ? -1 : 1;
	return strcmp(y->name, x->name);
}

static void add_stretch(struct dph_cover *cover, uint64_t from, const struct dp_symbol *symbol)
{
	struct dph_stretch *before = cover->count ? &cover->stretches[cover->count - 1] : NULL;
	if (before && before->from == from) {
		before->symbol = symbol;
		return;
	}
	if (before && before->symbol == symbol)
		return;
	cover->stretches = dph_grow(cover->stretches, &cover->capacity, cover->count,
				    sizeof(*cover->stretches));
	cover->stretches[cover->count++] = (struct dph_stretch){from, symbol};
}

/* Symbols that have begun and may cover later addresses, the covering symbol on top. */
struct begun {
	const struct dp_symbol **list;
	size_t count;
};

/* End the symbols on top that end before an address. Each one gives way to the one below. */
static void end_before(struct dph_cover *cover, struct begun *begun, uint64_t address)
{
	while (begun->count && last_of(begun->list[begun->count - 1]) < address) {
		const uint64_t last = last_of(begun->list[--begun->count]);
		while (begun->count && last_of(begun->list[begun->count - 1]) <= last)
			begun->count--;
		add_stretch(cover, last + 1, begun->count ? begun->list[begun->count - 1] : NULL);
	}
}

void dph_cover_build(struct dph_cover *cover, const struct dp_symbol *symbols, size_t count,
		     unsigned kinds)
{
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): the array holds pointers */
	const struct dp_symbol **sized = dph_malloc((count + 1) * sizeof *sized);
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): the array holds pointers */
	struct begun begun = {.list = dph_malloc((count + 1) * sizeof *sized)};
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		if (symbols[i].bytes && kinds >> symbols[i].kind & 1)
			sized[found++] = &symbols[i];
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are sorted */
	qsort(sized, found, sizeof *sized, by_weight);
	for (size_t i = 0; i < found; i++) {
		end_before(cover, &begun, sized[i]->value);
		begun.list[begun.count++] = sized[i];
		add_stretch(cover, sized[i]->value, sized[i]);
	}
	end_before(cover, &begun, UINT64_MAX);
	free(sized);
	free(begun.list);
}

const struct dp_symbol *dph_cover_find(const struct dph_cover *cover, uint64_t address)
{
	const size_t behind =
		DPH_FIRST_ABOVE(cover->stretches, cover->count, struct dph_stretch, from, address);
	return behind ? cover->stretches[behind - 1].symbol : NULL;
}
