/* SPDX-License-Identifier: BSD-2-Clause */
/* Logging group. RPN.md 5, C38 to C61; what costs how much: PROTOCOL.md 2.2. */
#include "reference.h"

#include <string.h>

enum {
	PREFIX_BYTES = 3
};

static unsigned room(const struct ref_machine *m)
{
	return m->log.limit - m->log.used;
}

static void log_number(struct ref_machine *m, uint64_t value, unsigned bytes)
{
	ref_put(m->program, m->log.data + m->log.used, value, bytes);
	memset(m->log.unsure + m->log.used, false, bytes);
	m->log.used += bytes;
	if (m->log.used > m->log.most)
		m->log.most = m->log.used;
}

static void log_prefix(struct ref_machine *m, unsigned token, uint64_t count)
{
	log_number(m, token, 1);
	log_number(m, count, 2);
}

static void overflow(struct ref_machine *m)
{
	ref_raise(m, RPN_X_LOG_OVERFLOW, m->program->logmax, 0); /* C56 */
}

/* C59 and the language page: PLP follows LP when a log instruction succeeds. */
static void success(struct ref_machine *m)
{
	m->plp = m->log.used;
}

static uint64_t started_words(const struct ref_machine *m, uint64_t bytes)
{
	unsigned word = ref_word_bytes(m->program);

	return bytes / word + (bytes % word != 0);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* C43 to C47 */
static void fault(struct ref_machine *m, uint64_t address)
{
	unsigned word = ref_word_bytes(m->program);

	address = ref_cut(m->program, address);
	ref_unsure(&m->log); /* what had been copied is dropped: C46 */
	if (room(m) >= PREFIX_BYTES + word) {
		log_prefix(m, RPN_TOKEN_FAULT, word);
		log_number(m, address, word);
	}
	ref_raise(m, RPN_X_INVALID_ADDR, address, 0);
}

/* A byte of a block that begins at `address`. Past the end of the address space there is none. */
static bool block_byte(struct ref_machine *m, uint64_t address, uint64_t i, uint8_t *byte)
{
	bool writable;

	if (ref_cut(m->program, address + i) < address)
		return false;
	return ref_byte(m->world, ref_cut(m->program, address + i), byte, &writable);
}

/* C38, C39, C45, C46, C50, C51 */
static void log_mrf(struct ref_machine *m)
{
	uint64_t address = ref_pop(m), n = ref_pop(m), fits;
	uint8_t copy[REF_BUFFER_BYTES];

	if (room(m) < PREFIX_BYTES) {
		overflow(m);
		return;
	}
	fits = smaller(n, room(m) - PREFIX_BYTES);
	if (!ref_charge(m, started_words(m, fits)))
		return;
	for (uint64_t i = 0; i < fits; i++) {
		if (!block_byte(m, address, i, &copy[i])) {
			fault(m, address + i);
			return;
		}
	}
	log_prefix(m, RPN_TOKEN_MEMORY, fits);
	for (uint64_t i = 0; i < fits; i++)
		log_number(m, copy[i], 1);
	if (fits < n)
		overflow(m);
	else
		success(m);
}

/* Does not go on when the overflow is masked: C49. */
static void string_overflow(struct ref_machine *m)
{
	ref_unsure(&m->log);
	overflow(m);
	if (!(m->program->excpt_mask & RPN_X_LOG_OVERFLOW))
		ref_end(m, RPN_END_EXIT);
}

/* C43 to C49 */
static void log_str(struct ref_machine *m)
{
	uint64_t address = ref_pop(m), n = ref_pop(m), length;
	uint8_t copy[REF_BUFFER_BYTES];

	if (room(m) < PREFIX_BYTES) {
		string_overflow(m);
		return;
	}
	for (length = 0; length < n; length++) {
		uint8_t byte;

		if (!block_byte(m, address, length, &byte)) {
			fault(m, address + length);
			return;
		}
		if (byte == 0)
			break;
		if (length == room(m) - PREFIX_BYTES) {
			string_overflow(m);
			return;
		}
		if (length % ref_word_bytes(m->program) == 0 && !ref_charge(m, 1))
			return;
		copy[length] = byte;
	}
	log_prefix(m, RPN_TOKEN_STRING, length);
	for (uint64_t i = 0; i < length; i++)
		log_number(m, copy[i], 1);
	success(m);
}

/* log n: C40, C52 */
static void log_count(struct ref_machine *m, uint64_t n)
{
	unsigned word = ref_word_bytes(m->program);
	uint64_t fits = smaller(n, room(m) / word);

	if (!ref_charge(m, fits))
		return;
	for (uint64_t i = 0; i < fits; i++)
		log_number(m, *ref_slot(m, m->tsp + i), word);
	m->tsp = (m->tsp + n) % REF_STACK_WORDS;
	if (fits < n)
		overflow(m);
	else
		success(m);
}

/* log with the count on the stack */
static void log_stack(struct ref_machine *m)
{
	unsigned word = ref_word_bytes(m->program);
	uint64_t k = ref_pop(m), fits;

	if (room(m) < PREFIX_BYTES) {
		m->tsp = (m->tsp + k) % REF_STACK_WORDS;
		overflow(m);
		return;
	}
	fits = smaller(k, (room(m) - PREFIX_BYTES) / word);
	if (!ref_charge(m, fits))
		return;
	log_prefix(m, RPN_TOKEN_WORDS, fits);
	for (uint64_t i = 0; i < fits; i++)
		log_number(m, *ref_slot(m, m->tsp + i), word);
	m->tsp = (m->tsp + k) % REF_STACK_WORDS;
	if (fits < k)
		overflow(m);
	else
		success(m);
}

/* log lv, log gv: C54, C55, C59 */
static void log_variables(struct ref_machine *m, unsigned token, const uint64_t *variable,
			  unsigned variables, unsigned kind)
{
	unsigned word = ref_word_bytes(m->program);
	uint64_t range = ref_pop(m), start = ref_pop(m);
	uint64_t valid = start < variables ? smaller(range, variables - start) : 0;
	uint64_t fits;

	if (room(m) < PREFIX_BYTES) {
		overflow(m);
		return;
	}
	fits = smaller(valid, (room(m) - PREFIX_BYTES) / word);
	if (!ref_charge(m, fits))
		return;
	log_prefix(m, token, fits);
	for (uint64_t i = 0; i < fits; i++)
		log_number(m, variable[start + i], word);
	if (fits < valid)
		overflow(m);
	else if (valid < range)
		ref_raise(m, RPN_X_INVALID_OPERAND, kind, start + valid);
	else
		success(m);
}

/* trace pv, lv, gv: what this frame's record will show */
static void trace_range(struct ref_machine *m, unsigned which)
{
	uint64_t range = ref_pop(m), index = ref_pop(m);

	m->frame[m->depth].trace[which][0] = index;
	m->frame[m->depth].trace[which][1] = range;
}

bool ref_logging(struct ref_machine *m, uint8_t op, uint64_t operand)
{
	switch (op) {
	case RPN_SETMIN:
		operand = ref_pop(m);
		/* fall through */
	case RPN_SETMIN_N:
		m->minor = (uint16_t)operand;
		m->codes_set = true;
		return true;
	case RPN_SETMAJ:
		operand = ref_pop(m);
		/* fall through */
	case RPN_SETMAJ_N:
		m->major = (uint16_t)operand;
		m->codes_set = true;
		return true;
	case RPN_LOG_STR:
		log_str(m);
		return true;
	case RPN_LOG_MRF:
		log_mrf(m);
		return true;
	case RPN_LOG_N:
		log_count(m, operand);
		return true;
	case RPN_LOG:
		log_stack(m);
		return true;
	case RPN_LOG_LV:
		log_variables(m, RPN_TOKEN_LV, m->lv, m->program->vars, RPN_BAD_LV);
		return true;
	case RPN_LOG_GV:
		log_variables(m, RPN_TOKEN_GV, m->gv, m->program->gvars, RPN_BAD_GV);
		return true;
	case RPN_LOG_ST:
		ref_trace(m);
		return true;
	case RPN_PURGE_ST:
		m->trace.used = m->trace.most = 0; /* flushed: there is nothing to go back to */
		m->truncated = false;
		return true;
	case RPN_TRACE_PV:
		trace_range(m, 0);
		return true;
	case RPN_TRACE_LV:
		trace_range(m, 1);
		return true;
	case RPN_TRACE_GV:
		trace_range(m, 2);
		return true;
	default:
		return false;
	}
}
