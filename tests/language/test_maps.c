/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps keep what a dictionary keeps, and the verifier refuses each bad row. PROTOCOL.md 2.3 */
#define _DEFAULT_SOURCE
#include <inttypes.h>

#include "rpn_asm.h"
#include "simulate/simulate.h"

enum {
	KEYS = 48,
	OPERATIONS = 1000000
};

/* --- rows ---------------------------------------------------------------------------------- */

struct row {
	uint8_t kind, flags, keys, values;
	uint16_t places;
	uint8_t of, at;
	uint32_t a, b, c, zero;
};

static unsigned put_row(uint8_t *to, const struct row *row)
{
	memset(to, 0, DP_MAP_BYTES);
	to[DP_MAP_KIND] = row->kind;
	to[DP_MAP_FLAG_BITS] = row->flags;
	to[DP_MAP_KEYS] = row->keys;
	to[DP_MAP_VALUES] = row->values;
	dp_put_u16(to + DP_MAP_PLACES, row->places);
	to[DP_MAP_OF] = row->of;
	to[DP_MAP_AT] = row->at;
	dp_put_u32(to + DP_MAP_A, row->a);
	dp_put_u32(to + DP_MAP_B, row->b);
	dp_put_u32(to + DP_MAP_C, row->c);
	dp_put_u32(to + DP_MAP_RESERVED, row->zero);
	return DP_MAP_BYTES;
}

static struct rpn_asm assembler;
static uint8_t object[70000];

static struct dph_simulation *open_rows(const char *source, const struct row *rows, unsigned count,
					unsigned word_bytes, struct dp_verdict *verdict)
{
	uint8_t bytes[DP_MAP_BYTES * 33];
	const struct rpn_facts facts = {.maps = bytes, .map_count = count};

	for (unsigned i = 0; i < count; i++)
		put_row(bytes + (size_t)i * DP_MAP_BYTES, &rows[i]);
	rpn_assemble(&assembler, source, word_bytes, false);
	return dph_simulation_open(object, rpn_object(object, &assembler, &facts), true, verdict);
}

static enum dp_err verdict_of(const char *source, const struct row *rows, unsigned count,
			      unsigned word_bytes)
{
	struct dp_verdict verdict;

	dph_simulation_close(open_rows(source, rows, count, word_bytes, &verdict));
	return (enum dp_err)verdict.error;
}

#define GOOD_ARRAY                    .kind = DP_MAP_ARRAY, .keys = 1, .values = 1, .places = 4
#define GOOD_LINEAR                   .kind = DP_MAP_SCALE, .a = DP_SCALE_LINEAR, .c = 5, .places = 4
#define GOOD_LOG                      .kind = DP_MAP_SCALE, .a = DP_SCALE_MAGNITUDES, .b = 10 | 1 << 8 | 3 << 16, .c = 10
#define GOOD_BUFFERS                  .kind = DP_MAP_SPECULATION, .values = 2, .places = 1, .a = 64, .b = 1
#define MAGNITUDES(factor, low, high) ((factor) | (low) << 8 | (uint32_t)(high) << 16)

/* proves: R2.27 R2.28 R2.46 */
static void test_rows(void)
{
	static const struct row good[] = {
		{GOOD_ARRAY},
		{.kind = DP_MAP_COUNT, .keys = 8, .values = 1, .places = 4096},
		{.kind = DP_MAP_STDDEV, .keys = 4, .values = 7, .places = 1, .flags = 3},
		{.kind = DP_MAP_SCALE, .flags = DP_MAP_SIGNED},
		{GOOD_LINEAR},
		{GOOD_LOG},
		{.kind = DP_MAP_SCALE, .a = DP_SCALE_MAGNITUDES, .b = MAGNITUDES(2, 0, 61), .c = 1},
		{.kind = DP_MAP_VIEW, .keys = 1, .values = 1},
		{GOOD_BUFFERS},
		{.kind = DP_MAP_SPECULATION,
		 .values = 2,
		 .places = 1,
		 .a = 32768,
		 .b = 1 << 8 | 16},
	};
	static const struct row bad[] = {
		{.kind = DP_MAP_KINDS, .keys = 1, .values = 1, .places = 4},
		{GOOD_ARRAY, .flags = 4},
		{GOOD_ARRAY, .zero = 1},
		{GOOD_ARRAY, .of = 1},
		{GOOD_ARRAY, .at = 1},
		{GOOD_ARRAY, .a = 1},
		{GOOD_ARRAY, .b = 1},
		{GOOD_ARRAY, .c = 1},
		{.kind = DP_MAP_ARRAY, .keys = 9, .values = 1, .places = 4},
		{.kind = DP_MAP_ARRAY, .keys = 1, .values = 0, .places = 4},
		{.kind = DP_MAP_ARRAY, .keys = 2, .values = 10, .places = 4},
		{.kind = DP_MAP_ARRAY, .keys = 1, .values = 1, .places = 3},
		{.kind = DP_MAP_ARRAY, .keys = 1, .values = 1, .places = 0},
		{.kind = DP_MAP_ARRAY, .keys = 1, .values = 1, .places = 8192},
		{.kind = DP_MAP_COUNT, .keys = 1, .values = 2, .places = 4},
		{.kind = DP_MAP_SUM, .keys = 1, .values = 1, .places = 4},
		{.kind = DP_MAP_STDDEV, .keys = 5, .values = 7, .places = 4},
		{GOOD_BUFFERS, .flags = DP_MAP_WIDE},
		{GOOD_BUFFERS, .keys = 1},
		{GOOD_BUFFERS, .of = 1},
		{GOOD_BUFFERS, .c = 1},
		{GOOD_BUFFERS, .zero = 1},
		{.kind = DP_MAP_SPECULATION, .values = 1, .places = 1, .a = 64, .b = 1},
		{.kind = DP_MAP_SPECULATION, .values = 2, .places = 2, .a = 64, .b = 1},
		{.kind = DP_MAP_SPECULATION, .values = 2, .places = 1, .a = 32, .b = 1},
		{.kind = DP_MAP_SPECULATION, .values = 2, .places = 1, .a = 96, .b = 1},
		{.kind = DP_MAP_SPECULATION, .values = 2, .places = 1, .a = 65536, .b = 1},
		{.kind = DP_MAP_SPECULATION, .values = 2, .places = 1, .a = 64, .b = 0},
		{.kind = DP_MAP_SPECULATION, .values = 2, .places = 1, .a = 64, .b = 17},
		{.kind = DP_MAP_SPECULATION, .values = 2, .places = 1, .a = 64, .b = 2 << 8 | 1},
		{.kind = DP_MAP_SCALE, .keys = 1},
		{.kind = DP_MAP_SCALE, .values = 1},
		{.kind = DP_MAP_SCALE, .places = 1},
		{.kind = DP_MAP_SCALE, .a = 3},
		{.kind = DP_MAP_SCALE, .a = DP_SCALE_LINEAR, .places = 4},
		{.kind = DP_MAP_SCALE, .a = DP_SCALE_LINEAR, .c = 1},
		{.kind = DP_MAP_SCALE, .a = DP_SCALE_LINEAR, .c = 1, .places = 32768},
		{GOOD_LOG, .places = 1},
		{.kind = DP_MAP_SCALE, .a = DP_SCALE_MAGNITUDES, .b = MAGNITUDES(1, 0, 1), .c = 1},
		{.kind = DP_MAP_SCALE, .a = DP_SCALE_MAGNITUDES, .b = MAGNITUDES(10, 2, 1), .c = 1},
		{.kind = DP_MAP_SCALE, .a = DP_SCALE_MAGNITUDES, .b = MAGNITUDES(2, 0, 62), .c = 1},
		{.kind = DP_MAP_SCALE,
		 .a = DP_SCALE_MAGNITUDES,
		 .b = MAGNITUDES(255, 0, 7),
		 .c = 1},
		{.kind = DP_MAP_SCALE, .a = DP_SCALE_MAGNITUDES, .b = MAGNITUDES(10, 0, 1)},
		{.kind = DP_MAP_SCALE,
		 .a = DP_SCALE_MAGNITUDES,
		 .b = MAGNITUDES(10, 0, 1),
		 .c = 16384},
		{.kind = DP_MAP_SCALE,
		 .a = DP_SCALE_MAGNITUDES,
		 .b = MAGNITUDES(10, 0, 1) | 1u << 24,
		 .c = 1},
	};

	CHECK(verdict_of("exit", good, sizeof good / sizeof good[0], 4) == DP_ERR_OK);
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
		if (verdict_of("exit", &bad[i], 1, 4) != DP_ERR_BAD_MAP) {
			printf("bad row %u is not refused\n", i);
			check_failures++;
		}
}

/* proves: R2.27 */
static void test_views(void)
{
	struct row rows[2] = {{.kind = DP_MAP_ARRAY, .keys = 1, .values = 2, .places = 4},
			      {.kind = DP_MAP_VIEW, .keys = 1, .values = 1, .at = 1}};

	CHECK(verdict_of("exit", rows, 2, 4) == DP_ERR_OK);
	rows[1].at = 2;
	CHECK(verdict_of("exit", rows, 2, 4) == DP_ERR_BAD_MAP);
	rows[1].at = 1;
	rows[1].keys = 2;
	CHECK(verdict_of("exit", rows, 2, 4) == DP_ERR_BAD_MAP);
	rows[1].keys = 1;
	rows[1].of = 1; /* itself */
	CHECK(verdict_of("exit", rows, 2, 4) == DP_ERR_BAD_MAP);
	rows[1].of = 0;
	rows[1].places = 4;
	CHECK(verdict_of("exit", rows, 2, 4) == DP_ERR_BAD_MAP);
	rows[1].places = 0;
	rows[0].kind = DP_MAP_SUM;
	CHECK(verdict_of("exit", rows, 2, 4) == DP_ERR_BAD_MAP);
}

/* An update that finds no place through a view counts at the array, which the host reads. */
/* proves: R2.30 */
static void test_view_is_full(void)
{
	static const struct row rows[] = {
		{.kind = DP_MAP_ARRAY, .keys = 1, .values = 2, .places = 1},
		{.kind = DP_MAP_VIEW, .keys = 1, .values = 1, .at = 1}};
	struct dp_verdict verdict;
	struct sim_result result;
	struct dph_simulation *s =
		open_rows("push 1; push 5; pop map 1; push 2; push 5; pop map 1; "
			  "push 3; push 5; pop map 1; exit",
			  rows, 2, 4, &verdict);

	CHECK(s && dph_simulation_hit(s, 0, &result) == DPH_HIT_RAN);
	CHECK(dph_simulation_map_dropped(s, 0) == 2 && dph_simulation_map_dropped(s, 1) == 0);
	dph_simulation_close(s);
}

/* proves: R2.29 R2.47 */
static void test_operands(void)
{
	static const struct row rows[] = {
		{GOOD_ARRAY},
		{.kind = DP_MAP_ARRAY, .keys = 1, .values = 2, .places = 4},
		{.kind = DP_MAP_COUNT, .keys = 1, .values = 1, .places = 4},
		{.kind = DP_MAP_SCALE},
		{GOOD_BUFFERS},
	};
	static const char *const wrong[] = {
		"push map 4; exit",  "pop map 4; exit",  "add map 4; exit", "bucket 4; exit",
		"push spec 0; exit", "log spec 2; exit", "commit 3; exit",  "discard 0; exit"};

	CHECK(verdict_of("push spec 4; push 0; xchg; log spec 4; push 1; commit 4; push 1; "
			 "discard 4; exit",
			 rows, 5, 4) == DP_ERR_OK);
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK(verdict_of(wrong[i], rows, 5, 4) == DP_ERR_BAD_MAP);
	CHECK(verdict_of("push spec 5; exit", rows, 5, 4) == DP_ERR_MAP_RANGE);
	CHECK(verdict_of("push map 0; push map 1; push map 2; pop map 0; pop map 1; add map 0; "
			 "add map 2; bucket 3; exit",
			 rows, 4, 4) == DP_ERR_OK);
	CHECK(verdict_of("push map 4; exit", rows, 4, 4) == DP_ERR_MAP_RANGE);
	CHECK(verdict_of("push map 0; exit", rows, 0, 4) == DP_ERR_MAP_RANGE);
	CHECK(verdict_of("push map 3; exit", rows, 4, 4) == DP_ERR_BAD_MAP);
	CHECK(verdict_of("pop map 2; exit", rows, 4, 4) == DP_ERR_BAD_MAP);
	CHECK(verdict_of("add map 1; exit", rows, 4, 4) == DP_ERR_BAD_MAP);
	CHECK(verdict_of("add map 3; exit", rows, 4, 4) == DP_ERR_BAD_MAP);
	CHECK(verdict_of("bucket 0; exit", rows, 4, 4) == DP_ERR_BAD_MAP);
}

/* An entry of 44 bytes is the largest. */
static void test_wide_words(void)
{
	const struct row stddev = {.kind = DP_MAP_STDDEV, .keys = 0, .values = 7, .places = 4};
	const struct row five = {.kind = DP_MAP_ARRAY, .keys = 2, .values = 3, .places = 4};

	CHECK(verdict_of("exit", &stddev, 1, 8) == DP_ERR_BAD_MAP);
	CHECK(verdict_of("exit", &five, 1, 8) == DP_ERR_OK);
}

/* proves: R2.27 */
static void test_cut(void)
{
	struct dp_verdict verdict;
	const struct row row = {GOOD_ARRAY};
	struct dph_simulation *s = open_rows("exit", &row, 1, 4, &verdict);

	CHECK(s);
	dph_simulation_close(s);
	object[DP_OBJ_SECTIONS] = 7;
	rpn_reseal(object, dp_get_u32(object + DP_OBJ_BYTES));
	s = dph_simulation_open(object, dp_get_u32(object + DP_OBJ_BYTES), true, &verdict);
	CHECK(!s && verdict.error == DP_ERR_RESERVED);
}

/* --- a dictionary -------------------------------------------------------------------------- */

static uint32_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(seed >> 8) * limit >> 24);
}

struct model {
	uint64_t key[KEYS], value[KEYS];
	unsigned used, places;
	uint32_t dropped;
};

static void model_store(struct model *m, unsigned key, uint64_t value)
{
	if (m->value[key] == 0 && value != 0 && m->used == m->places) {
		m->dropped++;
		return;
	}
	m->used += (value != 0) - (m->value[key] != 0);
	m->value[key] = value;
}

static void set(struct dph_simulation *s, unsigned index, uint64_t value)
{
	const uint64_t words[DP_REG_WORDS_MAX] = {value};

	dph_simulation_register(s, index, words);
}

static uint64_t loaded(struct dph_simulation *s, uint64_t key, unsigned bytes)
{
	struct sim_result result;
	uint64_t value = 0;

	set(s, 1, key);
	CHECK(dph_simulation_hit(s, 1, &result) == DPH_HIT_RAN && result.log_bytes == bytes);
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)result.log[i] << 8 * i;
	return value;
}

/* Each entry of the table is one of the model's, and there are as many. */
static void compare(const struct dph_simulation *s, const struct model *m)
{
	uint64_t words[DP_MAP_WORDS_MAX];
	unsigned found = 0;
	int count;

	for (unsigned place = 0; (count = dph_simulation_map_place(s, 0, place, words)) >= 0;
	     place++) {
		unsigned key = 0;

		if (count == 0)
			continue;
		while (key < KEYS && m->key[key] != words[0])
			key++;
		CHECK(key < KEYS && m->value[key] == words[1]);
		found++;
	}
	CHECK(found == m->used && dph_simulation_map_dropped(s, 0) == m->dropped);
}

static void one_operation(struct dph_simulation *s, struct model *m, unsigned bytes)
{
	const unsigned key = random_below(KEYS), what = random_below(4);
	const uint64_t value = random_below(3) ? random_below(5) : 0;
	struct sim_result result;

	if (what == 0) {
		CHECK(loaded(s, m->key[key], bytes) == m->value[key]);
		return;
	}
	set(s, 1, m->key[key]);
	set(s, 2, value);
	CHECK(dph_simulation_hit(s, 0, &result) == DPH_HIT_RAN && result.end == RPN_END_EXIT);
	model_store(m, key, value);
}

/* proves: R2.30 R2.31 */
static void test_model(unsigned word_bytes, unsigned places)
{
	const struct row row = {
		.kind = DP_MAP_ARRAY, .keys = 1, .values = 1, .places = (uint16_t)places};
	struct model m = {.places = places};
	struct dp_verdict verdict;
	struct dph_simulation *s =
		open_rows("push r 1; push r 2; pop map 0; exit; handler; push r 1; push map 0; "
			  "log 1; exit",
			  &row, 1, word_bytes, &verdict);

	CHECK(s);
	for (unsigned i = 0; i < KEYS; i++)
		m.key[i] = i < KEYS / 2 ? i : (uint32_t)(i * 2654435761u);
	for (unsigned i = 0; s && i < OPERATIONS / 4 && !check_failures; i++) {
		one_operation(s, &m, word_bytes);
		if (i % 1024 == 0)
			compare(s, &m);
	}
	dph_simulation_close(s);
}

int main(void)
{
	test_rows();
	test_views();
	test_view_is_full();
	test_operands();
	test_wide_words();
	test_cut();
	test_model(4, 32);
	test_model(4, 64);
	test_model(8, 16);
	test_model(8, 32);
	return check_status();
}
