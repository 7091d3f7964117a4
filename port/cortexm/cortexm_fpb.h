/* SPDX-License-Identifier: BSD-2-Clause */
/* Flash Patch and Breakpoint unit, version 1 (Cortex-M3, M4): a comparator lays a word of a table
 * in RAM over a word of the code region. Source: DDI 0403E C1.11. These functions know neither the
 * core nor the CPU that they run on, so a host test puts a model in the place of the registers. */
#ifndef DP_CORTEXM_FPB_H
#define DP_CORTEXM_FPB_H

#include "cortexm_unit.h"

#include <stdbool.h>

enum {
	DP_FPB_WORDS = 8, /* of the table; comparators of code are the first ones */
	DP_FPB_CODE = 6,  /* the most comparators of code that the agent uses */
	/* Places for sites. Place n + DP_FPB_CODE is for the second site in the word of
	 * comparator n. */
	DP_FPB_PLACES = 2 * DP_FPB_CODE,
};

/* The table's address is a multiple of its bytes.  C1.11.4 */
#define DP_FPB_TABLE_BYTES 32u

/* May a place serve the instruction? */
enum dp_fpb_answer {
	DP_FPB_YES,
	DP_FPB_NO,    /* this place cannot */
	DP_FPB_TAKEN, /* a debugger has the comparator, or it serves another word */
};

/* What the agent has done with the unit. All zeros: nothing, and the unit is not used. */
struct dp_fpb {
	uint32_t table;               /* in the region 0x20000000 to 0x3fffffff; 0: not used */
	uint32_t site[DP_FPB_PLACES]; /* address, + 1 for an instruction of 4 bytes; 0: none */
	/* What memory holds there, as it was when a site of the comparator was armed. */
	uint32_t word[DP_FPB_CODE];
	uint8_t count; /* comparators of code */
	uint8_t lacks; /* enum dp_lacks, where it is not used */
	bool enabled;  /* by the agent */
};

/* --- supplied by the port, beside cortexm_unit.h --- */

/* Let all that was written count for the next instruction. Context: ANY. */
void dp_fpb_publish(void);
/* Read an aligned word of memory as a load of data does. Returns false when it is not readable.
 * Context: ANY. */
bool dp_fpb_text(uint32_t address, uint32_t *word);

/* --- fpb.c --- */

/* Look for the unit, and switch off the comparators that an earlier run of the agent has left on:
 * those that remap to this table. Comparators with another use stay as they are.
 * table: address of DP_FPB_TABLE_BYTES bytes.
 * Context: THREAD. */
void dp_fpb_attach(struct dp_fpb *fpb, uint32_t table);

/* Return whether a trap at the instruction can take the place. The function changes nothing, and
 * the place may be in use.
 * place: below DP_FPB_PLACES.
 * address: multiple of 2; 0 in a question for any instruction.
 * bytes: of the instruction, 2 or 4.
 * Context: THREAD. */
enum dp_fpb_answer dp_fpb_can(const struct dp_fpb *fpb, unsigned place, uint32_t address,
			      unsigned bytes);

/* Lay a trap over the instruction, and read the registers back.
 * Context: THREAD or HIT, interrupts masked.
 * Returns false with the place free. */
bool dp_fpb_arm(struct dp_fpb *fpb, unsigned place, uint32_t address, unsigned bytes);

/* Free the place: the CPU executes the instruction itself.
 * Context: THREAD or HIT, interrupts masked. */
void dp_fpb_disarm(struct dp_fpb *fpb, unsigned place);

/* Return whether registers and table still are what dp_fpb_arm wrote. Context: ANY. */
bool dp_fpb_holds(const struct dp_fpb *fpb, unsigned place);

/* Return whether a trap is laid over the instruction at the address. Context: ANY. */
bool dp_fpb_traps(const struct dp_fpb *fpb, uint32_t address);

#endif
