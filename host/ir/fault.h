/* SPDX-License-Identifier: BSD-2-Clause */
/* These functions record a refusal of the dph_ir_ functions. */
#ifndef DPH_IR_FAULT_H
#define DPH_IR_FAULT_H

#include "probe_program.h"

/* Keep the sentence, when it is the first one. Returns false, for the caller to return. */
__attribute__((format(printf, 3, 4))) bool
dph_ir_refuse(struct dph_program *p, struct dph_place place, const char *format, ...);

/* The routine of that number; null: refused. */
struct dph_routine *dph_ir_routine_at(struct dph_program *p, size_t routine);

#endif
