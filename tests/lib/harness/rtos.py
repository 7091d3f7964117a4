# SPDX-License-Identifier: BSD-2-Clause
"""FreeRTOS as its documentation declares it: what agent/glue/freertos.c uses, and nothing else. STANDING is none: its tick
stands still, as before vTaskStartScheduler, and main calls dprobes_poll in place of the task."""

HEADERS = {
    "FreeRTOS.h": """\
#ifndef FREERTOS_H
#define FREERTOS_H

#include <stddef.h>
#include <stdint.h>
typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;
typedef uint16_t configSTACK_DEPTH_TYPE;
#define pdFALSE                  ((BaseType_t)0)
#define pdTRUE                   ((BaseType_t)1)
#define pdPASS                   pdTRUE
#define configTICK_RATE_HZ       ((TickType_t)1000)
#define pdMS_TO_TICKS(ms)        ((TickType_t)(((TickType_t)(ms)*configTICK_RATE_HZ) / (TickType_t)1000U))
#define configMINIMAL_STACK_SIZE 128
#define configMAX_PRIORITIES     5
void vPortYield(void);
#define portYIELD_FROM_ISR(woken)                                                                  \\
	do {                                                                                       \\
		if ((woken) != pdFALSE)                                                            \\
			vPortYield();                                                              \\
	} while (0)

#endif
""",
    "task.h": """\
#ifndef TASK_H
#define TASK_H

#include "FreeRTOS.h"

typedef struct tskTaskControlBlock *TaskHandle_t;
typedef void (*TaskFunction_t)(void *);
BaseType_t xTaskCreate(TaskFunction_t code, const char *name, configSTACK_DEPTH_TYPE words,
		       void *parameters, UBaseType_t priority, TaskHandle_t *created);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
char *pcTaskGetName(TaskHandle_t task);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks);
TickType_t xTaskGetTickCountFromISR(void);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken);

#endif
""",
}
STANDING = """\
#include "FreeRTOS.h"
#include "task.h"

void vPortYield(void)
{
}

BaseType_t xTaskCreate(TaskFunction_t code, const char *name, configSTACK_DEPTH_TYPE words,
		       void *parameters, UBaseType_t priority, TaskHandle_t *created)
{
	(void)code, (void)name, (void)words, (void)parameters, (void)priority;
	*created = 0;
	return pdPASS;
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
	return 0;
}

char *pcTaskGetName(TaskHandle_t task)
{
	(void)task;
	return 0;
}

uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks)
{
	(void)clear, (void)ticks;
	return 0;
}

__attribute__((section("dprobes_text"))) TickType_t xTaskGetTickCountFromISR(void)
{
	return 0;
}

void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken)
{
	(void)task, (void)woken;
}
"""


def write(folder, *names):
    """Files of these names; default: the headers."""
    for name in names or HEADERS:
        (folder / name).write_text(HEADERS.get(name, STANDING))
