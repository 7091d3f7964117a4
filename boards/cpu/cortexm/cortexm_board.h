/* SPDX-License-Identifier: BSD-2-Clause */
/* Devices and start-up that the Cortex-M boards share. Each takes its register base. */
#ifndef CORTEXM_BOARD_H
#define CORTEXM_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void reg_write(uintptr_t base, unsigned offset, uint32_t value)
{
	*(volatile uint32_t *)(base + offset) = value;
}

static inline uint32_t reg_read(uintptr_t base, unsigned offset)
{
	return *(volatile uint32_t *)(base + offset);
}

/* start.S. Does not return. Context: a task. */
_Noreturn void cortexm_restart(void);

/* nvic.c */
void nvic_enable(unsigned irq);
/* The interrupt whose handler runs. */
unsigned nvic_active(void);
_Noreturn void nvic_reset(void);
/* Returns when nobody answers (no debugger, no -semihosting). */
void semihost_exit(unsigned status);

/* cmsdk.c: the UART of the CMSDK. */
void cmsdk_uart_init(uintptr_t base, uint32_t divider);
bool cmsdk_uart_put(uintptr_t base, uint8_t byte);
size_t cmsdk_uart_write(uintptr_t base, const uint8_t *bytes, size_t count);
int cmsdk_uart_get(uintptr_t base);
void cmsdk_uart_ack(uintptr_t base);
/* And its timer. */
void cmsdk_timer_start(uintptr_t base, uint32_t period);
void cmsdk_timer_stop(uintptr_t base);
void cmsdk_timer_ack(uintptr_t base);

#endif
