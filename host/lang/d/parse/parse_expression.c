/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions: precedence climbing over the table of operators. */
#define _GNU_SOURCE
#include "lang/d/read/declared.h"
#include "parse.h"

#include <string.h>

enum {
	DEPTH_MAX = 200,        /* expressions inside one another */
	OPERATORS_MAX = 100000, /* of a program */
	CHAIN_MAX = 1000,       /* operators of an expression: each may make the tree deeper */
	INLINED_MAX = 100000    /* nodes of all inlines where they are used */
};

static struct d_node *assignment(struct d_parser *p);
static struct d_node *unary(struct d_parser *p);
static struct d_node *postfix(struct d_parser *p);

static struct d_node *make(struct d_parser *p, enum d_node_kind kind, struct dph_place place)
{
	struct d_node *node = dph_pool_take(p->d->pool, sizeof(*node));
	node->kind = kind;
	node->place = place;
	node->text = "";
	node->of_file = p->of_file;
	return node;
}

/* --- primary ------------------------------------------------------------------------------- */

static void add(struct d_node **list, struct d_node *node)
{
	while (*list)
		list = &(*list)->next;
	*list = node;
}

/* Count an operator or argument of a row such as a + b + c, a->b->c or f(a, b, c). */
static bool may_chain(struct d_parser *p)
{
	if (p->failed || ++p->chained <= CHAIN_MAX)
		return dph_d_count(p, &p->operators, OPERATORS_MAX, p->token.place,
				   "operators and arguments");
	dph_d_fail(p, D_HERE_LIMIT, p->token.place,
		   "the expression has more than %d operators and arguments; use a this-> variable "
		   "for a part",
		   CHAIN_MAX);
	return false;
}

struct d_node *dph_d_parse_arguments(struct d_parser *p, enum d_operator close)
{
	struct d_node *list = NULL;
	p->nested++;
	while (!p->failed && !dph_d_is(p, close)) {
		struct d_node *node = assignment(p);
		if (node)
			add(&list, node);
		if (!dph_d_is(p, close) && (!dph_d_expect_comma(p, close) || !may_chain(p)))
			break;
	}
	p->nested--;
	if (!p->failed)
		dph_d_expect(p, close);
	return list;
}

static struct d_node *number(struct d_parser *p)
{
	struct d_node *node = make(p, D_NODE_NUMBER, p->token.place);
	node->value = p->token.value;
	node->is_unsigned = p->token.is_unsigned;
	node->characters = p->token.characters;
	node->longs = p->token.longs;
	node->is_based = p->token.is_based;
	dph_d_next(p);
	return node;
}

static struct d_node *string(struct d_parser *p)
{
	struct d_node *node = make(p, D_NODE_STRING, p->token.place);
	node->text = p->token.text;
	node->bytes = p->token.bytes;
	dph_d_next(p);
	while (p->token.kind == D_TOKEN_STRING && may_chain(p)) { /* neighbours are one string */
		char *both = dph_pool_take(p->d->pool, node->bytes + p->token.bytes + 1);
		memcpy(both, node->text, node->bytes);
		memcpy(both + node->bytes, p->token.text, p->token.bytes);
		node->text = both;
		node->bytes += p->token.bytes;
		node->place = dph_d_from_to(node->place, p->token.place);
		dph_d_next(p);
	}
	return node;
}

static struct d_node *scoped(struct d_parser *p, struct dph_place place, enum d_scope scope)
{
	struct d_node *node = make(p, D_NODE_SCOPED, place);
	if (p->of_file)
		dph_d_fail(p, D_SYNTAX, place,
			   "the declaration of a probe has no variables of a program");
	node->scope = scope;
	if (!dph_d_expect(p, D_OP_ARROW))
		return node;
	if (p->token.kind != D_TOKEN_WORD) {
		dph_d_expected(p, "a variable's name");
		return node;
	}
	node->text = p->token.text;
	node->place = dph_d_from_to(place, p->token.place);
	dph_d_next(p);
	return node;
}

static struct d_node *call(struct d_parser *p, struct d_node *name)
{
	struct d_node *node = make(p, D_NODE_CALL, name->place);
	node->text = name->text;
	dph_d_next(p);
	node->list = dph_d_parse_arguments(p, D_OP_CLOSE);
	node->place = dph_d_from_to(node->place, p->last);
	return node;
}

/* member[3]: an index that is a number. */
static const char *offset_of_element(struct d_parser *p, const char *path)
{
	dph_d_next(p);
	const struct d_token index = p->token;
	if (index.kind != D_TOKEN_NUMBER) {
		dph_d_expected(p, "a number");
		return path;
	}
	dph_d_next(p);
	dph_d_expect(p, D_OP_CLOSE_INDEX);
	return dph_pool_print(p->d->pool, "%s[%llu]", path, (unsigned long long)index.value);
}

/* offsetof(type, member.member) */
static struct d_node *offset_of(struct d_parser *p, struct dph_place place)
{
	struct d_node *node = make(p, D_NODE_OFFSETOF, place);
	if (!dph_d_expect(p, D_OP_OPEN))
		return node;
	node->type_name = dph_d_parse_type_name(p);
	if (!dph_d_expect(p, D_OP_COMMA))
		return node;
	while (p->token.kind == D_TOKEN_WORD) {
		node->text =
			*node->text ? dph_pool_print(p->d->pool, "%s.%s", node->text, p->token.text)
				    : p->token.text;
		dph_d_next(p);
		while (!p->failed && dph_d_is(p, D_OP_OPEN_INDEX))
			node->text = offset_of_element(p, node->text);
		if (!dph_d_is(p, D_OP_DOT) || !may_chain(p))
			break;
		dph_d_next(p);
	}
	dph_d_expect(p, D_OP_CLOSE);
	node->place = dph_d_from_to(place, p->last);
	return node;
}

/* Bounds behind a type: [2][3] is as large as [6]. */
static void bounds_of(struct d_parser *p, struct d_type_name *type)
{
	uint64_t bound;
	while (!p->failed && dph_d_is(p, D_OP_OPEN_INDEX) && dph_d_parse_bound(p, &bound)) {
		type->bound = type->array ? type->bound * bound : bound;
		type->array = true;
		if (type->bound > UINT32_MAX)
			dph_d_fail(p, D_DECL_ARRSUB, type->place,
				   "the array has more than %u elements", UINT32_MAX);
	}
}

static struct d_node *size_of(struct d_parser *p, struct dph_place place)
{
	struct d_node *node = make(p, D_NODE_SIZEOF, place);
	if (dph_d_is(p, D_OP_OPEN)) {
		dph_d_next(p);
		p->nested++;
		if (dph_d_starts_type(p)) {
			node->type_name = dph_d_parse_type_name(p);
			bounds_of(p, node->type_name);
		} else {
			node->a = dph_d_parse_expression(p);
		}
		p->nested--;
		if (!p->failed)
			dph_d_expect(p, D_OP_CLOSE);
	} else {
		node->a = unary(p);
	}
	node->place = dph_d_from_to(place, p->last);
	return node;
}

/* --- inlines ------------------------------------------------------------------------------- */

struct d_node *dph_d_of_type(struct d_parser *p, struct d_type_name *type, struct d_node *value)
{
	if (value->kind == D_NODE_STRING && strcmp(type->name, "string") == 0 && !type->stars)
		return value; /* some places take nothing but the text itself */
	struct d_node *node = make(p, D_NODE_CAST, value->place);
	node->type_name = type;
	node->a = value;
	return node;
}

static size_t count_nodes(const struct d_node *node)
{
	size_t count = 0;
	for (; node; node = node->next)
		count += 1 + count_nodes(node->a) + count_nodes(node->b) + count_nodes(node->c) +
			 count_nodes(node->list);
	return count;
}

/* Arguments take the place of parameters. */
static void substitute(struct d_parser *p, struct d_node **at, const struct d_inline *made,
		       const struct d_node *arguments_)
{
	for (; *at; at = &(*at)->next) {
		const struct d_node *argument = arguments_;
		struct d_parameter *parameter = made->parameters;
		while (parameter &&
		       ((*at)->kind != D_NODE_NAME || strcmp((*at)->text, parameter->name) != 0)) {
			parameter = parameter->next;
			argument = argument->next;
		}
		if (parameter) {
			struct d_node alone = *argument, *next = (*at)->next;
			alone.next = NULL;
			p->d->inlined += count_nodes(&alone);
			*at = dph_d_of_type(p, parameter->type, dph_d_copy(p->d, &alone));
			(*at)->next = next;
			continue;
		}
		substitute(p, &(*at)->a, made, arguments_);
		substitute(p, &(*at)->b, made, arguments_);
		substitute(p, &(*at)->c, made, arguments_);
		substitute(p, &(*at)->list, made, arguments_);
	}
}

/* The value of an inline, where its name stands. */
static struct d_node *expand(struct d_parser *p, const struct d_inline *made, struct d_node *name)
{
	struct d_node *list = NULL, *value;
	if (made->parameters && !dph_d_expect(p, D_OP_OPEN_INDEX))
		return name;
	if (made->parameters)
		list = dph_d_parse_arguments(p, D_OP_CLOSE_INDEX);
	unsigned given = 0, wanted = 0;
	for (const struct d_node *at = list; at; at = at->next)
		given++;
	for (const struct d_parameter *at = made->parameters; at; at = at->next)
		wanted++;
	if (!p->failed && given != wanted)
		dph_d_fail(p, D_PROTO_LEN, name->place, "'%s' has %u parameter(s), not %u",
			   made->name, wanted, given);
	p->d->inlined += count_nodes(made->value);
	if (!p->failed && p->d->inlined > INLINED_MAX)
		dph_d_fail(p, D_HERE_LIMIT, name->place,
			   "the inlines of the program are too large");
	if (p->failed)
		return name;
	value = dph_d_copy(p->d, made->value);
	substitute(p, &value, made, list);
	return dph_d_of_type(p, made->type, value);
}

/* defined(name): also of an argument of the command line */
static struct d_node *is_defined(struct d_parser *p, struct dph_place place)
{
	struct d_node *node = make(p, D_NODE_DEFINED, place);
	const bool parentheses = dph_d_is(p, D_OP_OPEN);
	if (parentheses) {
		p->d->asks_defined = true;
		dph_d_next(p);
		p->d->asks_defined = false;
	}
	if (p->token.kind == D_TOKEN_NUMBER || p->token.kind == D_TOKEN_STRING) {
		node->value = true; /* a macro argument */
		dph_d_next(p);
	} else {
		node->a = postfix(p);
	}
	if (parentheses && !p->failed)
		dph_d_expect(p, D_OP_CLOSE);
	node->place = dph_d_from_to(place, p->last);
	return node;
}

static struct d_node *word(struct d_parser *p)
{
	const bool asked = strcmp(p->token.text, "defined") == 0;
	const struct d_inline *made = p->of_file ? NULL : dph_d_inline_named(p->d, p->token.text);
	struct d_node *node = make(p, D_NODE_NAME, p->token.place);
	node->text = p->token.text;
	dph_d_next(p);
	if (strcmp(node->text, "this") == 0)
		return scoped(p, node->place, D_SCOPE_CLAUSE);
	if (strcmp(node->text, "self") == 0)
		return scoped(p, node->place, D_SCOPE_THREAD);
	if (strcmp(node->text, "sizeof") == 0)
		return size_of(p, node->place);
	if (strcmp(node->text, "offsetof") == 0)
		return offset_of(p, node->place);
	if (asked)
		return is_defined(p, node->place);
	if (strcmp(node->text, "xlate") == 0 && dph_d_is(p, D_OP_LT))
		dph_d_fail(p, D_HERE_STEP, node->place,
			   "translators are not in this version; use an inline");
	if (made)
		return expand(p, made, node);
	return dph_d_is(p, D_OP_OPEN) ? call(p, node) : node;
}

/* `name, or file.c`name: the file is the name in front. */
static struct d_node *firmware(struct d_parser *p, struct d_node *file)
{
	struct d_node *node = make(p, D_NODE_FIRMWARE, p->token.place);
	node->text = p->token.text;
	if (!*node->text)
		dph_d_fail(p, D_SYNTAX, p->token.place, "a name of the firmware stands behind '`'");
	if (file) {
		node->other = file->text;
		node->place = dph_d_from_to(file->place, p->token.place);
	}
	dph_d_next(p);
	return node;
}

static struct d_node *aggregation(struct d_parser *p)
{
	struct d_node *node = make(p, D_NODE_AGGREGATION, p->token.place);
	node->text = p->token.text;
	dph_d_next(p);
	if (dph_d_is(p, D_OP_OPEN_INDEX)) {
		dph_d_next(p);
		node->list = dph_d_parse_arguments(p, D_OP_CLOSE_INDEX);
	}
	if (!p->failed && dph_d_is(p, D_OP_OPEN_INDEX))
		dph_d_fail(p, D_AGG_MDIM, p->token.place,
			   "all keys of an aggregation stand in one pair of brackets: @%s[a, b]",
			   node->text);
	return node;
}

static struct d_node *primary(struct d_parser *p)
{
	struct d_node *node;
	switch (p->token.kind) {
	case D_TOKEN_NUMBER:
		return number(p);
	case D_TOKEN_STRING:
		return string(p);
	case D_TOKEN_WORD:
		return word(p);
	case D_TOKEN_FIRMWARE:
		return firmware(p, NULL);
	case D_TOKEN_AGGREGATION:
		return aggregation(p);
	default:
		break;
	}
	if (!dph_d_is(p, D_OP_OPEN)) {
		dph_d_expected(p, "an expression");
		return make(p, D_NODE_NUMBER, p->token.place);
	}
	const struct dph_place place = p->token.place;
	dph_d_next(p);
	p->nested++;
	node = dph_d_parse_expression(p);
	p->nested--;
	if (!p->failed)
		dph_d_expect(p, D_OP_CLOSE);
	node->place = dph_d_from_to(place, p->last);
	return node;
}

/* --- postfix and prefix -------------------------------------------------------------------- */

static struct d_node *member(struct d_parser *p, struct d_node *of)
{
	struct d_node *node = make(p, D_NODE_MEMBER, p->token.place);
	node->op = p->token.op;
	node->a = of;
	dph_d_next(p);
	if (p->token.kind != D_TOKEN_WORD) {
		dph_d_expected(p, "a member's name");
		return node;
	}
	node->text = p->token.text;
	node->member_place = p->token.place;
	node->place = dph_d_from_to(of->place, p->token.place);
	dph_d_next(p);
	return node;
}

static struct d_node *indexed(struct d_parser *p, struct d_node *of)
{
	struct d_node *node = make(p, D_NODE_INDEX, of->place);
	node->a = of;
	dph_d_next(p);
	node->list = dph_d_parse_arguments(p, D_OP_CLOSE_INDEX);
	node->place = dph_d_from_to(of->place, p->last);
	if (!node->list && !p->failed)
		dph_d_fail(p, D_SYNTAX, node->place, "an index is missing between the brackets");
	return node;
}

/* queue.c`name: the name of a file looks like a member. */
static bool is_file(const struct d_parser *p, const struct d_node *node)
{
	return p->token.kind == D_TOKEN_FIRMWARE && node->kind == D_NODE_MEMBER &&
	       node->op == D_OP_DOT && node->a->kind == D_NODE_NAME &&
	       p->token.place.line == node->place.line &&
	       p->token.place.start == node->place.start + node->place.bytes;
}

static bool is_postfix(const struct d_parser *p, const struct d_node *node)
{
	return dph_d_is(p, D_OP_DOT) || dph_d_is(p, D_OP_ARROW) || dph_d_is(p, D_OP_OPEN_INDEX) ||
	       dph_d_is(p, D_OP_INCREMENT) || dph_d_is(p, D_OP_DECREMENT) || is_file(p, node);
}

static struct d_node *postfix(struct d_parser *p)
{
	struct d_node *node = primary(p);
	while (!p->failed && is_postfix(p, node) && may_chain(p)) {
		if (dph_d_is(p, D_OP_DOT) || dph_d_is(p, D_OP_ARROW)) {
			node = member(p, node);
		} else if (dph_d_is(p, D_OP_OPEN_INDEX)) {
			node = indexed(p, node);
		} else if (dph_d_is(p, D_OP_INCREMENT) || dph_d_is(p, D_OP_DECREMENT)) {
			struct d_node *of = node;
			node = make(p, D_NODE_STEP, dph_d_from_to(of->place, p->token.place));
			node->op = dph_d_is(p, D_OP_INCREMENT) ? D_OP_ADD : D_OP_SUB;
			node->a = of;
			node->postfix = true;
			dph_d_note_variable(p, node);
			dph_d_next(p);
		} else {
			struct d_node *file = make(p, D_NODE_NAME, node->place);
			file->text = dph_pool_print(p->d->pool, "%s.%s", node->a->text, node->text);
			node = firmware(p, file);
		}
	}
	return node;
}

static bool is_prefix(const struct d_parser *p)
{
	static const enum d_operator prefixes[] = {D_OP_NOT, D_OP_COMPLEMENT, D_OP_SUB,
						   D_OP_ADD, D_OP_MUL,        D_OP_AND};
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (dph_d_is(p, prefixes[i]))
			return true;
	return false;
}

/* Behind '(' stands a type and no value. */
static bool is_cast(const struct d_parser *p)
{
	struct d_parser ahead = *p;
	if (!dph_d_is(p, D_OP_OPEN))
		return false;
	dph_d_next(&ahead);
	return dph_d_starts_type(&ahead);
}

static struct d_node *cast(struct d_parser *p)
{
	struct d_node *node = make(p, D_NODE_CAST, p->token.place);
	dph_d_next(p);
	node->type_name = dph_d_parse_type_name(p);
	if (!dph_d_expect(p, D_OP_CLOSE))
		return node;
	node->a = unary(p);
	node->place = dph_d_from_to(node->place, node->a->place);
	return node;
}

static struct d_node *prefix(struct d_parser *p)
{
	const struct dph_place place = p->token.place;
	struct d_node *node = make(p, D_NODE_UNARY, place);
	if (is_cast(p))
		return cast(p);
	if (dph_d_is(p, D_OP_INCREMENT) || dph_d_is(p, D_OP_DECREMENT)) {
		node->kind = D_NODE_STEP;
		node->op = dph_d_is(p, D_OP_INCREMENT) ? D_OP_ADD : D_OP_SUB;
	} else if (is_prefix(p)) {
		node->op = p->token.op;
	} else {
		return postfix(p);
	}
	dph_d_next(p);
	node->a = unary(p);
	node->place = dph_d_from_to(place, node->a->place);
	if (node->kind == D_NODE_STEP && !p->failed)
		dph_d_note_variable(p, node);
	return node;
}

static struct d_node *unary(struct d_parser *p)
{
	struct d_node *node;
	if (p->depth >= DEPTH_MAX && !p->failed)
		dph_d_fail(p, D_HERE_LIMIT, p->token.place,
			   "the expression is nested too deeply; use a this-> variable for a part");
	if (p->failed)
		return make(p, D_NODE_NUMBER, p->token.place);
	p->depth++;
	node = prefix(p);
	p->depth--;
	return node;
}

/* --- binary, ?: and assignments ------------------------------------------------------------ */

/* Does a bracket begin behind the token that ends in front of a semicolon? */
static bool is_last_bracket(const struct d_parser *p)
{
	struct d_parser ahead = *p;
	unsigned open = 0;
	do {
		dph_d_next(&ahead);
		open += dph_d_is(&ahead, D_OP_OPEN);
		open -= open && dph_d_is(&ahead, D_OP_CLOSE);
	} while (open && !ahead.failed && ahead.token.kind != D_TOKEN_END);
	if (!dph_d_is(&ahead, D_OP_CLOSE))
		return false;
	dph_d_next(&ahead);
	return dph_d_is(&ahead, D_OP_SEMICOLON);
}

/* In a predicate a slash in front of the body ends the expression, and one in front of the values
 * that a probe declares. */
static bool ends_predicate(const struct d_parser *p)
{
	if (!p->in_predicate || p->nested || !dph_d_is(p, D_OP_DIV))
		return false;
	const char next = dph_d_peek(p->d, p->lexer);
	return !next || next == '{' || next == ';' || (p->of_file && is_last_bracket(p));
}

static struct d_node *binary(struct d_parser *p, unsigned lowest)
{
	struct d_node *left = unary(p);
	while (!p->failed && p->token.kind == D_TOKEN_OPERATOR && !ends_predicate(p)) {
		const unsigned precedence = dph_d_operators[p->token.op].precedence;
		if (!precedence || precedence < lowest || !may_chain(p))
			break;
		struct d_node *node = make(p, D_NODE_BINARY, p->token.place);
		node->op = p->token.op;
		dph_d_next(p);
		node->a = left;
		node->b = binary(p, precedence + 1);
		node->sign_place = node->place;
		node->place = dph_d_from_to(left->place, node->b->place);
		left = node;
	}
	return left;
}

static struct d_node *choice(struct d_parser *p)
{
	struct d_node *condition = binary(p, 1);
	if (p->failed || !dph_d_is(p, D_OP_QUESTION))
		return condition;
	struct d_node *node = make(p, D_NODE_CHOICE, condition->place);
	node->a = condition;
	node->sign_place = p->token.place;
	dph_d_next(p);
	p->nested++;
	node->b = dph_d_parse_expression(p);
	p->nested--;
	if (p->failed || !dph_d_expect(p, D_OP_COLON)) {
		node->c = node->b;
		return node;
	}
	p->depth++;
	node->c = p->depth < DEPTH_MAX ? choice(p) : unary(p);
	p->depth--;
	node->place = dph_d_from_to(node->place, node->c->place);
	return node;
}

static bool is_assignment(const struct d_parser *p)
{
	return p->token.kind == D_TOKEN_OPERATOR && !ends_predicate(p) &&
	       (p->token.op == D_OP_ASSIGN || dph_d_operators[p->token.op].assigns);
}

static struct d_node *assignment(struct d_parser *p)
{
	struct d_node *to = choice(p);
	if (p->failed || !is_assignment(p))
		return to;
	struct d_node *node = make(p, D_NODE_ASSIGN, to->place);
	node->op = dph_d_operators[p->token.op].assigns;
	node->sign_place = p->token.place;
	node->a = to;
	dph_d_next(p);
	p->depth++;
	node->b = p->depth < DEPTH_MAX ? assignment(p) : unary(p);
	p->depth--;
	node->place = dph_d_from_to(to->place, node->b->place);
	dph_d_note_variable(p, node);
	return node;
}

struct d_node *dph_d_parse_expression(struct d_parser *p)
{
	return assignment(p);
}
