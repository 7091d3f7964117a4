/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs of gdb's tracepoints and of its dprintf on the target, and their records. */
#ifndef DPH_GDB_RECORDS_H
#define DPH_GDB_RECORDS_H

#include "cmd_direct.h"
#include "gdb/target.h"
#include <dprobes/records.h>

/* The programs whose records gdb gets. */
enum dph_gdb_logger {
	DPH_GDB_TRACE,
	DPH_GDB_PRINT,
	DPH_GDB_LOGGERS
};

struct dph_gdb_records {
	struct {
		const struct dph_gdb_tracer *tracer; /* null: no program is installed */
		uint8_t program;
	} of[DPH_GDB_LOGGERS];
	struct dp_records *records;     /* null: there is no program */
	struct dph_direction direction; /* of all records of the target */
	bool noticed;                   /* a notice has come */
	/* Why the target went on, of the last notice RESUMED. Reset this when that is known. */
	enum {
		DPH_GDB_RESUMED_NOT,
		DPH_GDB_RESUMED_BY_REQUEST,
		DPH_GDB_RESUMED_TYPED,
		DPH_GDB_RESUMED_ALONE,
		DPH_GDB_RESUMED_FAULT
	} resumed;
	/* Lines wait until the meaning of their records is known. */
	bool learned;
	struct dp_frame_in *waiting;
	size_t count, capacity;
};

/* Is it the name of one of the programs? */
bool dph_gdb_records_has_name(const char *name);
/* Compile a program for the firmware of the command line, and install it in place of the one of
 * this name before. number: receives its number. Returns false: why has the reason. */
bool dph_gdb_install(const struct dph_cli *cli, struct dp_session *session, const char *name,
		     const char *program, uint8_t *number, struct dph_gdb_why *why);

/* Take lines of the session: a listener for dph_target_open. */
struct dp_listener dph_gdb_records_listener(struct dph_gdb_records *records);
/* Compile a program for the firmware of the command line, install it and read its records.
 * Returns false: why has the reason. */
bool dph_gdb_records_start(struct dph_gdb_records *records, const struct dph_cli *cli,
			   struct dp_session *session, enum dph_gdb_logger which,
			   const char *program, const struct dph_gdb_tracer *tracer,
			   struct dph_gdb_why *why);
/* Deliver records that cannot be withdrawn any more. Call this now and then. */
void dph_gdb_records_deliver(struct dph_gdb_records *records);
/* Deliver the records that the target has sent. */
void dph_gdb_records_settle(struct dph_gdb_records *records, struct dp_session *session);
/* Read the first local variables of the program of tracepoints. Returns their number. */
size_t dph_gdb_records_variables(const struct dph_gdb_records *records, struct dp_session *session,
				 uint64_t *words, size_t room);
/* Stop a program, deliver its records and remove it. */
void dph_gdb_records_stop(struct dph_gdb_records *records, struct dp_session *session,
			  enum dph_gdb_logger which);
/* The target was restarted, or is gone, and the programs with it. */
void dph_gdb_records_drop(struct dph_gdb_records *records, struct dp_session *session,
			  const char *why);

#endif
