/* SPDX-License-Identifier: BSD-2-Clause */
/* The symbol cover finds the symbol around an address by binary search. Symbols may be nested, may
 * overlap, and may share one place. */
#ifndef DPH_SYMBOL_COVER_H
#define DPH_SYMBOL_COVER_H

#include <dprobes/host.h>

/* Addresses from `from` up to the next stretch belong to one symbol. */
struct dph_stretch {
	uint64_t from;
	const struct dp_symbol *symbol; /* null: no symbol covers the addresses */
};

struct dph_cover {
	struct dph_stretch *stretches;
	size_t count, capacity;
};

/* Build the cover of the symbols with a size and a kind of the set.
 * symbols: unmoved as long as the cover exists. kinds: bit n stands for kind n of enum
 * dp_symbol_kind.
 * free(stretches) frees the cover. */
void dph_cover_build(struct dph_cover *cover, const struct dp_symbol *symbols, size_t count,
		     unsigned kinds);

/* Return the symbol around an address; null: none. Where several symbols cover the address, the one
 * that begins last counts. Of those that begin at one address the smallest one counts, then a
 * global one, then the first name in the order of strcmp. */
const struct dp_symbol *dph_cover_find(const struct dph_cover *cover, uint64_t address);

#endif
