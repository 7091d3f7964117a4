/* SPDX-License-Identifier: BSD-2-Clause */
/* Places of the firmware's variables, as debug information gives them, become instructions. */
#include "lower.h"

#include "debuginfo/location.h"

static unsigned word_bytes(const struct d_lower *l)
{
	return l->code->word_bytes;
}

void dph_d_load(struct d_lower *l, unsigned bytes, bool is_signed)
{
	dph_d_emit(l->code,
		   bytes == 1   ? RPN_PUSH_MEM_8
		   : bytes == 2 ? RPN_PUSH_MEM_16
		   : bytes == 4 ? RPN_PUSH_MEM_32
				: RPN_PUSH_MEM_64,
		   0);
	if (is_signed && bytes < word_bytes(l))
		dph_d_extend(l, bytes * 8, true);
}

/* --- steps --------------------------------------------------------------------------------- */

static void compare(struct d_lower *l, enum dph_step_op op)
{
	if (op == DPH_STEP_EQ || op == DPH_STEP_NE) {
		dph_d_emit(l->code, RPN_SUB, 0);
		dph_d_truth(l, op == DPH_STEP_NE);
		return;
	}
	if (op == DPH_STEP_GT || op == DPH_STEP_LE)
		dph_d_emit(l->code, RPN_XCHG, 0);
	dph_d_less(l, true);
	dph_d_emit(l->code, RPN_SHR_N, word_bytes(l) * 8 - 1);
	if (op == DPH_STEP_LT || op == DPH_STEP_GT)
		return;
	dph_d_push(l->code, 1);
	dph_d_emit(l->code, RPN_XOR, 0);
}

/* Copy the word `n` below the top; words above it are kept in temporaries. Returns false where
 * there are too many. */
static bool pick(struct d_lower *l, int64_t n)
{
	if (n < 0 || n >= D_TEMPS_WORK)
		return false;
	for (unsigned i = 0; i < (unsigned)n; i++)
		dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, i));
	dph_d_emit(l->code, RPN_DUP_N, 1);
	for (unsigned i = (unsigned)n; i-- > 0;) {
		dph_d_emit(l->code, RPN_PUSH_LV_N, dph_d_temp(l, i));
		dph_d_emit(l->code, RPN_XCHG, 0);
	}
	return true;
}

/* a b c -- c a b */
static void rotate(struct d_lower *l)
{
	dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, 0));
	dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, 1));
	dph_d_emit(l->code, RPN_POP_LV_N, dph_d_temp(l, 2));
	dph_d_emit(l->code, RPN_PUSH_LV_N, dph_d_temp(l, 0));
	dph_d_emit(l->code, RPN_PUSH_LV_N, dph_d_temp(l, 2));
	dph_d_emit(l->code, RPN_PUSH_LV_N, dph_d_temp(l, 1));
}

/* |v| is (v ^ s) - s with s the sign in all bits. */
static void absolute(struct d_lower *l)
{
	const unsigned sign = dph_d_temp(l, 0);
	dph_d_emit(l->code, RPN_DUP_N, 1);
	dph_d_emit(l->code, RPN_SHR_N, word_bytes(l) * 8 - 1);
	dph_d_emit(l->code, RPN_MOVE_LV_N, sign);
	dph_d_emit(l->code, RPN_NEG, 0);
	dph_d_add_constant(l, 1);
	dph_d_emit(l->code, RPN_XOR, 0);
	dph_d_emit(l->code, RPN_PUSH_LV_N, sign);
	dph_d_emit(l->code, RPN_ADD, 0);
}

static bool emit_step(struct d_lower *l, const struct dph_step *step)
{
	switch (step->op) {
	case DPH_STEP_CONST:
		dph_d_push(l->code, (uint64_t)step->value);
		return true;
	case DPH_STEP_REG:
	case DPH_STEP_ENTRY: /* the checker permits it at the entry only */
		dph_d_emit(l->code, RPN_PUSH_R, (uint64_t)step->value);
		return true;
	case DPH_STEP_LOAD:
		dph_d_load(l, (unsigned)step->value, false);
		return step->value <= word_bytes(l);
	case DPH_STEP_ADD:
		dph_d_emit(l->code, RPN_ADD, 0);
		return true;
	case DPH_STEP_SUB:
		dph_d_emit(l->code, RPN_XCHG, 0);
		dph_d_emit(l->code, RPN_SUB, 0);
		return true;
	case DPH_STEP_MUL:
		dph_d_emit(l->code, RPN_MUL, 0);
		return true;
	case DPH_STEP_DIV:
	case DPH_STEP_UDIV:
	case DPH_STEP_MOD:
		dph_d_divide(l, step->op == DPH_STEP_DIV, step->op == DPH_STEP_MOD);
		return true;
	case DPH_STEP_AND:
		dph_d_emit(l->code, RPN_AND, 0);
		return true;
	case DPH_STEP_OR:
		dph_d_emit(l->code, RPN_OR, 0);
		return true;
	case DPH_STEP_XOR:
		dph_d_emit(l->code, RPN_XOR, 0);
		return true;
	case DPH_STEP_SHL:
	case DPH_STEP_SHR:
	case DPH_STEP_SAR:
		dph_d_emit(l->code, RPN_XCHG, 0);
		dph_d_shift(l, step->op == DPH_STEP_SHL ? RPN_SHL : RPN_SHR,
			    step->op == DPH_STEP_SAR);
		return true;
	case DPH_STEP_EQ:
	case DPH_STEP_NE:
	case DPH_STEP_LT:
	case DPH_STEP_LE:
	case DPH_STEP_GT:
	case DPH_STEP_GE:
		compare(l, step->op);
		return true;
	case DPH_STEP_NOT:
		dph_d_emit(l->code, RPN_NEG, 0);
		return true;
	case DPH_STEP_NEG:
		dph_d_emit(l->code, RPN_NEG, 0);
		dph_d_add_constant(l, 1);
		return true;
	case DPH_STEP_ABS:
		absolute(l);
		return true;
	case DPH_STEP_ZEXT:
	case DPH_STEP_SEXT:
		dph_d_extend(l, (unsigned)step->value, step->op == DPH_STEP_SEXT);
		return true;
	case DPH_STEP_DROP:
		dph_d_emit(l->code, RPN_ROS_N, 1);
		return true;
	case DPH_STEP_PICK:
		return pick(l, step->value);
	case DPH_STEP_SWAP:
		dph_d_emit(l->code, RPN_XCHG, 0);
		return true;
	case DPH_STEP_ROT:
		rotate(l);
		return true;
	default:
		return false;
	}
}

/* The label in front of each step that a branch leads to; SIZE_MAX: none. Branches lead forward. */
static size_t *step_labels(struct d_lower *l, struct dph_steps steps)
{
	size_t *labels = dph_pool_take(l->d->pool, (steps.count + 1) * sizeof(*labels));
	for (size_t i = 0; i <= steps.count; i++)
		labels[i] = SIZE_MAX;
	for (size_t i = 0; i < steps.count; i++) {
		const struct dph_step *step = &steps.list[i];
		const bool jumps = step->op == DPH_STEP_BRANCH || step->op == DPH_STEP_SKIP;
		if (jumps && labels[step->value] == SIZE_MAX)
			labels[step->value] = dph_d_label(l->code);
	}
	return labels;
}

static void put_step_label(struct d_lower *l, size_t label)
{
	if (label != SIZE_MAX)
		dph_d_put(l->code, label);
}

/* v -- ; jumps unless v is 0. The jumps of RPN leave v. */
static void branch(struct d_lower *l, size_t label)
{
	const size_t stays = dph_d_label(l->code);
	dph_d_emit(l->code, RPN_JZ, stays);
	dph_d_emit(l->code, RPN_ROS_N, 1);
	dph_d_emit(l->code, RPN_JMP, label);
	dph_d_put(l->code, stays);
	dph_d_emit(l->code, RPN_ROS_N, 1);
}

static bool emit_all_steps(struct d_lower *l, struct dph_steps steps)
{
	const size_t *labels = step_labels(l, steps);
	for (size_t i = 0; i < steps.count; i++) {
		const struct dph_step *step = &steps.list[i];
		put_step_label(l, labels[i]);
		if (step->op == DPH_STEP_BRANCH)
			branch(l, labels[step->value]);
		else if (step->op == DPH_STEP_SKIP)
			dph_d_emit(l->code, RPN_JMP, labels[step->value]);
		else if (!emit_step(l, step))
			return false;
	}
	put_step_label(l, labels[steps.count]);
	return true;
}

/* Fold a register and an offset; else step by step. */
static bool emit_steps(struct d_lower *l, struct dph_steps steps, uint64_t more)
{
	uint32_t reg;
	int64_t offset;
	if (dph_steps_linear(steps, &reg, &offset)) {
		if (reg == UINT32_MAX) {
			dph_d_push(l->code, (uint64_t)offset + more);
			return true;
		}
		dph_d_emit(l->code, RPN_PUSH_R, reg);
		dph_d_add_constant(l, (uint64_t)offset + more);
		return true;
	}
	if (!emit_all_steps(l, steps))
		return false;
	dph_d_add_constant(l, more);
	return true;
}

/* --- pieces -------------------------------------------------------------------------------- */

/* The piece that has the byte, and the byte's number in it. */
static const struct dph_piece *piece_at(const struct dph_location *location, uint64_t *byte)
{
	for (size_t i = 0; i < location->count; i++) {
		const struct dph_piece *piece = &location->pieces[i];
		if (!piece->bits || *byte < piece->bits / 8)
			return piece;
		*byte -= piece->bits / 8;
	}
	return NULL;
}

static void refuse(struct d_lower *l, const struct d_node *node, const char *why)
{
	dph_d_error(l->d, D_HERE_LOCATION, node->place, "this cannot be read here: %s", why);
	dph_d_push(l->code, 0);
}

static uint64_t constant_bytes(const struct d_lower *l, const uint8_t *bytes, uint64_t count)
{
	uint64_t value = 0;
	for (uint64_t i = 0; i < count && i < 8; i++)
		value = value << 8 | bytes[l->d->program->target.big_endian ? i : count - 1 - i];
	return value;
}

void dph_d_lower_location_address(struct d_lower *l, const struct d_node *node)
{
	uint64_t byte = node->is.offset;
	const struct dph_piece *piece = piece_at(node->is.location, &byte);
	if (!piece || piece->kind != DPH_PIECE_MEMORY || piece->bit_at % 8)
		refuse(l, node, "it has no address");
	else if (!emit_steps(l, piece->steps, byte + piece->bit_at / 8))
		refuse(l, node, "its place is computed in a way that handlers cannot");
}

/* --- bytes of a variable ------------------------------------------------------------------- */

/* Bytes of a variable that become one value. */
struct part {
	uint64_t offset, bytes;
	bool is_signed;
	bool whole; /* a scalar: where it is narrower than its register, it stands in the low bits,
		     * in either byte order */
};

static void lower_part(struct d_lower *l, const struct d_node *node, const struct part *part);

static bool is_big(const struct d_lower *l)
{
	return l->d->program->target.big_endian;
}

/* Keep the part of the word on the stack, whose `held` bytes are of the variable. */
static void part_of_word(struct d_lower *l, uint64_t at, const struct part *part, uint64_t held)
{
	const uint64_t below = is_big(l) ? held - at - part->bytes : at;
	if (below)
		dph_d_emit(l->code, RPN_SHR_N, below * 8);
	if (part->bytes < word_bytes(l))
		dph_d_extend(l, (unsigned)part->bytes * 8, part->is_signed);
}

/* Push a part that is in a register, or a computed value. */
static void lower_held(struct d_lower *l, const struct d_node *node, const struct dph_piece *piece,
		       uint64_t at, const struct part *part)
{
	uint64_t held = piece->bits ? piece->bits / 8 : word_bytes(l);
	if (!piece->bits && part->bytes < word_bytes(l) && part->whole)
		held = part->bytes;
	if (at + part->bytes > held) {
		refuse(l, node, "only a part of it is there");
		return;
	}
	if (piece->kind == DPH_PIECE_REGISTER)
		dph_d_emit(l->code, RPN_PUSH_R, piece->reg);
	else if (piece->kind == DPH_PIECE_PROGRAM)
		dph_d_emit(l->code, RPN_PUSH_LV_N,
			   dph_d_variable_index(l, node->is.variable) + piece->reg);
	else if (!emit_steps(l, piece->steps, 0))
		refuse(l, node, "its value is computed in a way that handlers cannot");
	if (piece->bit_at)
		dph_d_emit(l->code, RPN_SHR_N, piece->bit_at);
	part_of_word(l, at, part, held);
}

static void lower_bytes(struct d_lower *l, const struct d_node *node, const struct dph_piece *piece,
			uint64_t at, const struct part *part)
{
	if (at + part->bytes > piece->byte_count) {
		refuse(l, node, "only a part of it is there");
		return;
	}
	const uint64_t value = constant_bytes(l, piece->bytes + at, part->bytes);
	if (part->bytes > word_bytes(l))
		dph_d_push_long(l, value);
	else
		dph_d_push(l->code,
			   dph_d_type_narrow(&(struct d_type){.bytes = (unsigned)part->bytes,
							      .is_signed = part->is_signed},
					     value));
}

/* Push a part that is in one piece, from byte `at` of the piece on. */
static void lower_piece(struct d_lower *l, const struct d_node *node, const struct dph_piece *piece,
			uint64_t at, const struct part *part)
{
	switch (piece->kind) {
	case DPH_PIECE_MEMORY:
		if (piece->bit_at % 8 || !emit_steps(l, piece->steps, at + piece->bit_at / 8))
			refuse(l, node, "its place is computed in a way that handlers cannot");
		dph_d_load(l, (unsigned)part->bytes, part->is_signed);
		break;
	case DPH_PIECE_REGISTER:
	case DPH_PIECE_PROGRAM:
	case DPH_PIECE_VALUE:
		lower_held(l, node, piece, at, part);
		break;
	case DPH_PIECE_BYTES:
		lower_bytes(l, node, piece, at, part);
		break;
	case DPH_PIECE_POINTER:
		refuse(l, node, "it points to a variable that has no address");
		break;
	case DPH_PIECE_ABSENT:
		refuse(l, node, "it is optimised out");
		break;
	default:
		refuse(l, node, piece->why ? piece->why : "unknown");
		break;
	}
}

/* Is the part in this piece, and one push or load away? */
static bool is_in_one(const struct d_lower *l, const struct dph_piece *piece, uint64_t at,
		      const struct part *part)
{
	const bool held = piece->kind == DPH_PIECE_REGISTER || piece->kind == DPH_PIECE_PROGRAM ||
			  piece->kind == DPH_PIECE_VALUE;
	return !piece->bits ||
	       (at + part->bytes <= piece->bits / 8 && (!held || part->bytes <= word_bytes(l)));
}

/* Is the byte of the variable anywhere? */
static bool is_there(const struct d_node *node, uint64_t byte)
{
	const struct dph_piece *piece = piece_at(node->is.location, &byte);
	return piece && piece->kind != DPH_PIECE_ABSENT;
}

/* The largest number of bytes that one load or push has, and the piece holds. */
static uint64_t run_of(const struct dph_piece *piece, uint64_t at, uint64_t most)
{
	uint64_t run = most, held = piece->bits / 8 - at;
	while (run & (run - 1))
		run &= run - 1;
	while (piece->bits && run > held)
		run /= 2;
	return run;
}

/* Push a part of at most a word that is in several pieces: each run of bytes is shifted to its
 * place. */
static void join(struct d_lower *l, const struct d_node *node, const struct part *part)
{
	for (uint64_t done = 0; done < part->bytes;) {
		uint64_t at = part->offset + done;
		const struct dph_piece *piece = piece_at(node->is.location, &at);
		if (!piece || piece->kind == DPH_PIECE_ABSENT || piece->bits % 8 ||
		    piece->bit_at % 8) {
			refuse(l, node, "only a part of it is there");
			return;
		}
		const uint64_t run = run_of(piece, at, part->bytes - done);
		const uint64_t below = is_big(l) ? part->bytes - done - run : done;
		l->depth += done != 0;
		lower_piece(l, node, piece, at, &(struct part){.offset = at, .bytes = run});
		l->depth -= done != 0;
		if (below)
			dph_d_emit(l->code, RPN_SHL_N, below * 8);
		if (done)
			dph_d_emit(l->code, RPN_OR, 0);
		done += run;
	}
	if (part->bytes < word_bytes(l))
		dph_d_extend(l, (unsigned)part->bytes * 8, part->is_signed);
}

/* Push a part of two words as `push mem, u64` leaves it: the lower address on top. */
static void lower_pair(struct d_lower *l, const struct d_node *node, const struct part *part)
{
	const unsigned word = word_bytes(l);
	const bool first = is_there(node, part->offset),
		   second = is_there(node, part->offset + word);
	const struct part below = {.offset = part->offset, .bytes = word};
	const struct part above = {.offset = part->offset + word, .bytes = part->bytes - word};
	if (first != second) {
		refuse(l, node,
		       first == is_big(l) ? "only bits 32 to 63 of it are there"
					  : "only bits 0 to 31 of it are there");
		return;
	}
	lower_part(l, node, &above);
	l->depth++;
	lower_part(l, node, &below);
	l->depth--;
}

static void lower_part(struct d_lower *l, const struct d_node *node, const struct part *part)
{
	uint64_t at = part->offset;
	const struct dph_piece *piece = piece_at(node->is.location, &at);
	if (piece && is_in_one(l, piece, at, part))
		lower_piece(l, node, piece, at, part);
	else if (part->bytes > word_bytes(l))
		lower_pair(l, node, part);
	else if (!piece || piece->kind == DPH_PIECE_ABSENT)
		refuse(l, node, "it is optimised out");
	else
		join(l, node, part);
}

/* Is the node a member or an element of a variable? */
static bool is_part(const struct d_node *node)
{
	return node->kind == D_NODE_MEMBER ||
	       (node->kind == D_NODE_INDEX && node->a->is.home == D_HOME_LOCATION);
}

void dph_d_lower_location(struct d_lower *l, const struct d_node *node, uint64_t bytes)
{
	const struct part part = {.offset = node->is.offset,
				  .bytes = bytes,
				  .is_signed = node->is.type.is_signed && !node->is.member.bits,
				  .whole = !is_part(node)};
	lower_part(l, node, &part);
}
