/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of an open look, and the values of its expressions. */
#ifndef DPH_LOOK_VALUE_H
#define DPH_LOOK_VALUE_H

#include "evaluate.h"
#include "look.h"

#include "lang/d/code/formats.h"
#include "lang/d/record/record.h"

/* The name of an expression's source in messages. */
#define DPH_LOOK_SOURCE "<command line>"

struct dph_look_expression {
	struct dph_source source;
	struct dph_program program; /* of its target alone */
	struct d_format_table formats;
	struct d_front d;
	struct d_node *node;
	struct d_node *length; /* behind the comma; null: none */
	uint64_t bytes;        /* of what is read */
	bool range;            /* bytes without a type, */
	bool pointed;          /* where the expression points */
	bool place;            /* the address alone */
	uint32_t type;         /* in the formats */
	struct dph_looked looked;
};

struct dph_look {
	struct dph_images images;
	const struct dp_image *image, *names; /* null: none */
	struct dph_look_target target;
	const struct dph_cpu *cpu;  /* null: not known */
	struct dp_debuginfo *debug; /* null: no image */
	struct dph_look_memory memory;
	struct dph_pool values; /* of the last evaluation */
	struct dph_look_expression **expressions;
	size_t count, capacity;
};

struct dph_look_run dph_look_run_of(struct dph_look *look, struct dph_look_expression *e);
/* Make the value of an expression from the memory that is known. */
void dph_look_evaluate(struct dph_look *look, struct dph_look_expression *e);

#endif
