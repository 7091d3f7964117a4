/* SPDX-License-Identifier: BSD-2-Clause */
/* Providers that a file declares: provider NAME { probe NAME(parameters) : places /predicate/
 * (values); }; */
#define _GNU_SOURCE
#include "lang/d/read/provided.h"
#include "lang/d/read/functions.h"
#include "lang/d/read/provider.h"
#include "parse.h"

#include <string.h>

enum {
	PARAMETERS_MAX = 10 /* arg0 to arg9 */
};

/* A word with the meaning `what`, which is passed. Returns false: the error is said. */
static bool name_token(struct d_parser *p, const char *what, struct d_token *name)
{
	if (!p->failed && p->token.kind != D_TOKEN_WORD)
		dph_d_expected(p, what);
	if (p->failed)
		return false;
	*name = p->token;
	dph_d_next(p);
	return !p->failed;
}

/* The parameters up to the bracket, which is passed. The firmware need not have their types. */
static struct d_parameter *parameters(struct d_parser *p)
{
	struct d_parameter *list = NULL, **end = &list;
	unsigned count = 0;
	while (!p->failed && !dph_d_is(p, D_OP_CLOSE)) {
		struct d_parameter *made = dph_pool_take(p->d->pool, sizeof(*made));
		if (p->token.kind != D_TOKEN_WORD) {
			dph_d_expected(p, "the type of an argument");
			break;
		}
		made->type = dph_d_parse_type_name(p);
		if (p->token.kind == D_TOKEN_WORD)
			dph_d_next(p); /* a name, for people */
		if (!list && strcmp(made->type->name, "void") == 0 && !made->type->stars &&
		    dph_d_is(p, D_OP_CLOSE))
			break; /* (void) */
		if (++count > PARAMETERS_MAX)
			dph_d_fail(p, D_HERE_LIMIT, made->type->place,
				   "a probe has at most %d arguments", PARAMETERS_MAX);
		*end = made;
		end = &made->next;
		if (!dph_d_is(p, D_OP_CLOSE))
			dph_d_expect_comma(p, D_OP_CLOSE);
	}
	if (!p->failed)
		dph_d_expect(p, D_OP_CLOSE);
	return list;
}

static void refuse_change(struct d_parser *p, const struct d_node *node)
{
	if (!p->failed && dph_d_changes(node))
		dph_d_fail(p, D_OP_WRITE, node->place,
			   "the declaration of a probe changes no variable");
}

/* Give each value the type of its parameter. */
static void join(struct d_parser *p, struct d_provided *made)
{
	struct d_node **at = &made->values;
	const struct d_parameter *parameter = made->parameters;
	unsigned values = 0, wanted = 0;
	for (const struct d_node *value = made->values; value; value = value->next)
		values++;
	for (const struct d_parameter *of = made->parameters; of; of = of->next)
		wanted++;
	if (!p->failed && values != wanted)
		dph_d_fail(p, D_PROTO_LEN, made->place,
			   "probe '%s' has %u parameter(s), and %u value(s) behind its places",
			   made->name, wanted, values);
	for (; !p->failed && *at; at = &(*at)->next, parameter = parameter->next) {
		struct d_node *next = (*at)->next;
		(*at)->next = NULL;
		refuse_change(p, *at);
		*at = dph_d_of_type(p, parameter->type, *at);
		(*at)->next = next;
	}
}

/* The places behind the colon, which is the next token, the predicate and the values. */
static void places(struct d_parser *p, struct d_provided *made)
{
	if (!dph_d_parse_descriptions(p, &made->places))
		return;
	dph_d_next(p);
	if (dph_d_is(p, D_OP_DIV)) {
		made->predicate = dph_d_parse_predicate(p);
		refuse_change(p, made->predicate);
	}
	p->chained = 0;
	if (!p->failed && dph_d_is(p, D_OP_OPEN)) {
		dph_d_next(p);
		made->values = dph_d_parse_arguments(p, D_OP_CLOSE);
	}
	if (!p->failed && !dph_d_is(p, D_OP_SEMICOLON))
		dph_d_expected(p, made->predicate || made->values ? "';'" : "',', '/', '(' or ';'");
	if (!p->failed)
		join(p, made);
}

static void add(struct d_front *d, struct d_provided *made)
{
	struct d_provided **end = &d->provided;
	while (*end)
		end = &(*end)->next;
	*end = made;
}

/* The arguments of the static hook that a declaration without places is of. */
static void take_hook(struct d_parser *p, struct d_provided *made)
{
	struct d_node **end = &made->values;
	unsigned n = 0;
	for (const struct d_parameter *of = made->parameters; of; of = of->next, n++) {
		*end = dph_d_hook_argument(p->d, n, of->type->place,
					   strcmp(of->type->name, "string") == 0 &&
						   !of->type->stars);
		*end = dph_d_of_type(p, of->type, *end);
		end = &(*end)->next;
	}
}

/* probe NAME(parameters) : places /predicate/ (values); */
static void parse_probe(struct d_parser *p, const char *provider, struct d_provided **first)
{
	struct d_provided *made = dph_pool_take(p->d->pool, sizeof(*made));
	struct d_token name;
	if (!dph_d_is_word(p, "probe")) {
		dph_d_expected(p, "'probe' or '}'");
		return;
	}
	dph_d_next(p);
	if (!name_token(p, "a probe's name", &name))
		return;
	made->provider = provider;
	made->name = dph_d_probe_name(p->d, name.text);
	made->place = name.place;
	if (dph_d_provided_named(*first, provider, made->name)) {
		dph_d_fail(p, D_DECL_IDRED, name.place, "probe '%s' is declared twice", name.text);
		return;
	}
	if (!dph_d_expect(p, D_OP_OPEN))
		return;
	made->parameters = parameters(p);
	if (!p->failed && !dph_d_is(p, D_OP_SEMICOLON) && !dph_d_is(p, D_OP_COLON))
		dph_d_expected(p, "':' and the places of the probe");
	if (!p->failed && dph_d_is(p, D_OP_COLON))
		places(p, made);
	else if (!p->failed)
		take_hook(p, made);
	if (p->failed || !dph_d_expect(p, D_OP_SEMICOLON))
		return;
	add(p->d, made);
	if (!*first)
		*first = made;
}

void dph_d_parse_provider(struct d_parser *p)
{
	struct d_provided *first = NULL;
	struct d_token name;
	dph_d_next(p);
	if (!name_token(p, "a provider's name", &name))
		return;
	if (dph_d_has_provider(name.text)) {
		dph_d_fail(p, D_DECL_IDRED, name.place,
			   "'%s' is a provider of D; choose another name", name.text);
		return;
	}
	p->of_file = true;
	if (dph_d_expect(p, D_OP_OPEN_BODY))
		while (!p->failed && !dph_d_is(p, D_OP_CLOSE_BODY))
			parse_probe(p, name.text, &first);
	p->of_file = false;
	if (!p->failed)
		dph_d_next(p);
}

bool dph_d_parse_provider_file(struct d_front *d)
{
	struct d_parser p = {.d = d};
	dph_d_next(&p);
	while (!p.failed && p.token.kind != D_TOKEN_END) {
		if (!dph_d_is_word(&p, "provider")) {
			dph_d_expected(&p, "'provider'; a provider file has nothing else");
			break;
		}
		dph_d_parse_provider(&p);
		if (!p.failed)
			dph_d_expect(&p, D_OP_SEMICOLON);
	}
	return !p.failed;
}
