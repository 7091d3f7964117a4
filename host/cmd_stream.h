/* SPDX-License-Identifier: BSD-2-Clause */
/* Records as they come: what `log` and `run` share. */
#ifndef DP_CMD_STREAM_H
#define DP_CMD_STREAM_H

#include "cmd_direct.h"
#include "cmd_until.h"
#include "dprobes_records.h"

/* What came before the programs were known: a line, or counts that stand between lines. */
struct dp_waiting {
	bool counts;
	struct dp_frame_in frame;
	struct dp_record_counts now;
};

struct dp_stream {
	const struct dp_cli *cli;
	FILE *out;
	struct dp_listener listener; /* give this to dp_target_open */
	struct dp_session *session;
	struct dp_records *records;
	struct dp_record_style style;
	struct dp_templates *templates; /* null: none */
	struct dp_until until;
	struct dp_direction direction;
	bool own_only;         /* --count and --until look at records of one program */
	uint8_t program;       /* that one */
	unsigned long counted; /* records that --count counts */
	bool learned;          /* the probe numbers have a meaning; lines that came before wait */
	struct dp_waiting *waiting;
	size_t waiting_count, waiting_room;
	bool closed; /* enough: what comes now is counted, not printed */
};

enum dp_stream_end {
	DP_STREAM_ENOUGH,  /* --count or --until */
	DP_STREAM_TIMEOUT, /* --timeout */
	DP_STREAM_INTERRUPT,
	DP_STREAM_FAILED,
};

/* False with *status set when the command line is wrong, or the templates. Set out before
 * dp_stream_attach: what is wrong is known before a file is opened for writing. Free with
 * dp_stream_free, whatever this returned. */
bool dp_stream_init(struct dp_stream *stream, const struct dp_cli *cli, int *status);
void dp_stream_free(struct dp_stream *stream);

/* After the session is open. */
bool dp_stream_attach(struct dp_stream *stream, struct dp_session *session);

/* Ask what the probe numbers mean that are in use now: more may be asked before dp_stream_learn. */
bool dp_stream_ask(struct dp_stream *stream);

/* Ask what the probe numbers mean. Nothing is decoded before. */
bool dp_stream_learn(struct dp_stream *stream);

enum dp_stream_end dp_stream_follow(struct dp_stream *stream);

/* Records that are still on their way, up to the next sync. */
void dp_stream_drain(struct dp_stream *stream);

/* Exit status of the whole. */
int dp_stream_status(const struct dp_stream *stream, enum dp_stream_end end);

#endif
