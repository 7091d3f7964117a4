/* SPDX-License-Identifier: BSD-2-Clause */
/* The debug information of firmware maps addresses to source lines, functions and variables.
 *
 * The reader supports DWARF 2 to 5, also compressed, in split files and in a separate debug file.
 * Types come from CTF if an ELF file has no DWARF. A query reads only the units that it needs. */
#ifndef DPROBES_DEBUGINFO_H
#define DPROBES_DEBUGINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dp_image;
struct dp_debuginfo;

/* Open the debug information of an image.
 * image: stays open until dp_debuginfo_close.
 * separate: a file with the debug information of this image. Null: the image's own file, or the
 * file that its .gnu_debuglink or its build-id names.
 * Returns the debug information, never null, which dp_debuginfo_close closes. If the information is
 * missing, dp_debuginfo_missing has the reason. */
struct dp_debuginfo *dp_debuginfo_open(const struct dp_image *image, const char *separate);
void dp_debuginfo_close(struct dp_debuginfo *debug);

/* Return the reason for missing lines and variables, with the remedy; null: nothing is missing. */
const char *dp_debuginfo_missing(const struct dp_debuginfo *debug);

/* A function, or an inlined instance of one, around an address. */
struct dp_code_frame {
	const char *function; /* its name; null: not known */
	const char *file;     /* of the executed line in the function; null: not known */
	unsigned line;        /* 0: not known */
	uint64_t offset;      /* from its first instruction */
	bool inlined;         /* the next frame is the function around the inlined instance */
};

/* Find the functions around an address, the innermost first.
 * most: room in frames.
 * Returns the number of frames; 0: the address is unknown. The strings stay valid until
 * dp_debuginfo_close. */
size_t dp_debuginfo_frames(struct dp_debuginfo *debug, uint64_t address,
			   struct dp_code_frame *frames, size_t most);

/* Describe an address: "queue_put+0x12 (queue.c:44)", or "0x60017770" for an unknown address.
 * Returns the text, which the caller frees. */
char *dp_debuginfo_address_text(struct dp_debuginfo *debug, uint64_t address);

/* Describe the function at an address: "bool queue_put(struct queue *, const struct msg *)".
 * Returns the text, which the caller frees; null: no type of the function is known. */
char *dp_debuginfo_prototype(struct dp_debuginfo *debug, uint64_t address);

/* A place of a source line in code. A line has one place in each function or inlined instance. */
struct dp_code_place {
	uint64_t address;     /* the lowest where a statement of the line begins */
	const char *function; /* the function or inlined function; null: not known */
	const char *within;   /* the function around the inlined one; null: not inlined */
	unsigned outer; /* number of inlined instances that the line calls and that begin here */
};

/* Find the addresses of a source line.
 * file: the last components of its path, such as "queue.c" or "kernel/queue.c"; "./queue.c": all.
 * places: receives on success an array by rising address, which the caller frees.
 * why: receives on failure the reason and the remedy, valid until dp_debuginfo_close.
 * Returns the number of places; 0: failure. */
size_t dp_debuginfo_places(struct dp_debuginfo *debug, const char *file, unsigned line,
			   struct dp_code_place **places, const char **why);

/* Find the only address of a source line.
 * Returns false, and sets why, for a line with no address or with several. */
bool dp_debuginfo_place(struct dp_debuginfo *debug, const char *file, unsigned line,
			uint64_t *address, const char **why);

/* Find a function by file and name (`file.c:function`).
 * Returns false, and sets why, for no function or several. */
bool dp_debuginfo_function(struct dp_debuginfo *debug, const char *file, const char *function,
			   uint64_t *address, const char **why);

/* A variable or parameter in scope at an address, as text. */
struct dp_variable_text {
	const char *name;
	const char *type;  /* "struct queue *" */
	const char *place; /* "r5", "[r13 + 8]", "optimised out" */
	bool readable;
	bool parameter;
};

/* List the variables in scope at an address, innermost scope first.
 * outer: of struct dp_code_place if the address is the place of a line; else 0.
 * variables: receives an array, which the caller frees. The strings stay valid until
 * dp_debuginfo_close.
 * Returns the number of variables. */
size_t dp_debuginfo_variables(struct dp_debuginfo *debug, uint64_t address, unsigned outer,
			      struct dp_variable_text **variables);

#ifdef __cplusplus
}
#endif

#endif
