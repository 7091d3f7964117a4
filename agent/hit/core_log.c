/* SPDX-License-Identifier: BSD-2-Clause */
/* The records of a core: registers, then pieces of memory.  PROTOCOL.md 10 */
#include "dp_core_log.h"

#include "dp_clock.h"
#include "dp_hit_log.h"
#include "dp_log_ring.h"

#if DP_WITH_HISTORY
enum {
	DP_CORE_REGISTERS = 1,       /* in place of the address of memory, which is even */
	DP_CORE_PIECE_WORDS = 16,    /* at a register that points to memory */
	DP_CORE_POINTERS = 16,       /* registers whose words are sent, at most */
	DP_CORE_POINTER_LEAST = 4096 /* smaller numbers are no addresses of data */
};

/* What the records have in common. */
struct dp_core_out {
	struct dp_agent *agent;
	const struct dp_frame *frame;
	unsigned number;
	uint64_t ticks;
};

/* The body of a piece. */
struct dp_core_piece {
	dp_word address;
	dp_word words[DP_CORE_PIECE_WORDS];
};

static struct dp_record *begin(const struct dp_core_out *out, unsigned bytes)
{
	return dp_hit_log_begin(out->agent, out->number, bytes, DP_RECORD_CORE, out->ticks);
}

/* Is the register a word of the context? */
static bool is_word(const struct dp_reg *reg)
{
	return reg->words == 1 && reg->pops == 0 && (reg->access & DP_REG_PUSH_R);
}

static dp_word value_of(const struct dp_core_out *out, const struct dp_reg *reg)
{
	dp_word words[DP_REG_WORDS_MAX];

	dp_port_reg_get(out->frame, DP_CONTEXT_R, reg->index, 0, words);
	return words[0];
}

/* returns: was there room? */
static bool log_registers(const struct dp_core_out *out)
{
	struct dp_ring *ring = &DP_THIS_CPU(out->agent)->ring;
	uint16_t count;
	const struct dp_reg *reg = dp_port_regs(&count), *end = reg + count;
	dp_word word = DP_ORDER_WORD((dp_word)DP_CORE_REGISTERS);
	unsigned words = 1;
	struct dp_record *record;
	uint32_t at;

	for (const struct dp_reg *each = reg; each < end; each++)
		words += is_word(each);
	record = begin(out, words * (unsigned)sizeof(word));
	if (!record)
		return false;
	at = dp_ring_put(ring, dp_ring_body(ring, record), &word, sizeof(word));
	for (; reg < end; reg++) {
		if (!is_word(reg))
			continue;
		word = DP_ORDER_WORD(value_of(out, reg));
		at = dp_ring_put(ring, at, &word, sizeof(word));
	}
	return true;
}

enum dp_piece {
	DP_PIECE_LOGGED,
	DP_PIECE_ABSENT, /* no word can be read */
	DP_PIECE_NO_ROOM
};

static enum dp_piece log_piece(const struct dp_core_out *out, dp_addr address)
{
	struct dp_ring *ring = &DP_THIS_CPU(out->agent)->ring;
	struct dp_core_piece piece;
	unsigned bytes = (unsigned)dp_port_read(address, piece.words, sizeof(piece.words), 0);
	struct dp_record *record;

	bytes &= ~((unsigned)sizeof(dp_word) - 1);
	if (bytes == 0)
		return DP_PIECE_ABSENT;
	piece.address = DP_ORDER_WORD((dp_word)address);
	bytes += sizeof(piece.address);
	record = begin(out, bytes);
	if (!record)
		return DP_PIECE_NO_ROOM;
	dp_ring_put(ring, dp_ring_body(ring, record), &piece, bytes);
	return DP_PIECE_LOGGED;
}

static dp_addr stack_of(const struct dp_core_out *out)
{
	return (dp_addr)DP_PORT_SP(out->frame) & ~(dp_addr)(sizeof(dp_word) - 1);
}

/* returns: was there room? */
static bool log_stack(const struct dp_core_out *out)
{
	const unsigned piece = DP_CORE_PIECE_WORDS * (unsigned)sizeof(dp_word);
	dp_addr at = stack_of(out);
	enum dp_piece done = DP_PIECE_LOGGED;

	for (unsigned bytes = 0; bytes < DP_CORE_STACK_BYTES && done == DP_PIECE_LOGGED;
	     bytes += piece)
		done = log_piece(out, at + bytes);
	return done != DP_PIECE_NO_ROOM;
}

/* The addresses whose words are in records. */
struct dp_core_seen {
	dp_addr address[DP_CORE_POINTERS];
	unsigned count;
};

/* Are the words at the address in no record yet? */
static bool is_new(const struct dp_core_out *out, const struct dp_core_seen *seen, dp_addr address)
{
	if (address < DP_CORE_POINTER_LEAST || address - stack_of(out) < DP_CORE_STACK_BYTES)
		return false;
	for (unsigned i = 0; i < seen->count; i++)
		if (seen->address[i] == address)
			return false;
	return true;
}

static void log_pointers(const struct dp_core_out *out)
{
	uint16_t count;
	const struct dp_reg *reg = dp_port_regs(&count), *end = reg + count;
	struct dp_core_seen seen;

	seen.count = 0;
	for (; reg < end && seen.count < DP_CORE_POINTERS; reg++) {
		dp_addr address;
		enum dp_piece done;

		if (!is_word(reg))
			continue;
		address = (dp_addr)value_of(out, reg) & ~(dp_addr)(sizeof(dp_word) - 1);
		if (!is_new(out, &seen, address))
			continue;
		done = log_piece(out, address);
		if (done == DP_PIECE_NO_ROOM)
			return;
		if (done == DP_PIECE_LOGGED)
			seen.address[seen.count++] = address;
	}
}

void dp_core_log(struct dp_agent *agent, unsigned number, const struct dp_frame *frame)
{
	const struct dp_core_out out = {agent, frame, number, dp_hit_now(agent)};

	/* Nothing of a core goes on the line for a program of the flight recorder. */
	if (dp_program_flies(&agent->program[agent->probe[number].program])) {
		agent->probe[number].dropped++;
		return;
	}
	if (log_registers(&out) && log_stack(&out))
		log_pointers(&out);
}
#endif
