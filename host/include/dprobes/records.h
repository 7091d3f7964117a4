/* SPDX-License-Identifier: BSD-2-Clause */
/* The record reader turns stream lines into records: PROTOCOL.md section 4, the reading side.
 *
 * The reader delivers every record once, whole and in the order of its number, or counts the record
 * as lost. The first line behind a missing record shows the loss. While the agent can send missing
 * records again (dp_records_resends), the records behind them wait. */
#ifndef DP_RECORDS_H
#define DP_RECORDS_H

#include "dp_frame.h"
#include "dp_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The meaning of a probe number, from the answers to PROGRAM and PROBE. */
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
	uint64_t ticks; /* all 64 bits; of head.ticks only while no line has told more */
	bool ticks_known;
	const struct dp_probe_meaning *probe; /* null: dp_records_tell did not set the number */
	uint16_t major, minor;                /* setmaj and setmin applied */
	/* The items that `items` names; other items are zero. */
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
	DP_GAP_RECORDS,    /* count records were sent and did not arrive: exact */
	DP_GAP_NOTICES,    /* count notices were sent and did not arrive */
	DP_GAP_DROPPED,    /* count records did not fit the agent's ring */
	DP_GAP_UNREADABLE, /* a line or record has a right check but an invalid content */
	DP_GAP_MISSED,     /* count hits ran no handler: another hit was active */
	DP_GAP_WITHDRAWN,  /* a delivered record is void: its instruction faulted */
	DP_GAP_FULL,       /* the whole time in which records found the agent's ring full */
};

struct dp_gap {
	enum dp_gap_kind kind;
	unsigned stream;
	uint32_t count;
	uint8_t probe;  /* WITHDRAWN */
	uint64_t ticks; /* WITHDRAWN: time of the record; FULL: how long */
	uint32_t hz;    /* FULL: of the ticks; 0: unknown */
};

struct dp_notice_in {
	unsigned stream, number;
	const uint8_t *arguments;
	size_t bytes;
};

/* Receiver of the reader's output. The arguments are valid during the call. */
struct dp_records_listener {
	void *context;
	void (*record)(void *context, const struct dp_log_record *record);
	void (*gap)(void *context, const struct dp_gap *gap); /* not FULL: dp_records_full */
	void (*notice)(void *context, const struct dp_notice_in *notice);
};

struct dp_records;

/* Create a reader.
 * word_bytes, big_endian: of the target.
 * listener: copied.
 * Returns the reader, which dp_records_free frees; null: out of memory. */
struct dp_records *dp_records_new(unsigned word_bytes, bool big_endian,
				  const struct dp_records_listener *listener);
/* Forget probe numbers, record numbers and what waits: the agent counts from zero again. The totals
 * stay. */
void dp_records_restart(struct dp_records *records);
void dp_records_free(struct dp_records *records);

/* Set the meaning of a probe number for the following records. meaning is copied. */
void dp_records_tell(struct dp_records *records, uint8_t number,
		     const struct dp_probe_meaning *meaning);

/* Read a checked stream line (R S P Y N). now_ms is the time of arrival in milliseconds. */
void dp_records_line(struct dp_records *records, const struct dp_frame_in *frame, uint64_t now_ms);

/* The agent's counts since its start. */
struct dp_record_counts {
	uint32_t sent, dropped, missed, withdrawn;
	bool stored; /* of an answer that was asked for again: the counts are at least these */
};

/* Take counts that came without a sync line, for the stream of the latest line. Stored counts
 * change nothing before other counts came. */
void dp_records_counts(struct dp_records *records, const struct dp_record_counts *counts);

/* --- records that are sent again --- */

/* possible: missing records may come again, and the records behind them wait, at most 2,048. A new
 * reader reports each missing record as lost at once. */
void dp_records_resends(struct dp_records *records, bool possible);

/* The state of the stream of the latest line. */
struct dp_records_place {
	bool known;       /* the numbers are known: counts came */
	uint32_t have;    /* every record before this number was delivered or is lost */
	uint32_t held;    /* bytes of the delivered records in the agent's ring, modulo 2^32 */
	uint32_t next;    /* number of the next new record */
	uint32_t missing; /* number of the first missing record */
	uint32_t count;   /* from there to the last missing record nearby; 0: none is missing */
	uint32_t resent;  /* number behind the record that was sent again last */
	uint32_t again;   /* lines that were sent again */
};
void dp_records_place(const struct dp_records *records, struct dp_records_place *place);

/* Missing records before this number will not come: they are lost. */
void dp_records_give_up(struct dp_records *records, uint32_t before);

/* All records before this number have been sent, and the line has brought what it will bring. Newer
 * records may have come, too. */
void dp_records_sent(struct dp_records *records, uint32_t next);

/* End the stream of the latest line. Records before this number that did not come are lost: also
 * those that the agent has not sent. Later lines change nothing, and later counts are taken as
 * stored ones. */
void dp_records_end(struct dp_records *records, uint32_t before);

/* Deliver held records. The reader holds the newest record of a stream until the next line,
 * because a withdraw may follow at once.
 * until_ms: latest time of arrival to deliver; UINT64_MAX: all. */
void dp_records_flush(struct dp_records *records, uint64_t until_ms);

struct dp_record_totals {
	uint64_t records;                   /* delivered */
	uint64_t lost, dropped, unreadable; /* lost: on the line, exact */
	uint64_t missed, withdrawn, notices_lost;
	uint64_t full_ticks; /* during which records found the agent's ring full */
	unsigned syncs;
	uint32_t hz;
};
const struct dp_record_totals *dp_records_totals(const struct dp_records *records);
/* Sum up for the end: how long records found the ring full, and how many.
 * Returns false when none did, as far as syncs told. */
bool dp_records_full(const struct dp_records *records, struct dp_gap *full);
/* Return whether a record was lost or dropped. Missed hits are no loss: they made no record. */
bool dp_records_lossy(const struct dp_records *records);

/* --- print as text (the seed's DProbes line, usenix-2001 section 5) or as JSON, a line each --- */

struct dp_image;
struct dp_object_file;
struct dp_templates;
struct dp_formats;

struct dp_record_style {
	FILE *out;
	const struct dp_sink_kind *kind; /* of dp_print_*; null: text */
	unsigned word_bytes;             /* of the target */
	uint32_t hz;                     /* of its ticks; 0: unknown */
	int64_t began_ns;                /* dp_session_began_ns; 0: unknown */
	/* Not null: the text of dp_template_text follows below the line, and dp_template_trace
	 * prints stack traces. Records with unknown codes or items, and codes without a template,
	 * are dumped. */
	const struct dp_templates *templates;
	bool big_endian; /* of the target; only templates use this */
	bool leftover;   /* also print data that a template does not use */
	/* Not null: addresses and words have names, times are in seconds (FORMATS.md, Names). */
	const struct dp_image *names;
	const struct dp_object_file *object; /* the program of the record; null: unknown */
	/* Not null: records of `program` are printed as their program says. */
	const struct dp_formats *formats;
	uint8_t program; /* index on the target */
	bool bare;       /* print no columns before the text of a D program */
};

/* Print one item to style->out. Each call is an output of its own: a format with a header line
 * prints the line each time. */
void dp_print_record(const struct dp_record_style *style, const struct dp_log_record *record);
void dp_print_gap(const struct dp_record_style *style, const struct dp_gap *gap);
void dp_print_notice(const struct dp_record_style *style, const struct dp_notice_in *notice);

#ifdef __cplusplus
}
#endif

#endif
