/* SPDX-License-Identifier: BSD-2-Clause */
/* Callbacks of the board that have probes in them, and what else a handler does. */
#include "handlers.h"

__attribute__((noinline, aligned(16))) static uint32_t callback(uint32_t x)
{
	__asm__ volatile("addi %0, %0, 3" : "+r"(x));
	return x;
}

/* Callbacks that begin with a move of their stack pointer over the place where the frames of the
 * hit are that steps it. */
#define FRAME_CALLBACK(name, bytes)                                                                \
	uint32_t name(uint32_t x);                                                                 \
	__asm__(".text\n.balign 16\n" #name ":\n\taddi sp, sp, -" #bytes                           \
		"\n\tsw a0, 8(sp)\n\tlw a0, 8(sp)\n\taddi a0, a0, 3\n\taddi sp, sp, " #bytes       \
		"\n\tret\n")
FRAME_CALLBACK(frame_16, 16);
FRAME_CALLBACK(frame_96, 96);
FRAME_CALLBACK(frame_224, 224);
FRAME_CALLBACK(frame_400, 400);

uint32_t (*const callbacks[NESTED_SITES])(uint32_t) = {callback, frame_16, frame_96, frame_224,
						       frame_400};

bool callback_is_right(unsigned which)
{
	return callback(4) == 7 && callbacks[1 + which % (NESTED_SITES - 1)](4) == 7;
}

/* No memory. */
bool handler_is_right(struct dp_frame *frame, unsigned which)
{
	uint32_t word;

	(void)frame;
	return (which & 2 ? dp_port_read(HOLE + 0x4000, &word, 4, 4)
			  : dp_port_read(HOLE + 0x1002, &word, 2, 2)) == 0;
}
