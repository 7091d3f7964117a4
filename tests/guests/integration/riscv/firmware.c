/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody's firmware on SiFive's boards, with the ready-made glue: com1 polled, a shell that
 * echoes, the timer's interrupt, work to probe that checks itself. A wrong result ends QEMU. SiFive
 * FE310-G002 manual, chapters 9 and 18 */
#include "dprobes_settings.h"
#include "dprobes_start.h"

#include "../work.inc"

/* The compiler's command has what boards differ in: UART_AT, the address of com1, and TIME_HZ. */
#define UART ((volatile uint32_t *)UART_AT)
enum {
	TX_DATA = 0, /* words of the UART */
	RX_DATA = 1,
	TX_CONTROL = 2,
	RX_CONTROL = 3,
	ENABLE = 1,
	PERIOD = TIME_HZ / 200,
	PACE = 4 /* ticks for a round of the work: the line has room for a record of each call */
};
#define TX_FULL  0x80000000u
#define RX_EMPTY 0x80000000u
#define COMPARE  ((volatile uint32_t *)0x02004000u) /* of hart 0 */
#define TIME     ((volatile uint32_t *)0x0200bff8u)

void tick(void);
void count_swapped(void);
void count_added(void);
int main(void);
/* start.S */
_Noreturn void finish(unsigned status);
void interrupts_on(void);

volatile uint32_t ticks;
uint32_t swapped, added;

/* By lr.w and sc.w. */
__attribute__((noinline, noclone)) void count_swapped(void)
{
	uint32_t old = __atomic_load_n(&swapped, __ATOMIC_RELAXED);

	while (!__atomic_compare_exchange_n(&swapped, &old, old + 1, true, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED))
		;
}

/* By amoadd.w. */
__attribute__((noinline, noclone)) void count_added(void)
{
	__atomic_fetch_add(&added, 1, __ATOMIC_RELAXED);
}

DPROBES_CODE bool uart_put(uint8_t byte)
{
	if (UART[TX_DATA] & TX_FULL)
		return false;
	UART[TX_DATA] = byte;
	return true;
}

DPROBES_CODE int uart_get(void)
{
	uint32_t got = UART[RX_DATA];

	return got & RX_EMPTY ? -1 : (int)(uint8_t)got;
}

void shell_byte(uint8_t byte)
{
	const char text[3] = {'<', (char)byte, '>'};

	dprobes_print(text, sizeof(text));
}

/* The first 2^32 counts are more than a test takes. */
static void timer_next(void)
{
	COMPARE[1] = 0xffffffffu;
	COMPARE[0] = TIME[0] + PERIOD;
	COMPARE[1] = 0;
}

void tick(void)
{
	ticks = ticks + 1;
	timer_next();
}

int main(void)
{
	UART[TX_CONTROL] = ENABLE;
	UART[RX_CONTROL] = ENABLE;
	if (dprobes_start() != 0)
		finish(1);
	dprobes_print("up\n", 3);
	timer_next();
	interrupts_on();
	for (uint32_t n = 0, due = 0;; dprobes_loop()) {
		if (ticks - due < PACE)
			continue;
		due = ticks;
		if (work(&total, n) != checked(n))
			finish(2);
		n++;
		count_swapped();
		count_added();
		if (swapped != n || added != n)
			finish(4);
	}
}
