/* SPDX-License-Identifier: BSD-2-Clause */
/* dprobes agent: the one public header for firmware.
 *
 * Put a struct dp_agent, slots, a keep area and a stack somewhere, fill a struct dp_board, call
 * dp_init once, feed received bytes to dp_rx, call dp_poll from the idle loop. That is all. */
#ifndef DP_AGENT_H
#define DP_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dp_config.h"
#include "dp_port.h"
#include "dp_vm.h"

enum dp_com_index {
	DP_COM1 = 0,
	DP_COM2 = 1,
	DP_COMS = 2,
	DP_LINES = DP_WITH_COM2 ? 2 : 1, /* of them, what the agent serves */
	DP_COM_NONE = 0xff
};

/* One serial line. put: send one byte; returns false when the transmitter is full, without
 * waiting. Called from dp_poll, dp_console_write and, in synchronous mode, from a hit; it must not
 * be probed. console_in: takes the received bytes that are not ours, in the context of dp_rx (or
 * dp_poll); may be null. A line that does not exist has put == null. Both may run on the private
 * stack, as the callbacks of struct dp_board do: at most DP_CALLBACK_BYTES of it. */
struct dp_com {
	bool (*put)(void *ctx, uint8_t byte);
	void (*console_in)(void *ctx, uint8_t byte);
	void *ctx;
};

/* Address ranges, first match wins; what no row covers may not be touched at all. Device
 * registers belong in no row, or in one with DP_MEM_DEVICE that says READ on purpose. */
enum dp_mem {
	DP_MEM_READ = 0x01,
	DP_MEM_WRITE = 0x02,    /* probes may write (profile FULL) */
	DP_MEM_TEXT = 0x04,     /* code that may be probed */
	DP_MEM_NO_PROBE = 0x08, /* live exception state, the UART path, ...: never probed */
	DP_MEM_DEVICE = 0x10,   /* accesses of exactly the stated size, never bytewise */
};
struct dp_range {
	dp_addr start;
	dp_addr bytes;
	uint8_t access; /* enum dp_mem */
};

/* Code that programs can name: the firmware image (first, type kernel) and what it loads. */
struct dp_module {
	const char *name;
	dp_addr base;
	dp_addr bytes;
	const uint8_t *build_id; /* null, or of no bytes: none; the agent then takes the CRC of the
				  * text at init (part IDENTITY) */
	uint8_t build_id_bytes;  /* at most 20 */
};

struct dp_board {
	struct dp_com com[DP_COMS];
	const struct dp_range *ranges;
	uint16_t range_count;
	struct dp_module image; /* the firmware image */
	uint32_t quirks;        /* the port's DP_QUIRK_* bits: QEMU's bugs; 0 on hardware */
	bool ranges_only;       /* this CPU cannot catch aborts: trust the table alone */
	bool own_vectors;       /* firmware calls dp_port_exception; do not hook */
	/* All of the following may be null or 0. Callbacks run inside a hit, on the agent's private
	 * stack: no blocking, not probed, no floating point, and at most DP_CALLBACK_BYTES of that
	 * stack (dp_config.h); `scons size` shows what is left beyond them. */
	uint64_t (*ticks)(void); /* overrides the port's time stamp */
	uint32_t tick_hz;
	/* Fill in pid, task and callk; hooks is how the interpreter is given the three. */
	union {
		struct {
			uint32_t (*pid)(void);
			dp_word (*task)(void);
			void (*callk)(struct dp_hook_call *call);
		};
		struct dp_vm_hooks hooks;
	};
	const char *(*task_name)(void);
	void (*exit_hook[3])(struct dp_hook_call *call);                      /* exit 1, 2, 3 */
	bool (*text_write)(dp_addr address, const void *bytes, size_t count); /* patch flash/ROM */
	void (*text_sync)(dp_addr address, size_t count); /* where caches do not broadcast */
};

/* Memory that cannot share one object. The linker or the board places each. */
struct dp_memory {
	void *slots; /* executable, within branch reach of the probed text */
	size_t slot_bytes;
	void *keep; /* survives a warm restart: no-init RAM, DP_KEEP_BYTES; not behind an outer
		       cache */
	size_t keep_bytes;
	void *stack; /* one private stack per CPU, 8-byte aligned, DP_PORT_STACK_BYTES each */
	size_t stack_bytes;
};

#include "dp_state.h" /* struct dp_agent, DP_KEEP_BYTES; its members are the agent's own */

/* Start the agent: restores text that a previous run left patched (keep area), takes the CRC of
 * the image, hooks the vectors. All three structs stay valid for ever; agent need not be zeroed.
 * Returns DP_ERR_OK, or what is missing (LEFT_OUT: a build-id, without the part IDENTITY); then the
 * firmware runs on without an agent. Thread context, interrupts masked. One agent per image. */
enum dp_err dp_init(struct dp_agent *agent, const struct dp_memory *memory,
		    const struct dp_board *board);

/* A byte arrived on a line. Queues request lines; every byte that cannot belong to one goes to
 * console_in at once. UART interrupt or polling loop; quick (no command runs here). */
void dp_rx(struct dp_agent *agent, enum dp_com_index com, uint8_t byte);

/* Run waiting requests, send what fits into the transmitters. Idle loop, timer or low-priority
 * task; a second entry while one is active returns at once. Not from a callback: no hit is going on
 * while it runs, and it gives up one that never came back. Returns true while work is left. */
bool dp_poll(struct dp_agent *agent);

/* The firmware's own output on a line the agent shares. Never tears a frame: if one is half sent,
 * its rest (at most DP_LINE_MAX characters) goes first; then the text. Waits for the transmitter,
 * so nothing is dropped and nothing is queued; one that takes nothing for two million calls of put
 * is dead, and the rest of the text is dropped. Any context but a hit. */
void dp_console_write(struct dp_agent *agent, enum dp_com_index com, const void *text,
		      size_t bytes);

/* A module came or goes. Programs that wait for it are armed, or disarmed before this returns.
 * name stays valid while loaded. Thread context. Returns DP_ERR_OK or TABLE_FULL. */
enum dp_err dp_module_loaded(struct dp_agent *agent, const struct dp_module *module);
void dp_module_unloaded(struct dp_agent *agent, const char *name);

/* No context is inside an old slot: slots of removed one-trap probes may be used again. Called with
 * interrupts masked, in the same masked stretch as the check that it is so (no task was interrupted
 * at a pc for which dp_original_pc says another address); boards/demo/agent_glue.c has an example.
 */
void dp_quiescent(struct dp_agent *agent);

/* Refuse everything that changes the target from now until reset: after boot, in the field. A
 * module that comes is listed, but what waited for it is not armed (notice MODULE_REFUSED, LOCKED).
 * What is armed stays, and can be removed. */
void dp_lock(struct dp_agent *agent);

/* Original address for a pc that a backtrace or crash dump found in a slot. */
static inline dp_addr dp_original_pc(dp_addr pc)
{
	return dp_port_slot_origin(pc);
}

#endif
