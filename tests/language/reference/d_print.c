/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree as a D program; each clause stands on one line. */
#include "d_tree.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct out {
	char *text;
	size_t bytes, room;
	const struct dt_program *program;
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

static const char *scope_of(unsigned index)
{
	if (index >= D_GLOBALS + D_FIRINGS && index < D_NUMBERS)
		return "self";
	return index >= D_GLOBALS && index < D_NUMBERS ? "this" : "";
}

static bool is_of_task(unsigned array)
{
	return array == D_ARRAYS - 1;
}

/* A variable: its type, or that to which the pointer points. */
static struct dt_type plain(struct dt_type type)
{
	if (!type.pointed)
		return type;
	return (struct dt_type){.bits = 8 * type.pointed, .is_signed = type.is_signed};
}

static void put_node(struct out *out, const struct dt_node *node);

static void put_keys(struct out *out, const struct dt_node *first, const struct dt_node *second)
{
	if (!first)
		return;
	put(out, "[");
	put_node(out, first);
	if (second) {
		put(out, ", ");
		put_node(out, second);
	}
	put(out, "]");
}

/* A variable or element. */
static void put_place(struct out *out, const struct dt_node *node)
{
	if (node->kind == DT_VARIABLE) {
		put(out, "%s%sv%u", scope_of(node->index), *scope_of(node->index) ? "->" : "",
		    node->index);
		return;
	}
	put(out, "%sa%u", is_of_task(node->index) ? "self->" : "", node->index);
	put_keys(out, node->a, node->b);
}

/* (a sign b) */
static void put_two(struct out *out, const struct dt_node *node)
{
	put(out, "(");
	put_node(out, node->a);
	put(out, " %s ", node->sign);
	put_node(out, node->b);
	put(out, ")");
}

static void put_pointed(struct out *out, const struct dt_node *node)
{
	put(out, node->b ? "" : "(*");
	put_node(out, node->a);
	put_keys(out, node->b, NULL);
	put(out, node->b ? "" : ")");
}

static void put_node(struct out *out, const struct dt_node *node)
{
	switch (node->kind) {
	case DT_CONSTANT:
		if (node->sign[0] == 'x')
			put(out, "0x%" PRIx64, node->value);
		else
			put(out, "%" PRIu64 "%s", node->value, node->sign);
		break;
	case DT_VARIABLE:
	case DT_ELEMENT:
		put_place(out, node);
		break;
	case DT_BASE:
		put(out, "((%s *)0x%x)", type_name(plain(node->type)), D_MEMORY);
		break;
	case DT_POINTED:
		put_pointed(out, node);
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
	case DT_MOVED:
	case DT_APART:
		put_two(out, node);
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
		put_place(out, node->to);
		put(out, "%s)", node->postfix ? node->sign : "");
		break;
	default:
		put(out, "(");
		put_place(out, node->to);
		put(out, " %s= ", node->sign);
		put_node(out, node->a);
		put(out, ")");
		break;
	}
}

static void put_list(struct out *out, const struct dt_list *list);

static void put_update(struct out *out, const struct dt_program *program,
		       const struct dt_statement *s)
{
	static const char *const names[DT_FUNCTIONS] = {"count", "sum",    "min",      "max",
							"avg",   "stddev", "quantize", "lquantize"};
	const enum dt_function function = program->aggregations[s->value].function;

	put(out, "@n%u", s->value);
	put_keys(out, s->keys[0], s->keys[1]);
	put(out, " = %s(", names[function]);
	if (s->node)
		put_node(out, s->node);
	if (function == DT_LQUANTIZE)
		put(out, ", %d, %d, %d", D_LOW, D_LOW + D_LEVELS * D_STEP, D_STEP);
	if (s->more) {
		put(out, ", ");
		put_node(out, s->more);
	}
	put(out, "); ");
}

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
	case DT_UPDATE:
		put_update(out, out->program, s);
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

static void put_array(struct out *out, const struct dt_array *array, unsigned index)
{
	put(out, "%s%s a%u[", is_of_task(index) ? "self " : "", type_name(array->type), index);
	if (array->bound)
		put(out, "%u", array->bound);
	else
		put(out, "%s", type_name(array->keys[0]));
	if (array->key_count > 1)
		put(out, ", %s", type_name(array->keys[1]));
	put(out, "];\n");
}

void dt_print(struct dt_program *program, char *text, size_t room)
{
	struct out out = {.text = text, .room = room, .program = program};
	unsigned line = 1;

	for (unsigned i = 0; i < D_VARIABLES; i++, line++) {
		const struct dt_type type = program->variables[i];

		put(&out, "%s %s %sv%u;\n", scope_of(i), type_name(plain(type)),
		    type.pointed ? "*" : "", i);
	}
	for (unsigned i = 0; i < D_ARRAYS; i++, line++)
		put_array(&out, &program->arrays[i], i);
	for (unsigned i = 0; i < program->clause_count; i++, line++) {
		program->clauses[i].line = line;
		put_clause(&out, &program->clauses[i]);
	}
}
