/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings of the glue for com1 of a PC: agent/glue/dprobes_start.h. */
#ifndef DPROBES_SETTINGS_H
#define DPROBES_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

bool uart_put(uint8_t byte);
int uart_get(void);

#define DPROBES_PUT(byte) uart_put(byte)
#define DPROBES_GET()     uart_get()
#define DPROBES_NAME      "pc"

#endif
