/* SPDX-License-Identifier: BSD-2-Clause */
/* libdprobes offers every function of the dprobes command to programs.
 *
 * This header compiles a probe program to an object, reads objects and symbols of firmware,
 * disassembles objects, and runs the verifier. The header includes all others:
 *   simulate.h   run handlers without a target
 *   simple.h     programs and records with strings and numbers alone
 *   insertion.h  compile for a target, compare, upload and arm in one call
 *   session.h    a line to a target: upload, insert, list, variables, remove
 *   records.h    stream lines to records, and single records as text
 *   record_sink.h readings.h    records and values as text, JSON, CSV or raw lines
 *   values.h     numbers, texts and structs of records, before they are printed
 *   debuginfo.h  source lines, functions and variables of firmware by name
 *   templates.h  the data of records as text that the user defines
 *   boards.h     settings of boards from dprobes.conf
 *   ports.h      serial ports and their owners
 *   formats.h    the data of records as text that a D program defines
 *   errors.h     sentences for numbers
 *   version.h    the version of command and library
 *   dp_object.h dp_rpn.h dp_errors.h dp_record.h dp_frame.h    the numbers themselves
 * tests/host/test_public_api.c uses every function. `pkg-config --cflags --libs dprobes` prints
 * the options for libdprobes.so; with --static also for libdprobes.a.
 *
 * A function that can fail takes a struct dp_messages. On failure the function adds a message and
 * returns null or false. The message names the finding, the remedy, and the place in the source if
 * the source has one.
 * Context: no function is thread-safe; different threads may use different objects. */
#ifndef DPROBES_HOST_H
#define DPROBES_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "boards.h"
#include "debuginfo.h"
#include "dp_object.h"
#include "errors.h"
#include "formats.h"
#include "insertion.h"
#include "ports.h"
#include "readings.h"
#include "record_sink.h"
#include "records.h"
#include "session.h"
#include "simple.h"
#include "simulate.h"
#include "templates.h"
#include "values.h"
#include "version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- messages ------------------------------------------------------------------------------ */

enum dp_severity {
	DP_NOTE,
	DP_WARNING,
	DP_ERROR
};

struct dp_message {
	enum dp_severity severity;
	char *file;      /* null: the message concerns no file */
	unsigned line;   /* from 1; 0: the whole file */
	unsigned column; /* from 1, in bytes; 0: the whole line */
	unsigned width;  /* bytes to underline, at least 1 if column is given */
	char *text;      /* the sentence: no newline, no full stop */
	char *source;    /* the source line without newline, or null; or 512 bytes of a long one */
	unsigned before; /* bytes of the line before source */
	bool more;       /* the line continues after source */
	bool alone;      /* no other error causes this one: it is printed behind any number */
};

/* A list of messages. Start with all zero ({0}); end with dp_messages_free. */
struct dp_messages {
	struct dp_message *list;
	size_t count;
	size_t errors; /* number of messages with DP_ERROR */
	size_t capacity;
};

/* Print all messages in order: `file:line:col: error: sentence`, the line, caret and tildes.
 * color: use terminal colours. */
void dp_messages_print(const struct dp_messages *messages, FILE *out, bool color);
/* Free the list, not the struct itself. */
void dp_messages_free(struct dp_messages *messages);

/* --- probe objects ------------------------------------------------------------------------- */

/* A .ppdf file in memory. A session uploads the first `travelling` bytes. The sections after them,
 * up to `bytes`, stay on the host: source, lines, groups, types, symbols. */
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
	uint64_t moved; /* the firmware's running address minus its linked address */
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
	uint32_t entry;    /* code offset of the probe point's HANDLER marker */
	const char *group; /* name; null: none, or the object has no name */
	const char *type;
	unsigned group_number; /* 0 = none */
	unsigned type_number;
};

/* Read an object from a file.
 * Returns the object, which dp_object_free frees; null when the file is unreadable or malformed. */
struct dp_object_file *dp_object_load(const char *path, struct dp_messages *messages);
/* Copy an object from memory.
 * name: the file name in messages.
 * Returns as dp_object_load. */
struct dp_object_file *dp_object_from_bytes(const void *data, size_t bytes, const char *name,
					    struct dp_messages *messages);
/* Write an object to a file.
 * path: `-` is standard output.
 * Returns false when the file cannot be written. */
bool dp_object_save(const struct dp_object_file *object, const char *path,
		    struct dp_messages *messages);
void dp_object_free(struct dp_object_file *object);

/* The functions below read an object without changes. An object of dp_object_load or of the
 * compiler is well-formed. Strings stay valid until dp_object_free. */

/* Read the header. */
void dp_object_program(const struct dp_object_file *object, struct dp_program_info *info);
/* Read a module or a probe point.
 * index: from 0.
 * Returns false for an index out of range. */
bool dp_object_module(const struct dp_object_file *object, unsigned index,
		      struct dp_module_info *info);
bool dp_object_point(const struct dp_object_file *object, unsigned index,
		     struct dp_point_info *info);
/* Find the source line of the instruction at a code offset.
 * Returns false when the object has no line for the offset. */
bool dp_object_line(const struct dp_object_file *object, uint32_t code_offset, const char **file,
		    unsigned *line);
/* Return whether the object marks the records of a probe point as words and nothing else.
 * index: of the probe point, as dp_object_point counts. */
bool dp_object_words(const struct dp_object_file *object, unsigned index);
/* Return the symbol of a value: the SYMBOL of a `push SYMBOL`, or the function with a probe
 * point that begins at the value. Null: no such symbol. */
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
	uint64_t value;   /* without the bit that names an instruction set */
	uint64_t bytes;   /* 0: not known */
	enum dp_symbol_kind kind;
	unsigned isa; /* enum dp_isa of a function */
	bool local;
	bool fixed; /* an absolute symbol: its value does not move with the image */
};

struct dp_image_info {
	const char *path;
	bool elf; /* false: System.map */
	bool big_endian;
	unsigned word_bits; /* 32 or 64; 0: not known */
	unsigned machine;   /* e_machine */
	const char *cpu;    /* name in port/ports.def, or null: unknown CPU */
	const uint8_t *build_id;
	unsigned build_id_bytes; /* 0: none */
	uint64_t moved;          /* as dp_image_move has it */
};

/* Open firmware.
 * path: an ELF file or a list of symbols.
 * Returns the image, which dp_image_close closes; null when the file is unreadable. */
struct dp_image *dp_image_open(const char *path, struct dp_messages *messages);
void dp_image_close(struct dp_image *image);
/* Set the place where the image runs. Later calls take and return running addresses. Open the debug
 * information of the image after this call.
 * moved: running address minus linked address, modulo the address range; 0: as linked. */
void dp_image_move(struct dp_image *image, uint64_t moved);
/* Describe an image. Pointers in info, and symbols, stay valid until dp_image_close. */
void dp_image_info(const struct dp_image *image, struct dp_image_info *info);
/* List all symbols by rising value. Returns their number. */
size_t dp_image_symbols(const struct dp_image *image, const struct dp_symbol **symbols);
/* Return the function, or the function or object, around an address; null: none with a size. Of
 * nested symbols the innermost one counts, of several at one place the smallest, then a global one,
 * then the first name. */
const struct dp_symbol *dp_image_function(const struct dp_image *image, uint64_t address);
const struct dp_symbol *dp_image_symbol(const struct dp_image *image, uint64_t address);

enum {
	DP_NAME_ROOM = 256 /* characters of a name with its offset, and a NUL */
};
/* Name an address: "queue_put", "queue_put+0x12". A bit of the address that names an instruction
 * set is left out. A longer name is cut.
 * image: may be null.
 * text: DP_NAME_ROOM characters.
 * Returns text; null: no function or object has the address. */
const char *dp_image_name(const struct dp_image *image, uint64_t address, char *text);
/* Write a word of the target as the name of an address. A word without a name becomes a decimal
 * number, or a hexadecimal number from 1000000 on. A word below 4096 is always a number.
 * image, text: as for dp_image_name.
 * Returns text. */
const char *dp_image_word(const struct dp_image *image, uint64_t word, char *text);
/* Return whether dp_image_word writes a name. */
bool dp_image_word_named(const struct dp_image *image, uint64_t word);
/* Read bytes of the image file, before relocations, by an address of the target.
 * Returns false when the image lacks one of the bytes. */
bool dp_image_read(const struct dp_image *image, uint64_t address, void *bytes, size_t count);

/* --- compiler ------------------------------------------------------------------------------ */

/* Options of the compiler. Zero ({0}) means the CPU of the ELF file; without an ELF file, sim with
 * 32-bit words, little-endian. */
struct dp_build_options {
	const char *cpu;    /* name in port/ports.def; null: of the ELF file, or "sim" */
	unsigned word_bits; /* 32, 64; 0: of the CPU */
	const char *endian; /* "little", "big"; null: of the ELF file, of the CPU, or little */
	const char *elf;    /* firmware, for symbols, opcodes, identity; may be null */
	const char *sym;    /* symbols from this file instead: ELF or System.map format */
	uint64_t moved;     /* the firmware's running address minus its linked address */
	/* The text that the agent takes the checksum of, where the firmware has no build-id: its
	 * running address, and its bytes; 0 bytes: as the symbols of the ELF file say. */
	uint64_t text, text_bytes;
	const char *const *defines; /* "KEY=VALUE" or "KEY" */
	size_t define_count;
	const char *const *includes; /* folders for #include, behind that of the program */
	size_t include_count;
	bool write;           /* the program may change or call the firmware */
	uint16_t log_max;     /* limits of the target for logmax and excpt_log, which bound the */
	uint16_t trace_max;   /* defaults; 0: limits of the agent's default build */
	uint64_t lacks;       /* parts that the agent lacks, a bit for each number of parts.def */
	bool opcode_optional; /* --dont-verify-opcodes: opcodes are neither required nor compared */
	unsigned probes_max;  /* limit of the target for probe points; 0: limit of all agents */
	const char *const *d_options; /* of a D program, "NAME" or "NAME=VALUE" */
	size_t d_option_count;
	const char *const *d_arguments; /* of a D program: $1, $2 ... */
	size_t d_argument_count;
	const char *d_name; /* of a D program in a text; null: the name of the text, or "trace" */
};

/* Compile a program.
 * path: `-` is standard input.
 * messages: gets errors; warnings also on success.
 * Returns the object, which dp_object_free frees; null on errors, with at least one message. */
struct dp_object_file *dp_compile_file(const char *path, const struct dp_build_options *options,
				       struct dp_messages *messages);
/* Compile a program from a text.
 * name: the file name in messages; #include searches the folder of name.
 * Returns as dp_compile_file. */
struct dp_object_file *dp_compile_text(const char *text, const char *name,
				       const struct dp_build_options *options,
				       struct dp_messages *messages);

/* Compile a source, or load an object, as insert, simulate, check and disasm do. The first four
 * bytes distinguish an object from a source.
 * Returns as dp_compile_file. */
struct dp_object_file *dp_open_program(const char *path, const struct dp_build_options *options,
				       struct dp_messages *messages);

/* --- back to source, and the verifier ------------------------------------------------------ */

/* Print source that compiles to the same code.
 * Returns false on failure. */
bool dp_disassemble(const struct dp_object_file *object, FILE *out, struct dp_messages *messages);

/* Print the same source, with the program's lines from the object as comments.
 * Returns false on failure. */
bool dp_disassemble_source(const struct dp_object_file *object, FILE *out,
			   struct dp_messages *messages);

/* Limits of a target. A limit of 0 is that of the agent's default build. */
struct dp_check_options {
	uint16_t log_max, trace_max, vars_max, gvars_max, probes_max;
	uint32_t arena_bytes; /* memory for programs with their local variables */
	bool read_only;       /* the target permits no writing */
};

struct dp_check_result {
	bool accepted;
	unsigned error;       /* enum dp_err */
	const char *sentence; /* of the error table */
	unsigned groups;      /* instruction groups used: enum rpn_group */
	bool loops, calls;
	uint32_t steps_max; /* of the longest handler; 0: the step budget bounds it */
	uint32_t log_max;   /* bytes; 0xffffffff: logmax bounds it */
	uint32_t step_budget;
	uint32_t memory;                /* of the target, for variables and maps */
	struct dp_check_options limits; /* of the target, with defaults in place of 0 */
};

/* Run the target's verifier on an object, and check that an empty target has room for the program.
 * messages: gets a refusal, at its source line if the object has lines.
 * Returns result->accepted. */
bool dp_check_object(const struct dp_object_file *object, const struct dp_check_options *options,
		     struct dp_check_result *result, struct dp_messages *messages);

#ifdef __cplusplus
}
#endif

#endif
