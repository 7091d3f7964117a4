/* SPDX-License-Identifier: BSD-2-Clause */
/* struct dph_program is a probe program between source and object, as a front end hands the program
 * over. A front end builds a program with the dph_ir_ functions below. Each function copies and
 * checks its arguments. A value that no object can hold is refused; `fault` keeps the first
 * refusal, and no object is written. A front end need not check the results: the front end reports
 * the user's mistakes itself, and a fault is a mistake of the front end. The compile layer reads
 * the rest, and knows no language. */
#ifndef DPH_PROBE_PROGRAM_H
#define DPH_PROBE_PROGRAM_H

#include "base/pool.h"
#include "dp_object.h"
#include "source/source.h"
#include "tables/ops.h"
#include "tables/registers.h"

#define DPH_IR_NONE SIZE_MAX /* no index: refused, or not known yet */

/* Largest number of elements in each section of an object. */
enum {
#define DP_SECTION(number, name, bytes, count) DPH_MAX_##name = (count),
#include "sections.def"
	DPH_NAME_BYTES_MAX = 63, /* of the program's name */
	DPH_WATCH_VALUE = 8      /* bytes of the longest watched range that has a value */
};

/* --- what a program is --------------------------------------------------------------------- */

/* The target of the program. */
struct dph_target {
	const struct dph_cpu *cpu;
	unsigned word_bytes;
	bool big_endian;
};

struct dph_insn {
	const struct dph_op *op;
	uint64_t value;         /* of a number operand; a signed one is sign-extended */
	size_t target;          /* of a jump: label of this routine; of a call: routine */
	struct dph_place place; /* the place that the line table gives */
	/* Set by layout.c. */
	uint32_t offset;      /* in the code section */
	bool leads;           /* a block begins here */
	unsigned block_count; /* instructions of that block */
};

struct dph_label {
	const char *name; /* for people; null: none */
	struct dph_place place;
	size_t insn; /* the instruction it stands before; DPH_IR_NONE: not put yet */
};

struct dph_routine {
	const char *name; /* of a procedure; null: a handler */
	struct dph_place place;
	struct dph_insn *insns;
	size_t insn_count, insn_capacity;
	struct dph_label *labels;
	size_t label_count, label_capacity;
	/* Set by layout.c. */
	uint32_t offset; /* of its marker */
	bool shared;     /* its code is that of an equal handler before it */
};

/* A value that need not be given, and where it was. */
struct dph_setting {
	bool given;
	uint64_t value;
	struct dph_place place;
};

struct dph_hook;

/* A probe point. Zero is a good start. */
struct dph_point {
	struct dph_place keyword; /* where the probe begins, for messages about the probe */
	struct dph_place place;   /* of its address: complaints about that */
	unsigned kind, phase;     /* DP_PROBE_*, DP_PHASE_* */
	uint64_t address;         /* of a kernel program; else an offset in its module. Of a timer:
				     the seconds of its period, and DP_TIMER_SAMPLED */
	uint64_t last;            /* of a watchpoint: the last byte; else the same as address */
	bool symbolic;            /* a symbol said it; in a module still with the module's base */
	unsigned symbol_isa;      /* that symbol's instruction set: enum dp_isa */
	unsigned group, type;     /* numbers of dph_ir_group and dph_ir_type; 0: none */
	uint16_t minor;
	uint32_t ignore;
	uint32_t maxhits; /* 0: RPN_MAXHITS_DEFAULT */
	bool logonfault;
	bool returns;                  /* its handler has `return`: set by returns.c */
	bool taken;                    /* fires only where its branch is taken; phase before */
	struct dph_setting excpt_mask; /* else DP_RPN_EXCPT_MASK_DEFAULT */
	struct dph_setting opcode;     /* else the image's */
	unsigned opcode_bytes;         /* as written: 1, 2 or 4 */
	size_t routine;                /* its handler; several points may share one */
	const struct dph_hook *hook;   /* the static hook at the place; null: none */
	uint32_t extent; /* of a timer: nanoseconds of its period; else set by point.c */
	/* Set by point.c. */
	unsigned isa, insn_bytes;
	uint32_t before;
};

/* Facts of the program as a whole. Zero but the name is a good start. */
struct dph_header {
	const char *name; /* of the firmware or module; 1 to 63 printable characters */
	unsigned modtype; /* DP_MODULE_* */
	uint32_t id;
	uint16_t major, vars, gvars;
	struct dph_setting jmpmax, logmax, excpt_log; /* else the defaults */
	bool autostacktrace;
};

struct dph_name {
	const char *text;
	struct dph_place place; /* of groups and types */
	uint64_t value;         /* of symbols */
};

struct dph_names {
	struct dph_name *list;
	size_t count, capacity;
};

/* Bytes of the front end for who prints the records: a section of the object's host part. */
struct dph_extra {
	enum dp_section kind;
	uint32_t elements;
	struct dph_bytes data;
};

/* A row of the section MAPS. */
struct dph_map {
	unsigned kind, flags; /* DP_MAP_* */
	unsigned keys, values, places, of, at;
	uint32_t a, b, c;
};

struct dph_fault {
	const char *text; /* null: none */
	struct dph_place place;
};

struct dph_program {
	struct dph_target target;
	struct dph_header header;
	struct dph_names groups, types, symbols;
	struct dph_point *points;
	size_t point_count, point_capacity;
	struct dph_routine *routines;
	size_t routine_count, routine_capacity;
	struct dph_map *maps;
	size_t map_count, map_capacity;
	struct dph_extra *extras;
	size_t extra_count, extra_capacity;
	unsigned insn_groups; /* that its code uses: enum rpn_group */
	uint32_t code_bytes;  /* set by layout.c */
	struct dph_fault fault;
	struct dph_pool pool; /* every name */
};

/* --- building one -------------------------------------------------------------------------- */

/* Free all that a program has. The structure is the caller's. */
void dph_ir_free(struct dph_program *p);

/* Set name, type, numbers and limits of the whole. False: refused, and nothing has changed. */
bool dph_ir_header(struct dph_program *p, const struct dph_header *header);

/* Begin a routine: a procedure when it has a name, else a handler. Returns its number. Code comes
 * in the order of the routines. */
size_t dph_ir_routine(struct dph_program *p, const char *name, struct dph_place place);

/* Add an instruction behind the others of a routine: op, value or target, and place of insn. A
 * target may be DPH_IR_NONE until dph_ir_aim. Returns its number in the routine, DPH_IR_NONE:
 * refused. */
size_t dph_ir_insn(struct dph_program *p, size_t routine, const struct dph_insn *insn);

/* Declare a label of a routine. name may be null. Returns its number, DPH_IR_NONE: refused. */
size_t dph_ir_label(struct dph_program *p, size_t routine, const char *name);
/* The label stands before the next instruction that the routine gets. Once for each label. */
bool dph_ir_put_label(struct dph_program *p, size_t routine, size_t label, struct dph_place place);
/* Say where a jump or call leads that dph_ir_insn added without a target. */
bool dph_ir_aim(struct dph_program *p, size_t routine, size_t insn, size_t target);

/* Add a probe point. Its routine is an existing handler. Returns the point's number;
 * DPH_IR_NONE: refused. */
size_t dph_ir_point(struct dph_program *p, const struct dph_point *point);

/* Name a group or a type of probes. Returns its number, from 1; 0: refused. */
unsigned dph_ir_group(struct dph_program *p, const char *name, struct dph_place place);
unsigned dph_ir_type(struct dph_program *p, const char *name, struct dph_place place);

/* Note the name of a value, for readers of the object. */
void dph_ir_symbol(struct dph_program *p, const char *name, uint64_t value);

/* Add a map. Returns its number; DPH_IR_NONE: refused. */
size_t dph_ir_map(struct dph_program *p, const struct dph_map *map);

/* Add a section to the object's host part: one of sections.def that the object's writer does not
 * make itself, at most once. elements: how many bytes holds. False: refused. */
bool dph_ir_extra(struct dph_program *p, enum dp_section kind, uint32_t elements, const void *data,
		  size_t bytes);

/* Check the complete program: header, a probe point, every label placed, every target known, no
 * path past the end of a routine. Returns false: refused. */
bool dph_ir_complete(struct dph_program *p);

#endif
