/* SPDX-License-Identifier: BSD-2-Clause */
/* The refusals of the ports that follow from the code alone: the decoders of the agent's ports, on
 * the host. A target may refuse more: its ranges, its vectors, an instruction that its CPU or its
 * small agent lacks. */
#ifndef DPH_REFUSE_H
#define DPH_REFUSE_H

#include "decoders.h"
#include "dp_errors.h"

/* Would every target with this CPU refuse a probe at the address?
 * why: receives the reason with NOT_PROBEABLE, else DP_REFUSE_NOTHING.
 * Returns the error; DP_ERR_OK where a target may accept the probe, also for CPUs without a
 * decoder. */
enum dp_err dph_refuse_at(const struct dph_code *code, uint64_t address, enum dp_refusal *why);

/* Does a copy of the instruction run in a slot? False for CPUs without a decoder, and where the
 * port emulates the instruction or refuses it. */
bool dph_runs_in_slot(const struct dph_code *code, uint64_t address);

#endif
