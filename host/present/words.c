/* SPDX-License-Identifier: BSD-2-Clause */
/* This file has the words of words.h. */
#include "words.h"

#include "tables/isas.h"
#include "tables/modelled.h"
#include "tables/registers.h"

#include "dp_object.h"
#include "dp_record.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *word(const char *const *words, size_t count, size_t number)
{
	return number < count ? words[number] : "unknown";
}

const char *dph_gap_word(enum dp_gap_kind kind)
{
	static const char *const words[] = {
		[DP_GAP_RECORDS] = "records lost", [DP_GAP_NOTICES] = "notices lost",
		[DP_GAP_DROPPED] = "dropped",      [DP_GAP_UNREADABLE] = "unreadable",
		[DP_GAP_MISSED] = "missed",        [DP_GAP_WITHDRAWN] = "withdrawn",
		[DP_GAP_FULL] = "ring full",
	};

	return word(words, COUNT(words), kind);
}

const char *dph_probe_state(unsigned state)
{
#define DP_PROBE_STATE(number, name, words, sentence) [number] = (words),
	static const char *const words[DP_PROBE_STATES] = {
#include "probe_states.def"
	};

	return word(words, COUNT(words), state);
}

const char *dph_means(unsigned means)
{
#define DP_MEANS(number, name, words, sentence) [number] = (words),
	static const char *const words[] = {
#include "means.def"
	};

	return word(words, COUNT(words), means);
}

const char *dph_program_state(unsigned state)
{
	static const char *const words[] = {"armed", "waiting for its module", "damaged"};

	return word(words, COUNT(words), state);
}

const char *dph_bounds_word(unsigned cpu, unsigned bounds)
{
	const struct dph_cpu *row = dph_cpu_numbered(cpu);
	if (bounds)
		return "table";
	return row && dph_isa_one_length(row) ? "alignment" : "trusted";
}

const char *dph_lacks_sentence(unsigned lacks)
{
#define DP_LACK(number, name, sentence) [number] = (sentence),
	static const char *const sentences[] = {
#include "lacks.def"
	};

	return lacks == 0 ? NULL : word(sentences, COUNT(sentences), lacks);
}

const char *dph_nonce_word(unsigned source)
{
#define DP_NONCE_SOURCE(number, name, word, meaning) [number] = (word),
	static const char *const words[] = {
#include "nonce_sources.def"
	};

	return word(words, COUNT(words), source);
}

const char *dph_nonce_meaning(unsigned source)
{
#define DP_NONCE_SOURCE(number, name, word, meaning) [number] = (meaning),
	static const char *const meanings[] = {
#include "nonce_sources.def"
	};

	return word(meanings, COUNT(meanings), source);
}

const char *dph_identity_word(unsigned identity)
{
	static const char *const words[] = {"none", "build-id", "text-crc"};

	return word(words, COUNT(words), identity);
}

const char *dph_order_word(bool big_endian)
{
	return big_endian ? "big" : "little";
}

const char *dph_profile_word(unsigned profile)
{
	return profile == 0 ? "READ" : "FULL";
}

const char *dph_lines_text(uint8_t coms)
{
	static const char *const words[] = {"no line", "com1", "com2", "com1 and com2"};

	return words[coms & 3];
}

const char *dph_log_line_name(uint8_t target)
{
	switch (target) {
	case DP_LOG_COM1:
		return "com1";
	case DP_LOG_COM2:
		return "com2";
	default:
		return "nowhere";
	}
}

const char *dph_log_mode_word(uint8_t mode)
{
	return mode == DP_LOG_SYNCHRONOUS ? "synchronous" : "buffered";
}

const char *dph_end_word(enum rpn_end end)
{
	static const char *const words[] = {
		[RPN_END_EXIT] = "exit",
		[RPN_END_EXCEPTION] = "exception",
		[RPN_END_BUDGET] = "budget",
		[RPN_END_ABORT] = "abort",
	};

	return word(words, COUNT(words), end);
}

const char *dph_symbol_type(const struct dp_symbol_view *view)
{
	const struct dph_cpu *cpu = view->cpu != NULL ? dph_cpu_named(view->cpu) : NULL;
	const char *isa = dph_isa_mark(cpu, view->symbol->isa);

	switch (view->symbol->kind) {
	case DP_SYMBOL_FUNCTION:
		return isa != NULL ? isa : "code";
	case DP_SYMBOL_OBJECT:
		return "data";
	case DP_SYMBOL_OTHER:
		break;
	}
	return "label";
}

/* Add one word of a list; room is that of the whole text. */
static void add(char *text, size_t room, const char *separator, const char *name)
{
	const size_t used = strlen(text);

	snprintf(text + used, room - used, "%s%s", used == 0 ? "" : separator, name);
}

const char *dph_items_text(uint8_t items, char *text)
{
	*text = '\0';
#define DP_DERIVED(bit, name) items |= items & (bit) ? DP_ITEM_##name : 0;
#include "items.def"
#define DP_ITEM(bit, name, word, bytes)                                                            \
	if (items & (bit))                                                                         \
		add(text, DPH_WORDS_ROOM, ",", word);
#include "items.def"
	return text;
}

const char *dph_watch_kinds_text(uint8_t kinds, char *text)
{
	*text = '\0';
#define DP_POINT_KIND(number, name, word, sentence)                                                \
	if ((DP_POINTS_WATCHED & kinds) >> (number)&1)                                             \
		add(text, DPH_WORDS_ROOM, ", ", word);
#include "point_kinds.def"
	return text;
}

const char *dph_modelled_text(unsigned cpu, const struct dp_hardware_answer *hardware, char *text)
{
	*text = '\0';
	for (unsigned use = 0; use < DPH_MODELLED_USES; use++) {
		const char *unit = dph_modelled(cpu, hardware, (enum dph_modelled)use);

		if (unit != NULL)
			add(text, DPH_UNITS_ROOM, ", ", unit);
	}
	return text;
}

const struct dph_group dph_groups[DPH_GROUPS] = {
#define DP_GROUP(bit, name, text, destructive, sentence) {bit, text, sentence},
#include "groups.def"
};

const char *dph_groups_text(uint8_t groups, char *text)
{
	snprintf(text, DPH_WORDS_ROOM, "base");
	for (unsigned i = 0; i < DPH_GROUPS; i++)
		if (groups & dph_groups[i].bit)
			add(text, DPH_WORDS_ROOM, " ", dph_groups[i].name);
	return text;
}

/* Is the part missing, and the first missing one of its feature? */
static bool first_missing(uint64_t parts, unsigned part)
{
	const char *name = dp_part_feature(part);

	if (parts >> part & 1 || name == NULL)
		return false;
	for (unsigned i = 0; i < part; i++)
		if (!(parts >> i & 1) && dp_part_feature(i) != NULL &&
		    strcmp(dp_part_feature(i), name) == 0)
			return false;
	return true;
}

const char *dph_features_left_out(uint64_t parts, char *text)
{
	*text = '\0';
	for (unsigned i = 0; i < 64; i++)
		if (first_missing(parts, i))
			add(text, DPH_FEATURES_ROOM, " ", dp_part_feature(i));
	return text;
}

uint32_t dph_steps_bound(const struct dp_check_view *check)
{
	const struct dp_check_result *r = check->result;

	return r->steps_max != 0 && r->steps_max < r->step_budget ? r->steps_max : r->step_budget;
}

uint32_t dph_log_bound(const struct dp_check_view *check)
{
	const uint32_t logmax = check->program->logmax;

	return check->result->log_max < logmax ? check->result->log_max : logmax;
}

/* PROTOCOL.md 4: digits of a record and of each four bytes, at most, and the line around them. */
enum {
	LINE_CHARACTERS = 14,
	HEAD_CHARACTERS = 4,
	UNIT_BYTES = 4,
	UNIT_CHARACTERS = 9,
	BYTE_BITS = 10 /* on the line */
};

uint64_t dph_line_hits(const struct dp_check_view *check)
{
	const uint32_t bytes = dph_log_bound(check);
	const uint32_t units = (bytes + UNIT_BYTES - 1) / UNIT_BYTES;

	return bytes == 0 ? 0
			  : DPH_LINE_BAUD / BYTE_BITS /
				    (LINE_CHARACTERS + HEAD_CHARACTERS + units * UNIT_CHARACTERS);
}

bool dph_slots_short(const struct dp_limits_answer *limits)
{
	const unsigned needed = limits->probes < limits->slots ? limits->probes : limits->slots;

	return limits->probes_free == limits->probes && 2u * limits->slots_free < needed;
}
