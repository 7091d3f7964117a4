/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of code tell what the name of a function means in an image. D and RPN find functions
 * here, and then among the names that debug information has.
 *
 * A function has all names of its address: aliases, and functions of overlays. A compiler makes
 * copies of a function, and moves parts out of one. Their symbols have the function's name and a
 * tail: "name.constprop.0", "name.part.0". A cold part, "name.cold", is rarely used code of the
 * function that the function jumps to. */
#ifndef DPH_CODE_NAMES_H
#define DPH_CODE_NAMES_H

#include "base/pool.h"

#include <dprobes/host.h>

typedef void dph_code_visit(void *context, const struct dp_symbol *function);

/* Visit the functions with a name, one symbol an address, by rising address.
 * image: may be null.
 * name: also stands for the copies of the function; as a pattern of fnmatch, for symbols. Empty:
 * all functions. Only a name with a dot finds cold parts.
 * visit: may be null.
 * Returns the number of functions. */
size_t dph_code_named(const struct dp_image *image, const char *name, dph_code_visit *visit,
		      void *context);

/* Return the name of the function that the symbol is a copy of; null: it is no copy.
 * pool: keeps the name. */
const char *dph_code_base(const struct dp_symbol *symbol, struct dph_pool *pool);

/* Find a part of a function that is left when calls of the function are inlined.
 * Returns null: none. */
const struct dp_symbol *dph_code_part(const struct dp_image *image, const char *name);

/* Return the symbol of such a part, or of a cold part, that has the address; null: none. */
const struct dp_symbol *dph_code_part_at(const struct dp_image *image, uint64_t address);

/* Return the cold part of a function that has the address; null: none. Of functions with one name
 * each may have a cold part: take one that a branch of the function leads to. */
const struct dp_symbol *dph_code_cold_at(const struct dp_image *image,
					 const struct dp_symbol *function, uint64_t address);

/* Return the cold part with the function's name, where only one function has the name; null:
 * none. */
const struct dp_symbol *dph_code_only_cold(const struct dp_image *image,
					   const struct dp_symbol *function);

#endif
