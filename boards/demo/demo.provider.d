/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes of the demo kernel by their meaning. The build puts this file beside each demo.elf, where
 * dprobes looks for it. The guide is "Provider files" in host/lang/d/D.md. */

/* A kernel that is built with DEMO_HOOKS has static hooks (hooks.h). These declarations come first,
 * and those below have the same names for a kernel without hooks. */
provider sched {
	probe on__cpu(struct task *task, string name) :
		sdt:::on-cpu ((struct task *)arg0, stringof(((struct task *)arg0)->name));
	probe off__cpu(struct task *task, string name) :
		sdt:::off-cpu ((struct task *)arg0, stringof(((struct task *)arg0)->name));
	probe sleep(unsigned ms);
	probe wakeup(struct task *task, string name) :
		sdt:::wakeup ((struct task *)arg0, stringof(((struct task *)arg0)->name));
};

provider queue {
	probe send(struct queue *queue, struct msg *message, unsigned waiting);
	/* Functions of the firmware may refuse the message: exits.c. */
	probe admit(struct queue *queue, struct msg *message, bool *fits);
	probe full(struct queue *queue, struct msg *message);
	probe receive(struct queue *queue, unsigned waiting);
	/* The checksum of a message, once more, where somebody asks for it. */
	probe sum(struct queue *queue, unsigned again, unsigned sum);
};

provider isr {
	/* The interrupt begins and ends, whatever its handler is. */
	probe entry(void) : sdt:::enter;
	probe return(void) : sdt:::leave;
	probe tick(unsigned number);
};

provider sched {
	/* A task gets the CPU, or gives it to another one. */
	probe on__cpu(struct task *task, string name) :
		fbt::sched_switch:entry /from != to/ (to, stringof(to->name));
	probe off__cpu(struct task *task, string name) :
		fbt::sched_switch:entry /from != to/ (from, stringof(from->name));
	/* The running task asks for a sleep. */
	probe sleep(unsigned ms) : fbt::task_sleep_ms:entry (ms);
	/* Somebody ends the sleep of a task. */
	probe wakeup(struct task *task, string name) :
		fbt::task_rouse:entry (t, stringof(t->name));
};

provider queue {
	/* A message for a queue, which has `waiting` messages before it. */
	probe send(struct queue *queue, struct msg *message, unsigned waiting) :
		fbt::queue_put:entry (q, m, q->count);
	/* The queue has no room for the message. */
	probe full(struct queue *queue, struct msg *message) :
		fbt::queue_put:entry /q->count >= q->size/ (q, m);
	/* A task asks for a message, or for all that wait. */
	probe receive(struct queue *queue, unsigned waiting) :
		fbt::queue_get:entry, fbt::queue_get_batch:entry (q, q->count);
};

/* newlib has no debug information: arguments stand where the calling convention puts them. */
provider mem {
	probe alloc(unsigned long bytes) : fbt::_malloc_r:entry (arg1);
	/* free(NULL) is legal, and frees nothing. */
	probe free(void *memory) : fbt::_free_r:entry /arg1 != 0/ (arg1);
};

provider isr {
	/* The handler of an interrupt begins and ends; probefunc is its name. */
	probe entry(void) : fbt::timer_isr:entry, fbt::sensor_isr:entry, fbt::uart_isr:entry;
	probe return(void) : fbt::timer_isr:return, fbt::sensor_isr:return, fbt::uart_isr:return;
	/* The tick of the kernel, with its number. */
	probe tick(unsigned number) : fbt::timer_isr:entry (tick_count + 1);
};
