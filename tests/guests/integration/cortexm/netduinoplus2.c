/* SPDX-License-Identifier: BSD-2-Clause */
/* STM32F405: USART1, TIM2 (RM0090). Nobody writes its flash: QEMU has no model of the controller.
 */
#include "guest.h"

#define USART     0x40011000u
#define USART_SR  0x00
#define USART_DR  0x04
#define USART_CR1 0x0c
#define SR_RXNE   0x20u
#define SR_TXE    0x80u
#define CR1_ON    0x200cu /* UE, TE, RE */
#define TIM2      0x40000000u
#define TIM2_IRQ  28
#define TIM_CR1   0x00
#define TIM_DIER  0x0c
#define TIM_SR    0x10
#define TIM_ARR   0x2c
#define PERIOD    250000u /* 1 GHz in QEMU */

DPROBES_CODE bool board_put(uint8_t byte)
{
	if (!(reg_read(USART, USART_SR) & SR_TXE))
		return false;
	reg_write(USART, USART_DR, byte);
	return true;
}

DPROBES_CODE int board_get(void)
{
	return reg_read(USART, USART_SR) & SR_RXNE ? (int)(reg_read(USART, USART_DR) & 0xff) : -1;
}

void board_start(void)
{
	reg_write(USART, USART_CR1, CR1_ON);
	reg_write(TIM2, TIM_ARR, PERIOD);
	reg_write(TIM2, TIM_DIER, 1);
	reg_write(TIM2, TIM_CR1, 1);
	nvic_enable(TIM2_IRQ);
}

void board_timer_ack(void)
{
	reg_write(TIM2, TIM_SR, 0);
}

void board_finish_write(void)
{
}

bool (*const board_text_write)(dprobes_word, const void *, size_t) = NULL;
