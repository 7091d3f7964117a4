/* SPDX-License-Identifier: BSD-2-Clause */
/* The order keeps the records of one stream by their numbers. Records behind a missing record wait
 * here, until the missing record has arrived or is lost. */
#ifndef DPH_RECORD_ORDER_H
#define DPH_RECORD_ORDER_H

#include "dp_record.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	DPH_ORDER_MAX = 2048, /* records that wait: half of what the 12 bits of a line can tell */
};

/* How a line tells the time of a record. */
enum dph_told {
	DPH_TOLD_WHOLE, /* all 64 bits */
	DPH_TOLD_LOW,   /* the low 32 bits */
	DPH_TOLD_DELTA, /* ticks since the record before */
};

/* A record as a line told it. */
struct dph_kept {
	struct dp_record head;
	enum dph_told told;
	uint64_t time;       /* as told; record_out.h makes the time of it */
	bool timed;          /* all bits of that are known */
	bool synced;         /* a sync had come before the line: sync_ticks */
	uint64_t sync_ticks; /* the latest */
	uint64_t arrived_ms;
	uint8_t body[];
};

/* Zero: no number is known. */
struct dph_order {
	bool begun;                           /* the low 12 bits of the numbers are known */
	bool placed;                          /* all bits are known */
	uint32_t first;                       /* number of the next record to hand over */
	uint32_t next;                        /* number of the next new record */
	struct dph_kept *slot[DPH_ORDER_MAX]; /* of [first, next); null: missing */
};

void dph_order_free(struct dph_order *order);

/* The stream begins with this number, or goes on with it whatever was before. Nothing waits. */
void dph_order_begin(struct dph_order *order, uint32_t number);
/* A sync tells all bits of a number that is next or behind it. */
void dph_order_place(struct dph_order *order, uint32_t number);

/* Return whether the number waits for its record. */
bool dph_order_misses(const struct dph_order *order, uint32_t number);
/* Records before `number` have been sent. The room is there: number - first <= DPH_ORDER_MAX. */
void dph_order_expect(struct dph_order *order, uint32_t number);
/* Keep a record; takes over `kept`; null: none. Returns false, and frees the record, when the
 * number does not wait. */
bool dph_order_put(struct dph_order *order, uint32_t number, struct dph_kept *kept);
/* Missing records before `number` will not come. */
void dph_order_give_up(struct dph_order *order, uint32_t number);

/* Take what comes next in the order.
 * lost: receives the number of records that were given up before it.
 * Returns the record, for free(); null: the next record is missing, or nothing waits. */
struct dph_kept *dph_order_take(struct dph_order *order, uint32_t *lost);

/* Find the first missing records from the number `after` on. Records between missing ones count
 * when they are few. Returns their number; 0: none is missing. */
uint32_t dph_order_missing(const struct dph_order *order, uint32_t after, uint32_t *from);

#endif
