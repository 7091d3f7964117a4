/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder walks over prefixes, opcode, ModRM, SIB, displacement and immediate. A table tells
 * the form and the treatment of each opcode: the first match wins, the last row rejects. Intel SDM
 * 2A 2.1 */
#include "ia32_decode.h"

#include <stddef.h>

#include "dp_errors.h"

#define DP_ONE_TRAP       (DP_IA32_ONE_TRAP << 5)
#define DP_MEMORY         (DP_IA32_MEMORY << 5)
#define DP_PLAIN          (DP_IA32_PLAIN << 5)
#define DP_EMULATE(class) (DP_IA32_EMULATE << 5 | DP_IA32_##class)
#define DP_REFUSE(reason) (DP_IA32_REFUSE << 5 | DP_REFUSE_##reason)
#define DP_ANY_DIGIT      8

#define DP_ROW(map, mask, value, digit, operands, immediate, treat, what)                          \
	{(mask), (value), DP_IA32_MAP_##map << 4 | (digit),                                        \
	 DP_IA32_##operands << 4 | DP_IA32_##immediate, (treat)},
#define DP_ROW_ANY(treat, what) {0, 0, DP_ANY_DIGIT, 0, (treat)},
const struct dp_ia32_row dp_ia32_rows[] = {
#include "decode.def"
};
_Static_assert(sizeof(dp_ia32_rows) / sizeof(dp_ia32_rows[0]) <= 255, "a row number is one byte");
const uint8_t dp_ia32_row_count = sizeof(dp_ia32_rows) / sizeof(dp_ia32_rows[0]);

/* The bytes that are there, and the place in them. */
struct reader {
	const uint8_t *bytes;
	unsigned there, at;
};

/* The next byte is not there. */
static bool is_cut(const struct reader *in)
{
	return in->at >= in->there;
}

unsigned dp_ia32_prefix_of(uint8_t byte)
{
	switch (byte) {
	case 0xf0:
		return DP_IA32_LOCK;
	case 0xf2:
		return DP_IA32_REPNE;
	case 0xf3:
		return DP_IA32_REP;
	case 0x26:
	case 0x36:
	case 0x64:
	case 0x65:
		return DP_IA32_SEGMENT;
	case 0x2e:
	case 0x3e:
		return DP_IA32_FLAT;
	case 0x66:
		return DP_IA32_OPERAND;
	case 0x67:
		return DP_IA32_ADDRESS;
	default:
		return 0;
	}
}

/* Read the opcode up to its last byte, which is at in->at then. Returns its map. */
static enum dp_ia32_map read_map(struct reader *in)
{
	const uint8_t *bytes = in->bytes;

	if (is_cut(in) || bytes[in->at] != 0x0f)
		return DP_IA32_MAP_1;
	in->at++;
	if (is_cut(in) || (bytes[in->at] & 0xfd) != 0x38)
		return DP_IA32_MAP_0F;
	in->at++;
	return bytes[in->at - 1] == 0x38 ? DP_IA32_MAP_0F38 : DP_IA32_MAP_0F3A;
}

/* Return the bytes of ModRM, SIB and displacement; 2 where SIB is missing. SDM 2A 2.1.3, 2.1.5 */
static unsigned operand_bytes(const struct reader *in, bool is_16)
{
	const uint8_t modrm = in->bytes[in->at];
	const unsigned mod = modrm >> 6, rm = modrm & 7;

	if (mod == 3)
		return 1;
	if (is_16)
		return mod == 0 ? (rm == 6 ? 3 : 1) : 1 + mod;
	if (rm != 4)
		return mod == 1 ? 2 : mod == 2 || rm == 5 ? 5 : 1;
	if (in->at + 1 >= in->there)
		return 2;
	return mod == 1 ? 3 : mod == 2 || (in->bytes[in->at + 1] & 7) == 5 ? 6 : 2;
}

static unsigned immediate_bytes(unsigned kind, unsigned prefixes)
{
	const unsigned operand = prefixes & DP_IA32_OPERAND ? 2 : 4;

	switch (kind) {
	case DP_IA32_B:
		return 1;
	case DP_IA32_W:
		return 2;
	case DP_IA32_WB:
		return 3;
	case DP_IA32_Z:
		return operand;
	case DP_IA32_ZW:
		return operand + 2;
	case DP_IA32_O:
		return prefixes & DP_IA32_ADDRESS ? 2 : 4;
	default:
		return 0;
	}
}

static bool is_last(const struct dp_ia32_row *row)
{
	return row->mask == 0 && row->form == 0;
}

/* Is the row for the opcode, whatever stands behind it? */
static bool has_opcode(const struct dp_ia32_row *row, uint8_t opcode, enum dp_ia32_map map)
{
	return is_last(row) || ((opcode & row->mask) == row->value && row->where >> 4 == map);
}

/* Does the row's digit, and the kind of its operand, fit ModRM? */
static bool fits(const struct dp_ia32_row *row, uint8_t modrm, unsigned prefixes)
{
	const unsigned digit = row->where & 15, operands = row->form >> 4;

	if (digit != DP_ANY_DIGIT && digit != (modrm >> 3 & 7))
		return false;
	if (operands == DP_IA32_MEM || operands == DP_IA32_REG)
		return (modrm >> 6 == 3) == (operands == DP_IA32_REG);
	return operands != DP_IA32_F3RM || (prefixes & DP_IA32_REP);
}

/* May an emulated instruction have the prefix 66? A relative branch then leads to the first 64 KB;
 * the others would access 16 bits. */
static bool may_be_narrow(unsigned class)
{
	return class == DP_IA32_CLI || class == DP_IA32_STI || class == DP_IA32_JMP ||
	       class == DP_IA32_JCC || class == DP_IA32_LOOP;
}

/* What prefixes make of a row's treatment: the operand of an indirect branch may be anywhere, and
 * LOCK faults in front of most instructions. */
static unsigned treated(const struct dp_ia32_insn *insn, unsigned treat, bool in_memory)
{
	const unsigned action = treat >> 5, class = treat & 31;

	if (action == DP_IA32_EMULATE && (insn->prefixes & DP_IA32_LOCK))
		return DP_REFUSE(UNDEFINED);
	if (action == DP_IA32_EMULATE &&
	    ((insn->prefixes & DP_IA32_OPERAND && !may_be_narrow(class)) ||
	     ((class == DP_IA32_JMP_RM || class == DP_IA32_CALL_RM) && in_memory &&
	      insn->prefixes & (DP_IA32_ADDRESS | DP_IA32_SEGMENT))))
		return DP_REFUSE(UNSUPPORTED);
	if (action == DP_IA32_PLAIN || action == DP_IA32_ONE_TRAP)
		return insn->prefixes & DP_IA32_LOCK || (action == DP_IA32_PLAIN && in_memory)
			       ? DP_MEMORY
			       : DP_ONE_TRAP;
	return treat;
}

/* Read what the row says behind the opcode at in->at. */
static void read_rest(struct reader *in, const struct dp_ia32_row *row, struct dp_ia32_insn *insn,
		      unsigned prefixes)
{
	const unsigned operands = row->form >> 4;

	in->at++;
	if (operands != DP_IA32_NONE) {
		insn->modrm = (uint8_t)in->at;
		in->at +=
			operands == DP_IA32_CR ? 1 : operand_bytes(in, prefixes & DP_IA32_ADDRESS);
	}
	insn->immediate = (uint8_t)in->at;
	in->at += immediate_bytes(row->form & 15, prefixes);
}

/* Find the row of the opcode at in->at. Returns null: the row depends on ModRM, which is missing.
 */
static const struct dp_ia32_row *row_of(const struct reader *in, enum dp_ia32_map map,
					unsigned prefixes)
{
	const bool has_modrm = in->at + 1 < in->there;
	const struct dp_ia32_row *row = dp_ia32_rows;

	while (!has_opcode(row, in->bytes[in->at], map) ||
	       (has_modrm && !fits(row, in->bytes[in->at + 1], prefixes)))
		row++;
	return has_modrm || row->form >> 4 == DP_IA32_NONE ? row : NULL;
}

/* Instructions behind a VEX prefix have the forms of those without. Which of them fault differs. */
static void finish(struct dp_ia32_insn *insn, const struct dp_ia32_row *row,
		   const struct reader *in, bool vex)
{
	const bool in_memory =
		insn->modrm != 0 && insn->modrm < in->there && in->bytes[insn->modrm] < 0xc0;
	unsigned treat = treated(insn, row->treat, in_memory);

	if (vex && row->treat >> 5 != DP_IA32_REFUSE && row->treat >> 5 != DP_IA32_MEMORY)
		treat = DP_REFUSE(UNSUPPORTED); /* masks of AVX-512 */
	insn->row = (uint8_t)(row - dp_ia32_rows);
	if (is_last(row) || in->at > DP_IA32_INSN_MAX) /* no instruction: no length */
		return;
	insn->cut = in->at > in->there;
	insn->action = (uint8_t)(treat >> 5);
	insn->detail = treat & 31;
	if (!insn->cut)
		insn->bytes = (uint8_t)in->at;
}

/* c4 and c5 are les and lds with an operand in memory, else VEX prefixes. SDM 2A 2.3.5 */
static bool skip_vex(struct reader *in, enum dp_ia32_map *map)
{
	const uint8_t *bytes = &in->bytes[in->at];
	unsigned number = 1;

	if (*map != DP_IA32_MAP_1 || in->at + 1 >= in->there || (bytes[0] & 0xfe) != 0xc4 ||
	    bytes[1] < 0xc0)
		return false;
	if (bytes[0] == 0xc4)
		number = bytes[1] & 31u;
	in->at += bytes[0] == 0xc4 ? 3 : 2;
	*map = number >= 1 && number <= 3 ? (enum dp_ia32_map)number : DP_IA32_MAP_VEX;
	return true;
}

struct dp_ia32_insn dp_ia32_decode(const uint8_t *bytes, unsigned there)
{
	struct dp_ia32_insn insn = {.action = DP_IA32_REFUSE, .detail = DP_REFUSE_UNDEFINED};
	struct reader in = {bytes, there < DP_IA32_INSN_MAX ? there : DP_IA32_INSN_MAX, 0};
	const struct dp_ia32_row *row = NULL;
	enum dp_ia32_map map;
	bool vex;

	for (unsigned prefix; !is_cut(&in) && (prefix = dp_ia32_prefix_of(bytes[in.at])) != 0;
	     in.at++)
		insn.prefixes |= (uint8_t)prefix;
	map = read_map(&in);
	vex = !is_cut(&in) && skip_vex(&in, &map);
	if (!is_cut(&in))
		row = row_of(&in, map, insn.prefixes);
	if (!row) {
		insn.cut = in.there < DP_IA32_INSN_MAX;
		return insn;
	}
	insn.opcode = (uint8_t)in.at;
	read_rest(&in, row, &insn, insn.prefixes);
	finish(&insn, row, &in, vex);
	return insn;
}

static int32_t distance(const uint8_t *bytes, const struct dp_ia32_insn *insn)
{
	uint32_t value = 0;

	for (unsigned i = insn->bytes; i > insn->immediate; i--)
		value = value << 8 | bytes[i - 1];
	return insn->bytes - insn->immediate == 1 ? (int32_t)((value ^ 0x80) - 0x80)
						  : (int32_t)value;
}

/* SDM 2A, JMP: EIP AND 0000FFFFH */
uint32_t dp_ia32_branch(const uint8_t *bytes, const struct dp_ia32_insn *insn, uint32_t address)
{
	const uint32_t to = address + insn->bytes + (uint32_t)distance(bytes, insn);

	return insn->prefixes & DP_IA32_OPERAND ? to & 0xffff : to;
}
