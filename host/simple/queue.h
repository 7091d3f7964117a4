/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue holds decoded records until the user takes them, and lines until their meaning is
 * known. */
#ifndef DPH_QUEUE_H
#define DPH_QUEUE_H

#include "names.h"
#include <dprobes/host.h>

struct dph_queued {
	char *line, *json; /* as dp_print_record prints the record */
	uint8_t *data;
	size_t bytes;
	unsigned major, minor;
};

/* A line, or counts that stand between lines. */
struct dph_unread {
	bool counts;
	struct dp_frame_in frame;
	struct dp_record_counts now;
};

struct dph_queue {
	struct dp_records *records; /* null: not begun */
	struct dp_record_style style;
	const struct dph_names *names;
	bool learned;     /* else lines wait */
	uint64_t line_ms; /* arrival of the latest line; 0: its records are delivered */
	struct dph_queued now;
	struct dph_queued *list;
	size_t first, count, capacity;
	struct dph_unread *unread;
	size_t unread_count, unread_capacity;
};

/* Start with all zero. names: stays valid until dph_queue_free. Returns false when memory is
 * exhausted. */
bool dph_queue_begin(struct dph_queue *queue, const struct dp_session *session,
		     const struct dph_names *names);
void dph_queue_free(struct dph_queue *queue);
/* The agent counts from zero again; records that wait stay. */
void dph_queue_restart(struct dph_queue *queue, const struct dp_session *session);

/* Take a line, or counts, of the session. */
void dph_queue_frame(struct dph_queue *queue, const struct dp_frame_in *frame);
void dph_queue_counts(struct dph_queue *queue, const struct dp_record_counts *counts);

/* Keep lines unread from here on; read them. */
void dph_queue_hold(struct dph_queue *queue);
void dph_queue_learned(struct dph_queue *queue);

/* Return whether a record waits, also one that may be withdrawn yet. */
bool dph_queue_waits(const struct dph_queue *queue);

/* Move the next record to queue->now. Returns false when there is none yet. */
bool dph_queue_next(struct dph_queue *queue);

/* How long to listen: at most left_ms, but until the newest record cannot be withdrawn any more. */
int dph_queue_wait_ms(const struct dph_queue *queue, int left_ms);

#endif
