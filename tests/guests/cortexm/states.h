/* SPDX-License-Identifier: BSD-2-Clause */
/* What Cortex-M cases start from, for the checks of the CPU's own. */
#ifndef STATES_H
#define STATES_H

/* Once: memory that no case changes. */
void prepare_memory(void);

#endif
