/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser of old spellings reads instructions of older DProbes: RPN.md 10. */
#define _GNU_SOURCE
#include "parse_code.h"

#include <string.h>

static bool renamed(struct dph_cursor *c, size_t index, size_t tokens)
{
	const struct dph_old *old = &dph_olds[index];
	size_t first = c->at;
	c->at += tokens;
	if (!(c->warned_old & (uint64_t)1 << index))
		dph_warning(c, dph_place_since(c, c->at - 1),
			    "'%s' was renamed in v3.4.0, write '%s'", old->text, old->now);
	c->warned_old |= (uint64_t)1 << index;
	for (size_t i = 0; i < dph_op_count; i++)
		if (strcmp(dph_ops[i].text, old->now) == 0) {
			const struct dph_spelling s = {dph_ops[i].text, tokens, &dph_ops[i], NULL};
			dph_with_spelling(c, &s, first);
			return true;
		}
	return false;
}

/* Where there are no segments, only the second half of "use 'seg2lin' and ..." helps. */
static const char *hint_for(struct dph_cursor *c, const char *hint)
{
	static const char segments[] = "'seg2lin' and ";
	const char *found = strstr(hint, segments);
	if (!found || (c->target.cpu->groups & RPN_GROUP_SEG))
		return hint;
	return dph_pool_print(c->pool, "use %s", found + sizeof(segments) - 1);
}

static bool old_spelling(struct dph_cursor *c)
{
	for (size_t i = 0; i < dph_old_count; i++) {
		const struct dph_old *old = &dph_olds[i];
		size_t tokens = dph_match(c, old->text);
		if (!tokens)
			continue;
		if (old->policy == DPH_OLD_RENAMED)
			return renamed(c, i, tokens);
		c->at += tokens;
		struct dph_place place = dph_place_since(c, c->at - 1);
		if (old->policy == DPH_OLD_REMOVED)
			dph_error(c, place, "'%s' was removed in v3.4.0; %s", old->text,
				  hint_for(c, old->now));
		else if (old->policy == DPH_OLD_MOVED)
			dph_error(c, place, "'%s' is now '%s'", old->text, old->now);
		else
			dph_error(
				c, place,
				"'%s' is not part of DProbes 3.6.4; RPN.md lists all instructions",
				old->text);
		dph_skip(c);
		return true;
	}
	return false;
}

static void warn_width(struct dph_cursor *c, unsigned kind, const char *old, const char *now,
		       const struct dph_place *value)
{
	if (!(c->warned_width & 1u << kind))
		dph_warning(c, dph_place_of(c, dph_peek(c, 1)),
			    "'%s' was renamed in v3.4.0, write '%s %.*s'", old, now,
			    (int)value->bytes, value->line->text + value->start);
	c->warned_width |= 1u << kind;
}

/* `log b, n` logs other bytes than before; `log d, n` only has another spelling. */
static void old_log(struct dph_cursor *c, unsigned kind)
{
	static const char *const old[] = {"", "log b", "log w", "log d"};
	struct dph_place count = dph_place_of(c, dph_peek(c, 3));
	size_t first = c->at;
	if (kind == 3 && c->target.word_bytes == 4) {
		warn_width(c, 0, old[kind], "log", &count);
		const struct dph_spelling s = {"log", 1, NULL, dph_op_of(RPN_LOG_N)};
		c->at += 3;
		dph_with_spelling(c, &s, first);
		return;
	}
	dph_error(c, dph_place_of(c, dph_peek(c, 1)),
		  "'%s' was removed in v3.4.0; use 'log %.*s', which logs whole words: mask or "
		  "pack them first",
		  old[kind], (int)count.bytes, c->line->text + count.start);
	dph_skip(c);
}

/* `push b, v`: the same as push v when v fits the width. */
static void old_push(struct dph_cursor *c, unsigned kind)
{
	static const char *const old[] = {"", "push b", "push w", "push d"};
	unsigned bits = 4u << kind;
	struct dph_rpn_insn insn = {0};
	struct dph_value value;
	size_t first = c->at, at = first + 3;
	c->at = at;
	c->lookup = NULL;
	if (!dph_expression(c, &value)) {
		dph_skip(c);
		return;
	}
	bool fits = value.negative ? (int64_t)value.value >= -((int64_t)1 << (bits - 1))
				   : !(value.value >> bits);
	if (!fits) {
		dph_error(c, value.place, "%.*s does not fit '%s'; use 'push %.*s'",
			  (int)value.place.bytes, c->line->text + value.place.start, old[kind],
			  (int)value.place.bytes, c->line->text + value.place.start);
		dph_skip(c);
		return;
	}
	size_t end = c->at;
	c->at = first;
	warn_width(c, kind, old[kind], "push", &value.place);
	c->at = end;
	insn.value = value.value;
	insn.op = dph_op_push(&insn.value, c->target.word_bytes);
	dph_finish_insn(c, insn.op, first, at, &insn);
}

static bool old_width(struct dph_cursor *c)
{
	static const char widths[] = "bwd";
	const struct dph_token *width = dph_peek(c, 1);
	bool push = dph_token_is(dph_peek(c, 0), "push");
	if ((!push && !dph_token_is(dph_peek(c, 0), "log")) || width->kind != DPH_TOKEN_WORD ||
	    width->bytes != 1 || !dph_token_sign(dph_peek(c, 2), ','))
		return false;
	const char *found = strchr(widths, *width->text | 0x20);
	if (!found)
		return false;
	unsigned kind = (unsigned)(found - widths) + 1;
	if (push)
		old_push(c, kind);
	else
		old_log(c, kind);
	return true;
}

bool dph_old_instruction(struct dph_cursor *c)
{
	return old_width(c) || old_spelling(c);
}
