/* SPDX-License-Identifier: BSD-2-Clause */
/* The compiler's functions for an ELF file, beyond the public ones. */
#ifndef DPH_ELF_IMAGE_H
#define DPH_ELF_IMAGE_H

#include <dprobes/host.h>

struct dph_content;
struct dph_cpu;

/* May the image be of firmware for the CPU? A list of symbols may. */
bool dph_image_takes(const struct dp_image *image, const struct dph_cpu *cpu);
/* Return the CPU of an ELF file; null: unknown, or no ELF file. */
const struct dph_cpu *dph_image_cpu(const struct dp_image *image);
/* dph_image_cpu, or else the first CPU of the file's e_machine: it tells what addresses and debug
 * information mean. Null: none. */
const struct dph_cpu *dph_image_kin(const struct dp_image *image);
/* Return what the image is for: the name of a CPU, or words. Null: not known. */
const char *dph_image_cpu_text(const struct dp_image *image);

/* The content of the image's file; dph_content_close ends this use of it. */
struct dph_content *dph_image_content(const struct dp_image *image);

/* Open the image once more, from the same content. Null: as dp_image_open. */
struct dp_image *dph_image_again(const struct dp_image *image, struct dp_messages *messages);

/* Say where the target has the image's text, of which it takes the CRC: a running address. Without
 * this the text is what the symbols of the guide's linker script say. */
void dph_image_text(struct dp_image *image, uint64_t first, uint64_t bytes);

/* Put the identity of the image (20 bytes, dp_object.h): its build-id, else the CRC of its text.
 * Returns DP_IDENTITY_*. */
unsigned dph_image_identity(const struct dp_image *image, uint8_t *id);

/* Return whether an identity (DP_IDENTITY_*, its bytes) is that of another image. Only identities
 * of one kind can be compared. */
bool dph_image_is_other(const struct dp_image *image, unsigned identity, const uint8_t *id,
			size_t bytes);

/* Find the first segment with code. first: its address. Returns false when the file has none. */
bool dph_image_first_code(const struct dp_image *image, uint64_t *first, uint64_t *bytes);

/* Return the lowest loaded address. Offsets in a module count from this address. */
uint64_t dph_image_base(const struct dp_image *image);

/* Are instructions stored big-endian? (Not always the byte order of data: ports.def,
 * elf_code_little.) */
bool dph_image_code_big(const struct dp_image *image);

/* Do the image's own relocations change one of these bytes when the image starts, or because the
 * image has moved? */
bool dph_image_relocated(const struct dp_image *image, uint64_t address, size_t bytes);

/* Is the address in an executable section? */
bool dph_image_executable(const struct dp_image *image, uint64_t address);

/* Is one of these bytes in an executable section? bytes: at least 1. */
bool dph_image_executable_within(const struct dp_image *image, uint64_t address, uint64_t bytes);

enum dph_code_kind {
	DPH_CODE_NONE, /* not in an executable section */
	DPH_CODE_INSNS,
	DPH_CODE_DATA
};

struct dph_isa;

/* Return the content at an address by section flags and mapping symbols.
 * *start: start of this content (mapping symbol or function). *isa: its instruction set; null:
 * not known. Both are set only where the result is not DPH_CODE_NONE. */
enum dph_code_kind dph_image_code(const struct dp_image *image, uint64_t address, uint64_t *start,
				  const struct dph_isa **isa);

/* Return the label before an address of code, or at an address of data, with a symbol of no size
 * and no kind; null: none. Of several labels there a global one counts, then the first by name, as
 * for symbols with a size. */
const struct dp_symbol *dph_image_label(const struct dp_image *image, uint64_t address);

/* Return the first address behind `address` where the answer of dph_image_code may change: begin or
 * end of a section, function or object, or a mapping symbol. UINT64_MAX: there is none. */
uint64_t dph_image_next_change(const struct dp_image *image, uint64_t address);

/* Return the text at an address of a section that is never written, from the heap; null: there is
 * none. */
char *dph_image_constant(const struct dp_image *image, uint64_t address);

/* Find a section by its name. *bytes receives its size. Returns false when there is none. */
bool dph_image_section(const struct dp_image *image, const char *name, uint64_t *bytes);

/* Return e_flags; 0: no ELF file. */
uint32_t dph_image_flags(const struct dp_image *image);

/* A section that the firmware may write. */
struct dph_ram {
	const char *name;        /* null: none */
	uint64_t address, bytes; /* where it runs; bytes: not 0 */
	bool filled;             /* start-up gives it bytes of the file */
};
/* Read the section of that index. Returns false: there are no more. */
bool dph_image_ram(const struct dp_image *image, size_t index, struct dph_ram *ram);

/* Let another image name the addresses that this one does not name: dp_image_function and
 * dp_image_symbol. other: stays open as long; may be null. Images joined to `other` count too. */
void dph_image_join(struct dp_image *image, const struct dp_image *other);

/* Return the image that has the address among its loaded bytes: this one or a joined one; null:
 * none. */
const struct dp_image *dph_image_around(const struct dp_image *image, uint64_t address);

/* Return the name of an image as a module: that of its file, without folder and ending. *bytes
 * receives its length. */
const char *dph_image_module(const struct dp_image *image, size_t *bytes);

/* Find the symbols with this name, by rising value. Returns their number.
 * word, bytes: the name. */
size_t dph_image_named(const struct dp_image *image, const char *word, size_t bytes,
		       const struct dp_symbol *const **list);
/* The value of the first of them; 0: there is none. */
uint64_t dph_image_value(const struct dp_image *image, const char *name);

#endif
