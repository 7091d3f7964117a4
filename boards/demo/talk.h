/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text on com1 from three voices: a task, an interrupt handler, and a task that has masked
 * interrupts. Each voice repeats its own characters, so a reader of the line sees whether every
 * character came once and in order.
 */
#ifndef DEMO_TALK_H
#define DEMO_TALK_H

#include <stdint.h>

enum talk_voice {
	TALK_TASK,
	TALK_INTERRUPT,
	TALK_MASKED,
	TALK_VOICES,
};

/* How many characters each voice has sent since the start of the last talk. */
extern uint32_t talk_sent[TALK_VOICES];

/* Talk for so many rounds, four a second: 200 characters of the task, `loud` times; 150 of each of
 * the others. context: a task, which sleeps. */
void talk(unsigned rounds, unsigned loud);

/* context: timer_isr. */
void talk_tick(void);

#endif
