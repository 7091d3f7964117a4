/* SPDX-License-Identifier: BSD-2-Clause */
/* The board's line. */
#include "out.h"

#if defined(GUEST_BAMBOO)
#define UART 0xef600300u
#elif defined(GUEST_E500)
#define UART 0xe0004500u
#else
#define UART 0x800003f8u
#endif

static void put(char c)
{
	volatile uint8_t *uart = (volatile uint8_t *)UART;

	while (!(uart[5] & 0x20))
		;
	uart[0] = (uint8_t)c;
}

void say(const char *text)
{
	while (*text)
		put(*text++);
}

/* These boards have no way to end QEMU: the test reads this line. */
_Noreturn void stop(int status)
{
	number("EXIT ", (unsigned)status);
	say("\n");
	for (;;)
		;
}
