/* SPDX-License-Identifier: BSD-2-Clause */
/* A core: registers of tasks and memory of a firmware at one time, as an ELF file that gdb reads.
 *
 * The file is an ET_CORE of the firmware's machine. A note NT_PRSTATUS in the layout of Linux has
 * the registers of a task, the running one first; a note of the owner `dprobes` has its name and
 * state; another one has the identity of a module, the firmware first; and a PT_LOAD has a piece of
 * memory. A piece that was not read has no bytes in the file.
 */
#ifndef DPH_CORE_H
#define DPH_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_messages.h"

struct dph_cpu;

enum {
	DPH_CORE_REGISTERS = 256, /* indexes of regs.def */
	DPH_CORE_TEXT_ROOM = 96
};

struct dph_core_task {
	uint64_t block; /* address of the control block; 0: none */
	int64_t priority;
	char name[DPH_CORE_TEXT_ROOM];
	char state[DPH_CORE_TEXT_ROOM]; /* "waiting" */
	char where[DPH_CORE_TEXT_ROOM]; /* "queue_get <- log_main+0x1c"; empty: not known */
	bool saved;                     /* its registers are known, as far as `known` says */
	bool known[DPH_CORE_REGISTERS]; /* by index in regs.def */
	uint64_t values[DPH_CORE_REGISTERS];
};

struct dph_core_piece {
	uint64_t address;
	size_t bytes;
	const uint8_t *data; /* null: not read */
};

/* All zero is a good start; dph_core_free frees it. */
struct dph_core {
	const struct dph_cpu *cpu;
	unsigned word_bytes;
	bool big_endian;
	unsigned machine; /* e_machine and e_flags of the firmware */
	uint32_t flags;
	char reason[DPH_CORE_TEXT_ROOM]; /* why the core was taken; empty: not known */
	char kernel[DPH_CORE_TEXT_ROOM]; /* "FreeRTOS"; empty: none is known */
	struct dph_core_task *tasks;     /* the running one first */
	size_t task_count, task_capacity;
	struct dp_module_answer *modules; /* that the target ran, without their names */
	size_t module_count, module_capacity;
	struct dph_core_piece *pieces; /* their bytes belong to others */
	size_t piece_count, piece_capacity;
};

/* Append a task with nothing known. Returns the task, until the next one. */
struct dph_core_task *dph_core_add_task(struct dph_core *core);
void dph_core_add_module(struct dph_core *core, const struct dp_module_answer *module);
void dph_core_add_piece(struct dph_core *core, struct dph_core_piece piece);
void dph_core_free(struct dph_core *core);

/* Write the file through another one beside it: the path has a whole core, or what it had before.
 * Returns false with errno; EFBIG: more pieces than an ELF file numbers. */
bool dph_core_write(const struct dph_core *core, const char *path);

/* Read a core from the bytes of a file, which the pieces point into.
 * Returns null, or the sentence of what is wrong. dph_core_free frees the core in any case. */
const char *dph_core_read(struct dph_core *core, const uint8_t *data, size_t bytes);

/* Copy memory of the core. Returns how many of the bytes there are, from the first on. */
size_t dph_core_memory(const struct dph_core *core, uint64_t address, uint8_t *to, size_t bytes);

#endif
