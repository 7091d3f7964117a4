/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of `dprobes doctor` that the ELF file answers, with the rows of the board. */
#ifndef DPH_DOCTOR_IMAGE_H
#define DPH_DOCTOR_IMAGE_H

#include "doctor.h"

/* Look at the code that runs in a hit (dprobes_text): does it call functions that can be probed,
 * and does it use registers that a hit does not save? And at the rows: is any code locked, and do
 * they name memory that the ELF file does not know? Returns false when a request failed. */
bool dph_doctor_image(struct dph_doctor *doctor);

#endif
