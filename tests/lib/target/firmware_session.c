/* SPDX-License-Identifier: BSD-2-Clause */
/* A firmware that does what standard input says, line by line, so that a session with its agent is
 * the same each time: test_features.py. Output: lines of the agent behind 1 or 2 (com1, com2), what
 * its console was given behind c, and at the end of each command "= executed faults foreign value".
 */
#include "sim_firmware.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A line as it is made, and who made it. */
struct out {
	char source;
	unsigned used;
	char text[512]; /* more than any line */
};
static struct out com[DP_COMS] = {{.source = '1'}, {.source = '2'}}, console = {.source = 'c'};

static bool put(void *context, uint8_t byte)
{
	struct out *out = context;

	if (byte != '\n' && out->used < sizeof(out->text)) {
		out->text[out->used++] = (char)byte;
		return true;
	}
	printf("%c%.*s\n", out->source, (int)out->used, out->text);
	out->used = 0;
	return true;
}

static void console_in(void *context, uint8_t byte)
{
	(void)context;
	put(&console, byte);
}

static const uint8_t build_id[20] = {1, 2, 3};
static const struct dp_module module = {"mod",    FIRMWARE_MODULE,  FIRMWARE_MODULE_BYTES,
					build_id, sizeof(build_id), 0};

static void load(bool stamped)
{
	static const uint8_t insns[] = {SIM_STEPPED, SIM_SLOT_FAULT, SIM_FAULT, SIM_AWAY,
					SIM_REFUSED, SIM_BRANCH,     SIM_NEVER, SIM_MEMORY};

	firmware_load();
	for (unsigned i = 0; i < sizeof(insns); i++)
		firmware_put_word(FIRMWARE_TEXT + 0x300 + 16 * i, (uint32_t)insns[i] << 24);
	if (stamped) {
		firmware.board.image.build_id = build_id;
		firmware.board.image.build_id_bytes = sizeof(build_id);
	}
	for (unsigned i = 0; i < DP_COMS; i++)
		firmware.board.com[i] =
			(struct dp_com){.put = put, .console_in = console_in, .ctx = &com[i]};
}

static void receive(unsigned number, const char *text)
{
	for (; *text; text++)
		dp_rx(&firmware.agent, (enum dp_com_index)number, (uint8_t)*text);
}

/* The board's ranges with all code of this program before them, as text that may be probed; or
 * without. */
static void expose_agent(bool expose)
{
	static struct dp_range ranges[16];
	static const struct dp_range *original;
	struct dp_board *board = &firmware.board;

	if (!original)
		original = board->ranges;
	ranges[0] = (struct dp_range){0x1000, FIRMWARE_TEXT - 0x1000, DP_MEM_READ | DP_MEM_TEXT};
	memcpy(ranges + 1, original, board->range_count * sizeof(*ranges));
	board->ranges = expose ? ranges : original;
	board->range_count = (uint16_t)(board->range_count + (expose ? 1 : -1));
}

static void change_module(bool comes)
{
	if (DP_WITH_MODULES && comes)
		dp_module_loaded(&firmware.agent, &module);
	else if (DP_WITH_MODULES)
		dp_module_unloaded(&firmware.agent, module.name);
}

/* Behind the agent's back. */
static void overwrite(dp_addr address, uint32_t word)
{
	uint8_t b[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
			(uint8_t)(word >> 24)};

	sim_write(address, b, sizeof(b));
}

/* A bit of the first that is armed. */
static void damage_a_site(void)
{
	struct dp_site *site = firmware.agent.site;

	while (!site->armed && site < firmware.agent.site + DP_MAX_PROBES - 1)
		site++;
	site->insn_bytes ^= 0x10;
}

static void set_key(bool asks)
{
#if DP_WITH_ACCESS
	static uint8_t key[16];

	for (unsigned i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)i;
	firmware.board.key = asks ? key : NULL;
	firmware.board.entropy = asks ? 0x0123456789abcdef : 0;
#else
	(void)asks;
#endif
}

static void sample(uint32_t hz, uint32_t calls)
{
#if DP_WITH_TIMERS
	firmware.board.sample_hz = hz;
	while (calls-- > 0)
		dp_sample(&firmware.agent, FIRMWARE_TEXT, FIRMWARE_RAM, FIRMWARE_TEXT);
#else
	(void)hz, (void)calls;
#endif
}

static void poll(unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		dp_poll(&firmware.agent);
	firmware_poll();
}

/* What the letter of a line is answered with. */
static unsigned long obey(char *line)
{
	uint32_t a = 0, b = 0, c = 0;

	sscanf(line + 1, "%" SCNx32 " %" SCNx32 " %" SCNx32, &a, &b, &c);
	switch (line[0]) {
	case '1': /* a line for com1, com2 */
	case '2':
		receive((unsigned)(line[0] - '1'), line + 1);
		poll(0);
		break;
	case '>': /* for com1; nobody polls */
		receive(DP_COM1, line + 1);
		break;
	case 'r': /* from an address so many instructions, so many times; nobody polls */
		for (uint32_t i = 0; i < c; i++)
			firmware_run(a, b);
		break;
	case 'p': /* so many polls, and those that have something to do */
		poll(a);
		break;
	case 'h': /* the board samples so often a second, and now so many times */
		sample(a, b);
		break;
	case 't':
		dp_sim.ticks = (uint64_t)a << 32 | b;
		break;
	case 'w':
		overwrite(a, b);
		break;
	case 'o':
		return firmware_text_is_original();
	case 'd':
		damage_a_site();
		break;
	case 'm':
		change_module(a != 0);
		break;
	case 'x':
		expose_agent(a != 0);
		break;
	case 'k':
		dp_quiescent(&firmware.agent);
		break;
	case 'l':
		dp_lock(&firmware.agent);
		break;
	case 's': /* the board asks for the key 00 01 .. 0f, or for none */
		set_key(a != 0);
		break;
	case 'c':
		if (DP_WITH_SHARED_LINE)
			dp_console_write(&firmware.agent, DP_COM1, line + 1, strlen(line + 1));
		break;
	case 'b': /* a warm restart */
		return firmware_boot();
	default:
		return 999;
	}
	return 0;
}

int main(int argc, char **argv)
{
	char line[512];
	enum dp_err error;

	load(argc < 2 || strcmp(argv[1], "unstamped") != 0);
	error = firmware_boot();
	if (error != DP_ERR_OK)
		return error;
	while (fgets(line, sizeof(line), stdin)) {
		unsigned long value = obey(line);

		printf("= %" PRIu32 " %" PRIu32 " %" PRIu32 " %lu\n", firmware.executed,
		       firmware.faults, firmware.foreign_traps, value);
		fflush(stdout);
	}
	return 0;
}
