/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for probes with records of words and nothing else. */
#ifndef DPH_RPN_WORD_RECORDS_H
#define DPH_RPN_WORD_RECORDS_H

#include "ir/probe_program.h"

/* Add section FORMATS (object/formats.h) to a program with all its probe points. A program
 * without such a probe gets no section. */
void dph_note_word_records(struct dph_program *program);

#endif
