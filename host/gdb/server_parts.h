/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a connection, and the functions that answer packets. */
#ifndef DPH_GDB_SERVER_PARTS_H
#define DPH_GDB_SERVER_PARTS_H

#include "packet.h"
#include "server.h"
#include "trace.h"

#include <stdio.h>

struct dph_gdb_server;

/* Writes a text that gdb reads in pieces. */
typedef void dph_gdb_writer(const struct dph_gdb_server *server, FILE *out);

/* Such a text. */
struct dph_gdb_document {
	dph_gdb_writer *writer; /* that has written it */
	char *text;             /* null: not made */
	size_t bytes;
};

/* A breakpoint or watchpoint of gdb. */
struct dph_gdb_breakpoint {
	unsigned kind; /* the digit of the packet: 0 and 1 breakpoint, 2 to 4 watchpoint */
	uint64_t address, bytes;
	char *conditions; /* as gdb writes them; null: none */
	char *commands;   /* those of dprintf, too; null: none, and the target stops */
	char *refused;    /* why it cannot be; null: it can */
};

/* dprintf in the style of an agent: a program that logs the arguments, and the text. */
struct dph_gdb_prints {
	struct dph_gdb_tracer tracer;
	char **commands; /* of the program; the index + 1 is the minor code of its records */
	size_t count;
	char *program;         /* null: none is installed */
	bool lost;             /* by a restart of the target */
	struct dph_bytes text; /* that gdb has not got */
	unsigned dropped;      /* hits whose text found no room */
};

/* Why a stop has ended, where nobody tells more. */
#define DPH_GDB_RELEASED                                                                           \
	"the target was not stopped any more: another command has resumed it, or it was stopped "  \
	"too long without a request"

struct dph_gdb_server {
	const struct dph_gdb_target *target;
	const struct dph_gdb_line *line;
	struct dph_gdb_reader reader;
	struct dph_gdb_text answer; /* the last one, for a repetition */
	bool acks, begun, ended;
	char *refusal; /* why there is no connection: the answer to the first packet; null: none */
	unsigned thread; /* whose registers gdb reads; 0: none was chosen */
	enum {
		DPH_GDB_LOOKS, /* gdb takes the target, which runs, for stopped */
		DPH_GDB_RUNS,  /* gdb waits until the target is stopped */
		DPH_GDB_STANDS /* the target is stopped */
	} state;
	const char *released; /* gdb takes the target for stopped, which has gone on: why; null */
	bool silent;          /* the packet gets its answer later */
	bool broken;          /* ^C came with the packet */
	struct dph_gdb_breakpoint *breakpoints; /* that gdb has inserted */
	size_t breakpoint_count, breakpoint_capacity;
	char *installed_breakpoints; /* the program; null: none */
	bool watches;                /* it has watchpoints */
	bool access_done; /* the next step is that of gdb over the access, which is done */
	struct dph_gdb_prints prints;
	struct dph_gdb_document document;
	struct dph_gdb_trace trace;
	struct dph_gdb_tracer tracer;
	bool installed, stop_wanted; /* the program of the trace */
	size_t told_point, told;     /* the next definition that gdb reads, */
	size_t told_variable;        /* and the next variable */
};

/* Make a text, where gdb begins to read it or the last text was another one. */
void dph_gdb_make(struct dph_gdb_server *server, uint64_t offset, dph_gdb_writer *write);
/* Answer with a piece of a text: "OFFSET,LENGTH". */
void dph_gdb_read_piece(struct dph_gdb_server *server, const char *args, dph_gdb_writer *write);

/* Begin, and remove the program where there is one. */
void dph_gdb_trace_open(struct dph_gdb_server *server);
void dph_gdb_trace_close(struct dph_gdb_server *server);

/* Find out whether the target is stopped, and end what the connection has begun. */
void dph_gdb_run_open(struct dph_gdb_server *server);
void dph_gdb_run_close(struct dph_gdb_server *server);
/* Look whether the target is stopped, and tell gdb. */
void dph_gdb_run_idle(struct dph_gdb_server *server);
/* gdb has sent ^C. */
void dph_gdb_run_break(struct dph_gdb_server *server);
/* Write the conditions of a breakpoint: "X LENGTH,BYTES" for each, of which one must hold. first:
 * no condition has come before; all: the label behind them. Returns false: code->why has the
 * reason. */
bool dph_gdb_write_conditions(struct dph_gdb_code *code, const char *args, bool first,
			      unsigned all);

/* Begin, and remove the program where there is one: server_print.c. */
void dph_gdb_prints_open(struct dph_gdb_server *server);
void dph_gdb_prints_close(struct dph_gdb_server *server);
/* Do the commands of a breakpoint, "X LENGTH,BYTES" for each, compile? Returns false: why has the
 * reason. */
bool dph_gdb_check_commands(const struct dph_gdb_server *server, const char *commands,
			    struct dph_gdb_why *why);
/* Let the target have the breakpoints with commands, which are sorted and come last, from the index
 * `first` on. Returns false: why has the reason. */
bool dph_gdb_prints_install(struct dph_gdb_server *server, size_t first, struct dph_gdb_why *why);
/* Tell gdb, which waits, the text so far. settle: wait for the records that are under way. */
void dph_gdb_prints_say(struct dph_gdb_server *server, bool settle);
/* A watchpoint that has stopped the target. */
struct dph_gdb_watched {
	const char *what; /* of the answer: "watch", "rwatch", "awatch" */
	uint64_t address;
};
/* Return why nothing stops the target; null: it can be stopped. */
const char *dph_gdb_why_no_stop(const struct dph_gdb_server *server);
/* The breakpoints: server_breakpoints.c. Let the target have gdb's breakpoints, and no others.
 * Returns false: why has the reason. */
bool dph_gdb_breakpoints_install(struct dph_gdb_server *server, struct dph_gdb_why *why);
/* Forget gdb's breakpoints: the connection is over. */
void dph_gdb_breakpoints_forget(struct dph_gdb_server *server);
/* The number of breakpoints that stop the target; the others have commands, and come behind them.
 */
size_t dph_gdb_stop_count(const struct dph_gdb_server *server);
/* Does a breakpoint that stops the target stand in the range? */
bool dph_gdb_has_breakpoint(const struct dph_gdb_server *server, uint64_t first, uint64_t bytes);
/* Has a watchpoint stopped the target? Its handler has left address and kind in the variables. */
bool dph_gdb_is_watched(struct dph_gdb_server *server, struct dph_gdb_watched *watched);
/* Answer with the stop of a signal, the watchpoint if there is one, and the thread of the stop. */
void dph_gdb_tell_stop_by(struct dph_gdb_server *server, unsigned signal,
			  const struct dph_gdb_watched *watched);
/* Send the answer, and begin another one. */
void dph_gdb_send_answer(struct dph_gdb_server *server);
/* Print text for the user of gdb, who waits. */
void dph_gdb_say(struct dph_gdb_server *server, const char *text, size_t bytes);

/* The address of a packet, cut to a word: gdb may have one of 32 bits with its sign. */
uint64_t dph_gdb_place(const struct dph_gdb_server *server, uint64_t address);
/* Answer with a sentence of why the packet is refused. */
__attribute__((format(printf, 2, 3))) void dph_gdb_refuse(struct dph_gdb_server *server,
							  const char *format, ...);
/* Answer a packet that is not as the protocol has it. */
void dph_gdb_malformed(struct dph_gdb_server *server);
/* Build the answer to the packet in the reader. It is empty for a packet that has no row. */
void dph_gdb_answer(struct dph_gdb_server *server);

/* args, bytes: the packet behind its beginning, with a NUL behind it. */
#define PACKET(text, function)                                                                     \
	void dph_gdb_do_##function(struct dph_gdb_server *server, const char *args, size_t bytes);
#include "packets.def"

#endif
