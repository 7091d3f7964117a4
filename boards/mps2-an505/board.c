/* SPDX-License-Identifier: BSD-2-Clause */
/* ARM MPS2+ with the Cortex-M33 image AN505, in the secure state: DAI 0505. */
#include "board.h"

const char board_name[] = "mps2-an505";
const char board_cpu[] = "Cortex-M33";
