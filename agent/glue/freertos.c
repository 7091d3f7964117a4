/* SPDX-License-Identifier: BSD-2-Clause */
/* Glue for FreeRTOS: a task that polls, names of tasks in records, the tick as time. Beside the
 * settings of dprobes_start.h:
 *   DPROBES_PRIORITY    of the task; default: the highest, or nobody hears the agent under load
 *   DPROBES_STACK       of the task, as xTaskCreate counts; default configMINIMAL_STACK_SIZE + 256
 *   DPROBES_IDLE_TICKS  the task polls at least so often; default 1
 * FreeRTOSConfig.h: INCLUDE_xTaskGetCurrentTaskHandle and configUSE_TASK_NOTIFICATIONS are 1. The
 * receive interrupt calls dprobes_rx at or below configMAX_API_CALL_INTERRUPT_PRIORITY. */
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
#define DPROBES_IDLE_TICKS 1
#endif
#ifndef DPROBES_TICK_HZ
#define DPROBES_TICK_HZ configTICK_RATE_HZ
#define DPROBES_TICKS() xTaskGetTickCountFromISR()
#endif

static TaskHandle_t agent_task;

static DPROBES_CODE void current_task(struct dprobes_task *now)
{
	TaskHandle_t task = xTaskGetCurrentTaskHandle();

	now->task = (dprobes_word)(uintptr_t)task;
	if (task != NULL)
		now->name = pcTaskGetName(task);
}

/* From dprobes_rx: the receive interrupt. */
static DPROBES_CODE void wake(void)
{
	BaseType_t woken = pdFALSE;

	if (agent_task != NULL)
		vTaskNotifyGiveFromISR(agent_task, &woken);
	portYIELD_FROM_ISR(woken);
}

#define DPROBES_TASK current_task
#define DPROBES_WAKE wake
#include "dprobes_settled.h"

static void agent_main(void *unused)
{
	(void)unused;
	for (;;) {
		dprobes_poll();
		ulTaskNotifyTake(pdTRUE, DPROBES_IDLE_TICKS);
	}
}

/* Before vTaskStartScheduler, interrupts masked. */
int dprobes_start(void)
{
	int error = start_agent();

	if (error == 0 && xTaskCreate(agent_main, "dprobes", DPROBES_STACK, NULL, DPROBES_PRIORITY,
				      &agent_task) != pdPASS)
		return -1;
	return error;
}
