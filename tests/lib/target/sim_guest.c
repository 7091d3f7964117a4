/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conformance cases through the whole agent without a board: the commands of
 * tests/guests/conformance/main.c on com2, the agent on com1, the simulated CPU under it.
 *
 *   sim_guest COM1-PATH COM2-PATH KIND
 *
 * KIND: the top byte of the instruction at each site (port/sim/sim.h), hexadecimal. The process
 * ends when com2 is closed.
 */
#define _GNU_SOURCE
#include "sim_firmware.h"
#include "state.h"

#include "dp_crc.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	LINE = 4096,
	ROWS = 16,
	ROW_BYTES = 1024,
	SITE_BYTES = 4,
	TICKS_A_HIT = 100,
};

static struct dp_range rows[ROWS];
static uint8_t memory[ROWS][ROW_BYTES];
static unsigned row_count;
static uint64_t registers[DP_SIM_ROWS_MAX];
static uint32_t site_word;
static char plans[STATE_TEXT]; /* at the last hit */
static int com1 = -1, com2;    /* -1: nobody is connected */

/* --- lines --- */

static int listening_at(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(listener, 1) < 0) {
		perror(path);
		exit(1);
	}
	return listener;
}

static uint8_t out[1 << 12];
static size_t out_used;

static void send_all(int line, const void *bytes, size_t count)
{
	if (send(line, bytes, count, MSG_NOSIGNAL) != (ssize_t)count)
		exit(0); /* the host has gone */
}

static void flush(void)
{
	if (out_used > 0 && com1 >= 0)
		send_all(com1, out, out_used);
	out_used = 0;
}

static bool put_com1(void *ctx, uint8_t byte)
{
	(void)ctx;
	out[out_used++] = byte;
	if (byte == '\n' || out_used == sizeof(out))
		flush();
	return true;
}

/* --- the case's world --- */

static uint8_t *add_row(dp_addr address, size_t bytes, uint8_t access)
{
	uint8_t *data;

	if (row_count == ROWS || bytes > ROW_BYTES)
		return NULL;
	data = memory[row_count];
	if (!sim_map(address, data, bytes, access & (DP_MEM_WRITE | DP_MEM_TEXT)))
		return NULL;
	rows[row_count++] = (struct dp_range){address, (dp_addr)bytes, access};
	firmware.board.range_count = row_count;
	return data;
}

static const char *do_reset(char **word)
{
	(void)word;
	dp_quiescent(&firmware.agent);
	memset(memory, 0, sizeof(memory));
	memset(registers, 0, sizeof(registers));
	memset(&firmware.frame, 0, sizeof(firmware.frame));
	dp_sim.ranges = 0;
	dp_sim.text_bytes = 0;
	firmware.board.range_count = row_count = 0;
	return NULL;
}

static uint64_t number(const char *text)
{
	return strtoull(text, NULL, 16);
}

static const char *declare(char **word, uint8_t access)
{
	size_t bytes = strlen(word[2]) / 2;
	uint8_t *data = add_row((dp_addr)number(word[1]), bytes, access);

	if (!data)
		return "no room for the row, or it overlaps another";
	for (size_t i = 0; i < bytes; i++) {
		char digits[3] = {word[2][2 * i], word[2][2 * i + 1], 0};

		data[i] = (uint8_t)number(digits);
	}
	return NULL;
}

static const char *do_mem(char **word)
{
	return declare(word, DP_MEM_READ | DP_MEM_WRITE);
}

static const char *do_mem_ro(char **word)
{
	return declare(word, DP_MEM_READ);
}

static const char *do_site(char **word)
{
	dp_addr address = (dp_addr)number(word[1]);

	for (unsigned i = 0; i < row_count; i++)
		if (rows[i].start == address)
			return NULL;
	if (!add_row(address, SITE_BYTES, DP_MEM_READ | DP_MEM_TEXT))
		return "no room for the site";
	firmware_put_word(address, site_word);
	return NULL;
}

static const char *do_reg(char **word)
{
	uint16_t count;
	const struct dp_reg *regs = dp_port_regs(&count);
	unsigned index = word[1][0] == 'r' ? (unsigned)strtoul(word[1] + 1, NULL, 10) : 0x10;

	for (unsigned row = 0; row < count; row++)
		if (regs[row].index == index) {
			registers[row] = number(word[2]);
			return NULL;
		}
	return "no such register";
}

static const char *do_hit(char **word)
{
	for (uint64_t n = number(word[2]); n > 0; n--) {
		for (unsigned row = 0; row < DP_SIM_ROWS_MAX; row++)
			firmware.frame.word[row][0] = registers[row];
		dp_sim.ticks += TICKS_A_HIT;
		firmware_run((dp_addr)number(word[1]), 1);
		state_plans(plans, &firmware.agent); /* the patrol of dp_poll drops them */
		firmware_poll();
	}
	return NULL;
}

static const char *do_intact(char **word)
{
	(void)word;
	for (unsigned i = 0; i < row_count; i++)
		if ((rows[i].access & DP_MEM_TEXT) && firmware_word(rows[i].start) != site_word)
			return "text changed";
	return NULL;
}

static const struct command {
	const char *name;
	unsigned words;
	const char *(*run)(char **word);
} commands[] = {
	{"reset", 1, do_reset}, {"mem", 3, do_mem}, {"mem-ro", 3, do_mem_ro}, {"site", 2, do_site},
	{"reg", 3, do_reg},     {"hit", 3, do_hit}, {"intact", 1, do_intact},
};

static const char *obey(char *line)
{
	char *word[4], *at = line;
	unsigned words = 0;

	while (words < 4 && (word[words] = strtok_r(at, " ", &at)) != NULL)
		words++;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (words > 0 && words == commands[i].words &&
		    strcmp(word[0], commands[i].name) == 0)
			return commands[i].run(word);
	return "no such command";
}

static void answer(char *line)
{
	char text[LINE] = "ok";
	const char *error;

	_Static_assert((int)STATE_TEXT <= (int)LINE, "a state is a line");

	if (strncmp(line, "echo ", 5) == 0) {
		snprintf(text, sizeof(text), "%s", line + 5);
	} else if (strcmp(line, "state") == 0) {
		state_write(text, &firmware.agent, &firmware.frame, sizeof(firmware.frame),
			    dp_crc32(0, memory, sizeof(memory)));
	} else if (strcmp(line, "plans") == 0) {
		snprintf(text, sizeof(text), "%s", plans);
	} else if ((error = obey(line)) != NULL) {
		snprintf(text, sizeof(text), "no: %s", error);
	}
	flush();
	send_all(com2, text, strlen(text));
	send_all(com2, "\n", 1);
}

static void take(const uint8_t *bytes, size_t count)
{
	static char line[LINE];
	static size_t used;

	for (size_t i = 0; i < count; i++) {
		if (bytes[i] != '\n') {
			if (used + 1 < sizeof(line))
				line[used++] = (char)bytes[i];
			continue;
		}
		line[used] = '\0';
		used = 0;
		answer(line);
	}
}

/* --- start --- */

/* The image is known by its build-id: nobody reads its text. */
static void start_agent(void)
{
	static const uint8_t build_id[20] = {1};

	firmware_load();
	sim_reset();
	firmware.board.image.build_id = build_id;
	firmware.board.image.build_id_bytes = sizeof(build_id);
	firmware.board.ranges = rows;
	firmware.board.range_count = 0;
	firmware.board.com[DP_COM1].put = put_com1;
	if (firmware_boot() != DP_ERR_OK) {
		fprintf(stderr, "sim_guest: the agent did not start\n");
		exit(1);
	}
}

static void receive(void)
{
	uint8_t bytes[LINE];
	ssize_t count = recv(com1, bytes, sizeof(bytes), 0);

	if (count <= 0)
		com1 = -1;
	for (ssize_t i = 0; i < count; i++)
		dp_rx(&firmware.agent, DP_COM1, bytes[i]);
}

/* The host asks on com2 before it opens com1. listener: of com1. */
static void run(int listener)
{
	uint8_t bytes[LINE];
	ssize_t count;

	for (;;) {
		struct pollfd fds[] = {{com1 < 0 ? listener : com1, POLLIN, 0}, {com2, POLLIN, 0}};
		bool busy = dp_poll(&firmware.agent);

		flush();
		if (poll(fds, 2, busy ? 0 : 1) <= 0)
			continue;
		if (fds[0].revents != 0 && com1 < 0)
			com1 = accept(listener, NULL, NULL);
		else if (fds[0].revents != 0)
			receive();
		if (fds[1].revents == 0)
			continue;
		count = recv(com2, bytes, sizeof(bytes), 0);
		if (count <= 0)
			return;
		take(bytes, (size_t)count);
	}
}

int main(int argc, char **argv)
{
	int first, second;

	if (argc != 4) {
		fprintf(stderr, "usage: sim_guest COM1-PATH COM2-PATH KIND\n");
		return 1;
	}
	site_word = (uint32_t)number(argv[3]) << 24;
	first = listening_at(argv[1]);
	second = listening_at(argv[2]);
	start_agent();
	printf("ready\n");
	fflush(stdout);
	com2 = accept(second, NULL, NULL);
	run(first);
	return 0;
}
