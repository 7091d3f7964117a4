/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions and labels of one handler. */
#include "code.h"

#include <stdlib.h>
#include <string.h>

void dph_d_code_free(struct d_code *code)
{
	free(code->insns);
	free(code->labels);
	*code = (struct d_code){0};
}

void dph_d_emit(struct d_code *code, enum rpn_op op, uint64_t value)
{
	code->insns = dph_grow(code->insns, &code->capacity, code->count, sizeof(*code->insns));
	code->insns[code->count++] =
		(struct d_insn){.op = op, .value = value, .place = code->place};
}

void dph_d_push(struct d_code *code, uint64_t value)
{
	const struct dph_op *op = dph_op_push(&value, code->word_bytes);
	dph_d_emit(code, (enum rpn_op)op->code, value);
}

size_t dph_d_label(struct d_code *code)
{
	code->labels = dph_grow(code->labels, &code->label_capacity, code->label_count,
				sizeof(*code->labels));
	code->labels[code->label_count] = SIZE_MAX;
	return code->label_count++;
}

void dph_d_put(struct d_code *code, size_t label)
{
	code->labels[label] = code->count;
}

void dph_d_insert(struct d_code *code, size_t at, const struct d_insn *insns, size_t count)
{
	const size_t behind = code->count - at;
	for (size_t i = 0; i < count; i++)
		dph_d_emit(code, insns[i].op, insns[i].value);
	memmove(code->insns + at + count, code->insns + at, behind * sizeof(*insns));
	memcpy(code->insns + at, insns, count * sizeof(*insns));
	for (size_t i = 0; i < code->label_count; i++)
		if (code->labels[i] != SIZE_MAX && code->labels[i] > at)
			code->labels[i] += count;
}

static bool same_insn(const struct d_code *a, const struct d_code *b, size_t i)
{
	if (a->insns[i].op != b->insns[i].op)
		return false;
	if (dph_op_find((uint8_t)a->insns[i].op)->operand != RPN_ARG_LABEL)
		return a->insns[i].value == b->insns[i].value;
	return a->labels[a->insns[i].value] == b->labels[b->insns[i].value];
}

bool dph_d_code_same(const struct d_code *a, const struct d_code *b)
{
	bool same = a->count == b->count;
	for (size_t i = 0; same && i < a->count; i++)
		same = same_insn(a, b, i);
	return same;
}

/* Labels that no jump leads to are left out. */
static size_t *hand_over_labels(struct d_front *d, const struct d_code *code, size_t routine)
{
	size_t *labels = dph_malloc((code->label_count + 1) * sizeof(*labels));
	for (size_t i = 0; i < code->label_count; i++)
		labels[i] = DPH_IR_NONE;
	for (size_t i = 0; i < code->count; i++) {
		const struct dph_op *op = dph_op_find((uint8_t)code->insns[i].op);
		const size_t label = (size_t)code->insns[i].value;
		if (op->operand == RPN_ARG_LABEL && labels[label] == DPH_IR_NONE)
			labels[label] = dph_ir_label(d->program, routine, NULL);
	}
	return labels;
}

size_t dph_d_code_routine(struct d_front *d, const struct d_code *code, struct dph_place place)
{
	const size_t routine = dph_ir_routine(d->program, NULL, place);
	size_t *labels = hand_over_labels(d, code, routine);
	for (size_t i = 0; i < code->count; i++) {
		const struct d_insn *insn = &code->insns[i];
		const struct dph_op *op = dph_op_find((uint8_t)insn->op);
		struct dph_insn made = {.op = op, .place = insn->place};
		for (size_t label = 0; label < code->label_count; label++)
			if (code->labels[label] == i && labels[label] != DPH_IR_NONE)
				dph_ir_put_label(d->program, routine, labels[label], insn->place);
		if (op->operand == RPN_ARG_LABEL)
			made.target = labels[insn->value];
		else
			made.value = insn->value;
		dph_ir_insn(d->program, routine, &made);
	}
	free(labels);
	return routine;
}
