/* SPDX-License-Identifier: BSD-2-Clause */
/* Text changes in one place for every CPU: write, cache maintenance, synchronisation, read-back.
 * dp_patch.c defines dp_port_arm, dp_port_disarm and dp_port_is_armed with the functions at the
 * end, which a port supplies.  port/README.md 5 */
#ifndef DP_PATCH_H
#define DP_PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_port.h"

/* Instruction bytes in memory order: a trap or an original. */
union dp_code {
#if DP_PORT_INSN_BYTES_MAX > 4
	uint64_t widest; /* access */
#endif
	uint32_t word;
	uint16_t half[2];
	uint8_t byte[DP_PORT_INSN_BYTES_MAX];
};

/* Read text as the CPU does, without the range table.
 * bytes: at most DP_PORT_INSN_BYTES_MAX.
 * Context: ANY.
 * Returns false when the text is not readable. */
bool dp_patch_read(dp_addr address, union dp_code *code, unsigned bytes);

/* Write text, publish the text, and read it back. The port's own store needs one access where the
 * alignment allows; else interrupts are masked between the accesses.
 * means: DP_MEANS_WORD or DP_MEANS_BOARD.
 * Context: ANY.
 * Returns false when the text does not hold the code afterwards. */
bool dp_patch_write(dp_addr address, const union dp_code *code, unsigned bytes,
		    enum dp_means means);

/* Write a word of a vector by the board's means, as dp_patch_write does. */
bool dp_patch_word(dp_addr address, uint32_t word);

/* Let every CPU execute the instructions that were written: cache maintenance of this CPU, then
 * text_sync of the board. Each write of instructions ends with this call.
 * Context: ANY. */
void dp_patch_publish(uintptr_t address, size_t bytes);

/* --- supplied by the port. The store is dp_access_store of dp_access.h, the board that of
 * dp_access_cpu.h. dp_port_cpu.h defines DP_PORT_TRAP_STORES. --- */

/* Compose the trap of the site, in memory order.
 * Context: ANY.
 * Returns its bytes, at most those of the instruction. */
unsigned dp_patch_trap(const struct dp_site *site, union dp_code *trap);

/* Return the number in the form of site->original that bytes of text are.
 * Context: ANY. */
uint32_t dp_patch_number(const struct dp_site *site, const union dp_code *code, unsigned bytes);

/* Maintain the caches of this CPU: clean the data cache, invalidate the instruction cache and
 * branch predictions, synchronise the pipeline. Only dp_patch_publish calls this function.
 * Context: ANY. */
void dp_port_text_written(uintptr_t address, size_t bytes);

#endif
