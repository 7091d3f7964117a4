/* SPDX-License-Identifier: BSD-2-Clause */
/* The log is read twice: an answer to HELLO may come behind records, and tells how to read them. */
#include "report_terminal.h"

#include "session/told.h"
#include "stream/frame_hold.h"

enum {
	WORD_BYTES_USUAL = 4,
	ANSWER_HEAD = 2, /* bytes: command and error */
};

struct reading {
	struct dph_report *report;
	bool delivers; /* else this is the look for what is there */
	bool begun;    /* a line of the stream has come */
	bool greeted;  /* an answer to HELLO has come */
	bool booted;   /* the boot number is known: */
	uint16_t boot;
};

/* --- the first reading: what is there --- */

static void take_hello(struct reading *r, const struct dp_frame_in *frame)
{
	struct dph_lines *lines = &r->report->lines;
	struct dp_hello_answer hello = {0};
	struct dph_reader reader = {.p = frame->payload + ANSWER_HEAD,
				    .word_bytes = WORD_BYTES_USUAL};

	if (frame->bytes < ANSWER_HEAD || frame->payload[0] != DP_CMD_HELLO ||
	    frame->payload[1] != DP_ERR_OK)
		return;
	reader.left = (size_t)frame->bytes - ANSWER_HEAD;
	dph_read(&reader, DPH_OF(hello_answer, &hello));
	if (hello.word_bytes != 4 && hello.word_bytes != 8)
		return;
	r->greeted = true;
	lines->word_bytes = hello.word_bytes;
	lines->big_endian = hello.big_endian != 0;
	lines->hz = hello.hz;
}

static void look(struct reading *r, const uint8_t *line, size_t count, struct dp_frame_in *frame)
{
	if (frame->type != DP_FRAME_ANSWER)
		r->begun = true;
	else if (!r->greeted && dp_frame_check(line, count, DP_HELLO_SEED, frame))
		take_hello(r, frame);
}

/* --- the second reading --- */

/* The agent counts from 0 again after its start. */
static void watch_boot(struct reading *r, const struct dp_frame_in *frame)
{
	uint16_t boot;

	if (!dph_told_boot(frame, &boot))
		return;
	if (r->booted && boot != r->boot)
		dp_records_restart(r->report->stream.records);
	r->booted = true;
	r->boot = boot;
}

static void deliver(struct reading *r, const uint8_t *line, size_t count,
		    const struct dp_frame_in *frame)
{
	const struct dp_listener *to = &r->report->stream.listener;

	if (frame->type == DP_FRAME_ANSWER)
		return;
	watch_boot(r, frame);
	to->stream(to->context, frame, (const char *)line, count - 1);
}

/* --- both --- */

static void on_console(void *context, const uint8_t *bytes, size_t count)
{
	const struct reading *r = context;
	const struct dp_listener *to = &r->report->stream.listener;

	if (r->delivers)
		to->console(to->context, bytes, count);
}

static void on_settled(void *context, const uint8_t *bytes, size_t count)
{
	const struct reading *r = context;
	const struct dp_listener *to = &r->report->stream.listener;

	if (r->delivers)
		to->settled(to->context, bytes, count);
}

/* Answers have a check that only their session knows: any answer counts as a line of the agent. */
static bool on_line(void *context, const uint8_t *line, size_t count)
{
	struct reading *r = context;
	struct dp_frame_in frame;

	if (!dp_frame_check(line, count, 0, &frame) && frame.type != DP_FRAME_ANSWER)
		return false;
	if (frame.type == DP_FRAME_NAK)
		return true;
	if (r->delivers)
		deliver(r, line, count, &frame);
	else
		look(r, line, count, &frame);
	return true;
}

/* Returns how many carriage returns stand at `at`, before a newline. A terminal has added them. */
static size_t returns(const struct dph_bytes *log, size_t at)
{
	size_t end = at;

	while (end < log->count && log->data[end] == '\r')
		end++;
	return end < log->count && log->data[end] == '\n' ? end - at : 0;
}

static void read_log(struct reading *r, const struct dph_bytes *log)
{
	struct dph_hold hold = {.listener = {.context = r,
					     .console = on_console,
					     .settled = on_settled,
					     .line = on_line}};

	for (size_t i = 0, skipped; i<log->count; i += skipped> 0 ? skipped : 1) {
		skipped = returns(log, i);
		if (skipped == 0)
			dph_hold_bytes(&hold, log->data + i, 1);
	}
	dph_hold_end(&hold);
}

bool dph_terminal_log(struct dph_report *report, const struct dph_bytes *log)
{
	struct reading r = {.report = report};

	report->lines = (struct dph_lines){.word_bytes = WORD_BYTES_USUAL};
	read_log(&r, log);
	return r.begun;
}

bool dph_terminal_log_deliver(struct dph_report *report, const struct dph_bytes *log)
{
	struct reading r = {.report = report, .delivers = true};

	if (!dph_report_event(report, (char[]){"attach"}) ||
	    !dph_report_event(report, (char[]){"learned"}))
		return false;
	dp_records_resends(report->stream.records, true);
	read_log(&r, log);
	return true;
}
