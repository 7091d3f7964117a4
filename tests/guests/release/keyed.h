/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings of a board with a key: the random bytes of boards/run-qemu.sh, or a seed in a file of
 * the host, which stays when the board has no power. SEED_FILE: its name. */
#ifndef KEYED_H
#define KEYED_H

#include "dprobes_settings.h"

extern const uint8_t board_key[16];
bool file_seed(uint8_t bytes[8], bool write);

#define DPROBES_KEY board_key
#ifdef SEED_FILE
#define DPROBES_SEED(bytes, write) file_seed(bytes, write)
#else
#define DPROBES_ENTROPY() (*(const volatile uint64_t *)0x60fffff8u)
#endif

#endif
