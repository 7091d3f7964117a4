/* SPDX-License-Identifier: BSD-2-Clause */
/* This form of the interpreter has 32-bit words, little-endian. */
#define DP_WORD_BITS       32
#define DP_PORT_BIG_ENDIAN 0
#include "sim_variant_code.h"
