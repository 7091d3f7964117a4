/* SPDX-License-Identifier: BSD-2-Clause */
/* This form of the interpreter has 64-bit words, big-endian. */
#define DP_WORD_BITS       64
#define DP_PORT_BIG_ENDIAN 1
#include "sim_variant_code.h"
