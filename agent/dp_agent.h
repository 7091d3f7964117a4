/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of an agent, each with its agent as argument. Firmware includes dprobes.h
 * instead, which calls these functions; a simulated firmware may have several agents. */
#ifndef DP_AGENT_H
#define DP_AGENT_H

#include "dp_board.h"
#include "dp_state.h" /* struct dp_agent, DP_KEEP_BYTES; its members are the agent's own */

/* Start the agent: restore text that a previous run left patched (keep area), [A2.1] compute the
 * CRC of the image, and hook the vectors.
 * agent, board, memory: all three stay valid for ever; agent need not be zeroed. [A2.2]
 * Context: thread, once per image, interrupts masked.
 * Returns DP_ERR_OK, or the reason of a failure; then the firmware runs on without an agent.
 * [A2.3] */
enum dp_err dp_init(struct dp_agent *agent, const struct dp_memory *memory,
		    const struct dp_board *board);

/* A byte arrived on a line. Queues request lines; every byte that cannot belong to one goes to
 * console_in at once. [A2.4] UART interrupt or polling loop; quick (no command runs here). [A2.5]
 */
void dp_rx(struct dp_agent *agent, enum dp_com_index com, uint8_t byte);

/* Run waiting requests, and send bytes that fit into the transmitters. Call the function from a
 * task above the load, about once a millisecond, or from the idle loop if there is always idle
 * time.
 * A second entry while one is active returns at once. [A2.6] A callback must not call the
 * function: no hit is active during the function, and the function abandons a hit whose callback
 * never returned. [A2.7] A call sends at most DP_POLL_BYTES characters on each line, so that a
 * fast line cannot keep its task for ever. [A2.19] With several CPUs each of them calls the
 * function: a callback that never returned keeps the other CPUs waiting until dp_poll of its own
 * CPU. [A2.24]
 * Returns true while work is left, [A2.8] or while a tick is armed, which runs in one of the next
 * calls. [A2.29] */
bool dp_poll(struct dp_agent *agent);
/* The same, for a function around it in code that cannot be probed. caller: where that function
 * returns to, as __builtin_return_address(0) has it: HALT stops the target there. */
bool dp_poll_from(struct dp_agent *agent, const void *caller);

#if DP_WITH_TIMERS
/* Run the samples that are due, on the caller's stack: at most as long as a hit each. [A2.30] Call
 * the function sample_hz times a second (dp_board.h), from a periodic interrupt that the agent
 * masks. One context calls it, with several CPUs one of each. A call in a hit counts the due
 * samples as missed. [A2.31] A call without a due sample takes about 20 instructions.
 * pc, sp, ra: the interrupted context: its next instruction, its stack pointer, and its return
 * address register. A pc in a slot becomes the original one. [A2.32] */
void dp_sample(struct dp_agent *agent, dp_addr pc, dp_addr sp, dp_addr ra);
#endif

/* The firmware's own output on a line the agent shares. The text goes into a queue of
 * DP_CONSOLE_BYTES; the transmitter gets what it takes at once, dp_poll sends the rest. No frame is
 * torn, and a text of at most DP_CONSOLE_BYTES stands whole before the next line of the agent.
 * [A2.9] Interrupts are masked for one call of put or write. [A2.20] A full queue: waits for the
 * transmitter where interrupts are open, so that nothing is dropped; [A2.10] where the caller has
 * masked them, what finds no room is dropped and counted (STATUS). [A2.21] With console_ready it
 * does not wait, and counts nothing: the caller keeps the rest. [A2.26] With console_waits it waits
 * in both cases. A transmitter that takes nothing for two million calls of put is dead, and the
 * rest of the text is dropped. [A2.11] Any context but a hit.
 * Returns how many characters were taken. [A2.27] */
size_t dp_console_write(struct dp_agent *agent, enum dp_com_index com, const void *text,
			size_t bytes);
/* How many characters dp_console_write takes without waiting. [A2.28] Context: any but a hit. */
unsigned dp_console_room(struct dp_agent *agent, enum dp_com_index com);
/* Send the queued text and the line under way, by put alone, and wait for the last byte: for a
 * panic, after which no task polls. [A2.22]
 * Context: any but a hit. */
void dp_console_flush(struct dp_agent *agent, enum dp_com_index com);

/* A module came or goes. Programs that wait for it are armed, or disarmed before this returns.
 * [A2.12] A call that interrupts dp_poll at work leaves the arming to that dp_poll. [A2.23]
 * name stays valid while loaded. Thread context. Returns DP_ERR_OK or TABLE_FULL. [A2.13]
 */
enum dp_err dp_module_loaded(struct dp_agent *agent, const struct dp_module *module);
void dp_module_unloaded(struct dp_agent *agent, const char *name);

#if DP_WITH_HOOKS
/* C exits, as dprobes_hit.h has them. list: chained by next; stays valid while registered. Each
 * call does all or nothing. Context: the thread that announces modules. Return DP_ERR_OK, or BUSY:
 * a request is at work, or an exit runs. */
enum dp_err dp_exit_register(struct dp_agent *agent, struct dp_exit *list);
enum dp_err dp_exit_arm(struct dp_agent *agent, struct dp_exit *list);
enum dp_err dp_exit_disarm(struct dp_agent *agent, struct dp_exit *list);
enum dp_err dp_exit_deregister(struct dp_agent *agent, struct dp_exit *list);
/* Call the armed exits of the hook. Context: the hook's own. */
void dp_exit_dispatch(struct dp_agent *agent, const char *hook, unsigned count, dp_word *args);
#if DP_WITH_MODULES
/* An announced module brings its hooks. hooks: stays valid until the module goes. */
enum dp_err dp_module_hooks(struct dp_agent *agent, const char *name,
			    const struct dp_hook_row *hooks, dp_addr count);
#endif
#endif

/* No context is inside an old slot: slots of removed one-trap probes may be used again. [A2.14]
 * With several CPUs the slots stay while a request is at work. [A2.25]
 * Context: interrupts masked since the check of all tasks. The check has found no saved pc that
 * dp_original_pc changes. boards/demo/agent_glue.c has an example. */
void dp_quiescent(struct dp_agent *agent);

#if DP_WITH_HISTORY
/* Freeze the ring of the flight recorder: what led to this call stays there, over resets, until a
 * host reads it. Without a flight recorder the call has no effect. Context: any, also the fault
 * handler of the firmware. */
void dp_freeze(struct dp_agent *agent);
#endif

/* Refuse every request that changes the target from now until reset: after boot, in the field.
 * [A2.15] A new module is listed, but the probes that wait for the module are not armed (notice
 * MODULE_REFUSED, LOCKED). [A2.16] Armed probes stay armed until reset. [A2.17] */
void dp_lock(struct dp_agent *agent);

/* Original address for a pc that a backtrace or crash dump found in a slot. [A2.18] */
static inline dp_addr dp_original_pc(dp_addr pc)
{
	return dp_port_slot_origin(pc);
}

#endif
