/* SPDX-License-Identifier: BSD-2-Clause */
/* This file has the register table and reads and writes registers of a frame, and of the CPU. */
#include "ia32_port.h"

#define DP_REG(index, name, text, words, pops, access) {(index), (words), (pops), (access)},
#define DP_REG_ALIAS(text, index)
#define DP_REG_ON_STACK(text, offset)
static const struct dp_reg dp_registers[] = {
#include "regs.def"
};

enum {
	DP_REGISTER_CS = 0x00,
	DP_REGISTER_DS,
	DP_REGISTER_ES,
	DP_REGISTER_FS,
	DP_REGISTER_GS,
	DP_REGISTER_SS,
	DP_REGISTER_EFLAGS = 0x0c,
	DP_REGISTER_EIP,
	DP_REGISTER_ESP,
	DP_REGISTER_TR = 0x20,
	DP_REGISTER_LDTR,
	DP_REGISTER_GDTR,
	DP_REGISTER_IDTR,
	DP_REGISTER_CR0,
	DP_REGISTER_CR2 = 0x26,
	DP_REGISTER_CR3,
	DP_REGISTER_CR4,
	DP_REGISTER_DR0 = 0x2c,
	DP_REGISTER_DR1,
	DP_REGISTER_DR2,
	DP_REGISTER_DR3,
	DP_REGISTER_DR6 = 0x32,
	DP_REGISTER_DR7,
	DP_REGISTER_CPUID = 0x3c,
	DP_REGISTER_MSR,
	DP_REGISTER_FR0,
	DP_REGISTER_FCW = 0x46,
	DP_REGISTER_XMM0 = 0x4d,
	DP_REGISTER_MXCSR = 0x55,
	DP_CR0_EM_TS = 0x0c,
	DP_CR4_OSFXSR = 0x200,
};

#define DP_GET(to, name) __asm__ volatile("mov %%" name ", %0" : "=r"(to))

const struct dp_reg *dp_port_regs(uint16_t *count)
{
	*count = sizeof(dp_registers) / sizeof(dp_registers[0]);
	return dp_registers;
}

static uint32_t segment(const struct dp_frame *frame, uint16_t index)
{
	switch (index) {
	case DP_REGISTER_CS:
		return frame->cs & 0xffff;
	case DP_REGISTER_DS:
		return frame->ds & 0xffff;
	case DP_REGISTER_ES:
		return frame->es & 0xffff;
	case DP_REGISTER_FS:
		return frame->fs & 0xffff;
	case DP_REGISTER_GS:
		return frame->gs & 0xffff;
	default:
		return frame->ss & 0xffff;
	}
}

static uint32_t debug_register(uint16_t index)
{
	uint32_t value;

	switch (index) {
	case DP_REGISTER_DR0:
		DP_GET(value, "dr0");
		break;
	case DP_REGISTER_DR1:
		DP_GET(value, "dr1");
		break;
	case DP_REGISTER_DR2:
		DP_GET(value, "dr2");
		break;
	case DP_REGISTER_DR3:
		DP_GET(value, "dr3");
		break;
	case DP_REGISTER_DR6:
		DP_GET(value, "dr6");
		break;
	default:
		DP_GET(value, "dr7");
		break;
	}
	return value;
}

static uint32_t control_register(uint16_t index)
{
	uint32_t value = 0;
	uint16_t selector;

	switch (index) {
	case DP_REGISTER_TR:
		__asm__ volatile("str %0" : "=r"(selector));
		return selector;
	case DP_REGISTER_LDTR:
		__asm__ volatile("sldt %0" : "=r"(selector));
		return selector;
	case DP_REGISTER_CR0:
		DP_GET(value, "cr0");
		break;
	case DP_REGISTER_CR2:
		DP_GET(value, "cr2");
		break;
	case DP_REGISTER_CR3:
		DP_GET(value, "cr3");
		break;
	default:
		DP_GET(value, "cr4");
		break;
	}
	return value;
}

/* Base, then limit on top. */
static void table_register(uint16_t index, dp_word *out)
{
	struct {
		uint16_t pad, limit;
		uint32_t base;
	} table;

	if (index == DP_REGISTER_GDTR)
		__asm__ volatile("sgdt %0" : "=m"(table.limit), "=m"(table.base));
	else
		__asm__ volatile("sidt %0" : "=m"(table.limit), "=m"(table.base));
	out[0] = table.limit;
	out[1] = table.base;
}

static void cpuid(uint32_t leaf, dp_word *out)
{
	__asm__ volatile("cpuid"
			 : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3])
			 : "a"(leaf), "c"(0));
}

/* The words of FNSAVE: control, status, tag, instruction, its segment, operand, its segment, then
 * eight registers of ten bytes. SDM 1, figure 8-9 */
struct dp_x87 {
	uint32_t control[7];
	uint8_t reg[8][10];
};

static bool has_x87(void)
{
	return (control_register(DP_REGISTER_CR0) & DP_CR0_EM_TS) == 0;
}

static void x87_register(uint16_t index, dp_word *out)
{
	struct dp_x87 x87;

	__asm__ volatile("fnsave %0\n\tfrstor %0" : "+m"(x87));
	if (index >= DP_REGISTER_FCW) {
		out[0] = x87.control[index - DP_REGISTER_FCW];
		return;
	}
	for (unsigned i = 0; i < 10; i++)
		out[i / 4] |= (uint32_t)x87.reg[index - DP_REGISTER_FR0][i] << 8 * (i % 4);
}

static void sse_register(uint16_t index, dp_word *out)
{
	typedef struct {
		uint32_t word[4];
	} four;
	four *to = (four *)out;

	switch (index - DP_REGISTER_XMM0) {
	case 0:
		__asm__ volatile("movups %%xmm0, %0" : "=m"(*to));
		break;
	case 1:
		__asm__ volatile("movups %%xmm1, %0" : "=m"(*to));
		break;
	case 2:
		__asm__ volatile("movups %%xmm2, %0" : "=m"(*to));
		break;
	case 3:
		__asm__ volatile("movups %%xmm3, %0" : "=m"(*to));
		break;
	case 4:
		__asm__ volatile("movups %%xmm4, %0" : "=m"(*to));
		break;
	case 5:
		__asm__ volatile("movups %%xmm5, %0" : "=m"(*to));
		break;
	case 6:
		__asm__ volatile("movups %%xmm6, %0" : "=m"(*to));
		break;
	case 7:
		__asm__ volatile("movups %%xmm7, %0" : "=m"(*to));
		break;
	default:
		__asm__ volatile("stmxcsr %0" : "=m"(*out));
		break;
	}
}

/* Registers of a unit that is off read as 0: an access would fault. */
static void float_register(uint16_t index, dp_word *out)
{
	out[0] = out[1] = out[2] = out[3] = 0;
	if (!has_x87())
		return;
	if (index < DP_REGISTER_XMM0)
		x87_register(index, out);
	else if (control_register(DP_REGISTER_CR4) & DP_CR4_OSFXSR)
		sse_register(index, out);
}

static unsigned words_of(uint16_t index)
{
	unsigned i = 0;

	while (dp_registers[i].index != index)
		i++;
	return dp_registers[i].words;
}

/* A register of the ring that entered ring 0, where the CPU has pushed it there. */
static bool outer_register(const struct dp_frame *frame, uint16_t index, dp_word *out)
{
	struct dp_ia32_outer outer;

	if ((index > DP_REGISTER_SS && index < DP_REGISTER_EFLAGS) || index > DP_REGISTER_ESP ||
	    (index != DP_REGISTER_CS && index < DP_REGISTER_SS) || !dp_ia32_outer(frame, &outer))
		return false;
	switch (index) {
	case DP_REGISTER_CS:
		*out = outer.cs & 0xffff;
		break;
	case DP_REGISTER_SS:
		*out = outer.ss & 0xffff;
		break;
	case DP_REGISTER_EFLAGS:
		*out = outer.eflags & ~(uint32_t)DP_FLAG_RF;
		break;
	case DP_REGISTER_ESP:
		*out = outer.esp;
		break;
	default:
		*out = outer.eip;
		break;
	}
	return true;
}

/* The other registers of that ring are where the firmware has saved them. decisions.txt C79 */
unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out)
{
	const unsigned at = DP_PORT_REG_AT(index);

	if (context == DP_CONTEXT_U && outer_register(frame, index, out))
		return 1;
	if (at != DP_REG_ELSEWHERE)
		out[0] = *(const uint32_t *)(const void *)((const uint8_t *)frame + at);
	else if (index <= DP_REGISTER_SS)
		out[0] = segment(frame, index);
	else if (index == DP_REGISTER_EFLAGS)
		out[0] = frame->eflags & ~(uint32_t)DP_FLAG_RF;
	else if (index == DP_REGISTER_GDTR || index == DP_REGISTER_IDTR)
		table_register(index, out);
	else if (index < DP_REGISTER_DR0)
		out[0] = control_register(index);
	else if (index < DP_REGISTER_CPUID)
		out[0] = debug_register(index);
	else if (index == DP_REGISTER_CPUID)
		cpuid(argument, out);
	else if (index != DP_REGISTER_MSR)
		float_register(index, out);
	else if (!dp_ia32_msr(argument, out)) /* no such register */
		out[0] = out[1] = 0;
	return words_of(index);
}

#if DP_PROFILE == DP_PROFILE_FULL
void dp_port_reg_set(struct dp_frame *frame, enum dp_context context, uint16_t index, dp_word value)
{
	const unsigned at = DP_PORT_REG_AT(index);

	(void)context;
	if (at != DP_REG_ELSEWHERE)
		*(uint32_t *)(void *)((uint8_t *)frame + at) = value;
	else if (index == DP_REGISTER_DS)
		frame->ds = value;
	else if (index == DP_REGISTER_ES)
		frame->es = value;
	else if (index == DP_REGISTER_FS)
		frame->fs = value;
	else
		frame->gs = value;
}
#endif

dp_addr dp_port_pc(const struct dp_frame *frame)
{
	return frame->eip;
}

dp_word dp_port_sp(const struct dp_frame *frame)
{
	return frame->esp;
}

bool dp_ia32_may_return(const struct dp_frame *frame)
{
	uint32_t address;

	return dp_access_load(frame->esp, 4, &address) && address != 0;
}

void dp_ia32_return(struct dp_frame *frame)
{
	uint32_t address;

	if (!dp_access_load(frame->esp, 4, &address))
		return;
	frame->eip = address;
	frame->esp += 4;
}
