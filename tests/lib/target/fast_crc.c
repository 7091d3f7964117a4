/* SPDX-License-Identifier: BSD-2-Clause */
/* The CRC-32 of dp_crc.h by zlib, for a search that would compute it most of the time. */
#include "dp_crc.h"

#include <zlib.h>

uint32_t dp_crc32(uint32_t crc, const void *data, size_t bytes)
{
	return (uint32_t)crc32(crc, data, (uInt)bytes);
}
