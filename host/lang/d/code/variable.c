/* SPDX-License-Identifier: BSD-2-Clause */
/* Program variables, and intermediate values in them. */
#include "lower.h"

static unsigned take_variable(struct d_lower *l)
{
	struct d_front *d = l->d;
	if (d->variable_words == RPN_VARS_MAX)
		dph_d_error(d, D_HERE_LIMIT, l->code->place,
			    "the program needs more than %u variables", (unsigned)RPN_VARS_MAX);
	return d->variable_words < RPN_VARS_MAX ? d->variable_words++ : 0;
}

unsigned dph_d_variable_index(struct d_lower *l, struct d_variable *variable)
{
	if (!variable->placed) {
		variable->index = take_variable(l);
		for (unsigned i = dph_d_variable_words(l->d, variable); i > 1; i--)
			take_variable(l);
	}
	variable->placed = true;
	return variable->index;
}

/* Intermediate values of all handlers share their variables: one handler runs at a time. */
unsigned dph_d_temp(struct d_lower *l, unsigned n)
{
	_Static_assert(sizeof(l->d->temps) / sizeof(l->d->temps[0]) == D_TEMPS, "each has a place");
	struct d_front *d = l->d;
	if (!d->temps[n])
		d->temps[n] = take_variable(l) + 1;
	return d->temps[n] - 1;
}

unsigned dph_d_random_state(struct d_lower *l)
{
	struct d_front *d = l->d;
	if (!d->random_state)
		d->random_state = take_variable(l) + 1;
	return d->random_state - 1;
}

/* The first word of a variable is the top of the stack. */
void dph_d_pop_variable(struct d_lower *l, struct d_variable *variable)
{
	const unsigned index = dph_d_variable_index(l, variable);
	const unsigned words = dph_d_variable_words(l->d, variable);
	for (unsigned i = 0; i < words; i++)
		dph_d_emit(l->code, RPN_POP_LV_N, index + i);
}

void dph_d_push_variable(struct d_lower *l, struct d_variable *variable)
{
	const unsigned index = dph_d_variable_index(l, variable);
	for (unsigned i = dph_d_variable_words(l->d, variable); i-- > 0;)
		dph_d_emit(l->code, RPN_PUSH_LV_N, index + i);
}
