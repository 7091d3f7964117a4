/* SPDX-License-Identifier: BSD-2-Clause */
/* The board of a ready-made glue, filled from the firmware's dprobes_settings.h. A glue includes
 * this header once, and names its callbacks by DPROBES_TASK and DPROBES_WAKE. DPROBES_CALLED is a
 * short function of the firmware that a callback calls in hits: no probe may stand in its first
 * DPROBES_CALLED_BYTES. */
#ifndef DPROBES_SETTLED_H
#define DPROBES_SETTLED_H

#include "dprobes_settings.h"
#include "dprobes_start.h"

#ifndef DPROBES_NAME
#define DPROBES_NAME "firmware"
#endif
#ifndef DPROBES_TEXT
#define DPROBES_TEXT     __text_start
#define DPROBES_TEXT_END __text_end
#endif
#ifndef DPROBES_RAM
#define DPROBES_RAM     __ram_start
#define DPROBES_RAM_END __ram_end
#endif
#ifndef DPROBES_NOTE
#define DPROBES_NOTE dprobes_note
#endif
#ifndef DPROBES_CONSOLE
#define DPROBES_CONSOLE(byte) (void)(byte)
#endif
#ifndef DPROBES_CONSOLE_WAITS
#define DPROBES_CONSOLE_WAITS 0
#endif
#ifndef DPROBES_SAMPLE_HZ
#define DPROBES_SAMPLE_HZ 0
#endif
#ifndef DPROBES_TASK
#define DPROBES_TASK NULL
#endif
#ifndef DPROBES_WAKE
#define DPROBES_WAKE NULL
#endif

#if defined(DPROBES_KEY) && !defined(DPROBES_ENTROPY) && !defined(DPROBES_SEED)
#error "dprobes_settings.h: DPROBES_KEY needs DPROBES_ENTROPY or DPROBES_SEED (dprobes_start.h)"
#endif

#ifndef DPROBES_DECLARED
DPROBES_SYMBOLS(DPROBES_TEXT, DPROBES_TEXT_END, DPROBES_RAM, DPROBES_RAM_END, DPROBES_NOTE);
#ifdef DPROBES_LOCKED
DPROBES_SYMBOL DPROBES_LOCKED[], DPROBES_LOCKED_END[];
#endif
#ifdef DPROBES_RODATA
DPROBES_SYMBOL DPROBES_RODATA[], DPROBES_RODATA_END[];
#endif
#endif
DPROBES_MEMORY(memory);
DPROBES_LINKED(linked, DPROBES_TEXT, DPROBES_TEXT_END, DPROBES_RAM, DPROBES_RAM_END, DPROBES_NOTE);

static DPROBES_CODE bool agent_put(void *ctx, uint8_t byte)
{
	(void)ctx;
	return DPROBES_PUT(byte);
}

static DPROBES_CODE void agent_console_in(void *ctx, uint8_t byte)
{
	(void)ctx;
	DPROBES_CONSOLE(byte);
}

#ifdef DPROBES_GET
static DPROBES_CODE int agent_get(void *ctx)
{
	(void)ctx;
	return DPROBES_GET();
}
#endif

#ifdef DPROBES_STOPPED
static DPROBES_CODE int agent_stopped(unsigned line)
{
	(void)line;
	return DPROBES_STOPPED();
}
#endif

#ifdef DPROBES_TICKS
static DPROBES_CODE uint64_t agent_ticks(void)
{
	return DPROBES_TICKS();
}
#endif

#ifdef DPROBES_SEED
static DPROBES_CODE bool agent_seed(uint8_t bytes[8], bool write)
{
	return DPROBES_SEED(bytes, write);
}
#endif

#ifdef DPROBES_CONSOLE_READY
static void agent_console_ready(unsigned line)
{
	(void)line;
	DPROBES_CONSOLE_READY();
}
#endif

#if defined(DPROBES_LOCKED) || defined(DPROBES_RODATA) || defined(DPROBES_CALLED)
static struct dprobes_range settled_row(const void *start, const void *end, uint8_t access)
{
	struct dprobes_range row;

	row.start = (dprobes_word)(uintptr_t)start;
	row.bytes = (dprobes_word)((uintptr_t)end - (uintptr_t)start);
	row.access = access;
	return row;
}
#endif

/* The rows before those of text and RAM. */
static void fill_rows(struct dprobes_board *board)
{
#if defined(DPROBES_LOCKED) || defined(DPROBES_RODATA) || defined(DPROBES_CALLED)
	static struct dprobes_range rows[3];

	board->ranges = rows;
#endif
#ifdef DPROBES_LOCKED
	rows[board->range_count++] =
		settled_row(DPROBES_LOCKED, DPROBES_LOCKED_END, DPROBES_READ | DPROBES_NO_PROBE);
#endif
#ifdef DPROBES_CALLED
	const uint8_t *called = (const uint8_t *)((uintptr_t)DPROBES_CALLED & ~(uintptr_t)1);

	rows[board->range_count++] =
		settled_row(called, called + DPROBES_CALLED_BYTES, DPROBES_READ | DPROBES_NO_PROBE);
#endif
#ifdef DPROBES_RODATA
	rows[board->range_count++] = settled_row(DPROBES_RODATA, DPROBES_RODATA_END, DPROBES_READ);
#endif
	(void)board;
}

/* Fill the board and start the agent. Returns as dprobes_init does. */
static inline int start_agent(void)
{
	static struct dprobes_board board;

	board.com[0].put = agent_put;
	board.com[0].console_in = agent_console_in;
#ifdef DPROBES_GET
	board.com[0].get = agent_get;
#endif
#ifdef DPROBES_STOPPED
	board.stopped = agent_stopped;
#endif
#ifdef DPROBES_CONSOLE_READY
	board.console_ready = agent_console_ready;
#endif
	board.console_waits = DPROBES_CONSOLE_WAITS;
#ifdef DPROBES_KEY
	board.key = DPROBES_KEY;
#endif
#ifdef DPROBES_SEED
	board.seed = agent_seed;
#endif
#ifdef DPROBES_ENTROPY
	board.entropy = DPROBES_ENTROPY();
#endif
	board.name = DPROBES_NAME;
	board.linked = &linked;
	board.range_count = 0;
	fill_rows(&board);
#ifdef DPROBES_MOVED
	board.moved = (dprobes_word)(DPROBES_MOVED);
#endif
#ifdef DPROBES_TICKS
	board.ticks = agent_ticks;
#endif
#ifdef DPROBES_TICK_HZ
	board.tick_hz = DPROBES_TICK_HZ;
#endif
	board.sample_hz = DPROBES_SAMPLE_HZ;
	board.task = DPROBES_TASK;
	board.wake = DPROBES_WAKE;
	return dprobes_init(&memory, &board);
}

size_t dprobes_print(const char *text, size_t bytes)
{
	size_t done = 0;

	if (dprobes_console_room(0) >= 0)
		return dprobes_console_write(0, text, bytes);
	while (done < bytes)
		done += agent_put(NULL, (uint8_t)text[done]);
	return done;
}

#endif
