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
	uint8_t items; /* enum dp_item, and enum dp_derived */
	uint8_t program, point;
	uint16_t major, minor;
	uint64_t address;
	char name[64]; /* of the program */
};

/* The exception that ended a handler. */
struct dp_record_fault {
	uint16_t place;     /* code offset behind the instruction */
	uint16_t exception; /* exceptions.def */
	uint64_t parameter; /* its first one */
};

/* A record, decoded. */
struct dp_log_record {
	struct dp_record head;
	unsigned stream;
	uint64_t ticks; /* all 64 bits; only those of head.ticks before the first sync */
	bool ticks_known;
	const struct dp_probe_meaning *probe; /* null: dp_records_tell did not set the number */
	uint16_t major, minor;                /* setmaj and setmin applied */
	/* The items that `items` names; other items are zero. */
	uint8_t items;
	uint8_t cpu;
	char task[9];
	uint32_t pid;
	uint64_t pc, sp, tsc;
	struct dp_record_fault fault; /* with DP_RECORD_FAULT */
	const uint8_t *data;          /* user log bytes, or the stack trace */
	size_t bytes;
	bool cut; /* shorter than its items: printed as data */
};

enum dp_gap_kind {
	DP_GAP_RECORDS,    /* count records were sent and did not arrive: exact */
	DP_GAP_NOTICES,    /* count notices were sent and did not arrive */
	DP_GAP_DROPPED,    /* count records did not fit the agent's ring */
	DP_GAP_UNREADABLE, /* a line or record has a right check but an invalid content */
	DP_GAP_MISSED,     /* count hits ran no handler: another hit was active */
	DP_GAP_WITHDRAWN,  /* a delivered record is void: its instruction faulted */
	DP_GAP_FULL,       /* the total time in which the agent's ring was full for records */
};

struct dp_gap {
	enum dp_gap_kind kind;
	unsigned stream;
	uint32_t count;
	uint8_t probe;  /* WITHDRAWN */
	uint64_t ticks; /* WITHDRAWN: time of the record; FULL: duration */
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
/* Forget probe numbers, record numbers and held records after a restart of the agent, which counts
 * from zero again. The totals stay. */
void dp_records_restart(struct dp_records *records);
void dp_records_free(struct dp_records *records);

/* Set the meaning of a probe number for the following records.
 * meaning: copied. */
void dp_records_tell(struct dp_records *records, uint8_t number,
		     const struct dp_probe_meaning *meaning);

/* Read a checked stream line (R S P Y N).
 * now_ms: time of arrival in milliseconds. */
void dp_records_line(struct dp_records *records, const struct dp_frame_in *frame, uint64_t now_ms);

/* The agent's counts since its start. */
struct dp_record_counts {
	uint32_t sent, dropped, missed, withdrawn;
	bool stored; /* from a repeated answer: the counts may be larger by now */
};

/* Take counts from an answer, not from a sync, for the stream of the latest line. Stored counts
 * have no effect before the first other counts. */
void dp_records_counts(struct dp_records *records, const struct dp_record_counts *counts);

/* --- records that are sent again --- */

/* Set whether missing records may come again.
 * possible: records behind a missing record wait, at most 2,048. A new reader reports each missing
 * record as lost at once. */
void dp_records_resends(struct dp_records *records, bool possible);

/* The state of the stream of the latest line. */
struct dp_records_place {
	bool known;       /* the reader has had counts, so the numbers are valid */
	uint32_t have;    /* every record before this number was delivered or is lost */
	uint32_t held;    /* bytes of the delivered records in the agent's ring, modulo 2^32 */
	uint32_t next;    /* number of the next new record */
	uint32_t missing; /* number of the first missing record */
	uint32_t count;   /* records from `missing` to the last missing one nearby; 0: none */
	uint32_t resent;  /* number behind the latest repeated record */
	uint32_t again;   /* number of repeated lines */
};
void dp_records_place(const struct dp_records *records, struct dp_records_place *place);
/* Find the first missing records from the number `after` on, in the stream of the latest line.
 * first: receives the number of the first one.
 * Returns the records up to the last missing one nearby; 0: none is missing. */
uint32_t dp_records_missing(const struct dp_records *records, uint32_t after, uint32_t *first);

/* Count missing records before this number as lost. */
void dp_records_give_up(struct dp_records *records, uint32_t before);

/* Note that the agent has sent all records before this number, and that the line is empty. Newer
 * records may have arrived, too. */
void dp_records_sent(struct dp_records *records, uint32_t next);

/* End the stream of the latest line. Missing records before this number are lost, also records that
 * the agent has not sent. Later lines have no effect, and later counts have that of stored counts.
 */
void dp_records_end(struct dp_records *records, uint32_t before);

/* Deliver held records. The reader holds the newest record of a stream until the next line,
 * because a withdraw may follow at once.
 * until_ms: latest time of arrival to deliver; UINT64_MAX: all. */
void dp_records_flush(struct dp_records *records, uint64_t until_ms);

struct dp_record_totals {
	uint64_t records;                   /* delivered */
	uint64_t lost, dropped, unreadable; /* lost: on the line, exact */
	uint64_t missed, withdrawn, notices_lost;
	uint64_t full_ticks; /* in which the agent's ring was full for records */
	unsigned syncs;
	uint32_t hz;
};
const struct dp_record_totals *dp_records_totals(const struct dp_records *records);
/* Report at the end how long the ring was full, and the number of records without room.
 * Returns false when no sync reported a full ring. */
bool dp_records_full(const struct dp_records *records, struct dp_gap *full);
/* Return whether a record was lost or dropped. A missed hit is no loss: it made no record. */
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
	/* Not null: the formats print the records of `program`. */
	const struct dp_formats *formats;
	uint8_t program; /* index on the target */
	bool bare;       /* print no columns before the text of a D program */
	bool again;      /* each record was read before: the host counts nothing (struct
			  * dp_formats_record) */
};

/* Print one item to style->out. Each call is a separate output: a format with a header line prints
 * the header each time. */
void dp_print_record(const struct dp_record_style *style, const struct dp_log_record *record);
void dp_print_gap(const struct dp_record_style *style, const struct dp_gap *gap);
void dp_print_notice(const struct dp_record_style *style, const struct dp_notice_in *notice);

#ifdef __cplusplus
}
#endif

#endif
