/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions for firmware with its own vectors, callk or exit hooks, and for C exits at static
 * hooks, in C99 and C++11. */
#ifndef DPROBES_HIT_H
#define DPROBES_HIT_H

#include "dprobes.h"
#include "dprobes_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dprobes_taken {
	DPROBES_NOT_OURS = 0, /* the exception belongs to the firmware; the frame is unchanged */
	DPROBES_RESUME = 1,   /* resume the frame */
	DPROBES_FIRMWARE = 2, /* enter the firmware's own handler with the frame */
};

/* Dispatch an exception of firmware with own_vectors. The firmware's handler calls the function
 * first.
 * exception: DP_CLASS_* of dprobes_frame.h.
 * frame: the interrupted context.
 * Context: the handler, interrupts masked, on a stack of DP_PORT_STACK_BYTES. */
enum dprobes_taken dprobes_exception(unsigned exception, struct dp_frame *frame);

/* Pop or push a word of the program's stack; return the address or the registers of the hit.
 * Context: callk and exit hooks, with DP_PROFILE_FULL. */
dprobes_word dprobes_pop(struct dprobes_call *call);
void dprobes_push(struct dprobes_call *call, dprobes_word value);
dprobes_word dprobes_pc(const struct dprobes_call *call);
struct dp_frame *dprobes_frame(const struct dprobes_call *call);

/* --- C exits --- */

#if DP_WITH_HOOKS
/* A C exit: a function that the hook calls (DPROBES_HOOK_CALL, agent/guide/hooks.md). Set the
 * members up to next; the others are the agent's. */
enum dprobes_exit_order {
	DPROBES_EXIT_ANY,   /* behind the first ones, before the last ones, as they came */
	DPROBES_EXIT_FIRST, /* before all exits that are registered */
	DPROBES_EXIT_LAST,  /* behind all */
	DPROBES_EXIT_ONLY   /* the hook has no other exit */
};
enum dprobes_exit_when {
	DPROBES_EXIT_AT_ONCE, /* as the hook finds the CPU */
	DPROBES_EXIT_MASKED   /* with interrupts masked; hits and exits of other CPUs wait */
};
struct dprobes_exit {
	const char *hook; /* "provider:name", as the source writes both */
	/* args: count words, which later exits of this pass see as this exit leaves them. Returns
	 * 0, or another number: no later exit runs in this pass. Context: the hook's own. */
	int (*run)(struct dprobes_exit *exit, unsigned count, dprobes_word *args);
	struct dprobes_exit *next; /* in the list of a call */
	uint8_t order, when;
	volatile uint8_t armed; /* an exit may clear its own */
	uint8_t on, number;
	struct dprobes_exit *behind;
};
/* Each of the four does all of the list or nothing, and returns 0 or a number of errors.def. 70
 * (BUSY): a request is at work; call again later. Context: the thread that announces modules, not
 * an exit.
 * register: the exits stay valid until they are deregistered; none runs before it is armed.
 * arm, disarm: in one step; no pass of a hook sees half the list.
 * deregister: an armed exit is refused, and while an exit runs the answer is BUSY. */
int dprobes_exit_register(struct dprobes_exit *list);
int dprobes_exit_arm(struct dprobes_exit *list);
int dprobes_exit_disarm(struct dprobes_exit *list);
int dprobes_exit_deregister(struct dprobes_exit *list);
/* An announced module brings its hooks, which go with it. rows, bytes: its section dprobes_hooks.
 */
int dprobes_module_hooks(const char *name, const void *rows, size_t bytes);
#endif

#ifdef __cplusplus
}
#endif
#endif
