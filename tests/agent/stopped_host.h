/* SPDX-License-Identifier: BSD-2-Clause */
/* The host of a stopped target: the board's `stopped` types its requests, and it sees the answers.
 */
#ifndef STOPPED_HOST_H
#define STOPPED_HOST_H

#include "bench.h"
#include "check.h"

#include <string.h>

#if DP_WITH_HALT
enum {
	AT = FIRMWARE_TEXT + 0x100,
	OTHER = FIRMWARE_TEXT + 0x200,
	HZ = 1000000,
};

static char typed[256]; /* what the host types; in: of it, what has arrived */
static size_t type_end, in;
static uint32_t answers; /* that came before the last request */
static bool asked;       /* it was a request */
static uint32_t calls;   /* of stopped */
static uint32_t tick;    /* that a call takes */
static unsigned turns;   /* of the host in this stop */
static unsigned records; /* at its first turn */
static void (*host)(void);
static struct bench_answer last;

static inline void send(uint8_t command, const void *arguments, size_t bytes)
{
	in = 0;
	type_end = bench_request(typed, ++bench.seq, command, arguments, bytes);
	answers = bench.line[0].answers;
	asked = true;
}

static inline void type(const char *text)
{
	in = 0;
	type_end = strlen(text);
	memcpy(typed, text, type_end);
}

static inline void take_answer(void)
{
	const struct dp_frame_in *answer = &bench.line[0].answer;

	last.came = bench.line[0].answers > answers;
	if (!last.came)
		return;
	answers = bench.line[0].answers;
	last.error = answer->payload[1];
	last.bytes = (uint8_t)(answer->bytes - 2);
	memcpy(last.payload, answer->payload + 2, last.bytes);
}

/* The host's turn comes when its line is empty, and its last request is answered. */
static inline int stopped(unsigned com)
{
	CHECK(dp_sim.masked);
	calls++;
	dp_sim.ticks += tick;
	if (com != 0)
		return -1;
	if (in == type_end && (turns == 0 || !asked || bench.line[0].answers > answers)) {
		if (turns++ == 0)
			records = bench.records;
		take_answer();
		type_end = in = 0;
		asked = false;
		host();
	}
	return in < type_end ? (uint8_t)typed[in++] : -1;
}

static inline void start(void (*by)(void))
{
	bench_start();
	dp_sim.tick_hz = HZ;
	firmware.board.stopped = stopped;
	host = by;
	type_end = in = turns = calls = 0;
	tick = 10;
	last.came = false;
}

/* Run once over a probe that stops. */
static inline void stop_once(void (*by)(void), const char *program)
{
	start(by);
	CHECK(bench_install(program) == 0);
	firmware_run(AT, 1);
	bench_poll();
	CHECK(!firmware.agent.cpu[0].in_hit && firmware.executed == 1);
}

static inline uint64_t *reg(unsigned number)
{
	return firmware.frame.word[sim_row((uint16_t)number)];
}

static inline unsigned put_word(uint8_t *to, dp_word word)
{
	for (unsigned i = sizeof(word); i-- > 0; word = word >> 4 >> 4)
		to[i] = (uint8_t)word;
	return sizeof(word);
}

static inline dp_word get_word(const uint8_t *from)
{
	dp_word word = 0;

	for (unsigned i = 0; i < sizeof(word); i++)
		word = word << 4 << 4 | from[i];
	return word;
}

static inline void ask_regs(uint16_t first, uint8_t count)
{
	const uint8_t arguments[] = {(uint8_t)(first >> 8), (uint8_t)first, count};

	send(DP_CMD_REGS, arguments, sizeof(arguments));
}

static inline void write_reg(uint16_t number, dp_word value)
{
	uint8_t arguments[3 + sizeof(value)] = {(uint8_t)(number >> 8), (uint8_t)number, 1};

	send(DP_CMD_REGS, arguments, 3 + put_word(arguments + 3, value));
}

static inline void resume(void)
{
	send(DP_CMD_RESUME, "", 0);
}

static inline uint32_t notice(enum dp_notice number, unsigned at, unsigned bytes)
{
	const uint8_t *digits = bench.line[0].notice_of[number].payload + DP_STREAM_HEAD + 2;
	uint32_t value = 0;

	for (unsigned i = 2 * at; i < 2 * (at + bytes); i++)
		value = value << 4 | digits[i];
	return value;
}

static inline bool noticed(enum dp_notice number)
{
	return bench.line[0].notice_of[number].bytes > 0;
}
#endif

#endif
