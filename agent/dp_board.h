/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's board: serial lines, memory ranges, modules, callbacks. Firmware fills a struct
 * dprobes_board (dprobes.h), from which glue/dprobes.c makes a struct dp_board. */
#ifndef DP_BOARD_H
#define DP_BOARD_H

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
	DP_LINES = DP_WITH_SHARED_LINE ? 2 : 1, /* the lines that the agent serves */
	DP_COM_NONE = 0xff
};

/* One serial line. put: send one byte; returns false when the transmitter is full, without
 * waiting. [A1.1] Called from dp_poll, dp_console_write and, in synchronous mode, from a hit; it
 * must not be probed. write: where a transmitter takes many bytes at once (DMA, USB, a buffer of a
 * debugger), used in place of put where more than one byte is to go; returns how many of the bytes
 * were taken, without waiting; may be null. Gets at most DP_WRITE_BYTES bytes, with interrupts
 * masked. Not called from hits and from dp_console_flush: put
 * works there too, and refuses while bytes of write have not left. [A1.23] console_in: takes the
 * received bytes that are not ours, in the context of dp_rx (or dp_poll); may be null. [A1.2] A
 * line that does not exist has put == null. [A1.3] Both may run on the private stack, as the
 * callbacks of struct dp_board do: at most DP_CALLBACK_BYTES of it. [A1.4] With several CPUs none
 * of them waits for a lock that another CPU may hold while it is hit: put and write refuse instead.
 */
struct dp_com {
	bool (*put)(void *ctx, uint8_t byte);
	void (*console_in)(void *ctx, uint8_t byte);
	void *ctx;
	size_t (*write)(void *ctx, const void *bytes, size_t count);
};

/* Address ranges, first match wins; the agent never touches an address without a row. [A1.5]
 * The rows stay as they are from dp_init on: dp_port_load keeps what it has found in them. [A1.25]
 * Device registers belong in no row, or in a row with DP_MEM_DEVICE that permits READ on
 * purpose. A row before a larger row around it, with another READ, WRITE or DEVICE, begins and
 * ends at multiples of 8. No aligned access then begins in the one row and ends in the other. */
enum dp_mem {
	DP_MEM_READ = 0x01,
	DP_MEM_WRITE = 0x02,    /* probes may write (profile FULL) [A1.6] */
	DP_MEM_TEXT = 0x04,     /* code that may be probed [A1.7] */
	DP_MEM_NO_PROBE = 0x08, /* live exception state, the UART path, ...: never probed [A1.8] */
	DP_MEM_DEVICE = 0x10,   /* accesses of exactly the stated size, never bytewise [A1.9] */
};
struct dp_range {
	dp_addr start;
	dp_addr bytes;
	uint8_t access; /* enum dp_mem */
};

#if DP_WITH_HOOKS
/* order and when of an exit. */
enum dp_exit_order {
	DP_EXIT_ANY,
	DP_EXIT_FIRST,
	DP_EXIT_LAST,
	DP_EXIT_ONLY
};
enum dp_exit_when {
	DP_EXIT_AT_ONCE,
	DP_EXIT_MASKED
};

/* A place of DPROBES_HOOK_CALL (dprobes_hook.h). */
struct dp_hook_row {
	dp_addr place; /* of the no-op; 1 added in the second instruction set */
	dp_addr body;  /* the block that calls dprobes_hook_dispatch */
	const char *hook;
};

/* A C exit: struct dprobes_exit of dprobes_hit.h. */
struct dp_exit {
	const char *hook;
	int (*run)(struct dp_exit *, unsigned count, dp_word *args);
	struct dp_exit *next;
	uint8_t order, when;
	volatile uint8_t armed;
	uint8_t on;     /* armed by a list; an exit that clears `armed` leaves it */
	uint8_t number; /* its bit in the set of a dispatch */
	struct dp_exit *behind;
};
#endif

/* Code that programs can name: the firmware image (first, type kernel) and loaded modules. */
struct dp_module {
	const char *name;
	dp_addr base;
	dp_addr bytes;
	const uint8_t *build_id; /* null, or of no bytes: none; the agent then takes the CRC of the
				  * text at init [A1.10] */
	uint8_t build_id_bytes;  /* at most 20 */
	dp_addr moved;           /* base minus the address that the text was linked at [A1.18] */
};

struct dp_board {
	struct dp_com com[DP_COMS];
	const struct dp_range *ranges;
	uint16_t range_count;
	struct dp_module image;   /* the firmware image */
	const uint8_t *functions; /* table of functions of the image (dp_functions.h); null: none */
	uint32_t functions_bytes; /* of the memory that holds the table */
#if DP_EMBED_BYTES > 0
	const uint8_t *embedded; /* programs that the image carries (dp_embed.h); null: none */
	uint32_t embedded_bytes; /* of the memory that holds them */
#endif
#if DP_WITH_HOOKS
	const struct dp_hook_row *hook_rows; /* of the image; null: none */
	dp_addr hook_count;
#endif
	uint64_t entropy; /* bits that nobody can foresee, of a random number generator; 0: there
			   * are none. The agent mixes the nonce of HELLO from entropy, the
			   * number of the start and the tick count; with ACCESS from the bytes
			   * that dp_init finds in the slots, too. [A1.19] */
#if DP_WITH_ACCESS
	const uint8_t *key; /* 16 bytes that a host must know; null: every host has the rights.
			     * Read at each PROVE: firmware may change the bytes. [A1.21] */
	/* In place of entropy: 8 bytes of memory that keeps them without power. Reads them, or
	 * writes them; false: that was not possible. dp_init counts the number in them, lowest
	 * byte first, one up, reads it again, and then mixes the nonce from a hash under the key
	 * of the number before: the bytes need not be secret. A board with a key that has neither
	 * entropy nor a seed starts no agent. [A1.27] */
	bool (*seed)(uint8_t bytes[8], bool write);
	bool unsealed; /* a host without the part SEAL gets all rights by the key; otherwise LOOK
			  and LOG at most [A1.26] */
#endif
#if DP_WITH_TYPED
	bool typed_remove; /* the typed remove works also with a key and after dp_lock [A1.22] */
#endif
	uint32_t quirks;  /* the port's DP_QUIRK_* bits: QEMU's bugs; 0 on hardware */
	bool ranges_only; /* this CPU cannot catch aborts: trust the table alone [A1.11] */
	bool own_vectors; /* firmware calls dp_port_exception; do not hook [A1.12] */
	/* The following members may be null or 0. Callbacks run inside a hit, on the agent's
	 * private stack: no blocking, not probed, no floating point. A callback uses at most
	 * DP_CALLBACK_BYTES of that stack (dp_config.h); `scons size` shows the rest. With several
	 * CPUs the other CPUs wait for the callback: it must not wait for a lock that another CPU
	 * may hold while it is hit. */
	/* The low 32 bits of ticks, as the hardware has them: hits read this alone, or what
	 * DP_COUNTER names (dp_config.h). Null: hits read ticks. The time between two polls or hits
	 * is less than 2^32 ticks. [A1.24] */
	uint32_t (*counter)(void);
	/* Calls of dp_sample a second, by all CPUs together; 0: the firmware never calls it, and
	 * programs that sample are refused. [A1.30] */
	uint32_t sample_hz;
	/* Fill in the members of the struct; the interpreter gets them as hooks. */
	union {
		struct {
			uint64_t (*ticks)(void); /* overrides the port's time stamp [A1.13] */
			uint32_t tick_hz;
			void (*task)(struct dp_task *now);
			void (*callk)(struct dp_hook_call *call);
		};
		struct dp_vm_hooks hooks;
	};
	void (*wake)(void); /* a request or NAK waits for dp_poll; called by dp_rx, once between two
			     * calls of dp_poll, never in a hit [A1.20] */
	/* There is room again in the queue of a line, for a writer that found none. Not in a hit:
	 * called by dp_poll, with interrupts open, after dp_console_write has not taken all of a
	 * text, or dp_console_room has found no room. [A1.28] */
	void (*console_ready)(unsigned com);
	bool console_waits; /* dp_console_write also waits where the caller has masked interrupts,
			       and sends what waits itself [A1.29] */
	void (*exit_hook[3])(struct dp_hook_call *call); /* exit 1, 2, 3 [A1.14] */
	bool (*text_write)(dp_addr address, const void *bytes,
			   size_t count); /* patch flash/ROM [A1.15] */
	/* Where caches do not broadcast: called behind each write of instructions, which are
	 * traps, originals, slots and vectors. [A1.16] */
	void (*text_sync)(dp_addr address, size_t count);
#if DP_WITH_HALT
	/* The target is stopped: called again and again, inside a hit or in dp_poll, with
	 * interrupts masked. Returns a byte that the line has received, or -1, without waiting.
	 * May tell a watchdog that the firmware is alive. Null: nothing stops the target. [A1.31]
	 */
	int (*stopped)(unsigned com);
#if DP_WITH_HISTORY
	/* Reset the board behind a crash dump, inside the hit; may return when it cannot. Null: a
	 * host cannot ask for that. [A1.32] */
	void (*reset)(void);
#endif
#endif
};

/* Return the means that writes text on this board. A board with text_write writes all text by it: a
 * store of the port may go to flash. */
static inline enum dp_means dp_board_means(const struct dp_board *board)
{
	return board->text_write != NULL ? DP_MEANS_BOARD : DP_MEANS_WORD;
}

/* Memory that cannot share one object. The linker or the board places each. */
struct dp_memory {
	void *slots; /* executable, within branch reach of the probed text */
	size_t slot_bytes;
	void *keep; /* survives a warm restart: no-init RAM, DP_KEEP_BYTES; not behind an outer
		       cache [A1.17] */
	size_t keep_bytes;
	void *stack; /* one private stack per CPU, 8-byte aligned, DP_PORT_STACK_BYTES each */
	size_t stack_bytes;
};

#endif
