/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of version 1 become objects of this version. */
#ifndef DPH_VERSION1_H
#define DPH_VERSION1_H

#include "base/pool.h"
#include "dp_errors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool dph_is_version1(const uint8_t *data, size_t bytes);

/* Write the same object in this version, with its host part.
 * travelling: bytes of its travelling part.
 * out: empty; the caller frees it. Its travelling part still needs the verifier, its host part the
 * checks of object_read.c. */
enum dp_err dph_from_version1(const uint8_t *data, size_t bytes, size_t travelling,
			      struct dph_bytes *out);

#endif
