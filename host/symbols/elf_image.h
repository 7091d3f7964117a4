/* SPDX-License-Identifier: BSD-2-Clause */
/* These functions answer questions of the compiler about an ELF file, beyond the public ones. */
#ifndef DPH_ELF_IMAGE_H
#define DPH_ELF_IMAGE_H

#include <dprobes/host.h>

/* Put the identity of the image (20 bytes, dp_object.h): its build-id, else the CRC of its text.
 * Returns DP_IDENTITY_*. */
unsigned dph_image_identity(const struct dp_image *image, uint8_t *id);

/* Lowest address loaded: what offsets in a module count from. */
uint64_t dph_image_base(const struct dp_image *image);

/* Are instructions stored big-endian? (Not always the byte order of data: cpu.def,
 * elf_code_little.) */
bool dph_image_code_big(const struct dp_image *image);

/* Is the address in an executable section? */
bool dph_image_executable(const struct dp_image *image, uint64_t address);

enum dph_code_kind {
	DPH_CODE_NONE, /* not in an executable section */
	DPH_CODE_INSNS,
	DPH_CODE_DATA
};

struct dph_isa;

/* What stands at an address by section flags and mapping symbols. *start: where code of this kind
 * begins (mapping symbol or function). *isa: its instruction set; null: nothing tells. Both are
 * set only where the answer is not DPH_CODE_NONE. */
enum dph_code_kind dph_image_code(const struct dp_image *image, uint64_t address, uint64_t *start,
				  const struct dph_isa **isa);

/* The symbols whose name is the word of that many bytes, by rising value. Returns how many. */
size_t dph_image_named(const struct dp_image *image, const char *word, size_t bytes,
		       const struct dp_symbol *const **list);

#endif
