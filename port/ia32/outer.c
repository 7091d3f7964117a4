/* SPDX-License-Identifier: BSD-2-Clause */
/* Hits in ring 1 to 3. What an emulated instruction accesses there is accessed in that ring, by
 * another instruction in the slot: pages of the firmware may forbid it. */
#include "ia32_port.h"

enum {
	DP_LOAD_EAX = 0x8b,  /* mov r/m, r */
	DP_PUSH_WORD = 0x68, /* imm32 */
	DP_GROUP_5 = 0xff,   /* push r/m is /6 */
	DP_MODRM_DIGIT = 0x38,
	DP_DIGIT_PUSH = 6 << 3,
	DP_MODRM_SIB = 0x04,
	DP_SIB_ESP = 0x24,
};

static unsigned put_word(uint8_t *to, uint32_t word)
{
	for (unsigned i = 0; i < 4; i++)
		to[i] = (uint8_t)(word >> 8 * i);
	return 4;
}

static unsigned push_word(uint8_t *to, uint32_t word)
{
	to[0] = DP_PUSH_WORD;
	return 1 + put_word(to + 1, word);
}

static unsigned load_stack(uint8_t *to)
{
	to[0] = DP_LOAD_EAX;
	to[1] = DP_MODRM_SIB;
	to[2] = DP_SIB_ESP;
	return 3;
}

/* The operand of the site's instruction behind another opcode. */
static unsigned with_operand(const struct dp_site *site, const struct dp_ia32_insn *insn,
			     uint8_t *to, uint8_t opcode, uint8_t digit)
{
	unsigned count = 2;

	to[0] = opcode;
	to[1] = (uint8_t)((site->original_bytes[insn->modrm] & ~DP_MODRM_DIGIT) | digit);
	for (unsigned i = insn->modrm + 1u; i < insn->bytes; i++)
		to[count++] = site->original_bytes[i];
	return count;
}

static bool in_memory(const struct dp_site *site, const struct dp_ia32_insn *insn)
{
	return site->original_bytes[insn->modrm] < 0xc0;
}

/* Write what makes the access to the slot. Returns its bytes; 0: the instruction makes none. */
static unsigned compose(const struct dp_site *site, const struct dp_frame *frame,
			struct dp_ia32_pending *p, uint8_t *to)
{
	const struct dp_ia32_insn insn = dp_ia32_parts(site);
	const uint32_t next = frame->eip + insn.bytes;

	p->value = frame->eax;
	switch (insn.detail) {
	case DP_IA32_RET:
		p->access = DP_IA32_LOADS_RETURN;
		p->popped = (uint16_t)(4 + dp_ia32_popped(site, &insn));
		return load_stack(to);
	case DP_IA32_POPF:
		p->access = DP_IA32_LOADS_FLAGS;
		return load_stack(to);
	case DP_IA32_PUSHF:
		p->access = DP_IA32_STORES;
		p->value = next;
		return push_word(to, frame->eflags & DP_FLAGS_PUSHED);
	case DP_IA32_JMP_RM:
		p->access = DP_IA32_LOADS_TARGET;
		return in_memory(site, &insn) ? with_operand(site, &insn, to, DP_LOAD_EAX, 0) : 0;
	case DP_IA32_CALL_RM:
		p->access = DP_IA32_PUSHES_TARGET;
		if (in_memory(site, &insn))
			return with_operand(site, &insn, to, DP_GROUP_5, DP_DIGIT_PUSH);
		break;
	case DP_IA32_CALL:
		break;
	default:
		return 0;
	}
	p->access = DP_IA32_STORES;
	p->value = dp_ia32_target(site, &insn, frame);
	return push_word(to, next);
}

bool dp_ia32_begin_access(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_ia32_pending *p = &dp_ia32->pending[dp_this_cpu()];
	uint32_t content[DP_SLOT_WORDS];
	uint8_t *bytes = (uint8_t *)content;
	unsigned count = compose(site, frame, p, bytes);

	if (count == 0) {
		p->access = DP_IA32_NO_ACCESS;
		return false;
	}
	for (unsigned i = count; i < sizeof(content); i++)
		bytes[i] = DP_IA32_TRAP;
	p->bytes = (uint8_t)count;
	p->entry = (uintptr_t)dp_slots_scratch(&dp_ia32->slots, site->address, content);
	return true;
}

/* The context may write the word that it has just pushed. */
void dp_ia32_end_access(struct dp_frame *frame)
{
	struct dp_ia32_pending *p = &dp_ia32->pending[dp_this_cpu()];
	const uint32_t loaded = frame->eax, next = frame->eip;
	unsigned access = p->access;

	p->access = DP_IA32_NO_ACCESS;
	switch (access) {
	case DP_IA32_STORES:
		frame->eip = p->value;
		break;
	case DP_IA32_PUSHES_TARGET:
		if (dp_access_load(frame->esp, 4, &frame->eip))
			(void)dp_access_store(frame->esp, 4, &next);
		break;
	case DP_IA32_LOADS_FLAGS:
		frame->eax = p->value;
		frame->esp += 4;
		dp_ia32_set_flags(frame, loaded);
		break;
	case DP_IA32_LOADS_RETURN:
		frame->esp += p->popped;
		frame->eax = p->value;
		frame->eip = loaded;
		break;
	case DP_IA32_LOADS_TARGET:
		frame->eax = p->value;
		frame->eip = loaded;
		break;
	default:
		break;
	}
}

/* The gate of int3 is open to all rings for the agent's traps. A breakpoint of the firmware that
 * its own gate forbids is the fault that the CPU would have raised. SDM 3A 6.12.1.1 */
static void forbid(struct dp_frame *frame)
{
	const struct dp_ia32_gate *gate = &dp_ia32->veneer->gate[DP_IA32_GATE_BREAKPOINT];
	dp_addr last;

	if (gate->ring >= (frame->cs & 3))
		return;
	frame->eip -=
		dp_port_seg2lin(frame->cs, frame->eip - 1, &last) && dp_ia32_of_int(last) ? 2 : 1;
	frame->gate = (uintptr_t)&dp_ia32->veneer->gate[DP_IA32_GATE_PROTECTION];
	frame->error = 8 * DP_VECTOR_BREAKPOINT + 2; /* by an entry of the IDT */
}

/* Also from entry.S. Code whose segment has a base is at other addresses than eip tells, but not
 * for a comparator. */
enum dp_taken dp_ia32_outer_exception(unsigned class, struct dp_frame *frame)
{
	enum dp_taken taken = DP_NOT_OURS;

	if (class == DP_VECTOR_DEBUG || dp_ia32_is_flat(frame->cs))
		taken = dp_port_exception(class, frame);
	if (taken == DP_NOT_OURS && class == DP_VECTOR_BREAKPOINT)
		forbid(frame);
	return taken;
}
