/* SPDX-License-Identifier: BSD-2-Clause */
#define DP_WORD_BITS       64
#define DP_PORT_BIG_ENDIAN 0
#include "sim_variant_code.h"
