/* SPDX-License-Identifier: BSD-2-Clause */
/* The public header of the dprobes agent, for firmware in C99 and C++11. DPROBES_MEMORY places the
 * memory, dprobes_board describes the firmware, dprobes_init starts the agent (README.md). */
#ifndef DPROBES_H
#define DPROBES_H

/* DPROBES_TYPES_H, with its quotes, names a header of a tree that has not these three. */
#ifdef DPROBES_TYPES_H
#include DPROBES_TYPES_H
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#include "dp_sizes.h"
#include "dprobes_cpu.h"

#ifdef __cplusplus
#define DPROBES_SYMBOL extern "C" const uint8_t
extern "C" {
#else
#define DPROBES_SYMBOL extern const uint8_t
#endif
typedef DPROBES_WORD dprobes_word;
/* A callback, or what one calls: it runs in a hit, without probes, profiler and sanitizer. */
#define DPROBES_CODE                                                                               \
	__attribute__((section("dprobes_text"), __noinline__, __no_instrument_function__,          \
		       __no_sanitize__("all")))

/* Bytes of each piece; the agent's build checks them. Slots: one a probe, DP_SPARE_SLOTS of removed
 * probes. */
#define DPROBES_UP(bytes) (((bytes) + 15) / 16 * 16)
#define DPROBES_LONG      (DP_PORT_INSN_BYTES_MAX > 4 ? 16 : 0) /* of a long instruction */
#define DPROBES_STATE_BYTES                                                                        \
	(DP_WORD_BITS / 8 *                                                                        \
		 (196 + DP_WITH_STREAM * 31 + DP_WITH_STORM * 6 + DP_WITH_SHARED_LINE * 115 +      \
		  DP_MAX_RANGES * 3 + DP_MAX_MODULES * 6 +                                         \
		  DP_MAX_PROGRAMS * (10 + DP_WITH_COUNTS) +                                        \
		  DP_MAX_PROBES * (8 + DP_WITH_LANGUAGE * 3) + DP_GVARS +                          \
		  (DP_LISTED + DP_WITH_TIMERS * DP_TIMERS) * (2 + DP_WITH_LANGUAGE * 3) +          \
		  DP_PORT_CPUS * (100 + DP_WITH_LANGUAGE * 198 + DP_STACK_WORDS)) +                \
	 DP_WITH_HOOKS * (DP_WORD_BITS / 8 * (DP_MAX_PROBES + 16 + DP_MAX_MODULES * 3 + 2) + 16) + \
	 DP_ROOM_OF_HALT * (DP_WORD_BITS / 8 * 12 + 64 + DPROBES_LONG) +                           \
	 DP_WITH_TIMERS * (40 + DP_TIMERS * (40 + DP_WITH_LANGUAGE * 4)) + DP_WITH_ACCESS * 112 +  \
	 (DP_WITH_SHARED_LINE + 1) * DP_RX_LINES * 64 +                                            \
	 DP_WITH_SHARED_LINE * 2 * DP_CONSOLE_BYTES + DP_ARENA_BYTES + DP_PORT_STATE_BYTES +       \
	 DP_MAX_PROBES * (66 + DP_WITH_LANGUAGE * 4 + DP_WITH_STORM * 12 + DPROBES_LONG) +         \
	 DP_LISTED * (16 + DP_WITH_LANGUAGE * 4) + DP_MAX_PROGRAMS * (48 + DP_WITH_COUNTS * 12) +  \
	 DP_PORT_CPUS * (DP_LOG_MAX + DP_RING_BYTES) +                                             \
	 DP_PORT_CPUS * DP_WITH_LANGUAGE * (400 + DP_TRACE_MAX))
#define DPROBES_STORAGE_BYTES DPROBES_UP(DPROBES_STATE_BYTES + DP_PORT_CPUS * DP_PORT_STACK_BYTES)
#define DPROBES_SLOTS_BYTES                                                                        \
	DPROBES_UP(                                                                                \
		((DP_MAX_PROBES + DP_SPARE_SLOTS < 253 ? DP_MAX_PROBES + DP_SPARE_SLOTS : 253) +   \
		 DP_PORT_SLOTS_EXTRA) *                                                            \
		(DP_PORT_SLOT_BYTES + 1))
#define DPROBES_KEEP_BYTES                                                                         \
	DPROBES_UP(16 +                                                                            \
		   DP_WITH_INTEGRITY * DP_MAX_PROBES * (8 + DP_WORD_BITS / 4 + DPROBES_LONG) +     \
		   DP_WITH_HISTORY * (20 + DP_FLIGHT_BYTES))
/* Three pieces of memory, which stay valid while the firmware runs. */
struct dprobes_memory {
	void *storage; /* DPROBES_STORAGE_BYTES, aligned to 16; need not be zeroed */
	void *slots;   /* executable, within branch reach of the probed text, aligned to 16 */
	size_t slots_bytes;
	void *keep;     /* DPROBES_KEEP_BYTES that survive a warm restart, aligned to 16 */
	uint32_t sizes; /* DPROBES_SIZES */
};
/* Tells an agent that the firmware was compiled with other values of the knobs. */
#define DPROBES_SIZES                                                                              \
	((uint32_t)(DPROBES_STORAGE_BYTES * 31u + DPROBES_KEEP_BYTES) * 31u +                      \
	 (uint32_t)sizeof(struct dprobes_board))
/* Begins the names of the sections of slots and keep area. Start-up code must not clear them. A
 * linker script without .noinit puts both behind .bss. Where a heap or a stack begins at the end of
 * .bss, write ".bss": then no program survives a warm restart. */
#ifndef DPROBES_NOINIT
#define DPROBES_NOINIT ".noinit"
#endif
/* Define the three pieces and `static const struct dprobes_memory name`. */
#define DPROBES_MEMORY(name)                                                                       \
	static uint8_t name##_storage[DPROBES_STORAGE_BYTES] __attribute__((aligned(16)));         \
	static uint8_t name##_slots[DPROBES_SLOTS_BYTES]                                           \
		__attribute__((section(DPROBES_NOINIT ".dprobes_slots"), aligned(64)));            \
	static uint8_t name##_keep[DPROBES_KEEP_BYTES]                                             \
		__attribute__((section(DPROBES_NOINIT ".dprobes_keep"), aligned(64)));             \
	static const struct dprobes_memory name = {                                                \
		name##_storage, name##_slots, sizeof(name##_slots), name##_keep, DPROBES_SIZES}

/* Rows of the memory table; the first match decides. The agent accesses only covered addresses. */
enum {
	DPROBES_READ = 0x01,
	DPROBES_WRITE = 0x02,    /* programs may write, with DP_PROFILE_FULL */
	DPROBES_TEXT = 0x04,     /* code that may be probed */
	DPROBES_NO_PROBE = 0x08, /* code that runs while exception registers are in use */
	DPROBES_DEVICE = 0x10,   /* each access has exactly the size that the program states */
};
struct dprobes_range {
	dprobes_word start, bytes;
	uint8_t access; /* DPROBES_READ and so on */
};
/* The image. DPROBES_LINKED defines `name` of constant addresses. DPROBES_SYMBOLS declares symbols
 * of the linker script that no header of the firmware declares. */
struct dprobes_linked {
	const void *text, *text_end; /* of the image: readable, may be probed */
	const void *ram, *ram_end;   /* of data: readable, writable */
	const void *note;            /* .note.gnu.build-id; null: identity by a CRC of the text */
};
#define DPROBES_SYMBOLS(text, text_end, ram, ram_end, note)                                        \
	DPROBES_SYMBOL text[], text_end[], ram[], ram_end[], note[]
#define DPROBES_LINKED(name, text, text_end, ram, ram_end, note)                                   \
	static const struct dprobes_linked name = {text, text_end, ram, ram_end, note}
/* Callbacks of a serial line. No callback may wait, nor for a lock. ctx: their argument. */
struct dprobes_line {
	bool (*put)(void *ctx, uint8_t byte); /* sends a byte; false: the transmitter is full */
	int (*get)(void *ctx); /* returns a byte or -1. Null: the firmware calls dprobes_rx */
	void (*console_in)(void *ctx, uint8_t byte); /* takes a byte of the firmware's console */
	void *ctx;
	/* Sends many bytes (DMA, USB), and returns the number sent. Null: the agent calls put. */
	size_t (*write)(void *ctx, const void *bytes, size_t count);
};

struct dprobes_call;
/* The running task, for records. */
struct dprobes_task {
	dprobes_word task; /* address of the control block */
	uint32_t pid;      /* 0: records show `task` instead */
	const char *name;  /* never null */
};
/* The firmware, as the agent sees it. Every member but com[0].put may be null or 0.
 * Callbacks run in a hit, on the private stack: mark them DPROBES_CODE. A callback must not block,
 * wait for a lock of another CPU, or use floating point or more than DP_CALLBACK_BYTES of stack. */
struct dprobes_board {
	struct dprobes_line com[2];
	const char *name;                    /* of the image */
	const struct dprobes_linked *linked; /* rows behind those of ranges */
	dprobes_word moved;                  /* running minus linked address of the image */
	const struct dprobes_range *ranges;  /* exceptions first; the agent adds its own rows */
	unsigned range_count;                /* at most DP_MAX_RANGES - 6; README.md: a key */
	uint64_t entropy;                    /* bits of a random number generator; 0: none */
#if DP_WITH_ACCESS
	const uint8_t *key; /* 16 bytes, read at each proof; null: each host has the rights */
	bool (*seed)(uint8_t bytes[8], bool write); /* in place of entropy: README.md, Access */
	bool unsealed; /* with a key: hosts of older releases get all rights as well */
#endif
	bool typed_remove; /* `~dprobes remove` works also with a key and after dprobes_lock */
	uint32_t quirks;   /* DP_QUIRK_* of the port; 0 on hardware */
	bool ranges_only;  /* the CPU cannot catch aborts: trust the ranges */
	bool own_vectors;  /* the firmware calls dprobes_exception: dprobes_hit.h */
	uint64_t (*ticks)(void);   /* replaces the CPU's time stamp */
	uint32_t tick_hz;          /* of ticks, or of the CPU's counter; 0: records have no time */
	uint32_t (*counter)(void); /* the low 32 bits of ticks, for hits; null: hits call ticks */
	uint32_t sample_hz;        /* calls of dprobes_sample a second; 0: none */
	void (*task)(struct dprobes_task *now); /* fills *now, which is zeroed; once a run */
	void (*wake)(void);                     /* a request waits; dprobes_rx calls wake */
	void (*console_ready)(unsigned line);   /* there is room again; dprobes_poll calls it */
	bool console_waits; /* dprobes_console_write waits also with interrupts masked */
	void (*callk)(struct dprobes_call *call); /* dprobes_hit.h */
	void (*exit_hook[3])(struct dprobes_call *call);
	bool (*text_write)(dprobes_word address, const void *bytes, size_t count);
	void (*text_sync)(dprobes_word address, size_t count);
	/* The target is stopped (feature HALT): called again and again, with interrupts masked.
	 * Returns a byte that com[line] has received, or -1; may serve a watchdog. Null: get of the
	 * line alone. Without both nothing stops the target. */
	int (*stopped)(unsigned line);
	void (*reset)(void); /* reset the board behind a crash dump, in a hit; null: no host can */
};

/* Start the agent. memory, board: stay valid. Context: start-up code, interrupts masked, vectors
 * and caches in their final state. Returns 0, or a number of errors.def: no agent runs then. */
int dprobes_init(const struct dprobes_memory *memory, const struct dprobes_board *board);
/* Take a received byte of com[line]. Context: receive interrupt or polling loop, one context for
 * each line. Returns false if no agent runs: the byte belongs to the firmware. */
bool dprobes_rx(unsigned line, uint8_t byte);
/* Run waiting requests, and send the bytes that the transmitters take. Context: from a task above
 * the load, about once a millisecond, or from the idle loop if there is always idle time; never in
 * a hit. Returns whether work is left, or a tick is armed. */
bool dprobes_poll(void);
/* Run the programs that sample (profile of D), at most one hit each. pc, sp, ra: next instruction,
 * stack pointer and return address register of the interrupted context; ra is 0 where the CPU has
 * no such register. Context: a periodic interrupt, board.sample_hz times a second, on its own
 * stack (`scons size` prints how much); never above the agent's mask. */
void dprobes_sample(dprobes_word pc, dprobes_word sp, dprobes_word ra);
/* Put text into the queue of com[line], between the lines of the agent. With a full queue the
 * function waits, or drops text if the caller has masked interrupts. With board.console_ready the
 * function does not wait, and the caller keeps the rest. Context: any but a hit.
 * Returns how many characters were taken; 0 if no agent runs. */
size_t dprobes_console_write(unsigned line, const void *text, size_t bytes);
/* Return how many characters dprobes_console_write takes without waiting, or -1 if no agent sends
 * text on that line. After 0 console_ready will be called. Context: any but a hit. */
int dprobes_console_room(unsigned line);
/* Send the queued text, and wait for the last byte. Context: a panic. */
void dprobes_console_flush(unsigned line);
/* Announce code that was loaded, or that will be removed. name: stays valid. base, bytes: where the
 * code runs. linked: the address for which the code was linked. build_id: 20 bytes, or null for a
 * CRC of the text. Returns as dprobes_init does. */
int dprobes_module_loaded(const char *name, dprobes_word base, dprobes_word linked,
			  dprobes_word bytes, const uint8_t *build_id);
void dprobes_module_unloaded(const char *name);
/* Free old slots. Context: each saved pc equals its dprobes_original_pc, and interrupts are masked
 * since that was found; or the main loop of firmware without tasks, outside each handler. */
void dprobes_quiescent(void);
/* Return the original address of a pc in a slot, or any other pc unchanged. */
dprobes_word dprobes_original_pc(dprobes_word pc);
/* Freeze the flight recorder: its records stay, over resets, until `dprobes flight --clear`.
 * Context: any, also the fault handler of the firmware. */
void dprobes_freeze(void);
/* Refuse every change until the next reset. Armed probes stay armed. */
void dprobes_lock(void);

#ifdef __cplusplus
}
#endif
#endif
