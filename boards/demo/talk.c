/* SPDX-License-Identifier: BSD-2-Clause */
/* Send text from a task, from the timer's interrupt and with interrupts masked. */
#include "talk.h"

#include <string.h>

#include "console.h"
#include "kernel.h"

#define TASK_BYTES  200u
#define OTHER_BYTES 150u
#define ROUND_MS    250u

uint32_t talk_sent[TALK_VOICES];

/* No other text of com1 has these characters. */
static const char *const letters[TALK_VOICES] = {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "!\"#$%&'*+",
						 ";<=?@^_{|}"};
static volatile bool interrupt_due;

/* The characters stand in a piece of the stack, as a formatted line does. */
static void say_some(enum talk_voice voice, unsigned count)
{
	char text[TASK_BYTES];
	const char *all = letters[voice];
	size_t length = strlen(all);

	for (unsigned i = 0; i < count; i++)
		text[i] = all[talk_sent[voice]++ % length];
	if (voice == TALK_TASK)
		console_write(0, text, count);
	else
		console_print(text, count);
}

void talk_tick(void)
{
	if (!interrupt_due)
		return;
	interrupt_due = false;
	say_some(TALK_INTERRUPT, OTHER_BYTES);
}

static void say_masked(void)
{
	unsigned state = arch_irq_save();

	say_some(TALK_MASKED, OTHER_BYTES);
	arch_irq_restore(state);
}

void talk(unsigned rounds, unsigned loud)
{
	memset(talk_sent, 0, sizeof(talk_sent));
	for (; rounds > 0; rounds--) {
		interrupt_due = true; /* while the task talks */
		for (unsigned i = 0; i < loud; i++)
			say_some(TALK_TASK, TASK_BYTES);
		say_masked();
		task_sleep_ms(ROUND_MS);
	}
}
