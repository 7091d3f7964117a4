/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings in words: RPN.md 5. Byte i of a string is byte i of its words, the highest byte first. */
#include "reference.h"

enum {
	WORDS_MAX = 255
};

/* Byte i of the string at the address, where it is readable. */
static bool byte_at(struct ref_machine *m, uint64_t address, uint64_t i, uint8_t *byte)
{
	uint64_t at = ref_cut(m->program, address + i);
	bool writable;

	return at >= address && ref_byte(m->world, at, byte, &writable);
}

static void put_byte(struct ref_machine *m, uint64_t *words, uint64_t i, uint8_t byte)
{
	unsigned bytes = ref_word_bytes(m->program);

	words[i / bytes] |= (uint64_t)byte << 8 * (bytes - 1 - i % bytes);
}

/* Slots below the top have the words, also where no word is pushed. */
static void push_words(struct ref_machine *m, const uint64_t *words, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		ref_push(m, words[i]);
}

static void push_string(struct ref_machine *m, uint64_t n)
{
	uint64_t address = ref_pop(m), words[WORDS_MAX] = {0}, i;
	unsigned bytes = ref_word_bytes(m->program);
	uint8_t byte = 1;

	for (i = 0; i < n * bytes && byte; i++) {
		if (!byte_at(m, address, i, &byte)) {
			uint64_t tsp = m->tsp;

			push_words(m, words, i / bytes);
			m->tsp = tsp;
			ref_raise(m, RPN_X_INVALID_ADDR, ref_cut(m->program, address + i), 0);
			return;
		}
		put_byte(m, words, i, byte);
	}
	push_words(m, words, n);
}

static void push_name(struct ref_machine *m, uint64_t n)
{
	uint64_t words[WORDS_MAX] = {0};
	const char *name = m->world->has_hooks ? m->world->task_name : "";

	for (uint64_t i = 0; i < n * ref_word_bytes(m->program) && name[i]; i++)
		put_byte(m, words, i, (uint8_t)name[i]);
	push_words(m, words, n);
}

/* Two strings of n words that went round the stack share slots. */
static void compare(struct ref_machine *m, uint64_t n)
{
	uint64_t result = 0;

	for (uint64_t i = 0; i < n && result == 0; i++) {
		uint64_t s = *ref_slot(m, m->tsp + 2 * n - 1 - i);
		uint64_t t = *ref_slot(m, m->tsp + n - 1 - i);

		if (s != t)
			result = s < t ? ref_cut(m->program, (uint64_t)-1) : 1;
	}
	for (uint64_t i = 0; i < 2 * n; i++)
		ref_pop(m);
	ref_push(m, result);
}

static void find(struct ref_machine *m, uint64_t n)
{
	uint64_t wanted = ref_pop(m) & 0xff, address = ref_pop(m), i;
	uint8_t byte;

	for (i = 0; i < n; i++) {
		if (!ref_charge(m, 1))
			return;
		if (!byte_at(m, address, i, &byte)) {
			ref_raise(m, RPN_X_INVALID_ADDR, ref_cut(m->program, address + i), 0);
			return;
		}
		if (byte == 0 || byte == wanted)
			break;
	}
	ref_push(m, i);
}

bool ref_string(struct ref_machine *m, uint8_t op, uint64_t n)
{
	switch (op) {
	case RPN_PUSH_NAME:
		if (ref_charge(m, n))
			push_name(m, n);
		return true;
	case RPN_PUSH_STR:
		if (ref_charge(m, 3 + 6 * n))
			push_string(m, n);
		return true;
	case RPN_CMP_STR:
		if (ref_charge(m, 2 * n))
			compare(m, n);
		return true;
	case RPN_FIND:
		if (ref_charge(m, 3))
			find(m, n);
		return true;
	default:
		return false;
	}
}
