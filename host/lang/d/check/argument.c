/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments and results of the probed function, by the CPU's calling convention. */
#define _GNU_SOURCE
#include "check.h"

#include "tables/arguments.h"
#include "tables/kinds.h"

#include <string.h>

enum {
	DEPTH_MAX = 16 /* of structs in structs; a damaged file may have a circle */
};

/* Words of the row of arguments. */
struct words {
	unsigned first, count;
};

static unsigned word_bytes(const struct dph_d_check *c)
{
	return c->d->program->target.word_bytes;
}

static const char *function_name(const struct dph_d_check *c)
{
	return c->point->part[DPH_PROBE_FUNCTION];
}

static const struct dph_type *prototype(const struct dph_d_check *c)
{
	return c->d->debug ? dph_function_type(c->d->debug, c->point->address) : NULL;
}

static const struct dph_arguments *convention(const struct dph_d_check *c)
{
	return dph_arguments_of(c->d->program->target.cpu);
}

/* Why the CPU has no convention; null: it has one. */
static const char *no_convention(const struct dph_d_check *c)
{
	return dph_absent(c->d->program->target.cpu, DPH_ROW_ARGUMENTS);
}

/* A clone of a function, "f.isra.0", has lost or changed parameters: only its debug information
 * knows them. */
static bool is_clone(const struct dph_d_check *c)
{
	return strchr(function_name(c), '.') != NULL;
}

/* --- the row of words ---------------------------------------------------------------------- */

/* Does the type begin at a multiple of 8 bytes? */
static bool is_aligned_as_long(const struct dph_type *type, unsigned depth)
{
	const struct dph_member *members;
	const struct dph_type *plain = type ? dph_type_plain(type) : NULL;
	bool aligned = false;
	if (!plain || depth > DEPTH_MAX)
		return false;
	if (plain->kind == DPH_TYPE_ARRAY)
		return is_aligned_as_long(dph_type_target(plain), depth + 1);
	if (plain->kind != DPH_TYPE_STRUCT && plain->kind != DPH_TYPE_UNION)
		return plain->bytes == sizeof(int64_t);
	const size_t count = dph_type_members(plain, &members);
	for (size_t i = 0; i < count && !aligned; i++)
		aligned = is_aligned_as_long(members[i].type, depth + 1);
	return aligned;
}

/* Does the type have a number of floating point? */
static bool has_float(const struct dph_d_check *c, const struct dph_type *type, unsigned depth)
{
	const struct dph_member *members;
	const struct dph_type *plain = type ? dph_type_plain(type) : NULL;
	bool has = false;
	if (!plain || depth > DEPTH_MAX)
		return false;
	if (plain->kind == DPH_TYPE_ARRAY)
		return has_float(c, dph_type_target(plain), depth + 1);
	if (plain->kind != DPH_TYPE_STRUCT && plain->kind != DPH_TYPE_UNION)
		return dph_d_type_of(c->d, plain).kind == D_TYPE_FLOAT;
	const size_t count = dph_type_members(plain, &members);
	for (size_t i = 0; i < count && !has; i++)
		has = has_float(c, members[i].type, depth + 1);
	return has;
}

/* Is the address of a struct of so many bytes among the arguments? */
static bool is_by_address(const struct dph_d_check *c, const struct dph_arguments *abi,
			  uint64_t bytes)
{
	return abi->structs == DPH_STRUCTS_ADDRESS ||
	       (abi->structs == DPH_STRUCTS_PAIR && bytes > 2 * (uint64_t)word_bytes(c));
}

/* Words of one argument. Returns false: another kind of register may have it, where a convention
 * has any. */
static bool words_of(const struct dph_d_check *c, const struct dph_arguments *abi,
		     const struct dph_type *parameter, unsigned *count, bool *even)
{
	const struct d_type type = dph_d_type_of(c->d, parameter);
	const unsigned word = word_bytes(c);
	uint64_t bytes = word;
	*count = 1;
	*even = false;
	if ((type.kind == D_TYPE_FLOAT && abi->registers) || dph_d_type_refused(c->d, &type))
		return false;
	if (!dph_d_type_bytes(c->d, &type, &bytes) || !bytes)
		return type.kind != D_TYPE_STRUCT;
	if (type.kind == D_TYPE_STRUCT && is_by_address(c, abi, bytes))
		return true;
	if (type.kind == D_TYPE_STRUCT && abi->registers && has_float(c, parameter, 0))
		return false;
	*count = (unsigned)((bytes + word - 1) / word);
	*even = abi->pairs != DPH_PAIRS_ANY && word < sizeof(int64_t) &&
		is_aligned_as_long(parameter, 0);
	return true;
}

/* The words of argument n; those behind the prototype's parameters have one each. */
static bool row_of(const struct dph_d_check *c, const struct dph_arguments *abi,
		   const struct dph_type *function, unsigned n, struct words *row)
{
	const struct dph_member *parameters = NULL;
	const size_t count = function ? dph_type_members(dph_type_plain(function), &parameters) : 0;
	unsigned next = 0;
	for (unsigned i = 0; i <= n; i++) {
		bool even = false;
		unsigned words = 1;
		if (i < count && !words_of(c, abi, parameters[i].type, &words, &even))
			return false;
		if (abi->pairs == DPH_PAIRS_SPLIT && next < abi->registers)
			even = false;
		row->first = next + (even ? next & 1 : 0);
		row->count = words;
		next = row->first + words;
	}
	return true;
}

static bool set_register(const struct dph_d_check *c, struct d_node *node, unsigned reg)
{
	node->is.home = D_HOME_REGISTER;
	node->is.reg = reg;
	return dph_reg_numbered(c->d->program->target.cpu, reg) != NULL;
}

/* --- pieces -------------------------------------------------------------------------------- */

/* Memory at a register + offset. */
static struct dph_piece memory_at(const struct dph_d_check *c, unsigned reg, unsigned offset)
{
	struct dph_step *steps = dph_pool_take(c->d->pool, 3 * sizeof(*steps));
	steps[0] = (struct dph_step){DPH_STEP_REG, reg};
	steps[1] = (struct dph_step){DPH_STEP_CONST, offset};
	steps[2] = (struct dph_step){DPH_STEP_ADD, 0};
	return (struct dph_piece){.kind = DPH_PIECE_MEMORY, .steps = {steps, 3}};
}

/* Pieces in registers, then the part on the stack. The pieces have whole words: where the bytes of
 * a smaller struct stand is another rule. */
static bool set_pieces(const struct dph_d_check *c, struct dph_location *location,
		       const struct dph_arguments *abi, struct words row, uint64_t bytes)
{
	const struct dp_reg *sp = dph_reg_named(c->d->program->target.cpu, "sp", strlen("sp"));
	struct dph_piece *pieces =
		dph_pool_take(c->d->pool, (abi->registers + 1) * sizeof(*pieces));
	const unsigned word = word_bytes(c), end = row.first + row.count;
	if (bytes % word || !sp)
		return false;
	location->pieces = pieces;
	location->count = 0;
	for (unsigned n = row.first; n < end && n < abi->registers; n++)
		pieces[location->count++] = (struct dph_piece){.kind = DPH_PIECE_REGISTER,
							       .reg = abi->first + n,
							       .bits = (uint64_t)word * 8};
	if (end > abi->registers) {
		const unsigned first = row.first > abi->registers ? row.first : abi->registers;
		pieces[location->count] =
			memory_at(c, sp->index, abi->stack + (first - abi->registers) * word);
		if (location->count)
			pieces[location->count].bits = (uint64_t)(end - first) * word * 8;
		location->count++;
	}
	return true;
}

/* The words of a number. */
static bool set_words(const struct dph_d_check *c, struct d_node *node,
		      const struct dph_arguments *abi, struct words row)
{
	const struct dp_reg *sp = dph_reg_named(c->d->program->target.cpu, "sp", strlen("sp"));
	if (row.first + row.count <= abi->registers) {
		node->is.above = abi->first + row.first + 1;
		return set_register(c, node, abi->first + row.first);
	}
	if (row.first < abi->registers) {
		struct dph_location *location = dph_pool_take(c->d->pool, sizeof(*location));
		node->is.home = D_HOME_LOCATION;
		node->is.location = location;
		node->is.offset = 0;
		return abi->pairs == DPH_PAIRS_SPLIT &&
		       set_pieces(c, location, abi, row, (uint64_t)row.count * word_bytes(c));
	}
	if (!sp)
		return false;
	node->is.home = D_HOME_STACK;
	node->is.reg = sp->index;
	node->is.offset = abi->stack + (row.first - abi->registers) * word_bytes(c);
	return true;
}

/* The struct at the address that is passed. */
static bool set_struct_address(const struct dph_d_check *c, struct dph_location *location,
			       const struct dph_arguments *abi, struct words row)
{
	struct dph_piece *piece = dph_pool_take(c->d->pool, sizeof(*piece));
	if (row.first >= abi->registers)
		return false;
	*piece = memory_at(c, abi->first + row.first, 0);
	location->pieces = piece;
	location->count = 1;
	return true;
}

static bool set_struct(const struct dph_d_check *c, struct d_node *node,
		       const struct dph_arguments *abi, struct words row, const struct d_type *type)
{
	struct dph_location *location = dph_pool_take(c->d->pool, sizeof(*location));
	uint64_t bytes;
	node->is.home = D_HOME_LOCATION;
	node->is.location = location;
	node->is.offset = 0;
	return dph_d_type_bytes(c->d, type, &bytes) &&
	       (is_by_address(c, abi, bytes) ? set_struct_address(c, location, abi, row)
					     : set_pieces(c, location, abi, row, bytes));
}

/* --- arguments ----------------------------------------------------------------------------- */

static bool at_entry(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	if (c->point->kind == D_POINT_ENTRY)
		return true;
	dph_d_error(
		c->d, D_ARGS_NONE, node->place,
		c->point->timer
			? "'%s' is there at a function's entry only; a timer has arg0 alone"
			: "'%s' is there at a function's entry only; name the parameter instead",
		name);
	return false;
}

/* The caller of such a function passes the place of the result in front of the arguments, or does
 * not: the ABI decides by the size of the struct. */
static bool returns_struct(const struct dph_type *function)
{
	const struct dph_type *result = function ? dph_type_target(dph_type_plain(function)) : NULL;
	return result && (dph_type_plain(result)->kind == DPH_TYPE_STRUCT ||
			  dph_type_plain(result)->kind == DPH_TYPE_UNION);
}

static const struct dph_member *parameter(const struct dph_type *function, uint64_t n)
{
	const struct dph_member *parameters;
	const size_t count = function ? dph_type_members(dph_type_plain(function), &parameters) : 0;
	return n < count ? &parameters[n] : NULL;
}

/* By the convention alone. type: in C; null: a word. */
static bool passed(const struct dph_d_check *c, struct d_node *node,
		   const struct dph_type *function, unsigned n, const struct d_type *type)
{
	const struct dph_arguments *abi = convention(c);
	struct words row;
	if (!abi || is_clone(c) || returns_struct(function) || !row_of(c, abi, function, n, &row))
		return false;
	if (type && (type->kind == D_TYPE_STRUCT || type->kind == D_TYPE_FLOAT))
		return set_struct(c, node, abi, row, type);
	return (!type || dph_d_type_scalar(type)) && row.count <= 2 && set_words(c, node, abi, row);
}

/* Take argument n. type: in C; null: not known. */
static void set_argument(const struct dph_d_check *c, struct d_node *node,
			 const struct dph_type *function, unsigned n, const struct d_type *type)
{
	const struct dph_member *of = parameter(function, n);
	dph_d_set_wrong(node);
	if (passed(c, node, function, n, type)) {
		node->is.type = type ? *type : dph_d_type_integer(c->d, word_bytes(c), true);
		return;
	}
	if (of && of->name && dph_d_check_parameter(c, node, of->name))
		return;
	dph_d_set_wrong(node);
	if (no_convention(c)) {
		dph_d_error(c->d, D_ARGS_TYPE, node->place,
			    "the place of argument %u of %s is not known: %s", n, function_name(c),
			    no_convention(c));
		return;
	}
	dph_d_error(c->d, D_ARGS_TYPE, node->place,
		    is_clone(c) ? "the compiler has changed the arguments of %s, and does not say "
				  "where argument %u is"
				: "the place of this argument of %s is not known: argument %u, or "
				  "one before it, or the result is a struct or floating point; "
				  "probe a line behind it, and name the parameter",
		    function_name(c), n);
}

void dph_d_check_argument(const struct dph_d_check *c, struct d_node *node, unsigned n)
{
	const struct dph_type *function = prototype(c);
	const struct dph_member *of = parameter(function, n);
	const struct d_type type = of ? dph_d_type_of(c->d, of->type) : (struct d_type){0};
	dph_d_set_wrong(node);
	if (!at_entry(c, node, node->text))
		return;
	set_argument(c, node, function, n, of && type.kind != D_TYPE_STRUCT ? &type : NULL);
	if (!dph_d_wrong(node) && dph_d_type_scalar(&node->is.type))
		node->is.type = dph_d_type_integer(
			c->d, dph_d_is_long(c->d, &type) ? sizeof(int64_t) : word_bytes(c), true);
}

void dph_d_check_typed_argument(const struct dph_d_check *c, struct d_node *node, uint64_t n)
{
	const struct dph_type *function = prototype(c);
	const struct dph_member *of = parameter(function, n), *all;
	if (!at_entry(c, node, "args[]"))
		return;
	if (!function) {
		dph_d_error(c->d, D_ARGS_TYPE, node->place,
			    "the types of the arguments are not known: the firmware has no debug "
			    "information for %s; use arg%llu",
			    function_name(c), (unsigned long long)n);
		return;
	}
	if (!of) {
		const size_t count = dph_type_members(dph_type_plain(function), &all);
		dph_d_error(c->d, D_ARGS_IDX, node->list->place,
			    count ? "%s has %zu argument(s)" : "%s has no arguments",
			    function_name(c), count);
		return;
	}
	const struct d_type type = dph_d_type_of(c->d, of->type);
	set_argument(c, node, function, (unsigned)n, &type);
}

bool dph_d_check_passed(const struct dph_d_check *c, struct d_node *node, const char *name)
{
	const struct dph_type *function = c->point->kind == D_POINT_ENTRY ? prototype(c) : NULL;
	const struct dph_member *of;
	for (unsigned n = 0; (of = parameter(function, n)); n++) {
		if (!of->name || strcmp(of->name, name) != 0)
			continue;
		const struct d_type type = dph_d_type_of(c->d, of->type);
		node->is.type = type;
		return passed(c, node, function, n, &type);
	}
	return false;
}

/* --- the result ---------------------------------------------------------------------------- */

static void set_result(const struct dph_d_check *c, struct d_node *node, struct d_type type)
{
	const struct dph_arguments *abi = convention(c);
	if (abi) {
		set_register(c, node, abi->result);
		node->is.above = abi->above;
		node->is.type = type;
	} else {
		dph_d_set_wrong(node);
		dph_d_error(c->d, D_ARGS_TYPE, node->place,
			    "the register of results is not known: %s", no_convention(c));
	}
}

struct d_type dph_d_result_type(const struct dph_d_check *c)
{
	const struct dph_type *function = prototype(c);
	return function ? dph_d_type_of(c->d, dph_type_target(dph_type_plain(function)))
			: dph_d_type_integer(c->d, word_bytes(c), true);
}

void dph_d_check_result(const struct dph_d_check *c, struct d_node *node)
{
	const struct d_type type = dph_d_result_type(c);
	dph_d_set_wrong(node);
	if (c->point->kind == D_POINT_TAIL)
		dph_d_error(
			c->d, D_HERE_LOCATION, node->place,
			"%s leaves by a tail call at +0x%llx: its result is not known there; "
			"probe the other returns with -x tailcalls=skip, or insn::FUNCTION:OFFSET",
			function_name(c), (unsigned long long)c->point->offset);
	else if (c->point->kind != D_POINT_RETURN)
		dph_d_error(c->d, D_ARGS_NONE, node->place,
			    "the result is there at a function's return only");
	else if (!dph_d_type_scalar(&type))
		dph_d_error(c->d, D_ARGS_TYPE, node->place,
			    type.kind == D_TYPE_VOID
				    ? "%s returns nothing"
				    : "%s returns a value that is no number or pointer",
			    function_name(c));
	else
		set_result(c, node, type);
}
