/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody's firmware on a PC, with the ready-made glue: com1 polled, the timer's interrupt, work
 * to probe that checks itself. A wrong result ends QEMU. */
#include "dprobes_settings.h"
#include "dprobes_start.h"

enum {
	COM1 = 0x3f8,
	FIFO = COM1 + 2,
	FIFO_ON = 7, /* and empty */
	LINE_STATUS = COM1 + 5,
	RECEIVED = 1,
	ROOM = 0x20,
	PIC = 0x20,
	PIC_MASK = 0x21,
	PIC2_MASK = 0xa1,
	EOI = 0x20,
	PIT_COUNT = 0x40,
	PIT_MODE = 0x43,
	PIT_DIVISOR = 1193, /* 1 kHz */
	EXIT = 0xf4,
	PACE = 64, /* rounds of the main loop for one of the work */
};

static inline void port_write(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" ::"a"(value), "d"(port));
}

static inline uint8_t port_read(uint16_t port)
{
	uint8_t value;

	__asm__ volatile("inb %1, %0" : "=a"(value) : "d"(port));
	return value;
}

DPROBES_CODE bool uart_put(uint8_t byte)
{
	if (!(port_read(LINE_STATUS) & ROOM))
		return false;
	port_write(COM1, byte);
	return true;
}

DPROBES_CODE int uart_get(void)
{
	return port_read(LINE_STATUS) & RECEIVED ? port_read(COM1) : -1;
}

struct total {
	uint32_t rounds, value;
	uint8_t bytes[16];
};
struct total total;
volatile uint32_t ticks;

void tick(void);
void tick(void)
{
	ticks = ticks + 1;
	port_write(PIC, EOI);
}

/* Branches, a switch, calls, accesses of each width, divisions. */
__attribute__((noinline, noclone)) uint32_t mix(uint32_t a, uint32_t b)
{
	uint32_t value = a * 3 + b;

	switch (a % 6) {
	case 0:
		value ^= b << 3;
		break;
	case 1:
		value = (value >> 5) | (value << 27);
		break;
	case 2:
		value /= b % 7 + 1;
		break;
	case 3:
		value -= (uint8_t)b;
		break;
	case 4:
		value += (uint32_t)(int16_t)a;
		break;
	default:
		value = (int32_t)value < 0 ? ~value : value + 9;
		break;
	}
	return value;
}

__attribute__((noinline, noclone)) uint32_t work(struct total *t, uint32_t n)
{
	for (unsigned i = 0; i < n % 9; i++) {
		t->value += mix(i + n, t->value);
		t->bytes[(n + i) % sizeof(t->bytes)]++;
	}
	t->rounds++;
	return t->value;
}

/* What work() is to return, computed by code without probes. */
static uint32_t checked(uint32_t n)
{
	static uint32_t value, bytes;
	uint32_t sum = 0;

	for (unsigned i = 0; i < n % 9; i++) {
		uint32_t a = i + n, v = a * 3 + value;

		if (a % 6 == 0)
			v ^= value << 3;
		else if (a % 6 == 1)
			v = (v >> 5) | (v << 27);
		else if (a % 6 == 2)
			v /= value % 7 + 1;
		else if (a % 6 == 3)
			v -= (uint8_t)value;
		else if (a % 6 == 4)
			v += (uint32_t)(int16_t)a;
		else
			v = (int32_t)v < 0 ? ~v : v + 9;
		value += v;
	}
	bytes += n % 9;
	for (unsigned i = 0; i < sizeof(total.bytes); i++)
		sum += total.bytes[i];
	return (sum & 0xff) == (bytes & 0xff) ? value : ~value;
}

static void timer_start(void)
{
	static const uint8_t words[][2] = {{PIC, 0x11},
					   {PIC_MASK, 0x20},
					   {PIC_MASK, 4},
					   {PIC_MASK, 1},
					   {PIC_MASK, 0xfe},
					   {PIC2_MASK, 0xff},
					   {PIT_MODE, 0x34},
					   {PIT_COUNT, PIT_DIVISOR & 0xff},
					   {PIT_COUNT, PIT_DIVISOR >> 8}};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		port_write(words[i][0], words[i][1]);
}

int main(void);
int main(void)
{
	port_write(FIFO, FIFO_ON);
	timer_start();
	if (dprobes_start() != 0)
		port_write(EXIT, 1);
	__asm__ volatile("sti");
	for (uint32_t n = 0;; n++) {
		dprobes_loop();
		if (n % PACE == 0 && work(&total, n / PACE) != checked(n / PACE))
			port_write(EXIT, 2);
	}
}
