/* SPDX-License-Identifier: BSD-2-Clause */
/* What may be done with a value, once it is checked. */
#include "check.h"

void dph_d_set_value(struct d_node *node, struct d_type type)
{
	node->is = (struct d_checked){.type = type};
}

void dph_d_set_wrong(struct d_node *node)
{
	node->is = (struct d_checked){.type = {.kind = D_TYPE_NONE}};
}

bool dph_d_wrong(const struct d_node *node)
{
	return node->is.type.kind == D_TYPE_NONE;
}

static const char *text_of(const struct dph_d_check *c, const struct d_node *node)
{
	return dph_d_type_text(c->d, &node->is.type);
}

bool dph_d_check_understood(const struct dph_d_check *c, struct d_node *node)
{
	const char *why = dph_d_type_refused(c->d, &node->is.type);
	if (!why)
		return true;
	dph_d_error(
		c->d, D_HERE_TYPE, node->place,
		"D does not read a value of type %s: %s; tracemem(&VALUE, BYTES) shows its bytes",
		text_of(c, node), why);
	dph_d_set_wrong(node);
	return false;
}

/* The time of the record becomes the agent's clock. */
bool dph_d_checked_value(const struct dph_d_check *c, struct d_node *node)
{
	if (dph_d_wrong(node))
		return false;
	/* Members of a struct that is not read whole are read. */
	if (node->is.type.kind != D_TYPE_STRUCT && !dph_d_check_understood(c, node))
		return false;
	if (node->is.home == D_HOME_FIELD && node->is.form == DPH_FIELD_TIME)
		node->is.home = D_HOME_SYSTEM;
	if (node->is.home == D_HOME_FIELD && node->is.form == DPH_FIELD_PROBE &&
	    node->is.part == DPH_PROBE_ID)
		dph_d_set_constant(c->d, node, c->point->number, true);
	if (dph_d_is_text(node))
		dph_d_error(c->d, D_OP_SCALAR, node->place,
			    "a string is no number; compare it with == or <");
	else
		return true;
	dph_d_set_wrong(node);
	return false;
}

/* Not each operation takes two words. */
bool dph_d_check_one_word(const struct dph_d_check *c, struct d_node *node)
{
	if (node->is.type.kind != D_TYPE_INTEGER ||
	    node->is.type.bytes <= c->d->program->target.word_bytes)
		return true;
	dph_d_error(c->d, D_HERE_STEP, node->place,
		    "%s has 64 bits, and this takes a word; cast it to uint32_t", text_of(c, node));
	dph_d_set_wrong(node);
	return false;
}

bool dph_d_check_fits_word(const struct dph_d_check *c, struct d_node *node)
{
	return node->is.constant || dph_d_check_one_word(c, node);
}

bool dph_d_checked_scalar(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
			  const char *what)
{
	if (dph_d_type_scalar(&node->is.type))
		return true;
	if (node->is.type.kind == D_TYPE_FLOAT)
		dph_d_error(c->d, tag, node->place,
			    "%s is %s; D does not compute with floating point, but records it",
			    what, text_of(c, node));
	else
		dph_d_error(c->d, tag, node->place, "%s is %s; it must be a number or pointer",
			    what, text_of(c, node));
	dph_d_set_wrong(node);
	return false;
}

bool dph_d_check_checked_number(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
				const char *what)
{
	return dph_d_checked_value(c, node) &&
	       (dph_d_is_long(c->d, &node->is.type) || dph_d_checked_scalar(c, node, tag, what));
}
