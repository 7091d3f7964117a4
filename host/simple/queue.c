/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of the simple interface. */
#define _GNU_SOURCE
#include "queue.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

enum {
	HOLD_MS = 50, /* a withdraw comes at once, or not */
};

static void free_queued(struct dph_queued *queued)
{
	free(queued->line);
	free(queued->json);
	free(queued->data);
	*queued = (struct dph_queued){0};
}

static char *printed(const struct dph_queue *queue, const struct dp_log_record *record, bool json)
{
	struct dp_record_style style = queue->style;
	char *text = NULL;
	size_t bytes;

	style.out = open_memstream(&text, &bytes);
	if (style.out == NULL)
		return dph_strdup("");
	style.kind = json ? dp_sink_kind_named("json") : NULL;
	dph_names_style(queue->names, record, &style);
	style.hz = dp_records_totals(queue->records)->hz;
	dp_print_record(&style, record);
	fclose(style.out);
	return text;
}

static void on_record(void *context, const struct dp_log_record *record)
{
	struct dph_queue *queue = context;

	queue->list = dph_grow(queue->list, &queue->capacity, queue->count, sizeof *queue->list);
	queue->list[queue->count++] = (struct dph_queued){
		.line = printed(queue, record, false),
		.json = printed(queue, record, true),
		.data = record->bytes > 0
				? memcpy(dph_malloc(record->bytes), record->data, record->bytes)
				: NULL,
		.bytes = record->bytes,
		.major = record->major,
		.minor = record->minor,
	};
}

static void on_gap(void *context, const struct dp_gap *gap)
{
	(void)context;
	(void)gap;
}

static void on_notice(void *context, const struct dp_notice_in *notice)
{
	(void)context;
	(void)notice;
}

bool dph_queue_begin(struct dph_queue *queue, const struct dp_session *session,
		     const struct dph_names *names)
{
	const struct dp_records_listener listener = {queue, on_record, on_gap, on_notice};
	const struct dp_hello_answer *target = dp_session_target(session);

	queue->style = (struct dp_record_style){
		.word_bytes = target->word_bytes,
		.hz = target->hz,
		.began_ns = dp_session_began_ns(session),
		.big_endian = target->big_endian != 0,
	};
	queue->names = names;
	queue->records = dp_records_new(target->word_bytes, target->big_endian != 0, &listener);
	return queue->records != NULL;
}

void dph_queue_restart(struct dph_queue *queue, const struct dp_session *session)
{
	dp_records_restart(queue->records);
	queue->style.hz = dp_session_target(session)->hz;
	queue->style.began_ns = dp_session_began_ns(session);
	queue->line_ms = 0;
}

void dph_queue_free(struct dph_queue *queue)
{
	dp_records_free(queue->records);
	for (; queue->first < queue->count; queue->first++)
		free_queued(&queue->list[queue->first]);
	free_queued(&queue->now);
	free(queue->list);
	free(queue->unread);
	*queue = (struct dph_queue){0};
}

static void keep(struct dph_queue *queue, const struct dph_unread *unread)
{
	queue->unread = dph_grow(queue->unread, &queue->unread_capacity, queue->unread_count,
				 sizeof *queue->unread);
	queue->unread[queue->unread_count++] = *unread;
}

static void read_line(struct dph_queue *queue, const struct dp_frame_in *frame)
{
	queue->line_ms = dp_clock_ms();
	dp_records_line(queue->records, frame, queue->line_ms);
}

void dph_queue_frame(struct dph_queue *queue, const struct dp_frame_in *frame)
{
	if (queue->learned)
		read_line(queue, frame);
	else
		keep(queue, &(struct dph_unread){.frame = *frame});
}

void dph_queue_counts(struct dph_queue *queue, const struct dp_record_counts *counts)
{
	if (queue->learned)
		dp_records_counts(queue->records, counts);
	else
		keep(queue, &(struct dph_unread){.counts = true, .now = *counts});
}

void dph_queue_hold(struct dph_queue *queue)
{
	queue->learned = false;
}

void dph_queue_learned(struct dph_queue *queue)
{
	queue->learned = true;
	for (size_t i = 0; i < queue->unread_count; i++)
		if (queue->unread[i].counts)
			dp_records_counts(queue->records, &queue->unread[i].now);
		else
			read_line(queue, &queue->unread[i].frame);
	queue->unread_count = 0;
}

bool dph_queue_waits(const struct dph_queue *queue)
{
	return queue->first != queue->count || queue->line_ms != 0;
}

bool dph_queue_next(struct dph_queue *queue)
{
	const uint64_t now_ms = dp_clock_ms();

	dp_records_flush(queue->records, now_ms - HOLD_MS);
	if (now_ms - queue->line_ms > HOLD_MS)
		queue->line_ms = 0;
	if (queue->first == queue->count) {
		queue->first = queue->count = 0;
		return false;
	}
	free_queued(&queue->now);
	queue->now = queue->list[queue->first++];
	return true;
}

int dph_queue_wait_ms(const struct dph_queue *queue, int left_ms)
{
	const uint64_t now_ms = dp_clock_ms();

	if (queue->line_ms == 0)
		return left_ms;
	return queue->line_ms + HOLD_MS + 1 > now_ms ? (int)(queue->line_ms + HOLD_MS + 1 - now_ms)
						     : 1;
}
