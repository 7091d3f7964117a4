/* SPDX-License-Identifier: BSD-2-Clause */
/* A source of stream lines. A session with an agent is a source. A file of recorded lines, or a
 * service that serves several readers, can be another one: the records are the same.
 *
 * A source delivers lines, counts and console text to a struct dp_listener, in order. Who opens the
 * source gives the listener to it. */
#ifndef DPH_LINES_H
#define DPH_LINES_H

#include <dprobes/records.h>
#include <dprobes/session.h>

enum dph_lines_state {
	DPH_LINES_OPEN,
	DPH_LINES_ENDED, /* all lines were delivered */
	DPH_LINES_INTERRUPTED,
	DPH_LINES_FAILED
};

/* The functions of a source get the struct itself: a source that has more begins with it. A
 * function that returns false ends the use of the source, and `state` tells why. */
struct dph_lines {
	/* Of the target that sends the lines. A source that is opened again may change them. */
	unsigned word_bytes;
	bool big_endian;
	uint32_t hz;      /* of its ticks; 0: unknown */
	int64_t began_ns; /* when its ticks were 0, in ns since 1970; 0: unknown */
	/* Deliver what has come, or wait for it at most timeout_ms. */
	bool (*next)(struct dph_lines *lines, int timeout_ms);
	/* Why the last function returned false. */
	enum dph_lines_state (*state)(const struct dph_lines *lines);
	/* Set the meaning of the probe numbers in the reader of the lines. */
	bool (*learn)(struct dph_lines *lines, struct dp_records *records);
	/* Ask for the target's counts, which the listener gets.
	 * sent: receives how many records were sent. Null: the source cannot be asked. */
	bool (*ask)(struct dph_lines *lines, uint32_t *sent);
	/* Ask for missing records of the reader again, until the next call; null: no longer. Null:
	 * the source cannot be asked. */
	void (*follow)(struct dph_lines *lines, struct dp_records *records);
};

#endif
