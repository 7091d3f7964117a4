/* SPDX-License-Identifier: BSD-2-Clause */
/* A target of gdb without an agent: 256 bytes of memory, of which the upper half can be written,
 * and two threads. Thread 2 waits, and has registers. */
#ifndef GDB_FAKE_H
#define GDB_FAKE_H

#include "dp_rpn.h"
#include "gdb/target.h"
#include "tables/registers.h"

#include <stdio.h>
#include <string.h>

enum {
	FAKE_START = 0x1000,
	FAKE_BYTES = 0x100,
	FAKE_WRITES = 0x1080
};

struct fake {
	uint8_t memory[FAKE_BYTES];
	char told[DPH_GDB_WHY_ROOM];
};

static size_t fake_threads(void *context, const struct dph_gdb_thread **threads)
{
	static const struct dph_gdb_thread list[] = {
		{1, "agent", "runs", false, false},
		{2, "<log>", "waits in queue_get", true, false},
	};

	(void)context;
	*threads = list;
	return sizeof list / sizeof list[0];
}

static bool fake_registers(void *context, unsigned thread, struct dph_gdb_registers *registers)
{
	(void)context;
	for (unsigned i = 4; i < 16 && thread == 2; i++) {
		registers->known[i] = true;
		registers->values[i] = 0x1000 + i;
	}
	return thread == 1 || thread == 2;
}

static size_t fake_read(void *context, uint64_t address, uint8_t *data, size_t bytes,
			struct dph_gdb_why *why)
{
	const struct fake *fake = context;
	const uint64_t at = address - FAKE_START;

	if (at >= FAKE_BYTES) {
		snprintf(why->text, sizeof why->text, "there is no memory");
		return 0;
	}
	bytes = bytes < FAKE_BYTES - at ? bytes : (size_t)(FAKE_BYTES - at);
	memcpy(data, fake->memory + at, bytes);
	return bytes;
}

static bool fake_write(void *context, uint64_t address, const uint8_t *data, size_t bytes,
		       struct dph_gdb_why *why)
{
	struct fake *fake = context;
	const uint64_t at = address - FAKE_START;

	if (address < FAKE_WRITES || at >= FAKE_BYTES || bytes > FAKE_BYTES - at) {
		snprintf(why->text, sizeof why->text, "this is only read");
		return false;
	}
	memcpy(fake->memory + at, data, bytes);
	return true;
}

static bool fake_sum(void *context, uint64_t address, uint64_t bytes, uint32_t *sum,
		     struct dph_gdb_why *why)
{
	uint8_t data[FAKE_BYTES];

	if (bytes > FAKE_BYTES || fake_read(context, address, data, (size_t)bytes, why) < bytes)
		return false;
	*sum = dph_gdb_sum(DPH_GDB_SUM_BEGIN, data, (size_t)bytes);
	return true;
}

static size_t fake_ranges(void *context, const struct dph_gdb_range **ranges)
{
	static const struct dph_gdb_range list[] = {
		{FAKE_START, FAKE_WRITES - FAKE_START, false},
		{FAKE_WRITES, FAKE_START + FAKE_BYTES - FAKE_WRITES, true},
	};

	(void)context;
	*ranges = list;
	return sizeof list / sizeof list[0];
}

static bool fake_monitor(void *context, const char *command, const struct dph_gdb_console *console)
{
	(void)context;
	console->print(console->context, "you said ", strlen("you said "));
	console->print(console->context, command, strlen(command));
	return true;
}

static void fake_tell(void *context, const char *sentence)
{
	struct fake *fake = context;

	snprintf(fake->told, sizeof fake->told, "%s", sentence);
}

static const struct dph_gdb_ops fake_ops = {
	.threads = fake_threads,
	.registers = fake_registers,
	.read = fake_read,
	.write = fake_write,
	.sum = fake_sum,
	.ranges = fake_ranges,
	.monitor = fake_monitor,
	.tell = fake_tell,
};

static inline struct dph_gdb_target fake_target(struct fake *fake, const struct dph_cpu *cpu,
						bool big)
{
	*fake = (struct fake){.told = ""};
	for (unsigned i = 0; i < FAKE_BYTES; i++)
		fake->memory[i] = (uint8_t)i;
	return (struct dph_gdb_target){
		.ops = &fake_ops,
		.context = fake,
		.cpu = cpu,
		.word_bytes = 4,
		.big_endian = big,
		.log_max = RPN_LOGMAX_DEFAULT,
	};
}

#endif
