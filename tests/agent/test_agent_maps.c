/* SPDX-License-Identifier: BSD-2-Clause */
/* The host reads maps while hits go on: each update is in exactly one answer.  PROTOCOL.md 5.8 */
#include "bench.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	KEYS = 40,
	END = 0xffff,
	HEAD = 6, /* next and dropped */
	LOOK = 0,
	CLEAR = 1,
	TAKE = 2
};

/* Map 0 counts hits of each key: 0 to KEYS - 1 in turn, far apart. Map 1 is a scale. */
static const char counts[] = "name = \"t\"\nvars = 1\nmap = count 1 64\nmap = linear 0 1 4\n"
			     "offset = 0x08000100\npush lv, 0\npush 0x9e3779\nmul\nadd map, 0\n"
			     "inc lv, 0\npush lv, 0\npush 40\nsub\njnz more\npush 0\npop lv, 0\n"
			     "more:\nexit\n";

static uint64_t found[KEYS]; /* counts that answers had */
static unsigned hits;

static void one_hit(void)
{
	firmware_run(AT, 1);
	hits++;
}

static void at_unmask(void *context)
{
	static bool inside;

	(void)context;
	if (!firmware.agent.executing || inside)
		return;
	inside = true;
	firmware_nested(AT, 1);
	hits++;
	inside = false;
}

/* The numbers of an entry, by PROTOCOL.md 2.3. Returns the bytes. */
static unsigned unpack(const uint8_t *from, unsigned count, uint32_t *number)
{
	static const uint8_t bytes_of[] = {0, 1, 2, 4};
	unsigned at = 0;

	for (unsigned i = 0, lengths = 0; i < count; i++) {
		unsigned bytes;

		if (i % 4 == 0)
			lengths = from[at++];
		bytes = bytes_of[lengths >> i % 4 * 2 & 3];
		number[i] = 0;
		for (unsigned k = 0; k < bytes; k++)
			number[i] |= (uint32_t)from[at++] << 8 * k;
	}
	return at;
}

static uint64_t joined(const uint32_t *number, unsigned word)
{
	return sizeof(dp_word) == 8 ? number[2 * word] | (uint64_t)number[2 * word + 1] << 32
				    : number[word];
}

/* Add the counts of an answer to what was found. */
static void note(const struct bench_answer *answer)
{
	unsigned numbers = 2 * sizeof(dp_word) / 4;
	uint32_t number[4] = {0};

	for (unsigned at = HEAD; at < answer->bytes;) {
		unsigned key = 0;

		at += unpack(answer->payload + at, numbers, number);
		while (key < KEYS && (dp_word)key * 0x9e3779 != joined(number, 0))
			key++;
		CHECK(key < KEYS);
		found[key < KEYS ? key : 0] += joined(number, 1);
	}
}

static struct bench_answer ask(unsigned map, unsigned from, unsigned how)
{
	const uint8_t arguments[] = {0, (uint8_t)map, (uint8_t)(from >> 8), (uint8_t)from,
				     (uint8_t)how};

	return bench_ask(DP_CMD_MAP, arguments, sizeof(arguments));
}

/* Read all places. Returns how many answers came. */
static unsigned read_all(unsigned how)
{
	unsigned answers = 0;

	for (unsigned from = 0; from != END && answers < 100; answers++) {
		struct bench_answer answer = ask(0, from, how);

		CHECK(answer.came && answer.error == DP_ERR_OK);
		CHECK(bench_number(&answer, 2, 4) == 0); /* no update found the map full */
		note(&answer);
		from = bench_number(&answer, 0, 2);
	}
	return answers;
}

static uint64_t sum(void)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < KEYS; i++)
		all += found[i];
	return all;
}

static void start(unsigned before)
{
	bench_start();
	memset(found, 0, sizeof(found));
	hits = 0;
	CHECK(bench_install(counts) == 0);
	for (unsigned i = 0; i < before; i++)
		one_hit();
}

/* Readings that clear or take, with a hit wherever the request lets interrupts in. The last reading
 * has what came behind the places that others had read. */
/* proves: R5.57 R2.32 */
static void each_update_once(unsigned how)
{
	start(200);
	dp_sim.unmasked = at_unmask;
	for (unsigned i = 0; i < 5; i++)
		CHECK(read_all(how) > 2);
	dp_sim.unmasked = NULL;
	CHECK(hits > 300);
	CHECK(sum() < hits);
	CHECK(ask(0, 0, LOOK).bytes > HEAD);
	read_all(TAKE);
	CHECK(sum() == hits);
	CHECK(ask(0, 0, LOOK).bytes == HEAD);
}

/* A lost answer comes again from the store: what it took is in no other. */
static void lost_answer(void)
{
	const uint8_t all[] = {0, 0, 0, 0, TAKE};
	struct bench_answer first;
	uint32_t answers;

	start(3);
	first = bench_ask(DP_CMD_MAP, all, sizeof(all));
	note(&first);
	CHECK(sum() == 3);
	one_hit();
	answers = bench.line[0].answers;
	bench_type_request(DP_COM1, bench.line[0].answer.seq, DP_CMD_MAP, all, sizeof(all));
	bench_poll();
	CHECK(bench.line[0].answers == answers + 1);
	CHECK(bench.line[0].answer.payload[1] == DP_ERR_OK);
	CHECK(memcmp(bench.line[0].answer.payload + 2, first.payload, first.bytes) == 0);
	read_all(TAKE);
	CHECK(sum() == hits && hits == 4);
}

/* A look changes nothing. Nothing else is told or changed for a map or a way that is not there. */
/* proves: R5.56 */
static void refused(void)
{
	static const struct {
		unsigned map, how;
		enum dp_err error;
	} rows[] = {{0, 3, DP_ERR_BAD_REQUEST},
		    {0, 255, DP_ERR_BAD_REQUEST},
		    {1, LOOK, DP_ERR_MAP_RANGE},
		    {2, TAKE, DP_ERR_MAP_RANGE},
		    {255, CLEAR, DP_ERR_MAP_RANGE}};

	start(5);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench_answer answer = ask(rows[i].map, 0, rows[i].how);

		CHECK(answer.came && answer.error == rows[i].error);
	}
	CHECK(ask(0, 64, TAKE).bytes == HEAD); /* no such place */
	read_all(LOOK);
	CHECK(sum() == 5);
	memset(found, 0, sizeof(found));
	read_all(TAKE);
	CHECK(sum() == 5);
}

int main(void)
{
	each_update_once(TAKE);
	each_update_once(CLEAR);
	lost_answer();
	refused();
	return check_status();
}
