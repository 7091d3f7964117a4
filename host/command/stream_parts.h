/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the record stream ask of one another. */
#ifndef DPH_STREAM_PARTS_H
#define DPH_STREAM_PARTS_H

#include "cmd_stream.h"

/* --- stream_incoming.c --- */

/* Set the listener of lines; return the listener of records. */
void dph_stream_listen(struct dph_stream *stream);
struct dp_records_listener dph_stream_receiver(struct dph_stream *stream);
/* No more text of the console comes: standard error gets its colours back. */
void dph_stream_end_console(struct dph_stream *stream);
/* Give the sink the text that came before the target was known. */
void dph_stream_end_early(struct dph_stream *stream);
/* Tell the sink when the next item came, by the host's clock. */
void dph_stream_came(const struct dph_stream *stream);
/* Has the stream what --count, --until or the program ends it for? */
bool dph_stream_enough(const struct dph_stream *stream);
bool dph_stream_is_own(const struct dph_stream *stream, const struct dp_log_record *record);
void dph_stream_print(struct dph_stream *stream, const struct dp_log_record *record);

/* --- stream_waiting.c --- */

/* Keep what came before the probe numbers have a meaning. */
void dph_stream_wait(struct dph_stream *stream, const struct dph_waiting *entry);
/* Ask for missing records by their numbers, while their lines wait. Returns false when there is no
 * memory. */
bool dph_stream_follow_numbers(struct dph_stream *stream);
/* Read what has waited, and ask for the missing records of the stream's reader. */
void dph_stream_follow_records(struct dph_stream *stream);
/* Ask for no records any more. */
void dph_stream_follow_none(struct dph_stream *stream);

/* --- stream_aggs.c --- */

/* Does the record act on aggregations? They are read before it is printed. */
bool dph_stream_acts(const struct dph_stream *stream, const struct dp_log_record *record);
/* Print the records that wait for the aggregations. More records may come while they are read.
 * Returns false when the session failed; the records are printed all the same. */
bool dph_stream_release(struct dph_stream *stream);
/* Print the first records that wait for the aggregations. */
void dph_stream_print_held(struct dph_stream *stream, size_t count);
/* Print what was taken, or what of it found no place. now: of a clock, in ms. */
void dph_stream_tell_taken(struct dph_stream *stream, uint64_t ran_ms, uint64_t now);
/* Take the aggregations from the target as often as the program wants: the map has room for the
 * keys between two readings alone. Returns false when the session failed. */
bool dph_stream_take(struct dph_stream *stream);

#endif
