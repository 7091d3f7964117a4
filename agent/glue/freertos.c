/* SPDX-License-Identifier: BSD-2-Clause */
/* Glue for FreeRTOS: a task that polls, names of tasks in records, the tick as time. Beside the
 * settings of dprobes_start.h:
 *   DPROBES_PRIORITY    of the task; default: the highest, so that the agent answers under load
 *   DPROBES_STACK       of the task, as xTaskCreate counts; default configMINIMAL_STACK_SIZE + 256
 *   DPROBES_IDLE_TICKS  the longest time that a record waits; default 50 ms
 * FreeRTOSConfig.h: INCLUDE_xTaskGetCurrentTaskHandle and configUSE_TASK_NOTIFICATIONS are 1.
 * The receive interrupt calls dprobes_rx at or below configMAX_API_CALL_INTERRUPT_PRIORITY. A hit
 * reads the tick by xTaskGetTickCountFromISR, which may assert in an interrupt above that priority.
 * Samples (profile of D) need a hardware timer of their own, because the tick hook does not get the
 * interrupted pc: DPROBES_SAMPLE_HZ is its rate, and its handler calls dprobes_sample.
 * To probe interrupts above that priority, set DPROBES_TICK_HZ to the rate of the CPU's counter. */
#include "FreeRTOS.h"
#include "task.h"

#include "dprobes.h"
#include "dprobes_settings.h"

#ifndef DPROBES_PRIORITY
#define DPROBES_PRIORITY (configMAX_PRIORITIES - 1)
#endif
#ifndef DPROBES_STACK
#define DPROBES_STACK (configMINIMAL_STACK_SIZE + 256)
#endif
#ifndef DPROBES_IDLE_TICKS
#define DPROBES_IDLE_TICKS (pdMS_TO_TICKS(50) + 1) /* never 0, which would not wait */
#endif
static TaskHandle_t agent_task;

#ifndef DPROBES_TICK_HZ
#define DPROBES_TICK_HZ configTICK_RATE_HZ
#define DPROBES_TICKS() wide_ticks()

enum {
	DP_TICK_BITS = sizeof(TickType_t) * 8
};

/* The number of half ranges that the tick count has passed. The tick count wraps (32 bits at 1 kHz:
 * after 49 days). The number's lowest bit equals the tick count's highest bit when the number is up
 * to date. The task updates the number; a hit may find the number one behind. */
static volatile uint32_t half;

static DPROBES_CODE uint32_t half_of(uint32_t counted, TickType_t now)
{
	return counted + ((counted ^ (uint32_t)(now >> (DP_TICK_BITS - 1))) & 1);
}

static DPROBES_CODE uint64_t wide_ticks(void)
{
	uint32_t counted = half; /* read before the tick, so never ahead of the tick */
	TickType_t now = xTaskGetTickCountFromISR();

	if (DP_TICK_BITS == 64)
		return now;
	return (uint64_t)(half_of(counted, now) >> 1) << (DP_TICK_BITS % 64) | now;
}

static void count_halves(void)
{
	half = half_of(half, xTaskGetTickCountFromISR());
}
#else
static void count_halves(void)
{
}
#endif

static DPROBES_CODE void current_task(struct dprobes_task *now)
{
	TaskHandle_t task = xTaskGetCurrentTaskHandle();

	now->task = (dprobes_word)(uintptr_t)task;
	if (task != NULL)
		now->name = pcTaskGetName(task);
}

/* From dprobes_rx: the receive interrupt. */
static DPROBES_CODE void agent_wake(void)
{
	BaseType_t woken = pdFALSE;

	if (agent_task != NULL)
		vTaskNotifyGiveFromISR(agent_task, &woken);
	portYIELD_FROM_ISR(woken);
}

#define DPROBES_TASK current_task
#define DPROBES_WAKE agent_wake
#include "dprobes_settled.h"

static void agent_main(void *unused)
{
	(void)unused;
	for (;;) {
		count_halves();
		ulTaskNotifyTake(pdTRUE, dprobes_poll() ? 1 : DPROBES_IDLE_TICKS);
	}
}

/* Create the task, then start the agent: without polls an agent would keep the received bytes.
 * Without an agent a poll does nothing.
 * Context: before vTaskStartScheduler, interrupts masked.
 * Returns as dprobes_init does, or -1 without room for the task. */
int dprobes_start(void)
{
	if (xTaskCreate(agent_main, "dprobes", DPROBES_STACK, NULL, DPROBES_PRIORITY,
			&agent_task) != pdPASS)
		return -1;
	return start_agent();
}
