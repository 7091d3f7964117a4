/* SPDX-License-Identifier: BSD-2-Clause */
/* ARM MPS2 with the Cortex-M3 image AN385: DAI 0385. */
#include "board.h"

const char board_name[] = "mps2-an385";
const char board_cpu[] = "Cortex-M3";
