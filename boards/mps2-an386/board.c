/* SPDX-License-Identifier: BSD-2-Clause */
/* ARM MPS2 with the Cortex-M4 image AN386: DAI 0386. */
#include "board.h"

const char board_name[] = "mps2-an386";
const char board_cpu[] = "Cortex-M4F";
