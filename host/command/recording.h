/* SPDX-License-Identifier: BSD-2-Clause */
/* A recording writes what a record stream receives and does into the capture of --record. Each
 * function does nothing for a stream without a capture. */
#ifndef DPH_RECORDING_H
#define DPH_RECORDING_H

#include "cmd_stream.h"

/* The events of a capture, each with its word. EVENT(NAME, "word") */
#define DPH_RECORDING_EVENTS                                                                       \
	EVENT(ATTACH, "attach")   /* the facts of the target are known */                          \
	EVENT(RESTART, "restart") /* lines of the next start of the target follow */               \
	EVENT(MODULE, "module")   /* answer to MODULE */                                           \
	EVENT(COUNTS, "counts")   /* sent, dropped, missed, withdrawn, stored */                   \
	EVENT(PROBE, "probe")     /* meaning of a probe number */                                  \
	EVENT(RESENDS, "resends") /* missing records may come again */                             \
	EVENT(GIVE_UP, "give-up") /* missing records before the number are lost */                 \
	EVENT(SENT, "sent")       /* records before the number were sent */                        \
	EVENT(ENDED, "ended")     /* the stream ends at the number */                              \
	EVENT(LEARNED, "learned") /* all probe numbers in use have a meaning */                    \
	EVENT(FLUSH, "flush")     /* records that came so long ago went out, ms */                 \
	EVENT(PROGRAM, "program") /* the object before is this program's: index, own, replaces */  \
	EVENT(MAP, "map")         /* entries of an aggregation: index, dropped, words */           \
	EVENT(DROP, "drop")       /* stores of an array without a place: index, number */          \
	EVENT(TAKEN, "taken")     /* aggregations were taken: ms of the run, clock in ms */        \
	EVENT(RELEASE, "release") /* so many records that waited for aggregations went out */      \
	EVENT(CLOSED, "closed")   /* later records are counted, not printed */                     \
	EVENT(STOPPED, "stopped") /* the program has stopped: ms of the run, its name */           \
	EVENT(VARS, "vars")       /* its variables */                                              \
	EVENT(ARRAY, "array")     /* entries of an array: index, words */                          \
	EVENT(COUNTER, "counter") /* answer to PROBE */                                            \
	EVENT(REMOVED, "removed") /* the program is removed: all is read */                        \
	EVENT(END, "end")         /* of the capture */

enum dph_recording_event {
#define EVENT(name, word) DPH_EVENT_##name,
	DPH_RECORDING_EVENTS
#undef EVENT
		DPH_EVENT_COUNT
};
extern const char *const dph_recording_words[DPH_EVENT_COUNT];

/* Create the file of --record, or of `record`. table: of the output.
 * Returns false when the file cannot be written (said). */
bool dph_recording_open(struct dph_stream *stream, enum dp_table table);
/* Write the end and close the file. Returns `status`, or DPH_EXIT_USAGE when the file has not
 * everything (said) and the status was good. */
int dph_recording_close(struct dph_stream *stream, int status);
/* Tell at once that the file can be written no further, and write what has waited. */
void dph_recording_pause(struct dph_stream *stream);

/* Write the facts of the session's target, and have the tap of the stream's reader. */
void dph_recording_attach(struct dph_stream *stream);
/* For `record`: write the objects of the installed programs that this user has kept. */
void dph_recording_kept(struct dph_stream *stream);

/* Return the time of arrival for the record reader. */
uint64_t dph_recording_line(struct dph_stream *stream, const char *text, size_t count);
void dph_recording_counts(struct dph_stream *stream, const struct dp_record_counts *counts);
void dph_recording_text(struct dph_stream *stream, const uint8_t *bytes, size_t count);
uint64_t dph_recording_learned(struct dph_stream *stream);

/* Let held records go that came before the last hold_ms; DPH_FLUSH_ALL: all. */
enum {
	DPH_FLUSH_ALL = -1
};
void dph_recording_flush(struct dph_stream *stream, int hold_ms);

void dph_recording_program(struct dph_stream *stream, const struct dp_object_file *object);
void dph_recording_map(struct dph_capture *capture, unsigned index, uint32_t dropped,
		       const struct dp_map_entries *entries);
void dph_recording_array(struct dph_capture *capture, unsigned index,
			 const struct dp_map_entries *entries);
/* Write an event with numbers. */
void dph_recording_event(struct dph_capture *capture, enum dph_recording_event event,
			 uint64_t first, uint64_t second);
void dph_recording_vars(struct dph_stream *stream, const uint64_t *words, size_t count);
void dph_recording_stopped(struct dph_stream *stream, uint64_t ran_ms, const char *name);
void dph_recording_counter(struct dph_stream *stream, const struct dp_probe_answer *probe);

#endif
