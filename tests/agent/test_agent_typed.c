/* SPDX-License-Identifier: BSD-2-Clause */
/* The typed remove: one line, typed in any terminal, removes all programs.  PROTOCOL.md 5.7 */
#include "bench.h"
#include "check.h"

#include <string.h>

enum {
	AT = FIRMWARE_TEXT + 0x100
};
#define LOGS "offset = 0x08000100\npush 1\nlog 1\nexit\n"

static uint8_t key[16];

static void with_two_programs(void)
{
	bench_start();
	CHECK(bench_install("name = \"one\"\n" LOGS) == 0 &&
	      bench_install("name = \"two\"\n" LOGS) == 1);
}

/* What was sent on the line ends with this text. */
static bool said(enum dp_com_index com, const char *text)
{
	struct bench_line *line = &bench.line[com];
	size_t bytes = strlen(text);

	bench_poll();
	return line->text_bytes >= bytes &&
	       memcmp(line->text + line->text_bytes - bytes, text, bytes) == 0;
}

/* Programs of the last notice REMOVED; 0: there was none. */
static unsigned told(void)
{
	struct dp_frame_in *notice = &bench.line[0].notice_of[DP_NOTICE_REMOVED];
	const uint8_t *digits = notice->payload + DP_STREAM_HEAD + 2;
	const unsigned programs = (unsigned)(digits[0] << 4 | digits[1]);

	*notice = (struct dp_frame_in){0};
	return programs;
}

/* proves: R5.53 R5.77 */
static void removes_all(void)
{
	for (unsigned com = 0; com < DP_COMS; com++) {
		with_two_programs();
		bench_type_text((enum dp_com_index)com, "~dprobes remove\r");
		CHECK(said((enum dp_com_index)com, "\r\ndprobes: 2 program(s) removed\r\n"));
		CHECK(firmware.agent.programs == 0 && firmware_text_is_original());
		CHECK(told() == 2);
		/* the firmware has seen the line as before */
		CHECK(bench.line[com].console_bytes == 16);
		/* and the session goes on */
		CHECK(bench_install("name = \"one\"\n" LOGS) == 0);
		bench_type_text((enum dp_com_index)com, "\n~dprobes remove\r\n");
		CHECK(said((enum dp_com_index)com, "\r\ndprobes: 1 program(s) removed\r\n"));
		CHECK(told() == 1);
		bench_type_text((enum dp_com_index)com, "~dprobes remove\n");
		CHECK(said((enum dp_com_index)com, "\r\ndprobes: 0 program(s) removed\r\n"));
		CHECK(told() == 0);
	}
}

/* Only the whole line, alone. */
/* proves: R5.54 */
static void other_lines(void)
{
	static const char *const lines[] = {
		"x~dprobes remove\n", "~dprobes removed\n", " ~dprobes remove\n",
		"~dprobes remov\n",   "~~dprobes remove\n", "~dprobes remove \n",
		"dprobes remove\n",   "~DPROBES REMOVE\n",  "~dprobes remove",
		"~dprobes\nremove\n",
	};

	with_two_programs();
	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		bench_type_text(DP_COM1, lines[i]);
		bench_poll();
		CHECK(firmware.agent.programs == 2);
	}
	CHECK(bench.line[0].text_bytes == 0);
}

/* proves: R5.55 A1.22 A3.34 */
static void refused(void)
{
	for (unsigned flag = 0; flag < 2; flag++) {
		with_two_programs();
		firmware.board.key = key;
		firmware.board.typed_remove = flag;
		bench_type_text(DP_COM1, "~dprobes remove\n");
		CHECK(said(DP_COM1,
			   flag ? "\r\ndprobes: 2 program(s) removed\r\n"
				: "\r\ndprobes: nothing removed: this board requires a key\r\n"));
		CHECK(firmware.agent.programs == (flag ? 0 : 2));
		with_two_programs();
		firmware.board.typed_remove = flag;
		dp_lock(&firmware.agent);
		bench_type_text(DP_COM1, "~dprobes remove\n");
		CHECK(said(DP_COM1, flag ? "\r\ndprobes: 2 program(s) removed\r\n"
					 : "\r\ndprobes: nothing removed: the firmware has locked "
					   "the agent\r\n"));
		CHECK(firmware.agent.programs == (flag ? 0 : 2));
	}
}

/* In a storm of hits nobody polls; on a full line the answer comes before the next record. */
static void in_a_storm(void)
{
	with_two_programs();
	for (unsigned i = 0; i < 2500; i++)
		firmware_run(AT, 1);
	bench_type_text(DP_COM1, "~dprobes remove\n");
	firmware_run(AT, 1);
	CHECK(firmware.agent.programs == 0 && firmware_text_is_original());
	CHECK(said(DP_COM1, "\r\ndprobes: 2 program(s) removed\r\n"));
	CHECK(bench.bad_records == 0 && bench.line[0].bad_frames == 0);

	with_two_programs();
	for (unsigned i = 0; i < 100; i++)
		firmware_run(AT, 1);
	bench.line[0].room = 30; /* in the middle of a line of records */
	bench_poll();
	bench_type_text(DP_COM1, "~dprobes remove\n");
	bench.line[0].room = 140;
	bench_poll();
	CHECK(firmware.agent.programs == 0);
	bench.line[0].room = -1;
	bench_poll();
	CHECK(bench_sent_text(DP_COM1, "\r\ndprobes: 2 program(s) removed\r\n"));
	CHECK(bench.records == 200 && bench.bad_records == 0 && bench.line[0].bad_frames == 0);
}

int main(void)
{
	removes_all();
	other_lines();
	refused();
	in_a_storm();
	return check_status();
}
