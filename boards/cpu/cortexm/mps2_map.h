/* SPDX-License-Identifier: BSD-2-Clause */
/* Where an MPS2 image has its devices: AN385 and AN386 (DAI 0385, DAI 0386); and with MPS2_SECURE
 * AN505, by the addresses of the secure state (DAI 0505). */
#ifndef MPS2_MAP_H
#define MPS2_MAP_H

#ifdef MPS2_SECURE
#define CLOCK_HZ      20000000u
#define TICK_TIMER    0x50000000u
#define SENSOR_TIMER  0x50001000u
#define COUNTER       0x50302018u /* FPGAIO, counts up with each clock */
#define UART_COM1     0x50200000u
#define UART_COM2     0x50201000u
#define DEVICES       0x50000000u
#define DEVICES_BYTES 0x00310000u
enum {
	IRQ_TICK = 3,
	IRQ_SENSOR = 4,
	IRQ_COM1 = 32,
	IRQ_COM2 = 34
};
#else
#define CLOCK_HZ      25000000u
#define TICK_TIMER    0x40000000u
#define SENSOR_TIMER  0x40001000u
#define COUNTER       0x40028018u /* FPGAIO, counts up with each clock */
#define UART_COM1     0x40004000u
#define UART_COM2     0x40005000u
#define DEVICES       0x40000000u
#define DEVICES_BYTES 0x00030000u
enum {
	IRQ_COM1 = 0,
	IRQ_COM2 = 2,
	IRQ_TICK = 8,
	IRQ_SENSOR = 9
};
#endif

#endif
