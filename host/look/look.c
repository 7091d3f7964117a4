/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions of the command line: parsed and checked by the front end of D, evaluated by the host.
 */
#define _GNU_SOURCE
#include "look.h"

#include "evaluate.h"
#include "look_value.h"

#include "debuginfo/debuginfo.h"
#include "lang/d/parse/parse.h"
#include "lang/d/read/declared.h"
#include "symbols/elf_image.h"

#include <stdlib.h>
#include <string.h>

/* --- open and close ------------------------------------------------------------------------- */

static void know_target(struct dph_look *look)
{
	struct dp_image_info info;
	if (!look->image)
		return;
	dp_image_info(look->image, &info);
	look->cpu = dph_image_cpu(look->image);
	if (info.elf) {
		look->target.word_bytes = info.word_bits / 8;
		look->target.big_endian = info.big_endian;
	}
	look->debug = dph_debuginfo_for(&look->images, look->image);
}

struct dph_look *dph_look_open(const struct dph_images *images,
			       const struct dph_look_target *target)
{
	struct dph_look *look = dph_malloc(sizeof(*look));
	*look = (struct dph_look){
		.images = *images,
		.image = dph_images_symbols(images),
		.names = dph_images_names(images),
		.target = *target,
	};
	know_target(look);
	return look;
}

static void free_expression(struct dph_look_expression *e)
{
	dph_d_formats_free(&e->formats);
	if (e->d.source)
		dph_d_declared_free(&e->d);
	dph_source_free(&e->source);
	free(e);
}

void dph_look_close(struct dph_look *look)
{
	if (!look)
		return;
	for (size_t i = 0; i < look->count; i++)
		free_expression(look->expressions[i]);
	free(look->expressions);
	dp_debuginfo_close(look->debug);
	dph_look_free_memory(&look->memory);
	dph_pool_free(&look->values);
	free(look);
}

/* --- reading an expression ------------------------------------------------------------------- */

/* There is no probe point: no local variable is in scope. */
static const struct d_point nowhere = {.kind = D_POINT_EVENT, .part = {"dprobes", "", "", "read"}};

static struct dph_d_check check_of(struct dph_look_expression *e)
{
	return (struct dph_d_check){&e->d, &nowhere};
}

static bool prepare(struct dph_look *look, struct dph_look_expression *e, const char *text,
		    struct dp_messages *messages)
{
	const struct dph_cpp_options cpp = {0};
	if (!dph_source_prepare(&e->source, text, strlen(text), DPH_LOOK_SOURCE, &cpp, messages))
		return false;
	e->program.target =
		(struct dph_target){look->cpu, look->target.word_bytes, look->target.big_endian};
	e->d = (struct d_front){
		.report = {&e->source, messages},
		.source = &e->source,
		.pool = &e->source.pool,
		.images = &look->images,
		.image = look->image,
		.program = &e->program,
		.cpu = look->cpu,
		.debug = look->debug,
		.formats = &e->formats,
		.key_size = 16,
		.string_bytes = 64,
	};
	return true;
}

/* LVALUE, or LVALUE, BYTES. */
static bool parse(struct dph_look_expression *e)
{
	struct d_parser p = {.d = &e->d};
	const size_t errors = e->d.report.messages->errors;
	p.clause = dph_pool_take(e->d.pool, sizeof(*p.clause));
	dph_d_next(&p);
	e->node = dph_d_parse_expression(&p);
	if (!p.failed && dph_d_is(&p, D_OP_COMMA)) {
		dph_d_next(&p);
		e->length = dph_d_parse_expression(&p);
	}
	if (!p.failed && p.token.kind != D_TOKEN_END)
		dph_d_expected(&p, "the end of the expression");
	return !p.failed && e->node && e->d.report.messages->errors == errors;
}

static bool check_length(struct dph_look_expression *e)
{
	const struct dph_d_check check = check_of(e);
	if (!e->length)
		return true;
	dph_d_check(&check, e->length);
	if (dph_d_wrong(e->length))
		return false;
	if (e->length->is.constant && e->length->is.number &&
	    e->length->is.number <= DPH_LOOK_BYTES_MAX) {
		e->bytes = e->length->is.number;
		return true;
	}
	dph_d_error(&e->d, D_HERE_LIMIT, e->length->place,
		    "the number of bytes is a constant from 1 to %d", DPH_LOOK_BYTES_MAX);
	return false;
}

static bool check_all(struct dph_look_expression *e)
{
	const struct dph_d_check check = check_of(e);
	if (!dph_look_keeps(&e->d, e->node))
		return false;
	dph_d_check(&check, e->node);
	return !dph_d_wrong(e->node) && dph_look_allowed(&e->d, e->node) && check_length(e);
}

/* Does the expression say where to read, and is not itself what is read? */
static bool is_pointer(const struct d_node *node)
{
	return node->is.type.kind == D_TYPE_POINTER || node->is.type.kind == D_TYPE_FUNCTION ||
	       (node->is.type.kind == D_TYPE_INTEGER && !dph_look_in_memory(node));
}

/* The size of what is read, or a complaint. */
static bool size_up(struct dph_look_expression *e)
{
	const struct d_type *type = &e->node->is.type;
	struct d_type copy = *type;
	uint64_t bytes = 0;
	if (e->node->is.member.bits || type->kind == D_TYPE_FUNCTION)
		return true;
	if (type->kind == D_TYPE_VOID || type->kind == D_TYPE_STRING ||
	    !dph_d_type_bytes(&e->d, type, &bytes) || !bytes) {
		dph_d_error(&e->d, D_OP_INCOMPLETE, e->node->place,
			    "the size of %s is not known; add ', BYTES'",
			    dph_d_type_text(&e->d, &copy));
		return false;
	}
	if (bytes > DPH_LOOK_BYTES_MAX) {
		dph_d_error(&e->d, D_HERE_LIMIT, e->node->place,
			    "this has %llu bytes, and at most %d are read at once; name a part of "
			    "it, or add ', BYTES'",
			    (unsigned long long)bytes, DPH_LOOK_BYTES_MAX);
		return false;
	}
	e->bytes = bytes;
	return true;
}

/* Bytes of memory, without a type. */
static bool settle_range(struct dph_look_expression *e, const struct dph_look *look)
{
	e->range = true;
	e->pointed = is_pointer(e->node);
	if (!e->pointed && !dph_look_in_memory(e->node)) {
		dph_d_error(&e->d, D_ADDROF_VALUE, e->node->place,
			    "this has no address: the compiler keeps only its value");
		return false;
	}
	if (!e->pointed && e->node->is.member.bits) {
		dph_d_error(&e->d, D_ADDROF_BITFIELD, e->node->place, "a bit-field has no address");
		return false;
	}
	if (e->bytes)
		return true;
	if (!e->pointed)
		return size_up(e);
	e->bytes = look->target.word_bytes;
	return true;
}

static bool settle_value(struct dph_look_expression *e)
{
	const struct dph_d_check check = check_of(e);
	if (!dph_d_check_understood(&check, e->node) || !size_up(e))
		return false;
	e->type = dph_d_format_type(&e->d, &e->node->is.type);
	return true;
}

static bool settle(struct dph_look_expression *e, const struct dph_look *look,
		   const struct dph_look_how *how)
{
	e->place = how->place;
	if (how->raw || e->bytes || (e->node->kind == D_NODE_NUMBER && !how->computed))
		return settle_range(e, look);
	return settle_value(e);
}

/* Read an expression as memory of another type. */
static char *as_type(const struct dph_look_expression *e, const char *text, const char *type)
{
	const bool plain = is_pointer(e->node) || e->node->is.type.kind == D_TYPE_ARRAY;
	return dph_print("*(%s *)%s(%s)", type, plain ? "" : "&", text);
}

static struct dph_look_expression *make(struct dph_look *look, const char *text,
					struct dp_messages *messages)
{
	struct dph_look_expression *e = dph_malloc(sizeof(*e));
	*e = (struct dph_look_expression){.type = DPH_FORMAT_NO_TYPE};
	if (prepare(look, e, text, messages) && parse(e) && check_all(e))
		return e;
	free_expression(e);
	return NULL;
}

bool dph_look_add(struct dph_look *look, const char *text, const struct dph_look_how *how,
		  struct dp_messages *messages)
{
	struct dph_look_expression *e = make(look, text, messages);
	if (e && how->as && !e->length) {
		char *cast = as_type(e, text, how->as);
		free_expression(e);
		e = make(look, cast, messages);
		free(cast);
	} else if (e && how->as) {
		dph_d_error(&e->d, D_HERE_LIMIT, e->length->place,
			    "a type has its own size; leave out --as or the number of bytes");
		free_expression(e);
		e = NULL;
	}
	if (!e)
		return false;
	if (!settle(e, look, how)) {
		free_expression(e);
		return false;
	}
	e->looked.name = dph_pool_copy(e->d.pool, text, strlen(text));
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): the array holds pointers */
	look->expressions = dph_grow(look->expressions, &look->capacity, look->count, sizeof(e));
	look->expressions[look->count++] = e;
	return true;
}

/* --- values ---------------------------------------------------------------------------------- */

size_t dph_look_wanted(struct dph_look *look, struct dp_read_place **places)
{
	const size_t known = look->memory.count;
	look->memory.tried = known;
	dph_pool_next_job(&look->values);
	for (size_t i = 0; i < look->count; i++)
		dph_look_evaluate(look, look->expressions[i]);
	*places = look->memory.places ? look->memory.places + known : NULL;
	return look->memory.count - known;
}

size_t dph_look_count(const struct dph_look *look)
{
	return look->count;
}

const struct dph_looked *dph_look_at(const struct dph_look *look, size_t index)
{
	return &look->expressions[index]->looked;
}

void dph_look_forget(struct dph_look *look)
{
	dph_look_forget_memory(&look->memory);
}

/* --- new values ------------------------------------------------------------------------------ */

static const char *unwritable(const struct d_node *to)
{
	if (!dph_look_in_memory(to))
		return "this is no place in memory; *(uint32_t *)ADDRESS is one";
	if (to->is.member.bits)
		return "a bit-field shares its bytes with others; write the whole number";
	if (to->is.type.kind != D_TYPE_INTEGER && to->is.type.kind != D_TYPE_POINTER)
		return "only a number or pointer is written";
	return NULL;
}

bool dph_look_assign(const struct dph_look *look, struct dph_look_store *store,
		     struct dp_messages *messages)
{
	struct dph_look_expression *to = look->expressions[0], *from = look->expressions[1];
	const char *why = to->range ? "a range of bytes is not written; *(uint32_t *)ADDRESS is"
				    : unwritable(to->node);
	uint64_t value;
	to->d.report.messages = from->d.report.messages = messages;
	if (why) {
		dph_d_error(&to->d, D_OP_LVAL, to->node->place, "%s", why);
		return false;
	}
	if (!dph_d_type_scalar(&from->node->is.type)) {
		dph_d_error(&from->d, D_OP_SCALAR, from->node->place,
			    "the new value is %s; it must be a number or pointer",
			    dph_d_type_text(&from->d, &from->node->is.type));
		return false;
	}
	struct dph_look_run run = dph_look_run_of((struct dph_look *)(uintptr_t)look, from);
	if (!dph_look_value(&run, from->node, &value))
		return false;
	*store = (struct dph_look_store){
		.address = to->looked.address,
		.bytes = to->node->is.type.bytes,
	};
	if (to->node->is.type.is_bool)
		value = value != 0;
	for (unsigned i = 0; i < store->bytes; i++, value >>= 8)
		store->data[look->target.big_endian ? store->bytes - 1 - i : i] = (uint8_t)value;
	return true;
}
