/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes as hexadecimal digits. */
#ifndef DPH_HEX_H
#define DPH_HEX_H

#include <stddef.h>
#include <stdint.h>

/* Write two digits for each byte, and a NUL. text: has room for 2 * count + 1 characters.
 * Returns text. */
char *dph_hex(char *text, const uint8_t *bytes, size_t count);

#endif
