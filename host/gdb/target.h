/* SPDX-License-Identifier: BSD-2-Clause */
/* What gdb looks at: a firmware that runs while gdb takes it for stopped, until gdb lets it go on.
 * Whoever serves gdb supplies the functions. A function that refuses puts a sentence into `why`. */
#ifndef DPH_GDB_TARGET_H
#define DPH_GDB_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dph_cpu;

enum {
	DPH_GDB_WHY_ROOM = 640,
	DPH_GDB_REGISTERS_MAX = 256 /* by index in regs.def */
};

struct dph_gdb_why {
	char text[DPH_GDB_WHY_ROOM];
};

struct dph_gdb_thread {
	unsigned id;       /* from 1 on; a thread keeps it */
	const char *name;  /* "sensor" */
	const char *state; /* "waits in queue_get <- log_main+0x1c" */
	bool has_registers;
	bool here; /* the target is stopped in this thread */
};

struct dph_gdb_registers {
	bool known[DPH_GDB_REGISTERS_MAX];
	uint64_t values[DPH_GDB_REGISTERS_MAX];
};

struct dph_gdb_range {
	uint64_t start, bytes;
	bool writes; /* RAM; else memory that is only read */
};

/* Receives text for the user of gdb, during a command of `monitor`. */
struct dph_gdb_console {
	void (*print)(void *context, const char *text, size_t bytes);
	void *context;
};

/* Receives the records of a trace. */
struct dph_gdb_tracer {
	void (*record)(void *context, unsigned minor, const uint8_t *data, size_t bytes);
	/* The program is gone without trace_stop. */
	void (*ended)(void *context, const char *why);
	void *context;
};

struct dph_gdb_ops {
	/* Find the threads anew. There is at least one: of a firmware without a kernel, itself. The
	 * list stays until the next call.
	 * Returns their number. */
	size_t (*threads)(void *context, const struct dph_gdb_thread **threads);
	/* Find the thread in which the target is stopped, by less than `threads` reads. Returns its
	 * id; 0: it is not known. The function may be null: so it is. */
	unsigned (*here)(void *context);
	/* Read the registers of a thread. What the target does not tell stays unknown.
	 * Returns false: there is no such thread. */
	bool (*registers)(void *context, unsigned thread, struct dph_gdb_registers *registers);
	/* Read memory. Returns the number of bytes from the first one on that could be read. */
	size_t (*read)(void *context, uint64_t address, uint8_t *data, size_t bytes,
		       struct dph_gdb_why *why);
	/* Write memory. Returns false: not all bytes were written. */
	bool (*write)(void *context, uint64_t address, const uint8_t *data, size_t bytes,
		      struct dph_gdb_why *why);
	/* Compute gdb's sum of memory. Returns false: it cannot be read. */
	bool (*sum)(void *context, uint64_t address, uint64_t bytes, uint32_t *sum,
		    struct dph_gdb_why *why);
	/* The memory that the board's table has. Returns the number of rows; 0: not known. */
	size_t (*ranges)(void *context, const struct dph_gdb_range **ranges);
	/* Run a command. Returns false: it failed, and has said why. */
	bool (*monitor)(void *context, const char *command, const struct dph_gdb_console *console);
	/* Install a program of RPN, whose records the tracer receives until trace_stop. Null: there
	 * are no traces. */
	bool (*trace_start)(void *context, const char *program, const struct dph_gdb_tracer *tracer,
			    struct dph_gdb_why *why);
	/* Read the first local variables of the program. Returns their number. */
	size_t (*trace_variables)(void *context, uint64_t *words, size_t room);
	/* Remove the program. The tracer has all of its records before the function returns. */
	void (*trace_stop)(void *context);
	/* Install the program of dprintf in place of the one before, whose records the tracer had;
	 * null: none. The function may be null: there is no dprintf. */
	bool (*print)(void *context, const char *program, const struct dph_gdb_tracer *tracer,
		      struct dph_gdb_why *why);
	/* Give the tracer of dprintf what its program logged before now. */
	void (*settle)(void *context);
	/* Return why nothing stops the target; null: stop and the other functions here do. The
	 * function may be null: nothing stops it. */
	const char *(*no_stop)(void *context);
	/* A connection begins: find out whether the target is stopped, and stop one that hangs,
	 * because it answers nothing else. stopped: receives whether the target is stopped.
	 * Returns false: the target neither answers nor stops. */
	bool (*begin_stops)(void *context, bool *stopped, struct dph_gdb_why *why);
	/* Stop the target. Returns true when it is stopped. */
	bool (*stop)(void *context, struct dph_gdb_why *why);
	/* Let the stopped target go on. */
	bool (*resume)(void *context, struct dph_gdb_why *why);
	/* Execute an instruction of the stopped target; with `bytes` not 0 all until the next one
	 * is not in [first, first + bytes), or gdb sends something. Then is_stopped tells false
	 * behind a fault. */
	bool (*step)(void *context, uint64_t first, uint64_t bytes, struct dph_gdb_why *why);
	/* Return whether gdb has sent something that waits. The function may be null: no. */
	bool (*is_left)(void *context);
	/* Return whether the target is stopped. The function asks the target now and then, so that
	 * the target stays stopped. was: what the function returned before. */
	bool (*is_stopped)(void *context, bool was);
	/* Return why the last stop has ended without `resume` or `step`; null: it has not. The
	 * function may be null: it never does. */
	const char *(*released)(void *context);
	/* Install a program of RPN in place of the one before; null: none. */
	bool (*install)(void *context, const char *program, struct dph_gdb_why *why);
	/* Read the first local variables of that program, and set them to 0. Returns their number.
	 * The function may be null: there are no watchpoints. */
	size_t (*stop_variables)(void *context, uint64_t *words, size_t room);
	/* Return why no watchpoint stops the target; null: `comparators` tells. The function may be
	 * null. */
	const char *(*no_watch)(void *context);
	/* The number of comparators that watch an access of the kind, by its number in
	 * point_kinds.def. */
	unsigned (*comparators)(void *context, unsigned kind);
	/* Write a register of the thread in which the target is stopped, by index in regs.def. */
	bool (*write_register)(void *context, unsigned index, uint64_t value,
			       struct dph_gdb_why *why);
	/* Tell the user a sentence that gdb has no place for. */
	void (*tell)(void *context, const char *sentence);
};

struct dph_gdb_target {
	const struct dph_gdb_ops *ops;
	void *context;
	const struct dph_cpu *cpu; /* one with a description: dph_gdb_describes */
	unsigned word_bytes;
	bool big_endian;
	uint64_t moved;   /* running addresses minus linked ones */
	uint32_t log_max; /* bytes that a hit logs at most */
};

/* gdb's CRC-32 of memory: not reflected, from 0xffffffff, not inverted. sum: of the bytes before.
 */
uint32_t dph_gdb_sum(uint32_t sum, const uint8_t *bytes, size_t count);
#define DPH_GDB_SUM_BEGIN 0xffffffffu

#endif
