/* SPDX-License-Identifier: BSD-2-Clause */
/* Execute the commands of the shell on com1. */
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "boot.h"
#include "console.h"
#include "driver.h"
#include "kernel.h"
#include "library.h"
#include "load.h"
#include "selftest.h"
#include "sensor.h"
#ifdef DEMO_STATION
#include "station.h"
#endif
#include "talk.h"
#include "uart_rate.h"

#define LINE_BYTES  100u
#define WORDS_MAX   8
#define BAUD_MIN    1200ul
#define BAUD_MAX    1000000ul
#define MASK_MAX_US 100000ul
#define TALK_MAX    1000ul
#define PROMPT      "demo> "

struct command {
	const char *name;
	const char *arguments;
	const char *help;
	void (*run)(int argc, char **argv);
};

/* The shell is the only user of newlib's stdout; other tasks use say(). */

static void command_ps(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("id name       pri state      switches    ticks pc       sp       stack\n");
	for (unsigned i = 0; i < TASK_MAX; i++) {
		const struct task *t = &task_table[i];

		if (t->state == TASK_FREE)
			continue;
		printf("%2lu %-10s %3u %-8s %10lu %8lu %08lx %08lx %u\n", (unsigned long)t->id,
		       t->name, t->priority, task_state_name(t), (unsigned long)t->switches,
		       (unsigned long)t->ticks, (unsigned long)arch_context_pc(&t->context),
		       (unsigned long)arch_context_sp(&t->context), (unsigned)t->stack_bytes);
	}
}

static void command_load(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "on") == 0)
		load_set(true);
	else if (argc == 2 && strcmp(argv[1], "off") == 0)
		load_set(false);
	else if (argc != 1)
		printf("load: on or off, not '%s'\n", argv[1]);
	printf("load is %s\n", load_is_on() ? "on" : "off");
}

static void print_queue(const struct queue *q)
{
	printf("queue %s: put %lu got %lu waiting %lu refused %lu flushed %lu damaged %lu\n",
	       q->name, (unsigned long)q->puts, (unsigned long)q->gets, (unsigned long)q->count,
	       (unsigned long)q->refused, (unsigned long)q->flushed, (unsigned long)q->damaged);
}

static void command_stats(int argc, char **argv)
{
	const struct sensor_counters *s = &sensor_counters;

	(void)argc;
	(void)argv;
	printf("tick %lu boot %lu switches %lu load %s\n", (unsigned long)tick_count,
	       (unsigned long)boot_number(), (unsigned long)switch_count,
	       load_is_on() ? "on" : "off");
	printf("sensor: made %lu seen %lu refused %lu missing %lu alarms %lu batches %lu "
	       "calibrations %lu average %lu\n",
	       (unsigned long)s->made, (unsigned long)s->seen, (unsigned long)s->refused,
	       (unsigned long)s->missing, (unsigned long)s->alarms, (unsigned long)s->batches,
	       (unsigned long)s->calibrations, (unsigned long)s->average / 16);
	print_queue(&sensor_queue);
	print_queue(&result_queue);
	printf("results %lu overruns com1 %lu com2 %lu\n", (unsigned long)load_results,
	       (unsigned long)console_overruns[0], (unsigned long)console_overruns[1]);
}

static void print_lateness(const char *name, const struct lateness *l)
{
	printf("%s %lu lost %lu late %lu us\n", name, (unsigned long)l->seen,
	       (unsigned long)l->lost, (unsigned long)(l->most * 1000000u / board_clock_hz()));
}

static void command_line(int argc, char **argv)
{
	char *end;
	unsigned long baud;

	if (argc > 1) {
		baud = strtoul(argv[1], &end, 10);
		if (*end != '\0' || (baud != 0 && (baud < BAUD_MIN || baud > BAUD_MAX))) {
			printf("line: %lu to %lu baud, or 0 for no rate, not '%s'\n", BAUD_MIN,
			       BAUD_MAX, argv[1]);
			return;
		}
		uart_rate_set(baud);
		lateness_clear(&tick_lateness);
		lateness_clear(&sensor_lateness);
	}
	print_lateness("ticks", &tick_lateness);
	print_lateness("sensor", &sensor_lateness);
	printf("line %lu baud overruns com1 %lu com2 %lu\n", (unsigned long)uart_rate(),
	       (unsigned long)uart_rate_overruns(0), (unsigned long)uart_rate_overruns(1));
}

static void command_mask(int argc, char **argv)
{
	unsigned long us = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	uint64_t counts = (uint64_t)us * board_clock_hz() / 1000000u, begin;
	unsigned state;

	if (us == 0 || us > MASK_MAX_US) {
		printf("mask: 1 to %lu microseconds\n", MASK_MAX_US);
		return;
	}
	state = arch_irq_save();
	begin = board_clock();
	while (board_clock() - begin < counts)
		;
	arch_irq_restore(state);
	printf("masked %lu us\n", us);
}

/* Talk with one of the drivers, then wait until its ring is empty. */
static void command_talk(int argc, char **argv)
{
	bool polled = argc > 1 && strcmp(argv[1], "polled") == 0;
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	unsigned long loud = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;

	if (argc < 2 || (!polled && strcmp(argv[1], "interrupt") != 0) || rounds > TALK_MAX ||
	    loud > TALK_MAX) {
		printf("talk: polled or interrupt, rounds, loudness (to %lu)\n", TALK_MAX);
		return;
	}
	driver_sleeps = 0;
	driver_set(polled ? DRIVER_POLLED : DRIVER_INTERRUPT);
	talk((unsigned)rounds, (unsigned)loud);
	while (driver_waiting() > 0)
		task_sleep_ms(1);
	driver_set(DRIVER_POLLED);
	printf("talk: task %lu interrupt %lu masked %lu sleeps %lu\n",
	       (unsigned long)talk_sent[TALK_TASK], (unsigned long)talk_sent[TALK_INTERRUPT],
	       (unsigned long)talk_sent[TALK_MASKED], (unsigned long)driver_sleeps);
}

static void command_peek(int argc, char **argv)
{
	uintptr_t address;
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	uint32_t word;

	if (argc < 2) {
		printf("peek: which address?\n");
		return;
	}
	address = strtoul(argv[1], NULL, 0) & ~(uintptr_t)3;
	for (; count > 0; count--, address += 4) {
		if (!arch_peek32(address, &word)) {
			printf("%08lx: %s\n", (unsigned long)address, arch_fault_text());
			return;
		}
		printf("%08lx: %08lx\n", (unsigned long)address, (unsigned long)word);
	}
}

static void command_selftest(int argc, char **argv)
{
	uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 1;
	uint32_t begin = tick_count;
	uint32_t crc;

	if (argc > 1 && strcmp(argv[1], "library") == 0) {
		printf("selftest: library crc %08lx\n", (unsigned long)selftest_library());
		return;
	}
	crc = selftest_run(rounds);
	printf("selftest: crc %08lx rounds %lu ticks %lu\n", (unsigned long)crc,
	       (unsigned long)rounds, (unsigned long)(tick_count - begin));
}

static void victim_main(void *arg)
{
	const char *name = arg;

	if (arch_fault_raise(name))
		say("fault: '%s' did not fault on this board\n", name);
	else
		say("fault: one of %s\n", arch_fault_names);
}

static void command_fault(int argc, char **argv)
{
	static uint64_t stack[256];
	static char name[12];

	snprintf(name, sizeof(name), "%s", argc > 1 ? argv[1] : "");
	if (!task_create("victim", PRIORITY_MONITOR, victim_main, name, stack, sizeof(stack)))
		printf("fault: no free task\n");
	task_sleep_ms(10); /* it is more urgent: done by now */
}

static void command_com2(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		console_write(1, argv[i], strlen(argv[i]));
		console_write(1, i + 1 < argc ? " " : "\r\n", i + 1 < argc ? 1 : 2);
	}
}

static void command_reboot(int argc, char **argv)
{
	printf("restarting\n");
	if (argc > 1 && strcmp(argv[1], "cold") == 0)
		board_restart_cold();
	board_restart_warm();
}

static void command_off(int argc, char **argv)
{
	board_power_off(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0);
}

#ifdef DEMO_STATION
static void command_station(int argc, char **argv)
{
	const struct station_counters *s = &station_counters;

	station_run(argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 1);
	printf("station: cycles %lu stored %lu memory %lu timeout %lu nak %lu short %lu dma %lu "
	       "damaged %lu range %lu queue %lu flash %lu full %lu clock %lu\n",
	       (unsigned long)s->cycles, (unsigned long)s->stored, (unsigned long)s->no_memory,
	       (unsigned long)s->timeouts, (unsigned long)s->naks, (unsigned long)s->short_reads,
	       (unsigned long)s->dma_errors, (unsigned long)s->damaged,
	       (unsigned long)s->out_of_range, (unsigned long)s->queue_full,
	       (unsigned long)s->flash_errors, (unsigned long)s->log_full,
	       (unsigned long)s->clock_errors);
}
#endif

/* An agent that stops the firmware can end this: stop/stop.elf. */
#ifdef DP_PROFILE
static volatile bool shell_hangs;

/* Tasks below the shell do not run meanwhile, so nobody polls for the agent. */
PROBE_TARGET static void hang(void)
{
	shell_hangs = true;
	while (shell_hangs)
		;
}

static void command_hang(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	hang();
	printf("hang: over\n");
}
#endif

static void command_help(int argc, char **argv);

static const struct command commands[] = {
	{"help", "", "this list", command_help},
	{"ps", "", "tasks", command_ps},
	{"load", "[on|off]", "turn the workload up or down", command_load},
	{"stats", "", "counters", command_stats},
	{"line", "[BAUD]", "lost interrupts and characters; give the UARTs a rate", command_line},
	{"mask", "US", "mask interrupts for so long", command_mask},
	{"talk", "KIND [ROUNDS [LOUD]]", "text by a polled or an interrupt driver", command_talk},
	{"peek", "ADDRESS [WORDS]", "read memory, also where there is none", command_peek},
	{"selftest", "[ROUNDS|library]", "CRC of a deterministic workload", command_selftest},
#ifdef DEMO_STATION
	{"station", "[CYCLES]", "work of the measuring station, and its failures", command_station},
#endif
	{"fault", "KIND", "a task that faults: read write null undef jump", command_fault},
#ifdef DP_PROFILE
	{"hang", "", "loop until the variable shell_hangs is 0", command_hang},
#endif
	{"com2", "TEXT", "write a line to com2", command_com2},
	{"reboot", "[cold]", "restart warm (RAM is kept), or cold", command_reboot},
	{"off", "[STATUS]", "end the run", command_off},
};

static void command_help(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		printf("%-8s %-16s %s\n", commands[i].name, commands[i].arguments,
		       commands[i].help);
}

static int split(char *line, char **words)
{
	char *word = strtok(line, " \t");
	int n = 0;

	while (word && n < WORDS_MAX) {
		words[n++] = word;
		word = strtok(NULL, " \t");
	}
	return n;
}

PROBE_TARGET void shell_exec(char *line)
{
	char *argv[WORDS_MAX];
	int argc = split(line, argv);

	if (argc == 0 || argv[0][0] == '~') /* `~dprobes remove`: the agent has read it */
		return;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(argv[0], commands[i].name) == 0) {
			commands[i].run(argc, argv);
			return;
		}
	}
	printf("unknown command '%s'; try help\n", argv[0]);
}

/* Read a line with echo and backspace. */
static void read_line(char *line)
{
	size_t n = 0;

	for (;;) {
		int c = console_get(0);

		if (c == '\r' || c == '\n') {
			console_write(0, "\n", 1);
			line[n] = '\0';
			return;
		}
		if ((c == '\b' || c == 0x7f) && n > 0) {
			n--;
			console_write(0, "\b \b", 3);
		} else if (c >= ' ' && c < 0x7f && n < LINE_BYTES - 1) {
			line[n++] = (char)c;
			console_write(0, &line[n - 1], 1);
		}
	}
}

static void shell_main(void *arg)
{
	char line[LINE_BYTES];

	(void)arg;
	for (;;) {
		printf(PROMPT);
		fflush(stdout);
		read_line(line);
		shell_exec(line);
		fflush(stdout);
	}
}

void shell_create(void)
{
	static uint64_t stack[LIBRARY_STACK_WORDS];

	task_create("shell", PRIORITY_SHELL, shell_main, NULL, stack, sizeof(stack));
}
