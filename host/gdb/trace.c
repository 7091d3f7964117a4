/* SPDX-License-Identifier: BSD-2-Clause */
/* The frames of a trace, from records. */
#define _GNU_SOURCE
#include "trace.h"

#include "base/pool.h"
#include "expression.h"
#include "tables/registers.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
	TOKEN_BYTES = 3, /* of `log mrf` and `log str`: a token, and 16 bits of a length */
	TOKEN_FAILED = 0xff,
	FRAME_BYTES = 64, /* of a frame in the buffer beside its data */
	SAVED_BYTES_MAX = 0xffff
};

/* --- clear ----------------------------------------------------------------------------------- */

static void free_point(struct dph_gdb_tracepoint *point)
{
	free(point->condition);
	free(point->actions.data);
	for (size_t i = 0; i < point->told_count; i++)
		free(point->told[i]);
	free(point->told);
}

static void clear_frames(struct dph_gdb_trace *trace)
{
	for (size_t i = 0; i < trace->frame_count; i++) {
		free(trace->frames[i].data);
		free(trace->frames[i].pieces);
	}
	free(trace->frames);
	trace->frames = NULL;
	trace->frame_count = trace->frame_capacity = trace->used = 0;
}

void dph_gdb_trace_clear(struct dph_gdb_trace *trace)
{
	clear_frames(trace);
	for (size_t i = 0; i < trace->point_count; i++)
		free_point(&trace->points[i]);
	free(trace->points);
	free(trace->constant);
	free(trace->named.numbers);
	for (size_t i = 0; i < trace->variable_count; i++)
		free(trace->variables[i].told);
	free(trace->variables);
	*trace = (struct dph_gdb_trace){
		.target = trace->target,
		.selected = DPH_GDB_NO_FRAME,
		.stopped = "tnotrun:0",
	};
}

/* --- the program ----------------------------------------------------------------------------- */

/* The bits of a word, with their sign. */
static int64_t as_word(const struct dph_gdb_target *target, uint64_t value)
{
	return target->word_bytes == sizeof(uint32_t) ? (int32_t)(uint32_t)value : (int64_t)value;
}

struct dph_gdb_variable *dph_gdb_trace_variable(const struct dph_gdb_trace *trace, uint64_t number)
{
	for (size_t i = 0; i < trace->variable_count; i++)
		if (trace->variables[i].number == number)
			return &trace->variables[i];
	return NULL;
}

void dph_gdb_trace_take_variables(struct dph_gdb_trace *trace, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count && i < trace->named.count; i++) {
		struct dph_gdb_variable *variable =
			dph_gdb_trace_variable(trace, trace->named.numbers[i]);

		variable->now = as_word(trace->target, words[i] + (uint64_t)variable->first);
	}
}

void dph_gdb_trace_write(const struct dph_gdb_trace *trace, FILE *out)
{
	for (size_t i = 0; i < trace->named.count; i++)
		fprintf(out, "#define " DPH_GDB_FIRST "%u %" PRId64 "\n", trace->named.numbers[i],
			as_word(trace->target,
				dph_gdb_trace_variable(trace, trace->named.numbers[i])->first));
	fputs("modtype = kernel\n", out);
	if (trace->named.count > 0)
		fprintf(out, "vars = %zu\n", trace->named.count);
	for (size_t i = 0; i < trace->point_count; i++) {
		const struct dph_gdb_tracepoint *point = &trace->points[i];

		if (!point->enabled)
			continue;
		fprintf(out, "address = 0x%" PRIx64 "\nminor = %zu\n%s", point->address, i + 1,
			point->condition != NULL ? point->condition : "");
		dph_gdb_write_registers(&(struct dph_gdb_code){.target = trace->target, .out = out},
					point->registers);
		if (point->actions.count > 0)
			fwrite(point->actions.data, 1, point->actions.count, out);
		fputs("exit\n", out);
	}
}

/* --- records --------------------------------------------------------------------------------- */

struct reader {
	const struct dph_gdb_target *target;
	const uint8_t *at;
	size_t left;
};

static uint64_t number(const struct dph_gdb_target *target, const uint8_t *bytes, unsigned count)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < count; i++)
		value = value << CHAR_BIT | bytes[target->big_endian ? i : count - 1 - i];
	return value;
}

static bool take_word(struct reader *r, uint64_t *value)
{
	const unsigned bytes = r->target->word_bytes;

	if (r->left < bytes)
		return false;
	*value = number(r->target, r->at, bytes);
	r->at += bytes;
	r->left -= bytes;
	return true;
}

static void add_piece(struct dph_gdb_frame *frame, struct dph_gdb_piece piece)
{
	frame->pieces =
		dph_grow(frame->pieces, &frame->capacity, frame->count, sizeof *frame->pieces);
	frame->pieces[frame->count++] = piece;
}

/* What the agent could not read is not there. */
static bool take_memory(struct reader *r, struct dph_gdb_frame *frame)
{
	uint64_t address, asked, bytes;
	bool failed;

	if (!take_word(r, &address) || !take_word(r, &asked) || r->left < TOKEN_BYTES)
		return false;
	failed = r->at[0] == TOKEN_FAILED;
	bytes = number(r->target, r->at + 1, TOKEN_BYTES - 1);
	r->at += TOKEN_BYTES;
	r->left -= TOKEN_BYTES;
	if (bytes > r->left)
		return false;
	if (!failed)
		add_piece(frame,
			  (struct dph_gdb_piece){DPH_GDB_MEMORY, address, bytes, .data = r->at});
	r->at += bytes;
	r->left -= (size_t)bytes;
	return true;
}

static bool take_registers(struct reader *r, const struct dph_gdb_tracepoint *point,
			   struct dph_gdb_frame *frame)
{
	const unsigned count = dph_gdb_register_count(r->target);
	size_t bytes = 0;

	for (unsigned i = 0; i < count; i++)
		bytes += point->registers[i] ? r->target->word_bytes : 0;
	if (bytes > r->left)
		return false;
	add_piece(frame, (struct dph_gdb_piece){DPH_GDB_REGISTERS, .bytes = bytes, .data = r->at});
	r->at += bytes;
	r->left -= bytes;
	return true;
}

static bool take_variable(struct reader *r, struct dph_gdb_frame *frame)
{
	uint64_t which, value;

	if (!take_word(r, &which) || !take_word(r, &value))
		return false;
	add_piece(frame, (struct dph_gdb_piece){DPH_GDB_VARIABLE, .address = which,
						.value = as_word(r->target, value)});
	return true;
}

/* A record that a fault has ended has the parts before the fault. */
static void take_parts(const struct dph_gdb_trace *trace, struct dph_gdb_frame *frame)
{
	struct reader r = {trace->target, frame->data, frame->bytes};
	uint64_t part;
	bool more = true;

	while (more && take_word(&r, &part)) {
		if (part == DPH_GDB_PART_REGISTERS)
			more = take_registers(&r, &trace->points[frame->point], frame);
		else if (part == DPH_GDB_PART_VARIABLE)
			more = take_variable(&r, frame);
		else
			more = (part == DPH_GDB_PART_MEMORY || part == DPH_GDB_PART_STRING) &&
			       take_memory(&r, frame);
	}
}

bool dph_gdb_trace_take(struct dph_gdb_trace *trace, unsigned minor, const uint8_t *data,
			size_t bytes)
{
	struct dph_gdb_tracepoint *point;
	struct dph_gdb_frame *frame;

	if (!trace->runs || minor == 0 || minor > trace->point_count)
		return true;
	if (trace->used + bytes + FRAME_BYTES > DPH_GDB_BUFFER_BYTES) {
		snprintf(trace->stopped, sizeof trace->stopped, "tfull:0");
		return false;
	}
	point = &trace->points[minor - 1];
	if (point->passes > 0 && point->frames >= point->passes)
		return false;
	trace->frames = dph_grow(trace->frames, &trace->frame_capacity, trace->frame_count,
				 sizeof *trace->frames);
	frame = &trace->frames[trace->frame_count++];
	*frame = (struct dph_gdb_frame){.point = minor - 1, .bytes = bytes};
	frame->data = dph_malloc(bytes + 1);
	memcpy(frame->data, data, bytes);
	take_parts(trace, frame);
	trace->used += bytes + FRAME_BYTES;
	point->frames++;
	point->bytes += bytes;
	if (point->passes == 0 || point->frames < point->passes)
		return true;
	snprintf(trace->stopped, sizeof trace->stopped, "tpasscount:%x", point->number);
	return false;
}

bool dph_gdb_trace_constant(const struct dph_gdb_trace *trace, uint64_t address, uint64_t bytes)
{
	for (size_t i = 0; i < trace->constant_count; i++) {
		const struct dph_gdb_range *range = &trace->constant[i];

		if (address - range->start < range->bytes &&
		    bytes <= range->bytes - (address - range->start))
			return true;
	}
	return false;
}

/* --- a frame --------------------------------------------------------------------------------- */

static const struct dph_gdb_frame *selected(const struct dph_gdb_trace *trace)
{
	return &trace->frames[trace->selected];
}

size_t dph_gdb_frame_read(const struct dph_gdb_trace *trace, uint64_t address, uint8_t *data,
			  size_t bytes)
{
	const struct dph_gdb_frame *frame = selected(trace);
	size_t have = 0;
	bool more = true;

	while (more && have < bytes) {
		more = false;
		for (size_t i = 0; i < frame->count && !more; i++) {
			const struct dph_gdb_piece *piece = &frame->pieces[i];
			const uint64_t at = address + have - piece->address;
			size_t now;

			if (piece->what != DPH_GDB_MEMORY || at >= piece->bytes)
				continue;
			now = piece->bytes - at < bytes - have ? (size_t)(piece->bytes - at)
							       : bytes - have;
			memcpy(data + have, piece->data + at, now);
			have += now;
			more = true;
		}
	}
	return have;
}

void dph_gdb_frame_registers(const struct dph_gdb_trace *trace, struct dph_gdb_registers *registers)
{
	const struct dph_gdb_target *target = trace->target;
	const struct dph_gdb_frame *frame = selected(trace);
	const struct dph_gdb_tracepoint *point = &trace->points[frame->point];
	const struct dp_reg *pc = dph_reg_named(target->cpu, "pc", strlen("pc"));
	const unsigned count = dph_gdb_register_count(target);

	for (size_t p = 0; p < frame->count; p++) {
		const uint8_t *at = frame->pieces[p].data;

		for (unsigned i = 0; frame->pieces[p].what == DPH_GDB_REGISTERS && i < count; i++) {
			const unsigned index =
				point->registers[i] ? dph_gdb_register(target, i)->index : 0;

			if (!point->registers[i])
				continue;
			registers->known[index] = true;
			registers->values[index] = number(target, at, target->word_bytes);
			at += target->word_bytes;
		}
	}
	/* The place of a hit is known, whatever was collected. */
	registers->known[pc->index] = true;
	registers->values[pc->index] = point->address;
}

bool dph_gdb_frame_variable(const struct dph_gdb_trace *trace, uint64_t number, int64_t *value)
{
	const struct dph_gdb_frame *frame = selected(trace);

	for (size_t i = frame->count; i-- > 0;)
		if (frame->pieces[i].what == DPH_GDB_VARIABLE &&
		    frame->pieces[i].address == number) {
			*value = frame->pieces[i].value;
			return true;
		}
	return false;
}

void dph_gdb_frame_describe(const struct dph_gdb_trace *trace, FILE *out)
{
	const struct dph_gdb_frame *frame = selected(trace);

	fputs("<?xml version=\"1.0\"?>\n<traceframe-info>\n", out);
	for (size_t i = 0; i < frame->count; i++)
		if (frame->pieces[i].what == DPH_GDB_MEMORY)
			fprintf(out, "<memory start=\"0x%" PRIx64 "\" length=\"0x%" PRIx64 "\"/>\n",
				dph_gdb_address(trace->target, frame->pieces[i].address),
				frame->pieces[i].bytes);
	fputs("</traceframe-info>\n", out);
}

/* --- a file ---------------------------------------------------------------------------------- */

static void put(const struct dph_gdb_target *target, uint64_t value, unsigned bytes, FILE *out)
{
	for (unsigned i = 0; i < bytes; i++)
		putc((int)(value >> CHAR_BIT * (target->big_endian ? bytes - 1 - i : i) & 0xff),
		     out);
}

static void save_registers(const struct dph_gdb_trace *trace,
			   const struct dph_gdb_tracepoint *point,
			   const struct dph_gdb_piece *piece, FILE *out)
{
	const unsigned count = dph_gdb_register_count(trace->target);
	const uint8_t *at = piece->data;

	putc('R', out);
	for (unsigned i = 0; i < count; i++) {
		const bool known = point->registers[i];

		put(trace->target, known ? number(trace->target, at, trace->target->word_bytes) : 0,
		    trace->target->word_bytes, out);
		at += known ? trace->target->word_bytes : 0;
	}
}

static void save_pieces(const struct dph_gdb_trace *trace, const struct dph_gdb_frame *frame,
			FILE *out)
{
	for (size_t i = 0; i < frame->count; i++) {
		const struct dph_gdb_piece *piece = &frame->pieces[i];

		if (piece->what == DPH_GDB_REGISTERS) {
			save_registers(trace, &trace->points[frame->point], piece, out);
			continue;
		}
		if (piece->what == DPH_GDB_VARIABLE) {
			putc('V', out);
			put(trace->target, piece->address, sizeof(uint32_t), out);
			put(trace->target, (uint64_t)piece->value, sizeof(uint64_t), out);
			continue;
		}
		putc('M', out);
		put(trace->target, dph_gdb_address(trace->target, piece->address), sizeof(uint64_t),
		    out);
		put(trace->target, piece->bytes & SAVED_BYTES_MAX, sizeof(uint16_t), out);
		fwrite(piece->data, 1, piece->bytes & SAVED_BYTES_MAX, out);
	}
}

static void save_frame(const struct dph_gdb_trace *trace, const struct dph_gdb_frame *frame,
		       FILE *out)
{
	char *text = NULL;
	size_t bytes;
	FILE *pieces = open_memstream(&text, &bytes);

	if (pieces == NULL)
		return;
	save_pieces(trace, frame, pieces);
	fclose(pieces);
	put(trace->target, trace->points[frame->point].number, sizeof(uint16_t), out);
	put(trace->target, bytes, sizeof(uint32_t), out);
	fwrite(text, 1, bytes, out);
	free(text);
}

void dph_gdb_trace_save(const struct dph_gdb_trace *trace, FILE *out)
{
	for (size_t i = 0; i < trace->frame_count; i++)
		save_frame(trace, &trace->frames[i], out);
}
