/* SPDX-License-Identifier: BSD-2-Clause */
/* Received bytes: which of them are requests, and which are text; noise.  PROTOCOL.md 3.1 and 7 */
#include "bench.h"
#include "check.h"

#include "dp_crc.h"

#include <stdio.h>
#include <string.h>

#define COUNTS "name = \"t\"\nvars = 1\noffset = 0x08000100\ninc lv, 0\npush lv, 0\nlog 1\nexit\n"

/* --- text and requests --- */

/* What is of no request is passed on in dp_rx; requests wait for dp_poll. */
/* proves: A1.2 A2.4 A2.5 A3.12 R3.7 R3.8 R3.13 R3.31 R7.6 */
static void text_and_requests(void)
{
	char line[DP_LINE_MAX + 1] = "";
	size_t n;

	bench_start();
	bench_type_text(DP_COM1, "ls -l~ ~Q ~~Q0 ~R00");
	n = bench_request(line, 200, DP_CMD_STATUS, NULL, 0);
	bench_type(DP_COM1, line, n);
	bench_type_text(DP_COM1, "7FFF\n~Qx~q\n");
	CHECK(bench_console_got(DP_COM1, "ls -l~ 7FFF\n"));
	CHECK(bench.line[0].answers == 1);
	bench_poll();
	CHECK(bench_console_got(DP_COM1, "ls -l~ 7FFF\n"));
	CHECK(bench.line[0].answers == 2 && bench.line[0].answer.seq == 200);
	/* a marker in the middle of a request begins anew: a marker that was held is text */
	for (size_t cut = 1; cut < n; cut++) {
		uint32_t answers = bench.line[0].answers;

		bench.line[0].console_bytes = 0;
		bench_type(DP_COM1, line, cut);
		bench_type(DP_COM1, line, n);
		bench_poll();
		CHECK(bench_console_got(DP_COM1, cut == 1 ? "~" : ""));
		CHECK(bench.line[0].answers == answers + 1 && bench.line[0].naks == 0);
	}
}

/* A marker is held for 50 ms without a byte, no longer; without a clock until the next byte. */
/* proves: R3.9 */
static void held_back(void)
{
	bench_start();
	bench_type_text(DP_COM1, "~");
	bench_poll();
	bench_wait_ms(50);
	CHECK(bench_console_got(DP_COM1, ""));
	bench_wait_ms(10);
	CHECK(bench_console_got(DP_COM1, "~"));
	bench_start();
	dp_sim.tick_hz = 0;
	bench_type_text(DP_COM1, "~");
	bench_wait_ms(10000);
	CHECK(bench_console_got(DP_COM1, ""));
	bench_type_text(DP_COM1, "x");
	CHECK(bench_console_got(DP_COM1, "~x"));
}

/* A pause in a request makes none of it text; after 2 s what comes is text again. */
/* proves: R3.32 */
static void pause_in_request(void)
{
	char line[DP_LINE_MAX];
	size_t bytes;

	bench_start();
	bytes = bench_request(line, 9, DP_CMD_STATUS, NULL, 0);
	for (size_t cut = 2; cut < bytes; cut++) {
		bytes = bench_request(line, (uint8_t)(100 + cut), DP_CMD_STATUS, NULL, 0);
		bench_type(DP_COM1, line, cut);
		bench_poll();
		bench_wait_ms(1990);
		bench_type(DP_COM1, line + cut, bytes - cut);
		bench_poll();
		CHECK(bench.line[0].answer.seq == 100 + cut && bench_console_got(DP_COM1, ""));
	}
	for (size_t cut = 2; cut < bytes; cut++) {
		bench_type(DP_COM1, line, cut);
		bench_type_text(DP_COM1, cut % 2 ? "xyz" : "");
		bench_poll();
		bench_wait_ms(2010);
		CHECK(bench_console_got(DP_COM1, ""));
		bench_type_text(DP_COM1, "ls\n");
		CHECK(bench_console_got(DP_COM1, "ls\n"));
		bench.line[0].console_bytes = 0;
	}
	CHECK(bench.line[0].naks == 0);
}

/* What waits for a pause of the firmware is in time, and time without a byte counts however seldom
 * dp_poll runs. */
/* proves: R3.33 */
static void pause_of_the_firmware(void)
{
	bench_start();
	bench_type_text(DP_COM1, "~Q0");
	bench_type_text(DP_COM2, "~");
	bench_poll();
	dp_sim.ticks += 3000000;
	bench_type_text(DP_COM1, "0"); /* read before dp_poll, as the ready-made glue does */
	bench_type_text(DP_COM2, "Q0");
	bench_poll();
	CHECK(bench_console_got(DP_COM1, "") && bench_console_got(DP_COM2, ""));
	bench_type_text(DP_COM1, "\nx");
	bench_type_text(DP_COM2, "\ny");
	CHECK(bench_console_got(DP_COM1, "x") && bench_console_got(DP_COM2, "y"));
	for (unsigned ms = 60; ms < 5000; ms *= 2) {
		bench_start();
		bench_type_text(DP_COM1, "~");
		bench_poll();
		dp_sim.ticks += 1000 * ms;
		bench_poll();
		CHECK(bench_console_got(DP_COM1, "~"));
	}
}

/* Somebody types at a terminal after a host was killed in the middle of a request. */
/* proves: R3.31 R3.35 */
static void killed_in_request(void)
{
	static const char *const rest[] = {"",    "~", "~Q", "~Q0", "~Q5A0104", "~Q5A01041234567",
					   "~Q0#"};

	for (unsigned i = 0; i < 2 * sizeof(rest) / sizeof(rest[0]); i++) {
		bool marker = i / 2 == 1;

		bench_start();
		dp_sim.tick_hz = i % 2 ? 0 : dp_sim.tick_hz;
		bench_type_text(DP_COM1, rest[i / 2]);
		bench_type_text(DP_COM1, "ls\r");
		bench_type_text(DP_COM1, "ls\r");
		CHECK(bench_console_got(DP_COM1, i / 2 == 0 ? "ls\rls\r"
						 : marker   ? "~ls\rls\r"
							    : "ls\r"));
	}
	bench_start(); /* a key a second, and no end of a line */
	bench_type_text(DP_COM1, "~Q0");
	for (unsigned i = 0; i < 5; i++) {
		bench_type_text(DP_COM1, "k");
		bench_poll();
		bench_wait_ms(1000);
	}
	CHECK(bench_console_got(DP_COM1, "kk"));
	bench_start(); /* nor a clock */
	dp_sim.tick_hz = 0;
	bench_type_text(DP_COM1, "~Q0");
	for (unsigned i = 0; i < 200; i++)
		bench_type_text(DP_COM1, "k");
	CHECK(bench.line[0].console_bytes == 200 - (DP_LINE_MAX - 3));
}

/* Data of the firmware with `~Q` in it, as a file that is sent over the console. */
/* proves: R3.34 R3.35 */
static void data_with_requests(void)
{
	uint8_t block[133];

	for (unsigned at = 0; at + 2 < sizeof(block); at++) {
		for (unsigned i = 0; i < sizeof(block); i++)
			block[i] = (uint8_t)(i * 151 + 129 * (i % 3));
		memcpy(block + at, "~Q", 2);
		bench_cold(); /* no session was */
		bench_type(DP_COM1, block, sizeof(block));
		bench_wait_ms(2500);
		CHECK(bench.line[0].console_bytes == sizeof(block) &&
		      memcmp(bench.line[0].console, block, sizeof(block)) == 0);
		bench_start();
		memcpy(block + at + 2, "\x90\x80\n\r", sizeof(block) - at - 2 < 4 ? 1 : 4);
		if (sizeof(block) - at - 2 < 4)
			continue;
		bench_type(DP_COM1, block, sizeof(block));
		bench_poll();
		CHECK(bench.line[0].console_bytes == sizeof(block) &&
		      memcmp(bench.line[0].console, block, sizeof(block)) == 0);
	}
	bench_cold(); /* what a person types where no session was, and a HELLO that is damaged */
	bench_type_text(DP_COM1, "~Q\n~Quit\n~Q1234567\n");
	CHECK(bench_console_got(DP_COM1, "~Q\n~Quit\n~Q1234567\n"));
	bench_type_text(DP_COM1, "~Q00090102123x5678026D6564A24C90\n~Q12345678\n");
	CHECK(bench_console_got(DP_COM1, "~Q\n~Quit\n~Q1234567\n"));
	bench_type_text(DP_COM1, "~Q0");
	bench_poll();
	bench_wait_ms(1990);
	CHECK(bench_console_got(DP_COM1, "~Q\n~Quit\n~Q1234567\n"));
	bench_wait_ms(30);
	CHECK(bench_console_got(DP_COM1, "~Q\n~Quit\n~Q1234567\n~Q0"));
}

/* --- damaged requests --- */

/* Each damaged request gets a NAK when its number was received; none of it is text. */
static void expect_damaged(const char *text, unsigned naks, unsigned seq)
{
	struct bench_line *line = &bench.line[1];
	uint32_t before = line->naks;

	bench_type_text(DP_COM2, text);
	bench_poll();
	CHECK(line->naks - before == naks && line->console_bytes == 0);
	CHECK(naks == 0 || (line->nak.payload[0] == seq >> 4 && line->nak.payload[1] == seq % 16));
}

/* proves: R3.7 R3.16 R3.17 R3.31 R4.4 R4.19 */
static void damaged_line(void)
{
	char line[DP_LINE_MAX + 1];
	size_t n;

	bench_start();
	n = bench_request(line, 0x5a, DP_CMD_STATUS, NULL, 0);
	line[n] = '\0';
	line[n - 2] = line[n - 2] == '0' ? '1' : '0';
	bench_type(DP_COM1, line, n);
	bench_poll();
	CHECK(bench.line[0].naks == 1 && bench.line[0].answers == 1);
	CHECK(bench.line[0].nak.payload[0] == 5 && bench.line[0].nak.payload[1] == 10);
	CHECK(bench_console_got(DP_COM1, ""));
	expect_damaged("~Q\n~Q5\n~Qx5A0104\n~Q5xA0104\n~Q5~R5A0104\n", 0, 0);
	expect_damaged("~Q5A\n", 1, 0x5a);
	expect_damaged("~Q6A0104\n", 1, 0x6a);
	expect_damaged("~Q5B020412345678\n", 1, 0x5b);
	expect_damaged("~Q5C01 \t0412345678 ls -l\r", 1, 0x5c);
	expect_damaged("~Q5D0104123~5678\n", 1, 0x5d);
	expect_damaged(line, 1, 0x5a);
	CHECK(bench.line[0].naks == 1);
	/* the answer to what another session asks is a NAK as well */
	bench.session++;
	CHECK(!bench_ask(DP_CMD_STATUS, NULL, 0).came && bench.line[0].naks == 2);
}

/* --- noise --- */

static uint64_t state_hash(void)
{
	const struct dp_agent *a = &firmware.agent;
	uint32_t low = 0, high;

	low = dp_crc32(low, a->site, sizeof(a->site));
	low = dp_crc32(low, a->probe, sizeof(a->probe));
	low = dp_crc32(low, a->program, sizeof(a->program));
	low = dp_crc32(low, &a->upload, sizeof(a->upload));
	low = dp_crc32(low, a->gv, sizeof(a->gv));
	low = dp_crc32(low, a->arena, sizeof(a->arena));
	low = dp_crc32(low, &a->link.seed, sizeof(a->link.seed));
	high = dp_crc32(0, firmware.text, sizeof(firmware.text));
	high = dp_crc32(high, &firmware.keep, sizeof(firmware.keep));
	high = dp_crc32(high, firmware.ram, sizeof(firmware.ram));
	return (uint64_t)high << 32 | low;
}

static uint32_t noise_seed = 1;

static uint32_t next_random(void)
{
	noise_seed ^= noise_seed << 13;
	noise_seed ^= noise_seed >> 17;
	noise_seed ^= noise_seed << 5;
	return noise_seed;
}

/* Noise: any bytes, or such as look like frames. */
static uint8_t noise(bool like_frames)
{
	static const char likely[] = "~~QQ00001122334456789ABCDEF\n\n\rx\x01\x90";
	uint32_t r = next_random() >> 8;

	return like_frames ? (uint8_t)likely[r % (sizeof(likely) - 1)] : (uint8_t)r;
}

/* What has come of a request, from its marker on; 0: nothing. */
struct requested {
	uint8_t held[DP_LINE_MAX];
	size_t count;
	bool damaged;
};

static bool is_digit(uint8_t byte)
{
	return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'F');
}

static bool is_data(const uint8_t *two)
{
	return (two[0] < ' ' || two[0] > '~') && (two[1] < ' ' || two[1] > '~');
}

/* What the console must get of the bytes while a session is open: PROTOCOL.md 3.1, once more. */
static size_t text_of(const uint8_t *typed, size_t count, struct requested *r, uint8_t *text)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		uint8_t byte = typed[i];

		if (r->count == DP_LINE_MAX)
			r->count = 0;
		if (byte == 'Q' && r->count > 0 && r->held[r->count - 1] == '~') {
			*r = (struct requested){.held = "~Q", .count = 2};
		} else if (r->count > 1 && (byte == '\n' || byte == '\r')) {
			r->count = 0;
		} else if (r->count > 1) {
			r->damaged = r->damaged || !is_digit(byte);
			r->held[r->count++] = byte;
			if (r->damaged && is_data(r->held + r->count - 2)) {
				memcpy(text + n, r->held, r->count);
				n += r->count;
				r->count = 0;
			}
		} else {
			if (r->count == 1)
				text[n++] = '~';
			*r = (struct requested){.held = "~", .count = byte == '~'};
			if (byte != '~')
				text[n++] = byte;
		}
	}
	if (r->count == 1) { /* 60 ms later */
		text[n++] = '~';
		r->count = 0;
	}
	return n;
}

/* proves: R3.31 R7.1 R7.2 */
static void random_bytes(void)
{
	enum {
		CHUNK = 1000
	};
	uint8_t typed[CHUNK];
	uint8_t typed_text[CHUNK + DP_LINE_MAX];
	static struct requested requested[2];
	uint64_t before;

	bench_start();
	CHECK(bench_install(COUNTS) == 0);
	bench_poll();
	before = state_hash();
	for (unsigned i = 0; i < 10000; i++) {
		struct bench_line *line = &bench.line[i % 2];
		size_t text;

		for (unsigned k = 0; k < CHUNK; k++)
			typed[k] = noise(i / 2 % 2);
		line->console_bytes = 0;
		bench_type((enum dp_com_index)(i % 2), typed, CHUNK);
		bench_poll();
		dp_sim.ticks += 60000; /* what is held is let go */
		bench_poll();
		text = text_of(typed, CHUNK, &requested[i % 2], typed_text);
		CHECK(line->console_bytes == text && memcmp(line->console, typed_text, text) == 0);
		bench.line[0].out_bytes = bench.line[1].out_bytes = 0;
	}
	CHECK(state_hash() == before);
	CHECK(bench.line[0].answers + bench.line[1].answers < 60);
}

int main(void)
{
	text_and_requests();
	held_back();
	pause_in_request();
	pause_of_the_firmware();
	killed_in_request();
	data_with_requests();
	damaged_line();
	random_bytes();
	return check_status();
}
