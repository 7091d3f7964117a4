/* SPDX-License-Identifier: BSD-2-Clause */
/* The aggregations of an installed D program are read for `run` and `aggs`, its arrays for `run`
 * and `vars`. */
#ifndef DPH_AGGS_H
#define DPH_AGGS_H

#include <dprobes/host.h>

struct dph_capture;

/* Read the aggregations of a program, and add what was read to their totals; read what
 * arrays dropped.
 * formats: null: the program has none.
 * how: LOOK for the last reading; TAKE when more readings follow.
 * capture: receives what was read; null: none.
 * Returns false: the session failed. */
bool dph_aggs_read(struct dp_session *session, uint8_t program, struct dp_formats *formats,
		   enum dp_map_how how, struct dph_capture *capture);

/* Read the arrays of a program, and print them.
 * name: of the program.
 * Returns false: the session failed. */
bool dph_arrays_tell(struct dp_session *session, uint8_t program, const char *name,
		     const struct dp_formats *formats, struct dp_sink *sink,
		     struct dph_capture *capture);

#endif
