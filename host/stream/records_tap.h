/* SPDX-License-Identifier: BSD-2-Clause */
/* A tap hears what a record reader is told beside lines and counts: from this and from the lines
 * another reader makes the same records. */
#ifndef DPH_RECORDS_TAP_H
#define DPH_RECORDS_TAP_H

#include <dprobes/records.h>

/* The calls with a number, by the functions that make them: dp_records_resends (0 or 1),
 * dp_records_give_up, dp_records_sent, dp_records_end. */
enum dph_records_call {
	DPH_RECORDS_RESENDS,
	DPH_RECORDS_GIVE_UP,
	DPH_RECORDS_SENT,
	DPH_RECORDS_END,
};

struct dph_records_tap {
	void *context;
	void (*tell)(void *context, uint8_t number, const struct dp_probe_meaning *meaning);
	void (*call)(void *context, enum dph_records_call call, uint32_t number);
};

/* Set the tap of a reader. tap: copied. */
void dph_records_tap(struct dp_records *records, const struct dph_records_tap *tap);

/* Make a call that a tap has heard. */
void dph_records_make(struct dp_records *records, enum dph_records_call call, uint32_t number);

#endif
