/* SPDX-License-Identifier: BSD-2-Clause */
/* Stream lines to records: PROTOCOL.md section 4, the reading side.
 *
 * Every record comes out once, whole and in the order of its stream, or is counted: a missing line
 * number is told at once (the records in it are not known yet), the exact number of records with
 * the next sync. */
#ifndef DP_RECORDS_H
#define DP_RECORDS_H

#include "dp_frame.h"
#include "dp_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a probe number means; from PROGRAM and PROBE. */
struct dp_probe_meaning {
	bool known;
	uint8_t items; /* enum dp_item */
	uint8_t program, point;
	uint16_t major, minor;
	uint64_t address;
	char name[64]; /* of the program */
};

/* A record, decoded. */
struct dp_log_record {
	struct dp_record head;
	unsigned stream;
	uint64_t ticks; /* all 64 bits; of head.ticks only before the first sync */
	bool ticks_known;
	const struct dp_probe_meaning *probe; /* null: a number nobody told */
	uint16_t major, minor;                /* setmaj and setmin applied */
	/* Items that `items` names; the rest is zero. */
	uint8_t items;
	uint8_t cpu;
	char task[9];
	uint32_t pid;
	uint64_t pc, sp, tsc;
	const uint8_t *data; /* user log bytes, or the stack trace */
	size_t bytes;
	bool cut; /* shorter than its items: shown as data */
};

enum dp_gap_kind {
	DP_GAP_LINES,      /* count lines of the stream did not arrive */
	DP_GAP_RECORDS,    /* count records were in them (exact; 0: there were none) */
	DP_GAP_DROPPED,    /* count records did not fit the agent's ring */
	DP_GAP_UNREADABLE, /* a line or record with a right check that makes no sense */
	DP_GAP_MISSED,     /* count hits ran no handler: another was running */
	DP_GAP_WITHDRAWN,  /* a record already given out is void: its instruction faulted */
};

struct dp_gap {
	enum dp_gap_kind kind;
	unsigned stream;
	uint32_t count;
	uint8_t probe;  /* WITHDRAWN */
	uint32_t ticks; /* WITHDRAWN: low 20 bits */
};

struct dp_notice_in {
	unsigned stream, number;
	const uint8_t *arguments;
	size_t bytes;
};

struct dp_records_listener {
	void *context;
	void (*record)(void *context, const struct dp_log_record *record);
	void (*gap)(void *context, const struct dp_gap *gap);
	void (*notice)(void *context, const struct dp_notice_in *notice);
};

struct dp_records;

struct dp_records *dp_records_new(unsigned word_bytes, bool big_endian,
				  const struct dp_records_listener *listener);
void dp_records_free(struct dp_records *records);

/* Say what a number means from now on. */
void dp_records_tell(struct dp_records *records, uint8_t number,
		     const struct dp_probe_meaning *meaning);

/* A checked stream line (R P Y N), and when it came. */
void dp_records_line(struct dp_records *records, const struct dp_frame_in *frame, uint64_t now_ms);

/* What the agent has counted since its start, when it says so without a sync line: of the stream
 * that spoke last. */
struct dp_record_counts {
	uint32_t sent, dropped, missed, withdrawn;
};
void dp_records_counts(struct dp_records *records, const struct dp_record_counts *counts);

/* The newest record of a stream is held until the next line, because a withdraw may follow at
 * once. Give out what came until then (UINT64_MAX: all). */
void dp_records_flush(struct dp_records *records, uint64_t until_ms);

struct dp_record_totals {
	uint64_t records;                   /* given out */
	uint64_t lost, dropped, unreadable; /* lost: on the line, exact */
	uint64_t lines_lost, lines_open;    /* open: no sync has told yet what was in them */
	uint64_t missed, withdrawn;
	unsigned syncs;
	uint32_t hz;
};
const struct dp_record_totals *dp_records_totals(const struct dp_records *records);
/* Was anything lost? What never was a record (missed hits) is no loss. */
bool dp_records_lossy(const struct dp_records *records);

/* --- as text (the seed's DProbes line, usenix-2001 section 5) or as JSON, a line each --- */

struct dp_templates;

struct dp_record_style {
	FILE *out;
	bool json;
	unsigned word_bytes; /* of the target */
	uint32_t hz;         /* of its ticks; 0: unknown */
	/* Not null: the data stands below the line, as dprobes_templates.h has it; a record whose
	 * codes or items are not known, and codes without a template, as a dump. Stack traces
	 * as dp_template_trace has them.
	 */
	const struct dp_templates *templates;
	bool big_endian; /* of the target; only templates ask */
	bool leftover;   /* also data that a template does not use */
};

void dp_print_record(const struct dp_record_style *style, const struct dp_log_record *record);
void dp_print_gap(const struct dp_record_style *style, const struct dp_gap *gap);
void dp_print_notice(const struct dp_record_style *style, const struct dp_notice_in *notice);

#endif
