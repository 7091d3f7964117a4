/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes of FreeRTOS by their meaning, in an unchanged kernel. A probe whose functions the kernel was
 * built without matches nothing. The guide is "Provider files" in D.md. */

provider sched {
	/* A task gets the CPU; a task that runs on gets the CPU again. */
	probe on__cpu(struct tskTaskControlBlock *task, string name) :
		fbt::vTaskSwitchContext:return
		(`pxCurrentTCB, stringof(`pxCurrentTCB->pcTaskName));
	/* The scheduler looks for the next task: this one gives the CPU, or runs on. */
	probe off__cpu(struct tskTaskControlBlock *task, string name) :
		fbt::vTaskSwitchContext:entry
		(`pxCurrentTCB, stringof(`pxCurrentTCB->pcTaskName));
	/* The running task asks for a sleep of so many ticks. */
	probe sleep(unsigned long ticks) : fbt::vTaskDelay:entry (arg0);
	/* A task waits until a moment, which is the time of its last wake-up plus the increment. */
	probe sleep__until(unsigned long increment) : fbt::xTaskDelayUntil:entry (arg1);
	/* A task is made ready that waits for a notification. */
	probe wakeup(struct tskTaskControlBlock *task) :
		fbt::xTaskGenericNotify:entry, fbt::xTaskGenericNotifyFromISR:entry,
		fbt::vTaskGenericNotifyGiveFromISR:entry (arg0);
};

/* Semaphores and mutexes are queues of FreeRTOS: give is send, and take has functions of its own. */
provider queue {
	probe send(struct QueueDefinition *queue) :
		fbt::xQueueGenericSend:entry, fbt::xQueueGenericSendFromISR:entry,
		fbt::xQueueGiveFromISR:entry (arg0);
	probe receive(struct QueueDefinition *queue) :
		fbt::xQueueReceive:entry, fbt::xQueueReceiveFromISR:entry (arg0);
	probe take(struct QueueDefinition *queue) : fbt::xQueueSemaphoreTake:entry (arg0);
	/* The call could not send: the queue was full until its time was over. */
	probe full(void) :
		fbt::xQueueGenericSend:return, fbt::xQueueGenericSendFromISR:return,
		fbt::xQueueGiveFromISR:return /arg1 != 1/;
};

provider mem {
	probe alloc(unsigned long bytes) : fbt::pvPortMalloc:entry (arg0);
	/* The memory that alloc got; null: there was none. */
	probe got(void *memory) : fbt::pvPortMalloc:return (arg1);
	/* Freeing NULL is legal, and frees nothing. */
	probe free(void *memory) : fbt::vPortFree:entry /arg0 != 0/ (arg0);
};

provider isr {
	/* The tick of the kernel, with its number; with a suspended scheduler the tick is only
	 * counted, and has the number of the next one. */
	probe tick(unsigned long number) : fbt::xTaskIncrementTick:entry (`xTickCount + 1);
	/* The handler of the tick, under the names that ports and their configurations give it. */
	probe entry(void) :
		fbt::xPortSysTickHandler:entry, fbt::SysTick_Handler:entry,
		fbt::FreeRTOS_Tick_Handler:entry;
};
