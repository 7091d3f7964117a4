/* SPDX-License-Identifier: BSD-2-Clause */
/* Records as tracks: tasks and interrupts with slices of time, instants and values. */
#ifndef DPH_TRACKS_H
#define DPH_TRACKS_H

#include "interned.h"
#include "trace_clock.h"
#include "well_known.h"

enum dph_track_kind {
	DPH_TRACK_TASK,
	DPH_TRACK_INTERRUPT,
	DPH_TRACK_CPU,     /* records whose task is not known */
	DPH_TRACK_CONSOLE, /* lines of the firmware */
	DPH_TRACK_NOTICES, /* of the agent */
	DPH_TRACK_GAPS,    /* lost records, and the like */
	DPH_TRACK_VALUES,  /* numbers of records */
};

/* Receiver of what the records say. ns: since the first start of the agent. name: of the slice or
 * the instant. record: null where none says it. All stay valid during the call. */
struct dph_track_listener {
	void *context;
	/* A new track. Its number is one more than that of the track before, from 0. */
	void (*track)(void *context, size_t track, enum dph_track_kind kind, const char *name);
	void (*begin)(void *context, size_t track, uint64_t ns, const char *name,
		      const struct dp_record_view *record);
	/* The slice that began last on the track ends. record: null, or of the return. */
	void (*end)(void *context, size_t track, uint64_t ns, const struct dp_record_view *record);
	void (*instant)(void *context, size_t track, uint64_t ns, const char *name,
			const struct dp_record_view *record);
	void (*number)(void *context, size_t track, uint64_t ns, const struct dp_value *value);
};

enum {
	DPH_TRACK_DEPTH = 64,    /* slices inside one another */
	DPH_TRACK_CPUS = 16,     /* streams of records */
	DPH_TRACKS_MAX = 1000,   /* a damaged name makes a new track each time */
	DPH_SUBJECTS_MAX = 1000, /* tasks and queues with a name */
	DPH_NO_TRACK = -1,
};

struct dph_track {
	size_t functions[DPH_TRACK_DEPTH]; /* of the open slices; numbers of names */
	size_t depth;
};

/* What is known of a probe number. */
struct dph_track_probe {
	bool known;
	char *label;                           /* "queue_put:entry" */
	size_t function;                       /* number of a name */
	bool entry, exit;                      /* its program also has the other one */
	const struct dph_well_known *known_as; /* null: no well-known function */
};

/* A task or a queue, by the number that its program gave it, or by its address. */
struct dph_subject {
	enum dph_role role;
	bool numbered;
	uint64_t key;
	char *name;
};

struct dph_tracks {
	struct dph_track_listener to;
	struct dph_trace_clock clock;
	struct dph_interned names, functions; /* of tracks; of slices */
	struct dph_track *tracks;
	size_t track_room;
	bool *returned; /* of each name of functions: a return has come */
	size_t returned_count, returned_room;
	struct dph_track_probe probes[UINT8_MAX + 1];
	struct dph_subject *subjects;
	size_t subject_count, subject_room;
	struct {
		int task;      /* the track of the task that runs, or DPH_NO_TRACK */
		int interrupt; /* the track of the interrupt that is handled */
		int interrupted[DPH_TRACK_DEPTH];
		size_t depth;
	} cpus[DPH_TRACK_CPUS];
	char line[256]; /* of the console, until its end */
	size_t line_bytes;
};

/* Begin. The listener is copied. */
void dph_tracks_init(struct dph_tracks *tracks, const struct dph_track_listener *to);
void dph_tracks_free(struct dph_tracks *tracks);

/* Take what a sink is given, for its functions of the same names. */
void dph_tracks_point(struct dph_tracks *tracks, const struct dp_point_view *point);
void dph_tracks_record(struct dph_tracks *tracks, const struct dp_record_view *record);
void dph_tracks_gap(struct dph_tracks *tracks, const struct dp_gap *gap);
void dph_tracks_notice(struct dph_tracks *tracks, const struct dp_sink *sink,
		       const struct dp_notice_view *notice);
void dph_tracks_console(struct dph_tracks *tracks, const struct dp_sink *sink, const uint8_t *text,
			size_t count);
/* No more comes: the last line of the console may have no end. */
void dph_tracks_end(struct dph_tracks *tracks, const struct dp_sink *sink);

#endif
