/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware as gdb's target: memory by requests of a session, threads from the tasks of a
 * kernel. */
#ifndef DPH_GDB_TARGET_H_
#define DPH_GDB_TARGET_H_

#include "cmd_target.h"
#include "doctor_addresses.h"
#include "gdb/target.h"
#include "gdb_records.h"
#include "symbols/images.h"

struct dph_tasks;

enum {
	DPH_GDB_RANGES_MAX = 2 * DPH_DOCTOR_ROWS
};

struct dph_gdb_firmware {
	const struct dph_cli *cli;
	struct dph_gdb_target target;
	struct dp_session *session;
	struct dph_images images;
	const struct dp_image *names;  /* null: no ELF file of the firmware that runs */
	struct dp_module_answer image; /* the firmware on the target */
	struct dph_rows rows;
	struct dph_gdb_range ranges[DPH_GDB_RANGES_MAX];
	size_t range_count;
	struct dph_tasks *tasks; /* null: no kernel is known */
	bool read;               /* the tasks were read, */
	uint64_t read_ms;        /* at this time */
	bool stepped;            /* the tasks were read before steps of this stop, */
	unsigned stepped_in;     /* when the target was stopped in this thread */
	uint64_t *blocks;        /* control blocks of tasks: a thread's id is the index + 1 */
	size_t block_count, block_capacity;
	struct dph_gdb_thread *threads;
	size_t thread_count;
	struct dph_gdb_records trace;
	struct dph_gdb_stops {
		bool stopped;         /* the target, when it was asked */
		uint64_t asked_ms;    /* at this time */
		const char *released; /* why the last stop has ended without gdb; null */
		bool hangs;           /* it runs, and answered that nobody polls */
		unsigned here;        /* id of the thread of this stop; 0: not read */
		bool has_registers;   /* they were read in this stop */
		struct dph_gdb_registers registers;
		bool installed;  /* the program of the breakpoints */
		uint8_t program; /* its number */
		uint8_t turn;    /* which of its two names comes next */
		char *text;      /* null: none */
		bool lost;       /* by a restart of the target */
		unsigned said;   /* the last refusal to tell of the state, which the user knows */
	} stops;
	/* The connection of gdb, while a command runs. asks: reads what gdb has sent, for later;
	 * returns whether that is more than acknowledgements, or the connection is over. */
	struct {
		int fd;
		bool (*asks)(void *context);
		void *context;
	} gdb;
	bool opened; /* the firmware is known: the session may go on behind a failure, */
	bool begins; /* but not behind a silence that gdb waits for */
	bool ended;  /* the target is gone, which was said */
};

/* Open the line and the files of the command line.
 * Returns false with *status set. dph_gdb_firmware_close frees in any case. */
bool dph_gdb_firmware_open(struct dph_gdb_firmware *firmware, const struct dph_cli *cli,
			   int *status);
void dph_gdb_firmware_close(struct dph_gdb_firmware *firmware);
/* Take what the line has brought. Returns false: the target is gone, which is said. */
bool dph_gdb_firmware_listen(struct dph_gdb_firmware *firmware);
/* The memory of the target: gdb_memory.c. */
size_t dph_gdb_read_target(void *context, uint64_t address, uint8_t *data, size_t bytes,
			   struct dph_gdb_why *why);
bool dph_gdb_write_target(void *context, uint64_t address, const uint8_t *data, size_t bytes,
			  struct dph_gdb_why *why);
bool dph_gdb_sum_target(void *context, uint64_t address, uint64_t bytes, uint32_t *result,
			struct dph_gdb_why *why);
size_t dph_gdb_ranges(void *context, const struct dph_gdb_range **found);
/* Find the ranges. Rows of the board may overlap, and the first one decides; gdb takes rows that do
 * not. */
void dph_gdb_know_ranges(struct dph_gdb_firmware *firmware);
/* The stops of the target: gdb_stops.c. */
const char *dph_gdb_no_stop(void *context);
bool dph_gdb_begin_stops(void *context, bool *stopped, struct dph_gdb_why *why);
bool dph_gdb_stop(void *context, struct dph_gdb_why *why);
bool dph_gdb_resume(void *context, struct dph_gdb_why *why);
bool dph_gdb_step(void *context, uint64_t first, uint64_t bytes, struct dph_gdb_why *why);
bool dph_gdb_is_left(void *context);
bool dph_gdb_is_stopped(void *context, bool was);
/* Remove the programs that a server of this host has left, because it was killed. */
void dph_gdb_remove_left(struct dph_gdb_firmware *firmware);
const char *dph_gdb_released(void *context);
bool dph_gdb_install_stops(void *context, const char *program, struct dph_gdb_why *why);
size_t dph_gdb_stop_variables(void *context, uint64_t *words, size_t room);
const char *dph_gdb_no_watch(void *context);
unsigned dph_gdb_comparators(void *context, unsigned kind);
bool dph_gdb_write_stopped(void *context, unsigned index, uint64_t value, struct dph_gdb_why *why);
/* Read the registers of the stop. Returns false: there are none. */
bool dph_gdb_read_stopped(struct dph_gdb_firmware *firmware, struct dph_gdb_registers *registers);
/* Take a failure of the session. why: receives the reason. */
void dph_gdb_failed(struct dph_gdb_firmware *firmware, struct dph_gdb_why *why);

/* Run a command of `dprobes` as a process, for `monitor`. */
bool dph_gdb_run_command(void *context, const char *command, const struct dph_gdb_console *console);

#endif
