/* SPDX-License-Identifier: BSD-2-Clause */
/* C exits of the demo kernel, in kernels that are built with DEMO_HOOKS: functions that the hooks
 * queue:admit (in a task, interrupts masked) and isr:tick (in an interrupt) call while they are
 * armed. agent/guide/hooks.md */
#ifndef DEMO_EXITS_H
#define DEMO_EXITS_H

#include <stdint.h>

struct exits_counters {
	uint32_t messages;    /* that the first exit has seen */
	uint32_t seconds;     /* calls of the exit behind it */
	uint32_t refused;     /* messages that an exit has refused */
	uint32_t once;        /* calls of an exit that clears its own `armed` */
	uint32_t ticks;       /* seen in the interrupt */
	uint32_t masked;      /* calls with interrupts masked, of an exit that asks for it */
	uint32_t first, last; /* of the storm: calls of its two exits */
};
extern struct exits_counters exits_counters;

/* Do what the word says.
 * what: "on": count messages and ticks; "refuse": refuse each message; "once": let an exit run
 * once; "storm": arm and disarm two exits `rounds` times; "off": disarm all; "": nothing. Returns
 * 0, or the error of the agent. Context: a task, one at a time. */
int exits_command(const char *what, unsigned rounds);

#endif
