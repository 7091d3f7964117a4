/* SPDX-License-Identifier: BSD-2-Clause */
/* Tracepoints of gdb: their definitions become a program of RPN, and the records of the program
 * become frames, which gdb looks at later. */
#ifndef DPH_GDB_TRACE_H
#define DPH_GDB_TRACE_H

#include "base/pool.h"
#include "expression.h"
#include "features.h"
#include "target.h"

enum {
	DPH_GDB_BUFFER_BYTES = 5 << 20, /* of the data of frames */
	DPH_GDB_NO_FRAME = -1
};

/* A place of a tracepoint: one with several has a row for each. Its index + 1 is the minor code of
 * its records. */
struct dph_gdb_tracepoint {
	unsigned number; /* gdb's */
	uint64_t address;
	bool enabled;
	uint64_t passes; /* frames behind which the trace stops; 0: any number */
	uint64_t frames, bytes;
	char *condition;          /* instructions of RPN; null: none */
	struct dph_bytes actions; /* of RPN, too */
	uint64_t collects; /* bytes that a hit logs at least, without those of the registers */
	bool registers[DPH_GDB_REGISTERS_MAX]; /* that it collects, by gdb's number */
	char **told;                           /* the definition as gdb wrote it, for another gdb */
	size_t told_count, told_capacity;
};

/* A part of a frame. */
struct dph_gdb_piece {
	enum {
		DPH_GDB_MEMORY,
		DPH_GDB_REGISTERS,
		DPH_GDB_VARIABLE
	} what;
	uint64_t address, bytes; /* of memory; address: number of a variable */
	const uint8_t *data;
	int64_t value; /* of a variable */
};

/* A trace state variable as gdb defines it. */
struct dph_gdb_variable {
	unsigned number;
	int64_t first, now; /* now: when the program was last asked */
	char *told;         /* the definition as gdb wrote it, for another gdb */
};

struct dph_gdb_frame {
	unsigned point; /* index of the tracepoint */
	uint8_t *data;  /* of the record */
	size_t bytes;
	struct dph_gdb_piece *pieces;
	size_t count, capacity;
};

struct dph_gdb_trace {
	const struct dph_gdb_target *target;
	struct dph_gdb_tracepoint *points;
	size_t point_count, point_capacity;
	struct dph_gdb_frame *frames;
	size_t frame_count, frame_capacity;
	size_t used;  /* bytes of frames */
	int selected; /* frame; DPH_GDB_NO_FRAME: the target as it is */
	bool runs;
	char stopped[DPH_GDB_WHY_ROOM + 32]; /* why it does not run, as gdb reads it */
	size_t text_bytes;                   /* of the definitions */
	unsigned labels;
	struct dph_gdb_variables named; /* by the program */
	struct dph_gdb_variable *variables;
	size_t variable_count, variable_capacity;
	/* Memory that does not change, by gdb: the target has it for each frame. */
	struct dph_gdb_range *constant;
	size_t constant_count, constant_capacity;
};

void dph_gdb_trace_clear(struct dph_gdb_trace *trace);
/* Write the program. */
void dph_gdb_trace_write(const struct dph_gdb_trace *trace, FILE *out);
/* A variable; null: gdb has defined none with the number. */
struct dph_gdb_variable *dph_gdb_trace_variable(const struct dph_gdb_trace *trace, uint64_t number);
/* Take the local variables of the program. */
void dph_gdb_trace_take_variables(struct dph_gdb_trace *trace, const uint64_t *words, size_t count);
/* The value of a variable in the selected frame. Returns false: it was not collected. */
bool dph_gdb_frame_variable(const struct dph_gdb_trace *trace, uint64_t number, int64_t *value);
/* Take the data of a record. Returns false: the trace is to be stopped, and trace->stopped says
 * why. */
bool dph_gdb_trace_take(struct dph_gdb_trace *trace, unsigned minor, const uint8_t *data,
			size_t bytes);
/* Is the memory among what does not change? */
bool dph_gdb_trace_constant(const struct dph_gdb_trace *trace, uint64_t address, uint64_t bytes);
/* Read what the selected frame has of memory. Returns the bytes from the first one on. */
size_t dph_gdb_frame_read(const struct dph_gdb_trace *trace, uint64_t address, uint8_t *data,
			  size_t bytes);
/* The registers of the selected frame. */
void dph_gdb_frame_registers(const struct dph_gdb_trace *trace,
			     struct dph_gdb_registers *registers);
/* Write the memory that the selected frame has, as XML. */
void dph_gdb_frame_describe(const struct dph_gdb_trace *trace, FILE *out);
/* Write all frames as gdb keeps them in a file. */
void dph_gdb_trace_save(const struct dph_gdb_trace *trace, FILE *out);

#endif
