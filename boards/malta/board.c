/* SPDX-License-Identifier: BSD-2-Clause */
/* MIPS Malta: MD00048 (user's manual); its ISA bus has the PC's 8259, 8254 and 16550s. */
#include "board.h"
#include "i8259.h"
#include "kernel.h"
#include "mips_board.h"
#include "ns16550.h"
#include "reg_io.h"

#define ISA         0xb8000000u
#define COM1        (ISA + 0x3f8)
#define COM2        (ISA + 0x2f8)
#define COM_DIVISOR 1u /* 115200 from 1.8432 MHz */
#define PIT         (ISA + 0x40)
#define SOFTRES     0xbf000500u
#define SOFTRES_GO  0x42
#define IRQ_SENSOR  0
#define IRQ_COM2    3
#define IRQ_COM1    4
#define IRQS_ALWAYS ((uint8_t)(1u << IRQ_COM1 | 1u << IRQ_COM2))

/* 8254: counter 0, both bytes, mode 2. */
#define PIT_CONTROL 3
#define PIT_MODE2   0x34
#define PIT_MAX     65536u
#define PIT_HZ      1193182u

extern char __ram_bytes[];

const char board_name[] = "malta";
#if __mips_isa_rev >= 2
const char board_cpu[] = "24Kc";
#else
const char board_cpu[] = "4Kc";
#endif

const struct board_range board_ranges[] = {
	{0x80000000u, (size_t)__ram_bytes, BOARD_RAM},
	{ISA, 0x00010000u, BOARD_DEVICE},
	{0xbf000000u, 0x00001000u, BOARD_DEVICE},
};
const size_t board_range_count = sizeof(board_ranges) / sizeof(board_ranges[0]);

static const uintptr_t uart[BOARD_COMS] = {COM1, COM2};

/* The PIT counts at most 55 ms: every rounds-th interrupt is one of the sensor. */
static uint32_t sensor_rounds, sensor_left;

void board_init(void)
{
	i8259_init(ISA, IRQS_ALWAYS);
	for (unsigned com = 0; com < BOARD_COMS; com++)
		ns16550_init(uart[com], COM_DIVISOR);
	/* Before any task gets its Status; a stale Compare is cleared when the tick starts. */
	count_enable(IP2 | IP7);
}

static void sensor_irq(void)
{
	if (sensor_left > 1) {
		sensor_left--;
		return;
	}
	sensor_left = sensor_rounds;
	sensor_isr();
}

static void dispatch(int irq)
{
	if (irq == IRQ_COM1)
		uart_isr(0);
	else if (irq == IRQ_COM2)
		uart_isr(1);
	else if (irq == IRQ_SENSOR)
		sensor_irq();
}

static void pic_irq(void)
{
	int irq;

	while ((irq = i8259_take(ISA)) >= 0) {
		dispatch(irq);
		i8259_end(ISA);
	}
}

void board_irq(void)
{
	uint32_t pending;

	while ((pending = count_pending()) != 0) {
		if (pending & IP7) {
			count_tick_ack();
			timer_isr();
		}
		if (pending & IP2)
			pic_irq();
	}
}

void board_tick_start(unsigned hz)
{
	count_tick_start(hz);
}

uint32_t board_sensor_start(unsigned period_us)
{
	uint32_t count = period_us * 1193u / 1000; /* 1.193182 MHz; 1000000 us still fit */
	uint8_t open = IRQS_ALWAYS;

	sensor_rounds = count / PIT_MAX + 1;
	sensor_left = sensor_rounds;
	if (period_us != 0) {
		count /= sensor_rounds;
		reg_write8(PIT, PIT_CONTROL, PIT_MODE2);
		reg_write8(PIT, 0, (uint8_t)count);
		reg_write8(PIT, 0, (uint8_t)(count >> 8));
		open |= 1u << IRQ_SENSOR;
	}
	i8259_open(ISA, open);
	return (uint32_t)(((uint64_t)count * sensor_rounds * COUNT_HZ + PIT_HZ - 1) / PIT_HZ);
}

BOARD_HIT_PATH uint64_t board_clock(void)
{
	return count_clock();
}

BOARD_HIT_PATH uint32_t board_counter(void)
{
	return count_now();
}

uint32_t board_clock_hz(void)
{
	return COUNT_HZ;
}

BOARD_HIT_PATH bool board_uart_put(unsigned com, uint8_t byte)
{
	return ns16550_put(uart[com], byte);
}

BOARD_HIT_PATH size_t board_uart_write(unsigned com, const uint8_t *bytes, size_t count)
{
	return ns16550_write(uart[com], bytes, count);
}

int board_uart_get(unsigned com)
{
	return ns16550_get(uart[com]);
}

/* Reading the byte is the acknowledge. */
void board_uart_ack(unsigned com)
{
	(void)com;
}

_Noreturn void board_restart_warm(void)
{
	mips_restart();
}

_Noreturn void board_restart_cold(void)
{
	*(volatile uint32_t *)SOFTRES = SOFTRES_GO;
	for (;;)
		;
}

_Noreturn void board_power_off(unsigned status)
{
	semihost_exit(status);
	board_restart_cold();
}
