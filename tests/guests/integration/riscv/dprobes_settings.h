/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings of the glue for com1 of SiFive's boards: agent/glue/dprobes_start.h. */
#ifndef DPROBES_SETTINGS_H
#define DPROBES_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

bool uart_put(uint8_t byte);
int uart_get(void);
void shell_byte(uint8_t byte);

#define DPROBES_PUT(byte)     uart_put(byte)
#define DPROBES_GET()         uart_get()
#define DPROBES_CONSOLE(byte) shell_byte(byte)
#define DPROBES_NAME          "sifive"

#endif
