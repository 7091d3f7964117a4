/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings of the glue for a PL011 on vexpress-a9: agent/glue/dprobes_start.h. */
#ifndef DPROBES_SETTINGS_H
#define DPROBES_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define UART_DR      (*(volatile uint32_t *)0x10009000u)
#define UART_FR      (*(volatile uint32_t *)0x10009018u)
#define UART_FR_TXFF 0x20u
#define UART_FR_RXFE 0x10u

#ifdef __cplusplus
extern "C" {
#endif
bool uart_put(uint8_t byte);
int uart_get(void);
void shell_byte(uint8_t byte);
#ifdef __cplusplus
}
#endif

#define DPROBES_PUT(byte)     uart_put(byte)
#define DPROBES_GET()         uart_get()
#define DPROBES_CONSOLE(byte) shell_byte(byte)
#define DPROBES_NAME          "release"
#define DPROBES_LOCKED        __vectors_start
#define DPROBES_LOCKED_END    __vectors_end
#ifdef WITHOUT_NOTE
#define DPROBES_NOTE dprobes_no_note
#endif

#endif
