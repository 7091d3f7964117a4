/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that the image carries: armed by dp_init, off when starts do not reach dp_poll.
 * PROTOCOL.md 9 */
#include "bench.h"
#include "check.h"

#include "dp_bytes.h"
#include "dp_crc.h"
#include "dp_embed.h"
#include "dp_object.h"

#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100,
	NONE = 0,
	ARMED,
	REFUSED,
	OFF,
	DAMAGED,
	WRONG_IMAGE = 4,
	NOT_PERMITTED = 37
};
#define LOGS   "name = \"boot\"\noffset = 0x08000100\npush 7\nlog 1\nexit\n"
#define COUNTS "name = \"c\"\nvars = 1\noffset = 0x08000200\ninc lv, 0\nabort\n"

static uint8_t section[4096];
static uint32_t used;

/* --- the section --- */

static void begin(void)
{
	memset(section, 0, sizeof(section));
	memcpy(section, DP_EMBED_MAGIC, 4);
	used = DP_EMBED_HEADER_BYTES;
}

static void end(void)
{
	dp_put_u32(section + DP_EMBED_BYTES_AT, used);
	dp_put_u32(section + DP_EMBED_CRC,
		   dp_crc32(0, section + DP_EMBED_BYTES_AT, used - DP_EMBED_BYTES_AT));
}

/* The object in bench.object. */
static void add_object(uint8_t options)
{
	uint8_t *head = section + used;

	dp_put_u32(head + DP_EMBEDDED_BYTES, bench.object_bytes);
	dp_put_u32(head + DP_EMBEDDED_CRC, dp_crc32(0, bench.object, bench.object_bytes));
	head[DP_EMBEDDED_OPTIONS] = options;
	memcpy(head + DP_EMBEDDED_HEAD_BYTES, bench.object, bench.object_bytes);
	used += DP_EMBEDDED_HEAD_BYTES + ((bench.object_bytes + 3) & ~3u);
	dp_put_u32(section + DP_EMBED_COUNT, dp_get_u32(section + DP_EMBED_COUNT) + 1);
}

/* Compile for the firmware, whose text has the CRC `crc`. */
static void compile(const char *source, uint32_t crc)
{
	uint8_t *module;

	bench_start();
	CHECK(bench_compile(source));
	CHECK(bench_install_object(DP_COMMIT_NO_IDENTITY, 0).error == 0);
	module = bench.object + firmware.agent.program[0].modules;
	module[DP_MOD_IDENTITY] = DP_IDENTITY_TEXT_CRC;
	dp_put_u32(module + DP_MOD_ID, crc);
	dp_put_u32(module + DP_MOD_ID + 4, FIRMWARE_TEXT_BYTES);
	bench_seal();
}

static uint32_t text_crc(void)
{
	return dp_crc32(0, firmware.original, FIRMWARE_TEXT_BYTES);
}

static void add(const char *source, uint8_t options)
{
	compile("name = \"x\"\noffset = 0x08000100\nexit\n", 0); /* loads the firmware */
	compile(source, text_crc());
	add_object(options);
}

/* --- starts --- */

static void power_on(void)
{
	bench_cold();
	firmware.board.embedded = section;
	firmware.board.embedded_bytes = sizeof(section);
	memset(&firmware.keep, 0xa5, sizeof(firmware.keep));
	bench_warm();
}

/* A start with the section of now, and the keep area of the start before. */
static struct dp_keep kept;

static void start_image(void)
{
	bench_cold();
	firmware.board.embedded = section;
	firmware.board.embedded_bytes = sizeof(section);
	memcpy(&firmware.keep, &kept, sizeof(kept));
	bench_warm();
}

struct told {
	unsigned state, count, refused, error, starts;
	uint32_t programs, flying;
};

static struct told ask(void)
{
	const struct bench_answer answer = bench_ask(DP_CMD_EMBED, "", 0);

	CHECK(answer.error == 0 && answer.bytes == 13);
	return (struct told){answer.payload[0],          answer.payload[1],
			     answer.payload[2],          answer.payload[3],
			     answer.payload[4],          bench_number(&answer, 5, 4),
			     bench_number(&answer, 9, 4)};
}

/* --- tests --- */

/* The programs are armed before anybody polls, and their records wait for the first host. */
/* proves: R9.10 */
static void armed_at_the_start(void)
{
	struct told told;

	begin();
	add(LOGS, 0);
	add(COUNTS, 0);
	end();
	power_on();
	CHECK(firmware.agent.programs == 2 && !firmware_text_is_original());
	firmware_run(AT, 3);
	CHECK(bench.records == 0);
	bench_hello(1, 0);
	bench_poll();
	CHECK(bench.records == 1 && bench_logged(0) == 7);
	told = ask();
	CHECK(told.state == ARMED && told.count == 2 && told.programs == 3 && told.flying == 0);
	bench_remove_all();
	CHECK(firmware_text_is_original());
	told = ask();
	CHECK(told.state == ARMED && told.programs == 0);
}

static void with_the_recorder(void)
{
	begin();
	add(LOGS, DP_COMMIT_FLIGHT);
	end();
	power_on();
	firmware_run(AT, 1);
	bench_hello(1, 0);
	CHECK(ask().flying == 1 && bench.records == 0);
	CHECK(firmware.agent.flight.end > DP_FLIGHT_BYTES);
}

/* proves: R9.11 R9.12 */
static void refused(void)
{
	struct told told;

	begin();
	compile(LOGS, text_crc() + 1);
	add_object(0);
	end();
	power_on();
	bench_hello(1, 0);
	told = ask();
	CHECK(told.state == REFUSED && told.refused == 0 && told.error == WRONG_IMAGE);
	CHECK(told.programs == 0 && firmware_text_is_original());
	begin();
	add(COUNTS, 0);
	add("name = \"w\"\noffset = 0x08000100\npush 0x20000000\npush 1\npop mem, u32\nexit\n", 0);
	end();
	power_on();
	bench_hello(1, 0);
	told = ask();
	CHECK(told.state == REFUSED && told.refused == 1 && told.error == NOT_PERMITTED);
	CHECK(told.programs == 1 && told.count == 2);
}

/* proves: R9.13 */
static void off_after_three_starts(void)
{
	struct told told;

	begin();
	add(LOGS, 0);
	end();
	power_on(); /* two starts: bench_cold, and the one with memory of power-on */
	for (unsigned starts = 1; starts < DP_EMBED_STARTS_MAX; starts++) {
		CHECK(firmware.agent.programs == 1);
		bench_warm();
	}
	CHECK(firmware.agent.programs == 1);
	bench_warm();
	CHECK(firmware.agent.programs == 0 && firmware_text_is_original());
	bench_hello(1, 0); /* polls */
	told = ask();
	CHECK(told.state == OFF && told.starts == DP_EMBED_STARTS_MAX && told.programs == 0);
	bench_warm(); /* the start before has polled, and had no program */
	CHECK(firmware.agent.programs == 0);
	bench_hello(2, 0);
	told = ask();
	CHECK(told.state == OFF && told.starts == DP_EMBED_STARTS_MAX);
	memcpy(&kept, &firmware.keep, sizeof(kept));
	begin(); /* an image with other programs */
	add(COUNTS, 0);
	end();
	start_image();
	bench_hello(3, 0);
	told = ask();
	CHECK(told.state == ARMED && told.starts == 0 && firmware.agent.programs == 1);
	bench_warm();
	bench_hello(4, 0);
	CHECK(ask().state == ARMED && ask().starts == 0);
}

/* Starts of an image are none of the next one's. */
/* proves: R9.13 */
static void starts_are_of_the_programs(void)
{
	begin();
	add(LOGS, 0);
	end();
	power_on();
	while (firmware.agent.programs == 1)
		bench_warm();
	memcpy(&kept, &firmware.keep, sizeof(kept));
	begin();
	add(COUNTS, 0);
	end();
	start_image();
	CHECK(firmware.agent.programs == 1);
	bench_hello(1, 0);
	CHECK(ask().state == ARMED && ask().starts == 0);
}

/* proves: R9.14 */
static void damaged(void)
{
	begin();
	add(LOGS, 0);
	end();
	for (uint32_t at = 4; at < used; at++) {
		section[at] ^= 0x10;
		power_on();
		CHECK(firmware.agent.programs == 0);
		bench_hello(1, 0);
		CHECK(ask().state == DAMAGED);
		section[at] ^= 0x10;
	}
	section[0] ^= 1;
	power_on();
	bench_hello(1, 0);
	CHECK(ask().state == NONE);
	section[0] ^= 1;
	/* a checksum that is right, and lengths that are not */
	for (uint32_t bytes = DP_EMBED_HEADER_BYTES; bytes < used; bytes++) {
		dp_put_u32(section + DP_EMBED_BYTES_AT, bytes);
		dp_put_u32(section + DP_EMBED_CRC,
			   dp_crc32(0, section + DP_EMBED_BYTES_AT, bytes - DP_EMBED_BYTES_AT));
		power_on();
		bench_hello(1, 0);
		CHECK(firmware.agent.programs == 0 && ask().state == DAMAGED);
	}
}

/* Objects of any length, the last one without its padding. What looks like a program behind the end
 * is none. */
/* proves: R9.14 */
static void not_past_the_end(void)
{
	for (uint32_t over = 0; over < 4; over++) {
		uint32_t end_of_first, padding = -over & 3;
		struct told told;

		begin();
		compile("name = \"x\"\noffset = 0x08000100\nexit\n", 0);
		bench.object_bytes += over;
		add_object(0);
		end_of_first = used - padding;
		add(COUNTS, 0);
		used = end_of_first;
		end();
		power_on();
		bench_hello(1, 0);
		told = ask();
		CHECK(firmware.agent.programs == 0 && told.programs == 0);
		CHECK(told.state == DAMAGED && (padding == 0) == (told.count == 2));
	}
}

/* A section that is shorter than its header, and more programs than a number has room for. */
/* proves: R9.14 */
static void sizes(void)
{
	begin();
	add(LOGS, 0);
	dp_put_u32(section + DP_EMBED_COUNT, 257);
	end();
	power_on();
	bench_hello(1, 0);
	CHECK(firmware.agent.programs == 0 && ask().state == DAMAGED);
	firmware.board.embedded_bytes = DP_EMBED_HEADER_BYTES - 1;
	bench_warm();
	bench_hello(2, 0);
	CHECK(ask().state == NONE);
}

int main(void)
{
	armed_at_the_start();
	with_the_recorder();
	refused();
	off_after_three_starts();
	starts_are_of_the_programs();
	damaged();
	not_past_the_end();
	sizes();
	return check_status();
}
