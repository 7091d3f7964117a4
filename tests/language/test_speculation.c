/* SPDX-License-Identifier: BSD-2-Clause */
/* The buffers of speculations keep what a model keeps: in each form, with both policies, with
 * records of any length. PROTOCOL.md 2.6 */
#define _DEFAULT_SOURCE
#include "rpn_asm.h"
#include "simulate/simulate.h"

enum {
	RAM = 0x2000,
	RAM_BYTES = 256,
	BUFFERS = 3,
	RECORDS_MAX = 64,
	OPERATIONS = 20000
};
/* The points. */
enum {
	OPEN,
	LOG,
	COMMIT,
	DISCARD
};
static const char source[] =
	"push spec 0; log 1; exit; "
	"handler; push lp; push r 2; push r 3; log mrf; push r 1; log spec 0; abort; "
	"handler; push r 1; commit 0; abort; handler; push r 1; discard 0; abort";

static struct rpn_asm assembler;
static uint8_t object[70000], memory[RAM_BYTES];
static uint32_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(seed >> 8) * limit >> 24);
}

/* --- the model ------------------------------------------------------------------------------- */

struct record {
	unsigned from, bytes; /* of the memory */
};
struct buffer {
	enum {
		FREE,
		OPENED,
		COMMITTED
	} state;
	unsigned used, count;
	struct record record[RECORDS_MAX];
};
struct model {
	struct buffer buffer[BUFFERS];
	unsigned size;
	bool ring;
	uint64_t missing[2];
	uint32_t dropped;
};

static unsigned whole(unsigned bytes)
{
	return DP_SPEC_HEAD_BYTES + (RPN_PREFIX_BYTES + bytes + 3) / 4 * 4;
}

static struct record take_first(struct buffer *b)
{
	const struct record first = b->record[0];

	b->used -= whole(first.bytes);
	memmove(b->record, b->record + 1, --b->count * sizeof(first));
	return first;
}

static unsigned model_open(struct model *m)
{
	bool busy = false;

	for (unsigned i = 0; i < BUFFERS; i++) {
		if (m->buffer[i].state == FREE) {
			m->buffer[i] = (struct buffer){.state = OPENED};
			return i + 1;
		}
		busy |= m->buffer[i].state == COMMITTED;
	}
	m->missing[busy]++;
	return 0;
}

static struct buffer *opened(struct model *m, unsigned id)
{
	return id >= 1 && id <= BUFFERS && m->buffer[id - 1].state == OPENED ? &m->buffer[id - 1]
									     : NULL;
}

static void model_log(struct model *m, unsigned id, struct record record)
{
	struct buffer *b = opened(m, id);
	const unsigned need = whole(record.bytes);

	if (!b)
		return;
	if (need > m->size || (!m->ring && b->used + need > m->size)) {
		m->dropped++;
		return;
	}
	while (b->used + need > m->size)
		take_first(b);
	b->used += need;
	b->record[b->count++] = record;
}

/* --- both ------------------------------------------------------------------------------------ */

static void set(struct dph_simulation *s, unsigned index, uint64_t value)
{
	const uint64_t words[DP_REG_WORDS_MAX] = {value};

	dph_simulation_register(s, index, words);
}

static uint64_t hit(struct dph_simulation *s, unsigned point, unsigned id)
{
	struct sim_result result = {0};
	uint64_t value = 0;

	set(s, 1, id);
	CHECK(dph_simulation_hit(s, point, &result) == DPH_HIT_RAN);
	CHECK(result.end == (point == OPEN ? RPN_END_EXIT : RPN_END_ABORT));
	CHECK(result.log_bytes == (point == OPEN ? dph_simulation_form(s)->word_bits / 8 : 0));
	for (size_t i = 0; i < result.log_bytes; i++)
		value += result.log[i];
	return value;
}

/* The record is the oldest one of the first committed buffer. */
static void take(struct dph_simulation *s, struct model *m)
{
	struct sim_speculated record;
	struct buffer *b = m->buffer;

	while (b < m->buffer + BUFFERS && b->state != COMMITTED)
		b++;
	CHECK(dph_simulation_speculated(s, &record) == (b < m->buffer + BUFFERS));
	if (b == m->buffer + BUFFERS || check_failures)
		return;
	const struct record first = take_first(b);
	CHECK(record.point == LOG && record.bytes == RPN_PREFIX_BYTES + first.bytes);
	CHECK(memcmp(record.log + RPN_PREFIX_BYTES, memory + first.from, first.bytes) == 0);
	if (b->count == 0)
		b->state = FREE;
}

static void decide(struct dph_simulation *s, struct model *m, unsigned point, unsigned id)
{
	struct buffer *b = opened(m, id);

	hit(s, point, id);
	if (b)
		b->state = point == COMMIT && b->count > 0 ? COMMITTED : FREE;
}

static void one_operation(struct dph_simulation *s, struct model *m)
{
	const unsigned what = random_below(16), id = random_below(BUFFERS + 2);

	if (what <= 1) {
		CHECK(hit(s, OPEN, 0) == model_open(m));
	} else if (what == 2) {
		decide(s, m, random_below(4) ? COMMIT : DISCARD, id);
	} else if (what == 3) {
		take(s, m);
	} else {
		const struct record record = {random_below(RAM_BYTES / 2),
					      random_below(random_below(3) ? 16 : RAM_BYTES / 2)};

		set(s, 2, record.bytes);
		set(s, 3, RAM + record.from);
		hit(s, LOG, id);
		model_log(m, id, record);
	}
}

/* proves: R2.48 R2.49 R2.50 R2.54 */
static void test_model(unsigned word_bytes, bool big, unsigned size, bool ring)
{
	uint8_t row[DP_MAP_BYTES] = {[DP_MAP_KIND] = DP_MAP_SPECULATION, [DP_MAP_VALUES] = 2};
	const struct rpn_facts facts = {.maps = row, .map_count = 1};
	static struct model m;
	struct dp_verdict verdict;
	uint64_t words[DP_MAP_WORDS_MAX] = {0};
	struct dph_simulation *s;

	m = (struct model){.size = size, .ring = ring};
	dp_put_u16(row + DP_MAP_PLACES, 1);
	dp_put_u32(row + DP_MAP_A, size);
	dp_put_u32(row + DP_MAP_B, BUFFERS | (uint32_t)ring << 8);
	rpn_assemble(&assembler, source, word_bytes, big);
	s = dph_simulation_open(object, rpn_object(object, &assembler, &facts), true, &verdict);
	CHECK(s && dph_simulation_map(s, RAM, memory, sizeof(memory), false));
	for (unsigned i = 0; s && i < OPERATIONS && !check_failures; i++)
		one_operation(s, &m);
	CHECK(s && dph_simulation_map_place(s, 0, 0, words) == 2);
	CHECK(words[0] == m.missing[0] && words[1] == m.missing[1]);
	CHECK(dph_simulation_map_dropped(s, 0) == m.dropped);
	CHECK(m.dropped > 0 || (ring && size > 64));
	CHECK(m.missing[0] > 0 && m.missing[1] > 0);
	dph_simulation_close(s);
}

int main(void)
{
	for (unsigned i = 0; i < RAM_BYTES; i++)
		memory[i] = (uint8_t)(i * 167 + 13);
	for (unsigned form = 0; form < 4; form++)
		for (unsigned ring = 0; ring < 2; ring++)
			for (unsigned size = 64; size <= 512; size *= 8)
				test_model(form & 1 ? 8 : 4, form & 2, size, ring);
	return check_status();
}
