/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of call frame information finds the entry that describes an address. */
#ifndef DPH_FRAME_TABLE_H
#define DPH_FRAME_TABLE_H

#include "reader.h"
#include "debuginfo.h"

/* The common part of several functions: a CIE. */
struct dph_frame_common {
	uint64_t code_align;
	int64_t data_align;
	unsigned return_column;
	unsigned word_bytes;
	uint8_t encoding; /* of addresses; DW_EH_PE_absptr in .debug_frame */
	bool has_data;    /* each entry has data that a length precedes */
	bool signal;
	struct dph_reader code; /* instructions in front of those of each function */
};

/* The description of one function: an FDE. */
struct dph_frame_entry {
	uint64_t first, last; /* first <= address < last */
	struct dph_frame_common common;
	struct dph_reader code;
};

/* Find the entry of an address. The table is read once, at the first call. */
bool dph_frame_entry(struct dp_debuginfo *debug, uint64_t address, struct dph_frame_entry *entry,
		     const char **why);

void dph_frames_free(struct dph_frames *frames);

#endif
