/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree as a D program; each clause stands on one line. */
#include "d_tree.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct out {
	char *text;
	size_t bytes, room;
	unsigned line;
};

__attribute__((format(printf, 2, 3))) static void put(struct out *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	out->bytes +=
		(size_t)vsnprintf(out->text + out->bytes, out->room - out->bytes, format, args);
	va_end(args);
}

static const char *type_name(struct dt_type type)
{
	static const char *const names[2][4] = {{"uint8_t", "uint16_t", "unsigned", "uint64_t"},
						{"int8_t", "int16_t", "int", "int64_t"}};
	unsigned size = 0;

	while (8u << size < type.bits)
		size++;
	return type.is_bool ? "_Bool" : names[type.is_signed][size];
}

static void put_name(struct out *out, unsigned index)
{
	put(out, index < D_GLOBALS ? "g%u" : "this->t%u", index);
}

static void put_node(struct out *out, const struct dt_node *node)
{
	switch (node->kind) {
	case DT_CONSTANT:
		put(out, "%" PRIu64 "%s", node->value, node->sign);
		break;
	case DT_VARIABLE:
		put_name(out, node->index);
		break;
	case DT_LOAD:
		if (!node->a) {
			put(out, "*(%s *)0x%x", type_name(node->type), D_NOWHERE);
			break;
		}
		put(out, "((%s *)0x%x)[", type_name(node->type), D_MEMORY);
		put_node(out, node->a);
		put(out, "]");
		break;
	case DT_UNARY:
		put(out, "(%s ", node->sign);
		put_node(out, node->a);
		put(out, ")");
		break;
	case DT_CAST:
		put(out, "((%s)", type_name(node->type));
		put_node(out, node->a);
		put(out, ")");
		break;
	case DT_BINARY:
	case DT_LOGICAL:
		put(out, "(");
		put_node(out, node->a);
		put(out, " %s ", node->sign);
		put_node(out, node->b);
		put(out, ")");
		break;
	case DT_CHOICE:
		put(out, "(");
		put_node(out, node->a);
		put(out, " ? ");
		put_node(out, node->b);
		put(out, " : ");
		put_node(out, node->c);
		put(out, ")");
		break;
	case DT_STEP:
		put(out, "(%s", node->postfix ? "" : node->sign);
		put_name(out, node->index);
		put(out, "%s)", node->postfix ? node->sign : "");
		break;
	default:
		put(out, "(");
		put_name(out, node->index);
		put(out, " %s= ", node->sign);
		put_node(out, node->a);
		put(out, ")");
		break;
	}
}

static void put_list(struct out *out, const struct dt_list *list);

static void put_statement(struct out *out, const struct dt_statement *s)
{
	switch (s->action) {
	case DT_EFFECT:
		put_node(out, s->node);
		put(out, "; ");
		break;
	case DT_RECORD:
		put(out, "printf(\"%%d|\", ");
		put_node(out, s->node);
		put(out, "); ");
		break;
	case DT_EXIT:
		put(out, "exit(%u); ", s->value);
		break;
	default:
		put(out, "if (");
		put_node(out, s->node);
		put(out, ") { ");
		put_list(out, s->yes);
		put(out, "} ");
		if (!s->no)
			break;
		put(out, "else { ");
		put_list(out, s->no);
		put(out, "} ");
		break;
	}
}

static void put_list(struct out *out, const struct dt_list *list)
{
	for (unsigned i = 0; i < list->count; i++)
		put_statement(out, &list->list[i]);
}

static void put_clause(struct out *out, const struct dt_clause *clause)
{
	put(out, "%s ", clause->error ? "ERROR" : "addr:::0x1000");
	if (clause->predicate) {
		put(out, "/ ");
		put_node(out, clause->predicate);
		put(out, "/ ");
	}
	put(out, "{ ");
	put_list(out, clause->body);
	put(out, "}\n");
}

void dt_print(struct dt_program *program, char *text, size_t room)
{
	struct out out = {.text = text, .room = room};
	unsigned line = 1;

	for (unsigned i = 0; i < D_VARIABLES; i++, line++) {
		put(&out, "%s%s ", i < D_GLOBALS ? "" : "this ", type_name(program->variables[i]));
		put(&out, "%c%u;\n", i < D_GLOBALS ? 'g' : 't', i);
	}
	for (unsigned i = 0; i < program->clause_count; i++, line++) {
		program->clauses[i].line = line;
		put_clause(&out, &program->clauses[i]);
	}
}
