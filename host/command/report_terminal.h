/* SPDX-License-Identifier: BSD-2-Clause */
/* A terminal's log is what a terminal program, or a lab, has written of a line: the console with
 * the agent's lines between. Its records become those of a report. */
#ifndef DPH_REPORT_TERMINAL_H
#define DPH_REPORT_TERMINAL_H

#include "report_events.h"

#include "base/pool.h"

/* Look for records, syncs and notices.
 * report: receives word size, byte order and frequency of the first answer to HELLO. Without an
 * answer, those of a little-endian target with words of 4 bytes.
 * Returns false when the log has none of these lines. */
bool dph_terminal_log(struct dph_report *report, const struct dph_bytes *log);

/* Deliver the log to the stream of the report, whose output is open.
 * Returns false when memory is short. */
bool dph_terminal_log_deliver(struct dph_report *report, const struct dph_bytes *log);

#endif
