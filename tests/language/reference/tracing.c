/* SPDX-License-Identifier: BSD-2-Clause */
/* The stack trace buffer. RPN.md 9. */
#include "reference.h"

#include <string.h>

/* A record in the making. It goes into the buffer whole or not at all. */
struct draft {
	uint8_t data[REF_BUFFER_BYTES];
	unsigned bytes, room;
	bool too_long;
};

static void put(struct ref_machine *m, struct draft *draft, uint64_t value, unsigned bytes)
{
	if (draft->too_long || bytes > draft->room - draft->bytes) {
		draft->too_long = true;
		return;
	}
	ref_put(m->program, draft->data + draft->bytes, value, bytes);
	draft->bytes += bytes;
}

static void put_word(struct ref_machine *m, struct draft *draft, uint64_t value)
{
	put(m, draft, value, ref_word_bytes(m->program));
}

static void put_prefix(struct ref_machine *m, struct draft *draft, unsigned token, uint64_t count)
{
	put(m, draft, token, 1);
	put(m, draft, count, 2);
}

/* Bytes of the header before the count of records. */
static unsigned count_offset(const struct ref_program *program)
{
	return 3 + program->name_bytes + 8 + 4 + 2 + 2 + 1;
}

static void put_header(struct ref_machine *m, struct draft *draft)
{
	const struct ref_program *program = m->program;

	put_prefix(m, draft, RPN_TOKEN_STRING, program->name_bytes);
	for (unsigned i = 0; i < program->name_bytes; i++)
		put(m, draft, (uint8_t)program->name[i], 1);
	put(m, draft, program->offset, 8);
	put(m, draft, program->id, 4);
	put(m, draft, m->major, 2);
	put(m, draft, m->minor, 2);
	put_prefix(m, draft, RPN_TOKEN_TRACE, 0);
}

/* Variables that exist: C116. */
static void put_variables(struct ref_machine *m, struct draft *draft, unsigned token,
			  const uint64_t *range, const uint64_t *variable, unsigned variables)
{
	uint64_t first = range[0], count = range[1];

	if (first >= variables)
		count = 0;
	else if (count > variables - first)
		count = variables - first;
	put_prefix(m, draft, token, count);
	for (uint64_t i = 0; i < count; i++)
		put_word(m, draft, variable[first + i]);
}

static void put_frame(struct ref_machine *m, struct draft *draft, const struct ref_frame *frame)
{
	uint64_t slots = frame->trace[0][1];

	put_word(m, draft, frame->called);
	put_word(m, draft, frame->back);
	put_prefix(m, draft, RPN_TOKEN_STACK, slots);
	for (uint64_t i = 0; i < slots && !draft->too_long; i++)
		put_word(m, draft, *ref_slot(m, frame->trace[0][0] + i));
	put_variables(m, draft, RPN_TOKEN_LV, frame->trace[1], m->lv, m->program->vars);
	put_variables(m, draft, RPN_TOKEN_GV, frame->trace[2], m->gv, m->program->gvars);
}

static void put_record(struct ref_machine *m, struct draft *draft)
{
	put_word(m, draft, m->last[0]);
	put_word(m, draft,
		 m->last_handler == REF_NO_HANDLER ? UINT64_MAX : (uint64_t)m->last_handler);
	put_word(m, draft, m->last[1]);
	put_word(m, draft, m->last[2]);
	put_prefix(m, draft, RPN_TOKEN_FRAMES, m->depth);
	for (unsigned i = m->depth; i > 0; i--) /* innermost first; the outermost has none */
		put_frame(m, draft, &m->frame[i]);
}

void ref_trace(struct ref_machine *m)
{
	struct ref_buffer *trace = &m->trace;
	struct draft draft = {.room = trace->limit - trace->used};
	unsigned word = ref_word_bytes(m->program);
	unsigned header = 0, record;
	uint8_t *count = trace->data + count_offset(m->program);

	if (trace->used == 0) {
		put_header(m, &draft);
		header = draft.bytes;
	}
	put_record(m, &draft);
	if (draft.too_long) {
		m->truncated = true;
		ref_unsure(trace); /* the partial record is undone */
		return;
	}
	record = draft.bytes - header;
	if (!ref_charge(m, record / word + (record % word != 0))) /* PROTOCOL.md 2.2 */
		return;
	memcpy(trace->data + trace->used, draft.data, draft.bytes);
	memset(trace->unsure + trace->used, false, draft.bytes);
	trace->used += draft.bytes;
	if (trace->used > trace->most)
		trace->most = trace->used;
	ref_put(m->program, count, ref_get(m->program, count, 2) + 1, 2);
}
