/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for probes with records of words and nothing else. The handler and its procedures
 * have no other log instruction than `log n`: then each way through them logs words. A handler
 * that sets the length of the log may cut a word. */
#include "word_records.h"

#include "dp_rpn.h"
#include "object/formats.h"

#include <stdlib.h>

static const uint16_t raises[UINT8_MAX + 1] = {
#define DP_OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)        \
	[code] = (exceptions),
#include "rpn_ops.def"
};

/* The code of a handler. */
struct search {
	const struct dph_program *program;
	bool *visited; /* by routine */
	size_t *open;  /* routines to look at */
	size_t open_count;
	bool words, other; /* words, or other data, are logged */
};

static void visit(struct search *s, size_t routine)
{
	if (routine >= s->program->routine_count || s->visited[routine])
		return;
	s->visited[routine] = true;
	s->open[s->open_count++] = routine;
}

static void look_at(struct search *s, const struct dph_insn *insn)
{
	switch (insn->op->code) {
	case RPN_LOG_N:
		s->words = true;
		break;
	case RPN_POP_LP:
		s->other = true;
		break;
	case RPN_LOG_ST: /* a record of its own */
		break;
	default:
		/* every other one that adds to the log */
		s->other = s->other || (raises[insn->op->code] & RPN_X_LOG_OVERFLOW);
		break;
	}
	if (insn->op->operand == RPN_ARG_PROC)
		visit(s, insn->target);
}

static bool logs_words(const struct dph_program *p, size_t handler)
{
	struct search s = {
		.program = p,
		.visited = dph_malloc((p->routine_count + 1) * sizeof(bool)),
		.open = dph_malloc((p->routine_count + 1) * sizeof(size_t)),
	};
	visit(&s, handler);
	while (s.open_count) {
		const struct dph_routine *r = &p->routines[s.open[--s.open_count]];
		for (size_t i = 0; i < r->insn_count; i++)
			look_at(&s, &r->insns[i]);
	}
	free(s.visited);
	free(s.open);
	return s.words && !s.other;
}

void dph_note_word_records(struct dph_program *p)
{
	const unsigned char head[DPH_WORDS_HEAD] = {DPH_WORDS_FORM, DPH_WORDS_VERSION};
	struct dph_bytes bytes = {0};
	bool any = false;
	dph_bytes_add(&bytes, head, sizeof head);
	for (size_t i = 0; i < p->point_count; i++) {
		const unsigned char words = logs_words(p, p->points[i].routine);
		any = any || words;
		dph_bytes_add(&bytes, &words, 1);
	}
	if (any)
		dph_ir_extra(p, DP_SECTION_FORMATS, (uint32_t)bytes.count, bytes.data, bytes.count);
	free(bytes.data);
}
