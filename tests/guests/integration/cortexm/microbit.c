/* SPDX-License-Identifier: BSD-2-Clause */
/* nRF51822: UART, TIMER, and flash that the non-volatile memory controller writes (nRF51 Series
 * Reference Manual 3.0, chapters UART, TIMER, NVMC). */
#include "guest.h"

#define UART           0x40002000u
#define UART_STARTRX   0x000
#define UART_STARTTX   0x008
#define UART_RXDRDY    0x108
#define UART_TXDRDY    0x11c
#define UART_ENABLE    0x500
#define UART_RXD       0x518
#define UART_TXD       0x51c
#define UART_IS_ON     4u
#define TIMER          0x40008000u
#define TIMER_IRQ      8
#define TIMER_START    0x000
#define TIMER_COMPARE0 0x140
#define TIMER_SHORTS   0x200
#define TIMER_INTENSET 0x304
#define TIMER_BITMODE  0x508
#define TIMER_PRESCALE 0x510
#define TIMER_CC0      0x540
#define NVMC           0x4001e000u
#define NVMC_READY     0x400
#define NVMC_CONFIG    0x504
#define NVMC_ERASEPAGE 0x508

enum {
	PAGE = 1024,
	READ_ONLY = 0, /* NVMC_CONFIG */
	MAY_WRITE = 1,
	MAY_ERASE = 2,
	BITS_32 = 3,
	TO_1_MHZ = 4,
	PERIOD_US = 250
};

/* --- UART and timer --- */

static bool sending;

DPROBES_CODE bool board_put(uint8_t byte)
{
	if (sending && reg_read(UART, UART_TXDRDY) == 0)
		return false;
	reg_write(UART, UART_TXDRDY, 0);
	reg_write(UART, UART_TXD, byte);
	sending = true;
	return true;
}

DPROBES_CODE int board_get(void)
{
	if (reg_read(UART, UART_RXDRDY) == 0)
		return -1;
	reg_write(UART, UART_RXDRDY, 0);
	return (int)(reg_read(UART, UART_RXD) & 0xff);
}

void board_start(void)
{
	reg_write(UART, UART_ENABLE, UART_IS_ON);
	reg_write(UART, UART_STARTRX, 1);
	reg_write(UART, UART_STARTTX, 1);
	reg_write(TIMER, TIMER_BITMODE, BITS_32);
	reg_write(TIMER, TIMER_PRESCALE, TO_1_MHZ);
	reg_write(TIMER, TIMER_CC0, PERIOD_US);
	reg_write(TIMER, TIMER_SHORTS, 1); /* COMPARE0 clears */
	reg_write(TIMER, TIMER_INTENSET, 1u << 16);
	reg_write(TIMER, TIMER_START, 1);
	nvic_enable(TIMER_IRQ);
}

void board_timer_ack(void)
{
	reg_write(TIMER, TIMER_COMPARE0, 0);
}

/* --- text --- */

#define FLASH_BYTES 0x40000u
#define MAGIC       0x72657772u

extern const uint8_t __locked_end[], __data_load[];

/* The page that is being written. A reset leaves it alone: start-up finishes the write. */
static struct {
	uint32_t magic, page;
	uint32_t word[PAGE / 4];
} next __attribute__((section(".noinit.page")));

static inline void wait_ready(void)
{
	while (reg_read(NVMC, NVMC_READY) == 0)
		;
}

/* In RAM: while a page is erased, nothing is fetched from flash. */
IN_RAM static void write_page(void)
{
	volatile uint32_t *to = (volatile uint32_t *)(uintptr_t)next.page;

	reg_write(NVMC, NVMC_CONFIG, MAY_ERASE);
	reg_write(NVMC, NVMC_ERASEPAGE, next.page);
	wait_ready();
	/* Tests reset the board here. */
	__asm__ volatile(".global page_is_erased\npage_is_erased:");
	reg_write(NVMC, NVMC_CONFIG, MAY_WRITE);
	for (unsigned i = 0; i < PAGE / 4; i++) {
		if (next.word[i] == ~0u)
			continue;
		to[i] = next.word[i];
		wait_ready();
	}
	reg_write(NVMC, NVMC_CONFIG, READ_ONLY);
	next.magic = 0;
}

IN_RAM void board_finish_write(void)
{
	if (next.magic == MAGIC)
		write_page();
}

/* The page with these bytes in place of its own. */
static void take_page(uint32_t page, uint32_t address, const uint8_t *bytes, size_t count)
{
	uint8_t *to = (uint8_t *)next.word + (address - page);

	for (unsigned i = 0; i < PAGE / 4; i++)
		next.word[i] = ((const volatile uint32_t *)(uintptr_t)page)[i];
	while (count-- > 0)
		*to++ = *bytes++;
	next.page = page;
	__asm__ volatile("dsb" ::: "memory");
	next.magic = MAGIC;
	__asm__ volatile("dsb" ::: "memory");
}

static void write_ram(uint32_t address, const uint16_t *halves, size_t count)
{
	for (size_t i = 0; i < count / 2; i++)
		((volatile uint16_t *)(uintptr_t)address)[i] = halves[i];
}

/* Bytes in one page of flash, behind start-up and in front of the image of .data, which start-up
 * needs; or the text of functions in RAM. */
static bool write_text(dprobes_word address, const void *bytes, size_t count)
{
	uint32_t page = address & ~(uint32_t)(PAGE - 1), masked;

	if (address >= FLASH_BYTES) {
		write_ram(address, bytes, count);
		return true;
	}
	if (page < (uintptr_t)__locked_end || page >= (uintptr_t)__data_load ||
	    address + count > page + PAGE)
		return false;
	__asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(masked)::"memory");
	take_page(page, address, bytes, count);
	((void (*volatile)(void))write_page)();
	erases++;
	__asm__ volatile("msr primask, %0" ::"r"(masked) : "memory");
	return true;
}
bool (*const board_text_write)(dprobes_word, const void *, size_t) = write_text;
