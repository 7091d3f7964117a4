/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations: variables, types, constants, inlines. */
#define _GNU_SOURCE
#include "lang/d/check/check.h"
#include "lang/d/read/declared.h"
#include "parse.h"

#include "debuginfo/type_source.h"

#include <string.h>

enum {
	BOUNDS_MAX = 8,
	MEMBERS_MAX = 1000,
	ELEMENTS_MAX = 3072 /* of a variable: three quarters of the places that a map may have */
};

static void refuse_later(struct d_parser *p, const char *what, const char *instead)
{
	dph_d_fail(p, D_HERE_STEP, p->token.place, "%s are not in this version; %s", what, instead);
}

/* --- constants ----------------------------------------------------------------------------- */

/* A constant number. Returns false: said. */
static bool constant(struct d_parser *p, const char *what, int64_t *value)
{
	static const struct d_point nowhere = {.kind = D_POINT_EVENT};
	const struct dph_d_check at = {.d = p->d, .point = &nowhere};
	struct d_node *node = dph_d_parse_expression(p);
	if (p->failed)
		return false;
	dph_d_check(&at, node);
	if (!dph_d_wrong(node) && node->is.constant && node->is.type.kind == D_TYPE_INTEGER) {
		*value = (int64_t)node->is.number;
		return true;
	}
	if (!dph_d_wrong(node))
		dph_d_fail(p, D_DECL_CONST, node->place, "%s is a constant number", what);
	p->failed = true;
	return false;
}

/* --- declarators --------------------------------------------------------------------------- */

/* Stars, then a name. Returns false: said. */
static bool named(struct d_parser *p, struct d_type *type, struct d_token *name, const char *what)
{
	while (!p->failed && (dph_d_is(p, D_OP_MUL) || dph_d_is_word(p, "const") ||
			      dph_d_is_word(p, "volatile"))) {
		if (dph_d_is(p, D_OP_MUL))
			*type = dph_d_type_pointer(p->d, type);
		dph_d_next(p);
	}
	if (dph_d_is(p, D_OP_OPEN))
		refuse_later(p, "pointers to functions", "declare a void *");
	else if (p->token.kind != D_TOKEN_WORD)
		dph_d_expected(p, what);
	if (p->failed)
		return false;
	*name = p->token;
	dph_d_next(p);
	return !p->failed;
}

bool dph_d_parse_bound(struct d_parser *p, uint64_t *bound)
{
	const struct dph_place place = p->token.place;
	int64_t value;
	dph_d_next(p);
	if (!constant(p, "the bound of an array", &value))
		return false;
	if (value < 1 || value > UINT16_MAX) {
		dph_d_fail(p, D_DECL_ARRSUB, place,
			   "the bound of an array is a number from 1 to %d", UINT16_MAX);
		return false;
	}
	*bound = (uint64_t)value;
	return dph_d_expect(p, D_OP_CLOSE_INDEX);
}

/* Bounds of an array: [2][3] */
static bool bounded(struct d_parser *p, struct d_type *type)
{
	uint64_t bounds[BOUNDS_MAX];
	unsigned count = 0;
	while (!p->failed && dph_d_is(p, D_OP_OPEN_INDEX)) {
		if (count == BOUNDS_MAX || !dph_d_parse_bound(p, &bounds[count]))
			return false;
		count++;
	}
	while (count > 0)
		*type = dph_d_type_array(p->d, type, bounds[--count]);
	return !p->failed;
}

/* --- structs, unions, enums ---------------------------------------------------------------- */

struct body {
	struct dph_member *members;
	struct dph_place *places;
	size_t count;
};

static void add_member(struct d_parser *p, struct body *body, const char *name,
		       const struct d_type *type, unsigned bits, struct dph_place place)
{
	const struct dph_type *made = dph_d_graph_type(p->d, type);
	for (size_t i = 0; name && i < body->count; i++)
		if (body->members[i].name && strcmp(body->members[i].name, name) == 0)
			dph_d_fail(p, D_DECL_IDRED, place, "member '%s' is declared twice", name);
	if (!made && !p->failed)
		dph_d_fail(p, D_DECL_TYPERED, place, "a member cannot be %s",
			   dph_d_type_text(p->d, type));
	if (body->count == MEMBERS_MAX && !p->failed)
		dph_d_fail(p, D_HERE_LIMIT, place, "a struct has at most %d members", MEMBERS_MAX);
	if (p->failed)
		return;
	body->places[body->count] = place;
	body->members[body->count++] =
		(struct dph_member){.name = name, .type = made, .bits = bits};
}

/* The width behind a colon. */
static unsigned width(struct d_parser *p, const struct d_type *type)
{
	const struct dph_place place = p->token.place;
	int64_t bits = 0;
	dph_d_next(p);
	if (!constant(p, "the width of a bit-field", &bits))
		return 0;
	if (type->kind == D_TYPE_INTEGER && bits >= 1 && bits <= (int64_t)type->bytes * 8)
		return (unsigned)bits;
	dph_d_fail(p, D_DECL_BFSIZE, place,
		   type->kind == D_TYPE_INTEGER ? "a bit-field of this type has 1 to %u bits"
						: "a bit-field is an integer",
		   type->bytes * 8);
	return 0;
}

static void members_of(struct d_parser *p, struct body *body)
{
	const struct d_type_name *name = dph_d_parse_base_type(p);
	if (p->failed)
		return;
	const struct d_type base = dph_d_type_named(p->d, name, 0);
	if (base.kind == D_TYPE_NONE) {
		p->failed = true;
		return;
	}
	if (dph_d_is(p, D_OP_SEMICOLON) && base.kind == D_TYPE_STRUCT) /* anonymous */
		add_member(p, body, NULL, &base, 0, name->place);
	while (!p->failed && !dph_d_is(p, D_OP_SEMICOLON)) {
		struct d_type type = base;
		struct d_token member;
		if (!named(p, &type, &member, "a member's name") || !bounded(p, &type))
			return;
		const unsigned bits = dph_d_is(p, D_OP_COLON) ? width(p, &type) : 0;
		add_member(p, body, member.text, &type, bits, member.place);
		if (!p->failed && !dph_d_is(p, D_OP_SEMICOLON))
			dph_d_expect(p, D_OP_COMMA);
	}
	if (!p->failed)
		dph_d_next(p);
}

static void struct_body(struct d_parser *p, struct dph_type *type)
{
	struct body body = {
		.members = dph_pool_take(p->d->pool, MEMBERS_MAX * sizeof(*body.members)),
		.places = dph_pool_take(p->d->pool, MEMBERS_MAX * sizeof(*body.places))};
	size_t bad;
	while (!p->failed && !dph_d_is(p, D_OP_CLOSE_BODY)) {
		if (p->token.kind != D_TOKEN_WORD)
			dph_d_expected(p, "a type");
		else
			members_of(p, &body);
	}
	if (!p->failed && !dph_d_lay_out(p->d, type, body.members, body.count, &bad))
		dph_d_fail(p, D_DECL_INCOMPLETE, body.places[bad],
			   "the size of this member is not known");
}

static void enum_body(struct d_parser *p, struct dph_type *type)
{
	struct dph_parts parts = {0};
	int64_t value = 0;
	while (!p->failed && !dph_d_is(p, D_OP_CLOSE_BODY)) {
		const struct d_token name = p->token;
		int64_t before;
		if (name.kind != D_TOKEN_WORD) {
			dph_d_expected(p, "a name");
			break;
		}
		if (dph_d_declared_constant(p->d, name.text, &before)) {
			dph_d_fail(p, D_DECL_IDRED, name.place, "'%s' is declared twice",
				   name.text);
			break;
		}
		dph_d_next(p);
		if (dph_d_is(p, D_OP_ASSIGN)) {
			dph_d_next(p);
			if (!constant(p, "the value of an enumerator", &value))
				break;
		}
		dph_d_declare_constant(p->d, name.text, value);
		dph_parts_enumerator(&parts, (struct dph_enumerator){name.text, value++});
		if (!p->failed && !dph_d_is(p, D_OP_CLOSE_BODY))
			dph_d_expect_comma(p, D_OP_CLOSE_BODY);
	}
	dph_parts_done(&parts, type);
	type->declared = false;
}

void dph_d_parse_body(struct d_parser *p, const char *word, const char *name,
		      struct dph_place place)
{
	const enum dph_type_kind kind = strcmp(word, "struct") == 0  ? DPH_TYPE_STRUCT
					: strcmp(word, "union") == 0 ? DPH_TYPE_UNION
								     : DPH_TYPE_ENUM;
	struct dph_type *type = dph_d_declare(p->d, kind, name);
	if (p->clause) {
		dph_d_fail(p, D_SYNTAX, place, "types are declared outside of clauses");
		return;
	}
	if (!type->declared) {
		dph_d_fail(p, D_DECL_TYPERED, place, "'%s %s' is declared twice", word, name);
		return;
	}
	dph_d_next(p);
	kind == DPH_TYPE_ENUM ? enum_body(p, type) : struct_body(p, type);
	if (!p->failed)
		dph_d_expect(p, D_OP_CLOSE_BODY);
}

/* --- variables ----------------------------------------------------------------------------- */

/* An array with a bound: [5]. Its one key is a number. */
static void declare_bound(struct d_parser *p, struct d_variable *variable)
{
	const struct dph_place place = p->token.place;
	int64_t bound;
	if (!constant(p, "the bound of an array", &bound))
		return;
	if (bound < 1 || bound > ELEMENTS_MAX) {
		dph_d_fail(p, D_DECL_ARRSUB, place,
			   "the bound of a variable is a number from 1 to %d", ELEMENTS_MAX);
		return;
	}
	variable->bound = (unsigned)bound;
	variable->key_count = 1;
	variable->indexed = true;
	if (!dph_d_expect(p, D_OP_CLOSE_INDEX) || !dph_d_is(p, D_OP_OPEN_INDEX))
		return;
	refuse_later(p, "arrays of arrays with bounds",
		     "declare the types of the keys: x[int, int]");
}

/* The types of an array's keys: [int, string] */
static void declare_keys(struct d_parser *p, struct d_variable *variable)
{
	unsigned count = 0;
	variable->key_types =
		dph_pool_take(p->d->pool, DP_MAP_KEYS_MAX * sizeof(*variable->key_types));
	dph_d_next(p);
	if (!dph_d_starts_type(p)) {
		variable->key_types[0] =
			dph_d_type_integer(p->d, p->d->program->target.word_bytes, true);
		declare_bound(p, variable);
		return;
	}
	while (!p->failed && count < DP_MAP_KEYS_MAX) {
		const struct d_type type = dph_d_type_named(p->d, dph_d_parse_type_name(p), 0);
		if (p->failed || type.kind == D_TYPE_NONE)
			break;
		if (type.kind == D_TYPE_STRING)
			variable->key_texts |= 1u << count;
		else if (type.kind == D_TYPE_INTEGER &&
			 type.bytes > p->d->program->target.word_bytes)
			variable->wide_keys |= 1u << count;
		variable->key_types[count++] = type;
		if (!dph_d_is(p, D_OP_COMMA))
			break;
		dph_d_next(p);
	}
	variable->key_count = count;
	variable->indexed = true;
	if (!p->failed)
		dph_d_expect(p, D_OP_CLOSE_INDEX);
}

static void declare_one(struct d_parser *p, enum d_scope scope, struct d_type type)
{
	struct d_token name;
	if (!named(p, &type, &name, "a variable's name"))
		return;
	struct d_variable *variable = dph_d_variable_find(p->d, scope, name.text);
	if (variable && variable->declared) {
		dph_d_fail(p, D_DECL_IDRED, name.place, "'%s' is declared twice", name.text);
		return;
	}
	if (!variable && !dph_d_count(p, &p->variables, D_VARIABLES_MAX, name.place, "variables"))
		return;
	if (!variable)
		variable = dph_d_variable_make(p->d, scope, name.text, name.place);
	variable->declared = true;
	variable->type = type;
	if (type.kind == D_TYPE_VOID)
		dph_d_fail(p, D_DECL_VOIDOBJ, name.place, "'%s' cannot be void", name.text);
	else if (dph_d_is(p, D_OP_OPEN_INDEX))
		declare_keys(p, variable);
}

/* Names behind a type, up to the semicolon. */
static void declare(struct d_parser *p, enum d_scope scope, const struct d_type_name *name)
{
	if (dph_d_is(p, D_OP_SEMICOLON)) /* a type alone */
		return;
	const struct d_type base = dph_d_type_named(p->d, name, 0);
	do
		declare_one(p, scope, base);
	while (!p->failed && dph_d_is(p, D_OP_COMMA) && (dph_d_next(p), true));
}

/* --- typedefs and inlines ------------------------------------------------------------------- */

static void declare_typedef(struct d_parser *p)
{
	dph_d_next(p);
	const struct d_type_name *name = dph_d_parse_base_type(p);
	if (p->failed)
		return;
	struct d_type type = dph_d_type_named(p->d, name, 0);
	struct d_token alias;
	if (type.kind == D_TYPE_NONE) {
		p->failed = true;
		return;
	}
	if (!named(p, &type, &alias, "the name of a type") || !bounded(p, &type))
		return;
	if (type.kind == D_TYPE_STRING)
		dph_d_fail(p, D_DECL_TYPERED, alias.place, "a string has no other name");
	else if (dph_d_declared_type(p->d, alias.text))
		dph_d_fail(p, D_DECL_TYPERED, alias.place, "'%s' is declared twice", alias.text);
	else
		dph_d_declare_typedef(p->d, alias.text, &type);
}

/* [int a, string b] */
static struct d_parameter *parameters(struct d_parser *p)
{
	struct d_parameter *list = NULL, **end = &list;
	dph_d_next(p);
	while (!p->failed) {
		struct d_parameter *made = dph_pool_take(p->d->pool, sizeof(*made));
		if (!dph_d_starts_type(p)) {
			dph_d_expected(p, "a type");
			break;
		}
		made->type = dph_d_parse_type_name(p);
		made->name = p->token.text;
		made->next = NULL;
		if (p->token.kind != D_TOKEN_WORD) {
			dph_d_expected(p, "a parameter's name");
			break;
		}
		dph_d_next(p);
		*end = made;
		end = &made->next;
		if (!dph_d_is(p, D_OP_COMMA))
			break;
		dph_d_next(p);
	}
	if (!p->failed)
		dph_d_expect(p, D_OP_CLOSE_INDEX);
	return list;
}

static void declare_inline(struct d_parser *p)
{
	struct d_inline *made = dph_pool_take(p->d->pool, sizeof(*made));
	dph_d_next(p);
	if (!dph_d_starts_type(p)) {
		dph_d_expected(p, "a type");
		return;
	}
	made->type = dph_d_parse_type_name(p);
	const struct d_token name = p->token;
	if (p->failed || name.kind != D_TOKEN_WORD) {
		dph_d_expected(p, "a name");
		return;
	}
	if (dph_d_inline_named(p->d, name.text) ||
	    dph_d_variable_find(p->d, D_SCOPE_GLOBAL, name.text)) {
		dph_d_fail(p, D_DECL_IDRED, name.place, "'%s' is declared twice", name.text);
		return;
	}
	made->name = name.text;
	dph_d_next(p);
	if (dph_d_is(p, D_OP_OPEN_INDEX))
		made->parameters = parameters(p);
	if (!dph_d_expect(p, D_OP_ASSIGN))
		return;
	made->value = dph_d_parse_expression(p);
	if (!p->failed)
		dph_d_declare_inline(p->d, made);
}

void dph_d_parse_declaration(struct d_parser *p)
{
	enum d_scope scope = D_SCOPE_GLOBAL;
	if (dph_d_is_word(p, "self") || dph_d_is_word(p, "this")) {
		scope = dph_d_is_word(p, "self") ? D_SCOPE_THREAD : D_SCOPE_CLAUSE;
		dph_d_next(p);
	}
	if (dph_d_is_word(p, "inline"))
		declare_inline(p);
	else if (dph_d_is_word(p, "translator"))
		refuse_later(p, "translators", "use an inline");
	else if (dph_d_is_word(p, "provider"))
		dph_d_parse_provider(p);
	else if (dph_d_is_word(p, "typedef"))
		declare_typedef(p);
	else if (!dph_d_starts_type(p))
		dph_d_expected(p, "a type");
	else
		declare(p, scope, dph_d_parse_base_type(p));
	if (!p->failed)
		dph_d_expect(p, D_OP_SEMICOLON);
}
