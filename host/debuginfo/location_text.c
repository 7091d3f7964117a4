/* SPDX-License-Identifier: BSD-2-Clause */
/* This file prints locations for readers. */
#include "location.h"

#include "debuginfo.h"

#include <stdio.h>
#include <string.h>

enum {
	WORDS_MAX = 8, /* of the stack, while steps are written with operators between */
	TEXT_MAX = 256 /* of a location; a longer one ends with "..." */
};

static const struct {
	const char *text;
	unsigned pops, pushes;
} step_rows[] = {
#define STEP(name, text, pops, pushes) {text, pops, pushes},
#include "steps.def"
};

static void put(char *text, const char *more)
{
	size_t there = strlen(text), length = strlen(more);
	if (there + length < TEXT_MAX) {
		memcpy(text + there, more, length + 1);
	} else if (there < TEXT_MAX - 4) {
		memcpy(text + there, "...", sizeof "...");
	}
}

static void number_text(char *text, size_t room, int64_t value)
{
	bool small = value > -10000 && value < 10000;
	snprintf(text, room, small ? "%lld" : "0x%llx",
		 small ? (long long)value : (long long)(uint64_t)value);
}

static const char *register_text(struct dp_debuginfo *debug, int64_t index)
{
	const char *name = debug->cpu ? dph_reg_name(debug->cpu, (unsigned)index) : NULL;
	return name ? name : "?";
}

/* The value of a step that takes no operand from the stack: a register, a number. */
static void leaf_text(struct dp_debuginfo *debug, const struct dph_step *step, char *text,
		      size_t room)
{
	if (step->op == DPH_STEP_REG)
		snprintf(text, room, "%s", register_text(debug, step->value));
	else if (step->op == DPH_STEP_ENTRY)
		snprintf(text, room, "%s at entry", register_text(debug, step->value));
	else
		number_text(text, room, step->value);
}

/* Steps one after another, as they are done. */
static void row_text(struct dp_debuginfo *debug, struct dph_steps steps, char *text)
{
	char word[64];
	for (size_t i = 0; i < steps.count; i++) {
		const struct dph_step *step = &steps.list[i];
		put(text, i ? ", " : "");
		if (step->op <= DPH_STEP_ENTRY) {
			leaf_text(debug, step, word, sizeof word);
			put(text, word);
			continue;
		}
		put(text, step_rows[step->op].text);
		if (step->op == DPH_STEP_LOAD || step->op >= DPH_STEP_ZEXT) {
			snprintf(word, sizeof word, " %lld", (long long)step->value);
			put(text, word);
		}
	}
}

/* A negative number behind + reads as a difference. */
static void join(char *left, const char *operator, const char * right)
{
	char text[TEXT_MAX] = "";
	bool negative = operator[0] == '+' && right[0] == '-';
	put(text, left);
	put(text, negative ? " - " : " ");
	put(text, negative ? "" : operator);
	put(text, negative ? "" : " ");
	put(text, right + negative);
	memcpy(left, text, sizeof text);
}

/* Steps with operators between their operands. False: their order does not allow it. */
static bool infix_text(struct dp_debuginfo *debug, struct dph_steps steps, char *text)
{
	char words[WORDS_MAX][TEXT_MAX];
	size_t depth = 0;
	for (size_t i = 0; i < steps.count; i++) {
		const struct dph_step *step = &steps.list[i];
		bool leaf = step->op <= DPH_STEP_ENTRY;
		bool binary = step->op >= DPH_STEP_ADD && step->op <= DPH_STEP_GE;
		if ((leaf && depth == WORDS_MAX) || (binary && depth < 2) ||
		    (!leaf && !binary && (step->op != DPH_STEP_LOAD || !depth)))
			return false;
		if (leaf) {
			leaf_text(debug, step, words[depth++], TEXT_MAX);
		} else if (binary) {
			join(words[depth - 2], step_rows[step->op].text, words[depth - 1]);
			depth--;
		} else {
			char loaded[TEXT_MAX] = "[";
			put(loaded, words[depth - 1]);
			put(loaded, "]");
			memcpy(words[depth - 1], loaded, sizeof loaded);
		}
	}
	if (depth)
		put(text, words[depth - 1]);
	return depth == 1;
}

static void steps_text(struct dp_debuginfo *debug, struct dph_steps steps, char *text)
{
	char form[TEXT_MAX] = "";
	if (!infix_text(debug, steps, form)) {
		form[0] = 0;
		row_text(debug, steps, form);
	}
	put(text, form);
}

static void bytes_text(const struct dph_piece *piece, char *text)
{
	char word[8];
	for (size_t i = 0; i < piece->byte_count && i < 16; i++) {
		snprintf(word, sizeof word, i ? " %02x" : "%02x", piece->bytes[i]);
		put(text, word);
	}
	put(text, piece->byte_count > 16 ? " ... (bytes)" : " (bytes)");
}

static void piece_text(struct dp_debuginfo *debug, const struct dph_piece *piece, char *text)
{
	switch (piece->kind) {
	case DPH_PIECE_ABSENT:
	case DPH_PIECE_PROGRAM:
	case DPH_PIECE_REFUSED:
		put(text, piece->why);
		break;
	case DPH_PIECE_REGISTER:
		put(text, register_text(debug, piece->reg));
		break;
	case DPH_PIECE_MEMORY:
		put(text, "[");
		steps_text(debug, piece->steps, text);
		put(text, "]");
		break;
	case DPH_PIECE_VALUE:
		steps_text(debug, piece->steps, text);
		put(text, " (value)");
		break;
	case DPH_PIECE_BYTES:
		bytes_text(piece, text);
		break;
	case DPH_PIECE_POINTER:
		put(text, "points to a variable without an address");
		break;
	}
}

const char *dph_location_text(struct dp_debuginfo *debug, const struct dph_location *location)
{
	char text[TEXT_MAX] = "", word[64];
	uint64_t bit = 0;
	for (size_t i = 0; i < location->count; i++) {
		const struct dph_piece *piece = &location->pieces[i];
		put(text, i ? ", " : "");
		if (piece->bits) {
			snprintf(word, sizeof word, "bits %llu to %llu ", (unsigned long long)bit,
				 (unsigned long long)(bit + piece->bits - 1));
			put(text, word);
			bit += piece->bits;
		}
		piece_text(debug, piece, text);
	}
	return dph_pool_copy(&debug->pool, text, strlen(text));
}
