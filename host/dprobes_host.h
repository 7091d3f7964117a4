/* SPDX-License-Identifier: BSD-2-Clause */
/* libdprobes: all that the dprobes command does, for programs.
 *
 * Here: compile a probe program to an object, look inside objects, read symbols of firmware, turn
 * an object back into source, ask the verifier. What this includes has the rest:
 *   dprobes_simulate.h   run handlers without a target
 *   dprobes_session.h    a line to a target: upload, insert, list, variables, remove
 *   dprobes_records.h    stream lines to records, and records as text
 *   dprobes_templates.h  the data of records as text of the user's own
 *   dprobes_errors.h     sentences for numbers
 *   dp_object.h dp_rpn.h dp_errors.h dp_record.h dp_frame.h    the numbers themselves
 * tests/test_public_api.c uses all of it. Link with libdprobes.a, libelf, libdw, libserialport.
 *
 * Functions that can fail take a struct dp_messages and add to it what was found and what would
 * do, with the place in the source where there is one; they return null or false then. Nothing
 * here is thread-safe; different objects may be used by different threads. */
#ifndef DPROBES_HOST_H
#define DPROBES_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "dp_object.h"
#include "dprobes_errors.h"
#include "dprobes_records.h"
#include "dprobes_session.h"
#include "dprobes_simulate.h"
#include "dprobes_templates.h"

/* --- messages ------------------------------------------------------------------------------ */

enum dp_severity {
	DP_NOTE,
	DP_WARNING,
	DP_ERROR
};

struct dp_message {
	enum dp_severity severity;
	char *file;      /* null: not about a file */
	unsigned line;   /* from 1; 0: about the whole file */
	unsigned column; /* from 1, in bytes; 0: the line as a whole */
	unsigned width;  /* bytes to underline, at least 1 where column is given */
	char *text;      /* the sentence: no newline, no full stop */
	char *source;    /* the source line without newline, or null; or 512 bytes of a long one */
	unsigned before; /* bytes of the line that stand in front of source */
	bool more;       /* the line goes on behind source */
};

/* Start with all zero ({0}); free when done. */
struct dp_messages {
	struct dp_message *list;
	size_t count;
	size_t errors; /* how many are DP_ERROR */
	size_t capacity;
};

/* Print all, one after another: `file:line:col: error: sentence`, the line, caret and tildes. */
void dp_messages_print(const struct dp_messages *messages, FILE *out, bool color);
void dp_messages_free(struct dp_messages *messages);

/* --- probe objects ------------------------------------------------------------------------- */

/* A .ppdf file in memory. The first `travelling` bytes are what is uploaded; behind them, up to
 * `bytes`, stand the sections that stay on the host (source, lines, groups, types, symbols). */
struct dp_object_file {
	uint8_t *data;
	uint32_t travelling;
	uint32_t bytes;
};

struct dp_program_info {
	const char *name; /* name=, valid as long as the object */
	unsigned name_bytes;
	unsigned cpu;        /* enum dp_cpu */
	unsigned word_bytes; /* 4 or 8 */
	bool big_endian;
	uint32_t id;
	uint16_t major, jmpmax, logmax, excpt_log, vars, gvars;
	bool autostacktrace, destructive;
	unsigned groups; /* instruction groups used, enum rpn_group */
	unsigned modules, points;
	const uint8_t *code;
	uint32_t code_bytes;
};

struct dp_module_info {
	unsigned type;     /* DP_MODULE_* */
	unsigned identity; /* DP_IDENTITY_* */
	const uint8_t *id; /* 20 bytes */
	const char *name;  /* not NUL-terminated */
	unsigned name_bytes;
};

struct dp_point_info {
	unsigned kind, phase, isa, flags, module, minor, excpt_mask, insn_bytes;
	uint64_t address;
	uint32_t length, before, extent, opcode, ignore, maxhits;
	uint32_t entry;    /* code offset of its HANDLER marker */
	const char *group; /* name, or null: none, or not known here */
	const char *type;
	unsigned group_number; /* 0 = none */
	unsigned type_number;
};

struct dp_object_file *dp_object_load(const char *path, struct dp_messages *messages);
/* Take a copy of bytes. name is for messages. */
struct dp_object_file *dp_object_from_bytes(const void *data, size_t bytes, const char *name,
					    struct dp_messages *messages);
/* Write to path; `-` is standard output. */
bool dp_object_save(const struct dp_object_file *object, const char *path,
		    struct dp_messages *messages);
void dp_object_free(struct dp_object_file *object);

/* These only read; an object of dp_object_load or dp_compile_file is known to be well-formed. */
void dp_object_program(const struct dp_object_file *object, struct dp_program_info *info);
bool dp_object_module(const struct dp_object_file *object, unsigned index,
		      struct dp_module_info *info);
bool dp_object_point(const struct dp_object_file *object, unsigned index,
		     struct dp_point_info *info);
/* Source of the instruction at a code offset; false where the object has no line table. */
bool dp_object_line(const struct dp_object_file *object, uint32_t code_offset, const char **file,
		    unsigned *line);
/* Symbol that `push SYMBOL` named for this value, or the function that begins there and has a probe
 * point; null: neither. */
const char *dp_object_symbol(const struct dp_object_file *object, uint64_t value);

/* --- firmware and symbols ------------------------------------------------------------------ */

/* An ELF file, or a list of symbols in System.map format. */
struct dp_image;

enum dp_symbol_kind {
	DP_SYMBOL_OTHER,
	DP_SYMBOL_FUNCTION,
	DP_SYMBOL_OBJECT
};

struct dp_symbol {
	const char *name;
	const char *file; /* source file of a local symbol, or null */
	uint64_t value;   /* without the Thumb bit */
	uint64_t bytes;   /* 0: not known */
	enum dp_symbol_kind kind;
	unsigned isa; /* enum dp_isa, of functions */
	bool local;
};

struct dp_image_info {
	const char *path;
	bool elf; /* false: System.map */
	bool big_endian;
	unsigned word_bits; /* 32 or 64; 0: not known */
	unsigned machine;   /* e_machine */
	const char *cpu;    /* name in protocol/cpus.def, or null: a CPU we do not know */
	const uint8_t *build_id;
	unsigned build_id_bytes; /* 0: none */
};

struct dp_image *dp_image_open(const char *path, struct dp_messages *messages);
void dp_image_close(struct dp_image *image);
void dp_image_info(const struct dp_image *image, struct dp_image_info *info);
/* All symbols, by rising value. */
size_t dp_image_symbols(const struct dp_image *image, const struct dp_symbol **symbols);
/* The function around an address, or null. */
const struct dp_symbol *dp_image_function(const struct dp_image *image, uint64_t address);
/* Bytes the image is loaded with; false where it does not have them all. */
bool dp_image_read(const struct dp_image *image, uint64_t address, void *bytes, size_t count);

/* --- compiler ------------------------------------------------------------------------------ */

/* All zero ({0}) is a good start: CPU of the ELF, or sim with 32-bit words, little-endian. */
struct dp_build_options {
	const char *cpu;    /* name in protocol/cpus.def; null: the ELF's, else "sim" */
	unsigned word_bits; /* 32, 64; 0: the CPU's */
	const char *endian; /* "little", "big"; null: the ELF's, else the CPU's, else little */
	const char *elf;    /* firmware, for symbols, opcodes, identity; may be null */
	const char *sym;    /* symbols from here instead: ELF or System.map format */
	const char *const *defines; /* "KEY=VALUE" or "KEY" */
	size_t define_count;
	bool write;           /* the program may change or call the firmware */
	uint16_t log_max;     /* limits of the target for logmax and excpt_log: the defaults */
	uint16_t trace_max;   /* are not above them; 0: those of the agent's default build */
	bool opcode_optional; /* --dont-verify-opcodes: neither demanded nor compared */
};

/* Compile a program. path `-` is standard input. Returns null when there were errors; messages
 * then has at least one, and may have warnings in either case. */
struct dp_object_file *dp_compile_file(const char *path, const struct dp_build_options *options,
				       struct dp_messages *messages);
/* The same for a text; name is what messages call it, and #include looks beside it. */
struct dp_object_file *dp_compile_text(const char *text, const char *name,
				       const struct dp_build_options *options,
				       struct dp_messages *messages);

/* Source or object: told by the first four bytes. What insert, simulate, check and disasm take. */
struct dp_object_file *dp_open_program(const char *path, const struct dp_build_options *options,
				       struct dp_messages *messages);

/* --- back to source, and the verifier ------------------------------------------------------ */

/* Print source that compiles back to the same code. */
bool dp_disassemble(const struct dp_object_file *object, FILE *out, struct dp_messages *messages);

/* Limits of a target; all zero: those of the agent's default build, all rights. */
struct dp_check_options {
	uint16_t log_max, trace_max, vars_max, gvars_max, probes_max;
	bool read_only; /* a target that permits no writing */
};

struct dp_check_result {
	bool accepted;
	unsigned error;       /* enum dp_err */
	const char *sentence; /* of the error table */
	unsigned groups;      /* used: enum rpn_group */
	bool loops, calls;
	uint32_t steps_max; /* of the longest handler; 0: the step budget bounds it */
	uint32_t log_max;   /* bytes; 0xffffffff: logmax bounds it */
	uint32_t step_budget;
};

/* What the target's verifier would say. A refusal is added to messages, at its source line where
 * the object knows it. Returns result->accepted. */
bool dp_check_object(const struct dp_object_file *object, const struct dp_check_options *options,
		     struct dp_check_result *result, struct dp_messages *messages);

#endif
