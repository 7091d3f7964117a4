/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations. */
#define _GNU_SOURCE
#include "parse.h"

#include <string.h>

static void refuse_later(struct d_parser *p, const char *what, const char *instead)
{
	dph_d_fail(p, D_HERE_STEP, p->token.place, "%s are not in this version; %s", what, instead);
}

/* Names behind a type, up to the semicolon. */
static void declare(struct d_parser *p, enum d_scope scope, const struct d_type_name *base)
{
	do {
		struct d_type_name type = *base;
		while (dph_d_is(p, D_OP_MUL)) {
			type.stars++;
			dph_d_next(p);
		}
		if (p->token.kind != D_TOKEN_WORD) {
			dph_d_expected(p, "a variable's name");
			return;
		}
		const struct d_token name = p->token;
		struct d_variable *variable = dph_d_variable_find(p->d, scope, name.text);
		dph_d_next(p);
		if (dph_d_is(p, D_OP_OPEN_INDEX)) {
			refuse_later(p, "declarations of arrays",
				     "an assignment makes an array: x[key] = 1");
			return;
		}
		if (variable && variable->declared) {
			dph_d_fail(p, D_DECL_IDRED, name.place, "'%s' is declared twice",
				   name.text);
			return;
		}
		if (!variable)
			variable = dph_d_variable_make(p->d, scope, name.text, name.place);
		variable->declared = true;
		variable->type = dph_d_type_named(p->d, &type, 0);
		if (variable->type.kind == D_TYPE_VOID)
			dph_d_fail(p, D_DECL_VOIDOBJ, name.place, "'%s' cannot be void", name.text);
	} while (!p->failed && dph_d_is(p, D_OP_COMMA) && (dph_d_next(p), true));
	if (!p->failed)
		dph_d_expect(p, D_OP_SEMICOLON);
}

void dph_d_parse_declaration(struct d_parser *p)
{
	enum d_scope scope = D_SCOPE_GLOBAL;
	if (dph_d_is_word(p, "self") || dph_d_is_word(p, "this")) {
		scope = dph_d_is_word(p, "self") ? D_SCOPE_THREAD : D_SCOPE_CLAUSE;
		dph_d_next(p);
	}
	if (dph_d_is_word(p, "inline")) {
		refuse_later(p, "inlines", "use #define");
	} else if (dph_d_is_word(p, "translator") || dph_d_is_word(p, "provider")) {
		refuse_later(p, "translators and providers", "use #define");
	} else if (dph_d_is_word(p, "typedef")) {
		refuse_later(p, "typedefs", "the types of the firmware are there by name");
	} else if (!dph_d_starts_type(p)) {
		dph_d_expected(p, "a type");
	} else {
		const struct d_type_name *type = dph_d_parse_type_name(p);
		if (dph_d_is(p, D_OP_OPEN_BODY))
			refuse_later(p, "types of the program",
				     "the types of the firmware are there by name");
		else if (!p->failed)
			declare(p, scope, type);
	}
}
