/* SPDX-License-Identifier: BSD-2-Clause */
/* Random trees that are well-typed: each node gets its type, and constants their values, by the
 * rules of D.md. */
#include "d_tree.h"

#include <string.h>

enum {
	DEPTH = 4,
	NODES_SMALL = 30, /* of most programs: more of them can run */
	NODES_LARGE = 300
};

static const struct dt_type INT = {.bits = 32, .is_signed = true};
static const struct dt_type LONG = {.bits = 64, .is_signed = true};

static struct dt_node *expression(struct dt_program *p, unsigned depth);

static struct dt_node *node_of(struct dt_program *p, enum dt_kind kind, struct dt_type type)
{
	struct dt_node *node = &p->nodes[p->node_count++];

	*node = (struct dt_node){.kind = kind, .type = type, .sign = ""};
	return node;
}

static struct dt_type any_type(struct dt_program *p)
{
	if (random_one_in(&p->random, 12))
		return (struct dt_type){.bits = 8, .is_bool = true};
	if (random_one_in(&p->random, 2))
		return (struct dt_type){.bits = 32, .is_signed = random_one_in(&p->random, 2)};
	return (struct dt_type){.bits = 8u << random_below(&p->random, 4),
				.is_signed = random_one_in(&p->random, 2)};
}

/* --- leaves --- */

static uint64_t edge(struct dt_program *p)
{
	static const uint64_t edges[] = {0,          1,          2,          7,      0x7f, 0x80,
					 0xff,       0x7fff,     0x8000,     0xffff, 31,   32,
					 0x7fffffff, 0x80000000, 0xffffffff, 33,     63,   64};
	const uint64_t value = edges[random_below(&p->random, sizeof edges / sizeof edges[0])];

	if (random_one_in(&p->random, 3))
		return value + random_below(&p->random, 5) - 2;
	if (random_one_in(&p->random, 12))
		return random_bits(&p->random) >> random_below(&p->random, 40);
	return random_one_in(&p->random, 3) ? random_below(&p->random, 300) : value;
}

/* The type of a constant is written. */
static void fix(struct dt_node *node, struct dt_type type, uint64_t value)
{
	node->constant = true;
	node->type = type;
	node->value = dt_narrow(type, value);
	node->fixed = type.bits == 64 || (type.bits == 32 && !type.is_signed);
}

/* By the suffix; x: hexadecimal. */
static struct dt_type written_type(const char *sign, uint64_t value)
{
	const bool wide = strstr(sign, "ll") != NULL;

	if (sign[0] == 'u')
		return (struct dt_type){.bits = wide || value > UINT32_MAX ? 64 : 32};
	if (sign[0] == 'x' && value > INT32_MAX && value <= UINT32_MAX)
		return (struct dt_type){.bits = 32};
	if (wide && value <= INT64_MAX)
		return LONG;
	return dt_constant_type(value, false);
}

static struct dt_node *constant(struct dt_program *p)
{
	static const char *const suffixes[] = {"", "", "", "", "", "x", "x", "u", "ll", "ull"};
	struct dt_node *node = node_of(p, DT_CONSTANT, INT);

	node->value = edge(p);
	node->sign = suffixes[random_below(&p->random, sizeof suffixes / sizeof suffixes[0])];
	node->type = written_type(node->sign, node->value);
	node->constant = true;
	if (*node->sign)
		fix(node, node->type, node->value);
	return node;
}

static struct dt_node *variable_of(struct dt_program *p, unsigned index)
{
	struct dt_node *node = node_of(p, DT_VARIABLE, p->variables[index]);

	node->index = index;
	return node;
}

static struct dt_node *variable(struct dt_program *p)
{
	return variable_of(p, random_below(&p->random, D_NUMBERS));
}

static struct dt_node *binary_of(struct dt_program *p, const char *sign, struct dt_node *a,
				 struct dt_node *b);

/* Does a value of the type fit a word? */
static bool is_word(const struct dt_program *p, const struct dt_node *node)
{
	return node->type.bits <= p->word_bits;
}

static struct dt_node *small_constant(struct dt_program *p, uint64_t value)
{
	struct dt_node *node = node_of(p, DT_CONSTANT, INT);

	node->value = value;
	node->constant = true;
	return node;
}

static struct dt_node *cast_of(struct dt_program *p, struct dt_type type, struct dt_node *value)
{
	struct dt_node *node = node_of(p, DT_CAST, type);

	node->a = value;
	if (value->constant)
		fix(node, type, value->value);
	return node;
}

/* --- elements --- */

/* Few keys, so that some are equal. */
static struct dt_node *key(struct dt_program *p, unsigned depth, struct dt_type type,
			   unsigned bound)
{
	const unsigned most = bound ? 7 : 3;
	struct dt_node *value = binary_of(p, "&", expression(p, depth), small_constant(p, most));

	if (value->constant && bound)
		value = small_constant(p, value->value % bound);
	return cast_of(p, type, value);
}

static struct dt_node *element(struct dt_program *p, unsigned depth)
{
	const unsigned index = random_below(&p->random, D_ARRAYS);
	const struct dt_array *array = &p->arrays[index];
	struct dt_node *node = node_of(p, DT_ELEMENT, array->type);

	node->index = index;
	node->a = key(p, depth, array->keys[0], array->bound);
	if (array->key_count > 1)
		node->b = key(p, depth, array->keys[1], 0);
	return node;
}

static struct dt_node *place(struct dt_program *p, unsigned depth)
{
	return random_one_in(&p->random, 3) ? element(p, depth) : variable(p);
}

/* --- memory and pointers --- */

/* A place of the memory; once in a while behind its end, or an address without memory. */
static struct dt_node *load(struct dt_program *p, unsigned depth)
{
	struct dt_type type = any_type(p);
	struct dt_node *node, *index;
	unsigned places;

	if (type.is_bool)
		type = INT;
	places = D_MEMORY_BYTES * 8 / type.bits;
	if (random_one_in(&p->random, 10))
		places *= 2;
	node = node_of(p, DT_LOAD, type);
	if (random_one_in(&p->random, 10))
		return node;
	index = expression(p, depth);
	if (!index->constant && !is_word(p, index))
		return node;
	node->a = binary_of(p, "&", index, small_constant(p, places - 1));
	return node;
}

static struct dt_node *step_of(struct dt_program *p, struct dt_node *to)
{
	struct dt_node *node;

	if (to->type.is_bool)
		return to;
	node = node_of(p, DT_STEP, to->type);
	node->to = to;
	node->sign = random_one_in(&p->random, 2) ? "++" : "--";
	node->postfix = random_one_in(&p->random, 2);
	return node;
}

static struct dt_node *step(struct dt_program *p)
{
	return step_of(p, place(p, 0));
}

/* How far a pointer moves; once in a while out of the memory. */
static struct dt_node *distance(struct dt_program *p, unsigned depth)
{
	struct dt_node *value = expression(p, depth);

	if (!random_one_in(&p->random, 8))
		value = binary_of(p, "&", value, small_constant(p, 7));
	return cast_of(p, INT, value);
}

static struct dt_node *pointer(struct dt_program *p, unsigned depth, unsigned index);

/* p = q, p += n, p -= n */
static struct dt_node *set_pointer(struct dt_program *p, unsigned depth, unsigned index)
{
	static const char *const signs[] = {"", "", "+", "-"};
	struct dt_node *node = node_of(p, DT_ASSIGN, p->variables[index]);

	node->to = variable_of(p, index);
	node->sign = signs[random_below(&p->random, 4)];
	node->a = *node->sign ? distance(p, depth) : pointer(p, depth, index);
	return node;
}

static struct dt_node *moved(struct dt_program *p, unsigned depth, unsigned index)
{
	struct dt_node *node = node_of(p, DT_MOVED, p->variables[index]);

	node->sign = random_one_in(&p->random, 3) ? "-" : "+";
	node->a = pointer(p, depth, index);
	node->b = distance(p, depth);
	return node;
}

/* A pointer of the type of the variable. */
static struct dt_node *pointer(struct dt_program *p, unsigned depth, unsigned index)
{
	if (depth == 0 || p->node_count > p->nodes_wanted)
		return random_one_in(&p->random, 2) ? variable_of(p, index)
						    : node_of(p, DT_BASE, p->variables[index]);
	switch (random_below(&p->random, 6)) {
	case 0:
		return step_of(p, variable_of(p, index));
	case 1:
		return set_pointer(p, depth - 1, index);
	case 2:
	case 3:
		return moved(p, depth - 1, index);
	default:
		return variable_of(p, index);
	}
}

/* A number that a pointer gives: *p, p[n], p - q, p < q */
static struct dt_node *by_pointer(struct dt_program *p, unsigned depth)
{
	static const char *const signs[] = {"-", "-", "<", ">", "<=", ">=", "==", "!="};
	const unsigned index = D_NUMBERS + random_below(&p->random, D_POINTERS);
	const struct dt_type type = p->variables[index];
	struct dt_node *node = node_of(p, DT_POINTED, INT);

	node->a = pointer(p, depth, index);
	if (!random_one_in(&p->random, 3)) {
		node->type =
			(struct dt_type){.bits = 8 * type.pointed, .is_signed = type.is_signed};
		node->b = random_one_in(&p->random, 2) ? distance(p, depth) : NULL;
		return node;
	}
	node->kind = DT_APART;
	node->sign = signs[random_below(&p->random, 8)];
	node->b = pointer(p, depth, index);
	if (node->a->kind == DT_BASE) /* two bases are a constant */
		node->a = variable_of(p, index);
	if (node->sign[0] == '-')
		node->type = (struct dt_type){.bits = p->word_bits, .is_signed = true};
	return node;
}

static struct dt_node *leaf(struct dt_program *p)
{
	if (random_one_in(&p->random, 3))
		return constant(p);
	return random_one_in(&p->random, 8) ? step(p) : variable(p);
}

/* --- operators --- */

static void fold(struct dt_node *node, uint64_t value, bool is_signed)
{
	node->constant = true;
	node->value = value;
	node->type = dt_constant_type(value, is_signed && value >> 63);
}

static bool is_wide_unsigned(const struct dt_node *node)
{
	return node->type.bits == 64 && !node->type.is_signed;
}

static bool is_shift(const char *sign)
{
	return (sign[0] == '<' || sign[0] == '>') && sign[0] == sign[1];
}

static bool is_comparison(const char *sign)
{
	return strchr("<>=!", sign[0]) && !is_shift(sign);
}

/* Two constants are computed in 64 bits, or in their common type where one has a written type. */
static void fold_binary(struct dt_node *node)
{
	const struct dt_node *a = node->a, *b = node->b;
	const bool shift = is_shift(node->sign), compares = is_comparison(node->sign);
	const bool fixed = a->fixed || (b->fixed && !shift);
	struct dt_type type = shift ? dt_promoted(a->type) : dt_common(a->type, b->type);
	uint64_t value = 0;

	if (!fixed)
		type = (struct dt_type){.bits = 64,
					.is_signed = !is_wide_unsigned(a) &&
						     (shift || !is_wide_unsigned(b))};
	dt_apply(node->sign, type, shift ? dt_narrow(type, a->value) : a->value, b->value, &value);
	if (fixed && !compares)
		fix(node, type, value);
	else
		fold(node, value, type.is_signed || compares);
}

static struct dt_node *binary_of(struct dt_program *p, const char *sign, struct dt_node *a,
				 struct dt_node *b)
{
	struct dt_node *node = node_of(p, DT_BINARY, INT);

	node->a = a;
	node->b = b;
	node->sign = sign;
	if (is_shift(sign))
		node->type = dt_promoted(a->type);
	else if (!is_comparison(sign))
		node->type = dt_common(a->type, b->type);
	if (a->constant && b->constant)
		fold_binary(node);
	return node;
}

static struct dt_node *binary(struct dt_program *p, unsigned depth)
{
	static const char *const signs[] = {"+", "-", "*",  "/",  "%",  "&",  "|",  "^",
					    "<", ">", "<=", ">=", "==", "!=", "<<", ">>"};
	const char *sign = signs[random_below(&p->random, sizeof signs / sizeof signs[0])];
	struct dt_node *a = expression(p, depth), *b = expression(p, depth);

	if (b->constant && !b->value && strchr("/%", sign[0]))
		sign = "+";
	return binary_of(p, sign, a, b);
}

static struct dt_node *logical(struct dt_program *p, unsigned depth)
{
	static const char *const signs[] = {"&&", "||", "^^"};
	struct dt_node *node = node_of(p, DT_LOGICAL, INT);

	node->sign = signs[random_below(&p->random, 3)];
	node->a = expression(p, depth);
	node->b = expression(p, depth);
	if (!node->a->constant || !node->b->constant)
		return node;
	const bool a = node->a->value, b = node->b->value;
	fold(node, node->sign[0] == '&' ? a && b : node->sign[0] == '|' ? a || b : a != b, true);
	return node;
}

static struct dt_node *unary(struct dt_program *p, unsigned depth)
{
	static const char *const signs[] = {"-", "~", "!", "+"};
	struct dt_node *node = node_of(p, DT_UNARY, INT), *a = expression(p, depth);
	const bool is_signed = !is_wide_unsigned(a);

	node->a = a;
	node->sign = signs[random_below(&p->random, 4)];
	if (node->sign[0] != '!')
		node->type = dt_promoted(a->type);
	if (!a->constant)
		return node;
	if (node->sign[0] == '!')
		fold(node, !a->value, true);
	else if (a->fixed)
		fix(node, node->type,
		    node->sign[0] == '-'   ? 0 - a->value
		    : node->sign[0] == '~' ? ~a->value
					   : a->value);
	else if (node->sign[0] == '-')
		fold(node, 0 - a->value, true);
	else if (node->sign[0] == '~')
		fold(node, dt_narrow(node->type, ~a->value), is_signed);
	else
		fold(node, a->value, is_signed);
	return node;
}

static struct dt_node *cast(struct dt_program *p, unsigned depth)
{
	const struct dt_type type = any_type(p);

	return cast_of(p, type, expression(p, depth));
}

static struct dt_node *choice(struct dt_program *p, unsigned depth)
{
	struct dt_node *node = node_of(p, DT_CHOICE, INT);

	node->a = expression(p, depth);
	node->b = expression(p, depth);
	node->c = expression(p, depth);
	const bool constant = node->a->constant && node->b->constant && node->c->constant;
	const struct dt_node *chosen = node->a->value ? node->b : node->c;
	node->type = dt_common(node->b->type, node->c->type);
	if (constant && (node->b->fixed || node->c->fixed))
		fix(node, node->type, chosen->value);
	else if (constant)
		fold(node, chosen->value, !is_wide_unsigned(chosen));
	return node;
}

static struct dt_node *assignment(struct dt_program *p, unsigned depth)
{
	static const char *const signs[] = {"",  "",  "",  "+", "-",  "*", "/",
					    "%", "&", "|", "^", "<<", ">>"};
	struct dt_node *to = place(p, depth), *node = node_of(p, DT_ASSIGN, to->type);

	node->to = to;
	node->sign = signs[random_below(&p->random, sizeof signs / sizeof signs[0])];
	node->a = expression(p, depth);
	const bool zero = node->a->constant && !node->a->value;
	if (zero && *node->sign && strchr("/%", node->sign[0]))
		node->sign = "";
	return node;
}

static struct dt_node *expression(struct dt_program *p, unsigned depth)
{
	if (depth == 0 || p->node_count > p->nodes_wanted || random_one_in(&p->random, 6))
		return leaf(p);
	switch (random_below(&p->random, 16)) {
	case 0:
	case 1:
		return unary(p, depth - 1);
	case 2:
		return cast(p, depth - 1);
	case 3:
		return logical(p, depth - 1);
	case 4:
		return choice(p, depth - 1);
	case 5:
		return load(p, depth - 1);
	case 6:
		return random_one_in(&p->random, 2) ? assignment(p, depth - 1) : variable(p);
	case 7:
	case 8:
		return element(p, depth - 1);
	case 9:
		return by_pointer(p, depth - 1);
	default:
		return binary(p, depth - 1);
	}
}

/* --- statements and clauses --- */

static struct dt_list *statements(struct dt_program *p, unsigned most, unsigned nested);

static struct dt_node *recorded(struct dt_program *p)
{
	struct dt_node *node;

	if (!random_one_in(&p->random, 12))
		return expression(p, DEPTH);
	node = node_of(p, DT_LOAD,
		       (struct dt_type){.bits = 64, .is_signed = random_one_in(&p->random, 2)});
	node->a = small_constant(p, random_below(&p->random, 9));
	return node;
}

static void update(struct dt_program *p, struct dt_statement *s)
{
	const unsigned index = random_below(&p->random, D_AGGREGATIONS);
	const struct dt_aggregation *a = &p->aggregations[index];

	*s = (struct dt_statement){.action = DT_UPDATE, .value = index};
	for (unsigned i = 0; i < a->key_count; i++)
		s->keys[i] = key(p, 2, a->keys[i], 0);
	if (a->function != DT_COUNT)
		s->node = cast_of(p, a->type, expression(p, 3));
	if (a->increments)
		s->more = cast_of(p, LONG, expression(p, 2));
}

static void statement(struct dt_program *p, struct dt_statement *s, unsigned nested)
{
	switch (random_below(&p->random, 12)) {
	case 10:
	case 11:
		update(p, s);
		break;
	case 0:
		*s = (struct dt_statement){.action = DT_EFFECT, .node = expression(p, DEPTH)};
		break;
	case 1:
	case 2:
		*s = (struct dt_statement){.action = DT_EFFECT, .node = assignment(p, DEPTH - 1)};
		break;
	case 3:
	case 4:
		if (nested < 2 && p->list_count + 2 < sizeof p->lists / sizeof p->lists[0]) {
			*s = (struct dt_statement){.action = DT_IF, .node = expression(p, 2)};
			s->yes = statements(p, 2, nested + 1);
			s->no = random_one_in(&p->random, 2) ? statements(p, 2, nested + 1) : NULL;
			break;
		}
		/* fall through */
	case 5:
		if (random_one_in(&p->random, 8)) {
			*s = (struct dt_statement){.action = DT_EXIT,
						   .value = random_below(&p->random, 120)};
			break;
		}
		/* fall through */
	default:
		*s = (struct dt_statement){.action = DT_RECORD, .node = recorded(p)};
		break;
	}
}

static struct dt_list *statements(struct dt_program *p, unsigned most, unsigned nested)
{
	struct dt_list *list = &p->lists[p->list_count++];
	const unsigned count = 1 + random_below(&p->random, most);

	list->count = 0;
	for (unsigned i = 0; i < count; i++)
		statement(p, &list->list[list->count++], nested);
	return list;
}

static void clause(struct dt_program *p, struct dt_clause *c, bool error)
{
	c->error = error;
	c->predicate = random_one_in(&p->random, 3) ? expression(p, 3) : NULL;
	c->body = statements(p, 3, 0);
}

/* --- variables --- */

static struct dt_type key_type(struct dt_program *p)
{
	static const struct dt_type types[] = {
		{.bits = 32, .is_signed = true}, {.bits = 32}, {.bits = 16, .is_signed = true},
		{.bits = 64, .is_signed = true}, {.bits = 64},
	};

	return types[random_below(&p->random, sizeof types / sizeof types[0])];
}

static void declare(struct dt_program *p)
{
	for (unsigned i = 0; i < D_NUMBERS; i++)
		p->variables[i] = any_type(p);
	for (unsigned i = D_NUMBERS; i < D_VARIABLES; i++)
		p->variables[i] = (struct dt_type){.bits = p->word_bits,
						   .is_signed = random_one_in(&p->random, 2),
						   .pointed = 1u << random_below(&p->random, 4)};
	for (unsigned i = 0; i < D_ARRAYS; i++) {
		const bool bound = i == D_ARRAYS - 2;

		p->arrays[i] = (struct dt_array){
			.type = any_type(p),
			.keys = {bound ? INT : key_type(p), key_type(p)},
			.key_count = bound ? 1 : 1 + random_below(&p->random, D_KEYS),
			.bound = bound ? D_BOUND : 0,
		};
	}
}

/* A deviation has values of 32 bits; an agent with words of 64 has no place for one. */
static void aggregation(struct dt_program *p, struct dt_aggregation *a)
{
	*a = (struct dt_aggregation){.function = random_below(&p->random, DT_FUNCTIONS),
				     .type = key_type(p),
				     .keys = {key_type(p), key_type(p)},
				     .key_count = random_below(&p->random, D_KEYS + 1)};
	if (a->function == DT_STDDEV && p->word_bits == 64)
		a->function = DT_AVG;
	if (a->function == DT_STDDEV)
		a->type = INT;
	if (a->function == DT_LQUANTIZE && a->type.bits == 64)
		a->type = LONG; /* the base is below 0 */
	a->increments = a->function >= DT_QUANTIZE && random_one_in(&p->random, 3);
}

void dt_generate(struct dt_program *p, uint64_t seed, unsigned word_bits, bool big_endian)
{
	p->random.state = seed;
	p->word_bits = word_bits;
	p->big_endian = big_endian;
	p->node_count = p->list_count = 0;
	p->nodes_wanted = random_one_in(&p->random, 8) ? NODES_LARGE : NODES_SMALL;
	p->clause_count = 1 + random_below(&p->random, 3);
	declare(p);
	for (unsigned i = 0; i < D_AGGREGATIONS; i++)
		aggregation(p, &p->aggregations[i]);
	for (unsigned i = 0; i < D_MEMORY_BYTES; i++)
		p->memory[i] = random_one_in(&p->random, 3) ? 0 : (uint8_t)random_bits(&p->random);
	for (unsigned i = 0; i < p->clause_count; i++)
		clause(p, &p->clauses[i], false);
	if (random_one_in(&p->random, 4))
		clause(p, &p->clauses[p->clause_count++], true);
}
