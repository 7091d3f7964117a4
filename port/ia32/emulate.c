/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulator performs branches, and instructions that use the interrupt flag, on the saved
 * registers. Intel SDM 2A, 2B */
#include "ia32_port.h"

enum {
	DP_ESP = 4, /* number of a register; 4 as the index of SIB: none */
	DP_EBP = 5,
};
#define DP_FLAG_IOPL 0x00003000u
#define DP_FLAGS_POPPED                                                                            \
	0x00247fd5u /* ID AC NT IOPL OF DF IF TF SF ZF AF PF CF. SDM 2B, POPF, table 4-15 */

/* The registers have the CPU's order backwards. */
static uint32_t reg_of(const struct dp_frame *frame, unsigned number)
{
	return (&frame->edi)[7 - number];
}

static uint32_t word_at(const uint8_t *bytes, unsigned count)
{
	uint32_t value = 0;

	for (unsigned i = count; i > 0; i--)
		value = value << 8 | bytes[i - 1];
	return count == 1 ? (value ^ 0x80) - 0x80 : value;
}

/* --- conditions --- */

static bool parity(uint32_t flags, uint32_t a, uint32_t b)
{
	return !(flags & a) != !(flags & b);
}

/* The condition of jcc, by the low bits of its opcode. SDM 1, appendix B */
static bool holds(unsigned condition, uint32_t flags)
{
	bool found;

	switch (condition >> 1) {
	case 0:
		found = flags & DP_FLAG_OF;
		break;
	case 1:
		found = flags & DP_FLAG_CF;
		break;
	case 2:
		found = flags & DP_FLAG_ZF;
		break;
	case 3:
		found = flags & (DP_FLAG_CF | DP_FLAG_ZF);
		break;
	case 4:
		found = flags & DP_FLAG_SF;
		break;
	case 5:
		found = flags & DP_FLAG_PF;
		break;
	case 6:
		found = parity(flags, DP_FLAG_SF, DP_FLAG_OF);
		break;
	default:
		found = (flags & DP_FLAG_ZF) || parity(flags, DP_FLAG_SF, DP_FLAG_OF);
		break;
	}
	return found != (condition & 1);
}

/* ecx, or cx behind the prefix 67, as the branch leaves it. SDM 2A, LOOP, Jcc */
static uint32_t counter(const struct dp_ia32_insn *insn, uint8_t opcode, uint32_t ecx)
{
	const uint32_t mask = insn->prefixes & DP_IA32_ADDRESS ? 0xffff : 0xffffffff;

	if (opcode == 0xe3)
		return ecx;
	return (ecx & ~mask) | ((ecx - 1) & mask);
}

static bool loops(const struct dp_ia32_insn *insn, uint8_t opcode, const struct dp_frame *frame)
{
	const uint32_t mask = insn->prefixes & DP_IA32_ADDRESS ? 0xffff : 0xffffffff;
	const bool is_zero = (counter(insn, opcode, frame->ecx) & mask) == 0;

	switch (opcode) {
	case 0xe0:
		return !is_zero && !(frame->eflags & DP_FLAG_ZF);
	case 0xe1:
		return !is_zero && (frame->eflags & DP_FLAG_ZF);
	case 0xe2:
		return !is_zero;
	default:
		return is_zero;
	}
}

static bool is_taken(const struct dp_ia32_insn *insn, uint8_t opcode, const struct dp_frame *frame)
{
	if (insn->detail == DP_IA32_JCC)
		return holds(opcode & 15, frame->eflags);
	return insn->detail != DP_IA32_LOOP || loops(insn, opcode, frame);
}

/* The parts of the site's instruction. A hit does not search the table: the site has the class, and
 * what an emulated opcode needs stands right behind it. */
struct dp_ia32_insn dp_ia32_parts(const struct dp_site *site)
{
	const uint8_t *bytes = site->original_bytes;
	struct dp_ia32_insn insn = {.bytes = site->insn_bytes, .detail = site->port.detail};

	for (unsigned prefix; (prefix = dp_ia32_prefix_of(bytes[insn.opcode])) != 0; insn.opcode++)
		insn.prefixes |= (uint8_t)prefix;
	if (bytes[insn.opcode] == 0x0f) /* jcc rel32 */
		insn.opcode++;
	insn.modrm = insn.immediate = insn.opcode + 1;
	return insn;
}

bool dp_ia32_taken(const struct dp_site *site, const struct dp_frame *frame)
{
	const struct dp_ia32_insn insn = dp_ia32_parts(site);

	return is_taken(&insn, site->original_bytes[insn.opcode], frame);
}

/* --- the stack and operands --- */

/* The fault of an access is that of the instruction: error code and cr2 as the CPU has told them.
 */
static bool faulted(struct dp_frame *frame)
{
	frame->gate = dp_ia32->caught.gate;
	frame->error = dp_ia32->caught.error;
	return false;
}

static bool push(struct dp_frame *frame, uint32_t value)
{
	if (!dp_access_store(frame->esp - 4, 4, &value))
		return faulted(frame);
	frame->esp -= 4;
	return true;
}

/* The address of a SIB operand, without the displacement. SDM 2A, table 2-3 */
static uint32_t scaled(const struct dp_frame *frame, unsigned mod, uint8_t sib)
{
	const unsigned base = sib & 7, index = sib >> 3 & 7;
	uint32_t address = base == DP_EBP && mod == 0 ? 0 : reg_of(frame, base);

	return index == DP_ESP ? address : address + (reg_of(frame, index) << (sib >> 6));
}

/* The operand of an indirect branch. SDM 2A, table 2-2 */
static bool load_operand(const struct dp_site *site, const struct dp_ia32_insn *insn,
			 struct dp_frame *frame, uint32_t *value)
{
	const uint8_t *at = &site->original_bytes[insn->modrm];
	const unsigned mod = at[0] >> 6, rm = at[0] & 7;
	uint32_t address = 0;

	if (mod == 3) {
		*value = reg_of(frame, rm);
		return true;
	}
	if (rm == DP_ESP)
		address = scaled(frame, mod, *++at);
	else if (rm != DP_EBP || mod != 0)
		address = reg_of(frame, rm);
	at++;
	address += word_at(at, (unsigned)(&site->original_bytes[insn->bytes] - at));
	return dp_access_load(address, 4, value) || faulted(frame);
}

/* --- instructions --- */

unsigned dp_ia32_popped(const struct dp_site *site, const struct dp_ia32_insn *insn)
{
	return word_at(&site->original_bytes[insn->immediate],
		       (unsigned)(insn->bytes - insn->immediate));
}

static bool go_back(const struct dp_site *site, const struct dp_ia32_insn *insn,
		    struct dp_frame *frame)
{
	uint32_t target;

	if (!dp_access_load(frame->esp, 4, &target))
		return faulted(frame);
	frame->esp += 4 + dp_ia32_popped(site, insn);
	frame->eip = target;
	return true;
}

uint32_t dp_ia32_target(const struct dp_site *site, const struct dp_ia32_insn *insn,
			const struct dp_frame *frame)
{
	if (insn->detail >= DP_IA32_JMP_RM)
		return reg_of(frame, site->original_bytes[insn->modrm] & 7);
	return dp_ia32_branch(site->original_bytes, insn, frame->eip);
}

/* May the ring of the context change IF? SDM 1 3.4.3 */
static bool may_mask(const struct dp_frame *frame)
{
	return (frame->cs & 3) <= (frame->eflags & DP_FLAG_IOPL) / (DP_FLAG_IOPL / 3);
}

/* The fault of an instruction that the ring of the context may not execute. */
static bool forbidden(struct dp_frame *frame)
{
	frame->gate = (uintptr_t)&dp_ia32->veneer->gate[DP_IA32_GATE_PROTECTION];
	frame->error = 0;
	return false;
}

/* An outer ring leaves IOPL alone, and IF where it may not mask. SDM 2B, POPF */
void dp_ia32_set_flags(struct dp_frame *frame, uint32_t flags)
{
	uint32_t popped = DP_FLAGS_POPPED;

	if (frame->cs & 3)
		popped &= ~DP_FLAG_IOPL;
	if (!may_mask(frame))
		popped &= ~(uint32_t)DP_FLAG_IF;
	frame->eflags = (frame->eflags & ~(popped | DP_FLAG_RF)) | (flags & popped);
}

static bool pop_flags(struct dp_frame *frame, uint32_t next)
{
	uint32_t flags;

	if (!dp_access_load(frame->esp, 4, &flags))
		return faulted(frame);
	frame->esp += 4;
	dp_ia32_set_flags(frame, flags);
	frame->eip = next;
	return true;
}

/* The target is read before the return address is pushed. */
static bool go(const struct dp_site *site, const struct dp_ia32_insn *insn, struct dp_frame *frame)
{
	const uint8_t opcode = site->original_bytes[insn->opcode];
	const uint32_t next = frame->eip + insn->bytes;
	uint32_t target = next;

	if (insn->detail >= DP_IA32_JMP_RM) {
		if (!load_operand(site, insn, frame, &target))
			return false;
	} else if (is_taken(insn, opcode, frame)) {
		target = dp_ia32_target(site, insn, frame);
	}
	if (insn->detail == DP_IA32_LOOP)
		frame->ecx = counter(insn, opcode, frame->ecx);
	if ((insn->detail == DP_IA32_CALL || insn->detail == DP_IA32_CALL_RM) && !push(frame, next))
		return false;
	frame->eip = target;
	return true;
}

bool dp_ia32_emulate(const struct dp_site *site, struct dp_frame *frame)
{
	const struct dp_ia32_insn insn = dp_ia32_parts(site);
	const uint32_t next = frame->eip + insn.bytes;

	switch (insn.detail) {
	case DP_IA32_PUSHF:
		if (!push(frame, frame->eflags & DP_FLAGS_PUSHED))
			return false;
		break;
	case DP_IA32_POPF:
		return pop_flags(frame, next);
	case DP_IA32_CLI:
		if (!may_mask(frame))
			return forbidden(frame);
		frame->eflags &= ~(uint32_t)DP_FLAG_IF;
		break;
	case DP_IA32_STI:
		if (!may_mask(frame))
			return forbidden(frame);
		frame->eflags |= DP_FLAG_IF;
		break;
	case DP_IA32_RET:
		return go_back(site, &insn, frame);
	default:
		return go(site, &insn, frame);
	}
	frame->eip = next;
	return true;
}
