/* SPDX-License-Identifier: BSD-2-Clause */
/* What the compiler asks about an ELF file, beyond the public part. */
#ifndef DPH_ELF_IMAGE_H
#define DPH_ELF_IMAGE_H

#include "dprobes_host.h"

/* Put the identity of the image (20 bytes, dp_object.h): its build-id, else the CRC of its text.
 * Returns DP_IDENTITY_*. */
unsigned dph_image_identity(const struct dp_image *image, uint8_t *id);

/* Lowest address loaded: what offsets in a module count from. */
uint64_t dph_image_base(const struct dp_image *image);

/* Are instructions stored big-endian? (Not the same as data on ARM BE8.) */
bool dph_image_code_big(const struct dp_image *image);

enum dph_code_kind {
	DPH_CODE_NONE,
	DPH_CODE_ARM,
	DPH_CODE_THUMB,
	DPH_CODE_DATA,
	DPH_CODE_OTHER
};

/* What stands at an address by section flags and mapping symbols. DPH_CODE_NONE: not in an
 * executable section. *start: where code of this kind begins (mapping symbol or function). */
enum dph_code_kind dph_image_code(const struct dp_image *image, uint64_t address, uint64_t *start);

#endif
