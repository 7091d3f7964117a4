/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedule tasks: priorities, round robin, sleep and semaphores. */
#include "kernel.h"

#include "agent_glue.h"
#include "board.h"
#include "console.h"
#include "critical.h"
#include "hooks.h"
#include "talk.h"
#include "uart_rate.h"

struct task task_table[TASK_MAX];
struct task *task_current;
volatile uint32_t tick_count;
uint32_t switch_count;
struct lateness tick_lateness;
volatile uintptr_t kernel_zero;

static struct task_list ready[PRIORITY_COUNT];
static unsigned exception_depth = 1; /* start-up counts as one */

static void list_append(struct task_list *list, struct task *t)
{
	t->next = NULL;
	if (list->first)
		list->last->next = t;
	else
		list->first = t;
	list->last = t;
}

static void list_prepend(struct task_list *list, struct task *t)
{
	t->next = list->first;
	if (!list->first)
		list->last = t;
	list->first = t;
}

static struct task *list_take(struct task_list *list)
{
	struct task *t = list->first;

	if (t)
		list->first = t->next;
	return t;
}

static void make_ready(struct task *t)
{
	t->state = TASK_READY;
	list_append(&ready[t->priority], t);
}

/* The idle task is always ready or running, so something is found. */
static unsigned ready_priority(void)
{
	unsigned p = PRIORITY_COUNT - 1;

	while (p > PRIORITY_IDLE && !ready[p].first)
		p--;
	return p;
}

PROBE_TARGET void sched_switch(struct task *from, struct task *to)
{
	if (from != to) {
		switch_count++;
		DPROBES_HOOK(sched, off__cpu, from);
	}
	DPROBES_HOOK(sched, on__cpu, to);
	to->state = TASK_RUNNING;
	to->switches++;
	task_current = to;
}

/* Decide who runs. A task that still may run keeps the CPU against equals until its slice is
 * used up. */
static void sched_run(void)
{
	struct task *from = task_current;
	unsigned best = ready_priority();

	if (from->state == TASK_RUNNING) {
		if (best < from->priority || !ready[best].first)
			return;
		if (best == from->priority && from->slice > 0)
			return;
		from->state = TASK_READY;
		if (from->slice > 0)
			list_prepend(&ready[from->priority], from);
		else
			list_append(&ready[from->priority], from);
		best = ready_priority();
	}
	struct task *to = list_take(&ready[best]);

	if (to->slice == 0)
		to->slice = SLICE_TICKS;
	sched_switch(from, to);
}

bool kernel_in_exception(void)
{
	return exception_depth > 0;
}

PROBE_TARGET void timer_isr(void)
{
	uint32_t now = tick_count + 1;

	DPROBES_HOOK_CALL(isr, tick, now);
	lateness_note(&tick_lateness); /* reads board_clock(), which keeps its 64 bits together */
	tick_count = now;
	task_current->ticks++;
	if (task_current->slice > 0)
		task_current->slice--;
	for (unsigned i = 0; i < TASK_MAX; i++) {
		struct task *t = &task_table[i];

		if (t->state == TASK_SLEEPING && (int32_t)(now - t->wake_tick) >= 0)
			make_ready(t);
	}
	uart_rate_tick();
	critical_tick();
	talk_tick();
	agent_sample();
}

void kernel_irq(void)
{
	exception_depth++;
	DPROBES_HOOK(isr, enter);
	board_irq();
	DPROBES_HOOK(isr, leave);
	exception_depth--;
	sched_run();
}

void kernel_trap(void)
{
	sched_run();
}

void kernel_fault(void)
{
	struct task *t = task_current;

	agent_fault();
	exception_depth++;
	say("\ntask %s: %s at 0x%08lx; the task ends\n", t->name, arch_fault_text(),
	    (unsigned long)arch_context_pc(&t->context));
	arch_context_print(&t->context);
	exception_depth--;
	if (t->priority == PRIORITY_IDLE)
		kernel_panic("the idle task faulted");
	t->state = TASK_ENDED;
	sched_run();
}

_Noreturn void kernel_panic(const char *why)
{
	arch_irq_save();
	agent_fault();
	exception_depth++;
	say("\nkernel: panic: %s\n", why);
	board_power_off(3);
}

/* entry(arg) of a task, so that it may return. */
struct start {
	void (*entry)(void *);
	void *arg;
};

static void task_start(void *p)
{
	struct start *s = p;

	s->entry(s->arg);
	task_exit();
}

struct task *task_create(const char *name, enum priority priority, void (*entry)(void *), void *arg,
			 void *stack, size_t stack_bytes)
{
	struct task *t = NULL;
	struct start *s;
	unsigned state = arch_irq_save();

	for (unsigned i = 0; i < TASK_MAX && !t; i++) {
		if (task_table[i].state == TASK_FREE || task_table[i].state == TASK_ENDED) {
			t = &task_table[i];
			t->id = i + 1; /* the agent takes 0 for no number */
		}
	}
	if (t) {
		/* The arguments wait at the far end of the task's own stack. */
		s = (struct start *)(((uintptr_t)stack + stack_bytes - sizeof(*s)) &
				     ~(uintptr_t)15);
		s->entry = entry;
		s->arg = arg;
		t->name = name;
		t->priority = (uint8_t)priority;
		t->slice = SLICE_TICKS;
		t->switches = 0;
		t->ticks = 0;
		t->stack = stack;
		t->stack_bytes = stack_bytes;
		arch_context_init(&t->context, task_start, s, s);
		make_ready(t);
	}
	arch_irq_restore(state);
	return t;
}

void task_yield(void)
{
	unsigned state = arch_irq_save();

	task_current->slice = 0;
	arch_trap();
	arch_irq_restore(state);
}

PROBE_TARGET void task_sleep_ms(unsigned ms)
{
	unsigned state = arch_irq_save();

	DPROBES_HOOK(sched, sleep, ms);
	/* The current tick is partly over: one more makes it "at least". */
	task_current->wake_tick = tick_count + ms * TICK_HZ / 1000 + 1;
	task_current->state = TASK_SLEEPING;
	arch_trap();
	arch_irq_restore(state);
}

PROBE_TARGET void task_rouse(struct task *t)
{
	unsigned state = arch_irq_save();

	DPROBES_HOOK(sched, wakeup, t);
	if (t->state == TASK_SLEEPING)
		make_ready(t);
	arch_irq_restore(state);
	sched_preempt();
}

_Noreturn void task_exit(void)
{
	arch_irq_save();
	task_current->state = TASK_ENDED;
	arch_trap();
	for (;;)
		; /* nobody resumes an ended task */
}

const char *task_state_name(const struct task *t)
{
	static const char *const names[] = {"free",     "ready",   "running",
					    "sleeping", "waiting", "ended"};

	return names[t->state];
}

void task_wait(struct task_list *list)
{
	task_current->state = TASK_WAITING;
	list_append(list, task_current);
	arch_trap();
}

bool task_wake_one(struct task_list *list)
{
	struct task *t = list_take(list);

	if (t)
		make_ready(t);
	return t != NULL;
}

void sched_preempt(void)
{
	if (!kernel_in_exception() && !arch_irq_masked() &&
	    ready_priority() > task_current->priority)
		arch_trap();
}

PROBE_TARGET void sem_take(struct semaphore *s)
{
	unsigned state = arch_irq_save();

	if (s->count > 0)
		s->count--;
	else
		task_wait(&s->waiters); /* the giver hands its unit over */
	arch_irq_restore(state);
}

PROBE_TARGET void sem_give(struct semaphore *s)
{
	unsigned state = arch_irq_save();

	if (!task_wake_one(&s->waiters))
		s->count++;
	arch_irq_restore(state);
	sched_preempt();
}

_Noreturn void kernel_go(void)
{
	task_current = list_take(&ready[ready_priority()]);
	task_current->state = TASK_RUNNING;
	board_tick_start(TICK_HZ);
	lateness_start(&tick_lateness, board_clock_hz() / TICK_HZ);
	exception_depth = 0;
	arch_start();
}
