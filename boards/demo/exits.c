/* SPDX-License-Identifier: BSD-2-Clause */
/* C exits at the hooks of the kernel. */
#include "exits.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "dprobes_hit.h"

#include "arch.h"
#include "kernel.h"

enum {
	BUSY = 70 /* errors.def: dprobes_poll is at work; the call can be made again */
};

struct exits_counters exits_counters;

static int count_message(struct dprobes_exit *exit, unsigned count, dprobes_word *args)
{
	(void)exit, (void)args;
	exits_counters.messages += count == 3;
	return 0;
}

static int count_second(struct dprobes_exit *exit, unsigned count, dprobes_word *args)
{
	(void)exit, (void)count, (void)args;
	exits_counters.seconds++;
	return 0;
}

/* The message does not fit, says the exit; no later exit sees it. */
static int refuse(struct dprobes_exit *exit, unsigned count, dprobes_word *args)
{
	(void)exit, (void)count;
	*(bool *)args[2] = false;
	exits_counters.refused++;
	return 1;
}

static int run_once(struct dprobes_exit *exit, unsigned count, dprobes_word *args)
{
	(void)count, (void)args;
	exits_counters.once++;
	exit->armed = 0;
	return 0;
}

static int count_tick(struct dprobes_exit *exit, unsigned count, dprobes_word *args)
{
	unsigned state = arch_irq_save();

	(void)exit, (void)count;
	exits_counters.ticks += args[0] == tick_count + 1;
	arch_irq_restore(state);
	return 0;
}

static int count_masked(struct dprobes_exit *exit, unsigned count, dprobes_word *args)
{
	(void)exit, (void)count, (void)args;
	exits_counters.masked++;
	return 0;
}

static int count_first(struct dprobes_exit *exit, unsigned count, dprobes_word *args)
{
	(void)exit, (void)count, (void)args;
	exits_counters.first++;
	return 0;
}

static int count_last(struct dprobes_exit *exit, unsigned count, dprobes_word *args)
{
	(void)exit, (void)count, (void)args;
	exits_counters.last++;
	return 0;
}

/* Members behind `when` are the agent's, and begin as zeros. */
static struct dprobes_exit
	ticks_masked = {.hook = "isr:tick",
			.run = count_masked,
			.order = DPROBES_EXIT_LAST,
			.when = DPROBES_EXIT_MASKED},
	each_tick = {.hook = "isr:tick", .run = count_tick, .next = &ticks_masked},
	second = {.hook = "queue:admit", .run = count_second, .next = &each_tick},
	on = {.hook = "queue:admit",
	      .run = count_message,
	      .next = &second,
	      .order = DPROBES_EXIT_FIRST},
	refusing = {.hook = "queue:admit", .run = refuse},
	once = {.hook = "queue:admit", .run = run_once, .order = DPROBES_EXIT_FIRST},
	storm_last = {.hook = "isr:tick", .run = count_last, .order = DPROBES_EXIT_LAST},
	storm = {.hook = "isr:tick",
		 .run = count_first,
		 .next = &storm_last,
		 .order = DPROBES_EXIT_FIRST};

/* The list of a word; null: no list has that name. */
static struct dprobes_exit *list_of(const char *what)
{
	if (strcmp(what, "on") == 0)
		return &on;
	if (strcmp(what, "refuse") == 0)
		return &refusing;
	return strcmp(what, "once") == 0 ? &once : NULL;
}

/* The polling task may be at work. */
static int insist(int (*call)(struct dprobes_exit *), struct dprobes_exit *list)
{
	int error;

	while ((error = call(list)) == BUSY)
		task_sleep_ms(1);
	return error;
}

static int arm(struct dprobes_exit *list)
{
	int error = insist(dprobes_exit_register, list);

	if (error == 0) {
		error = insist(dprobes_exit_arm, list);
		if (error != 0)
			insist(dprobes_exit_deregister, list);
	}
	return error;
}

static int disarm(struct dprobes_exit *list)
{
	int error = insist(dprobes_exit_disarm, list);

	return error == 0 ? insist(dprobes_exit_deregister, list) : error;
}

/* The tick comes at any step of it. */
static int run_storm(unsigned rounds)
{
	int error = insist(dprobes_exit_register, &storm);

	for (unsigned i = 0; error == 0 && i < rounds; i++) {
		error = insist(dprobes_exit_arm, &storm);
		if (error == 0)
			error = insist(dprobes_exit_disarm, &storm);
	}
	if (error == 0)
		error = insist(dprobes_exit_deregister, &storm);
	return error;
}

int exits_command(const char *what, unsigned rounds)
{
	static const char *const words[] = {"on", "refuse", "once"};
	struct dprobes_exit *list = list_of(what);

	if (list)
		return arm(list);
	if (strcmp(what, "storm") == 0)
		return run_storm(rounds);
	if (strcmp(what, "off") == 0)
		for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
			disarm(list_of(words[i]));
	return 0;
}
