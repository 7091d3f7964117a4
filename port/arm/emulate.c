/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulator performs instructions that read or write the PC, or read the interrupt mask.
 * port/README.md 7; DDI 0406C A8.8.  An instruction changes the frame only after all its
 * accesses have succeeded, so that a fault leaves the frame unchanged. */
#include "arm_port.h"

enum {
	SP = DP_ARM_SP,
	LR = DP_ARM_LR,
	PC = DP_ARM_PC
};

#define LDMIA_SP 0xe8bd0000u /* ldmia sp!, {} */

#define PSR_C     0x20000000u
#define PSR_V     0x10000000u
#define PSR_FLAGS 0xf8000000u /* N Z C V Q */
#define PSR_MASKS 0x000001c0u /* A I F */
#define PSR_GE    0x000f0000u
#define PSR_MRS   0xf8ff03dfu /* without execution state: J, IT, T */

#define STORES DP_ARM_STORES

struct insn {
	uint32_t word;
	uint32_t address, next;
	uint32_t pc; /* the value that a read of PC gives */
	struct dp_frame *frame;
	/* For transfer(). The base register `back` gets `after`; PC: none does. */
	uint32_t at, after;
	uint8_t rt, rt2, back, width;
	bool store, sign;
};

static uint32_t bits(uint32_t word, unsigned low, unsigned count)
{
	return word >> low & ((1u << count) - 1);
}

static int32_t sign_extend(uint32_t value, unsigned count)
{
	return (int32_t)(value << (32 - count)) >> (32 - count);
}

static uint32_t get(const struct insn *i, unsigned reg)
{
	return reg == PC ? i->pc : i->frame->r[reg];
}

/* Branches. The frame's pc has been set to the next instruction already. */
static bool jump(const struct insn *i, uint32_t target)
{
	i->frame->r[PC] = target;
	return true;
}

/* BXWritePC: bit 0 chooses the instruction set. */
static bool jump_exchange(const struct insn *i, uint32_t target)
{
	struct dp_frame *f = i->frame;

	f->cpsr = target & 1 ? f->cpsr | DP_PSR_T : f->cpsr & ~(uint32_t)DP_PSR_T;
	return jump(i, target & ~1u);
}

static void link(const struct insn *i, uint32_t address)
{
	i->frame->r[LR] = address;
}

/* Perform one access of the instruction with the rights of its mode. width: DP_ARM_BLOCK_WORD
 * too. */
static bool access(const struct insn *i, bool store, uint32_t address, unsigned width, void *data)
{
	if ((i->frame->cpsr & DP_PSR_MODE) == DP_MODE_USR)
		return store ? dp_arm_user_store(address, width, data)
			     : dp_arm_user_load(address, width, data);
	return store ? dp_access_store(address, width, data) : dp_access_load(address, width, data);
}

/* A register gets its value. */
static bool put(const struct insn *i, unsigned reg, uint32_t value)
{
	if (reg == PC)
		return jump_exchange(i, value); /* LoadWritePC, v5T and later */
	i->frame->r[reg] = value;
	return true;
}

/* The value that a store of a register writes. */
static uint32_t stored(const struct insn *i, unsigned reg)
{
	return STORES && reg == PC ? i->address + dp_arm->store_pc : i->frame->r[reg];
}

/* Load or store rt; rt2 too with a width of 8. sign: a loaded byte or halfword is signed. */
static bool transfer(const struct insn *i)
{
	uint32_t data[2] __attribute__((aligned(8))) = {0, 0};
	unsigned unused = 32u - 8u * i->width;

	bool store = STORES && i->store;

	if (store) {
		data[0] = stored(i, i->rt);
		data[1] = i->frame->r[i->rt2];
	}
	if (!access(i, store, i->at, i->width, data))
		return false;
	if (i->back != PC)
		i->frame->r[i->back] = i->after;
	if (store)
		return true;
	if (i->sign)
		data[0] = (uint32_t)((int32_t)(data[0] << unused) >> unused);
	put(i, i->rt, data[0]);
	if (i->width == 8)
		i->frame->r[i->rt2] = data[1];
	return true;
}

/* LDM, STM, as the A32 word; Thumb-2 has the same bits. The lowest register, when also the base,
 * is stored with the base's old value. Any other base register is stored with the new value
 * before v7 (else UNPREDICTABLE). Without PC in the list the instruction runs from the slot. */
static bool block(const struct insn *i, uint32_t w)
{
	bool store = STORES && !bits(w, 20, 1), up = bits(w, 23, 1);
	uint32_t word[16], rn = bits(w, 16, 4), address = i->frame->r[rn], after;
	unsigned count = 0;

	for (unsigned reg = 0; reg <= PC; reg++)
		if (w >> reg & 1) {
			if (STORES)
				word[count] = stored(i, reg);
			count++;
		}
	after = up ? address + 4 * count : address - 4 * count;
	if (!up)
		address = after;
	if (bits(w, 24, 1) == up)
		address += 4;
	for (unsigned n = 0; n < count; n++)
		if (!access(i, store, address + 4 * n, DP_ARM_BLOCK_WORD, &word[n]))
			return false;
	if (bits(w, 21, 1))
		i->frame->r[rn] = after;
	count = 0;
	for (unsigned reg = 0; reg <= PC && !store; reg++)
		if (w >> reg & 1)
			put(i, reg, word[count++]);
	return true;
}

/* bx, blx: the target is read before LR is written. */
static bool exchange(const struct insn *i, unsigned reg, bool with_link, uint32_t back)
{
	uint32_t target = get(i, reg);

	if (with_link)
		link(i, back);
	return jump_exchange(i, target);
}

/* CPS came with v6; without RARE only that of 16-bit Thumb. */
#define HAS_CPS (DP_ARM_ARCHITECTURE >= 6 && (DP_ARM_WITH_THUMB || DP_ARM_WITH_RARE))
#if HAS_CPS
/* CPS: `masks` has the bits as CPSR does. User mode may not.  DDI 0406C B9.3.2 */
static bool change_masks(const struct insn *i, bool set, uint32_t masks)
{
	struct dp_frame *f = i->frame;

	if ((f->cpsr & DP_PSR_MODE) != DP_MODE_USR)
		f->cpsr = set ? f->cpsr | masks : f->cpsr & ~masks;
	return true;
}
#endif

#if DP_ARM_WITH_RARE
static void write_flags(const struct insn *i, uint32_t value, unsigned fields)
{
	uint32_t mask = (fields & 2 ? PSR_FLAGS : 0) |
			(fields & 1 && DP_ARM_ARCHITECTURE >= 6 ? PSR_GE : 0);

	i->frame->cpsr = (i->frame->cpsr & ~mask) | (value & mask);
}
#endif

/* --- A32 --- */

#if DP_ARM_WITH_A32

/* ALUWritePC of A32: interworks from v7 on.  rule 13 */
static bool jump_alu(const struct insn *i, uint32_t target)
{
#if __ARM_ARCH >= 7
	return jump_exchange(i, target);
#else
	return jump(i, target & ~3u);
#endif
}

static uint32_t rotate_right(uint32_t value, unsigned amount)
{
	return value >> (amount & 31) | value << (-amount & 31);
}

#if DP_ARM_WITH_RARE

/* Shift with carry out.  DDI 0406C A8.4.3, immediate shifts only. An amount of 0 means 32, but for
 * LSL and for RRX, which is ROR by 0. */
static uint32_t shift(uint32_t value, unsigned type, unsigned amount, bool *carry)
{
	uint32_t in = *carry;

	if (type == 0) {
		if (amount != 0)
			*carry = value >> (32 - amount) & 1;
		return value << amount;
	}
	*carry = value >> ((amount - 1) & 31) & 1;
	if (type == 3 && amount == 0) {
		*carry = value & 1;
		return value >> 1 | in << 31;
	}
	if (type == 3)
		return rotate_right(value, amount);
	if (type == 2 && value >> 31) /* ones come in */
		return amount ? ~(~value >> amount) : ~0u;
	return amount ? value >> amount : 0;
}

static uint32_t shifted_register(const struct insn *i, bool *carry)
{
	return shift(get(i, bits(i->word, 0, 4)), bits(i->word, 5, 2), bits(i->word, 7, 5), carry);
}

/* Second operand of data processing. */
static uint32_t operand2(const struct insn *i, bool *carry)
{
	uint32_t value = bits(i->word, 0, 8);
	unsigned rotate = 2 * bits(i->word, 8, 4);

	if (!bits(i->word, 25, 1))
		return shifted_register(i, carry);
	value = rotate_right(value, rotate);
	if (rotate != 0)
		*carry = value >> 31;
	return value;
}

/* The sixteen operations, each a set of them by number. */
enum {
	AND,
	EOR,
	SUB,
	RSB,
	ADD,
	ADC,
	SBC,
	RSC,
	TST,
	TEQ,
	CMP,
	CMN,
	ORR,
	MOV,
	BIC,
	MVN
};
#define OPS_SWAPPED (1u << RSB | 1u << RSC)
#define OPS_INVERTED                                                                               \
	(1u << SUB | 1u << RSB | 1u << SBC | 1u << RSC | 1u << CMP | 1u << BIC | 1u << MVN)
#define OPS_UNARY (1u << MOV | 1u << MVN)
#define OPS_CARRY (1u << ADC | 1u << SBC | 1u << RSC)
#define OPS_ONE   (1u << SUB | 1u << RSB | 1u << CMP)
#define OPS_SUM   (OPS_CARRY | OPS_ONE | 1u << ADD | 1u << CMN)
#define OPS_AND   (1u << AND | 1u << TST | 1u << BIC)
#define OPS_EOR   (1u << EOR | 1u << TEQ)
#define OPS_TEST  (1u << TST | 1u << TEQ | 1u << CMP | 1u << CMN)

static bool a_data(const struct insn *i)
{
	struct dp_frame *f = i->frame;
	unsigned op = 1u << bits(i->word, 21, 4);
	bool in = f->cpsr & PSR_C, carry = in, overflow = f->cpsr & PSR_V;
	uint32_t b = operand2(i, &carry), a = op & OPS_UNARY ? 0 : get(i, bits(i->word, 16, 4));
	uint32_t result, t;

	if (op & OPS_SWAPPED) {
		t = a;
		a = b;
		b = t;
	}
	if (op & OPS_INVERTED)
		b = ~b;
	if (op & OPS_SUM) {
		in = op & OPS_ONE || (op & OPS_CARRY && in);
		result = a + b + in;
		carry = in ? result <= a : result < a;
		overflow = ((a ^ result) & (b ^ result)) >> 31;
	} else if (op & OPS_AND) {
		result = a & b;
	} else {
		result = op & OPS_EOR ? a ^ b : a | b;
	}
	if (bits(i->word, 20, 1))
		f->cpsr = (f->cpsr & 0x0fffffffu) | (result & 0x80000000u) |
			  (result == 0 ? 0x40000000u : 0) | (carry ? PSR_C : 0) |
			  (overflow ? PSR_V : 0);
	if (op & OPS_TEST)
		return true;
	if (bits(i->word, 12, 4) == PC)
		return jump_alu(i, result);
	return put(i, bits(i->word, 12, 4), result);
}

static uint32_t offset_register(const struct insn *i)
{
	bool carry = i->frame->cpsr & PSR_C;

	return shifted_register(i, &carry);
}

#else

/* A register shifted left. */
static uint32_t offset_register(const struct insn *i)
{
	return get(i, bits(i->word, 0, 4)) << bits(i->word, 7, 5);
}

/* add, sub, mov, no flags. */
static bool a_data(const struct insn *i)
{
	uint32_t w = i->word, b = offset_register(i), rd = bits(w, 12, 4);

	if (bits(w, 25, 1))
		b = rotate_right(bits(w, 0, 8), 2 * bits(w, 8, 4));
	if (bits(w, 22, 1))
		b = 0u - b;
	if (!bits(w, 24, 1))
		b += get(i, bits(w, 16, 4));
	return rd == PC ? jump_alu(i, b) : put(i, rd, b);
}

#endif

static bool a_transfer(struct insn *i, uint32_t offset)
{
	unsigned rn = bits(i->word, 16, 4);
	uint32_t base = get(i, rn);

	i->after = bits(i->word, 23, 1) ? base + offset : base - offset;
	i->at = bits(i->word, 24, 1) ? i->after : base;
	if (!bits(i->word, 24, 1) || bits(i->word, 21, 1))
		i->back = (uint8_t)rn;
	return transfer(i);
}

static bool a_load_store(struct insn *i)
{
#if DP_ARM_WITH_RARE
	i->store = !bits(i->word, 20, 1);
	i->width = bits(i->word, 22, 1) ? 1 : 4;
#endif
	return a_transfer(i, bits(i->word, 25, 1) ? offset_register(i) : bits(i->word, 0, 12));
}

/* Halfword, signed and doubleword transfers with PC as base: no writeback. Literals of C are
 * loaded. */
static bool a_extra(struct insn *i)
{
	unsigned kind = bits(i->word, 5, 2);

	i->rt2 = i->rt + 1;
	if (bits(i->word, 20, 1)) {
		i->width = kind == 2 ? 1 : 2;
		i->sign = kind != 1;
	} else {
		i->width = DP_ARM_WITH_RARE && kind == 1 ? 2 : 8;
		i->store = kind != 2;
	}
	return a_transfer(i, !DP_ARM_WITH_RARE || bits(i->word, 22, 1)
				     ? bits(i->word, 8, 4) << 4 | bits(i->word, 0, 4)
				     : get(i, bits(i->word, 0, 4)));
}

#if DP_ARM_WITH_RARE
static bool a_msr(const struct insn *i)
{
	bool carry = false;

	write_flags(i, bits(i->word, 25, 1) ? operand2(i, &carry) : get(i, bits(i->word, 0, 4)),
		    bits(i->word, 18, 2));
	return true;
}
#endif

static bool a_branch(const struct insn *i)
{
	if (bits(i->word, 24, 1))
		link(i, i->next);
	return jump(i, i->pc + 4 * (uint32_t)sign_extend(i->word, 24));
}

static bool a_blx(const struct insn *i)
{
	uint32_t target = i->pc + 4 * (uint32_t)sign_extend(i->word, 24) + 2 * bits(i->word, 24, 1);

	link(i, i->next);
	return jump_exchange(i, target | 1);
}

#endif

/* --- Thumb --- */

#if DP_ARM_WITH_THUMB

static bool t_cbz(const struct insn *i)
{
	bool nonzero = bits(i->word, 11, 1);
	uint32_t offset = bits(i->word, 9, 1) << 6 | bits(i->word, 3, 5) << 1;

	if ((i->frame->r[bits(i->word, 0, 3)] != 0) == nonzero)
		return jump(i, i->pc + offset);
	return true;
}

/* add, mov with PC: no change of instruction set. */
static bool t_high(const struct insn *i)
{
	unsigned rd = bits(i->word, 7, 1) << 3 | bits(i->word, 0, 3);
	uint32_t value = get(i, bits(i->word, 3, 4));

	if (!bits(i->word, 9, 1))
		value += get(i, rd);
	if (rd == PC)
		return jump(i, value & ~1u);
	i->frame->r[rd] = value;
	return true;
}

static bool w_bcond(const struct insn *i)
{
	uint32_t w = i->word;

	return jump(i, i->pc + ((0u - bits(w, 26, 1)) << 20 | bits(w, 11, 1) << 19 |
				bits(w, 13, 1) << 18 | bits(w, 16, 6) << 12 | bits(w, 0, 11) << 1));
}

/* b.w, bl, blx: J bits are inverted by the sign; they are ones before Thumb-2, so it fits too. */
static bool w_branch(const struct insn *i)
{
	uint32_t w = i->word, sign = 0u - bits(w, 26, 1), j = w ^ ~sign;
	uint32_t offset = sign << 24 | bits(j, 13, 1) << 23 | bits(j, 11, 1) << 22 |
			  bits(w, 16, 10) << 12 | bits(w, 0, 11) << 1;

	if (bits(w, 14, 1))
		link(i, i->next | 1);
	if (bits(w, 12, 1))
		return jump(i, i->pc + offset);
	return jump_exchange(i, (i->pc & ~3u) + (offset & ~3u));
}

static bool transfer_literal(struct insn *i, uint32_t offset)
{
	uint32_t base = i->pc & ~3u;

	i->at = bits(i->word, 23, 1) ? base + offset : base - offset;
	return transfer(i);
}

static bool w_literal(struct insn *i)
{
	i->width = (uint8_t)(1u << bits(i->word, 21, 2));
	i->sign = bits(i->word, 24, 1);
	return transfer_literal(i, bits(i->word, 0, 12));
}

static bool w_dual(struct insn *i)
{
	i->width = 8;
	return transfer_literal(i, 4 * bits(i->word, 0, 8));
}

static bool w_adr(const struct insn *i)
{
	uint32_t offset =
		bits(i->word, 26, 1) << 11 | bits(i->word, 12, 3) << 8 | bits(i->word, 0, 8);

	/* Bit 23 is set for the subtracting form here, the other way round than in loads. */
	i->frame->r[bits(i->word, 8, 4)] =
		(i->pc & ~3u) + (bits(i->word, 23, 1) ? 0u - offset : offset);
	return true;
}

/* ldr.w pc: literal, 12 bits, 8 bits with or without writeback, register. */
static bool w_ldr(struct insn *i)
{
	uint32_t w = i->word, base = get(i, bits(w, 16, 4)), offset = bits(w, 0, 8);

	if (bits(w, 16, 4) == PC)
		return transfer_literal(i, bits(w, 0, 12));
	if (bits(w, 23, 1)) {
		i->at = base + bits(w, 0, 12);
	} else if (bits(w, 11, 1)) {
		i->after = bits(w, 9, 1) ? base + offset : base - offset;
		i->at = DP_ARM_WITH_RARE && bits(w, 10, 1) ? i->after : base;
		if (!DP_ARM_WITH_RARE || bits(w, 8, 1))
			i->back = (uint8_t)bits(w, 16, 4);
	} else {
		i->at = base + (get(i, bits(w, 0, 4)) << bits(w, 4, 2));
	}
	return transfer(i);
}

static bool w_tbb(const struct insn *i)
{
	bool half = bits(i->word, 4, 1);
	uint32_t entry[2] __attribute__((aligned(8))) = {0, 0};
	uint32_t index = i->frame->r[bits(i->word, 0, 4)];

	return access(i, false, get(i, bits(i->word, 16, 4)) + (index << half), half ? 2 : 1,
		      entry) &&
	       jump(i, i->pc + 2 * entry[0]);
}

#endif

static bool dispatch(enum dp_arm_class class, struct insn *i)
{
	uint32_t w = i->word;

	switch (class) {
#if DP_ARM_WITH_A32
	case DP_ARM_A_BRANCH:
		return a_branch(i);
	case DP_ARM_A_BLX:
		return a_blx(i);
	case DP_ARM_A_BX:
		return exchange(i, bits(w, 0, 4), bits(w, 5, 1), i->next);
	case DP_ARM_A_DATA:
		return a_data(i);
	case DP_ARM_A_LOAD_STORE:
		return a_load_store(i);
	case DP_ARM_A_EXTRA:
		return a_extra(i);
#if DP_ARM_WITH_RARE
	case DP_ARM_A_MSR:
		return a_msr(i);
#endif
#if DP_ARM_WITH_RARE && HAS_CPS
	case DP_ARM_A_CPS:
		return change_masks(i, bits(w, 18, 1), w & PSR_MASKS);
#endif
	case DP_ARM_A_BLOCK:
		return block(i, w);
	case DP_ARM_A_MRS:
		i->frame->r[bits(w, 12, 4)] = i->frame->cpsr & PSR_MRS;
		return true;
#endif
#if DP_ARM_WITH_THUMB
	case DP_ARM_T_BCOND:
		return jump(i, i->pc + 2 * (uint32_t)sign_extend(w, 8));
	case DP_ARM_T_B:
		return jump(i, i->pc + 2 * (uint32_t)sign_extend(w, 11));
	case DP_ARM_T_BX:
		return exchange(i, bits(w, 3, 4), bits(w, 7, 1), i->next | 1);
	case DP_ARM_T_CBZ:
		return t_cbz(i);
	case DP_ARM_T_LITERAL:
		i->rt = bits(w, 8, 3);
		i->at = (i->pc & ~3u) + 4 * bits(w, 0, 8);
		return transfer(i);
	case DP_ARM_T_ADR:
		i->frame->r[bits(w, 8, 3)] = (i->pc & ~3u) + 4 * bits(w, 0, 8);
		return true;
	case DP_ARM_T_HIGH:
		return t_high(i);
	case DP_ARM_T_POP:
		return block(i, LDMIA_SP | 1u << PC | (w & 0xff));
	case DP_ARM_T_IT:
		i->frame->cpsr = dp_arm_with_it(i->frame->cpsr, w & 0xff);
		return true;
#if HAS_CPS
	case DP_ARM_T_CPS:
		return change_masks(i, bits(w, 4, 1), bits(w, 0, 3) << 6);
#endif
	case DP_ARM_W_BCOND:
		return w_bcond(i);
	case DP_ARM_W_BRANCH:
		return w_branch(i);
	case DP_ARM_W_LITERAL:
		return w_literal(i);
	case DP_ARM_W_ADR:
		return w_adr(i);
	case DP_ARM_W_LDM:
		return block(i, w);
	case DP_ARM_W_LDR:
		return w_ldr(i);
	case DP_ARM_W_TBB:
		return w_tbb(i);
	case DP_ARM_W_MRS:
		i->frame->r[bits(w, 8, 4)] = i->frame->cpsr & PSR_MRS;
		return true;
	case DP_ARM_W_DUAL:
		return w_dual(i);
#if DP_ARM_WITH_RARE
	case DP_ARM_W_MSR:
		write_flags(i, get(i, bits(w, 16, 4)), bits(w, 10, 2));
		return true;
#endif
#if DP_ARM_WITH_RARE && HAS_CPS
	case DP_ARM_W_CPS:
		return change_masks(i, bits(w, 9, 1), bits(w, 5, 3) << 6);
#endif
#endif
	default:
		return false;
	}
}

bool dp_arm_emulate(const struct dp_site *site, struct dp_frame *frame)
{
	struct insn i; /* filled one by one: an initialiser becomes a call to memset */
	uint32_t cpsr = frame->cpsr;

	i.word = site->original;
	i.address = site->address;
	i.next = site->address + site->insn_bytes;
	i.frame = frame;
	i.pc = i.address + (dp_arm_is_thumb(site) ? 4 : 8);
	/* The form of most transfers, and the place of most transfers' registers. */
	i.at = 0;
	i.after = 0;
	i.rt = bits(i.word, 12, 4);
	i.rt2 = bits(i.word, 8, 4);
	i.back = PC;
	i.width = 4;
	i.store = false;
	i.sign = false;
	frame->r[PC] = i.next;
	if (cpsr & DP_PSR_IT)
		dp_arm_advance_it(frame);
	if (dispatch(site->port.detail, &i))
		return true;
	frame->r[PC] = i.address;
	frame->cpsr = cpsr;
	return false;
}
