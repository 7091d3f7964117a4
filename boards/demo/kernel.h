/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small preemptive kernel: fixed priorities, round robin among equals, sleep, semaphores.
 * Scheduling happens in exception context only (kernel_irq, kernel_trap, kernel_fault).
 */
#ifndef DEMO_KERNEL_H
#define DEMO_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch.h"
#include "lateness.h"

#define TICK_HZ     1000u
#define TASK_MAX    16u
#define SLICE_TICKS 4u

/* Keep a function whole and callable, so that a probe has something to stand on. */
#define PROBE_TARGET __attribute__((noinline, noclone))

/* Higher runs first. */
enum priority {
	PRIORITY_IDLE,
	PRIORITY_WORK, /* load tasks and the sensor task share the CPU in turns */
	PRIORITY_LOG,
	PRIORITY_ECHO,
	PRIORITY_AGENT,
	PRIORITY_SHELL,
	PRIORITY_CALIBRATE,
	PRIORITY_MONITOR,
	PRIORITY_COUNT
};

enum task_state {
	TASK_FREE,
	TASK_READY,
	TASK_RUNNING,
	TASK_SLEEPING,
	TASK_WAITING,
	TASK_ENDED,
};

struct task {
	struct arch_context context; /* first: the exception entries save here */
	const char *name;
	struct task *next; /* in a ready list or a wait list */
	uint32_t id;       /* from 1 */
	uint32_t wake_tick;
	uint32_t switches; /* times it was switched to */
	uint32_t ticks;    /* ticks that found it running */
	uint8_t priority;
	uint8_t state; /* enum task_state */
	uint8_t slice; /* ticks left before an equal gets its turn */
	void *stack;
	size_t stack_bytes;
};

struct task_list {
	struct task *first, *last;
};

struct semaphore {
	unsigned count;
	struct task_list waiters;
};

extern struct task *task_current;
extern struct task task_table[TASK_MAX];
extern volatile uint32_t tick_count;
extern uint32_t switch_count;
extern struct lateness tick_lateness;

/* Always zero, but the compiler cannot know: for NULL accesses on purpose. */
extern volatile uintptr_t kernel_zero;

/* Make a task ready. The stack is the caller's and lives as long as the task; a task may end by
 * returning from entry. A slot whose task ended is used again.
 * returns: the task, or NULL when the table is full. Context: start-up or a task. */
struct task *task_create(const char *name, enum priority priority, void (*entry)(void *), void *arg,
			 void *stack, size_t stack_bytes);

/* Let an equal run first. */
void task_yield(void);

/* context: a task. Sleeps at least ms milliseconds. */
void task_sleep_ms(unsigned ms);

/* End the sleep of a task; nothing for a task that does not sleep. context: any; with interrupts
 * off and in an interrupt handler the task runs later. */
void task_rouse(struct task *t);

/* Stop being. */
_Noreturn void task_exit(void);

/* "ready", "waiting" ... */
const char *task_state_name(const struct task *t);

/* Wait lists. All with interrupts off; task_wait sleeps until task_wake_one and returns with
 * interrupts off again; task_wake_one only marks, sched_preempt() afterwards makes it count.
 * task_wake_one returns false when nobody waits. */
void task_wait(struct task_list *list);
bool task_wake_one(struct task_list *list);

/* Run a more urgent task now, if there is one. In an interrupt handler a no-op: the exit does it.
 * With interrupts off too: the caller wants no switch; the next interrupt does it. context: any. */
void sched_preempt(void);

/* The one place where the running task changes. context: exception, interrupts off. */
void sched_switch(struct task *from, struct task *to);

/* sem_take: a task. sem_give: a task or an interrupt handler. */
void sem_take(struct semaphore *s);
void sem_give(struct semaphore *s);

/* True in interrupt handlers and before the first task: nobody may sleep. */
bool kernel_in_exception(void);

/* Interrupt handlers, called by board_irq. */
void timer_isr(void);
void sensor_isr(void);
void uart_isr(unsigned com);

/* Called by the CPU's exception entries, interrupts off; task_current is resumed afterwards. */
void kernel_irq(void);
void kernel_trap(void);
void kernel_fault(void); /* the running task faulted: report and end it */

/* Print why and stop the board with status 3. */
_Noreturn void kernel_panic(const char *why);

/* Start the tick and the most urgent task. context: start-up, when all tasks exist. */
_Noreturn void kernel_go(void);

/* Entry from the start-up code: interrupts off, address map on, RAM initialised. */
_Noreturn void kernel_main(void);

#endif
