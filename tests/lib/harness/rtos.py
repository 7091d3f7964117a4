# SPDX-License-Identifier: BSD-2-Clause
"""FreeRTOS and NuttX as their documentation declares them: what agent/glue/ uses, and nothing else. STANDING is none: its tick
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
NUTTX = {
    "nuttx/config.h": "#define SCHED_PRIORITY_MAX 255\n",
    "nuttx/clock.h": """\
#include <stdint.h>
typedef uint64_t clock_t;
#define TICK_PER_SEC     1000
#define MSEC2TICK(msec)  (msec)
clock_t clock_systime_ticks(void);
""",
    "nuttx/irq.h": """\
#include <stdint.h>
typedef uint32_t irqstate_t;
irqstate_t enter_critical_section(void);
void leave_critical_section(irqstate_t flags);
""",
    "nuttx/kthread.h": """\
typedef int (*main_t)(int argc, char *argv[]);
int kthread_create(const char *name, int priority, int stack_size, main_t entry, char *const argv[]);
""",
    "nuttx/sched.h": """\
typedef int pid_t;
struct tcb_s {
	pid_t pid;
	char name[32];
};
struct tcb_s *nxsched_self(void);
#define get_task_name(tcb) ((tcb)->name)
""",
    "nuttx/semaphore.h": """\
#include <stdint.h>
typedef struct sem_s {
	int count;
} sem_t;
int nxsem_init(sem_t *sem, int pshared, unsigned int value);
int nxsem_post(sem_t *sem);
int nxsem_tickwait(sem_t *sem, uint32_t delay);
""",
    "fcntl.h": "#define O_RDWR 3\n#define O_CLOEXEC 1024\n",
    "nuttx/fs/fs.h": """\
struct inode {
	void *i_private;
};
struct file {
	struct inode *f_inode;
};
int file_open(struct file *filep, const char *path, int oflags, ...);
int file_close(struct file *filep);
""",
    "nuttx/serial/serial.h": """\
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
struct uart_buffer_s {
	volatile int16_t head, tail;
	int16_t size;
	char *buffer;
};
struct uart_dev_s;
struct uart_ops_s {
	int (*receive)(struct uart_dev_s *dev, unsigned int *status);
	bool (*rxavailable)(struct uart_dev_s *dev);
	void (*send)(struct uart_dev_s *dev, int ch);
	void (*txint)(struct uart_dev_s *dev, bool enable);
	bool (*txready)(struct uart_dev_s *dev);
	int (*recvbuf)(struct uart_dev_s *dev, char *buffer, size_t bytes);
	int (*sendbuf)(struct uart_dev_s *dev, const char *buffer, size_t bytes);
};
typedef struct uart_dev_s {
	struct uart_buffer_s xmit, recv;
	const struct uart_ops_s *ops;
} uart_dev_t;
void uart_datasent(uart_dev_t *dev);
void uart_datareceived(uart_dev_t *dev);
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


def write_nuttx(folder):
    for name, text in NUTTX.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("#pragma once\n" + text)
