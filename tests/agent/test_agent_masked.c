/* SPDX-License-Identifier: BSD-2-Clause */
/* Long work comes in short masked steps, and hits between the steps count as ever: a REMOVE that
 * moves the programs behind, an answer that hits change, a map that is taken. */
#include "bench.h"
#include "check.h"
#include "dp_at_work.h"

#include "dp_bytes.h"
#include "dp_map.h"

#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	STEPS_MAX = 1000,
	PIECES = 20 /* at least so many, of 64 bytes, for a program with FILLING */
};
#define FILL4   "push 1\npush 2\npush 3\npush 4\n"
#define FILL16  FILL4 FILL4 FILL4 FILL4
#define FILL64  FILL16 FILL16 FILL16 FILL16
#define FILLING FILL64 FILL64 FILL64 FILL64 FILL64 FILL64 FILL64 FILL64 FILL64 FILL64
static const char first[] = "name = \"f\"\noffset = 0x08000100\nexit\n" FILL16 "exit\n";
/* Logs the number of its hits, and counts them in a map. */
static const char second[] =
	"name = \"s\"\nvars = 1\nmap = count 1 4\noffset = 0x08000108\n"
	"inc lv, 0\npush 7\nadd map, 0\npush lv, 0\nlog 1\nexit\n" FILLING "exit\n";
static const char third[] = "name = \"t\"\nvars = 1\noffset = 0x08000110\ninc lv, 0\npush lv, 0\n"
			    "log 1\nexit\n";

static unsigned step, wanted;
static bool came;

/* --- programs that move --- */

static void hit_while_moving(void *context)
{
	(void)context;
	if (firmware.agent.moving == DP_NONE || step++ != wanted)
		return;
	dp_sim.unmasked = NULL;
	came = true;
	firmware_nested(AT + 8, 1);
	firmware_nested(AT + 16, 1);
	CHECK(firmware.agent.moving == DP_NONE); /* the hit has moved the rest */
	dp_sim.unmasked = hit_while_moving;
}

/* The hits so far have logged 1, 2 .. n. */
static void logged_up_to(unsigned n)
{
	bench_poll();
	CHECK(bench.records == 2 * n && bench.line[0].gaps == 0);
	for (unsigned i = 0; i < bench.records; i++)
		CHECK(bench_logged(i) == i / 2 + 1);
	CHECK(dp_probe_hits(bench_probe(1, 0)) == n && bench_probe(1, 0)->missed == 0);
	CHECK(dp_probe_hits(bench_probe(2, 0)) == n && bench_probe(2, 0)->missed == 0);
}

static dp_word counted(void)
{
	struct bench_answer answer = bench_ask(DP_CMD_MAP, "\1\0\0\0\0", 5);

	CHECK(answer.came && answer.error == 0);
	return answer.payload[6 + 2]; /* codes, key, count */
}

/* proves: A3.41 */
static void removal_moves_in_pieces(void)
{
	for (wanted = 0, came = true; came && wanted < STEPS_MAX; wanted++) {
		const struct dp_program *program = firmware.agent.program;
		uint32_t held;

		bench_start();
		CHECK(bench_install(first) == 0 && bench_install(second) == 1 &&
		      bench_install(third) == 2);
		held = program[1].held + program[2].held;
		firmware_run(AT + 8, 1);
		firmware_run(AT + 16, 1);
		firmware.agent.patrol_site = DP_MAX_PROBES / 2; /* the plans of the sites stay */
		step = 0;
		came = false;
		dp_sim.unmasked = hit_while_moving;
		CHECK(bench_ask(DP_CMD_REMOVE, "\0", 1).error == 0);
		dp_sim.unmasked = NULL;
		CHECK(program[1].object == firmware.agent.arena &&
		      program[2].object == firmware.agent.arena + program[1].held &&
		      firmware.agent.arena_used == held);
		logged_up_to(1 + came);
		firmware_run(AT + 8, 1);
		firmware_run(AT + 16, 1);
		logged_up_to(2 + came);
		CHECK(counted() == 2u + came);
		bench_remove_all();
		CHECK(firmware.agent.arena_used == 0 && firmware_text_is_original());
	}
	CHECK(wanted > PIECES && wanted < STEPS_MAX);
}

/* --- an answer that hits change --- */

static unsigned hits, pieces;

/* Each hit sends a line, and the text is read as before. */
static void hit_in_text(void *context)
{
	(void)context;
	dp_sim.reading = NULL;
	CHECK(!dp_sim.masked);
	firmware_nested(AT + 16, 1);
	hits++;
	dp_sim.reading = hit_in_text;
}

/* As a hit does that removes a program. */
static void change_in_text(void *context)
{
	(void)context;
	CHECK(!dp_sim.masked);
	dp_work_disturb(&firmware.agent);
	pieces++;
}

/* Lines of the stream are none of TEXT's business. What hits remove is: TEXT is made anew, and then
 * the host asks again. The text is never read with interrupts masked. */
/* proves: R3.18 A3.41 */
static void text_gives_way(void)
{
	static const uint8_t text[13] = {[4] = 0x08, [10] = 1}; /* 256 bytes from 0x08000000 */
	struct bench_answer answer;

	bench_start();
	CHECK(bench_install(third) == 0);
	CHECK(bench_ask(DP_CMD_LOG, "\376\0", 2).error == 0);
	dp_sim.reading = hit_in_text;
	hits = 0;
	answer = bench_ask(DP_CMD_TEXT, text, sizeof(text));
	CHECK(answer.came && answer.error == 0 && hits == 256 / 64);
	dp_sim.reading = change_in_text;
	answer = bench_ask(DP_CMD_TEXT, text, sizeof(text));
	CHECK(answer.came && answer.error == DP_ERR_BUSY && pieces == 8 * 256 / 64);
	dp_sim.reading = NULL;
	CHECK(bench_ask(DP_CMD_TEXT, text, sizeof(text)).error == 0);
	bench_poll();
	CHECK(bench.line[0].gaps == 0 && bench.line[0].bad_frames == 0);
}

/* --- a map that is taken --- */

/* The words of packed entries. PROTOCOL.md 5.2, MAP */
static dp_word words[DP_PAYLOAD_MAX];
static unsigned unpack(const uint8_t *from, const uint8_t *end, unsigned words_each)
{
	unsigned parts = words_each * (unsigned)sizeof(dp_word) / 4, count = 0;

	while (from < end) {
		unsigned codes = 0;

		for (unsigned i = 0; i < parts; i++) {
			unsigned bytes;
			uint32_t value = 0;

			if (i % 4 == 0)
				codes = *from++;
			bytes = codes >> i % 4 * 2 & 3;
			bytes = bytes == 3 ? 4 : bytes;
			for (unsigned k = 0; k < bytes; k++)
				value |= (uint32_t)*from++ << 8 * k;
			if (i % (sizeof(dp_word) / 4) == 0)
				words[count++] = value;
		}
	}
	CHECK(from == end);
	return count;
}

static void hit_in_map(void *context)
{
	(void)context;
	if (firmware.agent.executing != DP_CMD_MAP)
		return;
	dp_sim.unmasked = NULL;
	firmware_nested(AT, 1);
	hits++;
	dp_sim.unmasked = hit_in_map;
}

/* Take the whole map once; the sum of its counts. */
static dp_word take_all(void)
{
	uint8_t arguments[5] = {[4] = 2};
	unsigned from = 0;
	dp_word sum = 0;

	while (from != 0xffff) {
		struct bench_answer answer;
		unsigned count;

		dp_put_u16(arguments + 2, (uint16_t)from);
		answer = bench_ask(DP_CMD_MAP, arguments, sizeof(arguments));
		CHECK(answer.came && answer.error == 0);
		if (answer.error != 0)
			break;
		CHECK(bench_number(&answer, 2, 4) == 0); /* dropped */
		count = unpack(answer.payload + 6, answer.payload + answer.bytes, 2);
		for (unsigned i = 1; i < count; i += 2)
			sum += words[i];
		from = bench_number(&answer, 0, 2);
	}
	return sum;
}

/* A full map, a hit at each step of each take. Each hit is in exactly one take. */
/* proves: R5.57 */
static void each_update_is_taken_once(void)
{
	const struct dp_program *program = firmware.agent.program;
	dp_word sum = 0;
	unsigned before = 100;
	const uint16_t *mark;

	bench_start();
	CHECK(bench_install(
		      "name = \"m\"\nvars = 1\njmpmax = 4\nmap = count 1 32\noffset = 0x08000100\n"
		      "inc lv, 0\npush lv, 0\npush 32\nsub\njz again\njmp count\n"
		      "again: push 0\npop lv, 0\n"
		      "count: push lv, 0\nadd map, 0\nabort\n") == 0);
	hits = 0;
	for (unsigned i = 0; i < before; i++)
		firmware_run(AT, 1);
	dp_sim.unmasked = hit_in_map;
	for (unsigned i = 0; i < 10; i++)
		sum += take_all();
	dp_sim.unmasked = NULL;
	CHECK(hits > 1000 && dp_probe_hits(bench_probe(0, 0)) == before + hits);
	sum += take_all();
	CHECK(sum == before + hits && take_all() == 0);
	mark = (const uint16_t *)(const void *)((const uint8_t *)program->view.maps +
						program->view.maps[0].marks);
	for (unsigned i = 0; i < 32; i++)
		CHECK(mark[i] == 0);
}

/* The only place is a gap, which the hit fills. */
static void full_map_loses_nothing(void)
{
	dp_word sum = 0;

	bench_start();
	CHECK(bench_install("name = \"m\"\nmap = count 1 1\noffset = 0x08000100\n"
			    "push 7\nadd map, 0\nabort\n") == 0);
	hits = 0;
	dp_sim.unmasked = hit_in_map;
	for (unsigned i = 0; i < 10; i++)
		sum += take_all();
	dp_sim.unmasked = NULL;
	sum += take_all();
	CHECK(hits > 20 && sum == hits && take_all() == 0);
}

int main(void)
{
	removal_moves_in_pieces();
	text_gives_way();
	each_update_is_taken_once();
	full_map_loses_nothing();
	return check_status();
}
