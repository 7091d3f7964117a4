/* SPDX-License-Identifier: BSD-2-Clause */
/* Static hooks for FreeRTOS, by the trace macros of its kernel: at the end of FreeRTOSConfig.h
 * write #include "freertos_hooks.h". The installed freertos.provider.d gives them the names and
 * types that it has for a kernel without hooks. Hooks work in critical sections and in interrupts
 * alike. Where your configuration defines one of these macros, that one stays. */
#ifndef DPROBES_FREERTOS_HOOKS_H
#define DPROBES_FREERTOS_HOOKS_H

#include "dprobes_hook.h"

#ifndef traceTASK_SWITCHED_IN
#define traceTASK_SWITCHED_IN() DPROBES_HOOK(sched, on__cpu, pxCurrentTCB)
#endif
#ifndef traceTASK_SWITCHED_OUT
#define traceTASK_SWITCHED_OUT() DPROBES_HOOK(sched, off__cpu, pxCurrentTCB)
#endif
#ifndef traceTASK_CREATE
#define traceTASK_CREATE(task) DPROBES_HOOK(sched, create, task)
#endif
#ifndef traceTASK_DELETE
#define traceTASK_DELETE(task) DPROBES_HOOK(sched, remove, task)
#endif
#ifndef traceTASK_DELAY
#define traceTASK_DELAY() DPROBES_HOOK(sched, sleep, xTicksToDelay)
#endif
#ifndef traceTASK_INCREMENT_TICK
#define traceTASK_INCREMENT_TICK(number) DPROBES_HOOK(isr, tick, number)
#endif

#ifndef traceQUEUE_SEND
#define traceQUEUE_SEND(object) DPROBES_HOOK(queue, send, object)
#endif
#ifndef traceQUEUE_SEND_FROM_ISR
#define traceQUEUE_SEND_FROM_ISR(object) DPROBES_HOOK(queue, send, object)
#endif
#ifndef traceQUEUE_SEND_FAILED
#define traceQUEUE_SEND_FAILED(object) DPROBES_HOOK(queue, full, object)
#endif
#ifndef traceQUEUE_SEND_FROM_ISR_FAILED
#define traceQUEUE_SEND_FROM_ISR_FAILED(object) DPROBES_HOOK(queue, full, object)
#endif
#ifndef traceQUEUE_RECEIVE
#define traceQUEUE_RECEIVE(object) DPROBES_HOOK(queue, receive, object)
#endif
#ifndef traceQUEUE_RECEIVE_FROM_ISR
#define traceQUEUE_RECEIVE_FROM_ISR(object) DPROBES_HOOK(queue, receive, object)
#endif
#ifndef traceQUEUE_RECEIVE_FAILED
#define traceQUEUE_RECEIVE_FAILED(object) DPROBES_HOOK(queue, empty, object)
#endif
#ifndef traceQUEUE_RECEIVE_FROM_ISR_FAILED
#define traceQUEUE_RECEIVE_FROM_ISR_FAILED(object) DPROBES_HOOK(queue, empty, object)
#endif

#ifndef traceMALLOC
#define traceMALLOC(memory, bytes) DPROBES_HOOK(mem, got, memory, bytes)
#endif
#ifndef traceFREE
#define traceFREE(memory, bytes) DPROBES_HOOK(mem, free, memory, bytes)
#endif

#ifndef traceISR_ENTER
#define traceISR_ENTER() DPROBES_HOOK(isr, enter)
#endif
#ifndef traceISR_EXIT
#define traceISR_EXIT() DPROBES_HOOK(isr, leave)
#endif
#ifndef traceISR_EXIT_TO_SCHEDULER
#define traceISR_EXIT_TO_SCHEDULER() DPROBES_HOOK(isr, leave)
#endif

#endif
