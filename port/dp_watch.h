/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparators of the CPU: what a port with watchpoints supplies beside dp_port.h. A comparator
 * watches a range of addresses, and stops the CPU at an access. Or it stops the CPU at a probed
 * instruction where no trap can be written. A port without comparators defines nothing of this
 * header, and its agent has none of the code.
 *
 * The core owns struct dp_watch, one for each comparator. The port owns the registers of the CPU.
 * The numbers in brackets name claims, which tests prove. */
#ifndef DP_WATCH_H
#define DP_WATCH_H

#include "dp_port.h"

/* --- 1. constants of the port, in dp_port_cpu.h ---
 *
 *   DP_PORT_COMPARATORS    the most comparators that a CPU of this port has, of all kinds, 0 to 16;
 *                          0, or not defined: the port has none. Each one adds 284 to
 *                          DP_PORT_STATE_BYTES (dprobes_cpu.h), for the core
 *   DP_PORT_WATCH_KINDS    bit n: comparators serve kind n of point_kinds.def. Bit 0, the kind
 * BREAK: they stop the CPU in place of a trap DP_PORT_WATCH_AFTER    bit n: the CPU reports kind n
 * behind the access. For the other kinds the CPU reports before the access, which the core then
 * completes DP_PORT_WATCH_SHARED   1: the comparators of data are those of code
 *   DP_PORT_LACKS_CODE     1: the port has dp_port_lacks_code
 *
 * Where code and data have comparators of their own, the numbers are one row: those of code first.
 * dp_port_watch_prepare says of each number which kinds it has. */
#ifndef DP_PORT_COMPARATORS
#define DP_PORT_COMPARATORS 0
#endif
#ifndef DP_PORT_WATCH_KINDS
#define DP_PORT_WATCH_KINDS 0
#endif
#ifndef DP_PORT_WATCH_AFTER
#define DP_PORT_WATCH_AFTER 0
#endif
#ifndef DP_PORT_LACKS_CODE
#define DP_PORT_LACKS_CODE 0
#endif
#ifndef DP_PORT_WATCH_SHARED
#define DP_PORT_WATCH_SHARED 0
#endif
_Static_assert(DP_PORT_COMPARATORS >= 0 && DP_PORT_COMPARATORS <= 16,
	       "sets of comparators have 16 bits");
enum {
	DP_ALL_COMPARATORS = (1 << DP_PORT_COMPARATORS) - 1
};

/* A comparator and what it watches: a range of addresses for a watchpoint, or with the kind BREAK
 * the instruction of a site (dp_means REMAP, COMPARE). */
struct dp_watch {
	dp_addr address, bytes; /* as the program asks, or of the instruction; bytes > 0, no wrap */
	dp_addr first, covers;  /* what the comparator watches: at least the range asked for */
	uint8_t kind;           /* enum dp_point_kind */
	uint8_t comparator;     /* number of the comparator, which is the index of this entry */
	uint8_t means;          /* enum dp_means, of the kind BREAK */
	/* of the core: */
	uint8_t serves;   /* of the kind BREAK: index of its site + 1; 0: no site */
	uint8_t rests;    /* off, since an access that cannot be stepped, until dp_poll */
	uint8_t asks_old; /* a handler asks for the value before the access */
	uint8_t has_old;  /* `old` has been read */
	uint16_t paused;  /* how often it has rested; stays at the largest number */
	uint32_t ignored; /* accesses beside the range asked for, in what the comparator covers */
	/* The range behind the last access that was seen, of the kind R before this one, where a
	 * program asks for it (asks_old) and it has DP_WATCH_VALUE bytes or less. Memory that no
	 * CPU writes changes unseen. */
	uint8_t old[8];
};

/* The longest range that has a value: `push wpold`, `push wpnew`. */
enum {
	DP_WATCH_VALUE = 8
};

/* Which kinds of watchpoints an access is for: bit n, kind n. */
enum dp_watched_kinds {
	DP_WATCHED_READ = 1 << DP_PROBE_WATCH_RW | 1 << DP_PROBE_WATCH_R,
	DP_WATCHED_WRITE = 1 << DP_PROBE_WATCH_W | 1 << DP_PROBE_WATCH_RW,
	DP_WATCHED_EXECUTE = 1 << DP_PROBE_WATCH_X | 1 << DP_PROBE_BREAK,
	DP_WATCHED_IO = 1 << DP_PROBE_WATCH_IO,
};

/* An access that stopped the CPU. */
struct dp_watched {
	dp_addr pc;           /* of the instruction, never in a slot; or what the CPU reports */
	dp_addr address;      /* first byte of the access, when it is told */
	uint16_t comparators; /* bit n: the CPU names comparator n; 0: it names none */
	uint8_t bytes;        /* of the access; 0: not told */
	uint8_t kinds;        /* enum dp_watched_kinds */
	bool told;            /* the CPU tells the address */
};

#if DP_PORT_COMPARATORS > 0

/* --- 2. functions of the port --- */

/* Return the number of comparators that the core may use, at most DP_PORT_COMPARATORS: those of
 * the CPU that no debugger owns. [P9.1] The core uses the numbers below the result. Where a
 * debugger owns one among the usable ones, the result is the last usable number + 1. Context: ANY.
 */
unsigned dp_port_comparators(void);

#if DP_PORT_LACKS_CODE
/* Return why no comparator serves the kind BREAK: enum dp_lacks; NOTHING where one does, or in use
 * would. [P9.25] Context: ANY. */
unsigned dp_port_lacks_code(void);
#endif

/* Choose what the comparator will watch for the range: `first` and `covers`, at least the range. Of
 * the kind BREAK the comparator will stop the CPU at the instruction that begins at `address`, and
 * at no other one. The function then sets `means`: COMPARE, or REMAP where the comparator lays a
 * trap over memory. [P9.22] The function changes no register. [P9.2]
 * watch: address, bytes, kind and comparator are set. The comparator may be in use.
 * Context: THREAD.
 * Returns DP_ERR_OK, or
 *   NO_WATCHPOINT  the comparator has no such kind, length or alignment [P9.3]
 *   NO_COMPARATOR  a debugger owns the comparator [P9.17]
 *   WATCH_UNIT_USED, WATCH_MONITOR, WATCH_DEBUGGED  the firmware, or a debugger, uses what the
 *                  comparator is made of [P9.27] */
enum dp_err dp_port_watch_prepare(struct dp_watch *watch);

/* Switch the comparator on, and read the registers back. A pause stays. [P9.4] Where each CPU has
 * registers of its own: on this CPU at once. The others follow without being waited for, because
 * they may be masked and wait for the agent's lock (dp_lock.h). Until then such a CPU misses
 * accesses.
 * Context: THREAD or HIT.
 * Returns DP_ERR_OK, or NO_WATCHPOINT with the comparator off. [P9.5] */
enum dp_err dp_port_watch_arm(const struct dp_watch *watch);

/* Switch the comparator off. [P9.6] Other CPUs follow as for dp_port_watch_arm. Until then such a
 * CPU may report an access of the comparator.
 * Context: THREAD or HIT. */
void dp_port_watch_disarm(const struct dp_watch *watch);

/* Return whether the registers of an armed comparator still are what dp_port_watch_arm wrote, in a
 * pause too. [P9.7]
 * Context: ANY. */
bool dp_port_watch_holds(const struct dp_watch *watch);

/* Let these comparators of this CPU be off for a while, and all others on that are armed. [P9.8]
 * The core calls the function round each hit and each masked stretch, so that no access of the
 * agent or of a callback stops the CPU [P9.9], and for the comparators of an access round the step
 * that completes it.
 * comparators: bit n: comparator n; 0: all are on again.
 * Context: ANY, interrupts masked. */
void dp_port_watch_pause(uint16_t comparators);

/* Return whether a comparator that is switched on, in a pause too, has reported the access. Where
 * the watchpoint has just been removed, or rests, no comparator is on: the context goes on. [P9.18]
 * A comparator that this CPU has yet to switch off is not on.
 * Context: HIT. */
bool dp_port_watch_at(const struct dp_watched *access);

/* Prepare the step of the instruction that made an access, in the scratch slot of this CPU: two
 * traps or an emulation, never one trap. The function fetches the instruction, makes no scan, and
 * needs no dp_port_release. [P9.10] An instruction that accesses memory runs in the slot where it
 * can: its other watchpoints do not see an access that the port makes.
 * site: cleared, address is set. frame: the context, which tells the instruction set.
 * original_at: the instruction, without a trap that may be on it.
 * Context: HIT.
 * Returns DP_ERR_OK, or NOT_PROBEABLE: the instruction cannot be stepped. Then the core leaves the
 * comparators of the access off until dp_poll, and counts a handler that does not run as missed.
 * [P9.11] */
enum dp_err dp_port_prepare_here(struct dp_site *site, const struct dp_frame *frame,
				 dp_original_at original_at);

/* Note that from now on a comparator stops the CPU at the site, so that contexts may be in its
 * slot, as dp_port_arm notes. [P9.24] port/dp_patch.c defines this function.
 * Context: THREAD or HIT. */
void dp_port_arm_compared(const struct dp_site *site);

/* dp_port_attach also switches off the comparators that an earlier run of the agent left on, and
 * none of a debugger. [P9.12] */

/* --- 3. function of the core (agent/hit/hit.c) that the port calls --- */

/* Handle an access that stopped the CPU, or an instruction whose site has means COMPARE: an access
 * of DP_WATCHED_EXECUTE at pc. [P9.23] (A trap of means REMAP goes to dp_agent_trap, as each trap.)
 * The core decides from kind and address which watchpoints
 * the access is for; it uses `comparators` when the address is not told. [P9.13] The handlers of
 * the kinds X and R run before the access, those of the other kinds behind it. [P9.14] While they
 * run, the pc of the frame is access->pc. [P9.15] An access of unknown length counts as long as a
 * word. An instruction with several accesses is one hit of each watchpoint. [P9.19] Where kind X
 * stops the CPU at a probe, the handlers of the probe run behind those of kind X. [P9.20] In a
 * two-trap slot the core only notes the access, also of kind R, and dp_agent_stepped runs the
 * handlers. [P9.21] The CPU may tell an address that no comparator covers. Where the CPU stops once
 * more at the same pc, before the access, the core takes the address for not told. [P9.26]
 * frame: the context before the access; behind it, for a kind of DP_PORT_WATCH_AFTER.
 * Context: as for dp_agent_trap.
 * Returns NOT_OURS when no armed comparator of the agent covers the access, but another one
 * does. [P9.16] */
enum dp_taken dp_agent_watch(struct dp_frame *frame, const struct dp_watched *access);
#endif

#endif
