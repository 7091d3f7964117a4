/* SPDX-License-Identifier: BSD-2-Clause */
/* The symbol around an address: nested, overlapping and aliased symbols, against a search of all of
 * them. */
#include "symbols/symbol_cover.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

enum {
	FUNCTIONS = 1u << DP_SYMBOL_FUNCTION,
	BOTH = FUNCTIONS | 1u << DP_SYMBOL_OBJECT,
	SPACE = 64, /* addresses of a random image */
	SYMBOLS = 9
};

static struct dp_symbol function(const char *name, uint64_t value, uint64_t bytes)
{
	return (struct dp_symbol){
		.name = name, .value = value, .bytes = bytes, .kind = DP_SYMBOL_FUNCTION};
}

static const char *found(const struct dph_cover *cover, uint64_t address)
{
	const struct dp_symbol *symbol = dph_cover_find(cover, address);

	return symbol != NULL ? symbol->name : "";
}

#define IS(cover, address, name) CHECK(strcmp(found(cover, address), name) == 0)

static void written_out(void)
{
	struct dp_symbol symbols[] = {
		function("outer", 0x100, 0x40),       function("inner", 0x110, 0x10),
		function("twin", 0x200, 0x10),        function("alias", 0x200, 0x10),
		function("short", 0x200, 4),          function("left", 0x300, 0x10),
		function("right", 0x308, 0x10),       function("label", 0x114, 0),
		function("top", UINT64_MAX - 7, 100), function("data", 0x400, 8),
	};
	const size_t count = sizeof symbols / sizeof symbols[0];
	struct dph_cover cover = {0};

	symbols[2].local = symbols[4].local = true;
	symbols[count - 1].kind = DP_SYMBOL_OBJECT;
	dph_cover_build(&cover, symbols, count, FUNCTIONS);
	IS(&cover, 0, "");
	IS(&cover, 0xff, "");
	IS(&cover, 0x100, "outer");
	IS(&cover, 0x110, "inner");
	IS(&cover, 0x114, "inner"); /* a label has no size */
	IS(&cover, 0x11f, "inner");
	IS(&cover, 0x120, "outer");
	IS(&cover, 0x13f, "outer");
	IS(&cover, 0x140, "");
	IS(&cover, 0x200, "short"); /* the smallest */
	IS(&cover, 0x204, "alias"); /* of one size: the global one */
	IS(&cover, 0x307, "left");
	IS(&cover, 0x30f, "right"); /* it begins last */
	IS(&cover, 0x317, "right");
	IS(&cover, 0x318, "");
	IS(&cover, 0x400, ""); /* not a function */
	IS(&cover, UINT64_MAX, "top");
	free(cover.stretches);
	cover = (struct dph_cover){0};
	dph_cover_build(&cover, symbols, count, BOTH);
	IS(&cover, 0x400, "data");
	IS(&cover, 0x110, "inner");
	free(cover.stretches);
}

static void empty(void)
{
	struct dph_cover cover = {0};

	dph_cover_build(&cover, NULL, 0, BOTH);
	IS(&cover, 0, "");
	free(cover.stretches);
}

/* Does a count instead of b, where both cover an address? */
static bool before(const struct dp_symbol *a, const struct dp_symbol *b)
{
	if (b == NULL || a->value != b->value)
		return b == NULL || a->value > b->value;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes;
	if (a->local != b->local)
		return b->local;
	return strcmp(a->name, b->name) < 0;
}

static const struct dp_symbol *searched(const struct dp_symbol *symbols, uint64_t address)
{
	const struct dp_symbol *best = NULL;

	for (size_t i = 0; i < SYMBOLS; i++)
		if (symbols[i].value <= address && address - symbols[i].value < symbols[i].bytes &&
		    before(&symbols[i], best))
			best = &symbols[i];
	return best;
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

static void random_images(unsigned images)
{
	static const char *const names[SYMBOLS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
	struct dp_symbol symbols[SYMBOLS];
	uint32_t state = 1;

	for (unsigned image = 0; image < images; image++) {
		struct dph_cover cover = {0};

		for (size_t i = 0; i < SYMBOLS; i++) {
			symbols[i] = function(names[i], next(&state) % SPACE, next(&state) % 24);
			symbols[i].local = next(&state) & 1;
		}
		dph_cover_build(&cover, symbols, SYMBOLS, FUNCTIONS);
		for (uint64_t address = 0; address < SPACE + 32; address++)
			CHECK(dph_cover_find(&cover, address) == searched(symbols, address));
		free(cover.stretches);
	}
}

int main(void)
{
	written_out();
	empty();
	random_images(2000);
	return check_status();
}
