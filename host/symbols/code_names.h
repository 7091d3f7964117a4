/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of code tell what the name of a function means in an image. All that finds code by a
 * name asks here.
 *
 * A function has all names of its address: aliases, and functions of overlays. A compiler makes
 * copies of a function, and moves parts out of one. Their symbols have the function's name and a
 * tail: "name.constprop.0", "name.cold". */
#ifndef DPH_CODE_NAMES_H
#define DPH_CODE_NAMES_H

#include "base/pool.h"

#include <dprobes/host.h>

typedef void dph_code_visit(void *context, const struct dp_symbol *function);

/* Visit the functions with a name, one symbol an address, by rising address.
 * image: may be null.
 * name: also stands for the copies of the function; as a pattern of fnmatch, for symbols. Empty:
 * all functions.
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

/* Does such a part, or a rarely used one, begin at the address? */
bool dph_code_is_part(const struct dp_image *image, uint64_t address);

/* Find the rarely used part that the compiler moved out of a function.
 * function: a symbol of the image.
 * Returns null: none. */
const struct dp_symbol *dph_code_cold(const struct dp_image *image,
				      const struct dp_symbol *function);

#endif
