/* SPDX-License-Identifier: BSD-2-Clause */
/* What no case shows: stray traps, restarts, callbacks that have probes in them. */
#include "checks.h"
#include "oracle.h"
#include "out.h"
#include "rows.h"

void frame_before(struct dp_frame *frame, uint32_t at)
{
	frame->eip = at;
	frame->esi = (uintptr_t)data;
	frame->esp = (uintptr_t)&case_stack[STACK_WORDS / 2];
}

/* Breakpoints that are nobody's: reported if they look like the agent's, and given to the firmware.
 */
/* proves: P3.23 P7.1 */
static void stray_checks(void)
{
	static const struct {
		uint32_t insn;
		unsigned strays, vector, behind;
		const char *what;
	} traps[] = {
		{0xcccccccc, 1, 3, 1, "a stray trap is reported"},
		{0xf1f103cd, 0, 3, 2, "int $3 is the firmware's"},
		{0xf1f10b0f, 0, 6, 0, "an undefined instruction is the firmware's"},
	};
	static struct state in, end;

	for (unsigned i = 0; i < sizeof(traps) / sizeof(traps[0]); i++) {
		initial(&in, NULL, 0);
		fill_word(traps[i].insn);
		in.pc = case_address();
		strays = 0;
		run(&in, &end);
		expect(traps[i].what, strays == traps[i].strays &&
					      end.pc == in.pc + traps[i].behind &&
					      end.vector == traps[i].vector && end.eax == in.eax);
	}
}

/* Registers that are no words of the frame. */
static void register_checks(void)
{
	static struct dp_frame frame;
	uint32_t out[DP_REG_WORDS_MAX];

	frame.cs = 8;
	frame.ss = 0x50010;
	frame.eflags = DP_FLAG_RF | DP_FLAG_IF;
	expect("cs", dp_port_reg_get(&frame, DP_CONTEXT_R, 0x00, 0, out) == 1 && out[0] == 8);
	expect("ss", dp_port_reg_get(&frame, DP_CONTEXT_R, 0x05, 0, out) == 1 && out[0] == 16);
	expect("eflags",
	       dp_port_reg_get(&frame, DP_CONTEXT_R, 0x0c, 0, out) == 1 && out[0] == DP_FLAG_IF);
	expect("idtr", dp_port_reg_get(&frame, DP_CONTEXT_R, 0x23, 0, out) == 2 &&
			       out[0] < 0x10000 && out[1] == (uintptr_t)guest_idt);
	expect("cr0",
	       dp_port_reg_get(&frame, DP_CONTEXT_R, 0x24, 0, out) == 1 && out[0] >> 31 == 1);
	expect("cpuid", dp_port_reg_get(&frame, DP_CONTEXT_R, 0x3c, 0, out) == 4 && out[0] >= 1);
	expect("an msr", dp_port_reg_get(&frame, DP_CONTEXT_R, 0x3d, 0x1b, out) == 2 &&
				 (out[0] | out[1]) != 0);
	__asm__ volatile("fninit\n\tfld1");
	expect("fr0", dp_port_reg_get(&frame, DP_CONTEXT_U, 0x3e, 0, out) == 3 && out[0] == 0 &&
			      out[1] == 0x80000000u && out[2] == 0x3fff);
	__asm__ volatile("fninit");
}

__attribute__((noinline, aligned(16))) static uint32_t callback(uint32_t x)
{
	__asm__ volatile("add $3, %0" : "+r"(x));
	return x;
}

/* Callbacks that begin with a move of their stack pointer over the place where the frames of the
 * hit are that steps it. */
#define FRAME_CALLBACK(name, bytes)                                                                \
	uint32_t name(uint32_t x);                                                                 \
	__asm__(".text\n.balign 16\n" #name ":\n\tsub $" #bytes ", %esp\n\tmov " #bytes            \
		"+4(%esp), %eax\n\tadd $3, %eax\n\tadd $" #bytes ", %esp\n\tret\n")
FRAME_CALLBACK(frame_16, 16);
FRAME_CALLBACK(frame_400, 400);

uint32_t (*const callbacks[NESTED_SITES])(uint32_t) = {callback, frame_16, frame_400};

bool callback_is_right(unsigned which)
{
	return callback(4) == 7 && callbacks[1 + which % (NESTED_SITES - 1)](4) == 7;
}

/* No page. */
bool handler_is_right(struct dp_frame *frame, unsigned which)
{
	uint32_t word;

	(void)frame;
	return (which & 2 ? dp_port_read(HOLE + 0x4000, &word, 4, 4)
			  : dp_port_read(HOLE + 0x1002, &word, 2, 2)) == 0;
}

void cpu_access_checks(void)
{
	uint8_t buffer[4];

	expect("null", dp_port_read(0, buffer, 4, 4) == 0);
}

void cpu_figures(void)
{
	number(" missing ", row_gate(dp_ia32_row_count));
	say("\n");
}

void special_checks(void)
{
	static const uint32_t restarted[] = {
		0xf1f1f1cc, /* int3 */
		0xf1f10b0f, /* ud2 */
		0x000000a1, /* mov 0xf1000000, %eax: a hole */
		0xf16d8d40, /* inc %eax; lea */
	};
	unsigned count = sizeof(restarted) / sizeof(restarted[0]);

	access_checks();
	site_checks();
	stray_checks();
	register_checks();
	restart_checks(restarted, count, false);
	restart_checks(restarted, count, true);
}
