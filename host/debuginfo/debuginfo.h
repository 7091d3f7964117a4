/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of this folder share the state of an open debug information. */
#ifndef DPH_DEBUGINFO_H
#define DPH_DEBUGINFO_H

#include "base/pool.h"
#include "symbols/elf_content.h"
#include "tables/registers.h"

#include <dprobes/debuginfo.h>
#include <elfutils/libdw.h>

enum {
	DPH_DEPTH_MAX = 64,   /* nested scopes, and links from one entry to another */
	DPH_STEPS_MAX = 1024, /* of one location */
	DPH_PIECES_MAX = 64,
	DPH_OFFSET_ROOM = 24 /* of a text */
};

struct dph_unit;
struct dph_frames;
struct dph_ctf;
struct dph_type;

/* A file with debug information: the image's own, or a separate one. */
struct dph_debug_file {
	const char *path;
	struct dph_elf bytes; /* of the file */
	Elf *elf;             /* of the bytes; null: they are no ELF file */
	Dwarf *dwarf;         /* null: has none */
};

/* Return how a language types a place of a source: FILE:WHAT, or another form where the file has
 * characters that the language cannot have there. what: a line, or a function. */
typedef const char *dph_spelled_place(struct dp_debuginfo *debug, const char *file,
				      const char *what);

struct dp_debuginfo {
	struct dph_pool pool;
	const struct dp_image *image;
	const struct dph_cpu *cpu; /* null: not one of ours */
	unsigned word_bytes;
	bool big_endian;
	uint64_t moved; /* of the image: the file has linked addresses, callers running ones */
	struct dph_debug_file file;
	const char *missing;
	struct dph_unit *units; /* unit.c */
	size_t unit_count;
	bool units_read;
	uint64_t budget; /* entries that a walk may still visit: a damaged file may be circular */
	struct dph_frames *frames; /* frame.c */
	struct dph_ctf *ctf;       /* ctf.c */
	bool ctf_read;
	bool code_at_zero;           /* code is where dropped functions seem to be */
	struct dph_file_text *texts; /* line.c: of files that share their names */
	size_t text_count, text_room;
	dph_spelled_place *spelled; /* of the language that asks; null: FILE:WHAT */
	struct dph_type **types;    /* type_dwarf.c: those made, by their entry */
	size_t type_count, type_room;
};

/* A sentence that stays as long as the debug information. */
__attribute__((format(printf, 2, 3))) const char *dph_why(struct dp_debuginfo *debug,
							  const char *format, ...);

/* The types that the image has in CTF, without its DWARF. */
struct dp_debuginfo *dph_debuginfo_types(const struct dp_image *image);
/* Open the debug information of the image that a program's symbols come from. A list of symbols
 * has no debug information: the function then opens that of the firmware. --sym may therefore
 * name the unstripped file of the same build. */
struct dph_images;
struct dp_debuginfo *dph_debuginfo_for(const struct dph_images *images,
				       const struct dp_image *lookup);

/* The bytes of a section of the file, decompressed, or null. */
const uint8_t *dph_debug_section(const struct dph_debug_file *file, const char *name, size_t *bytes,
				 uint64_t *address);

/* Open the file that has the debug information: sets debug->file, or debug->missing. debug_file.c
 * separate: path of a separate file, or null. content: of that file, taken over; null: not read. */
void dph_debug_file_open(struct dp_debuginfo *debug, const char *separate,
			 struct dph_content *content);
/* The same for a file whose DWARF is not read. */
void dph_debug_file_types(struct dp_debuginfo *debug);
void dph_debug_file_close(struct dph_debug_file *file);

/* Return the sentence about a function that has no code of its own, because its calls are inlined,
 * and about where to probe it. Null: the function is no such one. unit.c */
const char *dph_absent_function(struct dp_debuginfo *debug, const char *name);

/* Put the offset of an address from a function: "+0x12"; empty for 0. A part of the function in
 * front of it has the difference below 0: "-0x12". describe.c */
void dph_offset_text(uint64_t offset, char text[DPH_OFFSET_ROOM]);

/* Is a unit's source file one with these last components? line.c */
bool dph_has_file(struct dp_debuginfo *debug, const char *file);

/* Return the file of the code at an address as it is typed, where the code at another address is of
 * another file. From the heap; null: not known, or the same file. place.c */
char *dph_file_apart(struct dp_debuginfo *debug, uint64_t address, uint64_t other);

/* Visit the functions that are printed by this name, such as "net::Queue::put", in the order of
 * the debug information. name: also a pattern of fnmatch. visit: may be null.
 * Returns the number of functions. */
typedef void dph_function_visit(void *context, uint64_t address, const char *name);
size_t dph_functions_printed(struct dp_debuginfo *debug, const char *name,
			     dph_function_visit *visit, void *context);

/* The lines to find. function and line are patterns of fnmatch; empty: all. */
struct dph_line_wanted {
	const char *file; /* the last components of its path; empty: all files */
	const char *function, *line;
};

/* A place of a line. file: the last components of its path, as many as tell it from other files. */
struct dph_line_place {
	const char *file;
	unsigned line;
	struct dp_code_place place;
};

/* Find the places of lines, by file, line and address. The caller frees them.
 * Returns their number. */
size_t dph_line_places(struct dp_debuginfo *debug, const struct dph_line_wanted *wanted,
		       struct dph_line_place **places);

/* A linked address of the file as a running one, and back. */
static inline uint64_t dph_running(const struct dp_debuginfo *debug, uint64_t linked)
{
	const uint64_t address = linked + debug->moved;
	return debug->word_bytes == 4 ? (uint32_t)address : address;
}

static inline uint64_t dph_linked(const struct dp_debuginfo *debug, uint64_t running)
{
	const uint64_t address = running - debug->moved;
	return debug->word_bytes == 4 ? (uint32_t)address : address;
}

/* A linked address of code as a running one, without the bit that names an instruction set:
 * assemblers keep the bit. */
uint64_t dph_running_code(const struct dp_debuginfo *debug, uint64_t linked);

/* Is the linked address one that a linker writes for removed code: -1 or -2, or behind them? */
bool dph_is_tombstone(const struct dp_debuginfo *debug, uint64_t linked);

/* Does code of the image stand at the address? Entries of removed functions say 0, 1, -1 or
 * -2. */
bool dph_is_code(const struct dp_debuginfo *debug, uint64_t address);

/* Start a walk over entries; each step of it costs 1. False: the file is circular. */
void dph_walk_begin(struct dp_debuginfo *debug);
bool dph_walk_step(struct dp_debuginfo *debug);

/* The register of regs.def with a DWARF number; UINT32_MAX: the agent does not see it. */
uint32_t dph_dwarf_register(const struct dp_debuginfo *debug, unsigned number);

#endif
