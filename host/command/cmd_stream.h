/* SPDX-License-Identifier: BSD-2-Clause */
/* The record stream prints records as they arrive, for `log` and `run`. It reads a source of lines;
 * aggregations and requests need a session. */
#ifndef DPH_CMD_STREAM_H
#define DPH_CMD_STREAM_H

#include "cmd_direct.h"
#include "cmd_plain.h"
#include "cmd_insert.h"
#include "cmd_names.h"
#include "cmd_until.h"
#include "core_files.h"
#include "held_records.h"
#include "session_lines.h"
#include "tables/own_programs.h"
#include "base/pool.h"
#include <dprobes/records.h>

/* Input from before the programs were known: a line, or counts between lines. */
struct dph_waiting {
	bool counts;
	struct dp_frame_in frame;
	struct dp_record_counts now;
};

struct dph_capture;
struct dph_stream;

/* A command that prints the aggregations of its program itself. */
struct dph_teller {
	enum dp_table table; /* of its output */
	/* Look at the target, before the insertion. Returns false with *status set; the function
	 * prints the message. */
	bool (*begin)(struct dph_teller *teller, struct dp_session *session, int *status);
	/* Print the totals. The command may use the session.
	 * last: the program has stopped, or the run has failed.
	 * ran_ms: of the run until then; 0: it failed.
	 * missed: with last, the periods that its timers have left out. */
	void (*tell)(struct dph_teller *teller, struct dph_stream *stream, bool last,
		     uint64_t ran_ms, uint64_t missed);
};

struct dph_stream {
	const struct dph_cli *cli;
	FILE *out;
	const char *folder;          /* of an export; null: none */
	struct dp_listener listener; /* give this to dph_target_open */
	struct dp_session *session;  /* null: another source of lines */
	bool of_session;             /* the lines are of a session, live or captured */
	uint64_t hello_ticks;        /* with of_session: when the session began, */
	uint64_t hello_ms;           /* by the clock of the lines */
	struct dph_session_lines its_lines;
	struct dph_capture *capture;       /* of --record; null: none */
	bool capture_failed;               /* said */
	bool records_all;                  /* `record`: the word is the file */
	bool replays;                      /* the lines are captured: */
	uint64_t replay_ms, replay_ran_ms; /* time of the latest entry; of the run */
	struct dph_lines *lines;
	struct dp_records *records;
	struct dp_records *numbers; /* reads the lines that wait; null: none do */
	struct dp_sink *sink;
	struct dp_record_style style;   /* of the target; its output is the sink's */
	struct dp_templates *templates; /* null: none */
	struct dph_images images;       /* of the names */
	struct dph_module_list modules; /* that the target runs */
	struct dph_tally *tally;        /* null: records are printed as they come */
	struct dp_image *image;         /* names addresses in records; null: none */
	struct dp_formats *formats;     /* of our own program; null: none */
	struct dph_teller *teller;      /* of its aggregations; null: its own tables */
	int status;                     /* that the program ends the run with; -1: none yet */
	struct dph_held held;           /* until the aggregations of our program are read */
	uint64_t taken_ms;              /* when the aggregations were taken last */
	bool locked;                    /* they cannot be taken */
	struct dph_core_files cores;
	struct dph_until until;
	struct dph_progress progress;
	struct dph_console_text text; /* on standard error */
	struct dph_bytes early;       /* text for the sink, from before the target was known */
	struct dph_direction direction;
	const struct dp_object_file *object; /* of `program`; null: unknown */
	struct dp_object_file *kept;         /* the same, when the stream frees it */
	bool own_only;         /* --count and --until look at records of one program */
	uint8_t program;       /* that one */
	unsigned long counted; /* records that --count counts */
	unsigned long most;    /* --count of the command that wrote the capture; 0: none */
	unsigned long others;  /* records of other programs that were not printed */
	bool replaces;         /* our program took the place of one with these probe numbers */
	bool based;            /* the agent's counts have come */
	bool learned;          /* the probe numbers have a meaning; lines that came before wait */
	struct dph_waiting *waiting;
	size_t waiting_count, waiting_room;
	uint64_t start_ms; /* of dph_stream_follow; 0: not yet */
	bool typed;        /* -c has typed its line */
	bool removed;      /* a notice says that all programs were removed */
	bool closed;       /* enough: later records are counted, not printed */
	bool planned;      /* --for ended the stream */
};

enum dph_stream_end {
	DPH_STREAM_ENOUGH,  /* --count or --until */
	DPH_STREAM_TIMEOUT, /* --timeout */
	DPH_STREAM_INTERRUPT,
	DPH_STREAM_FAILED,
	DPH_STREAM_REMOVED, /* somebody has removed the programs */
	DPH_STREAM_ENDED,   /* the source has no more lines; each record was printed */
};

/* Read the options, before dph_stream_attach and before a file is opened for writing. Returns
 * false with *status set when the command line or a template is wrong. dph_stream_free frees the
 * stream, also after a failure. */
bool dph_stream_init(struct dph_stream *stream, const struct dph_cli *cli, int *status);
void dph_stream_free(struct dph_stream *stream);

/* Records of stream->program are printed as the program says, where its object says how. */
void dph_stream_formats(struct dph_stream *stream, const struct dp_object_file *object);
/* They are printed as those of any other program. */
void dph_stream_formats_none(struct dph_stream *stream);

/* Where the data goes, and its table. Before the session is open: lines may come while hello is
 * asked. False: no memory (said). */
bool dph_stream_output(struct dph_stream *stream, FILE *out, enum dp_table table);

/* Read these lines, whose source delivers to the stream's listener.
 * lines: stay valid until dph_stream_free. */
bool dph_stream_read(struct dph_stream *stream, struct dph_lines *lines);
/* Read the lines of the session, after it is open. */
bool dph_stream_attach(struct dph_stream *stream, struct dp_session *session);

/* Ask the target for its modules. dph_stream_attach does where the output names addresses, or is
 * recorded; a stream that may have cores needs them in any case. */
void dph_stream_know_modules(struct dph_stream *stream);
/* Give addresses names, by where the target runs its modules. A file of another build is said, and
 * names nothing. */
void dph_stream_place_names(struct dph_stream *stream);

/* Open a session again after a restart of the target, which has none of the programs any more.
 * Returns false when nothing was restarted, or on failure. */
bool dph_stream_attach_again(struct dph_stream *stream);

/* Ask for the meaning of the probe numbers in use. The caller may ask more before
 * dph_stream_learn. */
bool dph_stream_ask(struct dph_stream *stream);

/* Ask for the agent's counts, again while the line damages the answers: a repeated request gives no
 * counts. Records that are lost before the first one comes are reported from these counts on. */
bool dph_stream_ask_counts(struct dph_stream *stream);

/* Ask for the meaning of the probe numbers. No record is decoded earlier. */
bool dph_stream_learn(struct dph_stream *stream);

enum dph_stream_end dph_stream_follow(struct dph_stream *stream);

/* Print the tally, if there is one: no more records come, or the session failed. */
void dph_stream_tell_tally(struct dph_stream *stream);

/* Tell how long records found the agent's ring full, if they did. The last sync has come. */
void dph_stream_tell_full(struct dph_stream *stream);

/* Print the aggregations that were read while the program ran, at its end.
 * missed: the periods that its timers have left out. */
void dph_stream_tell_totals(struct dph_stream *stream, uint64_t ran_ms, uint64_t missed);

/* Say how many records of other programs were left out, if any. */
void dph_stream_tell_others(const struct dph_stream *stream);

/* Receive the records before this number, those that are sent again included. Ends early when the
 * session fails, or when the agent answers and no records come for some seconds: the records that
 * did not come are told as lost. */
void dph_stream_drain(struct dph_stream *stream, uint32_t number);
/* The same for the records that the agent has sent by now. */
bool dph_stream_drain_sent(struct dph_stream *stream);

/* How long the stream has been followed, in milliseconds. */
uint64_t dph_stream_ran_ms(const struct dph_stream *stream);

/* cmd_run.c: run the program of the command line, as dph_cmd_run does.
 * teller: null: the program's own tables. */
int dph_run_told(const struct dph_cli *cli, struct dph_teller *teller);

/* cmd_run.c: run a program that stands in no file, as with -n.
 * own: its name, by which it replaces one that a killed command has left.
 * for_s: when it ends, if the command line does not say. */
int dph_run_text(const struct dph_cli *cli, enum dph_own_program own, const char *program,
		 double for_s);

/* cmd_log.c: print or record the records until the options end it.
 * insertion: the program of the command line; null: none.
 * open: opens the output, or says why not; null then. Returns the exit status. */
int dph_log_records(const struct dph_cli *cli, struct dph_insertion *insertion,
		    FILE *(*open)(const struct dph_cli *cli));

/* Exit status of the whole. */
int dph_stream_status(struct dph_stream *stream, enum dph_stream_end end);

#endif
